// Scripts of explorers that draw a picture of their own in place of panels, by the name of a card's stage.
// One is made with the figure's element and what sets controls; it draws, and it is the card's film.

export const STAGES = {};

// What happens to the page around a card: its size, its theme, pointers, keys, folds, the full screen.

import { REST } from "./moves.js";
import { setText } from "./steps.js";

/** Finds the explorer that a card is part of. */
export const explorerOf = (el) => el.closest(".frapp-explorer") ?? el;

/** Draws anew when the figure's room or the page's theme changes; gives what ends that. */
export function watchPage(picture, draw) {
  const lookAgain = () => {
    picture.forget();
    draw();
  };
  const size = new ResizeObserver(lookAgain);
  size.observe(picture.parts.plot);
  const theme = new MutationObserver(() => {
    lookAgain();
    setTimeout(lookAgain, REST); // a theme's colours can come later than its name
  });
  const attributeFilter = ["class", "style", "data-jp-theme-name", "data-theme"];
  for (const node of [document.documentElement, document.body]) {
    theme.observe(node, { attributes: true, attributeFilter });
  }
  return () => [size, theme].forEach((watcher) => watcher.disconnect());
}

/** Hears what happens to the explorer around the card; gives what ends that. */
export function watchExplorer({ el, full }, { moves, look, lookAgain }) {
  const ears = [];
  const hear = (node, kinds, step, capture = true) => {
    for (const kind of kinds.split(" ")) {
      node.addEventListener(kind, step, capture);
      ears.push(() => node.removeEventListener(kind, step, capture));
    }
  };
  const frame = requestAnimationFrame(() => { // only then is the card in its place
    const root = explorerOf(el);
    const chipOf = (event) => event.target.closest?.(".frapp-chips .widget-checkbox");
    const tell = () => {
      for (const fold of root.querySelectorAll(".frapp-fold")) {
        fold.setAttribute("aria-expanded", fold.classList.contains("mod-active"));
      }
    };
    tell();
    hear(root, "click", () => setTimeout(tell));
    hear(root, "pointerdown", () => moves.hold());
    hear(window, "pointerup pointercancel", () => moves.release());
    hear(window, "blur", () => moves.release(), false);
    hear(root, "keydown", () => moves.press());
    hear(root, "pointerover focusin", (event) => look(chipOf(event)?.textContent ?? ""));
    hear(root, "pointerleave", () => look(""), false);
    hear(full, "click", () => (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.()));
    hear(document, "fullscreenchange", () => {
      const isFull = document.fullscreenElement === root;
      root.classList.toggle("frapp-projector", isFull);
      setText(full, isFull ? "Leave full screen" : "Full screen");
      lookAgain();
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    ears.forEach((step) => step());
  };
}

/** Gives a function that runs a step in the page's next frame, once however often it is asked. */
export function nextFrame(step) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      step();
    });
  };
}

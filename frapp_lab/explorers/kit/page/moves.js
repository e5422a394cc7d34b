// What a card shows when a control moves, an answer comes or gets lost: it knows no page.

export const REST = 1000; // ms without a change, after which a move is over
const PATIENCE = 2000; // ms that a move may stay unanswered before it is said

/** Keeps states of one slider that the kernel has sent ahead. */
export class Film {
  #frames = new Map();
  #of = null; // of which slider, around which settings, and what its frames share

  get size() {
    return this.#frames.size;
  }

  /** Takes frames from a message; tells whether they belong to the film of now. */
  hear(message) {
    if (message.kind !== "film") return false;
    if (message.base) {
      this.#frames.clear();
      this.#of = { name: message.name, key: message.key, base: message.base };
    }
    if (this.#of?.key !== message.key) return false;
    for (const frame of message.frames) this.#frames.set(frame.at[message.name], this.#whole(frame));
    return true;
  }

  /** Completes a frame, which holds only what differs from the state that the film began with. */
  #whole(frame) {
    const { data: traces, layout } = this.#of.base;
    const old = new Map(traces.map((trace) => [trace.meta, trace]));
    const data = frame.data.map(({ whole: isWhole, ...trace }) =>
      isWhole ? trace : { ...old.get(trace.meta), ...trace },
    );
    return { ...frame, data, layout: { ...layout, ...frame.layout } };
  }

  /** Gives the frame where a slider stands now, if all else is still as in this state. */
  get(name, place, state) {
    const isOf = this.#of?.name === name && this.#of.key === state.keys[name];
    return isOf ? this.#frames.get(place) : undefined;
  }

  /** Forgets the film if a state is about other settings. */
  keepFor(state) {
    if (!this.#of || state.keys[this.#of.name] === this.#of.key) return;
    this.#frames.clear();
    this.#of = null;
  }
}

/** Keeps of a state what its ghost shows after one control has moved. */
function asBefore(state, name) {
  const data = state.ghosts.map((i) => state.data[i]);
  return { id: state.id, numbers: state.numbers, data, layout: state.layout, words: state.said[name] };
}

/**
 * Decides what is shown when a control moves, and when the answer comes or gets lost.
 *
 * `feed()` gives the kernel's last state, `places()` where each control stands; `follow(at)` puts the
 * controls elsewhere, `show()` draws `current` and `before`, `wait(how)` says "no", "yes" or "long".
 */
export class Moves {
  current; // what is shown, or about to be
  before; // what was shown when the move began, if it leaves a ghost
  #began = null; // the same as a whole state, until the kernel says it
  #movedAt = -Infinity;
  #isPending = false; // a move of this page that the kernel has not answered
  #heardAt = null; // when it last spoke of other settings since then
  #timer = 0;

  constructor({ feed, places, follow, film, clock, show, wait }) {
    Object.assign(this, { feed, places, follow, film, clock, show, wait });
    this.current = feed();
    this.before = this.current.before;
  }

  /** Tells whether a state is about the settings that the controls stand at. */
  #isHere(state) {
    return Object.entries(this.places()).every(([name, place]) => place === state.at[name]);
  }

  /** Shows where a control has been moved to: from the film at once, else when the answer comes. */
  moved(name) {
    const now = this.clock.now();
    const begins = now - this.#movedAt > REST;
    this.#movedAt = now;
    if (this.#isHere(this.current)) return; // it is shown already
    if (this.#isHere(this.feed())) {
      this.answer();
      return;
    }
    if (begins) this.#began = this.current;
    this.#isPending = true;
    this.#heardAt = null;
    this.wait("yes");
    this.#giveTime();
    const frame = this.film.get(name, this.places()[name], this.current);
    if (!frame || !this.#isHere(frame)) return;
    if (this.#began) this.before = asBefore(this.#began, name);
    this.current = frame;
    this.show();
  }

  /** Shows the kernel's state, unless it answers an older move than the page's last. */
  answer() {
    const state = this.feed();
    if (!this.#isHere(state)) {
      this.#heardAt = this.clock.now();
      if (this.#isPending) return;
      this.current = state;
      this.follow(state.at); // where this page has not moved, another one or the kernel has
    }
    this.stop();
    this.#isPending = false;
    this.wait("no");
    this.#began = null;
    this.before = state.before;
    this.film.keepFor(state);
    this.current = state;
    this.show();
  }

  /** Lets the kernel take its time. */
  #giveTime() {
    this.stop();
    this.#timer = this.clock.after(PATIENCE, () => this.#lost());
  }

  /** Says that no answer came; a kernel that speaks, but of other settings, is right. */
  #lost() {
    const spoke = this.#heardAt !== null; // so the move got lost on its way
    if (spoke && this.clock.now() - this.#heardAt < PATIENCE) {
      this.#giveTime();
      return;
    }
    this.#isPending = !spoke && !this.#isHere(this.feed());
    if (this.#isPending) this.wait("long");
    else this.answer();
  }

  /** Waits no longer. */
  stop() {
    this.clock.stop(this.#timer);
  }
}

// What a card shows when a control moves, an answer comes or gets lost: it knows no page.

export const REST = 1000; // ms without a change, after which a move that no pointer holds is over
const STALE = 150; // ms that what is shown may be about another setting before it pales
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

/** Names a state's settings, whether or not its band is there already. */
const settingOf = (state) => state.id.replace(/\+$/, "");

/** Keeps of a state what stays in sight when another one is shown: its ghost, numbers, settings. */
function asBefore(old, state) {
  const moved = Object.keys(old.at).filter((name) => old.at[name] !== state.at[name]);
  const words = moved.map((name) => old.said[name]).filter(Boolean).join(", ");
  const data = old.ghosts.map((i) => old.data[i]);
  return { id: old.id, numbers: old.numbers, numbers_of: old.numbers_of, data, layout: old.layout, words };
}

/**
 * Decides what is shown when a control moves, and when the answer comes or gets lost.
 *
 * A move is what happens between a pointer's going down and up, or one burst of keys, or of changes
 * from elsewhere. `feed()` gives the kernel's last state, `places()` where each control stands;
 * `follow(at)` puts the controls elsewhere, `show()` draws `current` and `before`, and `wait(how)`
 * says how what is shown stands to the controls: "no" (it is theirs), "yes" (it is theirs, or will be
 * in a moment), "stale" (it is about another setting) or "long" (and no answer has come).
 */
export class Moves {
  current; // what is shown, or about to be
  pinned = null; // what stays in sight until it is unpinned
  #began = null; // what was shown when the last move began
  #isNew = false; // the next change begins a move
  #isHeld = false; // by a pointer that is down
  #movedAt = -Infinity;
  #pressedAt = -Infinity;
  #name = ""; // the control that moved last
  #isPending = false; // a move of this page that the kernel has not answered
  #heardAt = null; // when it last spoke of other settings since then
  #patience = 0;
  #paling = 0;

  constructor({ feed, places, follow, film, clock, show, wait }) {
    Object.assign(this, { feed, places, follow, film, clock, show, wait });
    this.current = feed();
  }

  /** Gives what was shown before the move, or is pinned, if that is another setting. */
  get before() {
    const old = this.pinned ?? this.#began;
    return old && settingOf(old) !== settingOf(this.current) ? asBefore(old, this.current) : null;
  }

  /** Tells whether what is shown is about the settings that the controls stand at. */
  get isHere() {
    return this.#isHere(this.current);
  }

  /** Pins what is shown, or lets go of it. */
  pin() {
    this.pinned = this.pinned ? null : this.current;
    this.show();
  }

  /** Hears that a pointer has gone down on the explorer: what it changes until it goes up is one move. */
  hold() {
    this.#isNew = this.#isHeld = true;
  }

  /** Hears that the pointer has gone up. */
  release() {
    this.#isHeld = false;
    this.#pressedAt = -Infinity;
  }

  /** Hears a key: those of one burst are one move. */
  press() {
    const now = this.clock.now();
    if (now - this.#pressedAt > REST && !this.#isHeld) this.#isNew = true;
    this.#pressedAt = now;
  }

  /** Tells whether a state is about the settings that the controls stand at. */
  #isHere(state) {
    return Object.entries(this.places()).every(([name, place]) => place === state.at[name]);
  }

  /** Notes that something changes: a move begins, or goes on. */
  #change() {
    const now = this.clock.now();
    const goesOn = this.#isHeld || now - this.#movedAt <= REST;
    if (this.#isNew || !goesOn) this.#began = this.current;
    this.#isNew = false;
    this.#movedAt = now;
  }

  /** Shows where a control has been moved to: from the film at once, else when the answer comes. */
  moved(name) {
    if (this.#isHere(this.current)) {
      this.#settle("yes"); // back where it was, before anything else was shown
      return;
    }
    this.#change();
    this.#name = name;
    if (this.#isHere(this.feed())) {
      this.answer();
      return;
    }
    this.#isPending = true;
    this.#heardAt = null;
    this.#giveTime();
    this.filmed();
  }

  /** Shows a frame of the film, if it has one of where the controls stand; it may have come just now. */
  filmed() {
    if (!this.#isPending || this.#isHere(this.current)) return;
    const frame = this.film.get(this.#name, this.places()[this.#name], this.current);
    if (!frame || !this.#isHere(frame)) {
      if (this.#paling) return;
      this.wait("yes");
      this.#paling = this.clock.after(STALE, () => this.wait("stale"));
      return;
    }
    this.current = frame;
    this.#settle("yes");
    this.show();
  }

  /** Shows the kernel's state, unless it answers an older move than the page's last. */
  answer() {
    const state = this.feed();
    if (!this.#isHere(state)) {
      this.#heardAt = this.clock.now();
      if (this.#isPending) return;
      this.#change(); // where this page has not moved, another one or the kernel has
      this.current = state;
      this.follow(state.at);
    }
    if (state.fresh) this.#began = this.pinned = null;
    this.clock.stop(this.#patience);
    this.#isPending = false;
    this.film.keepFor(state);
    this.current = state;
    this.#settle("no");
    this.show();
  }

  /** Says that what is shown is about the settings of now. */
  #settle(how) {
    this.clock.stop(this.#paling);
    this.#paling = 0;
    this.wait(this.#isPending ? how : "no");
  }

  /** Lets the kernel take its time. */
  #giveTime() {
    this.clock.stop(this.#patience);
    this.#patience = this.clock.after(PATIENCE, () => this.#lost());
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
    this.clock.stop(this.#patience);
    this.clock.stop(this.#paling);
  }
}

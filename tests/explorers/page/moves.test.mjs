import assert from "node:assert/strict";
import test from "node:test";

import { Film, Moves } from "../../../frapp_lab/explorers/kit/page/moves.js";

/** A state of two sliders: its key for one of them is where the other one stands. */
const state = (gamma, n = 1, more = {}) => ({
  id: `${gamma}/${n}`, at: { gamma, n }, keys: { gamma: `n${n}`, n: `gamma${gamma}` },
  said: { gamma: `γ = ${gamma}` }, numbers: [{ label: "odds", value: gamma }], ghosts: [1],
  data: [{ meta: "axis", y: [0] }, { meta: "curve", y: [gamma], name: "curve" }],
  layout: { xaxis: { range: [0, 1] } }, numbers_of: {}, ...more,
});
const filmOf = (base, ...frames) => ({ kind: "film", name: "gamma", key: base.keys.gamma, base, frames });

/** A page with two sliders at γ = 19, a kernel that speaks when told to, and a clock set by hand. */
function page() {
  let [now, timers, made] = [0, [], 0];
  const it = { said: state(19), at: { gamma: 19, n: 1 }, shown: [], waits: [], film: new Film() };
  const clock = {
    now: () => now,
    after: (ms, step) => {
      timers.push({ due: now + ms, step, id: ++made });
      return made;
    },
    stop: (id) => (timers = timers.filter((timer) => timer.id !== id)),
  };
  it.moves = new Moves({
    feed: () => it.said,
    places: () => ({ ...it.at }),
    follow: (at) => Object.entries(at).forEach(([name, place]) => place !== it.at[name] && it.move(name, place)),
    film: it.film,
    clock,
    show: () => it.shown.push([it.moves.current.id, it.moves.before?.id ?? null]),
    wait: (how) => it.waits.push(how),
  });
  it.move = (name, place) => {
    it.at[name] = place;
    it.moves.moved(name);
  };
  it.says = (said) => {
    it.said = said;
    it.moves.answer();
  };
  it.pass = (ms) => {
    const end = now + ms;
    for (;;) {
      const due = timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (!due) break;
      timers = timers.filter((timer) => timer !== due);
      now = due.due;
      due.step();
    }
    now = end;
  };
  it.timers = () => timers.length;
  return it;
}

test("a film's frames are completed from what it began with", () => {
  const film = new Film();
  const base = state(19);
  const layout = { yaxis: { range: [0, 2] } };
  const thin = state(20, 1, { data: [{ meta: "curve", y: [20] }, { meta: "new", y: [1], whole: true }], layout });
  assert.equal(film.hear(filmOf(base, thin)), true);
  const frame = film.get("gamma", 20, base);
  assert.deepEqual(frame.data, [{ meta: "curve", y: [20], name: "curve" }, { meta: "new", y: [1] }]);
  assert.deepEqual(frame.layout, { ...base.layout, ...layout });
  const gone = state(21, 1, { data: [{ meta: "curve", y: [21], whole: true }] });
  film.hear({ ...filmOf(base, gone), base: undefined });
  assert.equal("name" in film.get("gamma", 21, base).data[0], false); // what is gone is not brought back
  assert.equal(film.size, 2);
});

test("a film is of one slider around one setting, until another begins", () => {
  const film = new Film();
  const base = state(19);
  film.hear(filmOf(base, state(20)));
  assert.equal(film.get("n", 20, { keys: { n: base.keys.gamma } }), undefined);
  assert.equal(film.get("gamma", 20, state(19, 2)), undefined);
  assert.equal(film.get("gamma", 18, base), undefined);
  assert.equal(film.hear({ ...filmOf(base, state(22)), kind: "other" }), false);
  assert.equal(film.hear({ ...filmOf(state(19, 2), state(21, 2)), base: undefined }), false); // a late frame
  assert.equal(film.size, 1);
  film.keepFor(state(30));
  assert.equal(film.size, 1);
  film.keepFor(state(30, 2));
  assert.deepEqual([film.size, film.get("gamma", 20, base)], [0, undefined]);
  film.hear(filmOf(base, state(20)));
  film.hear(filmOf(state(19, 2), state(21, 2)));
  assert.deepEqual([film.size, film.get("gamma", 20, state(19, 2))], [1, undefined]);
});

test("a move is shown when it is answered", () => {
  const it = page();
  it.move("gamma", 20);
  assert.deepEqual([it.shown, it.waits], [[], ["yes"]]);
  it.says(state(20));
  assert.deepEqual([it.shown, it.waits], [[["20/1", "19/1"]], ["yes", "no"]]);
  it.pass(10000);
  assert.deepEqual([it.shown.length, it.waits.length], [1, 2]); // and nothing is waited for
});

test("a state that is there already is shown without waiting", () => {
  const it = page();
  it.said = state(20); // the kernel was quicker than the slider
  it.move("gamma", 20);
  assert.deepEqual([it.shown, it.waits], [[["20/1", "19/1"]], ["no"]]);
  it.moves.moved("gamma");
  assert.equal(it.shown.length, 1); // it is shown already
});

test("an answer to an older move is dropped", () => {
  const it = page();
  it.move("gamma", 20);
  it.move("gamma", 21);
  it.says(state(20));
  assert.deepEqual([it.shown, it.at.gamma, it.waits.includes("no")], [[], 21, false]);
  it.says(state(21));
  assert.deepEqual(it.shown, [["21/1", "19/1"]]);
});

test("a move that is never answered is said, once it takes long, until a late answer", () => {
  const it = page();
  it.move("gamma", 20);
  it.pass(1999);
  assert.deepEqual(it.waits, ["yes", "stale"]);
  it.pass(1);
  assert.deepEqual([it.waits, it.shown, it.at.gamma], [["yes", "stale", "long"], [], 20]);
  it.pass(60000);
  assert.equal(it.waits.length, 3);
  it.says(state(20));
  assert.deepEqual([it.waits.at(-1), it.shown], ["no", [["20/1", "19/1"]]]);
});

test("each further move is given its own time", () => {
  const it = page();
  it.move("gamma", 20);
  it.pass(1500);
  it.move("gamma", 21);
  it.pass(1500);
  assert.equal(it.waits.includes("long"), false);
  assert.equal(it.timers(), 1);
  it.pass(500);
  assert.equal(it.waits.at(-1), "long");
});

test("a move that got lost is undone: the kernel speaks, but of other settings", () => {
  const it = page();
  it.move("gamma", 20);
  it.pass(1000);
  it.says(state(18)); // so it lives
  it.pass(1999);
  assert.deepEqual([it.shown, it.at.gamma], [[], 20]); // its time counts from when it spoke
  it.pass(2001);
  assert.deepEqual([it.shown, it.at.gamma, it.waits.at(-1)], [[["18/1", "19/1"]], 18, "no"]);
});

test("where this page has not moved it follows another one", () => {
  const it = page();
  it.says(state(5));
  assert.deepEqual([it.at.gamma, it.shown, it.waits.at(-1)], [5, [["5/1", "19/1"]], "no"]);
  it.move("gamma", 6);
  it.says(state(6));
  it.pass(1001);
  it.says(state(7, 3)); // both of them, after a move of this page that was answered
  assert.deepEqual([it.at, it.shown.at(-1), it.waits.at(-1)], [{ gamma: 7, n: 3 }, ["7/3", "6/1"], "no"]);
  it.pass(10000);
  assert.deepEqual([it.shown.length, it.waits.at(-1)], [3, "no"]);
});

test("a kernel that has spoken only before the last move may be gone", () => {
  const it = page();
  it.move("gamma", 20);
  it.pass(1000);
  it.says(state(18));
  it.pass(500);
  it.move("gamma", 21);
  it.pass(2000);
  assert.deepEqual([it.waits.at(-1), it.at.gamma], ["long", 21]);
});

test("a move away and back needs no answer", () => {
  const it = page();
  it.move("gamma", 20);
  it.move("gamma", 19);
  it.pass(2000);
  assert.deepEqual([it.waits.includes("stale"), it.waits.at(-1), it.at.gamma], [false, "no", 19]);
});

test("a frame of the film is shown at once, with a ghost of where the move began", () => {
  const it = page();
  it.film.hear(filmOf(it.said, state(20), state(21)));
  it.move("gamma", 20);
  it.pass(100);
  it.move("gamma", 21);
  assert.deepEqual(it.shown, [["20/1", "19/1"], ["21/1", "19/1"]]);
  const { before } = it.moves;
  assert.deepEqual([before.data.map((trace) => trace.meta), before.words], [["curve"], "γ = 19"]);
  it.pass(1001);
  it.move("gamma", 20); // another move, though the kernel still has not answered
  assert.deepEqual(it.shown.at(-1), ["20/1", "21/1"]);
  assert.equal(it.waits.includes("no"), false);
});

test("a move begins where it began, also when its first step is not in the film", () => {
  const it = page();
  it.film.hear(filmOf(it.said, state(21)));
  it.move("gamma", 20);
  assert.deepEqual(it.shown, []);
  it.pass(100);
  it.move("gamma", 21);
  assert.deepEqual(it.shown, [["21/1", "19/1"]]);
});

test("a frame that comes while it is waited for is shown, and what is shown is no longer stale", () => {
  const it = page();
  it.move("gamma", 20);
  it.pass(200);
  assert.equal(it.waits.at(-1), "stale");
  it.film.hear(filmOf(it.said, state(20)));
  it.moves.filmed();
  assert.deepEqual([it.shown, it.waits.at(-1)], [[["20/1", "19/1"]], "yes"]);
  it.moves.filmed();
  assert.equal(it.shown.length, 1);
});

test("what a pointer changes between going down and up is one move, however long it rests", () => {
  const it = page();
  it.moves.hold();
  for (const gamma of [20, 21, 22]) {
    it.move("gamma", gamma);
    it.says(state(gamma));
    it.pass(1500);
  }
  assert.deepEqual(it.shown, [["20/1", "19/1"], ["21/1", "19/1"], ["22/1", "19/1"]]);
  it.moves.release();
  it.move("gamma", 23); // not by the pointer, and long after
  it.says(state(23));
  assert.deepEqual(it.shown.at(-1), ["23/1", "22/1"]);
  it.moves.hold();
  it.move("gamma", 24); // at once, but a move of its own
  it.says(state(24));
  assert.deepEqual(it.shown.at(-1), ["24/1", "23/1"]);
});

test("keys of one burst are one move, and no part of a drag before them", () => {
  const it = page();
  const press = (gamma) => {
    it.moves.press();
    it.move("gamma", gamma);
    it.says(state(gamma));
  };
  press(20);
  it.pass(900);
  press(21);
  assert.deepEqual(it.shown.at(-1), ["21/1", "19/1"]);
  it.pass(1001);
  press(22);
  assert.deepEqual(it.shown.at(-1), ["22/1", "21/1"]);
  it.moves.hold();
  it.move("gamma", 30);
  it.says(state(30));
  it.moves.release();
  press(31);
  assert.deepEqual(it.shown.at(-1), ["31/1", "30/1"]);
});

test("what is shown pales while it is about another setting, until it is about this one", () => {
  const it = page();
  it.moves.hold();
  it.move("gamma", 20);
  it.pass(149);
  it.move("gamma", 21); // a further step does not give it more time
  assert.deepEqual(it.waits, ["yes"]);
  it.pass(1);
  assert.equal(it.waits.at(-1), "stale");
  it.move("gamma", 22);
  it.says(state(20)); // an answer to an older step
  it.pass(300);
  assert.equal(it.waits.at(-1), "stale");
  it.says(state(22));
  assert.equal(it.waits.at(-1), "no");
});

test("a pinned state stays in sight until it is unpinned, and Reset forgets all", () => {
  const it = page();
  it.moves.pin();
  assert.equal(it.moves.before, null); // it is what is shown
  for (const gamma of [20, 21]) {
    it.move("gamma", gamma);
    it.says(state(gamma));
    it.pass(2000);
  }
  assert.deepEqual([it.moves.before.id, it.moves.before.words], ["19/1", "γ = 19"]);
  it.moves.pin();
  assert.equal(it.moves.before.id, "20/1");
  it.moves.pin();
  it.move("gamma", 19);
  it.says(state(19, 1, { fresh: true }));
  assert.deepEqual([it.moves.before, it.moves.pinned], [null, null]);
});

test("the same setting with its band is no other one", () => {
  const it = page();
  it.move("gamma", 20);
  it.says(state(20));
  it.said = { ...state(20), id: "20/1+" };
  it.moves.answer();
  assert.deepEqual(it.shown.at(-1), ["20/1+", "19/1"]);
  it.move("gamma", 19);
  it.says({ ...state(19), id: "19/1+" });
  assert.deepEqual(it.shown.at(-1), ["19/1+", null]);
});

test("what was before says where all moved controls stood", () => {
  const it = page();
  it.moves.hold();
  it.move("gamma", 20);
  it.at.n = 2;
  it.says(state(20, 2));
  assert.equal(it.moves.before.words, "γ = 19");
  assert.equal(it.moves.isHere, true);
});

test("a film around other settings is not shown, and is forgotten", () => {
  const it = page();
  it.film.hear(filmOf(it.said, state(20)));
  it.at.n = 2; // two controls move at once
  it.move("gamma", 20);
  assert.deepEqual(it.shown, []);
  assert.equal(it.film.size, 1);
  it.says(state(20, 2));
  assert.deepEqual([it.shown, it.film.size], [[["20/2", "19/1"]], 0]);
});

test("a card that leaves waits no longer", () => {
  const it = page();
  it.move("gamma", 20);
  it.moves.stop();
  it.pass(60000);
  assert.deepEqual([it.waits, it.timers()], [["yes"], 0]);
});

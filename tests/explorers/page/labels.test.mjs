import assert from "node:assert/strict";
import test from "node:test";

import { panelBox, placed, pointAt } from "../../../frapp_lab/explorers/kit/page/labels.js";

const layout = (more = {}) => ({
  width: 200, height: 200, margin: { l: 0, r: 0, t: 0, b: 0 },
  xaxis: { range: [0, 10] }, yaxis: { range: [0, 10] }, ...more,
});
const SIZE = { width: 40, height: 14 };
const note = (x, y, more = {}) => ({ text: "a", x, y, xref: "x", yref: "y", xanchor: "left", ...more });
const line = (y, more = {}) => ({ meta: "line", type: "scatter", mode: "lines", x: [0, 10], y: [y, y], line: {}, ...more });
const meet = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];

test("a panel's ends are found in px", () => {
  const two = layout({ margin: { l: 10, r: 30, t: 20, b: 40 }, xaxis2: { domain: [0.5, 1] }, yaxis2: { domain: [0, 0.5] } });
  assert.deepEqual(panelBox(two, "x2", "y2"), [90, 90, 170, 160]);
});

test("a point of a trace is found in px, also on a log axis, and 0 has no place there", () => {
  assert.deepEqual(pointAt({ x: [5], y: [2] }, 0, layout()), [100, 160]);
  const log = layout({ yaxis: { range: [0, 2], type: "log" } });
  assert.deepEqual(pointAt({ x: [5], y: [10] }, 0, log), [100, 100]);
  assert.equal(pointAt({ x: [5], y: [0] }, 0, log), null);
  assert.equal(pointAt({ x: [null], y: [1] }, 0, log), null);
});

test("words that hide nothing stand where they were asked to", () => {
  assert.deepEqual(placed([note(2, 5)], [SIZE], [], layout()), [[40, 93, 80, 107]]);
  const above = note(2, 5, { yanchor: "bottom", xanchor: "right", xshift: 3, yshift: 4 });
  assert.deepEqual(placed([above], [SIZE], [], layout()), [[3, 82, 43, 96]]);
});

test("words go out of the way of lines, points, bars and other words", () => {
  const bar = { meta: "b", type: "bar", x: [1, 3, 5], y: [6, 6, 6] };
  const dots = line(0, { mode: "markers", x: [3], y: [5], marker: { size: 20 } });
  for (const trace of [line(5), dots, bar]) {
    const [box] = placed([note(2, 5)], [SIZE], [trace], layout());
    assert.notDeepEqual(box, [40, 93, 80, 107], trace.type);
  }
  const [moved] = placed([note(2, 5)], [SIZE], [line(5)], layout());
  assert.ok(moved[3] <= 99 || moved[1] >= 101); // the line is at 100 px
  const both = placed([note(2, 5), note(2, 5)], [SIZE, SIZE], [], layout());
  assert.equal(meet(...both), false);
});

test("what is no obstacle is left alone: areas, matrices, other panels, the card's own marks", () => {
  const asked = [[40, 93, 80, 107]];
  const area = line(5, { line: { width: 0 } });
  const matrix = { meta: "m", type: "heatmap", x: ["a"], y: ["b"] };
  for (const trace of [area, matrix, line(5, { meta: "frapp-ghost" })]) {
    assert.deepEqual(placed([note(2, 5)], [SIZE], [trace], layout()), asked);
  }
  const other = layout({ xaxis2: { range: [0, 10] }, yaxis2: { range: [0, 10] } });
  assert.deepEqual(placed([note(2, 5)], [SIZE], [line(5, { xaxis: "x2", yaxis: "y2" })], other), asked);
});

test("a label stands by its mark, at one of its points, within the panel", () => {
  const mark = { meta: "curve", type: "scatter", mode: "lines+markers", x: [1, 5, 9], y: [1, 5, 9], line: {}, marker: { size: 6 } };
  const [box] = placed([note(9, 9, { name: "curve" })], [SIZE], [mark], layout());
  assert.ok(box[0] >= -2 && box[2] <= 200 && box[1] >= -14 && box[3] <= 202);
  const near = mark.x.some((_, i) => {
    const [x, y] = pointAt(mark, i, layout());
    return Math.hypot((box[0] + box[2]) / 2 - x, (box[1] + box[3]) / 2 - y) < 62;
  });
  assert.ok(near);
  const crowd = [mark, line(9.3), line(8.6), line(8, { meta: "c" })];
  const [free] = placed([note(9, 9, { name: "curve" })], [SIZE], crowd, layout());
  const bits = (y) => Array.from({ length: 40 }, (_, i) => [i * 5, (10 - y) * 20, i * 5 + 1, (10 - y) * 20 + 1]);
  assert.ok([9.3, 8.6, 8].flatMap(bits).every((bit) => !meet(bit, free)));
});

test("bars lie or stand, from their base, as thick as they say", () => {
  const flat = { meta: "b", type: "bar", orientation: "h", x: [4], y: [5], base: [3], width: 2 };
  const bar = [60, 80, 140, 120]; // 3 to 7 across, 4 to 6 up
  for (const [x, y, isFree] of [[0.5, 5, true], [4, 5, false], [4, 8, true], [8, 5, true]]) {
    const asked = placed([note(x, y)], [SIZE], [], layout());
    const [box] = placed([note(x, y)], [SIZE], [flat], layout());
    assert.equal(meet(box, bar), false);
    assert.equal(box[0] === asked[0][0] && box[1] === asked[0][1], isFree, `${x} ${y}`);
  }
  const standing = { meta: "b", type: "bar", x: [5], y: [4], width: 4 };
  const [box] = placed([note(5, 2, { xanchor: "center" })], [SIZE], [standing], layout());
  assert.equal(meet(box, [60, 120, 140, 200]), false);
});

test("a title never moves, nor words beside a panel or on the paper", () => {
  const title = { text: "t", x: 0, y: 1, xref: "x domain", yref: "y domain", xanchor: "left", yanchor: "bottom", yshift: 4 };
  const paper = { text: "p", x: 0.5, y: 0.5 };
  const row = { text: "r", x: -0.02, y: 5, xref: "x domain", yref: "y", xanchor: "right" };
  const inset = { ...layout(), margin: { l: 50, r: 0, t: 50, b: 0 }, width: 250, height: 250 };
  const boxes = placed([title, paper, row], [SIZE, SIZE, SIZE], [line(9.9), line(5)], inset);
  assert.deepEqual(boxes, [[50, 32, 90, 46], [130, 143, 170, 157], [6, 143, 46, 157]]);
});

const inset = (more = {}) => layout({
  width: 260, height: 270, margin: { l: 50, r: 10, t: 40, b: 30 }, xaxis: { range: [0, 10] }, yaxis: { range: [0, 10] }, ...more,
});

test("margins count: a point, and words at it", () => {
  assert.deepEqual(pointAt({ x: [1], y: [2] }, 0, inset()), [70, 200]);
  assert.deepEqual(panelBox(inset({ xaxis: { domain: [0.25, 0.75] }, yaxis: { domain: [0.5, 1] } }), "x", "y"), [100, 40, 200, 140]);
  const [box] = placed([note(1, 2, { xshift: 5, yshift: 7 })], [SIZE], [], inset());
  assert.deepEqual(box, [75, 186, 115, 200]);
});

test("words go to the nearer free side of a line, and not out of the panel", () => {
  const [above] = placed([note(2, 5.3)], [SIZE], [line(5)], layout());
  assert.ok(above[3] <= 100 && above[1] > 60);
  const low = placed([note(2, 0.3)], [SIZE], [line(0.6)], layout())[0];
  assert.ok(low[3] <= 202 && low[0] >= -2);
  const right = placed([note(8.5, 5)], [SIZE], [line(5)], layout())[0];
  assert.ok(right[2] <= 208);
});

test("a point is as large as its mark says, on all sides", () => {
  const at = (x, y) => placed([note(x, y)], [SIZE], [{ ...line(0), mode: "markers", x: [5], y: [5], marker: { size: 20 } }], layout())[0];
  const asked = (x, y) => placed([note(x, y)], [SIZE], [], layout())[0];
  for (const [x, y, isFree] of [[2.3, 5, true], [2.6, 5, false], [5.4, 5, false], [5.7, 5, true], [4, 5.8, false], [4, 6, true], [4, 4.2, false], [4, 4, true]]) {
    assert.equal(at(x, y).join() === asked(x, y).join(), isFree, `${x} ${y}`);
  }
});

test("a label stands by its own line rather than by another's, and by the mark of its own panel", () => {
  const own = { meta: "own", type: "scatter", mode: "lines", x: [1, 5, 9], y: [5, 5, 9], line: {} };
  const other = { ...own, meta: "other", y: [5.8, 5.8, 2] };
  const [box] = placed([note(1, 5, { name: "own" })], [SIZE], [own, other], layout());
  const middle = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const off = (trace) => Math.min(...trace.x.map((_, i) => Math.hypot(...pointAt(trace, i, layout()).map((v, d) => v - middle[d]))));
  assert.ok(off(own) < off(other));
  const two = layout({ xaxis: { range: [0, 10], domain: [0, 0.5] }, xaxis2: { range: [0, 10], domain: [0.5, 1] }, yaxis2: { range: [0, 10] } });
  const twin = { ...own, xaxis: "x2", yaxis: "y2" };
  const there = placed([note(5, 5, { name: "own", xref: "x2", yref: "y2" })], [SIZE], [own, twin], two)[0];
  assert.ok(there[0] >= 98);
});

import assert from "node:assert/strict";
import test from "node:test";

import { change } from "../../../frapp_lab/explorers/kit/page/card.js";
import { between, groupOf, picked, placeAt } from "../../../frapp_lab/explorers/kit/page/hands.js";
import { nearestStep } from "../../../frapp_lab/explorers/kit/page/slider.js";
import { scale, show } from "../../../frapp_lab/explorers/kit/page/steps.js";

const layout = {
  width: 240, height: 150, margin: { l: 20, r: 20, t: 10, b: 40 },
  xaxis: { range: [0, 10] }, yaxis: { range: [-1, 1], type: "log" }, xaxis2: { domain: [0.5, 1], range: [0, 1] },
};

test("a point in px is a place along an axis, also on a log one", () => {
  assert.equal(placeAt(120, "x", layout), 5);
  assert.equal(placeAt(170, "x2", layout), 0.5);
  assert.equal(placeAt(60, "y", layout), 1);
  assert.equal(placeAt(10, "y", layout), 10);
});

test("a place between others has a value between theirs, and beyond them the last one's", () => {
  assert.equal(between(3), 3);
  const scaleOf = [[0, 1, 3], [10, 20, 60]];
  assert.deepEqual([0.5, 1, 2, 9, -4].map((place) => between(place, ...scaleOf)), [15, 20, 40, 60, 10]);
});

test("a click sets a control to what its point stands for", () => {
  const pick = (values, along = "") => ({ does: "pick", control: "row", values, along });
  const state = { hands: { 1: pick([7, 8]), 2: pick([0, 1], "y"), 3: pick([0, 1], "x"), 4: { does: "drag" } } };
  assert.deepEqual(picked(state, { curveNumber: 1, pointNumber: 1 }), ["row", 8]);
  assert.deepEqual(picked(state, { curveNumber: 2, pointNumber: [1, 0] }), ["row", 1]);
  assert.deepEqual(picked(state, { curveNumber: 3, pointNumber: [1, 0] }), ["row", 0]);
  for (const point of [{ curveNumber: 0, pointNumber: 0 }, { curveNumber: 4, pointNumber: 0 }, { curveNumber: 1, pointNumber: 9 }]) {
    assert.equal(picked(state, point), undefined);
  }
  assert.equal(picked({}, { curveNumber: 0 }), undefined);
});

test("a chip names its group, also when it says why it cannot be had", () => {
  const groups = ["C&P", "MASK"];
  assert.deepEqual([" ■ MASK", "▲ C&P: needs γ > 4", "● DET-GD"].map((words) => groupOf(words, groups)), ["MASK", "C&P", ""]);
});

test("a change says its unit once", () => {
  assert.equal(change("26.8 %", "30.0 %"), "26.8 → 30.0 %");
  assert.equal(change("1.5 ×", "2 ×"), "1.5 → 2 ×");
  assert.equal(change("525", "550"), "525 → 550");
  assert.equal(change("5 %", "∞"), "5 % → ∞");
});

test("a number that is typed finds the step that is named by the nearest one", () => {
  const words = [["0", "64"], ["1", "768"], ["2", "2,000"]];
  assert.deepEqual(["64", "700", "2,000", "1e9"].map((text) => nearestStep(text, words)), [0, 1, 2, 2]);
  assert.deepEqual(["", "many"].map((text) => nearestStep(text, words)), [undefined, undefined]);
  assert.equal(nearestStep("5", [["0", "all"], ["1", "one"]]), undefined);
  assert.equal(nearestStep("5", [["0", "0"]]), undefined);
});

test("a slider's steps are those that Python counts, and numbers have no exponent", () => {
  const model = (of) => ({ get: (name) => of[name] });
  const log = scale(model({ min: 1.01, max: 1000, step: 0.02, log: true }));
  assert.deepEqual([log.count, log.at(0), log.at(log.count), log.place(1.01)], [150, 1.01, 1000, 0]);
  const whole = scale(model({ min: 2, max: 50, step: 1, whole: true }));
  assert.deepEqual([whole.count, whole.at(3), whole.place(5)], [48, 5, 3]);
  assert.deepEqual([show(5), show(0.00012346), show(12345.678)], ["5", "0.0001235", "12345.7"]);
});

import assert from "node:assert/strict";
import test from "node:test";

import * as figure from "../../../frapp_lab/explorers/kit/page/figure.js";

const LIGHT = { paper: [255, 255, 255], text: [20, 20, 20], dark: false };
const DARK = { paper: [17, 17, 17], text: [238, 238, 238], dark: true };
const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 1e-9, `${value} is not ${wanted}`);

test("a colour is read however it is written", () => {
  assert.deepEqual(figure.channels("#fa0"), [255, 170, 0, 1]);
  assert.deepEqual(figure.channels("#0172B2"), [1, 114, 178, 1]);
  assert.deepEqual(figure.channels("rgb(1, 2, 3)"), [1, 2, 3, 1]);
  assert.deepEqual(figure.channels("rgba(1,2,3,0.25)"), [1, 2, 3, 0.25]);
});

test("contrast is that of WCAG, in both orders", () => {
  near(figure.contrast([0, 0, 0], [255, 255, 255]), 21);
  near(figure.contrast([255, 255, 255], [0, 0, 0]), 21);
  near(figure.contrast([9, 9, 9], [9, 9, 9]), 1);
  assert.ok(Math.abs(figure.contrast([119, 119, 119], [255, 255, 255]) - 4.48) < 0.005); // #777, as published
});

test("a colour for white paper is seen on any, and white becomes the paper", () => {
  assert.equal(figure.seenOn("#ffffff", DARK, 3), "rgba(17,17,17,1)");
  assert.equal(figure.seenOn("rgba(255,255,255,0.5)", DARK, 3), "rgba(17,17,17,0.5)");
  assert.equal(figure.seenOn("#000000", LIGHT, 3), "rgba(0,0,0,1)"); // seen as it is
  for (const [look, colour] of [[LIGHT, "#ffee88"], [DARK, "#202020"]]) {
    for (const wanted of [3, 4.6]) {
      const seen = figure.channels(figure.seenOn(colour, look, wanted)).slice(0, 3);
      assert.ok(figure.contrast(seen, look.paper) >= wanted, `${colour} on ${look.paper}`);
    }
  }
});

test("only colours are recoloured, letters more than lines", () => {
  const given = {
    line: { color: "#333333" }, font: { color: "#333333" }, name: "#1 of all", x: [1, 2],
    marker: { color: ["#000", "#fff"] }, colorscale: ["#000000", "#ffffff"], gridcolor: "#222222",
  };
  const made = figure.recolour(structuredClone(given), DARK);
  for (const same of ["name", "x", "colorscale", "gridcolor"]) assert.deepEqual(made[same], given[same]);
  assert.deepEqual(made.marker.color[1], "rgba(17,17,17,1)");
  const [line, letters] = [made.line, made.font].map(({ color }) => figure.channels(color)[0]);
  assert.ok(letters > line && line > 0x33);
});

test("a ghost is pale, silent and no bar", () => {
  const line = figure.pale({ mode: "lines", line: { color: "#123456", width: 2 }, hovertemplate: "%{y}" });
  assert.deepEqual(line.line, { color: "#123456", width: 7 });
  assert.deepEqual([line.meta, line.hoverinfo, line.hovertemplate], ["frapp-ghost", "skip", undefined]);
  const dots = figure.pale({ mode: "markers", marker: { color: "#123456", size: 5 } });
  assert.deepEqual([dots.mode, dots.marker], ["markers", { color: "#123456", size: 12 }]);
  const bar = figure.pale({ type: "bar", width: 0.4, base: [1] });
  assert.deepEqual([bar.type, bar.mode, bar.width, bar.base], ["scatter", "markers", undefined, undefined]);
});

test("what lies beyond an axis is marked at its edge", () => {
  const layout = { yaxis: { range: [0, 1] }, yaxis2: { type: "log", range: [-2, 0] }, yaxis3: {} };
  const dots = { mode: "lines+markers", name: "a", x: [1, 2, 3, 4], y: [0.5, 7, -1, null], line: { color: "#123" } };
  const [up, down, ...more] = figure.beyond([dots], layout);
  assert.deepEqual([up.marker.symbol, up.x, up.y, up.hovertext], ["arrow-up", [2], [1], ["a: 7, beyond the panel"]]);
  assert.deepEqual([down.marker.symbol, down.x, down.y], ["arrow-down", [3], [0]]);
  assert.deepEqual([more, dots.cliponaxis], [[], false]);
  const [low] = figure.beyond([{ ...dots, yaxis: "y2", y: [0.1, 0, 0.001, 1] }], layout);
  assert.deepEqual([low.x, low.y, low.text], [[2, 3], [0.01, 0.01], ["0", ""]]); // 0 has no place there
  assert.deepEqual(figure.beyond([{ ...dots, mode: "lines" }, { ...dots, yaxis: "y3" }], layout), []);
});

test("panels side by side are stacked, in their order, each with the room of its margins", () => {
  const axis = (start, end, anchor) => ({ domain: [start, end], anchor });
  const margin = { t: 30, b: 44, l: 0, r: 0 };
  const layout = { margin, xaxis: axis(0.6, 1, "y2"), yaxis2: {}, xaxis2: axis(0, 0.4, "y"), yaxis: {} };
  near(figure.stack(layout, 374), 2 * 204 + 2 * 74); // panels of 0.68 of the 300 px that they had
  assert.deepEqual([layout.xaxis.domain, layout.xaxis2.domain], [[0, 1], [0, 1]]);
  assert.equal(layout.yaxis.domain[1], 1); // the left one is on top
  near(layout.yaxis.domain[0] - layout.yaxis2.domain[1], 74 / 482);
  near(layout.yaxis2.domain[0], 0);
  const above = { margin, xaxis: axis(0, 1, "y2"), yaxis2: { domain: [0, 0.4] }, xaxis2: axis(0, 1, "y"), yaxis: { domain: [0.6, 1] } };
  figure.stack(above, 374);
  assert.equal(above.yaxis.domain[1], 1); // of two in one column the upper one
});

test("a panel of one scale becomes a square and keeps its corner", () => {
  const margin = { l: 50, r: 50, t: 20, b: 80 };
  const layout = { margin, xaxis: { range: [0, 1] }, yaxis: { range: [1, 0], scaleanchor: "x", scaleratio: 1 } };
  figure.square(layout, 500, 300); // room of 400 by 200
  assert.deepEqual([layout.xaxis.domain, layout.yaxis.domain], [[0, 0.5], [0, 1]]);
  assert.deepEqual(layout.yaxis, { range: [1, 0], domain: [0, 1] });
});

test("text grows with a wide card only, and not without end", () => {
  assert.deepEqual([300, 610, 640].map(figure.growth), [1, 1, 1]); // a little is left alone
  near(figure.growth(848), 1 / 0.72);
  assert.equal(figure.growth(5000), 1.7);
  near(figure.growth(820, { card: 848 }), 1); // the card's width counts, where it is known
  near(figure.growth(600, { card: 1272 }), 1.5);
  near(11 * figure.growth(600, { isProjected: true }), 28);
  const given = { font: { size: 10 }, notes: [{ xshift: 4, x: 4 }], marker: { size: [5, 6] } };
  figure.enlarge(given, 1.5);
  assert.deepEqual(given, { font: { size: 15 }, notes: [{ xshift: 6, x: 4 }], marker: { size: [5, 6] } });
});

test("a place lies on the paper, an axis or its domain", () => {
  const layout = {
    xaxis: { range: [10, 20] }, xaxis2: { domain: [0.5, 1], range: [-0.5, 3.5], categoryarray: ["a", "b", "c", "d"] },
    margin: { l: 10, r: 20, t: 30, b: 40 }, width: 130, height: 170,
  };
  assert.equal(figure.along(0.3, "paper", layout), 0.3);
  assert.equal(figure.along(15, "x", layout), 0.5);
  assert.equal(figure.along(0.5, "x2 domain", layout), 0.75);
  assert.equal(figure.along("b", "x2", layout), 0.6875);
});

test("of a label only plotly's own markup is markup", () => {
  assert.equal(figure.safe("<b>γ</b> < 3 & x<sup>2</sup>"), "<b>γ</b> &lt; 3 &amp; x<sup>2</sup>");
  assert.equal(figure.safe('<img src="x"><br>&lt;'), '&lt;img src="x"&gt;<br>&lt;');
});

test("a text of an object knows no order of its parts, but of a list", () => {
  assert.equal(figure.inOrder({ b: 1, a: { d: [2, 1], c: null } }), '{"a":{"c":null,"d":[2,1]},"b":1}');
  assert.notEqual(figure.inOrder([1, 2]), figure.inOrder([2, 1]));
});

const STATE = () => ({
  data: [{ type: "scatter", mode: "lines", meta: "p", x: [0, 1], y: [0, 1], line: { color: "#0172B2" } }],
  layout: {
    height: 300, margin: { l: 40, r: 10, t: 20, b: 30 }, font: { size: 12 }, shapes: [{ x0: 1 }],
    xaxis: { range: [0, 1] }, yaxis: { range: [0, 1] },
    annotations: [{ text: "here", showarrow: true }, { text: "a note", showarrow: false }],
  },
});

test("a ghost stays only on the axes that it was drawn for", () => {
  const [now, other] = [STATE(), STATE()];
  other.layout.yaxis.range = [0, 2];
  const [here, there] = [now, other].map((state) => figure.staysOn(now, state));
  assert.equal(here({}), true);
  assert.equal(there({}), false);
  assert.equal(there({ xaxis: "x", yaxis: "y2" }), true); // which neither has
  other.layout.xaxis.range = [0, 3];
  assert.equal(there({ xaxis: "x", yaxis: "y2" }), false);
  const { layout } = figure.dressed(now, 400, LIGHT);
  const [data, under] = figure.ghostly(now, now, layout, LIGHT);
  assert.deepEqual([data.length, data[0].meta], [1, "frapp-ghost"]);
  assert.deepEqual([under.xaxis.visible, under.shapes, under.annotations], [false, [], []]);
  assert.equal(layout.xaxis.visible, undefined); // the figure of now keeps its own
  assert.deepEqual(figure.ghostly(other, now, layout, LIGHT)[0], []);
});

test("a figure is dressed in a copy", () => {
  const given = STATE();
  const { layout, notes } = figure.dressed(given, 848, DARK);
  assert.deepEqual(given, STATE());
  assert.deepEqual([layout.annotations.length, notes[0].text], [1, "a note"]);
  assert.deepEqual([layout.width, layout.font.size, layout.paper_bgcolor], [848, 17, "rgba(17,17,17,0)"]);
  near(layout.height, 300 / 0.72);
  near(layout.margin.l, 40 / 0.72);
  given.layout.yaxis.scaleanchor = "x";
  assert.deepEqual(figure.dressed(given, 550, LIGHT).layout.xaxis.domain, [0, 0.5]); // 250 of 500 px
  const two = STATE();
  Object.assign(two.layout, { xaxis2: { domain: [0.6, 1], anchor: "y2" }, yaxis2: {} });
  near(figure.dressed(two, 459, LIGHT).layout.height, 2 * (170 + 20 + 30)); // too narrow for two
  assert.equal(figure.dressed(two, 460, LIGHT).layout.height, 300);
  const { layout: tall } = figure.dressed(two, 460, LIGHT, { above: 70 });
  assert.deepEqual([tall.height, tall.margin.t, given.layout.margin.t], [370, 90, 20]);
  near(figure.dressed(two, 459, LIGHT, { above: 70 }).layout.height, 2 * (170 + 90 + 30));
  const projected = { ...LIGHT, isProjected: true };
  assert.equal(figure.dressed(STATE(), 800, projected, { room: 555 }).layout.height, 555);
});

test("what does not belong to the group that is looked at fades", () => {
  const data = [{ legendgroup: "A" }, { legendgroup: "B", opacity: 0.5 }, {}];
  figure.fade(data, "");
  assert.deepEqual(data, [{ legendgroup: "A" }, { legendgroup: "B", opacity: 0.5 }, {}]);
  figure.fade(data, "A");
  assert.deepEqual([data[0].opacity, data[1].opacity, data[2].opacity], [undefined, 0.075, undefined]);
});

test("a named colour has its own for the night", () => {
  const night = { "#0072b2": "#56B4E9" };
  assert.equal(figure.seenOn("#0072B2", { ...DARK, night }, 3), "rgba(86,180,233,1)");
  assert.equal(figure.seenOn("rgba(0, 114, 178, 0.5)", { ...DARK, night }, 3), "rgba(86,180,233,0.5)");
  assert.equal(figure.seenOn("#0072B2", { ...LIGHT, night }, 3), "rgba(0,114,178,1)");
});

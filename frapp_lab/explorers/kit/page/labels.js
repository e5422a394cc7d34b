// Where a figure's words stand: at the first place that hides neither data nor other words.

import { along, axisOf } from "./figure.js";

const SPOTS = [ // how far a label's near corner or middle stands from its point, in px: across, up
  ["left", 8, 0], ["center", 0, 13], ["center", 0, -13], ["right", -8, 0], ["left", 6, 13], ["left", 6, -13],
  ["right", -6, 13], ["right", -6, -13], ["center", 0, 27], ["left", 8, 27], ["right", -8, 27], ["center", 0, -27],
  ["left", 8, -27], ["right", -8, -27], ["center", 0, 42], ["center", 0, -42], ["left", 12, 42], ["right", -12, 42],
  ["left", 12, -42], ["right", -12, -42], ["center", 0, 58], ["center", 0, -58], ["center", 0, 76], ["center", 0, -76],
];
const NUDGES = [[0, 0], [0, 12], [0, -12], [0, 24], [0, -24], [26, 0], [-26, 0], [26, 14], [-26, 14], [26, -14], [-26, -14],
  [0, 38], [0, -38], [60, 0], [-60, 0], [60, 20], [-60, 20], [60, -20], [-60, -20], [0, 54], [0, -54], [0, 76], [0, -76], [0, 100], [0, -100], [-90, 0], [90, 0], [-90, 60],
  [90, 60], [-90, -60], [90, -60]];
const OVER_WORDS = 50; // how much worse it is to stand over words than over a bit of a line,
const OVER_POINT = 12; // and over a point or a bar
const NEAR_OTHERS = 0.2; // how bad it is to stand beside a bit of another line than one's own,
const CLOSE = 12; // px: which is nearer than this,
const FAR = 0.12; // and each px away from one's own
const STEP = 5; // px between two bits of a line

/** Gives the ends of a panel in px: left, top, right, bottom. */
export function panelBox(layout, xName, yName) {
  const { l, r, t, b } = layout.margin;
  const [across, up] = [axisOf(layout, xName), axisOf(layout, yName)].map((axis) => axis?.domain ?? [0, 1]);
  const [width, height] = [layout.width - l - r, layout.height - t - b];
  return [l + across[0] * width, t + (1 - up[1]) * height, l + across[1] * width, t + (1 - up[0]) * height];
}

/** Gives where a point of a trace lies in px; null where it has no place. */
export function pointAt(trace, i, layout) {
  const place = (value, name) => {
    const axis = axisOf(layout, name);
    if (value === null || value === undefined || !axis?.range) return null;
    if (typeof value === "string" && !axis.categoryarray) return null;
    if (axis.type !== "log") return along(value, name, layout);
    return value > 0 ? along(Math.log10(value), name, layout) : null;
  };
  const [x, y] = [place(trace.x[i], trace.xaxis ?? "x"), place(trace.y[i], trace.yaxis ?? "y")];
  if (x === null || y === null || Number.isNaN(x) || Number.isNaN(y)) return null;
  const { l, r, t, b } = layout.margin;
  return [l + x * (layout.width - l - r), t + (1 - y) * (layout.height - t - b)];
}

/** Gives the boxes in px of bars, which stand or lie: each from its base, as thick as the trace says. */
function barsOf(trace, n, layout) {
  const isFlat = trace.orientation === "h";
  const [long, wide] = isFlat ? ["x", "y"] : ["y", "x"];
  const [left, top, right, bottom] = panelBox(layout, trace.xaxis ?? "x", trace.yaxis ?? "y");
  const at = (length, place) => pointAt({ ...trace, [long]: [length], [wide]: [place] }, 0, layout);
  return Array.from({ length: n }, (_, i) => {
    const [length, place] = [trace[long][i], trace[wide][i]];
    const base = (Array.isArray(trace.base) ? trace.base[i] : trace.base) ?? 0;
    const [start, end] = [at(base, place) ?? [left, bottom], at(base + length, place)]; // a log axis has no 0
    if (!end) return null;
    const edge = typeof trace.width === "number" ? at(base + length, place + trace.width / 2) : null;
    const [d, room] = isFlat ? [1, bottom - top] : [0, right - left];
    const half = edge ? Math.abs(edge[d] - end[d]) : (0.4 * room) / n;
    const [a, b] = [Math.min(start[1 - d], end[1 - d]), Math.max(start[1 - d], end[1 - d])];
    const box = isFlat ? [a, end[1] - half, b, end[1] + half] : [end[0] - half, a, end[0] + half, b];
    return [...box, OVER_POINT];
  }).filter(Boolean);
}

/** Gives boxes in px that what a trace draws takes: its points, bits of its lines, its bars. */
function boxesOf(trace, layout) {
  const n = Math.min(trace.x?.length ?? 0, trace.y?.length ?? 0);
  if (trace.type === "bar") return barsOf(trace, n, layout);
  if ((trace.type ?? "scatter") !== "scatter") return [];
  const points = Array.from({ length: n }, (_, i) => pointAt(trace, i, layout));
  const boxes = [];
  if ((trace.mode ?? "").includes("markers")) {
    const size = Array.isArray(trace.marker?.size) ? 8 : (trace.marker?.size ?? 8);
    const half = size / 2 + 1;
    for (const p of points) if (p) boxes.push([p[0] - half, p[1] - half, p[0] + half, p[1] + half, OVER_POINT]);
  }
  if ((trace.mode ?? "lines").includes("lines") && trace.line?.width !== 0) {
    for (let i = 1; i < n; i++) {
      const [a, b] = [points[i - 1], points[i]];
      if (!a || !b) continue;
      const bits = Math.min(200, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / STEP));
      for (let k = 0; k <= bits; k++) {
        const [x, y] = [0, 1].map((d) => a[d] + ((b[d] - a[d]) * k) / Math.max(1, bits));
        boxes.push([x - 1, y - 1, x + 1, y + 1]);
      }
    }
  }
  return boxes;
}

const meet = (a, b) => a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
const SHARES = { left: 0, center: 0.5, right: 1, bottom: 1, middle: 0.5, top: 0 };

/** Gives the box of words whose anchor stands at a point. */
function boxAt([x, y], { width, height }, across = "center", up = "middle") {
  const left = x - SHARES[across] * width;
  const top = y - SHARES[up] * height;
  return [left, top, left + width, top + height];
}

/** Gives where a note was asked to stand, as a box in px. */
function askedFor(note, size, layout) {
  const { l, r, t, b } = layout.margin;
  const x = l + along(note.x, note.xref ?? "paper", layout) * (layout.width - l - r) + (note.xshift ?? 0);
  const y = t + (1 - along(note.y, note.yref ?? "paper", layout)) * (layout.height - t - b) - (note.yshift ?? 0);
  return boxAt([x, y], size, note.xanchor ?? "center", note.yanchor ?? "middle");
}

const axesOf = (note) => [note.xref, note.yref].map((name) => name?.split(" ")[0]);

/** Tells whether words stand beside a panel and not in it, as titles and the names of rows do. */
function isBeside(box, ends) {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  return x < ends[0] || x > ends[2] || y < ends[1] || y > ends[3];
}

/** Gives the places that a note may take, the best first, and how far off they are. */
function* places(note, size, data, layout) {
  const asked = askedFor(note, size, layout);
  const [xName] = axesOf(note);
  const trace = note.name && data.find((t) => t.meta === note.name && (t.xaxis ?? "x") === xName);
  if (!trace) {
    for (const [dx, dy] of NUDGES) yield [[asked[0] + dx, asked[1] - dy, asked[2] + dx, asked[3] - dy], 0];
    return;
  }
  const points = trace.x.map((_, i) => pointAt(trace, i, layout)).filter(Boolean);
  const [x, y] = [(asked[0] + asked[2]) / 2, (asked[1] + asked[3]) / 2];
  points.sort((a, b) => Math.hypot(a[0] - x, a[1] - y) - Math.hypot(b[0] - x, b[1] - y));
  const few = points.filter((_, i) => i % Math.ceil(points.length / 12) === 0); // of a long curve some
  const growth = (note.font?.size ?? 12) / 12;
  for (const [px, py] of few) {
    for (const [anchor, dx, dy] of SPOTS) {
      yield [boxAt([px + growth * dx, py - growth * dy], size, anchor), FAR * Math.max(0, Math.abs(dy) - 14)];
    }
  }
  yield [asked, 0];
}

/** Gives each note's box in px; `sizes` are their widths and heights. A pure function of the picture. */
export function placed(notes, sizes, data, layout) {
  const byPanel = new Map();
  const inPanel = (note) => {
    const [xName, yName] = axesOf(note);
    if (!byPanel.has(xName)) {
      const own = data.filter((t) => (t.xaxis ?? "x") === xName && t.meta !== "frapp-ghost");
      const busy = own.flatMap((t) => boxesOf(t, layout).map((box) => ({ box, of: t.meta })));
      byPanel.set(xName, { busy, ends: panelBox(layout, xName, yName) });
    }
    return byPanel.get(xName);
  };
  const words = [];
  const result = notes.map((note, i) => {
    const asked = askedFor(note, sizes[i], layout);
    return !axesOf(note)[0] || (!note.name && isBeside(asked, inPanel(note).ends)) ? asked : null;
  });
  for (const box of result) if (box) words.push(box);
  notes.forEach((note, i) => {
    if (result[i]) return;
    const { busy, ends } = inPanel(note);
    let best = null;
    for (const [box, far] of places(note, sizes[i], data, layout)) {
      const out = box[0] < ends[0] - 2 || box[2] > Math.min(ends[2] + 8, layout.width) || box[1] < ends[1] - 14 || box[3] > ends[3] + 2;
      const around = [box[0] - CLOSE, box[1] - CLOSE, box[2] + CLOSE, box[3] + CLOSE];
      let cost = far + OVER_WORDS * words.filter((w) => meet(w, box)).length;
      for (const b of busy) {
        if (meet(b.box, box)) cost += b.box[4] ?? 1;
        else if (note.name && b.of !== note.name && meet(b.box, around)) cost += NEAR_OTHERS;
      }
      const weight = cost + (out ? 3 * OVER_WORDS : 0);
      if (!best || weight < best.weight) best = { box, weight };
      if (weight === 0) break;
    }
    result[i] = best.box;
    words.push(best.box);
  });
  return result;
}

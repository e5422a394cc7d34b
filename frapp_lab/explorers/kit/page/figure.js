// A card's figure for a page's width and colours: plain data in, plain data out, no page.

const WIDE = 848; // px: the width that sizes are meant for
const PANEL = 230; // px: panels that would be narrower stand under each other
const LETTER = 11; // px: the smallest letters of a figure, before it grows
const PROJECTED = 28; // px: the smallest letters on a projector

// --- colours -------------------------------------------------------------------------------------

const COLOUR = /^(#[0-9a-f]{6}|#[0-9a-f]{3}|rgba?\(.*\))$/i;

/** Reads a colour: red, green and blue from 0 to 255, and how much it covers. */
export function channels(colour) {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  if (short) return [...short.slice(1).map((c) => parseInt(c + c, 16)), 1];
  const hex = /^#(..)(..)(..)$/.exec(colour);
  if (hex) return [...hex.slice(1).map((c) => parseInt(c, 16)), 1];
  const numbers = colour.match(/[\d.]+/g).map(Number);
  return [...numbers.slice(0, 3), numbers[3] ?? 1];
}

/** Gives how light a colour is, from 0 to 1, as WCAG reckons it. */
export function luminance(rgb) {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Gives the contrast of two colours, from 1 to 21. */
export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const hexOf = (rgb) => `#${rgb.map((v) => Math.round(v).toString(16).padStart(2, "0")).join("")}`;

/**
 * Turns a colour that was meant for white paper into one for this: white is the paper, a named colour
 * has its own for the night, and what nobody has named is made lighter or darker until it is seen.
 */
export function seenOn(colour, look, wanted) {
  const [r, g, b, a] = channels(colour);
  if (r > 250 && g > 250 && b > 250) return `rgba(${look.paper.join(",")},${a})`;
  const night = look.dark && look.night?.[hexOf([r, g, b])];
  let rgb = night ? channels(night).slice(0, 3) : [r, g, b];
  const end = look.dark ? 255 : 0;
  for (let i = 0; i < 20 && contrast(rgb, look.paper) < wanted; i++) {
    rgb = rgb.map((v) => Math.round(v + 0.12 * (end - v)));
  }
  return `rgba(${rgb.join(",")},${a})`;
}

const LINES = 3; // contrast of lines and areas with the paper, as WCAG asks for
const LETTERS = 4.6; // and of text

/** Turns all colours in a part of a figure, in place, into colours for this paper. */
export function recolour(value, look, wanted = LINES, key = "") {
  if (key === "colorscale" || key === "gridcolor") return value;
  if (typeof value === "string") return COLOUR.test(value) ? seenOn(value, look, wanted) : value;
  if (Array.isArray(value)) {
    const some = value[0];
    if (typeof some !== "object" && !(typeof some === "string" && COLOUR.test(some))) return value;
    return value.map((v) => recolour(v, look, wanted));
  }
  if (value && typeof value === "object") {
    for (const name of Object.keys(value)) {
      value[name] = recolour(value[name], look, name.endsWith("font") ? LETTERS : wanted, name);
    }
  }
  return value;
}

// --- the figure ----------------------------------------------------------------------------------

/** Makes a ghost of a trace of the state before the move: pale, wide and silent. */
export function pale(trace) {
  const colour = trace.line?.color ?? trace.marker?.color ?? "#888888";
  const ghost = {
    ...trace, name: "before", meta: "frapp-ghost", hoverinfo: "skip", hovertemplate: undefined,
    cliponaxis: false, showlegend: false, opacity: 0.28, fill: "none", text: undefined, error_y: undefined,
  };
  if (trace.type === "bar") {
    return {
      ...ghost, type: "scatter", mode: "markers", width: undefined, base: undefined, opacity: 0.55,
      marker: { symbol: "line-ew-open", size: 16, color: "#555555", line: { width: 3, color: "#555555" } },
    };
  }
  if ((trace.mode ?? "lines").includes("lines")) {
    return { ...ghost, mode: "lines", line: { color: colour, width: 7 } };
  }
  return { ...ghost, marker: { ...trace.marker, size: 12 } };
}

/** Marks at the edge of a panel what lies beyond its fixed axis. */
export function beyond(data, layout) {
  const marks = [];
  for (const trace of data) {
    if ((trace.type ?? "scatter") !== "scatter" || !(trace.mode ?? "").includes("markers")) continue;
    // As the marks have it: where plotly hides points beyond a panel only at times, they stay hidden.
    trace.cliponaxis = false;
    const axis = layout[(trace.yaxis ?? "y").replace("y", "yaxis")];
    if (!axis?.range) continue;
    const [low, high] = [...axis.range].sort((a, b) => a - b);
    for (const [symbol, edge, isOut] of [
      ["arrow-up", high, (v) => v > high],
      ["arrow-down", low, (v) => v < low],
    ]) {
      const value = (v) => (axis.type === "log" ? Math.log10(v) : v);
      const out = (trace.y ?? []).flatMap((v, i) => (typeof v === "number" && isOut(value(v)) ? [i] : []));
      if (!out.length) continue;
      const colour = trace.line?.color ?? trace.marker?.color;
      const nothing = (i) => (trace.y[i] === 0 ? "0" : ""); // which a logarithmic axis cannot show
      marks.push({
        type: "scatter", mode: "markers+text", meta: "frapp-beyond", xaxis: trace.xaxis, yaxis: trace.yaxis,
        x: out.map((i) => trace.x[i]), y: out.map(() => (axis.type === "log" ? 10 ** edge : edge)),
        text: out.map(nothing), textposition: "top center",
        hovertext: out.map((i) => `${trace.name}: ${trace.y[i]}, beyond the panel`), hoverinfo: "text",
        marker: { symbol, size: 10, color: colour }, cliponaxis: false, showlegend: false,
      });
    }
  }
  return marks;
}

/** Finds the axis that a trace or a note names: "x2" is `xaxis2`. */
export const axisOf = (layout, name) => layout[name.replace(/^[xy]/, "$&axis")];

/** Gives the names of the axes along which panels stand, from the left, those above first. */
function across(layout) {
  const names = Object.keys(layout).filter((name) => /^xaxis\d*$/.test(name) && !layout[name].overlaying);
  const place = (name) => [layout[name].domain?.[0] ?? 0, -(axisOf(layout, layout[name].anchor ?? "y").domain?.[1] ?? 1)];
  return names.sort((a, b) => place(a)[0] - place(b)[0] || place(a)[1] - place(b)[1]);
}

/** Puts panels under each other, in place: gives the height of them all. */
export function stack(layout, height) {
  const names = across(layout);
  const { t, b } = layout.margin;
  const panel = Math.max(150, 0.68 * (height - t - b));
  const inner = names.length * panel + (names.length - 1) * (t + b);
  names.forEach((name, i) => {
    const top = 1 - (i * (panel + t + b)) / inner;
    layout[name].domain = [0, 1];
    axisOf(layout, layout[name].anchor ?? "y").domain = [Math.max(0, top - panel / inner), top];
  });
  return inner + t + b;
}

const GROWING = new Set(["size", "xshift", "yshift"]);

/** Shrinks a panel whose two axes have one scale: plotly would stretch a range instead. */
export function square(layout, width, height) {
  const room = { x: width - layout.margin.l - layout.margin.r, y: height - layout.margin.t - layout.margin.b };
  for (const [name, axis] of Object.entries(layout)) {
    if (!axis?.scaleanchor) continue;
    const other = layout[axis.scaleanchor.replace(/^([xy])/, "$1axis")];
    const [x, y] = name.startsWith("x") ? [axis, other] : [other, axis];
    const span = (a) => Math.abs(a.range[1] - a.range[0]);
    const [wide, up] = [x.domain ?? [0, 1], y.domain ?? [0, 1]];
    const unit = Math.min(((wide[1] - wide[0]) * room.x) / span(x), ((up[1] - up[0]) * room.y) / span(y));
    x.domain = [wide[0], wide[0] + (unit * span(x)) / room.x];
    y.domain = [up[1] - (unit * span(y)) / room.y, up[1]];
    delete axis.scaleanchor;
    delete axis.scaleratio;
  }
}

/** Gives by how much text grows with the card: on a projector until the last row can read it. */
export function growth(width, look = {}) {
  if (look.isProjected) return PROJECTED / LETTER;
  const factor = Math.min((look.card ?? width / 0.72) / WIDE, 1.7);
  return factor > 1.05 ? factor : 1;
}

/** Enlarges texts and marks of a part of a figure, in place. */
export function enlarge(value, factor) {
  for (const [name, part] of Object.entries(value)) {
    if (GROWING.has(name) && typeof part === "number") value[name] = Math.round(part * factor);
    else if (part && typeof part === "object" && !(Array.isArray(part) && typeof part[0] !== "object"))
      enlarge(part, factor);
  }
}

const AXIS = /^([xy])(\d*)( domain)?$/;

/** Gives where along the figure a place on an axis lies, from 0 to 1; on the paper it is the place itself. */
export function along(value, reference, layout) {
  const [, letter, number, onDomain] = AXIS.exec(reference) ?? [];
  if (!letter) return value;
  const axis = layout[`${letter}axis${number}`];
  const [start, end] = axis.domain ?? [0, 1];
  if (onDomain) return start + (end - start) * value;
  const [low, high] = axis.range;
  const at = typeof value === "string" ? axis.categoryarray.indexOf(value) : value;
  return start + ((end - start) * (at - low)) / (high - low);
}

// Of a label these tags and characters are plotly's markup; whatever else looks like it is text.
const MARKUP = /<\/?(?:b|i|sup|sub)>|<br ?\/?>|&(?:amp|lt|gt);|[&<>]/g;
const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Gives a label as HTML that holds plotly's own markup and no other. */
export const safe = (text) => text.replaceAll(MARKUP, (part) => ESCAPED[part] ?? part);

/** Writes an object as text that does not depend on the order of its parts. */
export function inOrder(value) {
  const isObject = (part) => part && typeof part === "object" && !Array.isArray(part);
  return JSON.stringify(value, (_, part) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** Tells whether a ghost's axes are still the same: on others it would say something else. */
export function staysOn(before, state) {
  const axis = (name) => `${name[0]}axis${name.slice(1)}`;
  const same = (name) => inOrder(before.layout[axis(name)]) === inOrder(state.layout[axis(name)]);
  return (trace) => same(trace.xaxis ?? "x") && same(trace.yaxis ?? "y");
}

/** Tells whether an entry of a layout is an axis. */
export const isAxis = ([name]) => /^[xy]axis\d*$/.test(name);

/** Makes the figure of what was before the move, to lie under that of now: on its axes, unseen. */
export function ghostly(state, before, layout, look) {
  const data = structuredClone(before.data.filter(staysOn(before, state))).map(pale);
  enlarge(data, growth(layout.width, look));
  recolour(data, look);
  const axes = Object.entries(layout).filter(isAxis).map(([name, axis]) => [name, { ...axis, visible: false }]);
  return [data, { ...layout, ...Object.fromEntries(axes), shapes: [], annotations: [] }];
}

/** Fades what does not belong to the group that is looked at. */
export function fade(data, group) {
  for (const trace of data) {
    if (group && trace.legendgroup && trace.legendgroup !== group) trace.opacity = 0.15 * (trace.opacity ?? 1);
  }
}

/**
 * Copies a figure's data and layout for this width and these colours; texts become notes.
 *
 * `above` is the room in px that each panel leaves for its number, `group` what is looked at, and `room`
 * the height that there is on a projector.
 */
export function dressed(state, width, look, { above = 0, group = "", room = 0 } = {}) {
  const data = structuredClone(state.data);
  const layout = structuredClone(state.layout);
  data.push(...beyond(data, layout));
  fade(data, group);
  const factor = growth(width, look);
  let height = layout.height;
  if (factor > 1) {
    enlarge(layout, factor);
    enlarge(data, factor);
    for (const side of ["l", "r", "t", "b"]) layout.margin[side] *= factor;
    height *= Math.min(factor, 1.5);
  }
  layout.margin.t += above;
  height += above;
  const columns = new Set(across(layout).map((name) => layout[name].domain?.[0] ?? 0)).size;
  if (columns > 1 && width < PANEL * columns) height = stack(layout, height);
  else if (look.isProjected) height = Math.max(300, room);
  square(layout, width, height);
  const ink = `rgb(${look.text.join(",")})`;
  recolour(data, look);
  recolour(layout, look);
  const paper = `rgba(${look.paper.join(",")},0)`;
  Object.assign(layout, { paper_bgcolor: paper, plot_bgcolor: paper, width, height });
  layout.font = { ...layout.font, color: ink, family: "system-ui, 'Noto Sans', sans-serif" };
  const notes = layout.annotations.filter((note) => !note.showarrow);
  layout.annotations = layout.annotations.filter((note) => note.showarrow);
  return { data, layout, notes };
}

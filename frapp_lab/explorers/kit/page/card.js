// What an explorer shows: headline, three numbers, figure and words, from one state.
// Its model is a widget of the kernel, or any object with get, set, save_changes and on.
// A state is drawn only if it is about the settings that the sliders of the page stand at; a state
// that is already in the page (the film) is drawn at once, and not again when the kernel sends it.

const REST = 1000; // ms without a change, after which a move is over
const QUIET = 500; // ms until what has changed is told to a screen reader
const PATIENCE = 2000; // ms that a move may stay unanswered before it is said
const CONFIG = { displayModeBar: false, displaylogo: false, staticPlot: false };
const WIDE = 848; // px: the width that sizes are meant for
const PANEL = 125; // px: panels that would be narrower stand under each other
const WAITING =
  "The kernel has not answered yet: it is busy, or it was restarted (then run the cell again). " +
  "The figure still shows the setting before.";

// --- plotly, once per page -----------------------------------------------------------------------

/** plotly's script from gzipped bytes: read once for all cards, forgotten if that fails. */
export function readPlotly(version, bytes) {
  const shared = (globalThis.frappPlotly ??= {});
  shared[version] ??= (async () => {
    const packed = new Blob([await bytes]).stream();
    const text = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const other = globalThis.Plotly;
    try {
      await import(address);
      const plotly = globalThis.Plotly;
      if (other) globalThis.Plotly = other;
      return plotly;
    } finally {
      URL.revokeObjectURL(address);
    }
  })().catch((error) => {
    delete shared[version];
    throw error;
  });
  return shared[version];
}

const modelOf = (model, reference) => model.widget_manager.get_model(reference.slice(10));

async function plotlyOf(model) {
  if (model.plotly) return model.plotly; // a page with no kernel brings its own
  const script = await modelOf(model, model.get("script"));
  return readPlotly(script.get("version"), script.get("packed"));
}

// --- colours -------------------------------------------------------------------------------------

const COLOUR = /^(#[0-9a-f]{6}|#[0-9a-f]{3}|rgba?\(.*\))$/i;

function channels(colour) {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  if (short) return [...short.slice(1).map((c) => parseInt(c + c, 16)), 1];
  const hex = /^#(..)(..)(..)$/.exec(colour);
  if (hex) return [...hex.slice(1).map((c) => parseInt(c, 16)), 1];
  const numbers = colour.match(/[\d.]+/g).map(Number);
  return [...numbers.slice(0, 3), numbers[3] ?? 1];
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((v) => (v / 255 <= 0.03928 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** The page's own background and text colours where the card stands. */
function pageColours(el) {
  let paper = [255, 255, 255];
  for (let node = el; node instanceof Element; node = node.parentElement) {
    const found = channels(getComputedStyle(node).backgroundColor);
    if (found[3] > 0.5) {
      paper = found.slice(0, 3);
      break;
    }
  }
  return { paper, text: channels(getComputedStyle(el).color).slice(0, 3), dark: luminance(paper) < 0.3 };
}

/** A colour that was meant for white paper, for this one: white is the paper, the rest is seen. */
function seenOn(colour, look, wanted) {
  const [r, g, b, a] = channels(colour);
  if (r > 250 && g > 250 && b > 250) return `rgba(${look.paper.join(",")},${a})`;
  let rgb = [r, g, b];
  const end = look.dark ? 255 : 0;
  for (let i = 0; i < 20 && contrast(rgb, look.paper) < wanted; i++) {
    rgb = rgb.map((v) => Math.round(v + 0.12 * (end - v)));
  }
  return `rgba(${rgb.join(",")},${a})`;
}

const LINES = 3; // contrast of lines and areas with the paper, as WCAG asks for
const LETTERS = 4.6; // and of text

function recolour(value, look, wanted = LINES, key = "") {
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

/** A trace of the state before the move: pale, wide and silent. */
function pale(trace) {
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

/** Marks at the edge of a panel for what lies beyond its fixed axis. */
function beyond(data, layout) {
  const marks = [];
  for (const trace of data) {
    if ((trace.type ?? "scatter") !== "scatter" || !(trace.mode ?? "").includes("markers")) continue;
    // As the marks have it: where plotly hides points beyond a panel only at times, they stay hidden.
    trace.cliponaxis = false;
    const axis = layout[(trace.yaxis ?? "y").replace("y", "yaxis")];
    if (!axis?.range) continue;
    const [low, high] = [...axis.range].sort((a, b) => a - b);
    for (const [symbol, edge, isOut] of [
      ["triangle-up", high, (v) => v > high],
      ["triangle-down", low, (v) => v < low],
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

/** Panels under each other instead of side by side, where the card is narrow. */
function stack(layout) {
  const names = Object.keys(layout).filter((name) => /^xaxis\d*$/.test(name));
  const across = names.filter((name) => !layout[name].overlaying);
  if (across.length < 2) return 1;
  across.sort((a, b) => (layout[a].domain?.[0] ?? 0) - (layout[b].domain?.[0] ?? 0));
  const gap = 0.3 / across.length;
  const height = (1 - gap * (across.length - 1)) / across.length;
  across.forEach((name, i) => {
    const top = 1 - i * (height + gap);
    layout[name].domain = [0, 1];
    const partner = (layout[name].anchor ?? "y").replace("y", "yaxis");
    layout[partner].domain = [Math.max(0, top - height), top];
  });
  return 0.78 * across.length;
}

const GROWING = new Set(["size", "xshift", "yshift"]);

/** Where two axes have one scale their panel shrinks: plotly would stretch a range instead. */
function square(layout, width, height) {
  const room = { x: width - layout.margin.l - layout.margin.r, y: height - layout.margin.t - layout.margin.b };
  for (const [name, axis] of Object.entries(layout)) {
    if (!axis?.scaleanchor) continue;
    const other = layout[axis.scaleanchor.replace(/^([xy])/, "$1axis")];
    const [x, y] = name.startsWith("x") ? [axis, other] : [other, axis];
    const span = (a) => Math.abs(a.range[1] - a.range[0]);
    const [across, up] = [x.domain ?? [0, 1], y.domain ?? [0, 1]];
    const unit = Math.min(((across[1] - across[0]) * room.x) / span(x), ((up[1] - up[0]) * room.y) / span(y));
    x.domain = [across[0], across[0] + (unit * span(x)) / room.x];
    y.domain = [up[1] - (unit * span(y)) / room.y, up[1]];
    delete axis.scaleanchor;
    delete axis.scaleratio;
  }
}

/** By how much text grows with the card, for a projector. */
function growth(width) {
  const factor = Math.min(width / (0.72 * WIDE), 1.7);
  return factor > 1.05 ? factor : 1;
}

function enlarge(value, factor) {
  for (const [name, part] of Object.entries(value)) {
    if (GROWING.has(name) && typeof part === "number") value[name] = Math.round(part * factor);
    else if (part && typeof part === "object" && !(Array.isArray(part) && typeof part[0] !== "object"))
      enlarge(part, factor);
  }
}

const AXIS = /^([xy])(\d*)( domain)?$/;

/** Where along the figure a place on an axis lies, from 0 to 1, or on the paper itself. */
function along(value, reference, layout) {
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
const ANCHORS = { left: "0", center: "-50%", right: "-100%", top: "0", middle: "-50%", bottom: "-100%" };

/** The figure's words as plain elements over it: plotly takes longer for them than for its lines. */
function writeNotes(place, notes, layout) {
  const { l, r, t, b } = layout.margin;
  while (place.children.length > notes.length) place.lastChild.remove();
  while (place.children.length < notes.length) place.append(element("span", "frapp-note-in-figure"));
  notes.forEach((note, i) => {
    const node = place.children[i];
    const x = l + along(note.x, note.xref ?? "paper", layout) * (layout.width - l - r);
    const y = t + (1 - along(note.y, note.yref ?? "paper", layout)) * (layout.height - t - b);
    const [across, down] = [ANCHORS[note.xanchor ?? "center"], ANCHORS[note.yanchor ?? "middle"]];
    const words = note.text.replaceAll(MARKUP, (part) => ESCAPED[part] ?? part);
    if (node.dataset.words !== words) {
      node.dataset.words = words;
      node.innerHTML = words;
    }
    const [right, up] = [note.xshift ?? 0, note.yshift ?? 0];
    node.style.transform = `translate(${x + right}px, ${y - up}px) translate(${across}, ${down})`;
    node.style.color = note.font?.color ?? "";
    node.style.fontSize = `${note.font?.size ?? 12}px`;
    node.style.textAlign = note.align ?? "left";
  });
}

/** An object in words, whatever the order of its parts. */
function inOrder(value) {
  const isObject = (part) => part && typeof part === "object" && !Array.isArray(part);
  return JSON.stringify(value, (_, part) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** Whether a ghost's axes are still the same: on others it would say something else. */
function staysOn(before, state) {
  const axis = (name) => `${name[0]}axis${name.slice(1)}`;
  const same = (name) => inOrder(before.layout[axis(name)]) === inOrder(state.layout[axis(name)]);
  return (trace) => same(trace.xaxis ?? "x") && same(trace.yaxis ?? "y");
}

const isAxis = ([name]) => /^[xy]axis\d*$/.test(name);

/** The figure of what was before the move, to lie under that of now: on its axes, unseen. */
function ghostly(state, before, layout, look) {
  const data = structuredClone(before.data.filter(staysOn(before, state))).map(pale);
  enlarge(data, growth(layout.width));
  recolour(data, look);
  const axes = Object.entries(layout).filter(isAxis).map(([name, axis]) => [name, { ...axis, visible: false }]);
  return [data, { ...layout, ...Object.fromEntries(axes), shapes: [], annotations: [] }];
}

/** Copies of the figure's data and layout for this width and these colours. */
export function dressed(state, width, look) {
  const data = structuredClone(state.data);
  const layout = structuredClone(state.layout);
  data.push(...beyond(data, layout));
  let height = layout.height;
  const columns = Object.keys(layout).filter((name) => /^xaxis\d*$/.test(name)).length;
  if (width < PANEL * columns) height *= stack(layout);
  const factor = growth(width);
  if (factor > 1) {
    enlarge(layout, factor);
    enlarge(data, factor);
    for (const side of ["l", "r", "t", "b"]) layout.margin[side] *= factor;
    height *= Math.min(factor, 1.5);
  }
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

/** A notebook takes plain keys for commands (b inserts a cell): here they belong to the control. */
function keepKeys() {
  globalThis.frappKeys ??= window.addEventListener("keydown", (event) => {
    if (!event.target.closest?.(".frapp-explorer, .frapp-slider")) return;
    const sends = event.shiftKey && event.key === "Enter";
    const forNotebook = event.ctrlKey || event.metaKey || event.key === "Escape" || sends;
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !forNotebook);
  }, true) ?? true; // before the notebook hears of it, and once for all
}

// --- the card ------------------------------------------------------------------------------------

function element(tag, className, text = "") {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function tile() {
  const node = element("div", "frapp-tile");
  const [value, rest, was, label] = ["b", "span", "span", "small"].map((tag, i) =>
    element(tag, ["", "frapp-rest-of", "frapp-was", ""][i]),
  );
  node.append(value, " ", rest, " ", was, label);
  const fill = (number, before) => {
    node.hidden = !number;
    setText(value, number?.value ?? "");
    setText(rest, number?.rest ?? "");
    const moved = number && before?.label === number.label && before.value !== number.value;
    setText(was, moved ? `was ${before.value}` : "");
    setText(label, number?.label ?? "");
  };
  return { node, fill };
}

/** Whether a text is now in the clipboard; if not, it is selected. Plain http has no clipboard. */
async function isCopied(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return document.execCommand("copy");
  }
}

async function render({ model, el }) {
  const feed = model.feed ?? (await modelOf(model, model.get("feed")));
  // Its parts are items of the explorer's grid, beside the controls (card.css).
  el.classList.add("frapp-card");
  const head = element("div", "frapp-head");
  const headline = element("h3", "frapp-headline");
  const tiles = [tile(), tile(), tile()];
  const row = element("div", "frapp-tiles");
  const key = element("div", "frapp-key");
  row.append(...tiles.map((t) => t.node), key);
  head.append(headline, row);
  const figure = element("div", "frapp-figure");
  const plot = element("div", "frapp-plot");
  plot.setAttribute("role", "img");
  const sign = element("div", "frapp-sign");
  sign.setAttribute("role", "status");
  const over = element("div", "frapp-over");
  over.setAttribute("aria-hidden", "true"); // the figure's label says it all
  const under = element("div", "frapp-under"); // a figure of its own: it stands still in a drag
  under.setAttribute("aria-hidden", "true");
  figure.append(under, plot, over, sign);
  const words = element("details", "frapp-words");
  const opener = element("summary", "", "In words");
  const paragraph = element("p", "frapp-summary");
  const call = element("code", "frapp-call");
  const copy = element("button", "frapp-copy", "Copy this setting");
  copy.type = "button";
  const share = element("div", "frapp-share");
  share.append(copy, call);
  words.append(opener, paragraph, share);
  const live = element("div", "frapp-live");
  live.setAttribute("role", "status");
  live.setAttribute("aria-live", "polite");
  el.append(head, figure, words, live);
  copy.addEventListener("click", async () => {
    copy.textContent = (await isCopied(call)) ? "Copied" : "Not copied: it is marked, press Ctrl+C";
    clearTimeout(timers.copy);
    timers.copy = setTimeout(() => (copy.textContent = "Copy this setting"), 4000);
  });

  let plotly = null;
  let current = feed.get("state"); // what is shown, or about to be
  let before = current.before;
  let movedAt = performance.now() - 10 * REST;
  let drawnAs = "";
  let ghostDrawnAs = null;
  let width = 0;
  let look = null;
  const film = new Map();
  let filmOf = null; // of which slider, around which settings, and what its frames share
  const timers = { tell: 0, sign: 0, frame: 0, copy: 0 };
  let gone = false;
  let pending = false; // a move of this page that the kernel has not answered
  let heardAt = 0; // when it last spoke of other settings since then
  const controls = {}; // those that hold a value
  const boxes = {}; // those that follow from it
  const place = (control) => control.get("index") ?? control.get("value"); // of a list, which entry

  // --- showing ---

  const tell = () => {
    clearTimeout(timers.tell);
    timers.tell = setTimeout(() => {
      const numbers = current.numbers.map((n) => `${n.label}: ${n.value} ${n.rest ?? ""}`.trim());
      setText(live, [current.headline, ...numbers].join(". "));
    }, QUIET);
  };
  /** What the controls mean now is told by the state too, so that a move is one answer. */
  const fillControls = () => {
    for (const [name, control] of Object.entries({ ...controls, ...boxes })) {
      control.set("line", current.lines[name] ?? "");
      if (name in current.marks) control.set("mark", current.marks[name]);
      if (name in current.chips) control.set("description", current.chips[name]);
      if (name in boxes && name in current.derived) control.set("value", current.derived[name]);
    }
  };
  const drawTexts = () => {
    setText(headline, current.headline);
    el.classList.toggle("frapp-failed", Boolean(current.error));
    tiles.forEach((t, i) => t.fill(current.numbers[i], before?.numbers[i]));
    setText(paragraph, current.words);
    setText(call, current.call);
    setText(key, before?.data.length ? `pale: before the move${before.words ? `, at ${before.words}` : ""}` : "");
    plot.setAttribute("aria-label", current.words);
  };
  const drawFigure = () => {
    if (!plotly || gone) return;
    // Asking the page for these makes it lay out everything anew: only when they may have changed.
    width ||= plot.clientWidth;
    look ??= pageColours(el.parentElement ?? el);
    if (!width) return;
    const as = `${current.id} ${before?.id ?? ""} ${width} ${look.text} ${look.paper}`;
    if (as === drawnAs) return;
    drawnAs = as;
    const { data, layout, notes } = dressed(current, width, look);
    plotly.react(plot, data, layout, CONFIG);
    drawGhost(layout);
    plot.style.minHeight = `${layout.height}px`; // so that a table cell around it grows (Voilà)
    writeNotes(over, notes, layout);
    el.dataset.drawn = as;
  };
  /** Drawn once per move, however many frames the move has. */
  const drawGhost = (layout) => {
    const axes = Object.entries(current.layout).filter(isAxis);
    const as = before && JSON.stringify([before.id, width, look, axes]);
    if (as === ghostDrawnAs) return;
    ghostDrawnAs = as;
    if (before) plotly.react(under, ...ghostly(current, before, layout, look), { staticPlot: true });
    else plotly.purge(under);
  };
  const draw = () => {
    if (timers.frame) return;
    timers.frame = requestAnimationFrame(() => {
      timers.frame = 0;
      fillControls();
      drawTexts();
      drawFigure();
      tell();
    });
  };

  // --- waiting ---

  const answered = () => {
    pending = false;
    el.dataset.waiting = "";
    clearTimeout(timers.sign);
    setText(sign, "");
    figure.classList.remove("frapp-waiting");
  };
  const wait = () => {
    pending = true;
    el.dataset.waiting = "yes";
    heardAt = 0;
    giveTime();
  };
  /** A kernel that speaks, but of other settings, is right: a move can get lost on its way. */
  const giveTime = () => {
    clearTimeout(timers.sign);
    timers.sign = setTimeout(() => {
      if (heardAt && performance.now() - heardAt < PATIENCE) return giveTime();
      pending = !heardAt && !isCurrent(feed.get("state"));
      if (!pending) return answer();
      figure.classList.add("frapp-waiting");
      return setText(sign, WAITING);
    }, PATIENCE);
  };

  // --- moves and answers ---

  const isCurrent = (state) =>
    Object.entries(controls).every(([name, control]) => place(control) === state.at[name]);
  /** Where this page has not moved, another one or the kernel has: follow. */
  const follow = (state) => {
    for (const [name, control] of Object.entries(controls)) {
      control.set(control.get("index") === undefined ? "value" : "index", state.at[name]);
    }
  };
  const answer = () => {
    const state = feed.get("state");
    if (!isCurrent(state)) {
      heardAt = performance.now();
      if (pending) return; // an answer to an older move
      current = state;
      follow(state);
    }
    answered();
    before = state.before;
    if (filmOf && state.keys[filmOf.name] !== filmOf.key) forget();
    current = state;
    draw();
  };
  const moved = (name) => {
    const now = performance.now();
    const begins = now - movedAt > REST;
    movedAt = now;
    if (isCurrent(current)) return undefined; // it is shown already
    if (isCurrent(feed.get("state"))) return answer();
    wait();
    const frame = filmOf?.name === name && film.get(place(controls[name]));
    if (!frame || filmOf.key !== current.keys[name] || !isCurrent(frame)) return undefined;
    if (begins) before = asBefore(current, name);
    current = frame;
    return draw();
  };
  const asBefore = (state, name) => ({
    id: state.id,
    numbers: state.numbers,
    data: state.ghosts.map((i) => state.data[i]),
    layout: state.layout,
    words: state.said[name],
  });

  // --- the film ---

  const forget = () => {
    film.clear();
    filmOf = null;
  };
  /** A frame holds only what differs from the state that the film began with. */
  const whole = (frame) => {
    const old = new Map(filmOf.base.data.map((trace) => [trace.meta, trace]));
    const data = frame.data.map(({ whole: isWhole, ...trace }) =>
      isWhole ? trace : { ...old.get(trace.meta), ...trace },
    );
    return { ...frame, data, layout: { ...filmOf.base.layout, ...frame.layout } };
  };
  const heard = (message) => {
    if (message.kind !== "film") return;
    if (message.base) {
      film.clear();
      filmOf = { name: message.name, key: message.key, base: message.base };
    }
    if (filmOf?.key !== message.key) return;
    for (const frame of message.frames) film.set(frame.at[message.name], whole(frame));
    el.dataset.film = film.size;
  };

  feed.on("change:state", answer);
  feed.on("msg:custom", heard);
  const leave = [];
  const listen = async () => {
    for (const [name, reference] of Object.entries(model.get("controls"))) {
      const control = model.controls?.[name] ?? (await modelOf(model, reference));
      if (!(name in current.at)) {
        boxes[name] = control;
        continue;
      }
      controls[name] = control;
      const event = control.get("index") === undefined ? "change:value" : "change:index";
      const change = () => moved(name);
      control.on(event, change);
      leave.push(() => control.off(event, change));
    }
  };

  // --- the page ---

  const size = new ResizeObserver(() => {
    width = plot.clientWidth;
    draw();
  });
  size.observe(plot);
  const lookAgain = () => {
    look = null;
    draw();
  };
  const theme = new MutationObserver(() => {
    lookAgain();
    setTimeout(lookAgain, REST); // a theme's colours can come later than its name
  });
  for (const node of [document.documentElement, document.body]) {
    theme.observe(node, { attributes: true, attributeFilter: ["class", "style", "data-jp-theme-name", "data-theme"] });
  }
  const root = () => el.closest(".frapp-explorer") ?? el;
  const tellFolds = () => {
    for (const fold of root().querySelectorAll(".frapp-fold")) {
      fold.setAttribute("aria-expanded", fold.classList.contains("mod-active"));
    }
  };
  keepKeys();
  const rooted = requestAnimationFrame(() => {
    tellFolds();
    root().addEventListener("click", () => setTimeout(tellFolds));
  });
  drawTexts();
  (async () => {
    try {
      plotly = await plotlyOf(model);
      draw();
    } catch (error) {
      setText(sign, `The figure cannot be drawn here (${error.message}). Its text says what it shows.`);
      words.open = true;
    }
    await listen();
    answer();
    model.set("shown", true);
    model.save_changes();
  })();
  return () => {
    gone = true;
    cancelAnimationFrame(rooted);
    Object.values(timers).forEach(clearTimeout);
    size.disconnect();
    theme.disconnect();
    feed.off("change:state", answer);
    feed.off("msg:custom", heard);
    leave.forEach((step) => step());
    if (plotly) [plot, under].forEach(plotly.purge);
  };
}

export default { render };

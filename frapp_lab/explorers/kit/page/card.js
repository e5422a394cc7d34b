// What an explorer shows: headline, three numbers, figure and words, from one state.
// Its model is a widget of the kernel, or any object with get, set, save_changes and on.
// A state is drawn only if it is about the settings that the sliders of the page stand at; a state
// that is already in the page (the film) is drawn at once, and not again when the kernel sends it.

import { channels, dressed, ghostly, isAxis, luminance, safe, whereIs } from "./figure.js";
import { Film, Moves, REST } from "./moves.js";

const QUIET = 500; // ms until what has changed is told to a screen reader
const CONFIG = { displayModeBar: false, displaylogo: false, staticPlot: false };
const COPY = "Copy this setting";
const WAITING =
  "The kernel has not answered yet: it is busy, or it was restarted (then run the cell again). " +
  "The figure still shows the setting before.";
const CLOCK = {
  now: () => performance.now(),
  after: (ms, step) => setTimeout(step, ms),
  stop: (timer) => clearTimeout(timer),
};

// --- plotly, once per page -----------------------------------------------------------------------

/** Reads plotly's script from gzipped bytes, once for all cards; a failure is forgotten. */
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

/** Finds the widget that another one names. */
const modelOf = (model, reference) => model.widget_manager.get_model(reference.slice(10));

/** Gives plotly, as the card's script or the page itself has it. */
async function plotlyOf(model) {
  if (model.plotly) return model.plotly; // a page with no kernel brings its own
  const script = await modelOf(model, model.get("script"));
  return readPlotly(script.get("version"), script.get("packed"));
}

// --- elements ------------------------------------------------------------------------------------

/** Makes an element. */
function element(tag, className, attributes = {}, ...children) {
  const node = document.createElement(tag);
  node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Changes a text, if it is another one. */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Makes one of the three numbers, and what fills it. */
function tile() {
  const [value, label] = [element("b", ""), element("small", "")];
  const [rest, was] = [element("span", "frapp-rest-of"), element("span", "frapp-was")];
  const node = element("div", "frapp-tile", {}, value, " ", rest, " ", was, label);
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

/** Makes the card's elements: items of the explorer's grid, beside the controls (card.css). */
function parts(el) {
  const silent = { "aria-hidden": "true" }; // the figure's label says it all
  const headline = element("h3", "frapp-headline");
  const tiles = [tile(), tile(), tile()];
  const key = element("div", "frapp-key");
  const row = element("div", "frapp-tiles", {}, ...tiles.map((t) => t.node), key);
  const head = element("div", "frapp-head", {}, headline, row);
  const plot = element("div", "frapp-plot", { role: "img" });
  const over = element("div", "frapp-over", silent);
  const under = element("div", "frapp-under", silent); // a figure of its own: it stands still in a drag
  const sign = element("div", "frapp-sign", { role: "status" });
  const figure = element("div", "frapp-figure", {}, under, plot, over, sign);
  const paragraph = element("p", "frapp-summary");
  const call = element("code", "frapp-call");
  const copy = element("button", "frapp-copy", { type: "button" }, COPY);
  const share = element("div", "frapp-share", {}, copy, call);
  const opener = element("summary", "", {}, "In words");
  const words = element("details", "frapp-words", {}, opener, paragraph, share);
  const live = element("div", "frapp-live", { role: "status", "aria-live": "polite" });
  el.classList.add("frapp-card");
  el.append(head, figure, words, live);
  return { el, headline, tiles, key, figure, plot, over, under, sign, words, paragraph, call, copy, live };
}

/** Tells whether a text is now in the clipboard; if not, it is selected. Plain http has no clipboard. */
async function isCopied(node) {
  try {
    await navigator.clipboard.writeText(node.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return document.execCommand("copy");
  }
}

/** Copies the call when its button is pressed, and says so for a while. */
function copyOnClick({ copy, call }) {
  let timer = 0;
  copy.addEventListener("click", async () => {
    copy.textContent = (await isCopied(call)) ? "Copied" : "Not copied: it is marked, press Ctrl+C";
    clearTimeout(timer);
    timer = setTimeout(() => (copy.textContent = COPY), 4000);
  });
}

/** Says whether the kernel is waited for: in words once that takes long, until it answers. */
function showWait({ el, figure, sign }, how) {
  el.dataset.waiting = how === "no" ? "" : "yes";
  if (how === "yes") return;
  figure.classList.toggle("frapp-waiting", how === "long");
  if (how === "long") setText(sign, WAITING);
  else if (sign.textContent === WAITING) setText(sign, ""); // a figure that cannot be drawn stays said
}

// --- drawing -------------------------------------------------------------------------------------

/** Writes headline, numbers and words. */
function drawTexts({ el, headline, tiles, paragraph, call, key, plot }, { current, before }) {
  setText(headline, current.headline);
  el.classList.toggle("frapp-failed", Boolean(current.error));
  tiles.forEach((t, i) => t.fill(current.numbers[i], before?.numbers[i]));
  setText(paragraph, current.words);
  setText(call, current.call);
  setText(key, before?.data.length ? `pale: before the move${before.words ? `, at ${before.words}` : ""}` : "");
  plot.setAttribute("aria-label", current.words);
}

/** Tells the controls what they mean now: the state says it too, so that a move is one answer. */
function fillControls(controls, current) {
  for (const [name, control] of Object.entries(controls)) {
    control.set("line", current.lines[name] ?? "");
    if (name in current.marks) control.set("mark", current.marks[name]);
    if (name in current.chips) control.set("description", current.chips[name]);
    if (!(name in current.at) && name in current.derived) control.set("value", current.derived[name]);
  }
}

/** Says what is shown, for a screen reader. */
function spoken(state) {
  const numbers = state.numbers.map((n) => `${n.label}: ${n.value} ${n.rest ?? ""}`.trim());
  return [state.headline, ...numbers].join(". ");
}

/** Writes the figure's words as plain elements over it: plotly takes longer for them than for its lines. */
function writeNotes(over, notes, layout) {
  while (over.children.length > notes.length) over.lastChild.remove();
  while (over.children.length < notes.length) over.append(element("span", "frapp-note-in-figure"));
  notes.forEach((note, i) => {
    const node = over.children[i];
    const words = safe(note.text);
    if (node.dataset.words !== words) {
      node.dataset.words = words;
      node.innerHTML = words;
    }
    node.style.transform = whereIs(note, layout);
    node.style.color = note.font?.color ?? "";
    node.style.fontSize = `${note.font?.size ?? 12}px`;
    node.style.textAlign = note.align ?? "left";
  });
}

/** Finds the page's own background and text colours where the card stands. */
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

/** Draws the figure and its ghost, each only when something of it has changed. */
class Picture {
  plotly = null;
  width = 0; // asking the page for this and for its look makes it lay out everything anew:
  look = null; // only when they may have changed
  #drawnAs = "";
  #ghostDrawnAs = null;
  #isGone = false;

  constructor(made) {
    this.parts = made;
  }

  draw({ current, before }) {
    if (!this.plotly || this.#isGone) return;
    const { el, plot, over } = this.parts;
    this.width ||= plot.clientWidth;
    this.look ??= pageColours(el.parentElement ?? el);
    if (!this.width) return;
    const as = `${current.id} ${before?.id ?? ""} ${this.width} ${this.look.text} ${this.look.paper}`;
    if (as === this.#drawnAs) return;
    this.#drawnAs = as;
    const { data, layout, notes } = dressed(current, this.width, this.look);
    this.plotly.react(plot, data, layout, CONFIG);
    this.#drawGhost(current, before, layout);
    plot.style.minHeight = `${layout.height}px`; // so that a table cell around it grows (Voilà)
    writeNotes(over, notes, layout);
    el.dataset.drawn = as;
  }

  /** Draws the ghost once per move, however many frames the move has. */
  #drawGhost(current, before, layout) {
    const { under } = this.parts;
    const axes = Object.entries(current.layout).filter(isAxis);
    const as = before && JSON.stringify([before.id, this.width, this.look, axes]);
    if (as === this.#ghostDrawnAs) return;
    this.#ghostDrawnAs = as;
    if (before) this.plotly.react(under, ...ghostly(current, before, layout, this.look), { staticPlot: true });
    else this.plotly.purge(under);
  }

  close() {
    this.#isGone = true;
    if (this.plotly) [this.parts.plot, this.parts.under].forEach(this.plotly.purge);
  }
}

// --- the page around -----------------------------------------------------------------------------

/** Keeps plain keys for the controls: a notebook takes them for commands (b inserts a cell). */
function keepKeys() {
  globalThis.frappKeys ??= window.addEventListener("keydown", (event) => {
    if (!event.target.closest?.(".frapp-explorer, .frapp-slider")) return;
    const sends = event.shiftKey && event.key === "Enter";
    const forNotebook = event.ctrlKey || event.metaKey || event.key === "Escape" || sends;
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !forNotebook);
  }, true) ?? true; // before the notebook hears of it, and once for all
}

/** Draws anew when the figure's room or the page's theme changes; gives what ends that. */
function watchPage(picture, draw) {
  const { plot } = picture.parts;
  const size = new ResizeObserver(() => {
    picture.width = plot.clientWidth;
    draw();
  });
  size.observe(plot);
  const lookAgain = () => {
    picture.look = null;
    draw();
  };
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

/** Says of the explorer's folds whether they are open; gives what ends that. */
function watchFolds(el) {
  const root = () => el.closest(".frapp-explorer") ?? el;
  const tell = () => {
    for (const fold of root().querySelectorAll(".frapp-fold")) {
      fold.setAttribute("aria-expanded", fold.classList.contains("mod-active"));
    }
  };
  const rooted = requestAnimationFrame(() => {
    tell();
    root().addEventListener("click", () => setTimeout(tell));
  });
  return () => cancelAnimationFrame(rooted);
}

/** Gives a function that runs a step in the page's next frame, once however often it is asked. */
function nextFrame(step) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      step();
    });
  };
}

// --- the card ------------------------------------------------------------------------------------

/** Names what of a control is its place: of a list, which entry. */
const placeOf = (control) => (control.get("index") === undefined ? "value" : "index");

/** Finds the card's controls and hears their moves; `held` are those that hold a value. */
async function listen(model, at, { controls, held, leave, moved }) {
  for (const [name, reference] of Object.entries(model.get("controls"))) {
    const control = model.controls?.[name] ?? (await modelOf(model, reference));
    controls[name] = control;
    if (!(name in at)) continue; // it follows from the others
    held[name] = control;
    hear(control, `change:${placeOf(control)}`, () => moved(name), leave);
  }
}

/** Hears an event of a widget until the card leaves. */
function hear(widget, event, step, leave) {
  widget.on(event, step);
  leave.push(() => widget.off(event, step));
}

/** Gives plotly to the picture; where there is none, the words stand for the figure. */
async function bringPlotly(model, picture) {
  try {
    picture.plotly = await plotlyOf(model);
  } catch (error) {
    const { sign, words } = picture.parts;
    setText(sign, `The figure cannot be drawn here (${error.message}). Its text says what it shows.`);
    words.open = true;
  }
}

/** Makes the card in its place; gives what ends it. */
async function render({ model, el }) {
  const feed = model.feed ?? (await modelOf(model, model.get("feed")));
  const made = parts(el);
  const picture = new Picture(made);
  const film = new Film();
  const [controls, held, leave] = [{}, {}, []];
  const eachHeld = (give) => Object.entries(held).map(([name, control]) => [name, give(control, name)]);
  const moves = new Moves({
    feed: () => feed.get("state"),
    places: () => Object.fromEntries(eachHeld((control) => control.get(placeOf(control)))),
    follow: (at) => eachHeld((control, name) => control.set(placeOf(control), at[name])),
    film,
    clock: CLOCK,
    show: () => draw(),
    wait: (how) => showWait(made, how),
  });
  let telling = 0;
  const draw = nextFrame(() => {
    fillControls(controls, moves.current);
    drawTexts(made, moves);
    picture.draw(moves);
    clearTimeout(telling);
    telling = setTimeout(() => setText(made.live, spoken(moves.current)), QUIET);
  });
  copyOnClick(made);
  keepKeys();
  hear(feed, "change:state", () => moves.answer(), leave);
  hear(feed, "msg:custom", (message) => {
    if (film.hear(message)) el.dataset.film = film.size;
  }, leave);
  leave.push(watchPage(picture, draw), watchFolds(el), () => {
    clearTimeout(telling);
    moves.stop();
    picture.close();
  });
  drawTexts(made, moves);
  (async () => {
    await bringPlotly(model, picture);
    draw();
    await listen(model, moves.current.at, { controls, held, leave, moved: (name) => moves.moved(name) });
    moves.answer();
    model.set("shown", true);
    model.save_changes();
  })();
  return () => leave.forEach((step) => step());
}

export default { render };

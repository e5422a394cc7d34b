// What an explorer shows: headline, three numbers, figure and words, from one state.
// Its model is a widget of the kernel, or any object with get, set, save_changes and on.
// A state is drawn only if it is about the settings that the sliders of the page stand at; a state
// that is already in the page (the film) is drawn at once, and not again when the kernel sends it.

import { explorerOf, nextFrame, watchExplorer, watchPage } from "./around.js";
import { channels, dressed, ghostly, isAxis, luminance, safe } from "./figure.js";
import { groupOf, Handles, picked } from "./hands.js";
import { panelBox, placed } from "./labels.js";
import { Film, Moves } from "./moves.js";
import { download, pngOf, svgOf } from "./save.js";
import { STAGES } from "./stage.js";
import { element, keepKeys, scale, setText, setWords } from "./steps.js";

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

const UNIT = /\s(?:%|×)$/;

/** Writes how a number has changed: 26.8 → 30.0 %, with the unit said once. */
export function change(old, now) {
  const unit = UNIT.exec(now)?.[0];
  return `${unit && old.endsWith(unit) ? old.slice(0, -unit.length) : old} → ${now}`;
}

/** Makes one of the three numbers, and what fills it. */
function tile() {
  const [value, rest] = [element("b", ""), element("span", "frapp-rest-of")];
  const [title, label] = [element("strong", ""), element("small", "")];
  const moved = element("div", "frapp-change");
  const of = element("div", "frapp-of", {}, title, " ", label);
  const node = element("div", "frapp-tile", {}, of, element("div", "frapp-value", {}, value, " ", rest), moved);
  const fill = (number, before, panel = "") => {
    node.hidden = !number;
    setText(title, panel);
    setText(value, number?.value ?? "");
    setText(rest, number?.rest ?? "");
    setWords(label, number?.label ?? "");
    const isMoved = number && before?.label === number.label && before.value !== number.value;
    setText(moved, isMoved ? change(before.value, number.value) : "");
  };
  return { node, fill };
}

/** Makes a button of the card's own. */
const button = (text, title) => element("button", "frapp-tool", { type: "button", title }, text);

/** Makes the card's elements: items of the explorer's grid, beside the controls (card.css). */
function parts(el) {
  const silent = { "aria-hidden": "true" }; // the figure's label says it all
  const headline = element("h3", "frapp-headline");
  const tiles = [tile(), tile(), tile()];
  const row = element("div", "frapp-tiles");
  const head = element("div", "frapp-head", {}, headline, row);
  const plot = element("div", "frapp-plot", { role: "img" });
  const over = element("div", "frapp-over", silent);
  const columns = element("div", "frapp-columns");
  const under = element("div", "frapp-under", silent); // a figure of its own: it stands still in a drag
  const handles = element("div", "frapp-handles", silent);
  const sign = element("div", "frapp-sign", { role: "status" });
  const figure = element("div", "frapp-figure", {}, under, plot, over, columns, handles, sign);
  const paragraph = element("p", "frapp-summary");
  const call = element("code", "frapp-call");
  const copy = element("button", "frapp-copy", { type: "button" }, COPY);
  const share = element("div", "frapp-share", {}, copy, call);
  const opener = element("summary", "", {}, "In words");
  const words = element("details", "frapp-words", {}, opener, paragraph, share);
  const key = element("span", "frapp-key");
  const pin = button("Pin", "keep this state in sight, to compare others with it");
  const png = button("PNG", "save this picture as PNG");
  const svg = button("SVG", "save this picture as SVG");
  const full = button("Full screen", "fill the screen, with letters for the last row");
  const tools = element("div", "frapp-tools", {}, key, pin, png, svg, full);
  const foot = element("div", "frapp-foot", {}, tools, words);
  const live = element("div", "frapp-live", { role: "status", "aria-live": "polite" });
  el.classList.add("frapp-card");
  el.append(head, figure, foot, live);
  const texts = { head, headline, tiles, row, columns, key, words, paragraph, call, copy, live };
  return { el, ...texts, figure, plot, over, under, handles, sign, pin, png, svg, full };
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

/** Pales what is about another setting than the controls', and says so once an answer takes long. */
function showWait({ el, sign }, how) {
  el.dataset.waiting = how === "no" ? "" : "yes";
  if (how === "stale" || how === "long") explorerOf(el).classList.add("frapp-stale");
  if (how === "long") setText(sign, WAITING);
  else if (how === "no" && sign.textContent === WAITING) setText(sign, ""); // other signs stay
}

// --- drawing -------------------------------------------------------------------------------------

/** Writes headline, numbers and words; `group` is what is looked at. */
function drawTexts({ el, headline, tiles, row, columns, paragraph, call, key, plot, pin }, { current, before, pinned }, group) {
  setWords(headline, current.headline);
  el.classList.toggle("frapp-failed", Boolean(current.error));
  const place = current.columns.length ? columns : row;
  const numbersOf = (state) => state?.numbers_of[group] ?? state?.numbers;
  tiles.forEach((t, i) => {
    if (t.node.parentElement !== place) place.append(t.node);
    t.fill(numbersOf(current)[i], numbersOf(before)?.[i], current.columns[i]);
  });
  setText(paragraph, current.words);
  setText(call, current.call);
  const when = [pinned ? "pinned" : "before", before?.words].filter(Boolean).join(", ");
  setText(key, before && !current.stage.name ? `pale: ${when}` : ""); // a stage has no ghost
  setText(pin, pinned ? "Unpin" : "Pin");
  pin.setAttribute("aria-pressed", Boolean(pinned));
  plot.setAttribute("aria-label", current.words);
}

/** Tells the controls what they mean now: the state says it too, so that a move is one answer. */
function fillControls(controls, { current, isHere }, look) {
  const seen = (chip) => chip.replace(/#[0-9a-f]{6}/gi, (hex) => (look?.dark && look.night[hex.toLowerCase()]) || hex);
  for (const [name, control] of Object.entries(controls)) {
    control.set("line", current.lines[name] ?? "");
    if (name in current.marks) control.set("mark", current.marks[name]);
    if (name in current.chips) control.set("description", seen(current.chips[name]));
    const follows = isHere && !(name in current.at) && name in current.derived;
    if (follows) control.set("value", current.derived[name]);
  }
}

/** Says what is shown, for a screen reader. */
function spoken(state) {
  const numbers = state.numbers.map((n) => `${n.label}: ${n.value} ${n.rest ?? ""}`.trim());
  return [state.headline, ...numbers].join(". ");
}

const sizes = new Map(); // of words that have been measured, by their letters and look

/** Gives the width and height of words in a figure, which the page has to lay out once. */
function sizeOf(node, words, fontSize) {
  const as = `${fontSize} ${words}`;
  if (!sizes.has(as) && node.offsetWidth) {
    if (sizes.size > 2000) sizes.clear();
    sizes.set(as, { width: node.offsetWidth, height: node.offsetHeight });
  }
  return sizes.get(as) ?? { width: 0, height: 0 };
}

/** Writes the figure's words as plain elements over it: plotly takes longer for them than for its lines. */
function writeNotes(over, notes, data, layout) {
  while (over.children.length > notes.length) over.lastChild.remove();
  while (over.children.length < notes.length) over.append(element("span", "frapp-note-in-figure"));
  const measured = notes.map((note, i) => {
    const node = over.children[i];
    const [words, fontSize] = [safe(note.text), `${note.font?.size ?? 12}px`];
    if (node.dataset.words !== words) {
      node.dataset.words = words;
      node.innerHTML = words;
    }
    node.style.fontSize = fontSize;
    node.style.color = note.font?.color ?? "";
    node.style.textAlign = note.align ?? "left";
    return sizeOf(node, words, fontSize);
  });
  placed(notes, measured, data, layout).forEach(([x, y], i) => {
    over.children[i].style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  });
}

/** Puts each number right above its panel. */
function placeNumbers(tiles, layout, above) {
  tiles.forEach(({ node }, i) => {
    const n = i ? i + 1 : "";
    if (!layout[`xaxis${n}`]) return;
    const [left, top, right] = panelBox(layout, `x${n}`, `y${n}`);
    const from = Math.max(4, left - 40);
    node.style.width = `${right - from}px`;
    node.style.transform = `translate(${from}px, ${top - layout.margin.t + 2}px)`;
    node.style.height = `${above}px`;
  });
}

/** Finds the page's own background and text colours where the card stands, and how wide that is. */
function pageLook(el, night) {
  let paper = [255, 255, 255];
  for (let node = el; node instanceof Element; node = node.parentElement) {
    const found = channels(getComputedStyle(node).backgroundColor);
    if (found[3] > 0.5) {
      paper = found.slice(0, 3);
      break;
    }
  }
  const root = explorerOf(el);
  const isProjected = root.classList.contains("frapp-projector");
  const text = channels(getComputedStyle(el).color).slice(0, 3);
  return { paper, text, dark: luminance(paper) < 0.3, night, card: root.clientWidth, isProjected };
}

/** Draws the figure and its ghost, each only when something of it has changed. */
class Picture {
  plotly = null;
  width = 0; // asking the page for this and for its look makes it lay out everything anew:
  look = null; // only when they may have changed
  whenDrawn = null;
  #above = 0; // px: the height of the numbers that stand above panels
  #drawnAs = "";
  #ghostDrawnAs = null;
  #isGone = false;

  constructor(made, night, handles) {
    Object.assign(this, { parts: made, night, handles });
  }

  /** Looks at the page anew: its size or its colours may have changed. */
  forget() {
    this.width = this.parts.plot.clientWidth;
    this.look = null;
    this.#above = 0;
  }

  draw({ current, before }, group) {
    if (!(this.plotly ?? this.stage) || this.#isGone) return;
    const { el, plot, over, figure, tiles } = this.parts;
    this.width ||= plot.clientWidth;
    this.look ??= pageLook(el.parentElement ?? el, this.night);
    if (!this.width) return;
    const { text, paper, card, isProjected } = this.look;
    const as = [current.id, before?.id ?? "", this.width, card, isProjected, text, paper, group].join(" ");
    if (as === this.#drawnAs) return;
    this.#drawnAs = as;
    if (this.stage) {
      this.stage.draw(current, this.look, this.width);
      el.dataset.drawn = as;
      return;
    }
    if (current.columns.length) this.#above ||= tiles[0].node.scrollHeight;
    const above = current.columns.length ? this.#above : 0;
    const room = isProjected ? explorerOf(el).clientHeight - figure.offsetTop - 24 : 0;
    const { data, layout, notes } = dressed(current, this.width, this.look, { above, group, room });
    over.style.setProperty("--frapp-paper", `rgb(${paper})`);
    this.plotly.react(plot, data, layout, CONFIG);
    this.whenDrawn?.(plot);
    this.whenDrawn = null; // once: plotly gives a figure its ears with its first drawing
    this.#drawGhost(current, before, layout);
    plot.style.minHeight = `${layout.height}px`; // so that a table cell around it grows (Voilà)
    if (above) placeNumbers(tiles, layout, above);
    writeNotes(over, notes, data, layout);
    this.handles.draw(current, data, layout);
    el.dataset.drawn = as;
  }

  /** Draws the ghost once per move, however many frames the move has. */
  #drawGhost(current, before, layout) {
    const { under } = this.parts;
    const axes = Object.entries(current.layout).filter(isAxis);
    const as = before && JSON.stringify([before.id, this.width, layout.height, this.look, axes]);
    if (as === this.#ghostDrawnAs) return;
    this.#ghostDrawnAs = as;
    if (before) this.plotly.react(under, ...ghostly(current, before, layout, this.look), { staticPlot: true });
    else this.plotly.purge(under);
  }

  /** Saves the card as a picture, with all its words. */
  async save(kind, call) {
    const svg = await svgOf(this.plotly, this.parts, `rgb(${this.look.paper})`);
    const name = `${call.replace(/^explorers\./, "").replace(/[^\w.]+/g, "-").replace(/-+$/, "")}.${kind}`;
    download(kind === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await pngOf(svg), name);
  }

  close() {
    this.#isGone = true;
    if (this.plotly) [this.parts.plot, this.parts.under].forEach(this.plotly.purge);
    this.stage?.close();
  }
}

// --- the card ------------------------------------------------------------------------------------

/** Names what of a control is its place: of a list, which entry. */
const placeOf = (control) => (control.get("index") === undefined ? "value" : "index");

/** Finds the card's controls and hears their moves; `held` are those that hold a value. */
async function listen(model, at, { controls, held, leave, moved, climbed }) {
  for (const [name, reference] of Object.entries(model.get("controls"))) {
    const control = model.controls?.[name] ?? (await modelOf(model, reference));
    controls[name] = control;
    if (name in at) {
      held[name] = control;
      hear(control, `change:${placeOf(control)}`, () => moved(name), leave);
    } else if (control.get("sets")?.length) {
      hear(control, "change:value", () => climbed(name, control), leave);
    }
  }
}

/** Hears an event of a widget until the card leaves. */
function hear(widget, event, step, leave) {
  widget.on(event, step);
  leave.push(() => widget.off(event, step));
}

/** Gives plotly to the picture; where there is none, the words stand for the figure. */
async function bringPlotly(model, picture) {
  if (picture.stage) return;
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
  const [controls, held, leave] = [{}, {}, []];
  const picture = new Picture(made, model.get("night") ?? {}, new Handles(made.handles, held));
  const eachHeld = (give) => Object.entries(held).map(([name, control]) => [name, give(control, name)]);
  const places = () => Object.fromEntries(eachHeld((control) => control.get(placeOf(control))));
  const Stage = STAGES[feed.get("state").stage.name];
  picture.stage = Stage && new Stage(made.plot, {
    places,
    set: (name, place) => held[name]?.set(placeOf(held[name]), place),
    save: () => eachHeld((control) => control.save_changes()),
  });
  const film = picture.stage ?? new Film();
  made.pin.hidden = Boolean(picture.stage);
  const moves = new Moves({
    feed: () => feed.get("state"),
    places,
    follow: (at) => eachHeld((control, name) => control.set(placeOf(control), at[name])),
    film,
    clock: CLOCK,
    show: () => draw(),
    wait: (how) => {
      showWait(made, how);
      if (how === "no") draw();
    },
  });
  let [telling, group] = [0, ""];
  const draw = nextFrame(() => {
    drawTexts(made, moves, group);
    picture.draw(moves, group);
    fillControls(controls, moves, picture.look); // the look is known once it is drawn
    if (moves.isHere) explorerOf(el).classList.remove("frapp-stale"); // and not before it is shown
    clearTimeout(telling);
    telling = setTimeout(() => setText(made.live, spoken(moves.current)), QUIET);
  });
  const lookAt = (name) => {
    if (name === group) return;
    group = name;
    draw();
  };
  const groups = () => [...new Set(moves.current.data.map((trace) => trace.legendgroup).filter(Boolean))];
  const set = (name, place) => {
    held[name]?.set(placeOf(held[name]), place);
    held[name]?.save_changes();
  };
  /** Puts several controls where a step of one that follows from them wants them; the kernel does so too. */
  const climbed = (name, control) => {
    if (control.get("value") === moves.current.derived[name]) return;
    const wanted = control.get("sets")[scale(control).place(control.get("value"))];
    for (const [other, place] of Object.entries(wanted)) held[other]?.set(placeOf(held[other]), place);
  };
  picture.whenDrawn = (plot) => {
    plot.on("plotly_click", ({ points }) => {
      const found = picked(moves.current, points[0]);
      if (found) set(...found);
    });
    plot.on("plotly_hover", ({ points }) => lookAt(points[0].data.legendgroup ?? ""));
    plot.on("plotly_unhover", () => lookAt(""));
  };
  copyOnClick(made);
  keepKeys();
  made.pin.addEventListener("click", () => moves.pin());
  for (const kind of ["png", "svg"]) {
    made[kind].addEventListener("click", () => picture.save(kind, moves.current.call));
  }
  hear(feed, "change:state", () => moves.answer(), leave);
  hear(feed, "msg:custom", (message) => {
    if (!film.hear(message)) return;
    el.dataset.film = film.size;
    moves.filmed();
  }, leave);
  const lookAgain = () => {
    picture.forget();
    draw();
  };
  const look = (words) => lookAt(words && groupOf(words, groups()));
  leave.push(watchPage(picture, draw), watchExplorer(made, { moves, look, lookAgain }), () => {
    clearTimeout(telling);
    moves.stop();
    picture.close();
  });
  drawTexts(made, moves, group);
  (async () => {
    await bringPlotly(model, picture);
    draw();
    await listen(model, moves.current.at, { controls, held, leave, moved: (name) => moves.moved(name), climbed });
    moves.answer();
    model.set("shown", true);
    model.save_changes();
  })();
  return () => leave.forEach((step) => step());
}

export default { render };

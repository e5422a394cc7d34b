// The stage: people on the left, the matrix, their reports on the right. Where everybody stands is a
// function of the state and the width; the page only moves dots between such places.

import { STAGES } from "../kit/page/stage.js";
import { element, setText } from "../kit/page/steps.js";
import { compute, VALUES, number, rowNames, said } from "./journey_model.js";
import { GAP, standing } from "./journey_places.js";

const NS = "http://www.w3.org/2000/svg";
const STROLL = [620, 520, 700]; // ms: to the column, there, and into the row
const SAVED = 600; // ms between two words to the kernel while people stream
const KEYS = { n: "one", p: "play", a: "all", u: "undo" };
const tag = (name, attributes, inner = "") =>
  `<${name} ${Object.entries(attributes).map(([key, value]) => `${key}="${value}"`).join(" ")}>${inner}</${name}>`;
const words = (x, y, inner, more = {}) => tag("text", { x: x.toFixed(1), y: y.toFixed(1), ...more }, inner);
const clamp = (x, low, high) => Math.min(high, Math.max(low, x));
const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2);

/** Draws the stage and plays on it; as the card's film it has a state for every setting. */
class Journey {
  size = 0;
  #state = null;
  #it = null;
  #place = null;
  #flying = new Map(); // people on their way, who count as sent when they land
  #tau = 0; // how far undoing is to be seen
  #ticks = 0;
  #run = 0; // what plays ends when another thing begins
  #isPlaying = false;
  #savedAt = 0;
  #made = "";

  constructor(plot, { places, set, save }) {
    Object.assign(this, { plot, places, set, save });
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    const button = (name, text, title) => {
      const made = element("button", "frapp-tool", { type: "button", title, "data-does": name }, text);
      made.addEventListener("click", () => this.#press(name));
      return made;
    };
    this.buttons = {
      one: button("one", "One person", "send one person through the matrix (N)"),
      play: button("play", "Play", "send them one after the other (P)"),
      all: button("all", "All", "send all who are left (A)"),
      undo: button("undo", "Undo the crowd", "what the miner does: take off, divide, compare (U)"),
    };
    this.caption = element("div", "frapp-stage-caption");
    this.svg = document.createElementNS(NS, "svg");
    this.svg.setAttribute("class", "main-svg frapp-stage");
    this.svg.innerHTML = '<g class="back"></g><g class="dots"></g><g class="front"></g>';
    this.hits = element("div", "frapp-stage-hits");
    const bar = element("div", "frapp-stage-bar", {}, ...Object.values(this.buttons));
    plot.classList.add("frapp-has-stage");
    plot.append(bar, element("div", "frapp-stage-box", {}, this.svg, this.hits), this.caption);
    plot.removeAttribute("role"); // it has buttons: no picture
    plot.addEventListener("keydown", (event) => {
      const name = KEYS[event.key.toLowerCase()];
      if (event.ctrlKey || event.metaKey || event.altKey || !name) return;
      event.preventDefault();
      this.#press(name);
    });
  }

  /** Does what a button says; one that cannot be used keeps the focus, so that keys go on working. */
  #press(name) {
    if (this.buttons[name].getAttribute("aria-disabled") !== "true") this[name]();
  }

  // --- as a film ---

  /** Gives the state at the settings that the controls stand at; none where only a kernel knows it. */
  get(_name, _place, state) {
    const at = this.places();
    const it = this.#computed(state.stage, at);
    if (!it) return undefined;
    return { ...state, ...said(it, state.stage), id: `page ${JSON.stringify(at)}`, at, error: "", fresh: false };
  }

  hear() {
    return false; // no kernel needs to send frames
  }

  keepFor() {}

  #computed(stage, at) {
    const { options } = stage;
    const settings = Object.fromEntries(Object.entries(at).map(([name, place]) => [name, options[name]?.[place] ?? place]));
    return compute(settings, stage);
  }

  // --- drawing ---

  draw(state, look, width) {
    const scale = look.isProjected ? 2.35 : 1;
    const it = state.error ? null : this.#computed(state.stage, state.at);
    this.look = look;
    this.#state = state;
    if (!it) {
      this.#land();
      this.#it = null;
      this.svg.querySelectorAll("g").forEach((group) => (group.innerHTML = ""));
      this.hits.replaceChildren();
      this.#made = "";
      setText(this.caption, "");
      return;
    }
    const place = standing(it, width / scale);
    const isMoved = this.#it && it.p.people === this.#it.p.people && this.#made.endsWith(` ${width}`);
    [this.#it, this.#place, this.scale, this.width] = [it, place, scale, width];
    this.#build(`${it.p.people} ${it.n} ${place.rows} ${scale} ${width}`);
    if (!it.undo || this.calm.matches || !isMoved) this.#tau = it.undo;
    else if (this.#tau !== it.undo) this.#tick();
    this.#paint(isMoved && !this.calm.matches);
    this.#backdrop();
    this.#front();
    this.#tell();
  }

  /** Makes dots and buttons anew, where there are others. */
  #build(made) {
    if (made === this.#made) return;
    this.#made = made;
    const [it, at, scale] = [this.#it, this.#place, this.scale];
    this.#flying.clear();
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", at.height * scale);
    this.svg.setAttribute("viewBox", `0 0 ${this.width / scale} ${at.height}`);
    this.dots = it.values.map(() => document.createElementNS(NS, "circle"));
    this.dots.forEach((dot, i) => {
      dot.setAttribute("r", at.size.toFixed(2));
      dot.dataset.person = i;
    });
    this.svg.querySelector(".dots").replaceChildren(...this.dots);
    this.at = at.people.map((person) => person.at);
    this.at.forEach((where, i) => this.#put(i, where));
    const hit = (kind, v, x, y, w, h) => {
      const node = element("button", "frapp-stage-hit", { type: "button", "data-look": `${kind} ${v}` });
      Object.assign(node.style, { left: `${x * scale}px`, top: `${y * scale}px`, width: `${w * scale}px`, height: `${h * scale}px` });
      node.addEventListener("click", () => this.choose(`${kind} ${v}`));
      return node;
    };
    const { m, z, rh, rows } = at;
    const columns = it.before.map((_, v) => hit("column", v, m.x + (v * m.w) / it.n, m.y - 26, m.w / it.n, 26));
    const named = Array.from({ length: rows }, (_, r) => hit("row", r, z.x - GAP, z.y + r * rh, GAP - 6, Math.max(24, rh)));
    this.hits.replaceChildren(...columns, ...named);
  }

  #put(i, [x, y]) {
    this.at[i] = [x, y];
    this.dots[i].setAttribute("cx", x.toFixed(1));
    this.dots[i].setAttribute("cy", y.toFixed(1));
  }

  #colour(v) {
    const { colours, night } = this.#state.stage;
    return (this.look.dark ? night : colours)[v];
  }

  /** Colours the dots, a report grey unless the veil is lifted, and sends them where they belong. */
  #paint(isMoving) {
    const { look: [kind, at], values, undo } = this.#it;
    const grey = this.look.dark ? "#9aa3ad" : "#7b838d";
    this.#place.people.forEach((person, i) => {
      const isShown = person.isSent && ((kind === "row" && person.row === at) || (kind === "column" && values[i] === at) || (kind === "person" && i === at));
      const dot = this.dots[i];
      const isFar = kind !== "crowd" && kind !== "person" && !isShown;
      const rest = { fill: person.isSent && !isShown ? grey : this.#colour(values[i]), opacity: undo && person.isSent ? 0 : isFar ? 0.3 : 1 };
      const isElsewhere = Math.hypot(this.at[i][0] - person.at[0], this.at[i][1] - person.at[1]) > 0.5;
      const flight = this.#flying.get(i);
      if (flight && !person.isSent) return; // on the way
      if (!isElsewhere || !isMoving) {
        this.#flying.delete(i);
        this.#put(i, person.at);
      } else if (!flight || flight.goal !== String(person.at)) {
        const isTurned = dot.dataset.row !== String(person.isSent ? person.row : "");
        if (isTurned) dot.setAttribute("fill", this.#colour(values[i])); // only who changes rows is seen to move
        this.#send(i, [this.at[i], person.at], 420);
      }
      dot.dataset.row = person.isSent ? person.row : "";
      if (!this.#flying.has(i)) dot.setAttribute("fill", rest.fill);
      dot.setAttribute("opacity", rest.opacity);
    });
  }

  /** Draws what stands still: names, the matrix, the strip of everybody's number. */
  #backdrop() {
    const [it, at] = [this.#it, this.#place];
    const { m, z, cell, isWide } = at;
    const [kind, of] = it.look;
    const person = this.walker ?? (kind === "person" ? of : -1);
    const lit = kind === "column" ? of : person >= 0 ? it.values[person] : -1;
    const row = kind === "row" ? of : this.walker === undefined && person >= 0 ? it.reports[person] : -1;
    const names = rowNames(it);
    const small = at.rows > 6 || it.n > 5 || !isWide;
    let drawn = words(0, at.top - 12, "the truth", { class: "t" });
    const rings = at.people.filter((one) => one.isSent).map(({ home: [x, y] }) => `M${(x - at.size).toFixed(1)} ${y.toFixed(1)}a${at.size} ${at.size} 0 1 0 ${2 * at.size} 0a${at.size} ${at.size} 0 1 0 ${-2 * at.size} 0`);
    drawn += tag("path", { d: rings.join(""), class: "rings" }); // those who have reported still have their value
    it.before.forEach((_, v) => (drawn += words(2, at.top + (v + 0.5) * at.ph + 5, VALUES[v], { class: "chip", style: `fill:${this.#colour(v)}` })));
    if (isWide) drawn += words(m.x, 14, "what each may send", { class: "t" }) + words(z.x - GAP, at.top - 12, "the reports: all that the miner sees", { class: "t" });
    else drawn += words(0, z.y - 12, "the reports: all that the miner sees", { class: "t" });
    it.matrix.forEach((entries, r) => entries.forEach((p, v) => {
      const [x, y] = cell(r, v);
      const isOn = v === lit || r === row;
      const faded = (lit >= 0 || row >= 0) && !isOn ? 0.35 : 1;
      const [w, h] = [m.w / it.n - 2, m.h / at.rows - 2];
      drawn += tag("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 3, class: "cell", fill: this.#colour(v), "fill-opacity": (0.06 + 0.75 * Math.sqrt(p)) * faded });
      if (v === lit && r === row) drawn += tag("rect", { x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 3, fill: "none", class: "edge" });
      drawn += words(x, y + 4, p ? `${number(100 * p, 2)}${small ? "" : " %"}` : "0", { class: "n", "text-anchor": "middle", opacity: faded });
    }));
    it.before.forEach((_, v) => (drawn += words(cell(0, v)[0], m.y - 8, VALUES[v], { class: "chip", "text-anchor": "middle", style: `fill:${this.#colour(v)}` })));
    names.forEach((name, r) => (drawn += words(z.x - 8, z.y + (r + 0.5) * at.rh + 4, it.undo && it.isBits ? "" : name, { class: "chip", "text-anchor": "end" })));
    this.svg.querySelector(".back").innerHTML = drawn + this.#strip(person) + this.#way(person);
  }

  /** Draws everybody's number and the cut that γ moves, or the bits of one person. */
  #strip(person) {
    const [it, { m, isWide }] = [this.#it, this.#place];
    const y = isWide ? 26 : m.y - 52;
    if (it.kind === "diagonal") {
      const cut = m.x + it.left * m.w;
      const ticks = it.uniforms.map(([u], i) => `M${(m.x + u * m.w).toFixed(1)} ${y - (i === person ? 5 : 0)}V${y + (i === person ? 15 : 10)}`);
      return tag("path", { d: ticks.join(""), class: "ticks" })
        + (person >= 0 ? tag("path", { d: ticks[person], stroke: this.#colour(it.values[person]), "stroke-width": 3 }) : "")
        + tag("path", { d: `M${cut} ${y - 5}V${y + 15}`, class: "edge" })
        + words(m.x, y + 22, it.left > 0.25 ? `← ${number(100 * it.left, 2)} % keep` : "", { class: "m" })
        + words(m.x + m.w, y + 22, it.left < 0.75 ? "draw →" : "", { class: "m", "text-anchor": "end" });
    }
    if (!it.isBits || person < 0 || this.walker !== undefined) return "";
    const [v, shown] = [it.values[person], it.patterns[it.reports[person]]];
    const box = (b, top, isOn) => tag("rect", { x: m.x + 60 + b * 24, y: top, width: 18, height: 14, rx: 2, class: "bit", fill: isOn ? this.#colour(b) : "none" });
    const line = (text, top, isOn) => words(m.x, top + 11, text, { class: "m" }) + shown.map((_, b) => box(b, top, isOn(b))).join("");
    return line("has", y - 6, (b) => b === v) + line("sends", y + 11, (b) => shown[b]);
  }

  /** Draws the way that the last person took. */
  #way(i) {
    if (i < 0 || this.walker !== undefined || this.#it.undo) return "";
    const person = this.#place.people[i];
    const d = this.#route(i).map((point) => point.map((x) => x.toFixed(1)).join(" ")).join("L");
    return tag("path", { d: `M${d}`, class: "way", stroke: this.#colour(this.#it.values[i]), "data-row": person.row });
  }

  /** Draws what changes: counts, what was to be expected, what is believed, and the undoing. */
  #front() {
    const [it, { z, rh, unit, rows }] = [this.#it, this.#place];
    const [kind, of] = it.look;
    const right = z.x + z.w + 60;
    let drawn = "";
    if (this.#tau) drawn = this.#undone(right);
    else it.counts.forEach((c, r) => {
      const y = z.y + (r + 0.5) * rh;
      if (it.sent) drawn += words(right, y + 5, String(c), { class: "big", "text-anchor": "end" });
      if (kind === "row" ? r !== of : it.sent < 4) return;
      let x = z.x; // what was to be expected, by column; normalised it is what to believe of a sender
      it.truth.forEach((count, v) => {
        const w = kind === "row" ? it.after[v] * z.w : count * it.matrix[r][v] * unit;
        drawn += tag("rect", { x, y: y + rh / 2 - 5, width: Math.max(0, w), height: 4, fill: this.#colour(v) });
        x += w;
      });
    });
    if (!this.#tau && kind === "crowd" && it.sent > 3 && !it.isBits && it.kind !== "own") {
      const x = z.x + it.chance * it.sent * unit;
      drawn += tag("path", { d: `M${x} ${z.y}V${z.y + rows * rh}`, class: "chance" });
    }
    this.svg.querySelector(".front").innerHTML = drawn;
  }

  /** Draws undone counts as far as undoing has come. */
  #undone(right) {
    const [it, { z, unit }, tau] = [this.#it, this.#place, this.#tau];
    const rh = z.h / it.n;
    const [off, grow] = [Math.min(1, tau), clamp(tau - 1, 0, 1)];
    const chance = it.chance * it.sent;
    const inside = (x) => clamp(x * unit, -GAP + 6, z.w);
    return it.shown.map((c, v) => {
      if (!it.estimate.length) return words(right, z.y + (v + 0.5) * rh + 5, String(c), { class: "big", "text-anchor": "end" });
      const [y, e, h] = [z.y + (v + 0.5) * rh, it.estimate[v], Math.min(18, rh - 14)];
      const taken = it.kind === "own" ? c + (e - c) * Math.min(1, tau / 2) : c - off * chance;
      const now = it.kind === "own" ? taken : taken * (1 + grow * (1 / it.left - 1));
      const [a, b] = [Math.min(0, inside(now)), Math.max(0, inside(now))];
      let drawn = tag("rect", { x: z.x + a, y: y - h / 2, width: b - a, height: h, class: now < 0 ? "minus" : "plus" });
      if (tau < 1 && it.kind !== "own") drawn += tag("rect", { x: z.x + b, y: y - h / 2, width: Math.max(0, inside(c) - b), height: h, class: "gone" });
      if (Math.abs(now * unit - inside(now)) > 1) drawn += words(z.x + inside(now), y + 5, now > 0 ? "»" : "«", { class: "big" });
      if (it.isBits) drawn += words(z.x - 8 + a, y + 4, VALUES[v], { class: "chip", "text-anchor": "end", style: `fill:${this.#colour(v)}` });
      if (tau <= 2) return drawn + words(right, y + 5, number(now, 3), { class: "big", "text-anchor": "end" });
      const [low, high, truth] = [it.low[v], it.high[v], it.truth[v]].map((x) => z.x + inside(x));
      return drawn + `<g opacity="${tau - 2}">`
        + tag("path", { d: `M${low} ${y}H${high}M${low} ${y - 5}v10M${high} ${y - 5}v10`, class: "interval" })
        + tag("path", { d: `M${truth} ${y - h / 2 - 5}v${h + 10}`, class: "truth" })
        + words(right, y, number(e, 3), { class: "big", "text-anchor": "end" })
        + words(right, y + 13, `truth ${it.truth[v]}`, { class: "m", "text-anchor": "end" }) + "</g>";
    }).join("");
  }

  /** Says what is drawn, and what each button does now. */
  #tell() {
    const [it, names] = [this.#it, rowNames(this.#it)];
    const [kind, of] = it.look;
    const { play, undo } = this.buttons;
    const areAllSent = it.sent >= it.p.people;
    const isOff = { one: areAllSent, all: areAllSent, play: areAllSent && !this.#isPlaying, undo: !it.sent };
    for (const [name, isIt] of Object.entries(isOff)) this.buttons[name].setAttribute("aria-disabled", isIt);
    setText(play, this.#isPlaying ? "Pause" : "Play");
    setText(undo, it.undo === 3 ? "Back to the reports" : "Undo the crowd");
    for (const node of this.hits.children) {
      const [what, v] = node.dataset.look.split(" ");
      node.setAttribute("aria-label", what === "row" ? `report ${names[v]}: ${it.counts[v]} so far. Who could have sent it?` : `value ${VALUES[v]}: what may it send?`);
      node.setAttribute("aria-pressed", what === kind && Number(v) === of);
    }
    let text = "Click a letter above the matrix: what may it send? A letter at the reports: who could have sent it?";
    if (it.undo === 3) text = "Bar: estimate. Line: 95 % interval. Tick: the truth, which the miner does not see.";
    else if (it.undo) text = "The miner knows the matrix, so also how much chance puts into every row, on average.";
    else if (kind === "row") text = `Colours: who really sent these. The miner sees grey, and believes the thin bar: ${it.after.map((p, v) => `${VALUES[v]} ${number(100 * p, 2)} %`).join(", ")}.`;
    else if (kind === "column") text = `In colour: what those with ${VALUES[of]} have sent. Press the letter again to go back.`;
    else if (it.sent > 3) text = `Thin bar: what to expect in the row, by sender's value${it.isBits || it.kind === "own" ? "" : "; dotted: what chance alone puts into every row"}.`;
    if (it.isBits && it.p.values > it.n) text = `Shown with ${it.n} values, which have ${names.length} patterns. ${text}`;
    setText(this.caption, text);
  }

  // --- motion, only between places that the model gave ---

  #send(i, path, ms, done) {
    const lengths = path.slice(1).map((point, k) => Math.hypot(point[0] - path[k][0], point[1] - path[k][1]));
    const all = lengths.reduce((a, b) => a + b, 0) || 1;
    this.#flying.set(i, { path, lengths, all, ms, from: performance.now(), done, goal: String(path.at(-1)) });
    this.dots[i].parentNode.append(this.dots[i]);
    this.#tick();
  }

  #tick() {
    this.#ticks ||= requestAnimationFrame((now) => this.#step(now));
  }

  /** Moves everybody who is on the way by one frame, and the undoing. */
  #step(now) {
    this.#ticks = 0;
    if (!this.#it) return;
    const landed = [];
    for (const [i, flight] of this.#flying) {
      const t = clamp((now - flight.from) / flight.ms, 0, 1);
      let [d, k] = [ease(t) * flight.all, 0];
      while (k < flight.lengths.length - 1 && d > flight.lengths[k]) d -= flight.lengths[k++];
      const [a, b, share] = [flight.path[k], flight.path[k + 1], flight.lengths[k] ? Math.min(1, d / flight.lengths[k]) : 1];
      this.#put(i, [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]);
      if (t === 1) landed.push([i, flight]);
    }
    for (const [i] of landed) this.#flying.delete(i);
    for (const [, flight] of landed) flight.done?.();
    if (landed.some(([, flight]) => !flight.done)) this.#paint(true);
    const undo = this.#it.undo;
    if (this.#tau !== undo) {
      this.#tau = undo < this.#tau ? undo : Math.min(undo, this.#tau + 0.022);
      this.#front();
    }
    if (this.#flying.size || this.#tau !== undo) this.#tick();
  }

  #route(i) {
    const [{ people, gate, cell, m, isWide }, v] = [this.#place, this.#it.values[i]];
    const { home, goal, row } = people[i];
    const corner = isWide ? [[m.x - 12, m.y - 12]] : [];
    const out = isWide ? [[this.#place.z.x - GAP + 4, cell(row, v)[1]]] : [];
    return [home, ...corner, gate(v), cell(row, v), ...out, goal];
  }

  /** Sets controls as one move; the kernel hears of it now, or after a while. */
  #go(settings, isFinal = true) {
    const { options } = this.#state.stage;
    for (const [name, value] of Object.entries(settings)) this.set(name, options[name]?.indexOf(value) ?? value);
    if (isFinal || performance.now() - this.#savedAt > SAVED) {
      this.#savedAt = performance.now();
      this.save();
    }
  }

  /** Lets whoever is on the way arrive at once, and ends what plays. */
  #land() {
    this.#run++;
    this.#isPlaying = false;
    this.walker = undefined;
    const waiting = [...this.#flying].filter(([i, flight]) => flight.done && i >= (this.#it?.sent ?? 0));
    this.#flying.clear();
    if (waiting.length) this.#go({ sent: Math.max(...waiting.map(([i]) => i + 1)), undo: 0 });
  }

  #wait(ms) {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  /** Sends one person: to the own column, where chance decides, into a row, and into the reports. */
  async one() {
    this.#land();
    const [run, i] = [this.#run, Math.min(this.places().sent, this.#it.p.people)];
    if (i >= this.#it.p.people) return;
    const land = () => {
      if (this.#run !== run) return;
      this.walker = undefined;
      this.#go({ sent: i + 1, undo: 0, look: "the last person" });
    };
    if (this.calm.matches) {
      land();
      return;
    }
    this.#go({ undo: 0, look: "everybody" });
    this.walker = i;
    const route = this.#route(i);
    const gate = route.length - (this.#place.isWide ? 3 : 2);
    this.#backdrop();
    this.#send(i, route.slice(0, gate), STROLL[0], () => {});
    await this.#wait(STROLL[0] + STROLL[1]);
    if (this.#run !== run) return;
    this.#send(i, route.slice(gate - 1), STROLL[2], land);
  }

  play() {
    const wasPlaying = this.#isPlaying;
    this.#land();
    if (!wasPlaying) this.#stream((i) => Math.max(45, 460 * 0.9 ** i), 1);
    else this.#tell();
  }

  all() {
    this.#land();
    this.#stream(() => 16, Math.max(1, Math.round(this.#it.p.people / 60)));
  }

  /** Sends all who are left, with a gap of some ms after so many. */
  async #stream(gap, many) {
    const run = this.#run;
    const people = this.#it.p.people;
    let next = Math.min(this.places().sent, people);
    if (this.calm.matches) {
      this.#go({ sent: gap(0) > 100 ? Math.min(people, next + 10) : people, undo: 0, look: "everybody" });
      return;
    }
    this.#go({ undo: 0, look: "everybody" });
    this.#isPlaying = true;
    this.#tell();
    let [landed, shown] = [next, next];
    const show = () => {
      if (this.#run !== run || landed === shown) return;
      shown = landed;
      this.#isPlaying = landed < people;
      this.#go({ sent: landed }, landed === people);
    };
    for (let i = 0; next < people; i++) {
      for (let j = 0; j < many && next < people; j++) {
        const person = next++;
        this.#send(person, this.#route(person), 1000, () => {
          landed = Math.max(landed, person + 1);
          requestAnimationFrame(show);
        });
      }
      await this.#wait(gap(i));
      if (this.#run !== run) return;
    }
  }

  /** Undoes the crowd, step by step; from its end, back to the reports. */
  async undo() {
    this.#land();
    const [run, from] = [this.#run, this.#it.undo];
    if (from === 3) {
      this.#go({ undo: 0 });
      return;
    }
    for (let step = from + 1; step <= 3; step++) {
      this.#go({ undo: step, look: "everybody" });
      if (this.calm.matches) return;
      await this.#wait(step === 3 ? 0 : 1700);
      if (this.#run !== run) return;
    }
  }

  /** Looks at a row or a column, or no longer. */
  choose(look) {
    this.#land();
    const { options } = this.#state.stage;
    const isChosen = options.look[this.places().look] === look;
    this.#go({ undo: 0, look: isChosen ? "everybody" : look });
  }

  close() {
    this.#run++;
    cancelAnimationFrame(this.#ticks);
    this.#it = null;
  }
}

STAGES.journey = Journey;

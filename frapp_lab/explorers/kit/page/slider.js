// A number with a name: a native slider with an exact box, a stepper, or a box alone.
// Its model is a widget of the kernel, or any object with get, set, save_changes and on.

import { element, keepKeys, scale, setText, show } from "./steps.js";

const UNTOUCHED = 500; // ms without a touch, after which the next one counts anew

/** Gives the step whose name is the number nearest to one that was typed, where steps are named by numbers. */
export function nearestStep(text, words) {
  const number = (word) => Number(word.replaceAll(",", ""));
  const typed = number(text);
  if (text === "" || Number.isNaN(typed) || words.length < 2 || words.some(([, word]) => Number.isNaN(number(word)))) return undefined;
  const off = ([, word]) => Math.abs(Math.log(number(word) / typed));
  return Number(words.reduce((best, word) => (off(word) < off(best) ? word : best))[0]);
}

function render({ model, el }) {
  globalThis.frappNumbers = (globalThis.frappNumbers ?? 0) + 1; // each widget has a module of its own
  const id = `frapp-number-${globalThis.frappNumbers}`;
  const look = model.get("look");
  const label = element("label", "frapp-name", { for: id });
  const range = element("input", "", { type: "range", min: 0, step: 1 });
  const box = element("input", "frapp-box", { type: "text", inputmode: "decimal" });
  const [less, more] = ["−", "+"].map((sign) =>
    element("button", "frapp-step", { type: "button" }, sign),
  );
  const mark = element("span", "frapp-mark", { "aria-hidden": "true" });
  const line = element("div", "frapp-line", { id: `${id}-line` });
  const [low, high] = model.get("ends") ?? [];
  const ends = element("div", "frapp-ends", { "aria-hidden": "true" }, ...(low ? [`← ${low}`, `${high} →`] : []).map(
    (word) => element("span", "", {}, word),
  ));
  const fault = element("div", "frapp-fault", { role: "alert" });
  el.classList.add("frapp-slider", `frapp-${look}`);
  if (look === "bar") {
    el.append(
      element("div", "frapp-top", {}, label, box),
      element("div", "frapp-track", {}, range, mark),
      ends,
      line,
      fault,
    );
  } else if (look === "note") {
    el.append(line);
  } else if (look === "stepper") {
    el.append(label, less, box, more, fault);
  } else {
    el.append(label, box, line, fault);
  }
  const named = look === "bar" ? range : box;
  named.id = id;
  for (const input of [range, box]) input.setAttribute("aria-describedby", line.id);

  const send = (value) => {
    model.set("value", value);
    model.save_changes();
  };

  let touchedAt = 0;
  const touch = () => {
    const now = performance.now();
    if (now - touchedAt > UNTOUCHED) {
      model.set("touched", (model.get("touched") ?? 0) + 1);
      model.save_changes();
    }
    touchedAt = now;
  };

  /** Says what the value means: at once where it is known for every step, else as the state has it. */
  const showLine = () => {
    const value = model.get("value");
    const s = scale(model);
    const known = s.at(s.place(value)) === value ? model.get("says")?.[s.place(value)] : undefined;
    setText(line, known ?? model.get("line") ?? "");
    line.classList.toggle("frapp-known", known !== undefined);
  };
  const showValue = () => {
    const value = model.get("value");
    const s = scale(model);
    const text = model.get("words")?.[String(value)] ?? show(value);
    range.max = s.count;
    range.value = s.place(value);
    range.setAttribute("aria-valuetext", text);
    range.style.setProperty("--share", s.place(value) / s.count);
    box.value = text;
    showLine();
    box.removeAttribute("aria-invalid");
    fault.textContent = "";
    less.disabled = value <= s.low;
    more.disabled = value >= s.high;
  };
  const showTexts = () => {
    const name = model.get("description");
    label.textContent = name;
    el.title = model.get("tooltip") ?? "";
    if (look === "bar") box.setAttribute("aria-label", `${name}, exact value`);
    less.setAttribute("aria-label", `${name}: fewer`);
    more.setAttribute("aria-label", `${name}: more`);
    showLine();
    const limit = model.get("mark");
    const s = scale(model);
    mark.hidden = limit === null || limit === undefined || limit >= s.high;
    if (!mark.hidden) mark.style.setProperty("--share", s.place(limit) / s.count);
  };

  const typed = () => {
    const s = scale(model);
    const text = box.value.trim();
    const words = Object.entries(model.get("words") ?? {});
    const known = words.find(([, word]) => word === text);
    const value = known ? Number(known[0]) : nearestStep(text, words) ?? Number(text.replace(",", ".").replace("−", "-"));
    const name = model.get("description");
    let wrong = "";
    if (text === "" || Number.isNaN(value)) wrong = `“${text}” is no number`;
    else if (value < s.low || value > s.high) wrong = `${text} is out of range`;
    else if (s.whole && !Number.isInteger(value)) wrong = `${text} is no whole number`;
    if (wrong) {
      box.setAttribute("aria-invalid", "true");
      fault.textContent = `${wrong}: ${name} goes from ${show(s.low)} to ${show(s.high)}.`;
    } else if (value === model.get("value") || text === show(model.get("value"))) {
      showValue();
    } else {
      send(value);
    }
  };
  const stepBy = (steps) => {
    const s = scale(model);
    const value = s.at(Math.min(Math.max(s.place(model.get("value")) + steps, 0), s.count));
    if (value !== model.get("value")) send(value);
  };

  range.addEventListener("input", () => send(scale(model).at(Number(range.value))));
  box.addEventListener("change", typed);
  box.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (steps) {
      event.preventDefault();
      stepBy(steps);
    }
    if (event.key === "Enter") typed();
  });
  less.addEventListener("click", () => stepBy(-1));
  more.addEventListener("click", () => stepBy(1));
  for (const kind of ["pointerdown", "focusin", "keydown"]) el.addEventListener(kind, touch);
  keepKeys();

  const TEXTS = "description tooltip line says mark min max".split(" ");
  const VALUES = "value min max words".split(" ");
  for (const name of VALUES) model.on(`change:${name}`, showValue);
  for (const name of TEXTS) model.on(`change:${name}`, showTexts);
  showTexts();
  showValue();
  return () => {
    for (const name of VALUES) model.off(`change:${name}`, showValue);
    for (const name of TEXTS) model.off(`change:${name}`, showTexts);
  };
}

export default { render };

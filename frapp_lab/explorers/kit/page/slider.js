// A number with a name: a native slider with an exact box, a stepper, or a box alone.
// Its model is a widget of the kernel, or any object with get, set, save_changes and on.

const REST = 500; // ms without a touch, after which the next one counts anew

/** The values that the slider can stand at: `count` steps from `min` to `max`. */
export function scale(model) {
  const low = model.get("min");
  const high = model.get("max");
  const step = model.get("step");
  const log = model.get("log");
  const whole = model.get("whole");
  const count = Math.max(
    1,
    Math.round(log ? Math.log10(high / low) / step : (high - low) / step),
  );
  const at = (k) => {
    if (k <= 0) return low;
    if (k >= count) return high;
    const value = log
      ? Number((low * (high / low) ** (k / count)).toPrecision(3))
      : Number((low + k * step).toPrecision(12));
    return whole ? Math.round(value) : value;
  };
  const place = (value) => {
    const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return Math.round(share * count);
  };
  return { low, high, whole, count, at, place };
}

/** A number as it is shown: at most five digits, and never an exponent. */
export function show(value) {
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 4)));
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

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function render({ model, el }) {
  globalThis.frappNumbers = (globalThis.frappNumbers ?? 0) + 1; // each widget has a module of its own
  const id = `frapp-number-${globalThis.frappNumbers}`;
  const look = model.get("look");
  const label = element("label", { for: id, class: "frapp-name" });
  const range = element("input", { type: "range", min: 0, step: 1 });
  const box = element("input", { type: "text", inputmode: "decimal", class: "frapp-box" });
  const [less, more] = ["−", "+"].map((sign) =>
    element("button", { type: "button", class: "frapp-step" }, sign),
  );
  const mark = element("span", { class: "frapp-mark", "aria-hidden": "true" });
  const line = element("div", { class: "frapp-line", id: `${id}-line` });
  const fault = element("div", { class: "frapp-fault", role: "alert" });
  el.classList.add("frapp-slider", `frapp-${look}`);
  if (look === "bar") {
    el.append(
      element("div", { class: "frapp-top" }, label, box),
      element("div", { class: "frapp-track" }, range, mark),
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
    if (now - touchedAt > REST) {
      model.set("touched", (model.get("touched") ?? 0) + 1);
      model.save_changes();
    }
    touchedAt = now;
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
    line.textContent = model.get("line") ?? "";
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
    const value = Number(known ? known[0] : text.replace(",", ".").replace("−", "-"));
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

  const TEXTS = "description tooltip line mark min max".split(" ");
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

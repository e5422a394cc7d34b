// What sliders and cards share: a slider's steps, how numbers are written, elements, and keys.

/** Gives the values that a slider can stand at: `count` steps from `min` to `max`. */
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

/** Writes a number: at most five digits, and never an exponent. */
export function show(value) {
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 6 : 4)));
}

/** Makes an element. */
export function element(tag, className, attributes = {}, ...children) {
  const node = document.createElement(tag);
  node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** Changes a text, if it is another one. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const WHOLE = /([\d.,–]+ (?:%|×)|\b[A-Z]+-[A-Z]+\b)/; // numbers with their unit, names such as DET-GD

/** Changes a text, if it is another one; no line ends within "5 %" or "DET-GD". */
export function setWords(node, text) {
  if (node.textContent === text) return;
  const parts = text.split(WHOLE).map((part, i) => (i % 2 ? element("span", "frapp-whole", {}, part) : part));
  node.replaceChildren(...parts);
}

/** Keeps plain keys for the controls: a notebook takes them for commands (b inserts a cell). */
export function keepKeys() {
  globalThis.frappKeys ??= window.addEventListener("keydown", (event) => {
    if (!event.target.closest?.(".frapp-explorer, .frapp-slider")) return;
    const sends = event.shiftKey && event.key === "Enter";
    const forNotebook = event.ctrlKey || event.metaKey || event.key === "Escape" || sends;
    event.target.toggleAttribute("data-lm-suppress-shortcuts", !forNotebook);
  }, true) ?? true; // before the notebook hears of it, and once for all
}

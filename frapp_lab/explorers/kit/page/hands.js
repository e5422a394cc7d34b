// What hands can do with a figure: drag a point of a mark, choose one by a click, look at one group.

import { axisOf } from "./figure.js";
import { pointAt } from "./labels.js";
import { element, scale } from "./steps.js";

/** Gives what stands at a place between others, which rise, on straight lines between them. */
export function between(place, places, values) {
  if (!places?.length) return place;
  const found = places.findIndex((p) => p >= place);
  const i = Math.max(1, found < 0 ? places.length - 1 : found);
  const share = (place - places[i - 1]) / (places[i] - places[i - 1]);
  return values[i - 1] + Math.min(Math.max(share, 0), 1) * (values[i] - values[i - 1]);
}

/** Gives the place along an axis at a point in px of the figure. */
export function placeAt(px, name, layout) {
  const { l, r, t, b } = layout.margin;
  const isX = name.startsWith("x");
  const share = isX ? (px - l) / (layout.width - l - r) : 1 - (px - t) / (layout.height - t - b);
  const axis = axisOf(layout, name);
  const [[start, end], [low, high]] = [axis.domain ?? [0, 1], axis.range];
  const at = low + ((share - start) / (end - start)) * (high - low);
  return axis.type === "log" ? 10 ** at : at;
}

/** Gives the step of a control that is nearest to a value. */
function nearest(control, value) {
  const s = scale(control);
  return s.at(s.place(Math.min(Math.max(value, s.low), s.high)));
}

/** Puts handles over the points that can be dragged; the same ones are used again at every drawing. */
export class Handles {
  #nodes = [];
  #drawn = null;

  constructor(layer, controls) {
    Object.assign(this, { layer, controls });
  }

  draw(state, data, layout) {
    this.#drawn = { layout };
    const wanted = Object.entries(state.hands ?? {})
      .filter(([, hand]) => hand.does === "drag")
      .flatMap(([i, hand]) => hand.controls.map((name, j) => ({ trace: data[i], j, name, hand })))
      .filter(({ trace, j, name }) => name in this.controls && pointAt(trace, j, layout));
    while (this.#nodes.length > wanted.length) this.#nodes.pop().remove();
    wanted.forEach((drag, i) => {
      this.#nodes[i] ??= this.#made();
      const node = this.#nodes[i];
      node.drag = drag;
      node.className = `frapp-handle frapp-along-${drag.hand.axis}`;
      const [x, y] = pointAt(drag.trace, drag.j, layout);
      node.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
    });
  }

  #made() {
    const node = element("div", "frapp-handle", { "aria-hidden": "true" }); // its slider is for the keyboard
    let held = null;
    node.addEventListener("pointerdown", (event) => {
      node.setPointerCapture(event.pointerId);
      event.preventDefault();
      held = this.#nearest(event); // handles are wider than narrow bars, and lie over each other
    });
    node.addEventListener("pointermove", (event) => {
      if (node.hasPointerCapture(event.pointerId)) this.#drag(held, event);
    });
    this.layer.append(node);
    return node;
  }

  /** Gives the drag whose point is nearest to a pointer. */
  #nearest(event) {
    const box = this.layer.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const off = ({ drag: { trace, j } }) => {
      const at = pointAt(trace, j, this.#drawn.layout);
      return Math.hypot(at[0] - x, at[1] - y);
    };
    return this.#nodes.reduce((best, node) => (off(node) < off(best) ? node : best)).drag;
  }

  #drag({ trace, name, hand }, event) {
    const box = this.layer.getBoundingClientRect();
    const isX = hand.axis === "x";
    const px = isX ? event.clientX - box.left : event.clientY - box.top;
    const place = placeAt(px, trace[`${hand.axis}axis`] ?? hand.axis, this.#drawn.layout);
    const control = this.controls[name];
    const value = nearest(control, between(place, ...hand.scale));
    if (value === control.get("value")) return;
    control.set("value", value);
    control.save_changes();
  }
}

/** Gives which control a click on a figure's point sets, and to what; undefined if none. */
export function picked(state, point) {
  const hand = state.hands?.[point.curveNumber];
  if (hand?.does !== "pick") return undefined;
  const at = point.pointNumber ?? point.pointIndex;
  const i = Array.isArray(at) ? at[hand.along === "x" ? 1 : 0] : at;
  return i in hand.values ? [hand.control, hand.values[i]] : undefined;
}

/** Finds the group that a chip's words name: a mark, the label, and perhaps why it cannot be had. */
export function groupOf(words, groups) {
  const label = words.trim().replace(/^\S+\s+/, "");
  return groups.find((group) => label === group || label.startsWith(`${group}:`)) ?? "";
}

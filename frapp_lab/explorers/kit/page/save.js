// A card as a picture of its own: an SVG with all words in it, or a PNG made of that.

const DENSITY = 2; // dots per px of a PNG
const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

/** Gives the words of an element as they stand in the page: line by line, with place and look. */
function* lines(root, origin) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const style = getComputedStyle(node.parentElement);
    if (!node.textContent.trim() || style.visibility === "hidden") continue;
    const range = document.createRange();
    let [from, top] = [0, null];
    const line = (end) => {
      range.setStart(node, from);
      range.setEnd(node, end);
      const box = range.getBoundingClientRect();
      const text = range.toString().trim();
      return box.width && text ? { text, x: box.left - origin.left, y: box.top - origin.top, height: box.height, style } : null;
    };
    for (const { index } of node.textContent.matchAll(/\s\S/g)) {
      range.setStart(node, index + 1);
      range.setEnd(node, index + 2);
      const at = range.getBoundingClientRect().top;
      if (top !== null && Math.abs(at - top) > 3) {
        const made = line(index);
        if (made) yield made;
        from = index + 1;
      }
      top = at;
    }
    const made = line(node.textContent.length);
    if (made) yield made;
  }
}

/** Writes one line of words as SVG. */
function asText({ text, x, y, height, style }) {
  const size = parseFloat(style.fontSize);
  const look = `fill="${style.color}" font-size="${size}" font-weight="${style.fontWeight}" font-family="${escaped(style.fontFamily)}"`;
  return `<text x="${x.toFixed(1)}" y="${(y + height / 2 + 0.35 * size).toFixed(1)}" ${look}>${escaped(text)}</text>`;
}

const LOOK = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family"];

/** Gives a stage's drawing as SVG that can stand in another one: with its look, which is the page's. */
function stageSvg(stage, origin) {
  const copy = stage.cloneNode(true);
  const [from, to] = [stage, copy].map((node) => [...node.querySelectorAll("*")]);
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    to[i].setAttribute("style", LOOK.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  const place = stage.getBoundingClientRect();
  copy.setAttribute("x", place.left - origin.left);
  copy.setAttribute("y", place.top - origin.top);
  return new XMLSerializer().serializeToString(copy);
}

/** Gives plotly's drawing of a figure as SVG that can stand in another one. */
async function figureSvg(plotly, plot, x, y) {
  if (!plot.data?.length) return "";
  const { width, height } = plot.layout;
  const address = await plotly.toImage(plot, { format: "svg", width, height });
  const text = decodeURIComponent(address.slice(address.indexOf(",") + 1));
  return text.slice(text.indexOf("<svg")).replace("<svg", `<svg x="${x}" y="${y}"`);
}

/** Makes an SVG of a card: its words where they stand in the page, its ghost and its figure. */
export async function svgOf(plotly, { head, figure, plot, under, over, columns, key }, paper) {
  const [top, below] = [head.getBoundingClientRect(), figure.getBoundingClientRect()];
  const origin = { left: Math.min(top.left, below.left) - 12, top: top.top - 10 };
  const width = Math.max(top.right, below.right) - origin.left + 12;
  const gap = below.top - top.bottom; // the controls, which a picture does not show
  const lift = Math.max(0, gap - 12);
  const moved = { left: origin.left, top: origin.top + lift };
  const height = below.bottom - moved.top + 28;
  const place = plot.getBoundingClientRect();
  const [x, y] = [place.left - moved.left, place.top - moved.top];
  const stage = plot.querySelector(".frapp-stage");
  const drawings = [await figureSvg(plotly, under, x, y), stage ? stageSvg(stage, moved) : await figureSvg(plotly, plot, x, y)];
  drawings[0] = `<g opacity="0.9">${drawings[0]}</g>`;
  const words = [...lines(head, origin), ...lines(over, moved), ...lines(columns, moved)].map(asText);
  if (key.textContent) {
    const style = getComputedStyle(key);
    words.push(asText({ text: key.textContent, x: 12, y: height - 24, height: 16, style }));
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<rect width="100%" height="100%" fill="${paper}"/>${drawings.join("")}${words.join("")}</svg>`;
}

/** Turns an SVG into a PNG. */
export async function pngOf(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [DENSITY * image.width, DENSITY * image.height];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Hands a picture to the reader as a file. */
export function download(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

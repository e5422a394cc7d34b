// Who has what, who sends what, and what the miner makes of it: the twin of models/journey.py.
// Everything is a function of the settings; luck is a hash, the same in Python.

export const VALUES = "ABCDEF";
const Z = 1.959963984540054; // 95 % of a normal law lie within so many deviations

const range = (n) => Array.from({ length: n }, (_, i) => i);
const sum = (list) => list.reduce((a, b) => a + b, 0);
const count = (list, n) => {
  const counts = Array(n).fill(0);
  for (const v of list) counts[v]++;
  return counts;
};

/** Scatters a whole number over all of 32 bits. */
function mixed(h) {
  for (const [shift, factor] of [[16, 0x7feb352d], [15, 0x846ca68b], [16, 1]]) h = Math.imul(h ^ (h >>> shift), factor);
  return h;
}

/** Gives everybody's random numbers from a seed. */
export function luck(seed, people, draws) {
  const start = mixed(seed + 0x9e3779b9);
  return range(people).map((i) => {
    const person = mixed(start + i);
    return range(draws).map((j) => (mixed(person + j + 1) >>> 0) / 2 ** 32);
  });
}

/** Gives everybody a value: six tenths as many have the next one. */
export function crowd(people, n) {
  const shares = range(n).map((v) => 0.6 ** v);
  const ends = range(n - 1).map((v) => Math.floor((people * sum(shares.slice(0, v + 1))) / sum(shares) + 0.5));
  const keys = luck(0, people, 1).map(([key]) => key);
  const values = [];
  range(people).sort((a, b) => keys[a] - keys[b]).forEach((i, rank) => (values[i] = ends.filter((end) => end <= rank).length));
  return values;
}

/** Gives the laws: a matrix, which values each row shows, what undoes it, and how one person draws. */
const LAWS = {
  diagonal: ({ gamma, values: n }) => {
    const x = 1 / (gamma + n - 1);
    const stay = (gamma - 1) * x;
    const patterns = range(n).map((r) => range(n).map((v) => r === v));
    const sends = (v, [keep, die]) => (keep < stay ? v : Math.min(n - 1, Math.floor(n * die)));
    return { n, draws: 2, patterns, chance: x, left: stay, law: (r, v) => (r === v ? gamma * x : x), sends, isLine: true };
  },
  MASK: ({ gamma, values }) => {
    const odds = Math.sqrt(gamma);
    const p = odds / (1 + odds);
    const bits = bitLaw(Math.min(values, 3), 1 - p, p);
    return { ...bits, draws: bits.n, sends: (v, us) => bits.row((b) => (us[b] >= p) !== (b === v)) };
  },
  cut: ({ gamma, values }) => {
    if (gamma <= 2) return null;
    const rho = 1 / (gamma - 1);
    const bits = bitLaw(Math.min(values, 3), rho, (1 + rho) / 2);
    const sends = (v, us) => bits.row((b) => us[b + 2] < rho || (b === v && us[0] >= 0.5));
    return { ...bits, draws: bits.n + 2, sends };
  },
  own: (_, own) => {
    if (!own) return null;
    const [rows, n] = [own.matrix.length, own.matrix[0].length];
    const sends = (v, [u]) => {
      const last = own.matrix.findLastIndex((row) => row[v] > 0);
      let [r, total] = [0, own.matrix[0][v]];
      while (r < last && u >= total) total += own.matrix[++r][v];
      return r;
    };
    const [chance, left] = [own.matrix[0][n - 1], own.matrix[0][0] - own.matrix[0][n - 1]];
    const patterns = range(rows).map((r) => range(n).map((v) => r === v));
    return { n, draws: 1, patterns, chance, left, law: (r, v) => own.matrix[r][v], weights: own.weights, sends };
  },
};

/** Gives the law of n bits that are set with one chance, and the own one with another. */
function bitLaw(n, chance, own) {
  const patterns = range(2 ** n).map((r) => range(n).map((b) => Boolean((r >> (n - 1 - b)) & 1)));
  const one = (b, v, isOn) => (isOn ? 1 : -1) * (b === v ? own : chance) + (isOn ? 0 : 1);
  const law = (r, v) => patterns[r].reduce((p, isOn, b) => p * one(b, v, isOn), 1);
  const row = (isOn) => sum(range(n).map((b) => (isOn(b) ? 2 ** (n - 1 - b) : 0)));
  return { n, patterns, chance, left: own - chance, law, row, isBits: true };
}

/** Gives the ends of the 95 % interval of an undone count. */
function interval(found, k, constant, slope) {
  const unit = Z ** 2 / k;
  const lean = (unit * slope) / 2;
  const half = Math.sqrt(Math.max(0, unit * (constant + slope * found) + lean ** 2));
  return [found + lean - half, found + lean + half].map((end) => k * Math.min(1, Math.max(0, end)));
}

/** Finds what is looked at, or everybody where there is none such. */
function lookOf(name, n, rows, sent) {
  const [kind, at] = name.split(" ");
  if (name === "the last person") return sent ? ["person", sent - 1] : ["crowd", 0];
  const isThere = (kind === "row" && at < rows) || (kind === "column" && at < n);
  return isThere ? [kind, Number(at)] : ["crowd", 0];
}

/** Computes everything; null where the page cannot: a kernel says why. */
export function compute(p, { kinds, own }) {
  const kind = kinds[p.scheme];
  const made = LAWS[kind](p, own?.text === p.own ? own : null);
  if (!made) return null;
  const { n, patterns, chance, left } = made;
  const matrix = patterns.map((_, r) => range(n).map((v) => made.law(r, v)));
  const values = crowd(p.people, n);
  const uniforms = luck(p.seed, p.people, made.draws);
  const reports = values.map((v, i) => made.sends(v, uniforms[i]));
  const sent = Math.min(p.sent, p.people);
  const truth = count(values.slice(0, sent), n);
  const counts = count(reports.slice(0, sent), matrix.length);
  const before = count(values, n).map((c) => c / p.people);
  const shares = sent ? truth.map((c) => c / sent) : before;
  const weights = kind === "own" ? made.weights : range(n).map((v) => patterns.map((shown) => (shown[v] - chance) / left));
  const squares = weights?.map((row) => range(n).map((u) => sum(row.map((w, r) => w * w * matrix[r][u]))));
  const line = (v) => [squares[v][(v + 1) % n], squares[v][v] - 1 - squares[v][(v + 1) % n]]; // all other columns are alike
  const variance = (v, f) => {
    if (kind === "own") return sum(f.map((share, u) => share * squares[v][u])) - f[v];
    const [constant, slope] = line(v);
    return constant + slope * f[v];
  };
  const estimate = sent && weights ? weights.map((row) => sum(row.map((w, r) => w * counts[r]))) : [];
  const found = estimate.map((e) => e / sent);
  const ends = estimate.map((_, v) => interval(found[v], sent, ...(made.isLine ? line(v) : [Math.max(0, variance(v, found)), 0])));
  const deviations = weights ? range(n).map((v) => Math.sqrt(Math.max(0, variance(v, shares)) * (sent || p.people))) : [Infinity];
  const look = lookOf(p.look, n, matrix.length, sent);
  const joint = before.map((b, v) => b * matrix[look[0] === "row" ? look[1] : 0][v]);
  const total = sum(joint);
  return {
    p, kind, n, sent, look, undo: sent ? p.undo : 0, isBits: Boolean(made.isBits), matrix, patterns, values, reports, uniforms,
    truth, counts, shown: range(n).map((v) => sum(counts.filter((_, r) => patterns[r][v]))), chance, left, estimate,
    low: ends.map(([a]) => a), high: ends.map(([, b]) => b),
    typical: (Math.sqrt(2 / Math.PI) * sum(deviations)) / deviations.length,
    before, after: total ? joint.map((j) => j / total) : joint,
    lies: range(sent).filter((i) => !patterns[reports[i]][values[i]] || sum(patterns[reports[i]]) !== 1).length,
    miss: estimate.length ? sum(estimate.map((e, v) => Math.abs(e - truth[v]))) / n : NaN,
  };
}

// --- words ---------------------------------------------------------------------------------------

/** Writes a number with a few digits. */
export function number(x, digits = 3) {
  if (!Number.isFinite(x)) return "∞";
  return Math.abs(x) < 1e-6 ? "0" : String(Number((x * (1 + 1e-12)).toPrecision(digits))).replace("-", "−");
}

const percent = (share, digits) => `${number(100 * share, digits)} %`;
const inPeople = (x) => (Number.isFinite(x) ? (x * (1 + 1e-12)).toFixed(1) : "–");
const pattern = (shown) => shown.map((isOn, v) => (isOn ? VALUES[v] : "·")).join("");
const listed = (labels, counts) => counts.map((c, i) => `${labels[i]} ${number(c)}`).join(", ");
const best = (list) => list.indexOf(Math.max(...list));

/** Names the rows: by their value, by their pattern of bits, or by number. */
export function rowNames({ isBits, patterns, n }) {
  if (isBits) return patterns.map(pattern);
  return patterns.map((_, r) => (patterns.length === n ? VALUES[r] : String(r + 1)));
}

/** Gives every number that a sentence may name, written out. */
function fields(it) {
  const { p, kind, n, sent, matrix, look: [of, at], after, before, estimate } = it;
  const rows = rowNames(it);
  const spread = matrix.map((row) => Math.max(...row) / Math.max(Math.min(...row), 1e-300));
  const gamma = kind === "own" ? Math.max(...spread) : p.gamma;
  const own = it.isBits ? it.chance + it.left : matrix[0][0];
  const below = estimate.filter((e) => e < -0.05).length;
  const says = {
    N: p.people, k: sent, n, lies: it.lies, gamma: gamma < 1e9 ? number(gamma) : "∞", own: percent(own),
    other: percent(it.isBits ? it.chance : matrix[0][n - 1]), left: percent(it.left, 2),
    chance: number(it.chance * sent, 2), typical: inPeople(it.typical), miss: inPeople(it.miss),
    below: below ? `; ${below === 1 ? "one falls" : `${below} fall`} below zero` : "",
    reports: listed(rows, it.counts), truths: listed(VALUES, it.truth),
    undone: listed(VALUES, estimate) || "nothing yet",
  };
  if (of === "row") {
    const v = best(after);
    Object.assign(says, { r: rows[at], v: VALUES[v], before: percent(before[v], 2), after: percent(after[v], 2), sure: after[v] < 1 ? ", and never sure" : "" });
  } else if (of === "column") {
    const r = best(matrix.map((row) => row[at]));
    Object.assign(says, { v: VALUES[at], r: rows[r], best: percent(matrix[r][at]) });
  } else if (of === "person") {
    const [v, r, us] = [it.values[at], it.reports[at], it.uniforms[at]];
    const flips = it.patterns[r].filter((isOn, b) => isOn !== (b === v)).length;
    const kept = us[0] >= 0.5;
    const items = us.slice(2).map((u, b) => (u < it.chance && !(kept && b === v) ? VALUES[b] : "")).join("");
    Object.assign(says, { i: at + 1, v: VALUES[v], r: rows[r], flips, s: flips === 1 ? "s" : "", fate: kept ? "kept" : "cut away", items: items || "nothing" });
  }
  return says;
}

/** Chooses the sentence that says what is to be seen now. */
function sentence({ kind, undo, estimate, miss, sent, look: [of, at], after, uniforms, left, isBits, p }) {
  if (undo) {
    if (!estimate.length) return "singular";
    if (undo === 3) return miss > sent / 6 ? "noisy" : "undone";
    if (kind === "own") return "invert";
    return (undo === 1 ? "take" : "divide") + (isBits ? "_bits" : "");
  }
  if (of === "row") return sum(after) ? "row" : "never";
  if (of === "column") return kind === "diagonal" ? "column" : "column_any";
  if (of === "person") return { diagonal: uniforms[at][0] < left ? "kept" : "drew", MASK: "flipped", cut: "pasted", own: "drawn" }[kind];
  if (!sent) return "start";
  return sent === p.people ? "all" : "some";
}

/** Says what is shown: headline, three numbers and words. */
export function said(it, { words }) {
  const says = fields(it);
  const say = (name) => words[name].replace(/\{(\w+)\}/g, (_, field) => says[field]);
  const headline = say(sentence(it));
  let [value, label] = [says[{ own: "gamma", cut: "other" }[it.kind] ?? "own"], `number_${it.kind}`];
  if (it.look[0] === "row" && !it.undo && sum(it.after)) [value, label] = [`${says.before.replace(/ %$/, "")} → ${says.after}`, "number_row"];
  const last = it.undo === 3 && it.estimate.length ? "miss" : "typical";
  const numbers = [
    { value, label: say(label), rest: "" },
    { value: String(it.sent), label: say("number_sent"), rest: `of ${it.p.people}` },
    { value: says[last], label: say(`number_${last}`), rest: "people" },
  ];
  return { headline, numbers, words: [headline, say(`how_${it.kind}`), say("counts")].join(" ") };
}

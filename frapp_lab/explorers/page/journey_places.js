// Where people, matrix and reports stand on the stage.

const TALL = 182; // px: people, matrix and reports in a wide card
export const GAP = 44; // px left of the reports, for their names and for what falls below zero

/** Says where things stand: a function of the state and the width. */
export function standing(it, width) {
  const isWide = width >= 640;
  const [rows, n, N] = [it.matrix.length, it.n, it.p.people];
  const tall = isWide ? TALL : 150;
  const top = isWide ? 74 : 28;
  const peopleWidth = isWide ? 0.2 * width - 24 : width - 40;
  const m = isWide ? { x: 0.235 * width, y: top, w: 0.335 * width, h: tall } : { x: 34, y: top + tall + 74, w: width - 40, h: 170 };
  const z = isWide ? { x: 0.6 * width + GAP, y: top, h: tall } : { x: GAP + 20, y: m.y + m.h + 44, h: 170 };
  z.w = width - z.x - 64;
  const [ph, rh] = [tall / n, z.h / rows];
  const most = it.kind === "own" ? N : Math.min(N, 1.2 * it.before[0] * N);
  const pack = (w, h) => { // as large as they can be, that so many fit into a box
    let lines = 1;
    while ((w / Math.ceil(most / lines)) * lines < h && lines < 12) lines++;
    return { lines, pitch: w / Math.ceil(most / lines), step: Math.min((h - 4) / lines, w / Math.ceil(most / lines)) };
  };
  const [home, goal] = [pack(peopleWidth, ph - 4), pack(z.w, rh - 6)];
  const slot = (x, mid, i, { lines, pitch, step }) => [x + (Math.floor(i / lines) + 0.5) * pitch, mid + ((i % lines) - (lines - 1) / 2) * step];
  const [homes, goals] = [Array(n).fill(0), Array(rows).fill(0)];
  const people = it.values.map((v, i) => {
    const r = it.reports[i];
    const at = [slot(22, top + (v + 0.5) * ph, homes[v]++, home), slot(z.x, z.y + (r + 0.5) * rh, goals[r]++, goal)];
    return { home: at[0], goal: at[1], row: r, at: i < it.sent ? at[1] : at[0], isSent: i < it.sent };
  });
  const cell = (r, v) => [m.x + ((v + 0.5) * m.w) / n, m.y + ((r + 0.5) * m.h) / rows];
  const size = Math.min(home.pitch, home.step, goal.pitch, goal.step) * 0.43;
  const height = isWide ? top + tall + 8 : z.y + z.h + 8;
  const gate = (v) => [cell(0, v)[0], m.y - 12];
  return { isWide, top, ph, rh, m, z, people, cell, gate, size, height, rows, unit: goal.pitch / goal.lines };
}

// A smoke test in Firefox: `node firefox.mjs ADDRESS NOTEBOOK …` (with puppeteer-core and Firefox).
// Keys move the first slider, words and figure follow, Reset brings everything back.

import puppeteer from "puppeteer-core";

const [address, ...names] = process.argv.slice(2);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const LOOK = () => {
  const card = document.querySelector(".frapp-card");
  const plot = card.querySelector(".frapp-plot");
  return JSON.stringify([
    card.querySelector(".frapp-headline").textContent,
    card.querySelector(".frapp-summary").textContent,
    plot.data.map((trace) => [trace.meta, trace.y]),
    Object.keys(plot.layout).filter((name) => name.includes("axis")).map((name) => plot.layout[name].type),
  ]);
};

const browser = await puppeteer.launch({ browser: "firefox", executablePath: "/usr/bin/firefox", headless: true });
let faults = 0;
for (const name of names) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(`${address}/lab/tree/${name}.ipynb?reset`);
  await page.waitForSelector(".jp-Notebook .jp-Cell", { timeout: 90_000 });
  await pause(6000);
  await (await page.waitForSelector("text/Run")).click();
  await (await page.waitForSelector("text/Run All Cells")).click();
  await page.waitForSelector(".frapp-explorer .frapp-plot .main-svg", { timeout: 90_000 });
  await pause(6000);
  const first = await page.evaluate(LOOK);
  await page.focus(".frapp-explorer input[type=range]");
  for (let i = 0; i < 5; i++) {
    await page.keyboard.press("ArrowLeft");
    await pause(200);
  }
  await pause(1500);
  const moved = await page.evaluate(LOOK);
  const reset = await page.$$(".frapp-explorer button");
  for (const button of reset) {
    if ((await button.evaluate((b) => b.textContent)) === "Reset") await button.click();
  }
  await pause(5000);
  const back = (await page.evaluate(LOOK)) === first;
  const cells = (await page.$$(".jp-Cell")).length;
  const fine = moved !== first && back && cells === 1;
  faults += !fine;
  console.log(`firefox    ${name.padEnd(20)} ${fine ? "fine" : `WRONG: moved ${moved !== first}, back ${back}, ${cells} cells`}`);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/firefox_${name}.png` });
  await page.close();
}
await browser.close();
process.exitCode = faults;

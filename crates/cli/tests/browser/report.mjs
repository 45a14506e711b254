// Opens pages of `plumb check --report` in headless Chromium, uses them, and fails on any error in the console.
// node report.mjs CHROMIUM PLAYWRIGHT [--shots DIR] KIND=PAGE.html ...   (KIND: safe, unsafe, unknown, arg, large)
import { pathToFileURL } from "node:url";
import path from "node:path";

const [chromium, playwright, ...rest] = process.argv.slice(2);
const shots = rest[0] === "--shots" ? rest.splice(0, 2)[1] : undefined;
const { chromium: browserType } = await import(pathToFileURL(path.join(playwright, "index.mjs")).href);
const check = (ok, what) => {
  if (!ok) throw new Error(what);
};
const browser = await browserType.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });
try {
  for (const argument of rest) {
    const [kind, file] = argument.split("=");
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const problems = [];
    page.on("console", (m) => ["error", "warning"].includes(m.type()) && problems.push(m.text()));
    page.on("pageerror", (e) => problems.push(String(e)));
    page.on("request", (r) => r.url().startsWith("file:") || problems.push("loads " + r.url()));
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector("body[data-ready=true]", { timeout: 20000 });
    const title = await page.textContent("header h1");
    const expected = { safe: "TRUE", unsafe: "FALSE", unknown: "UNKNOWN", arg: "TRUE", large: "" }[kind];
    check(title.startsWith(expected), `${kind}: ${title}`);
    check((await page.locator("#source .row").count()) > 3, "no source");
    if (kind === "safe") check((await page.locator("#source .note").count()) > 0, "no invariant in the margin");
    if (kind === "unsafe") {
      const count = () => page.textContent("#count");
      check((await count()).startsWith("1 of "), await count());
      await page.click("#step-next");
      await page.click("#step-next");
      check((await count()).startsWith("3 of "), await count());
      await page.keyboard.press("ArrowLeft");
      check((await count()).startsWith("2 of "), await count());
      check((await page.locator("#source .row.now").count()) === 1, "one line is current");
      check((await page.locator("#values tr.changed").count()) > 0, "no value changes");
      await page.click("#step-last");
      check((await page.textContent("#steps li.now")).includes("the error"), "the end");
      check((await page.locator("#source .row.error").count()) === 1, "the error's line");
      check((await page.locator("#values td.v").count()) > 1, "no values at the end");
    }
    if (shots && (kind === "safe" || kind === "unsafe")) {
      if (kind === "unsafe") for (let i = 0; i < 6; i++) await page.click("#step-previous");
      await page.screenshot({ path: path.join(shots, `report-${kind}.png`) });
    }
    await page.click("#tab-graph");
    const boxes = () => page.locator("#canvas g[data-node]").count();
    check((await boxes()) > 1, "no graph");
    const view = () => page.getAttribute("#canvas", "viewBox");
    const [first, before] = [await view(), await boxes()];
    await page.click("#zoom-in");
    const second = await view();
    check(Number(second.split(" ")[2]) < Number(first.split(" ")[2]), "zoom in");
    const area = await page.locator("#canvas").boundingBox();
    await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
    await page.mouse.wheel(0, 200);
    await page.waitForFunction((v) => document.getElementById("canvas").getAttribute("viewBox") !== v, second);
    await page.mouse.down();
    await page.mouse.move(area.x + 40, area.y + 40, { steps: 3 });
    await page.mouse.up();
    await page.click("#zoom-fit");
    check((await view()) === first, "fit");
    // Folding a loop hides its blocks, unfolding shows them again.
    const loops = page.locator("#canvas g.loop");
    if (await loops.count()) {
      await loops.first().click();
      const folded = await boxes();
      check(folded !== before, "fold");
      await loops.first().click();
      check((await boxes()) === before, "unfold");
    }
    if (kind === "large") {
      check((await page.locator("#canvas g.folded").count()) > 0, "a large graph begins folded");
      check((await boxes()) <= 400, "too much is drawn");
      check((await page.locator("#function option").count()) > 1, "one graph for each function");
      await page.selectOption("#function", { index: 1 });
      check((await boxes()) > 0, "the second graph");
    }
    if (kind === "arg") {
      await page.selectOption("#function", { label: "reachability graph" });
      check((await page.textContent("#canvas")).includes("entry"), "the reachability graph");
    }
    if (shots && kind === "safe") await page.screenshot({ path: path.join(shots, "report-graph.png") });
    await page.click("#tab-statistics");
    check((await page.locator("#statistics rect.bar").count()) > 0, "no statistics");
    await page.click("#tab-certificate");
    check((await page.textContent("#certificate")).includes("SHA-256"), "no certificate");
    check(problems.length === 0, `${kind}: ${problems.join("; ")}`);
    await page.close();
  }
} finally {
  await browser.close();
}
console.log("pages:", rest.length);

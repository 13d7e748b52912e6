// Evolution and its results in a real browser: runs as they go on, stopped, resumed, compared and kept.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open, PROGRAM, serve, sticksOut, suite } from "./tools.js";

const here = suite();
const { onPage } = here;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PHONE = { width: 390, height: 844, isMobile: true, hasTouch: true };

/** Opens a screen afresh: of the one before, which looks alike, nothing is left to be mistaken for it. */
async function visit(page, address) {
  await page.goto("about:blank");
  await page.goto(address);
}

/** Starts a run by the form. */
async function start(page, { seed, generations, preset = "paper", game = "dobutsu" }) {
  await page.goto(`${here.server.address}${new URL(page.url()).search}#/runs`);
  await page.waitForSelector("#run-form");
  await page.selectOption("#run-game", game);
  await page.selectOption("#run-preset", preset);
  await page.fill("#run-seed", String(seed));
  await page.fill("#run-generations", String(generations));
  // The run of the test before may not be over yet: there is one at a time.
  for (let tries = 0; tries < 60 && !(await page.locator("#run").count()); tries += 1) {
    await page.click("#run-start");
    await page.waitForSelector("#run", { timeout: 2000 }).catch(() => {});
  }
  await page.waitForSelector("#run");
}

const finished = (page) => page.waitForSelector("#run[data-state=finished]", { timeout: 120000 });
const reached = (page, generation) => page.waitForFunction((least) => Number(document.querySelector("#run-status")?.dataset.generation) >= least, generation, { timeout: 120000 });
const generation = async (page) => Number(await page.getAttribute("#run-status", "data-generation"));

/** A learner's folder with some cycles. */
function learner(id, cycles) {
  const folder = join(here.server.folder, id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "run.toml"), 'version = "0.1.0"\ngame = "dobutsu"\ncommand = "learn alphazero"\n\n[learner]\npreset = "small"\nrules = "paper"\nseed = 5\ncycles = 60\n');
  const rows = Array.from({ length: cycles }, (_, at) => `${at + 1},${2 - at / 50},${1 - at / 90},${0.5 + at / 200},${at % 5 ? "" : at / 100},0.9\n`);
  writeFileSync(join(folder, "cycles.csv"), `cycle,policy_loss,value_loss,tree_keeps,"score against strong:depth=6, slow",score against random\n${rows.join("")}`);
}

/** What axe finds wrong with the page. */
async function faults(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
}

/** Letters of charts that stick out of their drawing. */
const clipped = (page) => page.evaluate(() => [...document.querySelectorAll(".plot")].flatMap((plot) => {
  const around = plot.getBoundingClientRect();
  const outside = (box) => box.left < around.left - 0.5 || box.right > around.right + 0.5 || box.top < around.top - 0.5 || box.bottom > around.bottom + 0.5;
  return [...plot.querySelectorAll("text")].filter((text) => outside(text.getBoundingClientRect())).map((text) => text.textContent);
}));

/** Saves what a click gives, and reads it. */
async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

onPage("a run shows how far it is and how strong, is stopped and resumed", async (page) => {
  await start(page, { seed: 1, generations: 200, preset: "robust" });
  await reached(page, 2);
  assert.equal(await page.locator(".chart.small").count(), 9);
  assert.equal(await page.evaluate(() => document.querySelector("#run-bar").max), 200);
  assert.ok(await page.evaluate(() => document.querySelector("#run-bar").value) >= 2);
  await page.waitForSelector("#time-left:has-text('left')");
  assert.match(await page.textContent("#time-left"), /about (\d+ s|\d+ min|\d+ h \d+ min) left/);
  // Its strength is known long before its end.
  await page.waitForSelector(".chart:has-text('Winners against the untrained values')", { timeout: 60000 });
  assert.match(await page.textContent("#run"), /50 games a side/);
  assert.equal(await page.getAttribute("#run", "data-state"), "running");
  await page.focus("#run-stop");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#run[data-state=stopped]", { timeout: 60000 });
  assert.equal(await page.evaluate(() => document.activeElement.id), "run-resume", "whoever stopped it is where it can be resumed");
  assert.equal(await page.textContent("#time-left"), "");
  const before = await generation(page);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#run[data-state=running]");
  await reached(page, before + 1);
  assert.equal(await page.evaluate(() => document.activeElement.id), "run-stop");
  // Meanwhile no other can begin, and the page says so itself.
  const other = await page.context().newPage();
  await other.goto(`${here.server.address}?lang=ja#/runs`);
  await other.click("#run-start");
  await other.waitForSelector("#run-form .problem:has-text('まだつづいています')");
  // The list goes on too, and leaves whoever is on it where they are.
  await other.focus("[data-run=web-robust-seed1]");
  const value = () => other.evaluate(() => document.querySelector("[data-run=web-robust-seed1] progress").value);
  const first = await value();
  await other.waitForFunction((first) => document.querySelector("[data-run=web-robust-seed1] progress").value > first, first, { timeout: 60000 });
  assert.equal(await other.evaluate(() => document.activeElement.dataset.run), "web-robust-seed1");
  await other.close();
  await page.click("#run-stop");
  await page.waitForSelector("#run[data-state=stopped]", { timeout: 60000 });
});

onPage("each weight has its chart, which a click enlarges; scales are shared or own", async (page) => {
  await start(page, { seed: 11, generations: 60 });
  await finished(page);
  const opener = page.locator(".opener").nth(3);
  const tops = () => page.locator(".chart.small .plot, .grid-of-charts .plot").evaluateAll((plots) => plots.map((plot) => [...plot.querySelectorAll(".tick[text-anchor=end]")].at(-1).textContent));
  assert.equal(new Set(await tops()).size, 1, "one scale for all");
  await page.check(".multiples .check input");
  assert.ok(new Set(await tops()).size > 1, "each its own");
  await page.uncheck(".multiples .check input");
  await page.locator(".chart.small .plot").nth(3).click();
  assert.equal(await opener.getAttribute("aria-expanded"), "true");
  const large = page.locator(".grid-of-charts .chart:not(.small)");
  assert.equal(await large.count(), 1);
  assert.ok((await large.boundingBox()).width > 900);
  // Keys read it aloud.
  await large.locator(".plot").focus();
  await page.keyboard.press("Home");
  assert.match(await page.textContent("#live"), /^generation 1, this run: [\d.]+, paper: [\d.]+/);
  await page.keyboard.press("+");
  assert.ok(await large.locator(".zoom-out").isVisible());
  await page.keyboard.press("Escape");
  await opener.click();
  assert.equal(await large.count(), 0);
  assert.deepEqual(await clipped(page), []);
  assert.equal(await page.locator(".axis-y").count(), 11);
});

onPage("all four games have their weights", async (page) => {
  for (const [game, weights] of [["kyoto", 12], ["quoridor", 5], ["hasami", 4]]) {
    await start(page, { seed: 1, generations: 2000, game });
    await reached(page, 1);
    assert.equal(await page.locator(".chart.small").count(), weights, game);
    assert.deepEqual(await clipped(page), [], game);
    await page.click("#run-stop");
    await page.waitForSelector("#run[data-state=stopped]", { timeout: 60000 });
  }
});

/** Every kind of run that the main command makes, the README's first one at the head; how many weights evolve, and whether the paper has them and says when they froze. */
const COMMANDS = [
  ["--generations 20 --fix-side first", 9, true, false],
  ["--generations 20 --fix-side second", 9, true, false],
  ["--generations 20 --seed 2", 9, true, true],
  ["--generations 5 --islands 2", 9, true, true],
  ["--generations 5 --genes full", 12, true, true],
  ["--generations 1 --preset robust --validation-games 2", 9, false, false],
  ["--game kyoto --generations 2 --validation-games 2", 12, false, false],
  ["--game quoridor --generations 2 --validation-games 2 --fix-side second", 5, false, false],
  ["--game hasami --generations 2 --validation-games 2", 4, false, false],
];

onPage("whatever the main command has made can be opened", async (page) => {
  for (const [at, [command, weights, paper, frozen]] of COMMANDS.entries()) {
    const id = `made-${at}`;
    execFileSync(PROGRAM, [...command.split(" "), "--out", join(here.server.folder, id)], { stdio: "pipe" });
    await visit(page, `${here.server.address}#/runs/${id}`);
    await page.waitForSelector("#run, .problem");
    assert.deepEqual(await page.locator("#screen .problem").allTextContents(), [], command);
    assert.equal(await page.getAttribute("#run", "data-state"), "finished", command);
    assert.equal(await page.locator(".chart.small").count(), weights, command);
    const heads = await page.locator("#run section:not(.downloads) thead th").allTextContents();
    assert.equal(heads.includes("paper"), paper, `${command}: ${heads}`);
    assert.equal(heads.some((head) => head.includes("(paper)")), frozen, `${command}: ${heads}`);
  }
});

onPage("two runs are compared", async (page) => {
  for (const seed of [21, 22]) {
    await start(page, { seed, generations: 40 });
    await finished(page);
  }
  await page.waitForSelector("#compare");
  await page.selectOption("#compare", "web-paper-seed21");
  await page.waitForSelector(".chart.small .dashed");
  assert.equal(await page.locator(".chart.small .dashed").count(), 9);
  assert.equal(await page.locator(".chart:not(.small) .dashed").count(), 3);
  assert.match(await page.textContent("thead"), /this run.*web-paper-seed21/);
  const row = await page.locator("tbody tr").first().locator("td").allTextContents();
  const champion = readFileSync(join(here.server.folder, "web-paper-seed21", "champion.toml"), "utf8");
  assert.equal(Number(row[2]).toFixed(1), Number(/chick = ([\d.]+)/.exec(champion)[1]).toFixed(1));
  await page.selectOption("#compare", "");
  await page.waitForFunction(() => !document.querySelector(".dashed"));
  learner("net-a", 30);
  learner("net-b", 20);
  await visit(page, `${here.server.address}#/runs/net-a`);
  await page.waitForSelector("#compare");
  assert.equal(await page.locator(".chart.small").count(), 5);
  assert.match(await page.textContent("#run-progress"), /30 of 60/);
  await page.selectOption("#compare", "net-b");
  await page.waitForSelector(".dashed");
  assert.equal(await page.locator(".dashed").count(), 5);
});

onPage("tables and charts are kept", async (page) => {
  await start(page, { seed: 31, generations: 40 });
  await finished(page);
  const table = await saved(page, () => page.click("#downloads a:has-text('generations.csv')"));
  assert.equal(table.name, "web-paper-seed31-generations.csv");
  assert.equal(table.text, readFileSync(join(here.server.folder, "web-paper-seed31", "generations.csv"), "utf8"));
  assert.ok(await page.locator("#downloads a:has-text('genes.png')").count());
  const one = await saved(page, () => page.locator(".chart:not(.small) .tools button:has-text('SVG')").first().click());
  assert.equal(one.name, "web-paper-seed31-scores.svg");
  const all = await saved(page, () => page.locator(".multiples-head button").click());
  assert.equal(all.name, "web-paper-seed31-values.svg");
  for (const { text } of [one, all]) {
    // It stands by itself: no class and no variable of the page.
    assert.ok(text.startsWith("<svg") && !text.includes("class=") && !text.includes("var("), text.slice(0, 500));
    assert.ok(text.includes("stroke-width") && text.includes("font-size") && text.includes("generation"));
  }
  assert.ok(one.text.includes("Points per game") && one.text.includes("mean of all"));
  assert.equal(all.text.match(/<svg/g).length, 10);
  const whole = await page.evaluate((text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")?.textContent ?? "", all.text);
  assert.equal(whole, "");
});

onPage("what is no whole number is told at its place and not sent", async (page) => {
  const sent = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.goto(`${here.server.address}#/runs`);
  await page.waitForSelector("#run-form");
  for (const [typed, sentence] of [["10.5", "Generations: 10.5 cannot be used. Type a whole number from 1 to 2000."], ["0", "Generations: 0 cannot be used. Type a whole number from 1 to 2000."], ["", "Generations: a whole number from 1 to 2000 is needed."]]) {
    await page.fill("#run-generations", typed);
    await page.click("#run-start");
    assert.equal(await page.textContent("#run-generations-problem"), sentence);
    assert.equal(await page.evaluate(() => document.activeElement.id), "run-generations");
    assert.equal(await page.getAttribute("#run-generations", "aria-invalid"), "true");
  }
  await page.click("#language");
  await page.waitForSelector("#run-form:has-text('シード')");
  await page.fill("#run-seed", "1.5");
  await page.click("#run-start");
  assert.match(await page.textContent("#run-seed-problem"), /シード：「1\.5」は使えません。/);
  assert.deepEqual(sent, []);
  // What is mended is no longer complained about.
  await page.fill("#run-seed", "2");
  assert.ok(!(await page.isVisible("#run-seed-problem")));
  // Whoever asks the server itself is answered in its own words, too.
  const answer = await page.evaluate(async () => {
    const token = document.querySelector("meta[name=dobutsu-token]").content;
    const response = await fetch("/api/runs", { method: "POST", headers: { "content-type": "application/json", "x-dobutsu-token": token }, body: '{"seed":1,"generations":10.5}' });
    return (await response.json()).error;
  });
  assert.equal(answer, "generations is 10.5: it must be a whole number from 1 to 2000");
});

/** The circles of the warm-up: where each is in the drawing. */
const circles = (page) => page.locator("#warmup .plot circle").evaluateAll((circles) => circles.map((circle) => `${circle.getAttribute("cx")} ${circle.getAttribute("cy")}`));
const warmup = async (page) => {
  const [, generation, error] = /^generation (\d+), error ([\d.]+)$/.exec(await page.textContent("#warmup-now"));
  return { generation: Number(generation), error: Number(error) };
};
const openWarmup = async (page) => {
  await visit(page, `${page.url().split("#")[0]}#/runs`);
  await page.waitForSelector("#warmup-now:not(:empty)");
};

onPage("the warm-up's circles follow the sine, by slider, keys and by themselves", async (page) => {
  await openWarmup(page);
  assert.match(await page.textContent("#warmup"), /Figure 1 of the Dobutsu Shogi thesis/);
  const first = await warmup(page);
  assert.equal(first.generation, 1);
  assert.ok(first.error > 100, `${first.error}`);
  const scattered = await circles(page);
  assert.equal(scattered.length, 20);
  // With keys; the last generation is what the experiment has measured with this seed.
  await page.focus("#warmup-generation");
  await page.keyboard.press("ArrowRight");
  assert.equal((await warmup(page)).generation, 2);
  await page.keyboard.press("End");
  const last = await warmup(page);
  const { best } = await (await fetch(`${here.server.address}api/curve?seed=1&elite=1&mutation=1`)).json();
  assert.deepEqual(last, { generation: 1000, error: best.at(-1).error });
  assert.ok(last.error < 10, `${last.error}`);
  assert.equal(await page.getAttribute("#warmup-generation", "aria-valuetext"), await page.textContent("#warmup-now"));
  assert.notDeepEqual(await circles(page), scattered);
  // Keys read the chart too, circle by circle.
  await page.locator("#warmup .plot").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.textContent("#live"), /^t 0\.\d, best individual: [\d.−]+, sin t: 0\.\d+$/);
  // Each choice has a run of its own.
  for (const [choose, id] of [["5", "warmup-mutation"], ["2", "warmup-elite"]]) {
    const before = await page.textContent("#warmup-now");
    await page.selectOption(`#${id}`, choose);
    await page.waitForFunction((before) => document.querySelector("#warmup-now").textContent !== before, before);
  }
  const sent = [];
  page.on("request", (request) => sent.push(request.url()));
  await page.fill("#warmup-seed", "1.5");
  await page.keyboard.press("Enter");
  assert.equal(await page.textContent("#warmup-seed-problem"), `Seed: 1.5 cannot be used. Type a whole number from 1 to ${2 ** 53 - 1}.`);
  assert.deepEqual(sent, []);
  await page.fill("#warmup-seed", "2");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("#warmup-seed-problem").textContent);
  // From the end it begins anew, pauses where it is, and says where that is.
  await page.click("#warmup-play");
  await page.waitForFunction(() => Number(document.querySelector("#warmup-generation").value) > 5);
  await page.click("#warmup-play");
  const paused = await warmup(page);
  assert.ok(paused.generation < 900, `${paused.generation}`);
  assert.equal(await page.textContent("#live"), await page.textContent("#warmup-now"));
  await page.waitForTimeout(300);
  assert.deepEqual(await warmup(page), paused);
  // Once played to its end it stops by itself.
  await page.fill("#warmup-generation", "990");
  await page.click("#warmup-play");
  await page.waitForSelector("#warmup-play:has-text('Play')");
  assert.equal((await warmup(page)).generation, 1000);
  const { text } = await saved(page, () => page.locator("#warmup .tools button:has-text('SVG')").click());
  assert.ok(text.includes("Warm-up") && text.match(/<circle/g).length >= 20);
});

onPage("for who wants less motion, the warm-up plays as a few pictures", async (page) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openWarmup(page);
  await page.click("#warmup-play");
  const seen = [];
  for (const next of [2, 4]) {
    await page.waitForFunction((next) => Number(document.querySelector("#warmup-generation").value) >= next, next);
    seen.push((await warmup(page)).generation);
  }
  assert.deepEqual(seen, [2, 4]);
});

for (const colorScheme of ["light", "dark"]) {
  onPage(`the warm-up fits on a small phone, in Japanese: ${colorScheme}`, async (page) => {
    await openWarmup(page);
    assert.match(await page.textContent("#warmup"), /論文の図1/);
    assert.match(await page.textContent("#warmup-now"), /^1世代目、誤差 [\d.]+$/);
    assert.deepEqual(await sticksOut(page), []);
    assert.deepEqual(await clipped(page), []);
    assert.deepEqual(await faults(page), []);
  }, { width: 360, height: 640, isMobile: true, hasTouch: true, colorScheme, query: "?lang=ja" });
}

onPage("fingers tap, pinch and scroll", async (page) => {
  await start(page, { seed: 41, generations: 60 });
  await finished(page);
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(await clipped(page), []);
  await page.locator(".chart.small .plot").first().tap();
  const large = page.locator(".grid-of-charts .chart:not(.small)");
  assert.equal(await large.count(), 1, "a tap enlarges");
  const plot = large.locator(".plot");
  await plot.evaluate((element) => element.scrollIntoView({ block: "center" }));
  await plot.tap();
  assert.match(await large.locator(".tip").textContent(), /generation \d+ this run: \d/);
  const box = await plot.boundingBox();
  const [middle, height] = [box.x + box.width / 2, box.y + box.height / 2];
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, ...xs) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x, y: height, id })) });
  await touch("touchStart", middle - 20, middle + 20);
  for (const wide of [30, 45, 60, 80]) await touch("touchMove", middle - wide, middle + wide);
  await touch("touchEnd");
  assert.ok(await large.locator(".zoom-out").isVisible(), "a pinch zooms in");
  const ticks = await large.locator(".tick[text-anchor=middle]:not(.axis-x):not(.axis-y)").allTextContents();
  assert.ok(Number(ticks[0]) > 10 && Number(ticks.at(-1)) < 55, ticks.join());
  assert.deepEqual(await clipped(page), []);
  await large.locator(".zoom-out").tap();
  assert.ok(!(await large.locator(".zoom-out").isVisible()));
  // One finger scrolls the page, also from a chart.
  const before = await page.evaluate(() => scrollY);
  const finger = (type, ...ys) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: ys.map((y) => ({ x: middle, y })) });
  await finger("touchStart", height);
  for (let step = 1; step <= 10; step += 1) await finger("touchMove", height - 12 * step);
  await finger("touchEnd");
  await page.waitForFunction((before) => scrollY > before + 40, before, { timeout: 5000 });
}, PHONE);

/** The screens with a folder of results as it comes with the program. */
async function readOn(page, address, look) {
  for (const id of ["", "/guideline", "/figure2", "/figure15", "/table5"]) {
    await visit(page, `${address}#/runs${id}`);
    await page.waitForSelector(id ? "#run h1" : "[data-run=guideline]");
    assert.equal(await page.locator("h1").count(), 1, id);
    await look(id);
  }
}

test("figures and the guideline are there to read", { timeout: 240000 }, async () => {
  const server = await serve({ results: fileURLToPath(new URL("../../results", import.meta.url)) });
  try {
    for (const [query, size] of [["", {}], ["?lang=ja", { ...PHONE, colorScheme: "dark" }]]) {
      const page = await open(here.browser, `${server.address}${query}`, size);
      await readOn(page, `${server.address}${query}`, async (id) => {
        assert.deepEqual(await sticksOut(page), [], id);
        assert.deepEqual(await clipped(page), [], id);
        assert.deepEqual(await faults(page), [], `${query} ${id}`);
        if (!id) return;
        const pictures = page.locator("#run img");
        assert.ok(await pictures.count(), id);
        await pictures.first().scrollIntoViewIfNeeded();
        await page.waitForFunction(() => document.querySelector("#run img").naturalWidth > 100);
      });
      // What a table's corner says of its rows and columns.
      await visit(page, `${server.address}${query}#/runs/table3`);
      await page.waitForSelector("#run table");
      assert.ok((await page.locator("#run thead th").allTextContents()).includes("second \\ first"));
      await page.goto(`${server.address}${query}#/runs/guideline`);
      await page.waitForSelector(".article li:has-text('worth nearly two giraffes')");
      assert.ok(await page.locator(".article img").count() >= 2, "its pictures stand in the text");
      assert.deepEqual(page.problems, []);
      await page.context().close();
    }
  } finally {
    server.stop();
  }
});

for (const [name, options] of [["light", {}], ["dark, Japanese, phone", { ...PHONE, colorScheme: "dark", query: "?lang=ja" }]]) {
  onPage(`nothing keeps anybody out: ${name}`, async (page) => {
    await start(page, { seed: name.length, generations: 30 });
    await finished(page);
    await page.locator(".opener").first().click();
    await page.locator("details summary").click();
    assert.deepEqual(await faults(page), []);
    assert.deepEqual(await sticksOut(page), []);
    learner("net-c", 12);
    await visit(page, `${here.server.address}${options.query ?? ""}#/runs/net-c`);
    await page.waitForSelector("#run .chart");
    assert.deepEqual(await faults(page), []);
    assert.deepEqual(await clipped(page), []);
    await page.goto(`${here.server.address}${options.query ?? ""}#/runs`);
    await page.waitForSelector("#run-form");
    await page.fill("#run-generations", "10.5");
    await page.click("#run-start");
    assert.deepEqual(await faults(page), []);
    assert.equal(await page.locator("h1").count(), 1);
  }, options);
}

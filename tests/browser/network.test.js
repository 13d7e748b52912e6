// Networks that learn by playing themselves, in a real browser: playing against one, and watching one learn.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { begin, move, PROGRAM, sticksOut, suite } from "./tools.js";

const here = suite();
const { onPage } = here;

const visits = (page) => page.locator("#analysis .tries").evaluateAll((rows) => rows.map((row) => Number(row.dataset.visits)));

onPage("a network is played and shows what it thinks", async (page) => {
  await begin(page, "cpu", async () => {
    await page.selectOption("#cpu-player", "alphazero");
    await page.selectOption("#cpu-simulations", "25");
  });
  await page.check("#analysis-on");
  await page.waitForSelector("[data-source=network]");
  const counts = await visits(page);
  assert.equal(counts.length, 4);
  assert.equal(counts.reduce((sum, count) => sum + count, 0), 25);
  assert.match(await page.textContent("#analysis"), /tried moves 25 times.*Blue.*★ .*\d+× · \d+ % · at first \d+ %/s);
  // The bar of what was tried most is the longest.
  const widths = await page.locator("#analysis .share").evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  assert.equal(widths.indexOf(Math.max(...widths)), counts.indexOf(Math.max(...counts)));
  await page.click("[data-judge=exact]");
  await page.waitForSelector("[data-source=search]");
  await page.click("#language");
  await page.click("[data-judge=second]");
  await page.waitForSelector("[data-source=network]:has-text('青')");
  await page.click("#language");
  await move(page, "B3", "B2");
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 2);
  await page.waitForSelector("#analysis [data-ply='2'] [data-source=network]");
  await page.uncheck("#analysis-on");
  assert.equal(await page.locator("[data-judge]").count(), 0);
});

onPage("two networks are asked one by one, and a typed one is a network too", async (page) => {
  await begin(page, "watch", async () => {
    await page.selectOption("#first-player", "alphazero");
    await page.selectOption("#first-simulations", "0");
    await page.selectOption("#second-player", "custom");
    await page.fill("#second-custom", "alphazero:simulations=9");
  }, "kyoto");
  await page.click("#pause");
  await page.click("#to-start");
  await page.check("#analysis-on");
  await page.click("[data-judge=second]");
  await page.waitForSelector("[data-source=network]:has-text('9 times')");
  await page.click("[data-judge=first]");
  await page.waitForSelector("[data-source=network]:has-text('at first sight, with nothing tried')");
  assert.deepEqual(await sticksOut(page), []);
  await page.uncheck("#analysis-on");
}, { width: 390, height: 844 });

onPage("a network is watched while it learns", async (page) => {
  const folder = join(here.server.folder, "small-net");
  const sizes = ["--filters", "4", "--blocks", "1", "--games", "16", "--simulations", "4", "--measure-games", "2", "--measure-simulations", "4", "--epochs", "1"];
  const learner = spawn(PROGRAM, ["learn", "alphazero", "--game", "dobutsu", "--cycles", "100000", ...sizes, "--opponent", "random", "--out", folder, "--threads", "1"], { stdio: "ignore" });
  const over = new Promise((done) => learner.on("exit", done));
  try {
    const reached = (count) => page.waitForFunction((count) => Number(document.querySelector("#run-status")?.dataset.cycle) >= count, count, { timeout: 60000 });
    while (!existsSync(join(folder, "run.toml"))) await page.waitForTimeout(50);
    await page.goto(`${here.server.address}#/runs`);
    await page.click("[data-run=small-net]:has-text('going on')");
    await reached(1);
    const before = Number(await page.getAttribute("#run-status", "data-cycle"));
    await reached(before + 1);
    assert.equal(await page.getAttribute("#run", "data-state"), "running");
    assert.match(await page.textContent("#run"), /Points per game against others.*random.*careless.*cross-entropy/s);
    await page.locator(".plot").first().hover();
    assert.match(await page.locator(".tip").first().textContent(), /cycle \d+ this run: \d\.\d{3}/);
  } finally {
    learner.kill("SIGINT");
    await over;
  }
  await page.waitForSelector("#run[data-state=stopped]", { timeout: 30000 });
  await page.click("#play-network");
  await page.waitForSelector("#start");
  assert.equal(await page.inputValue("#cpu-player"), "net=small-net");
});

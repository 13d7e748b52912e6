// The page in a real browser. See README.md beside this file for how to run it.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { begin, by, ended, move, open, paste, played, serve, square, sticksOut, suite, table, turn, words } from "./tools.js";

const here = suite();
const { onPage } = here;

/** The move that the analysis likes best, as squares to click. */
async function best(page) {
  const count = await played(page);
  await page.waitForFunction((count) => document.querySelector("#analysis .worths")?.dataset.ply === String(count), count, { timeout: 30000 });
  const text = await page.textContent("#analysis .worths li .what");
  const drop = /^(\w+) dropped on ([A-C]\d)/.exec(text);
  return drop ? [drop[1], drop[2]] : /([A-C]\d) to ([A-C]\d)/.exec(text).slice(1);
}

onPage("the first page is small and quick", async (page) => {
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").reduce((sum, entry) => sum + entry.encodedBodySize, performance.getEntriesByType("navigation")[0].encodedBodySize));
  assert.ok(loaded > 20000 && loaded < 120000, `${loaded} bytes`);
  // The title screen is built by the script, so its first paint is when it can be used. Printed only: machines differ.
  const painted = () => page.evaluate(async () => {
    while (!performance.getEntriesByName("first-contentful-paint").length) await new Promise(requestAnimationFrame);
    return performance.getEntriesByName("first-contentful-paint")[0].startTime;
  });
  const cold = await painted();
  await page.reload();
  await page.waitForSelector("#mode-people");
  console.log(`first page: ${loaded} bytes, usable after ${cold.toFixed(0)} ms in a new browser, ${(await painted()).toFixed(0)} ms when loaded again`);
  for (const mode of ["people", "cpu", "watch", "rules", "runs"]) assert.ok(await page.isVisible(`#mode-${mode}`), mode);
});

onPage("two people play to a catch by clicking", async (page) => {
  await begin(page, "people");
  assert.match(await page.textContent("#turn"), /Blue to move/);
  await square(page, "B3").click();
  assert.equal(await page.locator(".piece.chosen[data-kind=chick]").count(), 1);
  assert.equal(await page.locator(".square.take").count(), 1);
  await square(page, "B3").click();
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  await move(page, "B3", "B2");
  assert.match(await page.textContent("#turn"), /Red to move/);
  assert.equal(await page.locator(".square.last").count(), 2);
  await move(page, "A1", "A2");
  await move(page, "B2", "B1");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "Blue wins!");
  assert.equal(await by(page), "catch");
  await page.click("#over-menu");
  await page.waitForSelector("#mode-people");
});

onPage("a try, a draw by repetition and a win of the second player end the game", async (page) => {
  await begin(page, "people");
  await paste(page, "3/L1l/3/E1G[CEGc] w 0 1");
  await move(page, "A2", "A1");
  await ended(page);
  assert.equal(await by(page), "try");
  await page.click("#again");
  await page.waitForFunction(() => !document.querySelector("#moves li:not(.none)"));
  for (const [from, to] of [["C4", "C3"], ["A1", "A2"], ["C3", "C4"], ["A2", "A1"], ["C4", "C3"], ["A1", "A2"], ["C3", "C4"], ["A2", "A1"]]) await move(page, from, to);
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "A draw!");
  assert.equal(await by(page), "repetition");
  await page.click("#again");
  await page.waitForFunction(() => !document.querySelector("#moves li:not(.none)"));
  for (const [from, to] of [["C4", "C3"], ["B2", "B3"], ["A4", "B3"], ["C1", "C2"]].slice(0, 2)) await move(page, from, to);
  await move(page, "C3", "C2");
  await move(page, "B3", "B4");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "Red wins!");
});

onPage("a drop and a promotion", async (page) => {
  await begin(page, "people");
  await move(page, "B3", "B2");
  await move(page, "B1", "B2");
  await page.locator(".held[data-hand=first][data-kind=chick]").click();
  assert.equal(await page.locator(".square.target").count(), 6);
  await square(page, "B3").click();
  await page.waitForSelector(".piece[data-kind=chick][data-at='7']");
  assert.match(await page.textContent("#moves"), /chick dropped on B3/);
  assert.equal(await page.locator(".held[data-hand=first]").count(), 0);
  await paste(page, "1le/C1g/3/ELG[c] w 0 1");
  await move(page, "A2", "A1");
  await page.waitForSelector(".piece[data-kind=hen][data-at='0']");
  assert.match(await page.textContent("#moves"), /becomes a hen/);
});

onPage("an illegal move is refused", async (page) => {
  await begin(page, "people");
  await square(page, "B4").click();
  await square(page, "A1").click();
  assert.equal(await played(page), 0);
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  assert.match(await page.textContent("#live"), /cannot go there/);
  // Red's animals are not Blue's to move.
  await square(page, "B2").click();
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  await paste(page, "b2b3 b3b1");
  assert.match(await page.textContent("#transfer .problem"), /Move 2: “b3b1” cannot be played there/);
  assert.equal(await played(page), 0);
  const refused = await page.evaluate(async () => {
    const response = await fetch("/api/state", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ game: { moves: ["b1b4"] } }) });
    return [response.status, (await response.json()).error];
  });
  assert.equal(refused[0], 422);
});

onPage("a person plays the computer to the end", async (page) => {
  await begin(page, "cpu", () => page.locator("[data-level='very-easy']").click());
  await page.check("#analysis-on");
  for (let turns = 0; turns < 120; turns += 1) {
    await page.waitForFunction(() => document.querySelector("dialog[open]") || /Your turn/.test(document.querySelector("#turn").textContent), null, { timeout: 30000 });
    if (await page.locator("dialog[open]").count()) break;
    const [from, to] = await best(page);
    await move(page, from, to);
  }
  await ended(page);
  assert.match(await page.textContent("#over-title"), /You win|You lost|draw/);
});

onPage("the computer begins if a person plays Red, and a move can be taken back", async (page) => {
  await begin(page, "cpu", async () => {
    await page.selectOption("#seat", "second");
    await page.selectOption("#cpu-player", "material");
    await page.selectOption("#cpu-depth", "2");
  });
  await page.waitForFunction(() => /Your turn/.test(document.querySelector("#turn").textContent));
  assert.equal(await played(page), 1);
  // The board is turned: the first button is C4.
  assert.equal(await page.locator(".square").first().getAttribute("data-square"), "11");
  await page.check("#analysis-on");
  const [from, to] = await best(page);
  await move(page, from, to);
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length >= 3);
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 1);
  await page.uncheck("#analysis-on");
});

onPage("two computers play to the end, with pause and single moves", async (page) => {
  await begin(page, "watch", async () => {
    await page.selectOption("#first-player", "random");
    await page.selectOption("#second-player", "material");
    await page.selectOption("#second-depth", "3");
  });
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length > 0);
  await page.click("#pause");
  const count = await played(page);
  await page.waitForTimeout(1200);
  assert.equal(await played(page), count);
  await page.click("#one-move");
  await page.waitForFunction((count) => document.querySelectorAll("#moves li:not(.none)").length === count + 1, count);
  await page.locator("#speed").fill("5");
  await page.click("#pause");
  await ended(page);
  await page.click("#look");
  const all = await played(page);
  await page.click("#to-start");
  await page.waitForFunction(() => /of/.test(document.querySelector(".viewing").textContent));
  assert.equal(await page.locator(".piece").count(), 8);
  await page.click("#step-forward");
  await page.waitForFunction(() => document.querySelector("#moves .now"));
  await page.click("#to-end");
  assert.equal(await played(page), all);
});

onPage("positions and games are copied and pasted", async (page) => {
  await begin(page, "people");
  await move(page, "B3", "B2");
  await page.locator("#transfer summary").click();
  await page.click("#copy-fen");
  await page.waitForSelector("#transfer .note > *");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "gle/1C1/3/ELG[C] b 0 1");
  await page.click("#copy-record");
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("{"));
  const record = await page.evaluate(() => navigator.clipboard.readText());
  await page.click("#new-game");
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 0);
  await paste(page, record);
  assert.equal(await played(page), 1);
  await paste(page, "gle/1c1/1C1/ELG[-] w 0 1 b2b3 b4b3");
  assert.equal(await played(page), 2);
  await paste(page, "no such game");
  assert.equal(await page.locator("#transfer .problem").count(), 1);
}, { permissions: ["clipboard-read", "clipboard-write"] });

onPage("the keyboard is enough", async (page) => {
  await page.keyboard.press("Tab");
  await begin(page, "people");
  await page.locator(".square[tabindex='0']").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".piece.chosen[data-kind=chick]").count(), 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 1);
  await page.keyboard.press("f");
  assert.equal(await page.locator(".square").first().getAttribute("data-square"), "11");
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 0);
  assert.match(await page.locator("[data-square='7']").getAttribute("aria-label"), /B3, Blue chick/);
});

onPage("both languages, and the choice is remembered", async (page) => {
  assert.equal(await page.getAttribute("html", "lang"), "en");
  await page.click("#language");
  await page.waitForSelector("html[lang=ja] h1:has-text('どうぶつしょうぎ')");
  await page.goto(`${here.server.address}#/rules`);
  await page.reload();
  await page.waitForSelector(".rules h1");
  assert.equal(await page.textContent(".rules h1"), "あそびかた");
  await begin(page, "people");
  await move(page, "B3", "B2");
  await move(page, "A1", "A2");
  await move(page, "B2", "B1");
  await ended(page);
  assert.equal(await words(page, "#over-title"), "青（先手）の勝ち！");
  await page.click("#look");
  await page.click("#language");
  await page.waitForSelector("#turn:has-text('Blue wins')");
});

onPage("the address can ask for Japanese", async (page) => {
  assert.equal(await page.getAttribute("html", "lang"), "ja");
}, { query: "?lang=ja" });

onPage("everything fits on a phone", async (page) => {
  const fits = async (screen) => assert.deepEqual(await sticksOut(page), [], screen);
  await fits("menu");
  for (const route of ["setup/cpu", "setup/watch", "setup/people", "rules", "runs"]) {
    await page.goto(`${here.server.address}#/${route}`);
    await page.waitForSelector(`#screen[data-screen="${route.split("/")[0]}"]`);
    await fits(route);
  }
  await begin(page, "people");
  await fits("play");
  const box = await page.locator(".board").boundingBox();
  assert.ok(box.y + box.height <= 640 && box.width >= 200, JSON.stringify(box));
  await square(page, "B3").tap();
  await square(page, "B2").tap();
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 1);
  assert.equal(await turn(page), "second");
}, { width: 360, height: 640, isMobile: true, hasTouch: true });

onPage("a run is started, followed to its end and its champion played", async (page) => {
  await page.goto(`${here.server.address}#/runs`);
  await page.fill("#run-seed", "4");
  await page.fill("#run-generations", "600");
  await page.click("#run-start");
  await page.waitForSelector("#run");
  await page.waitForSelector("#run[data-state=finished]", { timeout: 120000 });
  assert.equal(await page.getAttribute("#run-status", "data-generation"), "600");
  assert.equal(await page.locator(".chart.small").count(), 9);
  assert.equal(await page.locator(".chart:not(.small)").count(), 2);
  assert.ok(await page.locator(".chart.small .level").count() >= 9, "the paper's values are thin lines");
  const large = page.locator(".chart:not(.small)").first();
  const plot = large.locator(".plot");
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + 150, box.y + 100);
  assert.match(await large.locator(".tip").textContent(), /generation \d+/);
  await page.mouse.down();
  await page.mouse.move(box.x + 350, box.y + 100);
  await page.mouse.up();
  assert.ok(await large.locator(".zoom-out").isVisible(), "zoomed");
  await plot.dblclick();
  assert.ok(!(await large.locator(".zoom-out").isVisible()), "all again");
  await page.click("#play-champion");
  await page.waitForSelector("#start");
  assert.equal(await page.inputValue("#cpu-player"), "genome=web-paper-seed4:terminal=paper");
  await page.click("#start");
  await page.waitForSelector(".piece");
  await move(page, "B3", "B2");
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 2);
});

onPage("a run is stopped", async (page) => {
  await page.goto(`${here.server.address}#/runs`);
  await page.selectOption("#run-preset", "robust");
  await page.fill("#run-generations", "200");
  await page.click("#run-start");
  await page.waitForFunction(() => Number(document.querySelector("#run-status")?.dataset.generation) >= 1, null, { timeout: 60000 });
  await page.click("#run-stop");
  await page.waitForSelector("#run[data-state=stopped]", { timeout: 60000 });
  assert.match(await page.textContent("#run"), /dobutsu-ga resume .*web-robust-seed1/);
});

onPage("a run that fails says why", async (page) => {
  await page.goto(`${here.server.address}#/runs`);
  await page.selectOption("#run-preset", "robust");
  await page.fill("#run-seed", "9");
  await page.fill("#run-generations", "200");
  await page.click("#run-start");
  await page.waitForSelector("#run-status");
  // Where the next checkpoint would be written, there is a folder: as good as a disk that is full.
  const blocked = join(here.server.folder, "web-robust-seed9", `.checkpoint.json.${here.server.process}.dobutsu-ga-tmp`);
  for (let made = false; !made;) {
    try { mkdirSync(blocked); made = true; } catch { await page.waitForTimeout(1); }
  }
  await page.waitForSelector("#run[data-state=failed]", { timeout: 60000 });
  assert.match(await page.textContent("#run .problem"), /could not go on: cannot write .*checkpoint\.json/);
  await page.goto(`${here.server.address}#/runs`);
  await page.waitForSelector("[data-run=web-robust-seed9]:has-text('failed'):has-text('cannot write')");
  await page.click("#language");
  await page.waitForSelector("[data-run=web-robust-seed9]:has-text('失敗')");
});

onPage("without a table, perfect play is not offered and the search estimates", async (page) => {
  await page.goto(`${here.server.address}#/setup/cpu`);
  await page.waitForSelector("#start");
  assert.equal(await page.locator("option[value=perfect]").count(), 0);
  await begin(page, "people");
  await page.check("#analysis-on");
  await page.waitForSelector("[data-source=search]");
  assert.equal(await page.locator("#analysis li").count(), 4);
});

// Answers of a table are played back here, so that all three results are on the board at once.
onPage("each move shows its result and distance", async (page) => {
  const rows = [["b2b3", "loss", 78], ["c1c2", "loss", 20], ["b1a2", "draw", null], ["b1c2", "win", 5]];
  const moves = rows.map(([text, result, plies]) => ({ text, result, plies, best: result === "win" })).reverse();
  const found = { source: "table", moves, value: { result: "win", plies: 5 }, first: 1, line: ["b1c2"] };
  await page.route("**/api/analyse", (route) => route.fulfill({ json: found }));
  await page.route("**/api/opponents*", async (route) => {
    const data = await (await route.fetch()).json();
    await route.fulfill({ json: { ...data, perfect: ["paper"] } });
  });
  await page.goto(`${here.server.address}#/setup/cpu`);
  await page.waitForSelector("#start");
  await page.selectOption("#cpu-player", "perfect");
  await page.selectOption("#rules", "official");
  assert.match(await page.textContent(".chooser .problem"), /not there for these rules/);
  await begin(page, "people", () => page.selectOption("#rules", "paper"));
  await page.check("#analysis-on");
  await page.waitForSelector("[data-source=table]");
  const list = await page.textContent("#analysis");
  for (const text of ["Blue wins in 5 with best play", "★ wins in 5", "draw", "loses in 20", "loses in 78", "exact"]) assert.ok(list.includes(text), text);
  await square(page, "B4").click();
  assert.equal(await page.locator("[data-square='8'] .badge.win").textContent(), "W5");
  assert.equal(await page.locator("[data-square='6'] .badge.draw").textContent(), "=");
});

test("with a table, the perfect player can be chosen and each move is graded", { timeout: 240000 }, async () => {
  const solved = await serve({ args: ["--table", table()] });
  const page = await open(here.browser, solved.address);
  await begin(page, "cpu", async () => {
    await page.selectOption("#rules", "paper");
    await page.selectOption("#cpu-player", "perfect");
  });
  await page.check("#analysis-on");
  await page.waitForSelector("[data-source=table]");
  assert.equal(await page.locator("#analysis li").count(), 4);
  assert.match(await page.textContent("#analysis"), /draw/);
  // The lion to the side: the perfect player answers, and nothing better than its draw is left.
  await move(page, "B4", "A3");
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 2);
  await page.waitForSelector("[data-source=table]");
  assert.doesNotMatch(await page.textContent("#analysis"), /wins in/);
  assert.deepEqual(page.problems, []);
  await page.context().close();
  solved.stop();
});

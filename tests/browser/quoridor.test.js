// Quoridor on the page: pawns, walls by mouse, finger and keys, ways. See README.md beside this file for how to run it.

import assert from "node:assert/strict";
import { begin as beginAny, by, ended, paste, played, sticksOut, suite, turn, words } from "./tools.js";

const here = suite();
const { onPage } = here;

const begin = (page, mode, choose) => beginAny(page, mode, choose, "quoridor");
const index = (name) => "abcdefghi".indexOf(name[0]) + 9 * (9 - Number(name[1]));
const square = (page, name) => page.locator(`[data-square="${index(name)}"]`);
const moves = (page, count) => page.waitForFunction((count) => document.querySelectorAll("#moves li:not(.none)").length === count, count);
const left = (page) => page.locator(".tray .tally").evaluateAll((all) => Object.fromEntries(all.map((one) => [one.closest(".tray").classList.contains("first") ? "first" : "second", Number(one.dataset.count)])));

/** A wall as the drawing names it: `e3h` by the square at its lower left. */
const wall = (page, name, classes = "") => page.locator(`.wall${classes}[data-wall="${index(name)}${name[2]}"]`);
const walls = (page) => page.locator(".wall:not(.ghost, .hinted)").count();

/** Where the middle of a wall is, or a bit along it, as far as the screen is concerned; on a board that is not flipped. */
async function spot(page, name, along = 0.4) {
  await page.evaluate(() => scrollTo(0, 0));
  const { x, y, width, height } = await page.locator(".inner").boundingBox();
  const [column, row] = [(index(name) % 9) + 1, Math.floor(index(name) / 9)];
  const [right, down] = name[2] === "v" ? [0, along] : [along, 0];
  return [x + (width * (column + right)) / 9, y + (height * (row + down)) / 9];
}

const point = async (page, name) => page.mouse.move(...(await spot(page, name)));
const build = async (page, name) => {
  const before = await played(page);
  await page.mouse.click(...(await spot(page, name)));
  await moves(page, before + 1);
};
const tap = async (page, name) => page.touchscreen.tap(...(await spot(page, name, 0)));
const step = async (page, from, to) => {
  const before = await played(page);
  await square(page, from).click();
  await square(page, to).click();
  await moves(page, before + 1);
};
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };

/** Blue has one way out of row 1, at its end. */
const NEARLY_SHUT = "e1 e9 8 8 h:a1,c1,e1,g1 v:- w";
/** Blue has placed all walls. */
const SPENT = "e2 e8 0 10 h:a1,c1,g1,a3,c3,g3,a5,c5,e5,g5 v:- w";

onPage("the game is chosen beside the others, with its rules and opponents", async (page) => {
  await page.click(".game[data-game=quoridor]");
  await page.waitForSelector("h1:has-text('Quoridor')");
  assert.equal(await page.title(), "Quoridor");
  await page.click("#mode-cpu");
  await page.waitForSelector("#start");
  // One set of rules is no choice.
  assert.equal(await page.locator("#rules").count(), 0);
  for (const level of await page.locator(".level").all()) {
    await level.click();
    assert.equal(await level.getAttribute("aria-pressed"), "true");
  }
  assert.match(await page.textContent("#cpu-player"), /Swift: ways, walls and who wins the race/);
  await page.goto(`${here.server.address}#/quoridor/rules`);
  await page.waitForSelector(".rules:has-text('Nobody may be shut in')");
  assert.equal(await page.locator(".mini .wall").count(), 3);
});

onPage("a pawn goes by clicks, jumps, and wins on the far side", async (page) => {
  await begin(page, "people");
  assert.equal(await page.locator(".square").count(), 81);
  assert.equal(await page.locator(".piece").count(), 2);
  assert.deepEqual(await page.locator(".names.at-bottom span").allTextContents(), [..."abcdefghi"]);
  assert.deepEqual(await page.locator(".names.at-left span").allTextContents(), [..."987654321"]);
  await square(page, "e1").click();
  assert.equal(await page.locator(".square.target").count(), 3);
  assert.match(await page.textContent("#live"), /Blue pawn chosen, 3 squares/);
  await square(page, "e5").click();
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  await step(page, "e1", "e2");
  assert.match(await page.textContent("#moves"), /e2pawn/);
  assert.equal(await page.locator(".square.last").count(), 2);
  await paste(page, "e2 e8 e3 e7 e4 e6 e5");
  await step(page, "e6", "e4");
  await paste(page, "e8 a2 10 10 h:- v:- w");
  await step(page, "e8", "e9");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "Blue wins!");
  assert.equal(await by(page), "goal");
  assert.equal(await page.textContent("#over-by"), "The pawn reached the far side.");
});

onPage("a wall is shown where the mouse points, placed by a click, counted and taken back", async (page) => {
  await begin(page, "people");
  assert.deepEqual(await left(page), { first: 10, second: 10 });
  assert.match(await page.textContent("#wall"), /Point at a gap/);
  await point(page, "e3h");
  assert.equal(await wall(page, "e3h", ".ghost.legal").count(), 1);
  assert.match(await page.textContent("#wall"), /wall across e and f, between rows 3 and 4.*can be placed/i);
  await point(page, "c6v");
  assert.equal(await wall(page, "c6v", ".ghost.legal").count(), 1);
  assert.equal(await page.locator(".wall").count(), 1);
  // At the edge it is the last place that there is; in the middle of a square there is none.
  await page.mouse.move(...(await spot(page, "h3h", 0.9)));
  assert.equal(await wall(page, "h3h", ".ghost").count(), 1);
  await square(page, "d5").hover();
  assert.equal(await page.locator(".wall").count(), 0);
  await build(page, "e3h");
  assert.equal(await wall(page, "e3h", ".last").count(), 1);
  assert.equal(await page.locator(".square.last").count(), 0);
  assert.deepEqual(await left(page), { first: 9, second: 10 });
  assert.equal(await page.locator(".tray.first .tally").getAttribute("aria-label"), "9 walls left");
  assert.match(await page.textContent("#moves"), /e3hwall across/);
  assert.equal(await turn(page), "second");
  await build(page, "c6v");
  assert.match(await page.textContent("#moves"), /c6vwall upright/);
  assert.equal(await wall(page, "e3h", ".last").count(), 0);
  assert.equal(await walls(page), 2);
  // Looked at again: no wall is placed in a position of the past.
  await page.click("#step-back");
  await page.waitForSelector(".viewing:has-text('move 1 of 2')");
  assert.equal(await walls(page), 1);
  await point(page, "a1h");
  assert.equal(await page.locator(".wall.ghost").count(), 0);
  await page.click("#to-end");
  await page.click("#undo");
  await moves(page, 1);
  assert.equal(await walls(page), 1);
  assert.deepEqual(await left(page), { first: 9, second: 10 });
});

onPage("a wall that is not allowed says why, and is not placed", async (page) => {
  await begin(page, "people");
  await build(page, "e3h");
  for (const name of ["e3v", "d3h", "f3h", "e3h"]) {
    await point(page, name);
    assert.equal(await wall(page, name, ".ghost.illegal").count(), 1, name);
    assert.match(await page.textContent("#why"), /overlap or cross a wall/);
    await page.mouse.click(...(await spot(page, name)));
    assert.match(await page.textContent("#live"), /overlap or cross a wall/);
  }
  // Walls that touch are fine.
  await point(page, "g3h");
  assert.equal(await wall(page, "g3h", ".ghost.legal").count(), 1);
  await paste(page, NEARLY_SHUT);
  await point(page, "h1v");
  assert.equal(await wall(page, "h1v", ".ghost.illegal").count(), 1);
  assert.match(await page.textContent("#why"), /shut somebody in/);
  await page.mouse.click(...(await spot(page, "h1v")));
  assert.match(await page.textContent("#live"), /shut somebody in/);
  assert.equal(await played(page), 0);
  await paste(page, SPENT);
  assert.deepEqual(await left(page), { first: 0, second: 10 });
  await point(page, "e7h");
  assert.match(await page.textContent("#why"), /no walls left/);
});

onPage("while the computer is to move, no wall is offered", async (page) => {
  await begin(page, "watch", async () => {
    await page.selectOption("#first-player", "random");
    await page.selectOption("#second-player", "plain");
    await page.selectOption("#second-depth", "1");
  });
  await page.click("#pause");
  await point(page, "a5h");
  assert.equal(await page.locator(".wall.ghost").count(), 0);
  await page.click("#pause");
  await page.locator("#speed").fill("5");
  await ended(page);
  await page.click("#look");
  assert.equal(await by(page), "goal");
  await page.click("#to-start");
  await page.waitForSelector(".viewing:has-text('move 0')");
  assert.equal(await walls(page), 0);
  assert.equal(await page.locator(".piece").count(), 2);
});

onPage("a person plays the computer from the other side of the board", async (page) => {
  await begin(page, "cpu", async () => {
    await page.selectOption("#seat", "second");
    await page.selectOption("#cpu-player", "report");
    await page.selectOption("#cpu-depth", "1");
  });
  await page.waitForFunction(() => /Your turn/.test(document.querySelector("#turn").textContent));
  assert.equal(await page.locator(".names.at-left span").first().textContent(), "1");
  // The board is turned: what is top left now is at the end of the board.
  const { x, y, width, height } = await page.locator(".inner").boundingBox();
  await page.mouse.move(x + (width * 1.4) / 9, y + height / 9);
  assert.equal(await wall(page, "h1h", ".ghost").count(), 1);
  await page.mouse.click(x + (width * 1.4) / 9, y + height / 9);
  await moves(page, 3);
  assert.equal(await wall(page, "h1h").count(), 1);
  assert.deepEqual((await left(page)).second, 9);
  await page.click("#undo");
  await moves(page, 1);
});

onPage("three taps show, turn and place a wall; everything fits on a phone", async (page) => {
  const fits = async (screen) => assert.deepEqual(await sticksOut(page), [], screen);
  for (const route of ["quoridor", "quoridor/setup/cpu", "quoridor/setup/watch", "quoridor/rules"]) {
    await page.goto(`${here.server.address}#/${route}`);
    await page.waitForSelector(`#screen[data-screen="${route.split("/")[1] ?? "menu"}"]`);
    await fits(route);
  }
  await begin(page, "people");
  await fits("play");
  const board = await page.locator(".board").boundingBox();
  assert.ok(board.width >= 300, JSON.stringify(board));
  await tap(page, "e3h");
  assert.equal(await wall(page, "e3h", ".ghost.legal").count(), 1);
  assert.match(await page.textContent("#live"), /wall across e and f/);
  await fits("ghost");
  // Board and panel are seen at once, and nothing moves when the panel fills.
  const panel = await page.locator("#wall").boundingBox();
  assert.ok(panel.y + panel.height <= 640, JSON.stringify(panel));
  assert.deepEqual(await page.locator(".board").boundingBox(), board);
  await tap(page, "e3h");
  assert.equal(await wall(page, "e3v", ".ghost.legal").count(), 1);
  assert.equal(await page.locator(".wall").count(), 1);
  await tap(page, "e3h");
  await moves(page, 1);
  assert.equal(await wall(page, "e3v", ".last").count(), 1);
  // Elsewhere lets go, another crossing begins anew.
  await tap(page, "c6h");
  await tap(page, "g2h");
  assert.equal(await wall(page, "g2h", ".ghost").count(), 1);
  await square(page, "b8").tap();
  assert.equal(await page.locator(".wall.ghost").count(), 0);
  assert.match(await page.textContent("#wall"), /Tap a crossing/);
  // As it lies it is placed by the button.
  await tap(page, "c6h");
  await page.tap("#place-wall");
  await moves(page, 2);
  assert.equal(await wall(page, "c6h", ".last").count(), 1);
  // A third tap on one that is not allowed says why.
  await tap(page, "c7h");
  await page.tap("#turn-wall");
  await tap(page, "c6h");
  assert.match(await page.textContent("#why"), /overlap or cross a wall/);
  assert.ok(await page.isDisabled("#place-wall"));
  await tap(page, "c6h");
  await tap(page, "c6h");
  assert.equal(await played(page), 2);
  assert.match(await page.textContent("#live"), /overlap or cross a wall/);
  // The pawn still goes by taps.
  await square(page, "e1").tap();
  await square(page, "e2").tap();
  await moves(page, 3);
}, { width: 360, height: 640, isMobile: true, hasTouch: true });

onPage("the keyboard is enough", async (page) => {
  await begin(page, "people");
  await page.locator(".square[tabindex='0']").focus();
  assert.match(await page.locator(".square:focus").getAttribute("aria-label"), /e1, Blue pawn/);
  await press(page, "Enter", "ArrowUp", "Enter");
  await moves(page, 1);
  // The wall begins beside the square that has the focus.
  await press(page, "w");
  assert.equal(await wall(page, "e2h", ".ghost.legal").count(), 1);
  await press(page, "ArrowUp", "ArrowLeft", "Space");
  assert.equal(await wall(page, "d3v", ".ghost.legal").count(), 1);
  assert.match(await page.textContent("#live"), /wall along rows 3 and 4, between d and e/);
  await press(page, "r");
  assert.equal(await wall(page, "d3h", ".ghost").count(), 1);
  await press(page, "Enter");
  await moves(page, 2);
  assert.equal(await wall(page, "d3h", ".last").count(), 1);
  assert.equal(await page.locator(".square:focus").count(), 1);
  // What is seen on the board is heard as well.
  assert.equal(await square(page, "d3").getAttribute("aria-label"), "d3, empty, a wall towards d4");
  await press(page, "w", "ArrowUp", "ArrowLeft", "Enter");
  assert.match(await page.textContent("#live"), /overlap or cross a wall/);
  await press(page, "Escape");
  assert.equal(await page.locator(".wall.ghost").count(), 0);
  assert.equal(await played(page), 2);
  // The edge holds it, and W lets go as well.
  await press(page, "w", ...Array(9).fill("ArrowRight"), ...Array(9).fill("ArrowDown"));
  assert.equal(await wall(page, "h1h", ".ghost").count(), 1);
  await press(page, "w");
  assert.equal(await page.locator(".wall.ghost").count(), 0);
  // On a turned board, arrows go where they point.
  await press(page, "f", "w", "ArrowUp");
  assert.equal(await wall(page, "e1h", ".ghost").count(), 1);
  // The buttons of the panel keep the focus while they are used.
  await page.focus("#turn-wall");
  await press(page, "Enter", "Enter", "Enter");
  assert.equal(await wall(page, "e1v", ".ghost").count(), 1);
  assert.equal(await page.locator("#turn-wall:focus").count(), 1);
  await press(page, "Escape", "u");
  await moves(page, 1);
  assert.match(await page.textContent(".keys"), /W takes a wall/);
});

onPage("with analysis on, the ways are shown and a wall of the list is pointed out", async (page) => {
  await begin(page, "people");
  assert.equal(await page.locator(".way").count(), 0);
  await page.check("#analysis-on");
  await page.waitForSelector("#analysis li");
  assert.equal(await page.locator(".way.first").count(), 9);
  assert.equal(await page.locator(".way.second").count(), 9);
  await build(page, "e3h");
  await page.waitForSelector("#analysis [data-ply='1'] li");
  assert.ok((await page.locator(".way.first").count()) > 9);
  const row = page.locator("#analysis li button").filter({ hasText: "wall" }).first();
  const name = (await row.locator(".notation").textContent()).trim();
  await row.hover();
  assert.equal(await wall(page, name, ".hinted").count(), 1);
  const pawn = page.locator("#analysis li button").filter({ hasText: "pawn" }).first();
  await pawn.hover();
  assert.equal(await page.locator(".wall.hinted").count(), 0);
  assert.equal(await page.locator(".square.hint").count(), 2);
  await point(page, name);
  assert.equal(await page.locator("#wall .badge").count(), 1);
  await row.click();
  await moves(page, 2);
  assert.equal(await wall(page, name, ".last").count(), 1);
  await page.uncheck("#analysis-on");
  assert.equal(await page.locator(".way").count(), 0);
});

onPage("positions and games are copied and pasted", async (page) => {
  await begin(page, "people");
  await step(page, "e1", "e2");
  await build(page, "e6h");
  await page.locator("#transfer summary").click();
  await page.click("#copy-fen");
  await page.waitForSelector("#transfer .note > *");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "e2 e9 10 9 h:e6 v:- w");
  await page.click("#copy-record");
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("{"));
  const record = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(JSON.parse(record).game_name, "quoridor");
  await page.click("#new-game");
  await moves(page, 0);
  await paste(page, record);
  await moves(page, 2);
  await paste(page, "e2 e9 10 9 h:e6 v:- w e3 d3h");
  await moves(page, 2);
  assert.equal(await walls(page), 2);
  // From another game a record leads here, and no wall is left behind on the way back.
  await page.goto(`${here.server.address}#/dobutsu`);
  await page.waitForSelector("h1:has-text('Dobutsu')");
  await beginAny(page, "people");
  assert.ok(await page.isHidden("#wall"));
  await paste(page, record);
  await page.waitForFunction(() => document.querySelectorAll(".square").length === 81);
  assert.equal(await page.title(), "Game · Quoridor");
}, { permissions: ["clipboard-read", "clipboard-write"] });

onPage("everything is there in Japanese", async (page) => {
  await page.click(".game[data-game=quoridor]");
  await page.waitForSelector("h1:has-text('コリドール')");
  await page.goto(`${here.server.address}?lang=ja#/quoridor/rules`);
  await page.waitForSelector(".rules:has-text('とじこめてはいけません')");
  await begin(page, "people");
  await step(page, "e1", "e2");
  assert.match(await page.textContent("#moves"), /e2こまをe2へ/);
  await build(page, "e6h");
  assert.match(await page.textContent("#moves"), /e6hよこのかべ/);
  await point(page, "e6v");
  assert.match(await page.textContent("#why"), /まじわってしまいます/);
  assert.equal(await page.locator(".tray.second .tally").getAttribute("aria-label"), "のこりのかべは9まい");
  assert.match(await words(page, ".keys"), /Wでかべを持ち/);
  await page.click("#language");
  await page.waitForSelector("#moves:has-text('wall across')");
  assert.match(await page.textContent("#wall"), /Point at a gap/);
}, { query: "?lang=ja" });

onPage("a run of Quoridor is started, and its champion played", async (page) => {
  await page.goto(`${here.server.address}#/runs`);
  await page.selectOption("#run-game", "quoridor");
  assert.equal(await page.inputValue("#run-generations"), "200");
  await page.fill("#run-seed", "3");
  await page.fill("#run-generations", "3");
  await page.click("#run-start");
  await page.waitForSelector("#run[data-state=finished]", { timeout: 200000 });
  assert.match(await page.textContent("#run table"), /own shortest way/);
  await page.click("#play-champion");
  await page.waitForSelector("#start");
  assert.equal(await page.inputValue("#cpu-player"), "genome=web-quoridor-paper-seed3");
  await page.selectOption("#cpu-depth", "1");
  await page.click("#start");
  await page.waitForSelector(".piece");
  await square(page, "e1").click();
  await square(page, "e2").click();
  await moves(page, 2);
});

// Kyoto Shogi on the page: a larger board, pieces of two faces, drops with either. See README.md beside this file for how to run it.

import assert from "node:assert/strict";
import { begin as beginAny, by, ended, move, paste, played, square, sticksOut, suite, turn, words } from "./tools.js";

const here = suite();
const { onPage } = here;

const begin = (page, mode, choose) => beginAny(page, mode, choose, "kyoto");
const pieceAt = (page, name) => square(page, name).getAttribute("data-square").then((at) => page.getAttribute(`.piece[data-at='${at}']`, "data-kind"));
const hand = (page, side, kind) => page.locator(`.held[data-hand=${side}][data-kind=${kind}]`);
const moves = (page, count) => page.waitForFunction((count) => document.querySelectorAll("#moves li:not(.none)").length === count, count);

/** A first player's win by taking the king. */
const CATCH = ["e1e2+", "d5e4+", "e2e4-", "b5b4-", "e4e5+", "b4c2+", "e5c5-"];

/** A gold dropped on c4 mates. */
const MATE = "2k2/5/2K2/5/5[NNLLPPSS] w 0 1";
/** A silver that is a bishop every other time checks again and again. */
const CHECKS = ["c3d4+", "c5c4", "d4c3-", "c4c5"];

onPage("the game is chosen on the title screen, and remembered", async (page) => {
  await page.click(".game[data-game=kyoto]");
  await page.waitForSelector("h1:has-text('Kyoto Shogi')");
  assert.equal(await page.title(), "Kyoto Shogi");
  await page.click("#mode-cpu");
  await page.waitForSelector("#start");
  assert.deepEqual(await page.locator("#rules option").evaluateAll((all) => all.map((option) => option.value)), ["legal", "capture"]);
  assert.match(await page.textContent("#rules-note"), /No move may leave the own king in danger/);
  assert.equal(await page.locator(".level[aria-pressed=true]").getAttribute("data-level"), "easy");
  assert.equal(await page.locator("#cpu-player option[value='B:terminal=exact']").count(), 1);
  assert.equal(await page.locator("#cpu-player option[value=material]").count(), 0);
  // Each level is somebody who can be chosen.
  for (const level of await page.locator(".level").all()) {
    await level.click();
    assert.equal(await level.getAttribute("aria-pressed"), "true");
  }
  await page.goto(here.server.address);
  await page.waitForSelector("h1:has-text('Kyoto Shogi')");
  // On the set-up screen it can be chosen as well, and an address can ask for it.
  await page.click("#mode-people");
  await page.click(".game[data-game=dobutsu]");
  await page.waitForSelector("#rules option[value=official]", { state: "attached" });
  assert.ok(await page.isHidden("#rules-note"));
  await page.goto(`${here.server.address}#/kyoto/rules`);
  await page.waitForSelector(".rules:has-text('turned over')");
  await page.click(".game[data-game=dobutsu]");
  await page.waitForSelector(".rules:has-text('lion')");
});

onPage("a browser that remembers nothing can choose the game too", async (page) => {
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get() { throw new Error("closed"); } }));
  await page.reload();
  await begin(page, "people");
  assert.equal(await page.locator(".square").count(), 25);
});

onPage("a step turns over, a capture goes to hand, and is dropped with either face", async (page) => {
  await begin(page, "people");
  assert.equal(await page.locator(".square").count(), 25);
  assert.equal(await page.locator(".piece").count(), 10);
  await move(page, "e1", "e2");
  assert.equal(await pieceAt(page, "e2"), "rook");
  assert.match(await page.textContent("#moves"), /e1e2\+pawn, now a rook/);
  assert.match(await page.getAttribute("#moves .notation", "title"), /\+1514HI/);
  await move(page, "d5", "e4");
  await square(page, "e2").click();
  assert.equal(await page.locator(".square.take").count(), 1);
  await square(page, "e4").click();
  await moves(page, 3);
  assert.equal(await pieceAt(page, "e4"), "pawn");
  assert.match(await page.textContent("#moves"), /takes bishop, now a pawn/);
  await move(page, "b5", "b4");
  // As it is named.
  await hand(page, "first", "silver").click();
  assert.equal(await page.locator(".square.target").count(), 16);
  assert.equal(await hand(page, "first", "silver").getAttribute("data-face"), "silver");
  await square(page, "c3").click();
  await moves(page, 5);
  assert.equal(await pieceAt(page, "c3"), "silver");
  assert.match(await page.textContent("#moves"), /S@c3silver dropped/);
  await page.click("#undo");
  await moves(page, 4);
  // Turned over by another click.
  await hand(page, "first", "silver").click();
  await hand(page, "first", "silver").click();
  assert.equal(await hand(page, "first", "silver").getAttribute("data-face"), "bishop");
  await square(page, "c3").click();
  await moves(page, 5);
  assert.equal(await pieceAt(page, "c3"), "bishop");
  assert.match(await page.textContent("#moves"), /\+S@c3bishop dropped/);
  await page.click("#undo");
  await moves(page, 4);
  // Or by choosing the face beside the board, there and back.
  await hand(page, "first", "silver").click();
  await page.locator("#piece button[data-face=bishop]").click();
  assert.equal(await hand(page, "first", "silver").getAttribute("data-face"), "bishop");
  await page.locator("#piece button[data-face=silver]").click();
  await square(page, "a3").click();
  await moves(page, 5);
  assert.equal(await pieceAt(page, "a3"), "silver");
  assert.equal(await page.locator(".held").count(), 0);
});

onPage("one click shows how a piece moves and what is on its back", async (page) => {
  await begin(page, "people");
  assert.match(await page.textContent("#piece"), /Click a piece/);
  await square(page, "e1").click();
  assert.equal(await page.locator(".piece.chosen[data-kind=pawn]").count(), 1);
  assert.match(await page.textContent("#piece .face.up"), /pawnone step forward/);
  assert.match(await page.textContent("#piece .face:not(.up)"), /Back: rookstraight, as far as it likes/);
  assert.match(await page.textContent("#live"), /on its back rook/);
  assert.equal(await square(page, "e1").getAttribute("title"), "pawn, Back: rook");
  // The other side's pieces are looked at too, without being chosen.
  await page.keyboard.press("Escape");
  await square(page, "b5").click();
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  assert.match(await page.textContent("#piece"), /gold.*Back: knight/);
  await square(page, "c1").click();
  assert.match(await page.textContent("#piece"), /The king has one face/);
  // Out of reach: the king is let go, and what was clicked is shown.
  await square(page, "a5").click();
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  assert.match(await page.textContent("#piece"), /pawn.*Back: rook/);
  await page.locator(".tray").first().click();
  assert.match(await page.textContent("#piece"), /Click a piece/);
  // What a piece shows can be read from both sides: the reading is never upside down.
  const upright = await page.locator(".piece.turned .reading").first().evaluate((text) => {
    const { a, d } = text.getScreenCTM();
    return [Math.sign(a), Math.sign(d)];
  });
  assert.deepEqual(upright, [1, 1]);
});

onPage("the king is taken, mated, or the position repeats", async (page) => {
  await begin(page, "people", () => page.selectOption("#rules", "capture"));
  await paste(page, CATCH.slice(0, 6).join(" "));
  await move(page, "e5", "c5");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "Blue wins!");
  assert.equal(await by(page), "catch");
  assert.equal(await page.textContent("#over-by"), "The king was taken.");
  await page.click("#again");
  await moves(page, 0);
  for (const _ of [1, 2, 3]) for (const [from, to] of [["c1", "c2"], ["c5", "c4"], ["c2", "c1"], ["c4", "c5"]]) await move(page, from, to);
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "A draw!");
  assert.match(await page.textContent("#over-by"), /four times/);
  await page.click("#over-menu");
  await begin(page, "people", () => page.selectOption("#rules", "legal"));
  await paste(page, MATE);
  await hand(page, "first", "knight").click();
  await page.keyboard.press("t");
  await square(page, "c4").click();
  await ended(page);
  assert.equal(await by(page), "mate");
  assert.match(await page.textContent("#over-by"), /Checkmate/);
});

onPage("perpetual check loses where the king must be kept safe", async (page) => {
  await begin(page, "people", () => page.selectOption("#rules", "legal"));
  await paste(page, ["2k2/5/2S2/5/2K2[NNLLPPS] w 0 1", ...CHECKS, ...CHECKS, ...CHECKS.slice(0, 3)].join(" "));
  await moves(page, 11);
  assert.match(await page.textContent("#turn"), /Check: the king is in danger/);
  await move(page, "c4", "c5");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "Red wins!");
  assert.match(await page.textContent("#over-by"), /nothing but checks/);
});

onPage("the keyboard is enough", async (page) => {
  await begin(page, "people");
  await page.locator(".square[tabindex='0']").focus();
  assert.match(await page.locator(".square:focus").getAttribute("aria-label"), /c1, Blue king/);
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  await press("ArrowRight", "ArrowRight", "ArrowRight", "Enter");
  assert.equal(await page.locator(".piece.chosen[data-kind=pawn]").count(), 1);
  await press("Escape");
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  await press("Enter", "ArrowUp", "Space");
  await moves(page, 1);
  await press("f");
  assert.equal(await page.locator(".square").first().getAttribute("data-square"), "24");
  await press("f", "u");
  await moves(page, 0);
  await paste(page, CATCH.slice(0, 4).join(" "));
  await hand(page, "first", "silver").focus();
  await press("Enter");
  assert.equal(await page.locator(".held:focus").getAttribute("data-face"), "silver");
  await press("Enter");
  assert.equal(await page.locator(".held:focus").getAttribute("data-face"), "bishop");
  assert.match(await page.locator(".held:focus").getAttribute("aria-label"), /silver or bishop in hand, 1, bishop up/);
  await press("t");
  assert.equal(await page.locator(".held:focus").getAttribute("data-face"), "silver");
  // From the hand back to the board; T works from there as well.
  await press("Shift+Tab");
  await page.waitForSelector(".square:focus");
  await press("ArrowUp", "t");
  assert.equal(await page.locator(".square:focus").count(), 1);
  await press("Enter");
  await moves(page, 5);
  assert.match(await page.textContent("#moves"), /\+S@/);
  await press(",", ",");
  await page.waitForSelector(".viewing:has-text('move 3 of 5')");
});

onPage("analysis and undo", async (page) => {
  await begin(page, "people", () => page.selectOption("#rules", "capture"));
  await paste(page, CATCH.slice(0, 6).join(" "));
  await page.check("#analysis-on");
  await page.waitForSelector("[data-source=search]");
  assert.match(await page.locator("#analysis li").first().textContent(), /e5c5-.*takes king.*★ wins in 1/);
  await square(page, "e5").click();
  assert.equal(await page.locator("[data-square='2'] .badge.win").textContent(), "W1");
  await page.locator("#analysis li button").first().click();
  await ended(page);
  await page.click("#look");
  await page.click("#undo");
  await moves(page, 6);
  assert.match(await page.textContent("#turn"), /Blue to move/);
  await page.uncheck("#analysis-on");
});

onPage("a person plays the computer, as either side", async (page) => {
  await begin(page, "cpu", async () => {
    await page.selectOption("#seat", "second");
    await page.selectOption("#cpu-player", "A:terminal=exact");
    await page.selectOption("#cpu-depth", "2");
  });
  await page.waitForFunction(() => /Your turn/.test(document.querySelector("#turn").textContent));
  assert.equal(await played(page), 1);
  // The board is turned: the first button is e1.
  assert.equal(await page.locator(".square").first().getAttribute("data-square"), "24");
  assert.equal(await page.locator(".names.at-left span").first().textContent(), "1");
  await move(page, "c5", "c4");
  await moves(page, 3);
  await page.click("#undo");
  await moves(page, 1);
});

onPage("two computers play to the end", async (page) => {
  await begin(page, "watch", async () => {
    await page.selectOption("#first-player", "random");
    await page.selectOption("#second-player", "A:terminal=exact");
    await page.selectOption("#second-depth", "2");
  });
  await page.locator("#speed").fill("5");
  await ended(page);
  await page.click("#look");
  await page.click("#to-start");
  await page.waitForSelector(".viewing:has-text('move 0')");
  assert.equal(await page.locator(".piece").count(), 10);
});

onPage("positions and games are copied and pasted, and know their game", async (page) => {
  await begin(page, "people");
  await move(page, "e1", "e2");
  await page.locator("#transfer summary").click();
  await page.click("#copy-fen");
  await page.waitForSelector("#transfer .note > *");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "p+nks+l/5/5/4+P/+LSK+N1[-] b 1 1");
  await page.click("#copy-record");
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("{"));
  const record = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(JSON.parse(record).game_name, "kyoto");
  await page.click("#new-game");
  await moves(page, 0);
  await paste(page, record);
  await moves(page, 1);
  // Every notation of the game is understood, after a position as well.
  await paste(page, "p+nks+l/5/5/5/+LSK+NP[-] w 0 1 +1514HI d5e4+");
  await moves(page, 2);
  // Two people can go on with a record of the other game; a computer was chosen for this one.
  await page.goto(`${here.server.address}#/dobutsu`);
  await page.waitForSelector("h1:has-text('Dobutsu')");
  await beginAny(page, "people");
  await paste(page, record);
  await page.waitForFunction(() => document.querySelectorAll(".square").length === 25);
  await moves(page, 1);
  assert.equal(await page.title(), "Game · Kyoto Shogi");
  assert.match(await page.textContent(".keys"), /T \(or Enter again\)/);
  await page.goto(`${here.server.address}#/dobutsu`);
  await page.waitForSelector("h1:has-text('Dobutsu')");
  await beginAny(page, "cpu");
  await paste(page, record);
  assert.match(await page.textContent("#transfer .problem"), /a game of Kyoto Shogi/);
}, { permissions: ["clipboard-read", "clipboard-write"] });

onPage("everything is there in Japanese", async (page) => {
  await page.click(".game[data-game=kyoto]");
  await page.waitForSelector("h1:has-text('京都')");
  await page.goto(`${here.server.address}?lang=ja#/kyoto/rules`);
  await page.waitForSelector(".rules:has-text('うらがえります')");
  await begin(page, "people");
  await square(page, "e1").click();
  assert.match(await words(page, "#piece"), /歩まえに1マス.*うら：飛たてとよこに どこまでも/);
  assert.match(await square(page, "e1").getAttribute("aria-label"), /1五、あお（せんて）のふ/);
  await square(page, "e2").click();
  await moves(page, 1);
  assert.match(await words(page, "#moves"), /1e1d\+?歩を1四へ、飛になる/);
  await page.click("#language");
  await page.waitForSelector(".piece[data-kind=rook] .reading:has-text('Rook')");
  assert.match(await page.textContent("#piece"), /Click a piece/);
}, { query: "?lang=ja" });

onPage("everything fits on a phone", async (page) => {
  const fits = async (screen) => assert.deepEqual(await sticksOut(page), [], screen);
  for (const route of ["kyoto", "kyoto/setup/cpu", "kyoto/setup/watch", "kyoto/rules"]) {
    await page.goto(`${here.server.address}#/${route}`);
    await page.waitForSelector(`#screen[data-screen="${route.split("/")[1] ?? "menu"}"]`);
    await fits(route);
  }
  await begin(page, "people");
  await paste(page, CATCH.slice(0, 4).join(" "));
  await page.evaluate(() => { document.querySelector("#transfer").open = false; scrollTo(0, 0); });
  await fits("play");
  const board = await page.locator(".board").boundingBox();
  assert.ok(board.width >= 250, JSON.stringify(board));
  await hand(page, "first", "silver").tap();
  await fits("drop");
  // The board and both faces are seen at once, and nothing moves when the panel fills.
  const panel = await page.locator("#piece").boundingBox();
  assert.ok(panel.y + panel.height <= 640, JSON.stringify(panel));
  assert.deepEqual(await page.locator(".board").boundingBox(), board);
  await page.locator("#piece button[data-face=bishop]").tap();
  await square(page, "c3").tap();
  await moves(page, 5);
  assert.equal(await turn(page), "second");
}, { width: 360, height: 640, isMobile: true, hasTouch: true });

onPage("a run of Kyoto Shogi is started, and its champion played", async (page) => {
  await page.goto(`${here.server.address}#/runs`);
  assert.equal(await page.inputValue("#run-generations"), "800");
  await page.selectOption("#run-game", "kyoto");
  assert.equal(await page.inputValue("#run-generations"), "60");
  await page.fill("#run-seed", "3");
  await page.fill("#run-generations", "5");
  await page.click("#run-start");
  await page.waitForSelector("#run[data-state=finished]", { timeout: 120000 });
  assert.match(await page.textContent("#run"), /Kyoto Shogi/);
  assert.match(await page.textContent("#run table"), /pawn\/rook in hand/);
  assert.doesNotMatch(await page.textContent("#run table"), /paper/);
  await page.click("#language");
  await page.waitForSelector("#run table:has-text('歩・飛（持駒）')");
  await page.click("#language");
  await page.waitForSelector("#run table:has-text('pawn/rook in hand')");
  await page.click("#play-champion");
  await page.waitForSelector("#start");
  assert.equal(await page.inputValue("#cpu-player"), "genome=web-kyoto-paper-seed3:terminal=paper");
  await page.selectOption("#cpu-depth", "2");
  await page.click("#start");
  await page.waitForSelector(".piece");
  await move(page, "e1", "e2");
  await moves(page, 2);
  await page.goto(`${here.server.address}#/runs`);
  await page.waitForSelector("[data-run=web-kyoto-paper-seed3]:has-text('Kyoto Shogi')");
});

// Hasami Shogi on the page: pieces by mouse, finger and keys, captures, leads. See README.md beside this file for how to run it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { begin as beginAny, by, ended, paste, played, PROGRAM, sticksOut, suite, turn, words } from "./tools.js";

const here = suite();
const { onPage } = here;

const begin = (page, mode, choose) => beginAny(page, mode, choose, "hasami");
const index = (name) => "abcdefghi".indexOf(name[0]) + 9 * (9 - Number(name[1]));
const square = (page, name) => page.locator(`[data-square="${index(name)}"]`);
const moves = (page, count) => page.waitForFunction((count) => document.querySelectorAll("#moves li:not(.none)").length === count, count);
const pieces = (page, side) => page.locator(`.piece.${side}`).count();
const taken = (page) => page.locator(".tray .tally").evaluateAll((all) => Object.fromEntries(all.map((one) => [one.closest(".tray").classList.contains("first") ? "first" : "second", Number(one.dataset.count)])));
const marked = (page, kind) => page.locator(`.square.${kind}`).evaluateAll((all) => all.map((one) => Number(one.dataset.square)).sort((one, two) => one - two));
const step = async (page, from, to) => {
  const before = await played(page);
  await square(page, from).click();
  await square(page, to).click();
  await moves(page, before + 1);
};
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };

/** Blue takes two at once by d1d5. */
const TWO_IN_A_ROW = "ppppppp2/9/9/9/Ppp6/9/9/9/1PPPPPPPP w -";
/** Blue shuts in the corner by a5a8. */
const CORNER = "pP2ppppp/9/9/9/P8/9/9/9/2PPPPP2 w -";
/** Blue gets three ahead by e1e5; Red can take one back by i9i3. */
const THIRD = "ppp5p/9/9/9/2Pp5/9/6pP1/9/PPP1P1PP1 w -";
/** Blue takes the fifth by e1e5. */
const FIFTH = "ppp6/9/9/9/2Pp5/9/6p2/9/PPP1P1PP1 w -";
/** Blue shuts in all by f5f9. */
const ALL_SHUT_IN = "ppppp4/PPPPP4/9/9/5P3/9/9/9/9 w -";

onPage("the game is chosen beside the others, with its rules and opponents", async (page) => {
  await page.click(".game[data-game=hasami]");
  await page.waitForSelector("h1:has-text('Hasami Shogi')");
  assert.equal(await page.title(), "Hasami Shogi");
  await page.click("#mode-cpu");
  await page.waitForSelector("#start");
  assert.deepEqual(await page.locator("#rules option").evaluateAll((all) => all.map((one) => one.value)), ["report", "lines", "sudden", "five"]);
  assert.match(await page.textContent("#rules-note"), /unless the other side takes back/);
  await page.selectOption("#rules", "sudden");
  assert.match(await page.textContent("#rules-note"), /no move to take back/);
  for (const level of await page.locator(".level").all()) {
    await level.click();
    assert.equal(await level.getAttribute("aria-pressed"), "true");
  }
  assert.match(await page.textContent("#cpu-player"), /Random: any piece, then any of its moves.*Balance: pieces, middle and moves/);
  // Where no network was trained, none is spoken of.
  assert.equal(await page.locator("optgroup[label^=Networks]").count(), 0);
  await page.goto(`${here.server.address}#/hasami/rules`);
  await page.waitForSelector(".rules:has-text('only the one who moves takes')");
  assert.equal(await page.locator(".mini .art").count(), 18);
  assert.equal(await page.locator(".animals li").count(), 5);
});

onPage("a piece goes by clicks as far as the way is free", async (page) => {
  await begin(page, "people");
  assert.equal(await page.locator(".square").count(), 81);
  assert.deepEqual([await pieces(page, "first"), await pieces(page, "second")], [9, 9]);
  const names = (edge) => page.locator(`.names.at-${edge} span`).allTextContents();
  assert.deepEqual(await names("bottom"), [..."abcdefghi"]);
  assert.deepEqual(await names("left"), [..."987654321"]);
  await page.selectOption("#labels", "shogi");
  assert.deepEqual(await names("top"), [..."987654321"]);
  assert.deepEqual(await names("right"), [..."123456789"]);
  await page.selectOption("#labels", "western");
  assert.ok(await page.isHidden("#wall"));
  assert.ok(await page.isHidden("#piece"));
  // The sides differ by what is written on their pieces too.
  assert.equal(await page.locator(".piece.first").first().textContent(), "歩");
  assert.equal(await page.locator(".piece.second").first().textContent(), "と");
  await square(page, "e1").click();
  assert.equal(await page.locator(".square.target").count(), 7);
  assert.match(await page.textContent("#live"), /Blue piece chosen, 7 squares/);
  await square(page, "d4").click();
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  assert.equal(await played(page), 0);
  await step(page, "e1", "e5");
  assert.match(await page.textContent("#moves"), /e1e5/);
  assert.equal(await page.locator(".square.last").count(), 2);
  assert.equal(await turn(page), "second");
  await page.click("#flip");
  assert.deepEqual(await names("left"), [..."123456789"]);
  await page.click("#undo");
  await moves(page, 0);
});

onPage("what stands between two is taken, marked and counted", async (page) => {
  await begin(page, "people");
  await paste(page, TWO_IN_A_ROW);
  assert.deepEqual(await taken(page), { first: 0, second: 0 });
  await square(page, "d1").click();
  assert.deepEqual(await marked(page, "take"), [index("d5")]);
  assert.equal(await square(page, "d5").getAttribute("aria-label"), "d5, empty, can go there, takes 2");
  await press(page, "Escape");
  await step(page, "d1", "d5");
  assert.deepEqual([await pieces(page, "first"), await pieces(page, "second")], [9, 7]);
  assert.deepEqual(await taken(page), { first: 2, second: 0 });
  assert.equal(await page.locator(".tray.first .tally").getAttribute("aria-label"), "2 taken");
  assert.deepEqual(await marked(page, "taken"), [index("b5"), index("c5")]);
  assert.match(await page.textContent("#moves"), /d1d5takes 2/);
  assert.match(await page.textContent("#live"), /Blue: piece d1 to d5, takes 2\./);
  // What is taken is out of the game: nothing can be dropped.
  await page.locator(".tray.first .tally").click();
  await square(page, "i9").click();
  assert.equal(await played(page), 1);
  assert.equal(await page.locator(".square.target").count(), 0);
  await step(page, "a9", "a8");
  assert.deepEqual(await marked(page, "taken"), []);
  await page.click("#step-back");
  await page.waitForSelector(".viewing:has-text('move 1 of 2')");
  assert.deepEqual(await marked(page, "taken"), [index("b5"), index("c5")]);
  await page.click("#to-end");
  await page.click("#undo");
  await page.click("#undo");
  await moves(page, 0);
  assert.deepEqual(await taken(page), { first: 0, second: 0 });
  await paste(page, CORNER);
  await step(page, "a5", "a8");
  assert.deepEqual(await marked(page, "taken"), [index("a9")]);
  assert.deepEqual(await taken(page), { first: 4, second: 2 });
});

onPage("who is three behind is warned, and may take back or lose", async (page) => {
  await begin(page, "people");
  await paste(page, THIRD);
  assert.equal(await page.locator("#turn .check").count(), 0);
  await step(page, "e1", "e5");
  assert.equal(await page.textContent("#turn .check"), "Three behind: take back now or lose!");
  assert.match(await page.textContent("#live"), /takes 1\. Three behind/);
  await step(page, "i9", "i3");
  assert.equal(await page.locator("#turn .check").count(), 0);
  assert.deepEqual(await taken(page), { first: 4, second: 2 });
  await page.click("#undo");
  await moves(page, 1);
  assert.equal(await page.locator("#turn .check").count(), 1);
  await step(page, "a9", "a8");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "Blue wins!");
  assert.equal(await by(page), "lead of three");
  assert.equal(await page.textContent("#over-by"), "A lead of three pieces.");
});

onPage("every way in which a game ends has its words", async (page) => {
  await begin(page, "people");
  await paste(page, FIFTH);
  await step(page, "e1", "e5");
  await ended(page);
  assert.equal(await by(page), "five captured");
  assert.equal(await page.textContent("#over-by"), "Five pieces were captured.");
  assert.deepEqual(await taken(page), { first: 5, second: 2 });
  await page.click("#look");
  // More than enough at once.
  await paste(page, ALL_SHUT_IN);
  await step(page, "f5", "f9");
  await ended(page);
  assert.equal(await by(page), "five captured");
  assert.deepEqual(await taken(page), { first: 9, second: 3 });
  assert.deepEqual(await sticksOut(page), []);
  await page.click("#again");
  await moves(page, 0);
  await paste(page, Array(3).fill("a1a2 a9a8 a2a1 a8a9").join(" ").replace(/ a8a9$/, ""));
  await step(page, "a8", "a9");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "A draw!");
  assert.equal(await page.textContent("#over-by"), "The same position came up four times.");
});

onPage("the rules that were chosen are those that count", async (page) => {
  const under = (rules) => begin(page, "people", () => page.selectOption("#rules", rules));
  await under("sudden");
  await paste(page, THIRD);
  await step(page, "e1", "e5");
  await ended(page);
  assert.equal(await by(page), "lead of three");
  await page.click("#over-menu");
  await under("five");
  await paste(page, THIRD);
  await step(page, "e1", "e5");
  await step(page, "a9", "a8");
  assert.equal(await page.locator("#turn .check").count(), 0);
  await under("lines");
  await paste(page, CORNER);
  await step(page, "a5", "a8");
  assert.deepEqual(await taken(page), { first: 3, second: 2 });
  await paste(page, ALL_SHUT_IN);
  await step(page, "f5", "f9");
  await ended(page);
  assert.equal(await by(page), "no move");
  assert.equal(await page.textContent("#over-by"), "The other side cannot move.");
});

onPage("a person plays the computer from the other side of the board", async (page) => {
  await begin(page, "cpu", async () => {
    await page.selectOption("#seat", "second");
    await page.selectOption("#cpu-player", "report");
    await page.selectOption("#cpu-depth", "1");
  });
  await page.waitForFunction(() => /Your turn/.test(document.querySelector("#turn").textContent));
  assert.equal(await page.locator(".names.at-left span").first().textContent(), "1");
  // The board is turned: Red's pieces are below.
  const { x, y, width, height } = await page.locator(".inner").boundingBox();
  await page.mouse.click(x + width / 2, y + height - 10);
  assert.equal(await page.locator(`.piece.chosen[data-at="${index("e9")}"]`).count(), 1);
  await page.locator(".square.target").first().click();
  await moves(page, 3);
  await page.click("#undo");
  await moves(page, 1);
});

onPage("two computers play a game to its end", async (page) => {
  await begin(page, "watch", async () => {
    await page.selectOption("#first-player", "pieces");
    await page.selectOption("#first-depth", "1");
    await page.selectOption("#second-player", "random-piece");
  });
  await page.locator("#speed").fill("5");
  await ended(page);
  assert.match(await by(page), /^(five captured|lead of three)$/);
  await page.click("#look");
  await page.click("#to-start");
  await page.waitForSelector(".viewing:has-text('move 0')");
  assert.equal(await page.locator(".piece").count(), 18);
});

onPage("the keyboard is enough", async (page) => {
  await begin(page, "people");
  await page.locator(".square[tabindex='0']").focus();
  assert.equal(await page.locator(".square:focus").getAttribute("aria-label"), "e1, Blue piece");
  await press(page, "Enter", "ArrowUp", "ArrowUp");
  assert.equal(await page.locator(".square:focus").getAttribute("aria-label"), "e3, empty, can go there");
  await press(page, "Enter");
  await moves(page, 1);
  // Letters of other games do nothing here.
  await press(page, "w", "t");
  await press(page, ...Array(6).fill("ArrowUp"), "Enter", "ArrowDown", "Enter");
  await moves(page, 2);
  assert.match(await page.textContent("#moves"), /e9e8/);
  await press(page, "u");
  await moves(page, 1);
  await press(page, "f");
  assert.equal(await page.locator(".names.at-left span").first().textContent(), "1");
});

onPage("everything fits on a phone, and pieces go by taps", async (page) => {
  const fits = async (screen) => assert.deepEqual(await sticksOut(page), [], screen);
  for (const route of ["hasami", "hasami/setup/cpu", "hasami/setup/watch", "hasami/rules"]) {
    await page.goto(`${here.server.address}#/${route}`);
    await page.waitForSelector(`#screen[data-screen="${route.split("/")[1] ?? "menu"}"]`);
    await fits(route);
  }
  await begin(page, "people");
  const board = await page.locator(".board").boundingBox();
  assert.ok(board.width >= 300, JSON.stringify(board));
  // Both trays and the board are seen at once.
  const tray = await page.locator(".tray.first").boundingBox();
  assert.ok(tray.y + tray.height <= 640, JSON.stringify(tray));
  await paste(page, THIRD);
  await square(page, "e1").tap();
  await square(page, "e5").tap();
  await moves(page, 1);
  await fits("play");
  await paste(page, FIFTH);
  await fits("trays");
}, { width: 360, height: 640, isMobile: true, hasTouch: true });

onPage("with analysis on, moves have a worth and are pointed out", async (page) => {
  await begin(page, "people");
  await paste(page, TWO_IN_A_ROW);
  await page.check("#analysis-on");
  await page.waitForSelector("#analysis li");
  const best = page.locator("#analysis li button").first();
  assert.match(await best.textContent(), /d1d5takes 2★/);
  await best.hover();
  assert.deepEqual(await marked(page, "hint"), [index("d5"), index("d1")]);
  await square(page, "d1").click();
  assert.equal(await page.locator(".square .badge").count(), 7);
  await best.click();
  await moves(page, 1);
  await page.uncheck("#analysis-on");
});

onPage("positions and games are copied and pasted", async (page) => {
  await begin(page, "people");
  await step(page, "i1", "i8");
  await page.locator("#transfer summary").click();
  await page.click("#copy-fen");
  await page.waitForSelector("#transfer .note > *");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "ppppppppp/8P/9/9/9/9/9/9/PPPPPPPP1 b -");
  await page.click("#copy-record");
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("{"));
  const record = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(JSON.parse(record).game_name, "hasami");
  await page.click("#new-game");
  await moves(page, 0);
  await paste(page, record);
  await moves(page, 1);
  // A position with moves after it, in either notation.
  await paste(page, `${THIRD} e1e5 i9i3`);
  await moves(page, 2);
  await paste(page, `${THIRD} 5955 1117`);
  await moves(page, 2);
  assert.match(await page.textContent("#moves"), /e1e5.*i9i3/);
  // From another game a record leads here.
  await page.goto(`${here.server.address}#/dobutsu`);
  await page.waitForSelector("h1:has-text('Dobutsu')");
  await beginAny(page, "people");
  await paste(page, record);
  await page.waitForFunction(() => document.querySelectorAll(".square").length === 81);
  assert.equal(await page.title(), "Game · Hasami Shogi");
}, { permissions: ["clipboard-read", "clipboard-write"] });

onPage("everything is there in Japanese", async (page) => {
  await page.click(".game[data-game=hasami]");
  await page.waitForSelector("h1:has-text('はさみ')");
  await page.goto(`${here.server.address}?lang=ja#/hasami/setup/cpu`);
  await page.waitForSelector("#rules-note:has-text('りかえせなければ')");
  assert.match(await page.textContent("#cpu-player"), /こまを えらんで、その こまの どんな てでも/);
  await page.goto(`${here.server.address}?lang=ja#/hasami/rules`);
  await page.waitForSelector(".rules:has-text('すきまなくはさむと')");
  await begin(page, "people");
  await paste(page, THIRD);
  await step(page, "e1", "e5");
  assert.match(await page.textContent("#moves"), /5955こまを5五へ、1まいとる/);
  assert.match(await words(page, "#turn"), /いま取りかえさないと負けです/);
  assert.equal(await page.locator(".tray.first .tally").getAttribute("aria-label"), "とったこまは4まい");
  await step(page, "a9", "a8");
  await ended(page);
  assert.equal(await words(page, "#over-by"), "3枚リードしました。");
  await page.click("#look");
  await page.click("#language");
  await page.waitForSelector("#moves:has-text('takes 1')");
}, { query: "?lang=ja" });

onPage("a run of Hasami Shogi is started, and its champion played", async (page) => {
  await page.goto(`${here.server.address}#/runs`);
  await page.selectOption("#run-game", "hasami");
  await page.fill("#run-seed", "3");
  await page.fill("#run-generations", "1");
  await page.click("#run-start");
  await page.waitForSelector("#run[data-state=finished]", { timeout: 200000 });
  assert.match(await page.textContent("#run table"), /pieces more than the other/);
  await page.click("#play-champion");
  await page.waitForSelector("#start");
  assert.equal(await page.inputValue("#cpu-player"), "genome=web-hasami-paper-seed3");
  await page.selectOption("#cpu-depth", "1");
  await page.click("#start");
  await page.waitForSelector(".piece");
  await square(page, "e1").click();
  await square(page, "e5").click();
  await moves(page, 2);
});

onPage("a network that was trained can be played", async (page) => {
  const tiny = ["--episodes", "1", "--hidden", "4", "--batch", "8", "--validation-games", "2"];
  execFileSync(PROGRAM, ["learn", "dqn", ...tiny, "--out", join(here.server.folder, "hasami/tiny")], { stdio: "ignore" });
  await begin(page, "cpu", async () => {
    assert.match(await page.textContent("optgroup[label='Networks that learned by playing']"), /Network of hasami\/tiny/);
    await page.selectOption("#cpu-player", "net=hasami/tiny");
    assert.equal(await page.locator("#cpu-depth").count(), 0);
  });
  await square(page, "e1").click();
  await square(page, "e5").click();
  await moves(page, 2);
});

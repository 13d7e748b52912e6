// The board: as large as the screen allows, with drag and drop, keys, typed moves, labels, sounds, clocks and warnings.

import assert from "node:assert/strict";
import { begin, ended, move, paste, played, square, suite } from "./tools.js";

const { onPage } = suite();

const hasPlayed = (page, count) => page.waitForFunction((count) => document.querySelectorAll("#moves li:not(.none)").length === count, count);
const boardBox = (page) => page.locator(".board").boundingBox();

/** Every square is on the screen at once, without scrolling. */
const allSeen = (page) => page.evaluate(() => {
  scrollTo(0, 0);
  return [...document.querySelectorAll(".square")].every((square) => {
    const { top, bottom, left, right } = square.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  });
});

const GAMES = ["dobutsu", "kyoto", "quoridor", "hasami"];

for (const [name, width, height, least] of [["desktop", 1280, 800, 500], ["laptop", 1366, 650, 420], ["tablet", 820, 1180, 600]]) {
  onPage(`the board is big on a ${name}`, async (page) => {
    for (const game of GAMES) {
      await begin(page, "people", undefined, game);
      const box = await boardBox(page);
      assert.ok(box.width >= least, `${game}: ${box.width}`);
      assert.ok(await allSeen(page), game);
    }
  }, { width, height });
}

for (const [name, width, height] of [["a phone held sideways", 844, 390], ["a small phone held sideways", 667, 375], ["a laptop at twice its size", 640, 400]]) {
  onPage(`all ranks are seen on ${name}`, async (page) => {
    for (const game of GAMES) {
      await begin(page, "people", undefined, game);
      assert.ok(await allSeen(page), game);
    }
  }, { width, height });
}

onPage("nothing jumps when a hand fills", async (page) => {
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 844 }, { width: 844, height: 390 }]) {
    await page.setViewportSize(size);
    await begin(page, "people");
    await page.evaluate(() => scrollTo(0, 0));
    const before = await boardBox(page);
    await move(page, "B3", "B2");
    await move(page, "B1", "B2");
    await page.evaluate(() => scrollTo(0, 0));
    assert.equal(await page.locator(".held").count(), 2);
    assert.deepEqual(await boardBox(page), before);
  }
});

async function drag(page, from, to) {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 12, start.y + start.height / 2 + 12, { steps: 3 });
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 4 });
}

onPage("pieces are dragged with a mouse, from the board and from the hand", async (page) => {
  await begin(page, "people");
  await drag(page, square(page, "B3"), square(page, "B2"));
  assert.equal(await page.locator(".dragged").count(), 1);
  assert.equal(await page.locator(".square.over-it").count(), 1);
  await page.mouse.up();
  await hasPlayed(page, 1);
  assert.equal(await page.locator(".dragged").count(), 0);
  await drag(page, square(page, "B1"), square(page, "B2"));
  await page.mouse.up();
  await hasPlayed(page, 2);
  await drag(page, page.locator(".held[data-hand=first]"), square(page, "A3"));
  await page.mouse.up();
  await hasPlayed(page, 3);
  assert.match(await page.textContent("#moves"), /chick dropped on A3/);
  // Where it cannot go, nothing has happened, and a click still works.
  await drag(page, square(page, "A1"), square(page, "C4"));
  await page.mouse.up();
  assert.equal(await played(page), 3);
  assert.equal(await page.locator(".piece.chosen").count(), 0);
  await move(page, "A1", "A2");
});

onPage("pieces are dragged with a finger", async (page) => {
  await begin(page, "people");
  const client = await page.context().newCDPSession(page);
  const middle = async (name) => {
    const { x, y, width, height } = await square(page, name).boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [from, to] = [await middle("B3"), await middle("B2")];
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [from]);
  for (const share of [0.3, 0.6, 1]) await touch("touchMove", [{ x: from.x, y: from.y + (to.y - from.y) * share }]);
  assert.equal(await page.locator(".dragged").count(), 1);
  await touch("touchEnd", []);
  await hasPlayed(page, 1);
}, { width: 390, height: 844, isMobile: true, hasTouch: true });

onPage("the arrow keys step through the game", async (page) => {
  await begin(page, "people");
  await paste(page, "b2b3 b4b3 C@b2");
  await page.locator("#moves").evaluate(() => document.activeElement.blur());
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector("text=Looking at move 2 of 3");
  await page.keyboard.press("Home");
  await page.waitForSelector("text=Looking at move 0 of 3");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("text=Looking at move 1 of 3");
  await page.keyboard.press("End");
  await page.waitForFunction(() => !document.querySelector(".viewing").textContent);
});

const type = async (page, text) => {
  await page.fill("#typed", text);
  await page.press("#typed", "Enter");
};

onPage("what the board shows can be typed, and the labels can be switched", async (page) => {
  await begin(page, "people");
  assert.equal(await page.textContent(".at-top"), "ABC");
  await type(page, "b3-b2");
  await hasPlayed(page, 1);
  assert.match(await page.textContent("#moves"), /chick B3 to B2/);
  await type(page, "B1B2");
  await hasPlayed(page, 2);
  await type(page, "chick*B3");
  await hasPlayed(page, 3);
  for (const [text, why] of [["b9b8", /no square b9/], ["A4-A3", /no piece on A4/], ["A1-C4", /cannot go from A1 to C4/], ["hello", /Write for example [A-Za-z]/]]) {
    await type(page, text);
    assert.match(await page.textContent(".typed .problem"), why, text);
  }
  await page.click("#undo");
  await page.selectOption("#labels", "western");
  assert.equal(await page.textContent(".at-bottom"), "abc");
  assert.match(await page.textContent("#moves"), /chick b2 to b3/);
  await type(page, "c@b2");
  await hasPlayed(page, 3);
  await page.locator("#transfer summary").click();
  await page.click("#copy-moves");
  await page.waitForSelector("#transfer .note > *");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "1. b2b3 b4b3 2. C@b2");
  await page.selectOption("#labels", "paper");
  await page.evaluate(() => { document.querySelector("#transfer").open = true; });
  await page.click("#copy-moves");
  await page.waitForFunction(async () => (await navigator.clipboard.readText()) === "1. B3-B2 B1-B2 2. chick*B3");
  // Numbered lists in either notation, with comments and results, are understood.
  for (const text of ["1. b2b3 b4b3 2. C@b2 *", "1. B3-B2 {takes} B1-B2 2. chick*B3", '[Event "x"]\n\n1. b2b3 b4b3 2. C@b2 1-0']) {
    await paste(page, text);
    await hasPlayed(page, 3);
  }
  for (const [text, why] of [['{"moves": 3', /begins with \{/], ['{"start": null}', /no list of moves/], ["xxx/yyy w 0 1", /cannot be read/], ["1. b2b3 2. b3b9", /Move 2: “b3b9”/]]) {
    await paste(page, text);
    assert.match(await page.textContent("#transfer .problem"), why, text);
  }
}, { permissions: ["clipboard-read", "clipboard-write"] });

onPage("the labels of shogi are those of its notation", async (page) => {
  await begin(page, "people", undefined, "kyoto");
  assert.equal(await page.textContent(".at-bottom"), "abcde");
  await page.selectOption("#labels", "shogi");
  assert.equal(await page.textContent(".at-top"), "54321");
  assert.equal(await page.textContent(".at-right"), "abcde");
  await type(page, "1e1d");
  await hasPlayed(page, 1);
  assert.match(await page.textContent("#moves .notation"), /^1e1d/);
  await page.click("#language");
  await page.waitForSelector("html[lang=ja]");
  assert.equal(await page.textContent(".at-right"), "一二三四五");
  await begin(page, "people", undefined, "hasami");
  assert.equal(await page.textContent(".at-right"), "一二三四五六七八九");
  await type(page, "9九9五");
  await hasPlayed(page, 1);
});

onPage("sounds are off until they are switched on", async (page) => {
  await page.addInitScript(() => {
    window.notes = 0;
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...when) { window.notes += 1; return start.apply(this, when); };
  });
  await page.reload();
  await begin(page, "people");
  await move(page, "B3", "B2");
  assert.equal(await page.evaluate(() => window.notes), 0);
  await page.check("#sound");
  await move(page, "B1", "B2");
  assert.ok(await page.evaluate(() => window.notes) >= 2);
});

onPage("who would repeat a position once too often is warned", async (page) => {
  await begin(page, "people");
  await paste(page, "c1c2 a4a3 c2c1 a3a4");
  assert.match(await page.textContent("#turn"), /Seen 2 times: once more ends the game/);
  await paste(page, "c1c2 a4a3 c2c1 a3a4 c1c2 a4a3 c2c1");
  await square(page, "A2").click();
  assert.equal(await square(page, "A1").locator(".badge.repeats").count(), 1);
  assert.match(await square(page, "A1").getAttribute("aria-label"), /ends the game by repetition/);
});

onPage("a clock runs, and whose time is up has lost", async (page) => {
  await begin(page, "people", () => page.selectOption("#clock", "1"));
  assert.deepEqual(await page.locator(".clock").allTextContents(), ["1:00", "1:00"]);
  await move(page, "B3", "B2");
  await page.waitForFunction(() => document.querySelector(".tray.second .clock").textContent === "0:59");
  assert.equal(await page.locator("#undo").count(), 0, "no time comes back");
  await page.reload();
  await hasPlayed(page, 1);
  assert.match(await page.textContent(".tray.second .clock"), /0:5\d/);
  // The rest of the minute passes at once.
  await page.evaluate(() => { const now = performance.now.bind(performance); performance.now = () => now() + 59000; });
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "Blue wins!");
  assert.equal(await page.textContent("#over-by"), "The time was up.");
  await page.reload();
  await page.waitForSelector("#turn:has-text('Blue wins')");
});

onPage("the computer leaves a moment to see what was played, also where nothing is animated", async (page) => {
  await begin(page, "cpu", () => page.selectOption("#cpu-player", "random"));
  const begun = Date.now();
  await move(page, "B3", "B2");
  await hasPlayed(page, 2);
  assert.ok(Date.now() - begun >= 400);
}, { reducedMotion: "reduce" });

onPage("the game's own rules come first, and those in force are shown", async (page) => {
  await page.goto(`${page.url().split("#")[0]}#/setup/people`);
  await page.waitForSelector("#start");
  assert.equal(await page.inputValue("#rules"), "official");
  await page.click("#start");
  await page.waitForSelector(".piece");
  assert.match(await page.textContent("#rules-now"), /A try wins if it is safe/);
});

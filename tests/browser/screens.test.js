// What is seen at once, on phones, tablets, laptops and large screens, in both languages.

import assert from "node:assert/strict";
import { begin, ended, move, paste, suite } from "./tools.js";

const { onPage } = suite();

const TOUCH = { isMobile: true, hasTouch: true };
const SIZES = {
  "small phone": { width: 360, height: 640, ...TOUCH },
  phone: { width: 390, height: 844, ...TOUCH },
  "phone held sideways": { width: 844, height: 390, ...TOUCH },
  tablet: { width: 820, height: 1180, ...TOUCH },
  laptop: { width: 1366, height: 768 },
  "large screen": { width: 2560, height: 1440 },
};
const GAMES = ["dobutsu", "kyoto", "quoridor", "hasami"];

/** A test for every size of these, in both languages. */
function everywhere(name, sizes, work) {
  for (const size of sizes) {
    for (const lang of ["en", "ja"]) onPage(`${name}: ${size}, ${lang}`, (page) => work(page, lang), { ...SIZES[size], query: `?lang=${lang}` });
  }
}

const rest = (page) => page.evaluate(() => { document.querySelector("#transfer").open = false; scrollTo(0, 0); });
const box = (page, selector) => page.locator(selector).first().boundingBox();
const visit = async (page, game, route) => {
  await page.goto(`${page.url().split("#")[0]}#/${game}/${route}`);
  await page.waitForSelector(`#screen[data-screen=${route.split("/")[0]}] .game[data-game=${game}][aria-current]`);
};

everywhere("the way into a game is in sight, and no choice is cut off", Object.keys(SIZES), async (page) => {
  for (const game of GAMES) {
    await visit(page, game, "setup/cpu");
    const { y, height } = await box(page, "#start");
    assert.ok(y + height <= page.viewportSize().height, `${game}: ${y + height}`);
    const cut = await page.locator("#rules, #seat, #clock").evaluateAll((lists) => lists.flatMap((list) => {
      const pen = document.createElement("canvas").getContext("2d");
      const { font, paddingLeft, paddingRight } = getComputedStyle(list);
      pen.font = font;
      // The arrow takes its place too.
      const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 18;
      return [...list.options].filter(({ text }) => pen.measureText(text).width > room).map(({ text }) => text);
    }));
    assert.deepEqual(cut, [], game);
  }
});

everywhere("the end of a game leaves the board in sight", Object.keys(SIZES), async (page) => {
  await begin(page, "people", undefined, "dobutsu");
  await paste(page, "1l1/1C1/3/ELG[EGc] w 0 1");
  await rest(page);
  await move(page, "B2", "B1");
  await ended(page);
  const { y, height } = await box(page, ".board");
  assert.ok(y >= 0 && y + height <= page.viewportSize().height, `${y} to ${y + height}`);
  const over = await box(page, "#again");
  assert.ok(over.y + over.height <= page.viewportSize().height, "and what comes next with it");
});

/** For each game a position without a warning, and one with. */
const WARNINGS = {
  dobutsu: ["1l1/3/1C1/ELG[EGc] b 0 1", "1l1/1C1/3/ELG[EGc] b 0 1"],
  kyoto: ["2k2/5/5/5/2K2[PSSNNLLP] b 0 1", "2k2/2P2/5/5/2K2[PSSNNLL] b 0 1"],
  quoridor: ["e2 e8", "e2 e8 e1 e9"],
  hasami: ["ppp5p/9/9/9/2Pp5/9/6pP1/9/PPP1P1PP1 w -", "ppp5p/9/9/9/2Pp5/9/6pP1/9/PPP1P1PP1 w - e1e5"],
};

everywhere("nothing jumps when a warning comes", ["small phone", "phone", "tablet"], async (page) => {
  for (const [game, positions] of Object.entries(WARNINGS)) {
    await begin(page, "people", undefined, game);
    const boards = [];
    for (const [at, position] of positions.entries()) {
      await paste(page, position);
      await rest(page);
      assert.equal(await page.locator("#turn .check").count(), at, `${game}: ${position}`);
      boards.push(await box(page, ".board"));
      const outside = await page.locator("#turn > *").evaluateAll((parts) => parts.filter((part) => part.getBoundingClientRect().bottom > part.parentElement.getBoundingClientRect().bottom).length);
      assert.equal(outside, 0, `${game}: the warning fits`);
    }
    assert.deepEqual(boards[1], boards[0], game);
  }
});

everywhere("buttons and readings lie within their places", ["small phone", "phone", "tablet"], async (page) => {
  for (const game of GAMES) {
    await begin(page, "cpu", undefined, game);
    await page.waitForSelector(".about-player summary");
    const across = await page.locator(".controls button").evaluateAll((buttons) => buttons.filter((button) => button.getBoundingClientRect().bottom > innerHeight).map(({ id }) => id));
    assert.deepEqual(across, [], game);
    const over = await page.locator(".tray rt").evaluateAll((readings) => readings.filter((reading) => {
      const tray = reading.closest(".tray");
      return reading.getBoundingClientRect().top < tray.getBoundingClientRect().top + tray.clientTop - 0.5;
    }).map(({ textContent }) => textContent));
    assert.deepEqual(over, [], game);
  }
});

everywhere("the hands stand at the board, which has all the height", ["laptop", "large screen"], async (page) => {
  for (const game of GAMES) {
    await begin(page, "people", undefined, game);
    const [board, far, near] = [await box(page, ".board"), await box(page, ".tray.far"), await box(page, ".tray:not(.far)")];
    assert.ok(board.height > page.viewportSize().height - 90, `${game}: ${board.height}`);
    assert.ok(Math.abs(far.y - board.y) < 1 && Math.abs(near.y + near.height - board.y - board.height) < 1, `${game}: at its corners`);
    assert.ok(board.x - far.x - far.width < 20 && near.x - board.x - board.width < 20, `${game}: and beside it`);
  }
});

onPage("the places for taken pieces and walls are as large as what comes there", async (page) => {
  await begin(page, "people", undefined, "hasami");
  const place = await box(page, ".tally .spent");
  assert.ok(place.width > 15 && place.width / place.height < 1.1 && place.height / place.width < 1.1, JSON.stringify(place));
  await begin(page, "people", undefined, "quoridor");
  await paste(page, "e3h");
  const [spent, left] = [await box(page, ".tally .spent"), await box(page, ".tally .left")];
  assert.ok(Math.abs(spent.height - left.height) < 2 && Math.abs(spent.width - left.width) < 2, JSON.stringify([spent, left]));
});

onPage("with a wall in hand no two buttons say the same", async (page) => {
  await begin(page, "people", undefined, "quoridor");
  await page.keyboard.press("w");
  await page.waitForSelector("#turn-wall");
  const texts = await page.locator(".controls button, #wall button").allTextContents();
  assert.equal(new Set(texts).size, texts.length, texts.join());
}, { query: "?lang=ja" });

everywhere("switches are large enough, and what is to be typed is said in full", ["phone", "laptop"], async (page) => {
  await begin(page, "people", undefined, "dobutsu");
  for (const id of ["analysis-on", "sound"]) {
    const { width, height } = await box(page, `#${id}`);
    assert.deepEqual([width, height], [20, 20], id);
  }
  assert.ok(await page.locator("#typed").evaluate((input) => {
    const pen = document.createElement("canvas").getContext("2d");
    const { font, paddingLeft, paddingRight } = getComputedStyle(input);
    pen.font = font;
    return pen.measureText(input.placeholder).width <= input.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  }));
});

for (const [size, shown] of [["phone", false], ["phone held sideways", false], ["tablet", false], ["laptop", true]]) {
  onPage(`keys are explained where there are some: ${size}`, async (page) => {
    for (const game of GAMES) {
      await visit(page, game, "rules");
      assert.equal((await page.innerText(".rules")).includes("Keys: "), shown, game);
    }
    await begin(page, "people");
    assert.equal((await page.innerText(".play")).includes("Keys: "), shown);
  }, SIZES[size]);
}

// Japanese that a child of seven can read: kana, or readings above the kanji; and words for whatever points.

import assert from "node:assert/strict";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { japanese } from "../../src/web/page/words-ja.js";
import { english } from "../../src/web/page/words-en.js";
import { begin, ended, move, paste, sticksOut, suite, words } from "./tools.js";

const here = suite();
const GAMES = ["dobutsu", "kyoto", "quoridor", "hasami"];
const ROUTES = ["", "/setup/people", "/setup/cpu", "/setup/watch", "/rules"];
const JAPANESE = { query: "?lang=ja" };
const PHONE = { width: 360, height: 640, isMobile: true, hasTouch: true };
const RESULTS = fileURLToPath(new URL("../../results", import.meta.url));
const READ = /\[([^[\]|]+)\|([ぁ-ゖァ-ヺー]+)\]/g;

/** The words of a language that are for everybody: from the runs on they are for grown-ups. What the levels are called is read on the screens. */
const forAll = (language) => {
  const entries = Object.entries(language);
  return entries.slice(0, entries.findIndex(([key]) => key === "runs_title")).filter(([key]) => !key.startsWith("level_"));
};

async function visit(page, game, route) {
  await page.goto(`${page.url().split("#")[0]}#/${game}${route}`);
  await page.waitForSelector(`#screen[data-screen=${route.split("/")[1] ?? "menu"}] .game[data-game=${game}][aria-current]`);
}

/** Kanji that nobody tells how to read; pieces show readings of their own, and squares are named as the board names them. */
const unread = (page) => page.evaluate(() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data, parentElement: place } = walk.currentNode;
    if (place.closest("ruby, svg, noscript, #language, .names, .notation, .ahead")) continue;
    if (place.tagName !== "OPTION" && !place.checkVisibility()) continue;
    if (/[\u4e00-\u9fff]/.test(data.replace(/\d[一二三四五六七八九]/g, ""))) found.push(data);
  }
  return found;
});

/** Marks of readings that were left as they are, wherever somebody could meet them. */
const raw = (page) => page.evaluate(() => {
  const texts = [document.title];
  for (const element of document.querySelectorAll("body, body *")) {
    texts.push(...[...element.attributes].map(({ value }) => value));
    texts.push(...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map(({ data }) => data));
  }
  return texts.filter((text) => /[[\]|]/.test(text));
});

async function readable(page, screen) {
  assert.deepEqual(await unread(page), [], `${screen}: kanji without a reading`);
  assert.deepEqual(await raw(page), [], `${screen}: marks`);
}

test("every kanji has its reading, and an animal one spelling", () => {
  for (const [key, text] of forAll(japanese)) assert.doesNotMatch(text.replace(READ, ""), /[\u4e00-\u9fff[\]|]/, key);
  assert.deepEqual(Object.entries(japanese).filter(([, text]) => /ライオン|キリン|ゾウ|ヒヨコ|ニワトリ/.test(text)), []);
  assert.equal(japanese.piece_lion, "らいおん");
});

test("whatever says click has words for fingers", () => {
  for (const [language, click, tap] of [[english, /click|point at/i, /\btap/i], [japanese, /クリック|マウス/, /タップ/]]) {
    for (const [key, text] of forAll(language)) {
      if (key.endsWith("_touch")) assert.doesNotMatch(text, click, key);
      else if (click.test(text)) assert.match(language[`${key}_touch`] ?? "", tap, key);
    }
  }
});

here.onPage("menu, choices and rules of all games can be read", async (page) => {
  for (const game of GAMES) {
    for (const route of ROUTES) {
      await visit(page, game, route);
      await readable(page, game + route);
    }
  }
  // Heard, a word is said once; where nothing can stand above it, it is in kana.
  await page.getByRole("link", { name: /^京都 ?将棋$/ }).waitFor();
  await visit(page, "kyoto", "/setup/cpu");
  assert.equal(await page.title(), "あたらしいゲーム · きょうとしょうぎ");
  assert.equal(await page.textContent("#seat option"), "あお（せんて）");
}, JAPANESE);

here.onPage("games, the coach, endings and refusals can be read", async (page) => {
  for (const game of GAMES) {
    await begin(page, "people", undefined, game);
    await readable(page, `${game}, a game`);
    await page.check("#analysis-on");
    await page.waitForSelector(".worths li");
    await page.locator(".square.own").first().click();
    await readable(page, `${game}, a piece`);
    await page.locator(".worths button").first().click();
    await page.waitForSelector("#moves [data-ply='1']");
    await page.click("#hint");
    await page.waitForSelector("#hint-words");
    await readable(page, `${game}, a hint`);
    await page.fill("#typed", "i9");
    await page.click("#play-typed");
    await page.waitForSelector(".typed .problem");
    await readable(page, `${game}, a typed move`);
    await page.uncheck("#analysis-on");
  }
  await begin(page, "people", undefined, "quoridor");
  await page.keyboard.press("w");
  await page.waitForSelector("#place-wall");
  await readable(page, "a wall");
  await begin(page, "watch", undefined, "dobutsu");
  await page.click("#pause");
  await readable(page, "two computers");
  await begin(page, "people", undefined, "dobutsu");
  await paste(page, "b2b3 b2b3");
  assert.equal(await words(page, "#transfer .problem"), "2手目の「b2b3」は指せません。");
  await readable(page, "a refusal");
  await paste(page, "b2b3 a4a3");
  await move(page, "B2", "B1");
  await ended(page);
  await readable(page, "an ending");
  assert.equal(await words(page, "#over-title"), "青（先手）の勝ち！");
  assert.equal(await page.textContent("#over-title rt"), "あお");
  assert.match(await page.textContent("#live"), /^あお（せんて）のかち！ らいおんをつかまえました/);
  const heights = await page.locator("#over button").evaluateAll((buttons) => buttons.map((button) => button.offsetHeight));
  assert.deepEqual(new Set(heights), new Set([40]));
  await page.click("#review-game");
  await page.waitForSelector("#review ol", { state: "attached" });
  await readable(page, "a review");
  await page.goto(`${here.server.address}?lang=ja#/runs`);
  await page.waitForSelector("#run-start");
  assert.deepEqual(await raw(page), [], "runs");
}, JAPANESE);

/** What a person can make the server refuse, with the code by which the page says it in its own language. */
const game = (more = {}) => ({ game: { game: "dobutsu", ...more } });
const REFUSED = [
  ["fen", "state", game({ start: "gxe/1c1/1C1/ELG[-] w" })],
  ["move", "state", game({ moves: ["b2b9"] })],
  ["move_after_end", "state", game({ moves: ["b2b3", "a4a3", "b3b4+", "a3a2"] })],
  ["too_long", "state", game({ moves: Array(501).fill("b2b3") })],
  ["rules", "state", game({ rules: "odd" })],
  ...["nobody", "material:deep=2", "strong:time=never", "perfect:table=x", "engine=true", "genome=none", "x".repeat(1000)].map(
    (player) => ["player", "move", { ...game(), player }],
  ),
  ["player_depth", "move", { ...game(), player: "material:depth=9" }],
  ["player_depth", "move", { ...game(), player: "material:depth=8:evaluate=path" }],
  ["player_time", "move", { ...game(), player: "strong:time=3000s" }],
  ["player_simulations", "move", { ...game(), player: "alphazero:simulations=9999" }],
  ["no_table", "move", { ...game(), player: "perfect" }],
  ...[{ seed: 1 }, { seed: 1, generations: 5000 }, { seed: -1, generations: 1 }].map((wanted) => ["number", "runs", wanted]),
  ["number", "curve?seed=1&elite=1&mutation=101"],
  ["no_run", "runs/none", { language: "ja" }],
  ["no_run", "runs/none"],
];

test("refusals that a person can cause have a code, and words for it in both languages", async () => {
  const page = await (await fetch(here.server.address)).text();
  const [, token] = /name="dobutsu-token" content="([^"]*)"/.exec(page);
  for (const [code, path, body] of REFUSED) {
    const headers = { "content-type": "application/json", "x-dobutsu-token": token };
    const asked = { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) };
    const told = await (await fetch(`${here.server.address}api/${path}`, asked)).json();
    assert.equal(told.code, code, told.error);
    for (const language of [english, japanese]) {
      assert.equal(language[`error_${code}`].split("{}").length - 1, told.with.length, code);
    }
  }
  for (const [key, text] of Object.entries(japanese)) {
    if (key.startsWith("error_")) assert.equal(text.split("{}").length, english[key].split("{}").length, key);
  }
});

here.onPage("refusals are said in Japanese where a person causes them", async (page) => {
  for (const [player, said] of [["nobody", /^「nobody」というプレイヤーは使えません。/], ["material:depth=9", /^「material:depth=9」は読みすぎです。/]]) {
    await begin(page, "cpu", async () => {
      await page.selectOption("#cpu-player", "custom");
      await page.fill("#cpu-custom", player);
      await page.selectOption("#seat", "second");
    }, "dobutsu");
    await page.waitForSelector(".trouble .problem");
    assert.match(await words(page, ".trouble .problem"), said);
    await readable(page, `${player}, a refusal`);
  }
  await begin(page, "people", undefined, "dobutsu");
  await paste(page, "gle/1c1/1C1 w");
  assert.match(await words(page, "#transfer .problem"), /^この形は読めません。/);
  await readable(page, "a position that cannot be read");
  await page.goto(`${here.server.address}?lang=ja#/runs/none`);
  await page.waitForSelector("#screen > .problem");
  assert.equal(await words(page, "#screen > .problem"), "結果のフォルダーに「none」という実行はありません。");
}, JAPANESE);

here.onPage("reports are English in both languages; the Japanese page says so", async (page) => {
  const folder = join(here.server.folder, "table2");
  cpSync(join(RESULTS, "table2"), folder, { recursive: true });
  for (const [query, notes] of [["?lang=ja", 1], ["?lang=en", 0]]) {
    await page.goto(`${here.server.address}${query}#/runs/table2`);
    await page.waitForSelector("#run .article");
    assert.equal(await page.locator(".article:has-text('（レポートは英語です）')").count(), notes, query);
    assert.match(await page.textContent(".article .text[lang=en]"), /Which evaluator is best/);
    assert.match(await page.textContent("#run h1[lang=en]"), /^Table 2/);
    await page.goto(`${here.server.address}${query}#/runs`);
    assert.match(await page.textContent("[data-run=table2] [lang=en]"), /^Table 2/);
  }
  rmSync(folder, { recursive: true });
});

for (const [name, options, said, unsaid] of [["a mouse clicks", {}, /クリック/, /タップ/], ["a finger taps", PHONE, /タップ/, /クリック/]]) {
  here.onPage(`${name}, in every game and both languages`, async (page) => {
    for (const game of GAMES) {
      await visit(page, game, "/rules");
      assert.match(await page.textContent(".rules"), said, game);
      assert.doesNotMatch(await page.textContent(".rules"), unsaid, game);
    }
    await begin(page, "people", undefined, "kyoto");
    assert.match(await page.textContent("#piece"), said);
    await page.click("#language");
    await page.waitForSelector(`#piece:has-text('${name === "a finger taps" ? "Tap" : "Click"} a piece')`);
  }, { ...JAPANESE, ...options });
}

here.onPage("who touches a screen that also has a mouse is told to tap", async (page) => {
  await page.evaluate(() => document.body.dispatchEvent(new PointerEvent("pointerdown", { pointerType: "touch", bubbles: true })));
  await visit(page, "dobutsu", "/rules");
  assert.match(await page.textContent(".rules"), /タップ/);
  await page.mouse.click(5, 300);
  await visit(page, "kyoto", "/rules");
  assert.match(await page.textContent(".rules"), /クリック/);
}, JAPANESE);

here.onPage("readings fit on a phone, and every line of the rules is as high as the next", async (page) => {
  for (const game of GAMES) {
    for (const route of ROUTES) {
      await visit(page, game, route);
      assert.deepEqual(await sticksOut(page), [], game + route);
    }
    const uneven = await page.locator(".rules-top li:not(:first-child)").evaluateAll((items) => items.map((item) => {
      const lines = item.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(item).lineHeight);
      return Math.abs(lines - Math.round(lines));
    }));
    assert.ok(Math.max(...uneven) < 0.03, `${game}: ${uneven}`);
    await begin(page, "people", undefined, game);
    await page.locator(".square.own").first().tap();
    assert.deepEqual(await sticksOut(page), [], `${game}, a game`);
    // What stands beside the board is as high as ever: nothing is cut off.
    const cut = await page.locator(".banner, .tray, .piece-panel:not([hidden]) > *").evaluateAll((boxes) => boxes.filter((box) => box.scrollHeight > box.clientHeight + 1).map((box) => box.outerHTML.slice(0, 80)));
    assert.deepEqual(cut, [], game);
  }
}, { ...JAPANESE, ...PHONE });

/** What has more in it than it can show, or stands out of its tray. */
const outside = (page) => page.locator(".owner > *, .about-player summary, .wall-panel:not([hidden]) .about").evaluateAll((parts) => parts.filter((part) => {
  const [box, frame] = [part.getBoundingClientRect(), (part.closest(".tray") ?? part).getBoundingClientRect()];
  return box.left < frame.left || box.right > frame.right + 0.5 || part.scrollHeight > part.clientHeight + 2;
}).map((part) => part.outerHTML.slice(0, 160)));

for (const [name, size] of [["a desktop", {}], ["a laptop", { width: 1024, height: 650 }], ["a phone", PHONE], ["a phone held sideways", { ...PHONE, width: 640, height: 360 }]]) {
  here.onPage(`names of opponents and words about walls have room on ${name}`, async (page) => {
    for (const game of GAMES) {
      await begin(page, "cpu", () => page.click("[data-level='fairly-easy']"), game);
      assert.deepEqual(await outside(page), [], game);
    }
    await begin(page, "people", undefined, "quoridor");
    await paste(page, "e2 e8 e3 e7 e4 e6 e3h d6v c3h f7h h4v");
    // Beside a wall that stands, over which it would lie.
    await page.keyboard.press("w");
    for (const key of ["ArrowUp", "ArrowUp", "ArrowLeft", "r", "ArrowUp", "ArrowUp"]) await page.keyboard.press(key);
    await page.waitForSelector(".wall-panel .why");
    assert.deepEqual(await outside(page), [], "a wall");
  }, { ...JAPANESE, ...size });
}

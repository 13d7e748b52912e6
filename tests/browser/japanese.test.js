// Japanese that a child of seven can read: kana, or readings above the kanji; and words for whatever points.

import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { translator } from "../../src/web/page/memory.js";
import { REPORTS } from "../../src/web/page/reports-ja.js";
import { SENTENCES } from "../../src/web/page/sentences-ja.js";
import { japanese } from "../../src/web/page/words-ja.js";
import { english } from "../../src/web/page/words-en.js";
import { begin, ended, move, paste, serve, sticksOut, suite, words } from "./tools.js";

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

/** What a person can make the server refuse: positions, moves, players, runs. */
const REFUSED = [
  ...["", "gle/1c1/1C1", "gl/1c1/1C1/ELG[-] w", "gxe/1c1/1C1/ELG[-] w", "gle/1c1/1C1/ELG[ w", "gle/1c1/1C1/ELG[x] w", "gle/1c1/1C1/ELG[-]", "gle/1c1/1C1/ELG[-] x", "gle/1c1/1C1/ELG[-] w 0 1 x", "gle/1c1/1CC/ELG[-] w", "gll/1c1/1C1/ELG[-] w"].map((start) => ["state", { game: { game: "dobutsu", start: start || " " } }]),
  ...["nonsense", "p+nks+l/5/5/5/+LSK+NP", "p+nks+l/5/5/5/+LSK+NP[-] x", "p+nks+l/5/5/5/+LSS+NP[-] w", "p+nks+l/5/5/+LSK+NP[-] w"].map((start) => ["state", { game: { game: "kyoto", start } }]),
  ...["nonsense", "z1 e9 10 10 h:- v:- w", "e1 e1 10 10 h:- v:- w", "e1 e9 11 10 h:- v:- w", "e1 e9 9 10 h:- v:- w", "e1 e9 8 10 h:e3,e3 v:- w", "e1 e9 8 10 h:e3 v:e3 w", "e1 e9 10 10 x v:- w", "e1 e9 10 10 h:- v:- x"].map((start) => ["state", { game: { game: "quoridor", start } }]),
  ...["nonsense", "9/9 w -", "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP x -", "pppppppp/9/9/9/9/9/9/9/PPPPPPPPP w -", "ppppppppp/p8/9/9/9/9/9/9/PPPPPPPPP w -", "xpppppppp/9/9/9/9/9/9/9/PPPPPPPPP w -", "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP w ?"].map((start) => ["state", { game: { game: "hasami", start } }]),
  ["state", { game: { game: "dobutsu", moves: ["b2b9"] } }],
  ["state", { game: { game: "dobutsu", moves: ["b2b3", "a4a3", "b3b4+", "a3a2"] } }],
  ["state", { game: { game: "dobutsu", moves: Array(501).fill("b2b3") } }],
  ["state", { game: { game: "dobutsu", rules: "odd" } }],
  ["state", { game: { game: "chess" } }],
  ["state", { games: 1 }],
  ["state", {}],
  ...["nobody", "material:deep=2", "material:depth=0", "material:depth=2:depth=2", "strong:depth=2:time=1s", "strong:time=never", "strong:depth=99", "strong:time=1h", "strong:time=3000s", "material:depth=10", "alphazero:simulations=9999", "material:depth=2:sees=0.5", "material:depth=2:slips=7", "material:terminal=odd", "perfect", "perfect:table=x", "engine=true", "genome=none", "net=none", "x".repeat(1000)].map((player) => ["move", { game: { game: "dobutsu" }, player }]),
  ["move", { game: { game: "quoridor" }, player: "report:beam=0" }],
  ["move", { game: { game: "dobutsu", moves: ["b2b3", "a4a3", "b3b4+"] }, player: "random" }],
  ["move", { game: { game: "dobutsu" }, player: "random", seed: 1e19 }],
  ["analyse", { game: { game: "dobutsu" }, player: "random" }],
  ...[{ seed: 1 }, { seed: 1, generations: 0 }, { seed: 1, generations: 10.5 }, { seed: 1, generations: 5000 }, { seed: -1, generations: 1 }, { seed: 1, generations: 1, preset: "odd" }].map((wanted) => ["runs", wanted]),
  ["runs/none", { language: "ja" }],
  ["runs/none", undefined],
  ...["", "?seed=x&elite=1&mutation=1", "?seed=1&elite=3&mutation=1", "?seed=1&elite=1&mutation=101", "?seed=1&seed=2"].map((query) => [`curve${query}`, undefined]),
  ["nothing", undefined],
];

here.onPage("what the server refuses is said in Japanese", async (page) => {
  const say = translator(SENTENCES);
  const token = await page.getAttribute("meta[name=dobutsu-token]", "content");
  for (const [path, body] of REFUSED) {
    const headers = { "content-type": "application/json", "x-dobutsu-token": token };
    const answer = await fetch(`${here.server.address}api/${path}`, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) });
    assert.ok(!answer.ok, `${path} ${JSON.stringify(body)} is not refused`);
    const { error } = await answer.json();
    const told = say(error)?.replace(READ, "$2") ?? "";
    assert.match(told, /[ぁ-ん]/, error);
    // What was typed, names and notations stay as they are; sentences do not.
    assert.doesNotMatch(told.replace(/「[^」]*」/g, ""), /[a-z]{3,} [a-z]{2,} [a-z]/i, `${error} -> ${told}`);
  }
});

test("for whoever plays, what the server refuses has readings too, and no hole is left open", () => {
  const forPlay = SENTENCES.slice(0, SENTENCES.findIndex(([english]) => english.startsWith("there is no run")));
  for (const [english, told] of forPlay) assert.doesNotMatch(told.replace(READ, ""), /[\u4e00-\u9fff]/, english);
  for (const [english, told] of [...SENTENCES, ...REPORTS]) {
    const holes = english.match(/\{[nw]?\}/g)?.length ?? 0;
    const numbers = [...told.matchAll(/\{(\d*)\}/g)].map(([, number]) => Number(number));
    assert.ok(numbers.filter((number) => !number).length <= holes && Math.max(0, ...numbers) <= holes, english);
  }
});

here.onPage("a player that there is not is refused in Japanese where one plays", async (page) => {
  await begin(page, "cpu", async () => {
    await page.selectOption("#cpu-player", "custom");
    await page.fill("#cpu-custom", "nobody");
    await page.selectOption("#seat", "second");
  }, "dobutsu");
  await page.waitForSelector(".trouble .problem");
  assert.match(await words(page, ".trouble .problem"), /^「nobody」というプレイヤーはいません。/);
  await readable(page, "a refusal");
}, JAPANESE);

/** What has stayed English on a screen of the runs. */
const stayed = (page) => page.locator("#screen [lang=en]").evaluateAll((parts) => parts.map((part) => part.textContent.slice(0, 120)));

here.onPage("every report that comes with the program is in Japanese, down to its tables", async (page) => {
  const server = await serve({ results: RESULTS });
  try {
    await page.goto(`${server.address}?lang=ja#/runs`);
    await page.waitForSelector(".run-card");
    assert.deepEqual(await stayed(page), [], "the list");
    const ids = await page.locator(".run-card").evaluateAll((cards) => cards.map((card) => card.dataset.run));
    assert.ok(ids.length > 40, `${ids}`);
    for (const id of ids) {
      await page.goto(`${server.address}?lang=ja#/runs/${id}`);
      await page.waitForSelector(`#run:has(a[href*='/${id.split("/").map(encodeURIComponent).join("/")}/'])`);
      assert.deepEqual(await stayed(page), [], id);
      // A single word says nothing of its language: in the heads of tables only names of players and columns of numbers stay as they are.
      const heads = await page.locator("#run thead th:not(:has(code))").allTextContents();
      assert.deepEqual(heads.filter((head) => /^[a-z %,-]{3,}$/i.test(head) && !/^(mobility|oracle|robust(-full)?)$/.test(head)), [], id);
      assert.match(await page.textContent("#run h1"), /[ぁ-んァ-ヶ一-龥]|^[\w/-]+$/, id);
    }
    // Pictures may still be on their way.
    await page.goto("about:blank");
  } finally {
    await server.stop();
  }
}, JAPANESE);

here.onPage("a text of one's own that is English only says so, in Japanese", async (page) => {
  const folder = join(here.server.folder, "guideline");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "run.toml"), 'version = "0.1.0"\ncommand = "guideline"\n');
  writeFileSync(join(folder, "guideline.md"), "# Notes of our own\n\nNobody has put this into another language.\n\n| player | score |\n|---|---|\n| B | 7 |\n");
  for (const [query, marked] of [["?lang=ja", 2], ["?lang=en", 0]]) {
    await page.goto(`${here.server.address}${query}#/runs/guideline`);
    await page.waitForSelector("#run .article");
    assert.equal(await page.locator("#run [lang=en]").count(), marked);
    assert.equal(await page.locator(".article:has-text('英語だけ')").count(), marked ? 1 : 0);
    assert.equal(await page.locator(`.article th:has-text('${marked ? "勝率" : "score"}')`).count(), 1);
  }
  rmSync(folder, { recursive: true });
});

here.onPage("the report of a run is in the language of the page, whichever it was started in", async (page) => {
  await page.goto(`${here.server.address}#/runs`);
  await page.fill("#run-generations", "10");
  await page.click("#run-start");
  await page.waitForSelector("#run[data-state=finished] details");
  await page.click("#run details summary");
  assert.match(await page.textContent("#run details"), /All settings are in run\.toml/);
  await page.click("#language");
  await page.waitForSelector("#run:has-text('論文の値との比較')");
  await page.click("#run details summary");
  assert.match(await page.textContent("#run details"), /10世代、シード1、設定 Paper。すべての設定は run\.toml/);
  assert.deepEqual(await stayed(page), []);
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

// Nothing is lost: a game survives a reload, a closed tab, a new game and a server that goes away.

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, move, open, paste, played, serve, square, suite } from "./tools.js";

const here = suite();
const { onPage } = here;

const hasPlayed = (page, count) => page.waitForFunction((count) => document.querySelectorAll("#moves li:not(.none)").length === count, count);

onPage("a game survives a reload, also at the move that is looked at", async (page) => {
  await begin(page, "people");
  await move(page, "B3", "B2");
  await move(page, "A1", "A2");
  await page.reload();
  await hasPlayed(page, 2);
  assert.match(await page.textContent("#turn"), /Blue to move/);
  await page.click("#to-start");
  await page.waitForSelector(".viewing button");
  await page.reload();
  await page.waitForSelector("text=Looking at move 0 of 2");
  // The board follows as soon as the server has answered.
  await page.waitForFunction(() => document.querySelectorAll(".piece").length === 8);
});

onPage("a game against the computer goes on in a new tab", async (page) => {
  await begin(page, "cpu", () => page.selectOption("#cpu-player", "random"));
  await move(page, "B3", "B2");
  await page.waitForFunction(() => /Your turn/.test(document.querySelector("#turn").textContent));
  const before = await played(page);
  const address = page.url().split("#")[0];
  const context = page.context();
  const other = await context.newPage();
  await page.close();
  page.problems.length = 0;
  await other.goto(address);
  await other.click("#continue");
  await hasPlayed(other, before);
  assert.match(await other.textContent("#turn"), /Your turn \(Blue\)/);
  await other.goBack();
  await other.waitForSelector("#mode-people");
  await other.goForward();
  await hasPlayed(other, before);
});

onPage("a new game can be undone, wherever it was begun", async (page) => {
  await begin(page, "people");
  await move(page, "B3", "B2");
  await page.click("#new-game");
  await hasPlayed(page, 0);
  await page.click("#bring-back");
  await hasPlayed(page, 1);
  await begin(page, "people", undefined, "kyoto");
  await page.waitForSelector(".desk.kyoto");
  await page.click("#bring-back");
  await page.waitForSelector(".desk.dobutsu");
  await hasPlayed(page, 1);
  assert.match(await page.title(), /Dobutsu Shogi/);
});

onPage("a link opens the same game at the same move", async (page) => {
  await begin(page, "people", () => page.selectOption("#rules", "paper"));
  await move(page, "B3", "B2");
  await move(page, "B1", "B2");
  await page.click("#step-back");
  await page.waitForSelector(".viewing button");
  await page.locator("#transfer summary").click();
  await page.click("#copy-link");
  await page.waitForSelector("#transfer .note > *");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#\/dobutsu\/play\/.*rules=paper.*moves=b2b3\.b4b3.*at=1/);
  const friend = await open(here.browser, link);
  await friend.waitForSelector("text=Looking at move 1 of 2");
  assert.match(await friend.textContent("#rules-now"), /A try always wins/);
  await friend.click("#to-end");
  assert.match(await friend.textContent("#turn"), /Blue to move/);
  await friend.goto(`${here.server.address}#/dobutsu/play/moves=b2b3.b3b9`);
  await friend.waitForSelector("#screen .problem");
  assert.match(await friend.textContent("#screen .problem"), /Move 2: “b3b9” cannot be played there/);
  await friend.context().close();
}, { permissions: ["clipboard-read", "clipboard-write"] });

test("while the server is away it is said, and the game goes on when it is back", { timeout: 120000 }, async () => {
  let server = await serve();
  const page = await open(here.browser, server.address);
  await begin(page, "cpu", async () => {
    await page.selectOption("#cpu-player", "material");
    await page.selectOption("#cpu-depth", "2");
  });
  await server.stop();
  // The move that a person makes now waits for the server, and so does the answer.
  await square(page, "B3").click();
  await square(page, "B2").click();
  await page.waitForSelector("#away:not([hidden])");
  assert.match(await page.textContent("#away"), /does not answer.*kept/);
  await page.click("#try-again");
  assert.ok(await page.isVisible("#away"));
  server = await serve({ port: server.port });
  await hasPlayed(page, 2);
  assert.ok(!(await page.isVisible("#away")));
  assert.match(await page.textContent("#turn"), /Your turn/);
  // On any screen: the list of opponents, and a run that the new server is asked to start.
  await server.stop();
  await page.goto(`${server.address}#/setup/watch`);
  await page.waitForSelector("#away:not([hidden])");
  server = await serve({ port: server.port });
  await page.waitForSelector("#start");
  await page.goto(`${server.address}#/runs`);
  await page.waitForSelector("#run-start");
  await page.fill("#run-generations", "20");
  await page.click("#run-start");
  await page.waitForSelector("#run[data-state=finished]", { timeout: 60000 });
  assert.doesNotMatch(await page.textContent("body"), /Failed to fetch|NetworkError|JSON/);
  await page.context().close();
  await server.stop();
});

test("a part of the page that has not come yet comes when the server is back", { timeout: 120000 }, async () => {
  let server = await serve();
  const page = await open(here.browser, server.address);
  await page.route("**/runs.js", (route) => route.abort());
  await page.click("#mode-runs");
  await page.waitForTimeout(300);
  await page.unroute("**/runs.js");
  await page.waitForSelector("#run-start", { timeout: 30000 });
  assert.doesNotMatch(await page.textContent("body"), /Failed to fetch/);
  await page.context().close();
  await server.stop();
});

const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

/** What a button of the share panel copies. */
async function copied(page, id) {
  await page.evaluate(() => { document.querySelector("#transfer").open = true; document.querySelector("#transfer .note").replaceChildren(); });
  await page.click(`#${id}`);
  await page.waitForSelector("#transfer .note > *");
  return page.evaluate(() => navigator.clipboard.readText());
}

onPage("a link keeps the opponent's name and level, and the name follows the language", async (page) => {
  await begin(page, "cpu");
  await page.waitForSelector(".tray.second .about-player");
  const link = await copied(page, "copy-link");
  const other = await open(here.browser, link);
  await other.waitForSelector(".tray.second .about-player");
  assert.equal(await other.textContent(".tray.second .about-player summary"), "Hen · Easy");
  assert.match(await other.textContent(".tray.second .about-player p"), /^Looks \d moves? ahead/);
  await other.click("#language");
  await other.waitForSelector("html[lang=ja]");
  assert.equal(await other.textContent(".tray.second .about-player summary"), "にわとり · やさしい");
  assert.deepEqual(other.problems, []);
  await other.context().close();
  // One from the list, with how far it looks.
  await begin(page, "cpu", async () => {
    await page.selectOption("#cpu-player", "material:terminal=exact");
    await page.selectOption("#cpu-depth", "3");
  });
  assert.match(await page.textContent(".tray.second small"), /and knows when it wins · 3 moves$/);
  await page.click("#language");
  await page.waitForSelector("html[lang=ja]");
  assert.match(await page.textContent(".tray.second small"), /[ぁ-ん].* · 3手|3て/);
}, CLIPBOARD);

onPage("a link that tells no game says so, and leads on; what was played is still there", async (page) => {
  await begin(page, "people");
  await move(page, "B3", "B2");
  for (const told of ["moves=b2b9", "start=nonsense", "rules=odd"]) {
    await page.goto(`${here.server.address}#/dobutsu/play/${told}`);
    await page.waitForSelector("#screen .problem:has-text('The game of this link cannot be shown')");
    assert.equal(await page.locator(".controls, .board").count(), 0, "no controls without a board");
  }
  await page.click("#screen a[href='#/play']");
  await hasPlayed(page, 1);
  // A browser without stored games.
  const other = await open(here.browser, `${here.server.address}#/dobutsu/play/moves=b2b9`);
  await other.waitForSelector("#screen .problem");
  await other.click("#screen a[href='#/']");
  await other.waitForSelector("#mode-people");
  assert.deepEqual(other.problems, []);
  await other.context().close();
});

onPage("a copied position counts its moves", async (page) => {
  await begin(page, "people");
  await paste(page, "c1c2 a4a3 c2c1 a3a4 c1c2");
  assert.equal(await copied(page, "copy-fen"), "gle/1c1/1CG/EL1[-] b 5 3");
  await paste(page, "b2b3 b4b3 C@b2");
  assert.equal(await copied(page, "copy-fen"), "g1e/1l1/1C1/ELG[c] b 0 2");
  await paste(page, "g1e/1l1/1C1/ELG[c] b 7 12 a4a3");
  assert.equal(await copied(page, "copy-fen"), "2e/gl1/1C1/ELG[c] w 8 13");
  await page.click("#step-back");
  await page.waitForSelector("text=Looking at move 0 of 1");
  assert.equal(await copied(page, "copy-fen"), "g1e/1l1/1C1/ELG[c] b 7 12");
}, CLIPBOARD);

onPage("a flag does not fall while a move is on its way", async (page) => {
  await begin(page, "people", () => page.selectOption("#clock", "1"));
  await move(page, "B3", "B2");
  let answer;
  const asked = new Promise((done) => page.route("**/api/state", (route) => { answer = () => route.continue(); done(); }, { times: 1 }));
  await square(page, "A1").click();
  await square(page, "A2").click();
  await asked;
  await page.evaluate(() => { const now = performance.now.bind(performance); performance.now = () => now() + 90000; });
  await page.waitForTimeout(600);
  await answer();
  await hasPlayed(page, 2);
  const said = await page.textContent("#turn");
  assert.match(said, /Blue to move/, "who has moved in time has moved in time");
  await page.reload();
  await hasPlayed(page, 2);
  assert.equal(await page.textContent("#turn"), said, "and a reload does not change it");
});

onPage("opening another run closes the event source of the first", async (page) => {
  await page.addInitScript(() => {
    window.sources = [];
    const Real = window.EventSource;
    window.EventSource = class extends Real { constructor(...args) { super(...args); window.sources.push(this); } };
  });
  await page.goto(`${here.server.address}#/runs`);
  await page.reload();
  await page.waitForSelector("#run-form");
  await page.selectOption("#run-preset", "robust");
  await page.fill("#run-generations", "200");
  await page.click("#run-start");
  await page.waitForSelector("#run[data-state=running]");
  const running = page.url();
  // The same run under another address, slow to come: it would be followed too.
  let late;
  await page.route("**/api/runs/slow", (route) => { late = () => page.request.get(`${here.server.address}api/runs/web-robust-seed1`).then((response) => route.fulfill({ response })); });
  const open = () => page.evaluate(() => window.sources.filter(({ readyState }) => readyState !== EventSource.CLOSED).length);
  await page.goto(`${here.server.address}#/runs/slow`);
  while (!late) await page.waitForTimeout(20);
  await page.goto(running);
  await page.waitForSelector("#run[data-state=running]");
  await late();
  await page.waitForTimeout(500);
  assert.equal(await open(), 1, "only what is shown is followed");
  await page.goto(`${here.server.address}#/`);
  await page.waitForSelector("#mode-people");
  assert.equal(await open(), 0);
  await page.goto(running);
  await page.click("#run-stop");
  await page.waitForSelector("#run[data-state=stopped]", { timeout: 60000 });
});

/** Holds back the answers to some requests; returns which are waiting. */
async function hold(page, pattern) {
  const held = [];
  await page.route(pattern, (route) => { held.push(route); });
  return held;
}

/** The next request of this path that is given up. */
const givenUp = (page, path) => page.waitForEvent("requestfailed", (request) => new URL(request.url()).pathname === path);

here.onPage("what a screen has asked for is given up when it is left", async (page) => {
  for (const [hash, path] of [["#/setup/cpu", "/api/opponents"], ["#/runs", "/api/runs"]]) {
    const held = await hold(page, `**${path}**`);
    await page.evaluate((hash) => { location.hash = hash; }, hash);
    while (!held.length) await page.waitForTimeout(50);
    const [gone] = await Promise.all([givenUp(page, path), page.evaluate(() => { location.hash = "#/rules"; })]);
    assert.match(gone.failure().errorText, /ABORTED/, hash);
    await page.waitForSelector("#screen[data-screen=rules]");
    assert.equal(await page.locator("#screen .problem").count(), 0, hash);
    await page.unroute(`**${path}**`);
  }
});

here.onPage("a computer that was thinking when its screen was left is asked anew when one comes back", async (page) => {
  const held = await hold(page, "**/api/move");
  await begin(page, "cpu", () => page.selectOption("#seat", "second"));
  await page.check("#analysis-on");
  await page.waitForSelector(".worths li, .worths .problem");
  while (!held.length) await page.waitForTimeout(50);
  await Promise.all([givenUp(page, "/api/move"), page.evaluate(() => { location.hash = "#/rules"; })]);
  await page.unroute("**/api/move");
  await page.waitForSelector("#screen[data-screen=rules]");
  await page.evaluate(() => { location.hash = "#/play"; });
  await page.waitForSelector("#moves [data-ply='1']");
  await page.waitForSelector(".worths li");
});

// The coach: exact where the game is solved, by a search elsewhere, and it says which.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { begin, ended, launch, move, open, paste, serve, square, table } from "./tools.js";

let browser;
let server;
before(async () => {
  browser = await launch();
  server = await serve({ args: ["--table", table()] });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const onPage = (name, work, options) => test(name, { timeout: 240000 }, async () => {
  const page = await open(browser, server.address, options);
  await work(page);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

const people = (page, game) => begin(page, "people", () => (game ? undefined : page.selectOption("#rules", "paper")), game);

onPage("by the solved game: bar, verdict, arrow, and perfect play to click through", async (page) => {
  await people(page);
  await paste(page, "gle/3/1c1/ELG[C] w 0 1");
  await page.check("#analysis-on");
  await page.waitForSelector("[data-source=table]");
  assert.equal(await page.textContent("#verdict"), "Blue wins in 23 with best play.");
  assert.equal(await page.getAttribute("#eval", "data-share"), "1.000");
  assert.equal(await page.locator(".arrows [data-best]").count(), 1);
  await page.click("#show-line");
  await page.waitForSelector("#line-forward");
  const length = await page.locator(".ahead").count();
  assert.equal(length, 23, "to the end of the game");
  await page.click("#line-forward");
  await page.waitForSelector(".ahead:nth-child(2).now");
  assert.match(await page.textContent(".viewing"), /not what was played/);
  await page.locator(".ahead").last().click();
  await page.waitForFunction((length) => document.querySelector(".line-ahead .steps span").textContent === `${length} of ${length}`, length);
  assert.match(await page.textContent("#turn"), /wins/);
  // It is only looked at: the game has not moved.
  await page.click("#leave-line");
  await page.waitForSelector("#show-line");
  assert.equal(await page.locator("#moves li:not(.none)").count(), 0);
  assert.equal(await page.locator(".piece").count(), 7);
});

onPage("a hint shows the best move once", async (page) => {
  await people(page);
  await paste(page, "3/L1l/3/E1G[CEGc] w 0 1");
  await page.click("#hint");
  await page.waitForSelector("#hint-words");
  assert.match(await page.textContent("#hint-words"), /Hint: lion A2 to (A1|B1).*Blue wins in 1 with best play/);
  assert.equal(await page.locator(".arrows [data-best]").count(), 1);
  assert.equal(await page.locator(".worths li").count(), 0, "and nothing else");
});

onPage("a hint in a lost position says what to do, not who is lost", async (page) => {
  await people(page);
  await paste(page, "1l1/1g1/1h1/2L[eegc] w 0 1");
  for (const language of ["en", "ja"]) {
    await page.click("#hint");
    await page.waitForSelector(language === "en" ? "#hint-words:has-text('Hint')" : "#hint-words:has-text('ヒント')");
    const said = await page.textContent("#hint-words");
    assert.doesNotMatch(said, /wins in|loses|勝|負/, language);
    assert.match(said, language === "en" ? /^Hint: .*holds out longest/ : /^ヒント：.*がんばれる/);
    await page.click("#language");
  }
});

onPage("moves that give something away are marked, and the review says what was better", async (page) => {
  await people(page);
  await page.check("#analysis-on");
  await move(page, "B3", "B2");
  await move(page, "A1", "A2");
  await page.waitForSelector("#moves .mark");
  assert.equal(await page.textContent("#moves li:nth-child(2) .mark"), "?", "a draw was there");
  await move(page, "B2", "B1");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "Blue wins!");
  await page.click("#review-game");
  await page.waitForSelector(".turning");
  assert.equal(await page.locator("#review [data-source=table]").count(), 1);
  assert.match(await page.textContent("#review .turning"), /Move 2, Red: giraffe A1 to A2 \?.*Better: \w+ \w\d to B2, takes chick \(draw\)/);
  await page.click(".turning");
  await page.waitForSelector("text=Looking at move 1 of 3");
  await page.waitForSelector(".arrows [data-best]");
  assert.ok(await page.isVisible("#review"), "it stays");
});

onPage("a long game is reviewed at once", async (page) => {
  await people(page);
  const game = await page.evaluate(async () => {
    const post = async (path, body) => (await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })).json();
    const game = { rules: "paper", moves: [] };
    // Perfect players draw, and a drawn game takes its time.
    while (game.moves.length < 40) {
      const { move, state } = await post("/api/move", { game, player: "perfect", seed: game.moves.length });
      if (!move || state.verdict) break;
      game.moves.push(move);
    }
    const begin = performance.now();
    const review = await post("/api/review", { game });
    return { plies: review.plies.length, marks: review.plies.filter(({ mark }) => mark).length, source: review.source, took: performance.now() - begin };
  });
  console.log(`review of ${game.plies} plies: ${game.took.toFixed(0)} ms`);
  assert.equal(game.source, "table");
  assert.ok(game.plies >= 10, `${game.plies} plies`);
  assert.equal(game.marks, 0, "perfect play gives nothing away");
});

onPage("where the game is not solved a search says it, and says so", async (page) => {
  for (const game of ["kyoto", "quoridor", "hasami"]) {
    await people(page, game);
    await page.check("#analysis-on");
    await page.waitForSelector("[data-source=search]");
    assert.match(await page.textContent("#verdict"), /a search sees/, game);
    assert.ok(Number(await page.getAttribute("#eval", "data-share")) > 0.2, game);
    await page.click("#hint");
    await page.waitForSelector("#hint-words");
    await page.uncheck("#analysis-on");
  }
});

onPage("an ending is yours: who won, why and where, and what next", async (page) => {
  await begin(page, "cpu", async () => {
    await page.selectOption("#rules", "official");
    await page.selectOption("#cpu-player", "random");
  });
  await paste(page, "1l1/1C1/3/ELG[EGc] w 0 1");
  await move(page, "B2", "B1");
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "You win!");
  assert.match(await page.textContent("#over-by"), /Blue wins! The lion was caught/);
  // What decided it is seen: nothing lies over the square.
  const seen = await page.evaluate(() => {
    const square = document.querySelector(".square.decisive");
    const { x, y, width, height } = square.getBoundingClientRect();
    return document.elementsFromPoint(x + width / 2, y + height / 2).includes(square) && document.querySelector("dialog").contains(document.elementFromPoint(x + width / 2, y + height / 2)) === false;
  });
  assert.ok(seen);
  await page.click("#again");
  await page.waitForFunction(() => /Your turn \(Red\)/.test(document.querySelector("#turn").textContent));
  assert.equal(await page.locator(".square").first().getAttribute("data-square"), "11", "seen from the other side");
});

onPage("who has lost is told so", async (page) => {
  await begin(page, "cpu", async () => {
    await page.selectOption("#rules", "official");
    await page.selectOption("#cpu-player", "material:terminal=exact");
    await page.selectOption("#cpu-depth", "2");
  });
  // The lion walks next to the hen, which takes it.
  await paste(page, "1l1/3/h2/2L[EEGGC] w 0 1");
  await square(page, "C4").click();
  await square(page, "B4").click();
  await ended(page);
  assert.equal(await page.textContent("#over-title"), "You lost.");
  assert.match(await page.textContent("#turn"), /You lost\..*The lion was caught/);
});

onPage("a review that takes its time shows its first moves at once, and how far it is", async (page) => {
  await people(page, "quoridor");
  await paste(page, "e2 d9 e3 c9 e4 d9 e5 c9 e6 d9 e7 c9 e8 d9");
  const asked = [];
  let goOn;
  const waited = new Promise((done) => { goOn = done; });
  await page.route("**/api/review", async (route) => {
    const { game, from } = route.request().postDataJSON();
    asked.push([from, game.moves.length]);
    if (asked.length > 1) await waited;
    const answer = await route.fetch();
    const found = await answer.json();
    // However fast the machine is, the first answer has one move.
    if (asked.length === 1) found.plies.length = 1;
    await route.fulfill({ response: answer, json: found });
  });
  await page.locator("[data-square='13']").click();
  await page.locator("[data-square='4']").click();
  await ended(page);
  await page.click("#review-game");
  await page.waitForSelector("#review-so-far");
  assert.equal(await page.textContent("#review-so-far"), "Looked at 1 of 15 moves so far …");
  assert.equal(await page.locator("#review .course").count(), 1);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Review", "the focus stays");
  goOn();
  await page.waitForSelector("#review:not(:has(#review-so-far)) .course");
  assert.deepEqual(asked.slice(0, 2), [[0, 15], [1, 15]]);
});

onPage("a move aborts pending reviews and analyses", async (page) => {
  await people(page, "hasami");
  const [given, started] = [[], []];
  page.on("requestfailed", (request) => given.push(new URL(request.url()).pathname));
  page.on("request", (request) => started.push(new URL(request.url()).pathname));
  const forever = () => {};
  await page.route("**/api/review", forever);
  await page.route("**/api/analyse", forever);
  await page.check("#analysis-on");
  await page.locator("[data-square='72']").click();
  await page.locator("[data-square='36']").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li:not(.none)").length === 1);
  while (!started.includes("/api/review")) await page.waitForTimeout(20);
  given.length = 0;
  // The move itself has not been answered yet.
  await page.route("**/api/state", forever);
  await page.locator("[data-square='0']").click();
  await page.locator("[data-square='9']").click();
  await page.waitForTimeout(300);
  assert.deepEqual(given.sort(), ["/api/analyse", "/api/review"]);
  await page.unrouteAll();
});

// Every screen by axe-core, light and dark, in both languages; and where the focus is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { begin, ended, move, paste, square, suite } from "./tools.js";

const here = suite();
const axe = readFileSync(fileURLToPath(new URL("node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");

/** What axe-core finds wrong with what is shown now. */
async function violations(page) {
  // Evaluated from here: the page itself may not load anything else.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

const GAMES = ["dobutsu", "kyoto", "quoridor", "hasami"];

for (const [name, options] of Object.entries({ light: {}, dark: { colorScheme: "dark" }, japanese: { query: "?lang=ja" }, phone: { width: 390, height: 844, isMobile: true, hasTouch: true } })) {
  here.onPage(`axe finds nothing wrong: ${name}`, async (page) => {
    // Colours that are on their way are neither the one nor the other.
    await page.emulateMedia({ reducedMotion: "reduce" });
    const fine = async (screen) => assert.deepEqual(await violations(page), [], screen);
    const home = page.url().split("#")[0];
    for (const game of GAMES) {
      for (const route of ["", "/rules", "/setup/cpu", "/setup/watch"]) {
        await page.goto(`${home}#/${game}${route}`);
        await page.waitForSelector(`#screen[data-screen=${route.split("/")[1] ?? "menu"}] .game[data-game=${game}][aria-current]`);
        await fine(`${game}${route}`);
      }
      await begin(page, "people", undefined, game);
      await page.check("#analysis-on");
      await page.waitForSelector(".worths li");
      await page.locator(".square.own").first().click();
      await fine(`${game}, a game`);
      await page.uncheck("#analysis-on");
    }
    await page.goto(`${home}#/runs`);
    await page.waitForSelector("#run-start");
    await fine("runs");
    await begin(page, "people", undefined, "dobutsu");
    await paste(page, "b2b3 a4a3");
    await move(page, "B2", "B1");
    await ended(page);
    await fine("the end of a game");
    await page.click("#review-game");
    await page.waitForSelector(".turning");
    await fine("a review");
  }, options);
}

here.onPage("the focus goes to the heading of a new screen, and stays where it was when lists are drawn anew", async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.tagName);
  await page.click("#mode-rules");
  await page.waitForSelector(".rules h1");
  assert.equal(await focused(), "H1");
  await page.click("#language");
  await page.waitForSelector("html[lang=ja]");
  assert.equal(await focused(), "language");
  await page.click("#language");
  await page.waitForSelector("html[lang=en]");
  await begin(page, "people");
  await paste(page, "b2b3 b4b3");
  await page.locator("#moves [data-ply='1']").click();
  await page.waitForSelector("text=Looking at move 1 of 2");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.ply), "1");
  await square(page, "A1").focus();
});

here.onPage("every screen has a title of its own", async (page) => {
  const home = page.url().split("#")[0];
  const titles = [];
  for (const route of ["", "rules", "setup/cpu", "runs"]) {
    await page.goto(`${home}#/${route}`);
    await page.waitForSelector(`#screen[data-screen=${route.split("/")[0] || "menu"}]`);
    titles.push(await page.title());
  }
  await begin(page, "people");
  titles.push(await page.title());
  assert.equal(new Set(titles).size, titles.length, titles.join(", "));
});

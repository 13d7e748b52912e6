// Pictures of every screen at desktop and phone size: node screenshots.js FOLDER. Look at them after every change of the page.

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { begin, launch, move, open, paste, serve, square, sticksOut } from "./tools.js";

const folder = process.argv[2] ?? "screenshots";
const only = process.argv[3];
mkdirSync(folder, { recursive: true });
const results = fileURLToPath(new URL("../../results", import.meta.url));
const server = await serve({ results });
const own = await serve();
const browser = await launch();
const touch = { isMobile: true, hasTouch: true };
const sizes = {
  desktop: { width: 1280, height: 800 },
  laptop: { width: 1366, height: 650 },
  tablet: { width: 820, height: 1180, ...touch },
  phone: { width: 390, height: 844, ...touch },
  sideways: { width: 844, height: 390, ...touch },
  small: { width: 360, height: 640, ...touch },
};

/** The screens on which Kyoto Shogi looks different. */
async function kyoto(page, lang, shoot) {
  for (const route of ["", "/setup/cpu", "/rules"]) {
    await page.goto(`${server.address}?lang=${lang}#/kyoto${route}`);
    await page.waitForSelector(`#screen[data-screen=${route.split("/")[1] ?? "menu"}] .game[data-game=kyoto][aria-current]`);
    await shoot(`kyoto${route.replaceAll("/", "-")}`, route === "/rules");
  }
  await begin(page, "people", () => page.selectOption("#rules", "capture"), "kyoto");
  await shoot("kyoto-start");
  await square(page, "b1").click();
  await shoot("kyoto-chosen");
  await page.keyboard.press("Escape");
  await paste(page, "e1e2+ d5e4+ e2e4- b5b4-");
  await page.check("#analysis-on");
  await page.waitForSelector(".worths li");
  await page.locator(".held[data-hand='first']").click();
  await page.keyboard.press("t");
  await shoot("kyoto-drop", true);
  await page.uncheck("#analysis-on");
  await paste(page, "e1e2+ d5e4+ e2e4- b5b4- e4e5+ b4c2+");
  await move(page, "e5", "c5");
  await page.waitForSelector("dialog[open]");
  await shoot("kyoto-over");
  await page.click("#look");
}

/** The screens on which Quoridor looks different. */
async function quoridor(page, lang, shoot) {
  for (const route of ["", "/setup/cpu", "/rules"]) {
    await page.goto(`${server.address}?lang=${lang}#/quoridor${route}`);
    await page.waitForSelector(`#screen[data-screen=${route.split("/")[1] ?? "menu"}] .game[data-game=quoridor][aria-current]`);
    await shoot(`quoridor${route.replaceAll("/", "-")}`, route === "/rules");
  }
  await begin(page, "people", undefined, "quoridor");
  await shoot("quoridor-start");
  await paste(page, "e2 e8 e3 e7 e4 e6 e3h d6v c3h f7h h4v");
  await page.evaluate(() => { document.querySelector("#transfer").open = false; scrollTo(0, 0); });
  // With keys, which every size has: a wall that can be placed, and one that cannot.
  await page.keyboard.press("w");
  for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowUp");
  await shoot("quoridor-wall");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("r");
  for (const _ of [1, 2]) await page.keyboard.press("ArrowUp");
  await shoot("quoridor-refused");
  await page.keyboard.press("Escape");
  await page.check("#analysis-on");
  await page.waitForSelector(".worths li");
  await page.locator("[data-square='31']").click();
  await shoot("quoridor-ways", true);
  await page.uncheck("#analysis-on");
  await paste(page, "e8 a2 10 10 h:- v:- w");
  await page.locator("[data-square='13']").click();
  await page.locator("[data-square='4']").click();
  await page.waitForSelector("dialog[open]");
  await shoot("quoridor-over");
  await page.click("#look");
}

/** The screens on which Hasami Shogi looks different. */
async function hasami(page, lang, shoot) {
  for (const route of ["", "/setup/cpu", "/rules"]) {
    await page.goto(`${server.address}?lang=${lang}#/hasami${route}`);
    await page.waitForSelector(`#screen[data-screen=${route.split("/")[1] ?? "menu"}] .game[data-game=hasami][aria-current]`);
    await shoot(`hasami${route.replaceAll("/", "-")}`, route === "/rules");
  }
  await begin(page, "people", undefined, "hasami");
  await shoot("hasami-start");
  const click = (index) => page.locator(`[data-square='${index}']`).click();
  await paste(page, "ppp5p/9/9/9/2Pp5/9/6pP1/9/PPP1P1PP1 w -");
  await page.evaluate(() => { document.querySelector("#transfer").open = false; scrollTo(0, 0); });
  await page.check("#analysis-on");
  await page.waitForSelector(".worths li");
  await click(76);
  await shoot("hasami-chosen", true);
  await page.uncheck("#analysis-on");
  await click(40);
  await page.waitForSelector("#turn .check");
  await shoot("hasami-behind");
  await click(0);
  await click(9);
  await page.waitForSelector("dialog[open]");
  await shoot("hasami-over");
  await page.click("#look");
}

/** What a network thinks of each move. */
async function network(page, shoot) {
  await begin(page, "cpu", () => page.selectOption("#cpu-player", "alphazero"), "dobutsu");
  await page.check("#analysis-on");
  await page.waitForSelector("[data-source=network]");
  await page.locator("[data-square='10']").click();
  await shoot("network", true);
  await page.uncheck("#analysis-on");
}

async function screens(name, size, lang, more = {}) {
  const page = await open(browser, `${server.address}?lang=${lang}`, { ...size, ...more });
  const shoot = async (screen, full = false) => {
    await page.waitForTimeout(450);
    await page.screenshot({ path: `${folder}/${name}-${screen}.png`, fullPage: full });
    const wide = await sticksOut(page);
    if (wide.length) console.log(name, screen, wide);
  };
  await shoot("menu");
  for (const mode of ["people", "cpu", "watch"]) {
    await page.goto(`${server.address}?lang=${lang}#/setup/${mode}`);
    await page.waitForSelector("#start");
    await shoot(`setup-${mode}`);
  }
  await page.goto(`${server.address}?lang=${lang}#/rules`);
  await shoot("rules", true);
  await kyoto(page, lang, shoot);
  await quoridor(page, lang, shoot);
  await hasami(page, lang, shoot);
  await network(page, shoot);
  await begin(page, "people", undefined, "dobutsu");
  await shoot("start");
  await page.locator("[data-square='10']").click();
  await shoot("chosen");
  await page.locator("[data-square='10']").click();
  for (const [from, to] of [["B3", "B2"], ["B1", "B2"], ["C4", "C3"], ["chick", "B3"], ["chick", "A3"]].slice(0, 3)) await move(page, from, to);
  await page.check("#analysis-on");
  await page.waitForSelector(".worths li");
  await page.locator(".held[data-hand='second']").first().click();
  await shoot("drop", true);
  await page.locator(".held[data-hand='second']").first().click();
  await page.uncheck("#analysis-on");
  await move(page, "A1", "A2");
  await page.locator("#transfer summary").click();
  await page.fill("#paste", "b2b3 a4a3 b3b4");
  await page.click("#load");
  await shoot("refused", true);
  await page.fill("#paste", "b2b3 a4a3");
  await page.click("#load");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 2);
  await move(page, "B2", "B1");
  await page.waitForSelector("dialog[open]");
  await shoot("over");
  await page.click("#review-game");
  await page.waitForSelector(".turning");
  await page.click(".turning");
  await shoot("review", true);
  await begin(page, "people", undefined, "dobutsu");
  await page.check("#analysis-on");
  await page.click("#show-line");
  await page.waitForSelector(".ahead");
  await shoot("line", true);
  await page.uncheck("#analysis-on");
  await begin(page, "watch");
  await page.waitForTimeout(1500);
  await page.click("#pause");
  await shoot("watch");
  await page.goto(`${server.address}?lang=${lang}#/runs`);
  await page.waitForSelector("#run-form");
  await shoot("runs", true);
  await page.goto(`${server.address}?lang=${lang}#/runs/table5`);
  await page.waitForSelector("#run h1");
  await shoot("table", true);
  await page.goto(`${server.address}?lang=${lang}#/runs/figure2`);
  await page.waitForSelector("#run .chart");
  await shoot("figure", true);
  await page.goto(`${own.address}?lang=${lang}#/runs`);
  await page.waitForSelector("#run-form");
  await page.fill("#run-generations", "400");
  await page.click("#run-start");
  await page.waitForSelector("#run[data-state=finished]", { timeout: 60000 });
  await page.locator(".plot").first().hover();
  await shoot("run", true);
  if (page.problems.length) console.log(name, page.problems);
  await page.context().close();
}

const all = [
  ["desktop", sizes.desktop, "en"],
  ["laptop", sizes.laptop, "en"],
  ["tablet", sizes.tablet, "en"],
  ["phone", sizes.phone, "en"],
  ["sideways", sizes.sideways, "en"],
  ["desktop-ja", sizes.desktop, "ja"],
  ["phone-ja-dark", sizes.phone, "ja", { colorScheme: "dark" }],
  ["small", sizes.small, "en"],
  ["desktop-dark", sizes.desktop, "en", { colorScheme: "dark" }],
];
for (const [name, ...rest] of all) if (!only || name === only) await screens(name, ...rest);
await browser.close();
server.stop();
own.stop();

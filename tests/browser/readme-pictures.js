// The pictures of the page in README and docs: node readme-pictures.js

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { begin, launch, open, paste, serve } from "./tools.js";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
mkdirSync(docs, { recursive: true });
const server = await serve();
const browser = await launch();

/** A game in which a drop or a piece is being chosen, with what each move would be worth. */
async function picture(file, lang, size, { game = "dobutsu", moves = "b2b3 b4b3 c1c2 a4a3 a1b2", choose = ".held[data-hand='second']" } = {}) {
  const page = await open(browser, `${server.address}?lang=${lang}`, size);
  await begin(page, "people", undefined, game);
  await paste(page, moves);
  await page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, moves.split(" ").length);
  await page.evaluate(() => { document.querySelector("#transfer").open = false; });
  await page.check("#analysis-on");
  await page.waitForSelector(".worths li");
  await page.locator(choose).first().click();
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${docs}/${file}` });
  await page.context().close();
}

await picture("play.png", "en", { width: 1000, height: 790 });
await picture("phone.png", "ja", { width: 360, height: 740, isMobile: true, hasTouch: true, colorScheme: "dark" });
await picture("kyoto.png", "en", { width: 1000, height: 720 }, { game: "kyoto", moves: "e1e2+ d5e4+ e2e4- b5b4-", choose: ".held[data-hand='first']" });
await picture("hasami.png", "en", { width: 1000, height: 760 }, { game: "hasami", moves: "e1e5 b9b2 d1d6 c9c6 e5e8 f9f7 g1g8 f7e7 c1c2 e7g7", choose: "[data-square='72']" });

/** A wall that is about to be placed, and both shortest ways. */
async function wallPicture(file, moves) {
  const page = await open(browser, `${server.address}?lang=en`, { width: 1000, height: 760 });
  await begin(page, "people", undefined, "quoridor");
  await paste(page, moves);
  await page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, moves.split(" ").length);
  await page.evaluate(() => { document.querySelector("#transfer").open = false; scrollTo(0, 0); });
  await page.check("#analysis-on");
  await page.waitForSelector(".worths li");
  await page.keyboard.press("w");
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${docs}/${file}` });
  await page.context().close();
}

await wallPicture("quoridor.png", "e2 e8 e3 e7 e4 e6 e6h d3h c4v f6v g5h b7h");
await browser.close();
server.stop();

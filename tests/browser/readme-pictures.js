// The README's two pictures of the page: node readme-pictures.js

import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { begin, launch, open, serve } from "./tools.js";

const docs = fileURLToPath(new URL("../../docs", import.meta.url));
mkdirSync(docs, { recursive: true });
const server = await serve();
const browser = await launch();

/** A game in which a drop is being chosen, with what each would be worth. */
async function picture(file, lang, size) {
  const page = await open(browser, `${server.address}?lang=${lang}`, size);
  await begin(page, "people");
  await page.evaluate(() => { document.querySelector("#transfer").open = true; });
  await page.fill("#paste", "b2b3 b4b3 c1c2 a4a3 a1b2");
  await page.click("#load");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 5);
  await page.evaluate(() => { document.querySelector("#transfer").open = false; });
  await page.check("#analysis-on");
  await page.waitForSelector(".worths li");
  await page.locator(".held[data-hand='second']").first().click();
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${docs}/${file}` });
  await page.context().close();
}

await picture("play.png", "en", { width: 1000, height: 790 });
await picture("phone.png", "ja", { width: 360, height: 740, isMobile: true, hasTouch: true, colorScheme: "dark" });
await browser.close();
server.stop();

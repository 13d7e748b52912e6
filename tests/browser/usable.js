// How soon the first page can be used, with an empty cache: milliseconds from asking for it until its menu is there, and the bytes it took.

import { launch, serve } from "./tools.js";

const LOADS = 21;
const server = await serve();
const browser = await launch();
const loads = [];
for (let load = 0; load < LOADS; load += 1) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const look = () => (document.querySelector("#screen a[href*=setup]")?.checkVisibility() ? (globalThis.usable = performance.now()) : requestAnimationFrame(look));
    look();
  });
  await page.goto(server.address);
  await page.waitForFunction(() => globalThis.usable);
  loads.push(await page.evaluate(() => {
    const sent = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return { usable: globalThis.usable, bytes: sent.reduce((sum, { transferSize }) => sum + transferSize, 0) };
  }));
  await context.close();
}
const times = loads.map(({ usable }) => Math.round(usable)).sort((a, b) => a - b);
console.log(`usable after ${times[LOADS >> 1]} ms (median of ${LOADS}; ${times[0]} to ${times.at(-1)}), ${Math.min(...loads.map(({ bytes }) => bytes))} bytes by then`);
await browser.close();
await server.stop();

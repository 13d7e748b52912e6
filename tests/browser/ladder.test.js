// Levels: chosen by picture, called by name on the board, remembered, and explained for who asks.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { begin, open, played, serve, sticksOut, suite, table } from "./tools.js";

const here = suite();
const { onPage } = here;
const GAMES = ["dobutsu", "kyoto", "quoridor", "hasami"];

const pressed = (page) => page.locator(".level[aria-pressed=true]").evaluateAll((all) => all.map((level) => level.dataset.level));

/** A picture to look at, if a folder for it is named. */
async function picture(page, name) {
  const folder = process.env.PICTURES;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

onPage("a level is chosen, gives the opponent its name, and says what it is", async (page) => {
  await begin(page, "cpu", async () => {
    assert.deepEqual(await pressed(page), ["easy"], "a newcomer meets an easy one");
    const levels = await page.locator(".level").count();
    assert.ok(levels >= 8 && levels <= 10, `${levels} levels`);
    await page.click("[data-level='very-easy']");
    assert.deepEqual(await pressed(page), ["very-easy"]);
    assert.match(await page.textContent("#cpu-about"), /Chick · Very easy – Plays what it sees first: about 3 in 10/);
    await page.click("[data-level=easy]");
    assert.match(await page.textContent("#cpu-about"), /Hen · Easy – Looks \d moves? ahead, but about \d times in 10/);
  });
  const name = page.locator(".tray.second .about-player");
  assert.match(await name.textContent(), /Hen · Easy/);
  assert.ok(await page.isHidden(".about-player p"));
  await name.locator("summary").click();
  assert.match(await page.textContent(".about-player p"), /^Looks \d moves? ahead/);
  assert.ok(await page.isVisible(".about-player p"));
  // It is remembered, also as one's name in a game that is watched.
  await page.goto(`${here.server.address}#/setup/cpu`);
  await page.waitForSelector("#start");
  assert.deepEqual(await pressed(page), ["easy"]);
  await page.click("[data-level=medium]");
  await page.click("#start");
  await page.waitForSelector(".piece");
  await page.goto(`${here.server.address}#/setup/cpu`);
  await page.waitForSelector("#start");
  assert.deepEqual(await pressed(page), ["medium"]);
  // Somebody from the list is no level, and a level is nobody from the list.
  await page.selectOption("#cpu-player", "random");
  assert.deepEqual(await pressed(page), []);
  await page.click("[data-level=hard]");
  assert.equal(await page.inputValue("#cpu-player"), "level");
});

onPage("levels that need a table say so where there is none", async (page) => {
  await page.click("#mode-cpu");
  await page.waitForSelector("#start");
  const perfect = page.locator("[data-level=perfect]");
  assert.ok(await perfect.isDisabled());
  assert.match(await perfect.getAttribute("title"), /dobutsu-ga solve --rules/);
  assert.match(await page.textContent("#cpu-about"), /dobutsu-ga solve --rules/);
});

onPage("with a table the perfect level plays, by the rules that have one", async () => {
  const server = await serve({ args: ["--table", table()] });
  try {
    const page = await open(here.browser, server.address);
    await page.click("#mode-cpu");
    await page.waitForSelector("#start");
    await page.selectOption("#rules", "paper");
    await page.click("[data-level=perfect]");
    assert.match(await page.textContent("#cpu-about"), /Lion · Perfect – Knows every position/);
    // By the other rules the strongest that can play is chosen.
    await page.selectOption("#rules", "official");
    assert.equal((await pressed(page)).length, 1);
    assert.notDeepEqual(await pressed(page), ["perfect"]);
    await page.selectOption("#rules", "paper");
    await page.click("[data-level=perfect]");
    await page.selectOption("#seat", "second");
    await page.click("#start");
    await page.waitForFunction(() => /Your turn/.test(document.querySelector("#turn")?.textContent ?? ""));
    assert.equal(await played(page), 1);
    assert.match(await page.textContent(".tray.first .about-player"), /Lion · Perfect/);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  } finally {
    server.stop();
  }
});

onPage("the next easier and the next harder level", async (page) => {
  const found = await page.evaluate(async () => {
    const { neighbours } = await import("/levels.js");
    const rules = ["paper"];
    const levels = ["a", "b", "c"].map((player) => ({ key: player, player, rules: player === "c" ? [] : rules }));
    const keys = (player) => Object.values(neighbours(levels, { player }, "paper")).map((level) => level?.key ?? null);
    return [keys("a"), keys("b"), keys("c"), keys("random")];
  });
  assert.deepEqual(found, [[null, "b"], ["a", null], ["b", null], [null, null]]);
});

for (const game of GAMES) {
  for (const [lang, width] of [["en", 1280], ["ja", 390]]) {
    onPage(`${game} in ${lang} at ${width}: levels fit, each with a name of its own and a sentence`, async (page) => {
      await page.goto(`${here.server.address}?lang=${lang}#/${game}/setup/cpu`);
      await page.waitForSelector("#start");
      assert.deepEqual(await sticksOut(page), []);
      const names = await page.locator(".level").allTextContents();
      assert.equal(new Set(names).size, names.length);
      assert.ok(names.every((name) => !name.includes("level_")), names.join());
      for (const level of await page.locator(".level:enabled").all()) {
        await level.click();
        const about = await page.textContent("#cpu-about");
        assert.ok(about.includes(" – ") && !/about_|piece_|\{\}/.test(about), about);
      }
      await picture(page, `levels-${game}-${lang}`);
    }, { width, height: 844 });
  }
}

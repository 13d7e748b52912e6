// What the tests and the screenshots share: a server of our own, a browser, and ways to play.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const PROGRAM = process.env.DOBUTSU_GA ?? join(ROOT, "target/debug/dobutsu-ga");
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** The solution of the game under the paper's rules, made if it is not there yet (half a minute). */
export function table() {
  const file = join(ROOT, "target/browser/paper.table");
  if (!existsSync(file)) execFileSync(PROGRAM, ["solve", "--out", file]);
  return file;
}

/** A server with a results folder of its own, on a free port unless it is to come back on one. */
export async function serve({ results = null, args = [], port = 0 } = {}) {
  const scratch = mkdtempSync(join(tmpdir(), "dobutsu-ga-browser-"));
  const folder = results ?? join(scratch, "results");
  const child = spawn(PROGRAM, ["serve", "--port", String(port), "--results", folder, ...args], {
    cwd: scratch,
    // A table that the user may have is not ours to test with.
    env: { ...process.env, DOBUTSU_GA_TABLE: join(scratch, "none.table") },
  });
  const address = await new Promise((done, failed) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const found = /http:\/\/[^ ]+/.exec(text);
      if (found) done(found[0]);
    });
    child.on("exit", (code) => failed(new Error(`the server ended with ${code}: is ${PROGRAM} built?`)));
  });
  // A test that fails badly must not leave its server behind.
  process.on("exit", () => child.kill("SIGINT"));
  const stop = () => {
    child.removeAllListeners("exit");
    const ended = new Promise((done) => child.on("exit", done));
    child.kill("SIGINT");
    rmSync(scratch, { recursive: true, force: true });
    return ended;
  };
  return { address, folder, stop, process: child.pid, port: Number(new URL(address).port) };
}

export const launch = () => chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });

/** A page that fails the test if it logs an error or asks another machine for anything. */
export async function open(browser, address, { width = 1280, height = 800, ...more } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, locale: "en-US", ...more });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  // A refused request is logged by the browser too; refusals are what some tests ask for.
  page.on("console", (message) => message.type() === "error" && !/status of 4\d\d/.test(message.text()) && page.problems.push(message.text()));
  page.on("request", (request) => new URL(request.url()).hostname !== "127.0.0.1" && page.problems.push(`asked for ${request.url()}`));
  await page.goto(address);
  await page.waitForSelector("#screen > *");
  return page;
}

/** For the tests of one file: a server and a browser, and tests with a page of their own on which nothing may go wrong. */
export function suite() {
  const here = {};
  before(async () => {
    here.browser = await launch();
    here.server = await serve();
  });
  after(async () => {
    await here.browser?.close();
    here.server?.stop();
  });
  here.onPage = (name, work, options = {}) => test(name, { timeout: 240000 }, async () => {
    const page = await open(here.browser, `${here.server.address}${options.query ?? ""}`, options);
    await work(page);
    assert.deepEqual(page.problems, []);
    await page.context().close();
  });
  return here;
}

export const ended = (page) => page.waitForSelector("dialog[open]", { timeout: 200000 });
export const by = (page) => page.getAttribute("#over-by", "data-by");

/** Loads a position or moves into the game. */
export async function paste(page, text) {
  // What is said of this one is waited for, not what was said of another.
  await page.evaluate(() => { document.querySelector("#transfer").open = true; document.querySelector("#transfer .note").replaceChildren(); });
  await page.fill("#paste", text);
  await page.click("#load");
  await page.waitForSelector("#transfer .note > *");
}

/** Squares as each board names them: `B4` of Dobutsu Shogi, `c1` of Kyoto Shogi. */
const index = (name) => /[A-C]/.test(name[0]) ? "ABC".indexOf(name[0]) + 3 * (Number(name[1]) - 1) : "abcde".indexOf(name[0]) + 5 * (5 - Number(name[1]));
export const square = (page, name) => page.locator(`[data-square="${index(name)}"]`);

/** How many moves the page shows. */
export const played = (page) => page.locator("#moves li:not(.none)").count();

/** Clicks from one square to another, or from a hand (`chick`) to a square, and waits until it is played. */
export async function move(page, from, to) {
  const before = await played(page);
  if (/^[A-Ca-e]\d$/.test(from)) await square(page, from).click();
  else await page.locator(`.held[data-kind="${from}"]`).and(page.locator(`[data-hand="${await turn(page)}"]`)).click();
  await square(page, to).click();
  await page.waitForFunction((count) => document.querySelectorAll("#moves li:not(.none)").length > count, before);
}

export const turn = (page) => page.evaluate(() => (document.querySelector(".tray.turn")?.classList.contains("first") ? "first" : "second"));

/** What a place says, without the readings above its kanji. */
export const words = (page, selector) => page.locator(selector).first().evaluate((element) => {
  const copy = element.cloneNode(true);
  copy.querySelectorAll("rt, rp").forEach((reading) => reading.remove());
  return copy.textContent;
});

/** Starts a game from the menu, of the game that was chosen last or of this one. */
export async function begin(page, mode, choose = async () => {}, game = "") {
  await page.goto(`${new URL(page.url()).origin}/${new URL(page.url()).search}#/`);
  if (game) {
    await page.click(`.game[data-game=${game}]`);
    await page.waitForSelector(`.game[data-game=${game}][aria-current]`);
  }
  await page.click(`#mode-${mode}`);
  await page.waitForSelector("#start");
  await choose();
  await page.click("#start");
  await page.waitForSelector(".piece");
}

/** Nothing is wider than the screen, and nothing that can be clicked is cut off at its sides. */
export const sticksOut = (page) => page.evaluate(() => {
  const width = document.documentElement.clientWidth;
  const wide = document.documentElement.scrollWidth > width ? [`the page is ${document.documentElement.scrollWidth} wide`] : [];
  for (const element of document.querySelectorAll("#screen button, #screen a, #screen input, #screen select, header *")) {
    const box = element.getBoundingClientRect();
    if (!box.width || element.closest(".scroll")) continue;
    if (box.left < -0.5 || box.right > width + 0.5) wide.push(element.outerHTML.slice(0, 80));
  }
  return wide;
});

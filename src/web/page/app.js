// Which screen is shown: the part of the address after # says it, `#/rules` for the game chosen last, `#/kyoto/rules` for that one.

import { enter } from "./api.js";
import { draw as drawAway, part, watch } from "./away.js";
import { byId, h, messageOf, plain, problem, setText } from "./dom.js";
import { chooseGame, chosenGame, GAMES, isGame } from "./games.js";
import { menuScreen } from "./menu.js";
import { pieceArt } from "./pieces.js";
import { keptGame, linkedGame, putAside } from "./store.js";
import { lang, setLanguage, t, tg } from "./words.js";

/**
 * The game that goes on while other screens are looked at.
 * @type {import("./play.js").PlayScreen | null}
 */
let playing = null;
/** @type {(() => void) | null} */
let leaveScreen = null;
let visit = 0;

/** @type {Record<string, string>} */
const TITLES = { play: "nav_play", rules: "rules_title", setup: "title_setup", runs: "runs_title" };

/** @param {string} address */
const go = (address) => { location.hash = address; };

/** @param {string} route */
function frame(route) {
  document.documentElement.lang = lang();
  // While a game is played, it is that one.
  const game = route === "play" && playing ? playing.game.game : chosenGame();
  const title = tg(game, "title");
  const screen = TITLES[route];
  document.title = plain(screen ? `${t(screen)} · ${title}` : title);
  byId("brand").replaceChildren(pieceArt(game, GAMES[game].menu.people[0], "first"), h("span", {}, title), h("span", { class: "unseen" }, t("menu")));
  setText(byId("skip"), t("skip"));
  /** @param {string} address @param {string} text @param {boolean} here */
  const link = (address, text, here) => h("a", { href: address, "aria-current": here ? "page" : null }, text);
  byId("nav").replaceChildren(
    playing || keptGame() ? link("#/play", t("nav_play"), route === "play") : "",
    link("#/rules", t("nav_rules"), route === "rules"),
    link("#/runs", t("nav_runs"), route === "runs"),
    h("button", { id: "language", lang: lang() === "ja" ? "en" : "ja", onclick: () => { setLanguage(lang() === "ja" ? "en" : "ja"); show(true); } }, t("other_language")),
  );
}

/**
 * The element of a screen and, if something goes on there, what ends it.
 * @param {string} route
 * @param {string[]} rest
 * @returns {Promise<Page.Screen>}
 */
async function screenOf(route, rest) {
  switch (route) {
    case "": return { element: menuScreen(chosenGame(), playing !== null || keptGame() !== null) };
    case "rules": return { element: (await part(() => import("./rules.js"))).rulesScreen(chosenGame()) };
    case "setup": {
      const { setupScreen } = await part(() => import("./setup.js"));
      const mode = ["people", "cpu", "watch"].find((mode) => mode === rest[0]) ?? "cpu";
      return { element: await setupScreen(chosenGame(), mode, startGame, rest[1] && decodeURIComponent(rest[1])) };
    }
    case "play": return { element: await playScreen(rest.join("/")) };
    case "runs": return (await part(() => import("./runs.js"))).runsScreen(rest.map(decodeURIComponent).join("/"));
    default: return { element: problem(t("no_page")) };
  }
}

/**
 * The game that is played, the one that an address tells, or the one that the browser has kept.
 * @param {string} link
 * @returns {Promise<HTMLElement>}
 */
async function playScreen(link) {
  const kept = link ? linkedGame(chosenGame(), link) : playing ? null : keptGame();
  if (kept) {
    const { Game } = await part(() => import("./game.js"));
    const game = new Game(kept);
    try {
      await game.refresh();
    } catch (error) {
      return noGame(t(link ? "bad_link" : "bad_kept", messageOf(error)));
    }
    await open(game);
    // From now on the game is kept, and the address would only tell how it once was.
    if (link) history.replaceState(null, "", "#/play");
  }
  if (playing) return playing.element;
  go("#/");
  return h("div");
}

/**
 * There is nothing to put on a board: why, and the ways on. A game that was played before is still there.
 * @param {string} why
 */
function noGame(why) {
  const ways = [...(playing ? [["#/play", "continue_game"]] : []), ["#/", "back_menu"]];
  return h("div", { class: "setup" }, h("h1", {}, t("nav_play")), problem(why), h("div", { class: "buttons" }, ways.map(([address, word]) => h("a", { class: "button", href: address }, t(word)))));
}

/**
 * Puts a game on the screen on which it is played.
 * @param {import("./game.js").Game | Page.Kept} kept
 */
async function open(kept) {
  const [{ PlayScreen }, { Game }] = await Promise.all([part(() => import("./play.js")), part(() => import("./game.js"))]);
  const game = kept instanceof Game ? kept : new Game(kept);
  const last = keptGame();
  const before = playing?.game ?? (last && new Game(last));
  const same = before && before.moves.join() === game.moves.join() && before.game === game.game;
  if (before && !same) putAside(before);
  playing?.end();
  chooseGame(game.game);
  /** @param {Api.GameName} name */
  const another = (name) => {
    chooseGame(name);
    frame("play");
  };
  playing = new PlayScreen(game, () => go("#/"), another);
  frame("play");
  playing.begin();
}

/** @param {import("./game.js").Game} game */
async function startGame(game) {
  enter("play");
  await open(game);
  if (location.hash === "#/play") show();
  else go("#/play");
}

/** The parts of the address without the game, which is chosen by being there. */
function address() {
  const parts = location.hash.replace(/^#\/?/, "").split("/");
  const [game] = parts;
  if (!isGame(game)) return parts;
  chooseGame(game);
  return parts.length > 1 ? parts.slice(1) : [""];
}

/** Shows what the address says; `again` if it is the same screen, in another language. */
async function show(again = false) {
  const mine = ++visit;
  const [route, ...rest] = address();
  leaveScreen?.();
  leaveScreen = null;
  const isOther = enter(route === "play" ? route : location.hash);
  const back = isOther && route === "play" && !rest.length ? playing : null;
  frame(route);
  drawAway();
  if (again && playing) playing.replaceWhole();
  if (playing && route !== "play") playing.goAway();
  /** @type {Page.Screen} */
  let screen;
  try {
    screen = await screenOf(route, rest);
  } catch (error) {
    screen = { element: problem(messageOf(error)) };
  }
  // The user may have opened another screen during the await: close this one, do not show it.
  if (mine !== visit) return screen.leave?.();
  leaveScreen = screen.leave ?? null;
  byId("screen").replaceChildren(screen.element);
  byId("screen").dataset.screen = route || "menu";
  document.body.dataset.screen = route || "menu";
  back?.comeBack();
  if (again) return byId("language").focus();
  scrollTo(0, 0);
  // Who comes from another screen hears what this one is; the first page leaves the focus where it is.
  if (mine > 1) focusHeading();
}

function focusHeading() {
  const heading = byId("screen").querySelector("h1");
  if (!heading) return byId("screen").focus({ preventScroll: true });
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("screen").focus();
});
addEventListener("hashchange", () => show());
show();
watch();
// What comes later is fetched while nothing else is to be done: then it is there even if the server is not.
const idle = globalThis.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 1000));
idle(() => Promise.all([import("./play.js"), import("./setup.js"), import("./rules.js")]).catch(() => {}));

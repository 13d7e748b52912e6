// Which screen is shown: the part of the address after # says it, `#/rules` for the game chosen last, `#/kyoto/rules` for that one.

import { byId, h, problem } from "./dom.js";
import { chooseGame, chosenGame, GAMES } from "./games.js";
import { menuScreen } from "./menu.js";
import { pieceArt } from "./pieces.js";
import { lang, setLanguage, t, tg } from "./words.js";

/** The game that goes on while other screens are looked at. */
let playing = null;
let leaveScreen = null;
let visit = 0;

const go = (address) => { location.hash = address; };

function frame(route) {
  document.documentElement.lang = lang();
  // While a game is played, it is that one.
  const game = route === "play" && playing ? playing.game.game : chosenGame();
  const title = tg(game, "title");
  document.title = title;
  byId("brand").replaceChildren(pieceArt(game, GAMES[game].menu.people[0], "first"), h("span", {}, title));
  byId("brand").setAttribute("aria-label", `${title}: ${t("menu")}`);
  byId("skip").textContent = t("skip");
  const link = (address, text, here) => h("a", { href: address, "aria-current": here ? "page" : null }, text);
  byId("nav").replaceChildren(
    playing ? link("#/play", t("nav_play"), route === "play") : "",
    link("#/rules", t("nav_rules"), route === "rules"),
    link("#/runs", t("nav_runs"), route === "runs"),
    h("button", { id: "language", lang: lang() === "ja" ? "en" : "ja", onclick: () => { setLanguage(lang() === "ja" ? "en" : "ja"); show(true); } }, t("other_language")),
  );
}

async function screenOf(route, rest) {
  switch (route) {
    case "": return menuScreen(chosenGame(), playing !== null);
    case "rules": return (await import("./rules.js")).rulesScreen(chosenGame());
    case "setup": {
      const { setupScreen } = await import("./setup.js");
      const mode = ["people", "cpu", "watch"].find((mode) => mode === rest[0]) ?? "cpu";
      return setupScreen(chosenGame(), mode, startGame, rest[1] && decodeURIComponent(rest[1]));
    }
    case "play":
      if (playing) return playing.element;
      go("#/");
      return h("div");
    case "runs": {
      const { runsScreen } = await import("./runs.js");
      const screen = await runsScreen(rest.map(decodeURIComponent).join("/"));
      leaveScreen = screen.leave;
      return screen.element;
    }
    default: return problem(t("no_page"));
  }
}

async function startGame(game) {
  const { PlayScreen } = await import("./play.js");
  playing?.end();
  const another = (name) => {
    chooseGame(name);
    frame("play");
  };
  playing = new PlayScreen(game, () => go("#/"), another);
  if (location.hash === "#/play") show();
  else go("#/play");
  playing.begin();
}

/** The parts of the address without the game, which is chosen by being there. */
function address() {
  const parts = location.hash.replace(/^#\/?/, "").split("/");
  if (!Object.hasOwn(GAMES, parts[0])) return parts;
  chooseGame(parts[0]);
  return parts.length > 1 ? parts.slice(1) : [""];
}

async function show(again = false) {
  const mine = ++visit;
  const [route, ...rest] = address();
  leaveScreen?.();
  leaveScreen = null;
  frame(route);
  if (again && playing) playing.replaceWhole();
  if (playing && route !== "play") playing.setPaused(true);
  let screen;
  try {
    screen = await screenOf(route, rest);
  } catch (error) {
    screen = problem(error.message);
  }
  // Somebody may have gone on meanwhile.
  if (mine !== visit) return;
  byId("screen").replaceChildren(screen);
  byId("screen").dataset.screen = route || "menu";
  if (!again) scrollTo(0, 0);
}

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("screen").focus();
});
addEventListener("hashchange", () => show());
show();

// Before a game: which one, who plays whom, by which rules.

import { MINUTES, newClock } from "./clock.js";
import { field, h, memory, plain, problem, select, setText } from "./dom.js";
import { Game } from "./game.js";
import { GAMES, remembered, SIDES } from "./games.js";
import { canPlay, levelAbout, levelButton, levelName } from "./levels.js";
import { gamePicker } from "./menu.js";
import { effortWords, exactOffers, offerName, opponentsOf } from "./opponents.js";
import { has, t, tg } from "./words.js";

const TIMES = ["0.2s", "1s", "3s"];
/** How often a network tries moves; without any it plays what it thinks of first. */
const SIMULATIONS = [0, 25, 100, 400];
/** The choice of a level, in the list of all opponents. */
const LEVEL = "level";
/**
 * Which level a newcomer meets, and which one sits opposite it when both are computers.
 * @type {Record<string, string>}
 */
const USUAL = { cpu: "easy", first: "easy", second: "medium" };
/**
 * What can be chosen about a player.
 * @type {("depth" | "time" | "simulations")[]}
 */
const EFFORTS = ["depth", "time", "simulations"];

/**
 * @param {Api.GameName} game
 * @param {string} mode
 * @param {(game: Game) => void} onStart
 * @param {string | undefined} wish
 */
export async function setupScreen(game, mode, onStart, wish) {
  const offered = await opponentsOf(game);
  // For who just wants to play, the game's own rules come first.
  const own = GAMES[game].rules;
  const names = [...offered.rules].sort((one, other) => Number(other === own) - Number(one === own));
  const rules = select({ id: "rules" }, names.map((name) => [name, t(`rules_${name}`)]), memory.get(remembered(game, "rules")) ?? names[0]);
  /** @type {Page.Choice[]} */
  const times = [0, ...MINUTES].map((minutes) => [minutes, minutes ? t("clock_minutes", minutes) : t("clock_none")]);
  const clock = select({ id: "clock" }, times, memory.get("clock") ?? 0);
  const about = h("p", { class: "quiet", id: "rules-note" });
  const seat = select({ id: "seat" }, [["first", t("you_first")], ["second", t("you_second")], ["random", t("you_random")]], memory.get("seat") ?? "first");
  const choosers = mode === "people" ? [] : mode === "cpu" ? [new Chooser("cpu", offered, wish)] : SIDES.map((side) => new Chooser(side, offered, wish));
  const note = h("div", {});
  const tell = () => {
    const explained = `rules_${rules.value}_note`;
    setText(about, has(explained) ? t(explained) : "");
    about.hidden = !has(explained);
    choosers.forEach((chooser) => chooser.setRules(rules.value));
  };
  rules.addEventListener("change", tell);
  tell();
  const start = async () => {
    note.replaceChildren();
    memory.set(remembered(game, "rules"), rules.value);
    memory.set("seat", seat.value);
    memory.set("clock", clock.value);
    const human = { human: true };
    /** @type {Page.Players} */
    let players;
    if (mode === "people") players = { first: human, second: human };
    else if (mode === "watch") players = { first: choosers[0].player(), second: choosers[1].player() };
    else {
      const mine = seat.value === "random" ? (Math.random() < 0.5 ? "first" : "second") : seat.value;
      const theirs = choosers[0].player();
      players = mine === "first" ? { first: human, second: theirs } : { first: theirs, second: human };
    }
    const bad = SIDES.find((side) => !players[side].human && !players[side].player);
    if (bad) return note.replaceChildren(problem(t("custom_label")));
    const timed = mode !== "watch" && Number(clock.value) > 0;
    onStart(new Game({ game, mode, rules: rules.value, players, clock: timed ? newClock(60000 * Number(clock.value)) : null }));
  };
  // One set of rules is no choice.
  const choices = [mode === "cpu" && field(t("who_begins"), seat), mode !== "watch" && field(t("clock"), clock), offered.rules.length > 1 && field(t("rules_choice"), rules)].filter(Boolean);
  return h(
    "div",
    { class: "setup" },
    h("h1", {}, t(`mode_${mode}`)),
    gamePicker(game, (name) => `#/${name}/setup/${mode}`),
    choosers.map((chooser) => chooser.element),
    choices.length ? h("div", { class: "panel choices" }, choices, about) : null,
    note,
    h("button", { class: "main big", id: "start", onclick: start }, t("start")),
  );
}

/** Chooses one computer player. */
class Chooser {
  /** @param {"cpu" | Api.Side} name @param {Api.Offers} offered @param {string | undefined} wish */
  constructor(name, offered, wish) {
    this.name = name;
    this.offered = offered;
    /** @type {string | null} */
    this.rules = null;
    this.look = GAMES[offered.game];
    const { typed, deepest } = this.look;
    /** @param {string} what */
    const kept = (what) => memory.get(this.key(what));
    const depths = Array.from({ length: Math.min(deepest, offered.deepest) }, (_, at) => at + 1);
    this.depth = select({ id: `${name}-depth` }, depths.map((depth) => [depth, effortWords.depth(depth)]), kept("depth") ?? offered.depth);
    this.time = select({ id: `${name}-time` }, TIMES.map((time) => [time, effortWords.time(time)]), kept("time") ?? "1s");
    this.simulations = select({ id: `${name}-simulations` }, SIMULATIONS.map((count) => [count, effortWords.simulations(count)]), kept("simulations") ?? 100);
    this.custom = h("input", { id: `${name}-custom`, type: "text", placeholder: typed, value: kept("custom") ?? "", "aria-label": t("custom_label"), maxlength: 300 });
    this.list = this.makeList(wish ?? kept("player") ?? LEVEL);
    /** @param {string | null} key */
    const known = (key) => offered.levels.find((level) => level.key === key);
    this.level = known(kept("level")) ?? known(USUAL[name]) ?? offered.levels[0];
    this.levels = h("div", { class: "levels", role: "group", "aria-label": t("opponent") }, offered.levels.map((level, at) => this.button(level, at)));
    // Two rows, as even as they can be.
    this.levels.style.gridTemplateColumns = `repeat(${Math.ceil(offered.levels.length / 2)}, minmax(0, 1fr))`;
    this.about = h("p", { class: "quiet about", id: `${name}-about`, "aria-live": "polite" });
    this.fields = h("div", { class: "choices" });
    this.note = h("div", {});
    const title = name === "cpu" ? t("opponent") : t(`side_${name}`);
    this.element = h(
      "section",
      { class: `panel chooser ${name}` },
      h("h2", {}, title),
      this.levels,
      this.about,
      field(t("more_opponents"), this.list),
      this.fields,
      this.note,
    );
    this.list.addEventListener("change", () => this.draw());
    for (const what of EFFORTS) this[what].addEventListener("change", () => this.draw());
    this.draw();
  }

  /**
   * Under which name a choice is remembered.
   * @param {string} what
   */
  key(what) {
    return remembered(this.offered.game, `${this.name}-${what}`);
  }

  /** @param {string} chosen */
  makeList(chosen) {
    const { game, opponents, perfect } = this.offered;
    /** @param {...string} groups @returns {Page.Choice[]} */
    const of = (...groups) => opponents.filter((offer) => groups.includes(offer.group)).map((offer) => [offer.player, offerName(offer, game)]);
    /** @type {Page.Choice[]} */
    const exact = exactOffers(game).map(({ player, name }) => [player, name]);
    const champions = of("champion");
    /** @type {Page.Choice[]} */
    const perfectOffer = perfect.length ? [["perfect", t("opp_perfect")]] : [];
    /** @type {Page.Option[]} */
    const groups = [
      [LEVEL, t("opp_level")],
      { label: t("group_simple"), options: [...of("random", "random-piece", "material", "mobility", "full"), ...exact] },
      { label: tg(game, "group_paper"), options: of("paper") },
      { label: tg(game, "group_known"), options: of("known") },
      { label: t("group_champion"), options: champions.length ? champions : [["", t("no_champions")]] },
      { label: t("group_net"), options: of("net") },
      { label: t("group_strong"), options: [...of("strong"), ...perfectOffer, ["custom", t("opp_custom")]] },
    ];
    const list = select({ id: `${this.name}-player` }, groups.filter((group) => Array.isArray(group) || group.options.length), chosen);
    if (list.value !== chosen) list.value = LEVEL;
    return list;
  }

  /** @param {Api.Rung} level @param {number} at */
  button(level, at) {
    const onclick = () => {
      this.list.value = LEVEL;
      this.level = level;
      this.draw();
    };
    const { game, levels } = this.offered;
    return levelButton(level, { at, of: levels.length, game, side: this.name === "second" ? "second" : "first", onclick });
  }

  /** @returns {"depth" | "time" | "simulations" | null} */
  takes() {
    const offer = this.offered.opponents.find((offer) => offer.player === this.list.value);
    if (offer) return EFFORTS.find((effort) => effort === offer.takes) ?? null;
    return /^(material|mobility)/.test(this.list.value) ? "depth" : null;
  }

  /** @param {string} rules */
  setRules(rules) {
    this.rules = rules;
    this.draw();
  }

  draw() {
    const takes = this.takes();
    const effort = takes && this[takes];
    const inputs = [];
    if (effort) inputs.push(field(t(takes), effort));
    if (this.list.value === "custom") inputs.push(field(t("custom_label"), this.custom));
    this.fields.replaceChildren(...inputs);
    this.drawLevels();
    const missing = this.list.value === "perfect" && this.rules && !this.offered.perfect.includes(this.rules);
    this.note.replaceChildren(missing ? problem(t("no_table", this.rules)) : "");
  }

  /** Which level is chosen, which ones cannot play by these rules, and what the chosen one is. */
  drawLevels() {
    const { game, levels } = this.offered;
    /** @param {Api.Rung} level */
    const can = (level) => !this.rules || canPlay(level, this.rules);
    // Who had chosen a level that cannot play by other rules meets the strongest that can.
    if (!can(this.level)) this.level = levels.findLast(can) ?? this.level;
    const byLevel = this.list.value === LEVEL;
    levels.forEach((level, at) => {
      const button = /** @type {HTMLButtonElement} */ (this.levels.children[at]);
      button.disabled = !can(level);
      button.title = plain(can(level) ? levelAbout(level) : t("no_table", this.rules));
      button.setAttribute("aria-pressed", String(byLevel && level === this.level));
    });
    const reason = levels.every(can) ? null : h("small", {}, t("no_table", this.rules));
    const what = byLevel ? [h("b", {}, levelName(this.level, game)), h("span", {}, ` – ${levelAbout(this.level)} `), h("small", {}, t("about_steps"))] : [];
    this.about.replaceChildren(...what, ...(reason ? [h("br"), reason] : []));
  }

  /**
   * The chosen player as the server takes it.
   * @returns {Page.Player}
   */
  player() {
    const { list } = this;
    memory.set(this.key("player"), list.value);
    memory.set(this.key("level"), this.level.key);
    for (const what of EFFORTS) memory.set(this.key(what), this[what].value);
    memory.set(this.key("custom"), this.custom.value);
    if (list.value === LEVEL) return { player: this.level.player };
    if (list.value === "custom") return { player: this.custom.value.trim() };
    const takes = this.takes();
    const more = takes ? `:${takes}=${this[takes].value}` : "";
    return { player: list.value && list.value + more };
  }
}

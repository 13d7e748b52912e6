// Sounds, made by the page itself. Off until somebody switches them on.

import { memory } from "./dom.js";

/**
 * Each sound is a few notes: frequency, when it begins, how long it lasts, and its wave.
 * @type {Record<string, [number, number, number, OscillatorType][]>}
 */
const NOTES = {
  move: [[340, 0, 0.07, "triangle"]],
  drop: [[250, 0, 0.06, "triangle"], [420, 0.05, 0.06, "triangle"]],
  capture: [[300, 0, 0.06, "square"], [180, 0.06, 0.12, "triangle"]],
  wall: [[120, 0, 0.14, "square"]],
  check: [[620, 0, 0.09, "triangle"], [620, 0.13, 0.12, "triangle"]],
  won: [[523, 0, 0.14, "triangle"], [659, 0.13, 0.14, "triangle"], [784, 0.26, 0.3, "triangle"]],
  lost: [[392, 0, 0.18, "triangle"], [330, 0.17, 0.18, "triangle"], [262, 0.34, 0.35, "triangle"]],
  drawn: [[440, 0, 0.18, "triangle"], [440, 0.22, 0.25, "triangle"]],
};
const LOUDNESS = 0.12;

/** @type {AudioContext | null} */
let context = null;
let on = memory.get("sound") === "on";

export const soundIsOn = () => on;

/** @param {boolean} wish */
export function switchSound(wish) {
  on = wish;
  memory.set("sound", on ? "on" : "off");
  play("move");
}

/** @param {string} name */
export function play(name) {
  if (!on) return;
  context ??= new AudioContext();
  // A browser lets a page be heard only after somebody has touched it.
  if (context.state === "suspended") context.resume();
  const now = context.currentTime;
  for (const [frequency, begin, length, type] of NOTES[name]) note(context, frequency, now + begin, length, type);
}

/**
 * @param {AudioContext} context
 * @param {number} frequency
 * @param {number} begin
 * @param {number} length
 * @param {OscillatorType} type
 */
function note(context, frequency, begin, length, type) {
  const tone = new OscillatorNode(context, { type, frequency });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(LOUDNESS, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + length);
}

/**
 * What a move sounds like.
 * @param {Api.MoveInfo} move
 */
export const soundOf = (move) => (move.wall ? "wall" : move.captures ? "capture" : move.from === null ? "drop" : "move");

// A field for a whole number.

import { field, h } from "./dom.js";
import { t } from "./words.js";

/**
 * It says itself what is wrong with what was typed.
 * @param {string} id
 * @param {string} name
 * @param {number} least
 * @param {number} most
 */
export function numberField(id, name, least, most) {
  const note = h("p", { class: "problem", id: `${id}-problem`, role: "alert", hidden: true });
  const input = h("input", { id, type: "number", min: least, max: most, step: 1, value: least, inputmode: "numeric" });
  /** @param {string | null} sentence */
  const say = (sentence) => {
    note.textContent = sentence ?? "";
    note.hidden = !sentence;
    if (!sentence) return ["aria-invalid", "aria-describedby"].forEach((name) => input.removeAttribute(name));
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", note.id);
  };
  const check = () => {
    const given = input.value.trim();
    const good = /^\d+$/.test(given) && Number(given) >= least && Number(given) <= Number(input.max);
    say(good ? null : given ? t("number_wrong", name, given, least, input.max) : t("number_missing", name, least, input.max));
    return good;
  };
  // What was wrong is looked at again while it is mended: later, it would move what is about to be clicked.
  input.addEventListener("input", () => note.hidden || check());
  return { input, check, element: h("div", { class: "number" }, field(name, input), note) };
}

// What a piece can do: how the face that is up moves, and what is on its back. For games whose pieces do not show it themselves.

import { h, setLabel } from "./dom.js";
import { GAMES } from "./games.js";
import { pieceArt } from "./pieces.js";
import { reachArt } from "./shogi.js";
import { pieceName, t } from "./words.js";

/** @typedef {{ side: Api.Side, kind: string, turned: boolean, held: boolean }} Piece */

export class PiecePanel {
  /**
   * `onFace` is told which face of a piece in hand was chosen.
   * @param {(face: string) => void} onFace
   */
  constructor(onFace) {
    this.onFace = onFace;
    /** @type {Api.GameName} */
    this.game = "dobutsu";
    this.element = h("section", { class: "piece-panel", id: "piece" });
  }

  /**
   * Shows a piece, `{side, kind, turned, held}`, or what the panel is for; returns what it says as words.
   * @param {Api.GameName} game
   * @param {Piece | null} piece
   */
  show(game, piece) {
    const { back } = GAMES[game];
    this.game = game;
    this.element.hidden = Object.keys(back).length === 0;
    if (this.element.hidden) return "";
    setLabel(this.element, t("piece_panel"));
    if (!piece) {
      this.element.replaceChildren(h("p", { class: "quiet" }, t("piece_hint")));
      return "";
    }
    const behind = back[piece.kind];
    // The faces of a piece in hand keep their places while one or the other comes up.
    const faces = [piece.kind, behind].filter(Boolean);
    if (piece.held) faces.sort((one, two) => this.order(back, one) - this.order(back, two));
    this.element.replaceChildren(...faces.map((face) => this.face(face, piece)));
    if (!behind) this.element.append(h("p", { class: "quiet" }, t("no_back")));
    return t("piece_words", t(`moves_${piece.kind}`)) + (behind ? t("back_words", pieceName(behind, game)) : "");
  }

  /**
   * A piece in hand is named by one of its faces: that one comes first.
   * @param {Record<string, string>} back
   * @param {string} face
   */
  order(back, face) {
    return Object.keys(back).indexOf(face) % 2;
  }

  /** @param {string} face @param {Piece} piece */
  face(face, { side, kind, turned, held }) {
    const up = face === kind;
    const title = held ? t("drop_face", pieceName(face, this.game)) : up ? pieceName(face, this.game) : t("on_back", pieceName(face, this.game));
    const parts = [
      h("span", { class: `face-art ${turned ? "turned" : ""}` }, pieceArt(this.game, face, side)),
      h("span", { class: `face-art ${turned ? "turned" : ""}` }, reachArt(face)),
      h("span", { class: "face-text" }, h("strong", {}, title), h("small", {}, t(`moves_${face}`))),
    ];
    const about = { class: `face ${up ? "up" : ""}`, "data-face": face };
    return held
      ? h("button", { ...about, type: "button", "aria-pressed": String(up), onclick: () => this.onFace(face) }, parts)
      : h("div", about, parts);
  }
}

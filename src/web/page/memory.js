// A memory of sentences: pairs of a text in English, with holes for what differs, and the same in another language.

/** What fills the holes of a sentence: words of the same sentence, a number, or names. */
const HOLE = /\{[nw]?\}/;
const FILLED = { "{}": "((?:(?!\\. ).)+?)", "{n}": "([-−]?[\\d.,]*\\d)", "{w}": "([\\w.=-]+(?:, [\\w.=-]+)*)" };

const literally = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function pattern(english) {
  const parts = english.split(/(\{[nw]?\})/).map((part) => FILLED[part] ?? literally(part));
  return new RegExp(`^${parts.join("")}$`, "s");
}

/** What makes the other language of a text by pairs of sentences, and null of what it does not know. */
export function translator(pairs) {
  const known = new Map(pairs.filter(([english]) => !HOLE.test(english)));
  const patterns = pairs.filter(([english]) => HOLE.test(english)).map(([english, other]) => [pattern(english), other]);
  const one = (text) => {
    for (const [english, other] of patterns) {
      const held = english.exec(text)?.slice(1).map((part) => say(part) ?? part);
      let next = 0;
      if (held) return other.replace(/\{(\d*)\}/g, (_, number) => held[number ? number - 1 : next++]);
    }
    return null;
  };
  // Several sentences are known if each of them is.
  const several = (text) => {
    for (let end = text.indexOf(". "); end >= 0; end = text.indexOf(". ", end + 1)) {
      const [head, rest] = [known.get(text.slice(0, end + 1)) ?? one(text.slice(0, end + 1)), text.slice(end + 2)];
      const tail = head && say(rest);
      if (tail) return head + tail;
    }
    return null;
  };
  const say = (text) => {
    if (!known.has(text)) known.set(text, one(text) ?? several(text));
    return known.get(text);
  };
  return say;
}

// Reads PGN files of ours with ffish, Fairy-Stockfish for JavaScript: the moves must be those of the same games as UCI.
//
//     node pgn.js games.pgn games.uci
//
// Games of a file are separated by a blank line before the first tag. Exit code 1 if anything differs.

// The library would fetch itself otherwise.
delete globalThis.fetch;
const fs = require("fs");
const ffish = require("ffish");

const [pgn, uci] = process.argv.slice(2);
ffish.onRuntimeInitialized = () => {
  const games = fs.readFileSync(pgn, "utf8").split(/\n\n(?=\[)/);
  const lines = fs.readFileSync(uci, "utf8").split("\n").filter((line) => line.startsWith("position "));
  let moves = 0;
  let ambiguous = 0;
  if (games.length !== lines.length) fail(`${games.length} games in one file, ${lines.length} in the other`);
  games.forEach((text, number) => {
    // A gold and a tokin that are dropped look the same there: such moves have a comment, and ffish cannot know.
    if (text.includes("{")) {
      ambiguous += 1;
      return;
    }
    const game = ffish.readGamePGN(text);
    const theirs = game.mainlineMoves();
    const ours = lines[number].split(" moves ")[1] ?? "";
    if (theirs !== ours) fail(`game ${number + 1}:\nours:   ${ours}\ntheirs: ${theirs}\n${text}`);
    moves += ours.split(" ").length;
    game.delete();
  });
  console.log(`${games.length - ambiguous} games, ${moves} moves: ffish reads the same from PGN (${ambiguous} more have moves that it cannot tell apart)`);
  if (ambiguous > games.length / 2) fail("too few games were compared");
};

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

#!/usr/bin/env bash
# Our engine among programs that others wrote: python-chess and cshogi as clients, pyffish and OpenSpiel as referees, ffish as a reader of
# PGN, Fairy-Stockfish as an opponent. Needs target/debug/dobutsu-ga (`cargo build`) or DOBUTSU_GA; all else is installed here if it is
# missing (Debian, as root), in a temporary folder where that is possible.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${DOBUTSU_GA:-$here/../../target/debug/dobutsu-ga}")
# With GAMES=200 it takes some minutes more.
games=${GAMES:-30}
# Nothing is left behind in the checkout.
export PYTHONDONTWRITEBYTECODE=1
export PATH=$PATH:/usr/games
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

missing=()
command -v fairy-stockfish > /dev/null || missing+=(fairy-stockfish)
command -v node > /dev/null || missing+=(nodejs)
command -v npm > /dev/null || missing+=(npm)
python3 -c 'import ensurepip, venv' 2> /dev/null || missing+=(python3 python3-venv)
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi
python3 -m venv "$scratch/venv"
python=$scratch/venv/bin/python
"$python" -m pip install --quiet --disable-pip-version-check pyffish==0.0.90 chess==1.11.2 cshogi==1.1.0 open_spiel==2.0.2
(cd "$scratch" && npm install --no-package-lock --no-audit --no-fund --silent ffish@0.7.10)

# Two at a time, as there are two cores. Hasami Shogi is judged slowly, in Python.
client() { timeout 600 "$python" "$here/client.py" --games "$games" --game "$@" -- "$program" engine; }
client dobutsu --time 0.01 --clock 1 --increment 0.01 > "$scratch/dobutsu" & one=$!
client kyotoshogi --time 0.01 --clock 1 --increment 0.01 --ply-cap 100 > "$scratch/kyoto" & two=$!
wait $one && wait $two
client quoridor --time 0.005 --clock 0.5 --increment 0.005 --ply-cap 60 > "$scratch/quoridor" & one=$!
client hasami --time 0.005 --clock 0.5 --increment 0.005 --ply-cap 60 > "$scratch/hasami" & two=$!
wait $one && wait $two
cat "$scratch"/{dobutsu,kyoto,quoridor,hasami}
for game in dobutsu kyotoshogi; do
  timeout 300 "$python" "$here/usi.py" --game "$game" --games 20 --byoyomi 10 -- "$program" engine
done

# Games of all kinds, as PGN, read by others.
export NODE_PATH=$scratch/node_modules
write() {
  "$program" match "$@" --records "$scratch/$name.jsonl" > /dev/null
  for format in pgn uci; do "$program" import "$scratch/$name.jsonl" --out "$scratch/$name.$format" > /dev/null; done
  node "$here/pgn.js" "$scratch/$name.pgn" "$scratch/$name.uci"
}
name=dobutsu write random material:depth=1 --rules official --games 200
name=kyoto write random S:depth=1 --game kyoto --rules legal --games 200

# The real opponent: every game ends by the rules, and nothing is left running.
versus() {
  timeout 300 "$program" match "$@" --records "$scratch/versus.jsonl" --force > "$scratch/versus"
  if grep -E '"by":"(time|crash|illegal move|no move)"' "$scratch/versus.jsonl"; then exit 1; fi
  grep -E "both" "$scratch/versus"
}
versus strong:depth=6 engine=fairy-stockfish:nodes=1000 --rules official --games 40 --opening-plies 4
versus material:depth=2 engine=fairy-stockfish:depth=4:protocol=usi --rules paper --games 40 --opening-plies 4
versus B engine=fairy-stockfish:nodes=1000 --game kyoto --games 40 --opening-plies 4
versus strong:depth=3 engine=fairy-stockfish:depth=3 --game kyoto --rules legal --games 40 --opening-plies 4
if pgrep fairy-stockfish; then
  echo "fairy-stockfish is still running" >&2
  exit 1
fi

#!/usr/bin/env bash
# Lets OpenSpiel referee 200 games of our players. Needs target/debug/dobutsu-ga (`cargo build`) or DOBUTSU_GA, and Python from
# 3.11 on, which is installed here if it is missing (Debian, as root); OpenSpiel too, in a temporary folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export DOBUTSU_GA=${DOBUTSU_GA:-$here/../../target/debug/dobutsu-ga}
# Nothing is left behind in the checkout.
export PYTHONDONTWRITEBYTECODE=1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python=python3
if ! "$python" -c 'import pyspiel' 2> /dev/null; then
  if ! python3 -c 'import ensurepip, venv' 2> /dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 python3-venv
  fi
  python3 -m venv "$scratch/venv"
  python=$scratch/venv/bin/python
  "$python" -m pip install --quiet --disable-pip-version-check open_spiel==2.0.2
fi

matches=0
play() {
  matches=$((matches + 1))
  "$DOBUTSU_GA" match --game quoridor --games 50 --opening-plies 4 --seed "$matches" "$@" \
    --records "$scratch/$matches.jsonl" > /dev/null
}
# Random games are long: most of these end by the cap.
play random random --repetition off --ply-cap 100
play random plain:depth=1
play report:depth=1 report:depth=2
play report:depth=2 strong:depth=2
"$python" "$here/referee.py" "$scratch"/*.jsonl

#!/usr/bin/env bash
# The same bytes from one process, two and four, with one thread each and two; from a job that was killed, and from shares of a sweep.
# Needs a program built with `cargo build --features mpi` in target/debug or DOBUTSU_GA, and Open MPI.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${DOBUTSU_GA:-$here/../../target/debug/dobutsu-ga}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
# CI runs as root, on fewer cores than processes, perhaps in a container: without ssh, and where no process may read another's memory.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
command -v ssh > /dev/null || export OMPI_MCA_plm_rsh_agent=sh
many() { timeout 300 mpirun --oversubscribe --bind-to none -n "$@"; }

tuner=(--islands 4 --migrate-every 5 --generations 40 --seed 3 --validation-games 20)
sweep=(sweep --seeds 1..5 --null --generations 30 --validation-games 20)
match=(match random material:depth=2 --games 300 --seed 2)
tournament=(tournament random plain report:depth=1 --game quoridor --games 6 --ply-cap 60)
alphazero=(learn alphazero --game dobutsu --cycles 2 --games 130 --filters 4 --blocks 1 --simulations 4 --gate-games 20
  --measure-games 2 --opponent random)

# With a folder of its own, every run writes there; a match writes records and what it prints.
all() { # NAME LAUNCHER...
  local name=$1
  shift
  mkdir "$name"
  "$@" "${tuner[@]}" --out "$name/tuner" > /dev/null
  "$@" "${sweep[@]}" --out "$name/sweep" > /dev/null
  "$@" "${match[@]}" --records "$name/match.jsonl" > "$name/match.txt"
  "$@" "${tournament[@]}" > "$name/tournament.txt"
  "$@" "${alphazero[@]}" --out "$name/alphazero" > /dev/null
}
all alone "$program" 2> /dev/null
for ranks in 1 2 4; do
  for threads in 1 2; do
    with_threads() { many "$ranks" "$program" "$@" --threads "$threads"; }
    all "$ranks-$threads" with_threads 2> errors || { cat errors >&2; exit 1; }
    diff -r -x metrics.jsonl alone "$ranks-$threads"
    echo "$ranks processes, $threads threads each: the same bytes"
  done
done

# A process killed in the middle ends the job, which says so; another number of processes takes it up.
long=(--islands 4 --generations 4000 --fix-side first --seed 5 --no-validate)
"$program" "${long[@]}" --out whole > /dev/null 2>&1
many 3 "$program" "${long[@]}" --out killed > /dev/null 2> errors &
job=$!
until [ -s killed/generations.csv ]; do sleep 0.05; done
sleep 0.5
pkill -KILL -n -f "^$program --islands 4 --generations 4000"
if wait $job; then echo "the job went on without one of its processes" >&2; exit 1; fi
grep -q "resume FOLDER" errors || { cat errors >&2; exit 1; }
[ ! -e killed/summary.md ] || { echo "it was over before it was killed" >&2; exit 1; }
many 2 "$program" resume killed --no-validate > /dev/null 2>&1
diff -r -x metrics.jsonl whole killed
echo "killed and taken up: the same bytes"

# A player that another process cannot have ends the job with a sentence, and so does bad input.
if many 2 "$program" match random net=nowhere --game kyoto 2> errors; then exit 1; fi
grep -q "nowhere" errors || { cat errors >&2; exit 1; }

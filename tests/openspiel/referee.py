"""Plays recorded games of Quoridor in OpenSpiel, and says where the two do not agree."""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import quoridor

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("DOBUTSU_GA", str(ROOT / "target/debug/dobutsu-ga"))
START = quoridor.Board().fen()
RETURNS = {"first": [1, -1], "second": [-1, 1]}


class Difference(Exception):
    """What OpenSpiel says and we do not, or the other way round."""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", nargs="+", help="what `dobutsu-ga match --game quoridor A B --records FILE` wrote")
    parser.add_argument("--every", type=int, default=5, metavar="N", help="compare all legal moves at every N-th position [5]")
    options = parser.parse_args()
    if options.every < 1:
        parser.error("--every takes a number from 1")
    games = moves = compared = 0
    for file in options.records:
        for number, record in enumerate(read(file), 1):
            # Another place to begin in each game, so that all plies get their turn.
            sampled = range(games % options.every, len(record["moves"]), options.every)
            try:
                plies, positions = follow(record, sampled)
            except Difference as difference:
                sys.exit(f"{file}, line {number}: {difference}")
            games, moves, compared = games + 1, moves + plies, compared + positions
    if compared == 0:
        sys.exit("no position was compared: are there games in the records?")
    print(f"{games} games, {moves} moves, {compared} positions with all legal moves compared: no difference")


def read(file):
    try:
        with open(file, encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        sys.exit(f"{file} cannot be read as records of games: {error}")
    for number, record in enumerate(records, 1):
        if record.get("game_name") != "quoridor" or record.get("start") != START:
            sys.exit(f"{file}, line {number}: only games of quoridor from the usual start ({START}) can be refereed")
    return records


def follow(record, sampled):
    """Plays the game; how many moves were played, and at how many positions all legal moves were compared."""
    state = quoridor.load().new_initial_state()
    board = quoridor.Board()
    compared = 0
    for ply, move in enumerate(record["moves"]):
        where = f"ply {ply + 1}, in {board.fen()}"
        if quoridor.is_cut(state):
            # OpenSpiel follows no longer; its word counts so far.
            return ply, compared
        if state.is_terminal():
            raise Difference(f"{where}: the game goes on with {move}, for OpenSpiel it is over")
        legal = quoridor.legal_moves(state)
        if ply in sampled:
            compare(counted(board.fen()), sorted(text for text, _ in legal), where)
            compared += 1
        action = dict(legal).get(move)
        if action is None:
            raise Difference(f"{where}: {move} was played, which OpenSpiel does not allow")
        state.apply_action(action)
        board.play(move)
    compare_end(state, record, f"at the end, in {board.fen()}")
    return len(record["moves"]), compared


def counted(fen):
    """All legal moves of a position, as `dobutsu-ga perft` lists them: unlike `show` it asks for no history."""
    command = [PROGRAM, "perft", "--game", "quoridor", "--depth", "1", "--divide", "--threads", "1", "--fen", fen]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"{PROGRAM} does not start ({error}): build it with `cargo build`, or name another as DOBUTSU_GA")
    listed, told, _ = done.stdout.partition("position ")
    if done.returncode != 0 or not told:
        sys.exit(f"`dobutsu-ga perft --divide` lists no legal moves of {fen}: {done.stderr or done.stdout}")
    return sorted(line.split()[0] for line in listed.splitlines())


def compare(ours, theirs, where):
    if ours != theirs:
        only_ours = " ".join(sorted(set(ours) - set(theirs))) or "none"
        only_theirs = " ".join(sorted(set(theirs) - set(ours))) or "none"
        raise Difference(f"{where}: legal moves differ; only ours: {only_ours}; only OpenSpiel's: {only_theirs}")


def compare_end(state, record, where):
    winner, by = record["winner"], record["by"]
    # By the rules there is only one end; all others are agreed upon, and OpenSpiel does not know them.
    same = state.returns() == RETURNS[winner] if by == "goal" else not state.is_terminal() or quoridor.is_cut(state)
    if not same:
        over = f"it is over with {state.returns()}" if state.is_terminal() else "it goes on"
        raise Difference(f"{where}: the record says {winner} by {by}, for OpenSpiel {over}")


if __name__ == "__main__":
    main()

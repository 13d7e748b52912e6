"""Lets cshogi, which speaks USI, play our engine against itself at the shogi games; pyffish judges every move, for example

    python3 tests/fairy/usi.py --game kyotoshogi --games 20 -- target/release/dobutsu-ga engine
"""

import argparse
import os
import random
import shlex
import stat
import sys
import tempfile

from cshogi.usi import Engine

import rules

SIZES = {"dobutsu": (3, 4), "kyotoshogi": (5, 5)}
OPENING_PLIES = 4
PLY_CAP = 120


def uci_square(text, size):
    return "abcdefghi"[size[0] - int(text[0])] + str(size[1] - "abcdefghi".index(text[1]))


def usi_square(text, size):
    return str(size[0] - "abcdefghi".index(text[0])) + "abcdefghi"[size[1] - int(text[1])]


def to_uci(move, size):
    if "*" in move:
        piece, square = move.split("*")
        return f"{piece}@{uci_square(square, size)}"
    return uci_square(move, size) + uci_square(move[2:], size) + move[4:]


def to_usi(move, size):
    if "@" in move:
        piece, square = move.split("@")
        return f"{piece}*{usi_square(square, size)}"
    return usi_square(move, size) + usi_square(move[2:], size) + move[4:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="kyotoshogi", choices=list(SIZES))
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--byoyomi", type=int, default=20, help="milliseconds a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    size, chance = SIZES[options.game], random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        # cshogi starts a program, not a command line.
        script = os.path.join(folder, "engine.sh")
        command = [os.path.abspath(options.command[0]), *options.command[1:]]
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {shlex.join(command)}\n")
        os.chmod(script, os.stat(script).st_mode | stat.S_IXUSR)
        engines = [Engine(script), Engine(script)]
        plies = 0
        for engine in engines:
            engine.setoption("UCI_Variant", options.game)
            engine.isready()
        for number in range(options.games):
            referee = rules.referee(options.game)
            for engine in engines:
                engine.usinewgame()
            while not referee.over() and len(referee.moves) < PLY_CAP:
                if len(referee.moves) < OPENING_PLIES:
                    referee.push(chance.choice(referee.legal()))
                    continue
                engine = engines[(len(referee.moves) + number) % 2]
                engine.position([to_usi(move, size) for move in referee.moves])
                answer, _ = engine.go(btime=0, wtime=0, byoyomi=options.byoyomi)
                move = to_uci(answer, size) if answer != "resign" else answer
                if move not in referee.legal():
                    sys.exit(f"{options.game}: {answer} after {' '.join(referee.moves)}")
                referee.push(move)
            plies += len(referee.moves)
        for engine in engines:
            engine.quit()
    print(f"{options.game} by USI: {options.games} games, {plies} plies, no illegal move")


if __name__ == "__main__":
    main()

"""Lets python-chess, which speaks UCI, play our engine against itself, with somebody else's rules judging every move, for example

    python3 tests/fairy/client.py --game kyotoshogi --games 200 -- target/release/dobutsu-ga engine

Half of the games have a fixed time a move, half a clock. Exit code 1 if a move is illegal, too late or missing, or a process is left.
"""

import argparse
import os
import pathlib
import random
import sys
import time

import chess.engine

import rules

OPENING_PLIES = 4
# A busy machine may take this long to bring an answer home.
GRACE = 1.0


class Move:
    """What python-chess asks of a move."""

    def __init__(self, text):
        self.text = text

    def uci(self):
        return self.text


def board_class(variant):
    """What python-chess asks of a board: it knows no rules of its own."""

    class Board:
        uci_variant = variant
        chess960 = False

        def __init__(self, referee=None):
            self.referee = referee or rules.referee(variant)
            self.move_stack = [Move(text) for text in self.referee.moves]
            self.turn = self.referee.white_to_move()

        def root(self):
            return self

        def fen(self, **_):
            return self.referee.start

        def copy(self, **_):
            return Follower(self.referee)

        def push(self, text):
            self.referee.push(text)
            self.move_stack.append(Move(text))
            self.turn = self.referee.white_to_move()

    return Board


class Follower:
    """A copy in which python-chess looks up what an engine says. Capitals are lost on the way there."""

    def __init__(self, referee):
        self.turn = referee.white_to_move()
        self.names = {text.lower(): text for text in referee.legal()}

    def copy(self, **_):
        return self

    def push_uci(self, text):
        if text.lower() not in self.names:
            raise ValueError(f"{text} is no legal move")
        return Move(self.names[text.lower()])

    def parse_uci(self, text):
        return self.push_uci(text)

    def pop(self):
        pass


def children(pid):
    """The processes that a process has started and that still run."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name_end = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(name_end[1]) == pid and name_end[0] != "Z":
            found.append(int(stat.parent.name))
    return found


class Problem(Exception):
    """What must not happen."""


def play(engines, variant, chance, options):
    board = board_class(variant)()
    for _ in range(OPENING_PLIES):
        board.push(chance.choice(board.referee.legal()))
        if board.referee.over():
            return board
    clocks = [options.clock, options.clock] if chance.random() < 0.5 else None
    # A new object tells python-chess that a new game begins.
    game = object()
    while not board.referee.over() and len(board.move_stack) < options.ply_cap:
        side = 0 if board.turn else 1
        if clocks:
            limit = chess.engine.Limit(
                white_clock=clocks[0], black_clock=clocks[1], white_inc=options.increment, black_inc=options.increment
            )
            allowed = clocks[side]
        else:
            limit, allowed = chess.engine.Limit(time=options.time), options.time
        begin = time.perf_counter()
        try:
            # What engines tell of their search is looked into as well, but for lines of play, which would need the rules.
            info = chess.engine.INFO_BASIC | chess.engine.INFO_SCORE
            result = engines[side].play(board, limit, game=game, info=info)
        except chess.engine.EngineError as error:
            raise Problem(f"after {' '.join(board.referee.moves)}: {error}") from None
        took = time.perf_counter() - begin
        if result.move is None:
            raise Problem(f"no move after {' '.join(board.referee.moves)}")
        if took > allowed + GRACE:
            raise Problem(f"{took:.3f} s for a move, {allowed:.3f} were left")
        if clocks:
            clocks[side] += options.increment - took
        else:
            options.slowest = max(options.slowest, took - allowed)
        board.push(result.move.uci())
    return board


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="dobutsu", choices=["dobutsu", "kyotoshogi", "quoridor", "hasami"])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--time", type=float, default=0.02, help="seconds a move")
    parser.add_argument("--clock", type=float, default=2.0, help="seconds a game")
    parser.add_argument("--increment", type=float, default=0.02)
    parser.add_argument("--ply-cap", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--player", default="strong", help="the option Player of one of the two engines")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    options.slowest = 0.0
    chance = random.Random(options.seed)
    engines = [chess.engine.SimpleEngine.popen_uci(options.command) for _ in range(2)]
    plies = finished = 0
    try:
        # The game is python-chess's to choose.
        engines[1].configure({"Player": options.player})
        for number in range(options.games):
            board = play(engines if number % 2 == 0 else engines[::-1], options.game, chance, options)
            plies += len(board.move_stack)
            finished += board.referee.over()
    except Problem as problem:
        sys.exit(f"{options.game}: {problem}")
    finally:
        for engine in engines:
            engine.quit()
    left = children(os.getpid())
    if left:
        sys.exit(f"{options.game}: processes left: {left}")
    print(
        f"{options.game}: {options.games} games, {finished} finished, {plies} plies, no illegal, missing or late move, no process "
        f"left; an answer came at most {1000 * max(options.slowest, 0):.0f} ms after its time"
    )


if __name__ == "__main__":
    main()

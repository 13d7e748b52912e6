"""Prints how fast OpenSpiel's Quoridor is: leaves of perft 3 and 4, and random games, each a second."""

import sys
import time

import quoridor
from quoridor import pyspiel

# So many sequences of moves there are from the start.
LEAVES = {3: 2_062_264, 4: 247_569_030}
GAMES = 1000


def perft(state, depth):
    """The last ply is counted without being played, as ours is. There is no undoing of moves in this game of OpenSpiel."""
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    return sum(perft(state.child(action), depth - 1) for action in actions)


def leaves(state, depth):
    begin = time.perf_counter()
    found = perft(state, depth)
    speed = found / (time.perf_counter() - begin)
    if found != LEAVES[depth]:
        sys.exit(f"OpenSpiel finds {found} sequences of {depth} moves, there are {LEAVES[depth]}")
    return speed


def random_games(state, seed):
    """Played in C++: the one simulation of this search is of the root, and values it by so many random games."""
    evaluator = pyspiel.RandomRolloutEvaluator(GAMES, seed)
    bot = pyspiel.MCTSBot(quoridor.load(), evaluator, 2.0, 1, 1000, False, seed, False)
    begin = time.perf_counter()
    bot.step(state)
    return GAMES / (time.perf_counter() - begin)


def main():
    start = quoridor.load().new_initial_state()
    # The best of three: on a busy machine a single one would flatter ours.
    print(f"perft3 {max(leaves(start, 3) for _ in range(3)):.0f}", flush=True)
    print(f"perft4 {leaves(start, 4):.0f}", flush=True)
    print(f"games {max(random_games(start, seed) for seed in range(1, 4)):.0f}")


if __name__ == "__main__":
    main()

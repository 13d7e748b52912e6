"""Writes random games as pyffish notes them down, for tests/notation/san.txt: variant, moves in UCI, moves in SAN.

    python3 tests/fairy/san.py > tests/notation/san.txt
"""

import random

import pyffish

GAMES, PLIES = 60, 80


def main():
    chance = random.Random(1)
    for variant in ["dobutsu", "kyotoshogi"]:
        start = pyffish.start_fen(variant)
        for _ in range(GAMES):
            moves = []
            while len(moves) < PLIES and (legal := pyffish.legal_moves(variant, start, moves)):
                moves.append(chance.choice(legal))
            san = pyffish.get_san_moves(variant, start, moves, False, pyffish.NOTATION_SAN)
            print(variant, " ".join(moves), " ".join(san), sep=";")


if __name__ == "__main__":
    main()

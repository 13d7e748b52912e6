"""OpenSpiel's Quoridor in our notation.

OpenSpiel counts ranks from the top, and there as here the first player begins at the bottom: only ranks differ. Our square e2 is
its e8. A wall is named by its square nearest to a1, which for us is at the lower left, there at the upper left: our e3h is its e6h.
"""

import functools
import sys

try:
    import pyspiel
except ImportError:
    sys.exit("OpenSpiel is missing: pip install open_spiel (see tests/openspiel/README.md)")

SIZE = 9
WALLS_EACH = 10

# OpenSpiel calls a game a draw after this many plies.
PLY_CAP = 4 * SIZE * SIZE


@functools.cache
def load():
    """OpenSpiel's game with two players, a 9x9 board and ten walls each; it warns each time that it is loaded."""
    return pyspiel.load_game(f"quoridor(board_size={SIZE})")


def is_wall(move):
    """Whether the move, in either notation, places a wall."""
    return move[-1] in "hv"


def turned(move):
    """The move in the other notation, there as back."""
    last = SIZE if is_wall(move) else SIZE + 1
    return f"{move[0]}{last - int(move[1])}{move[2:]}"


def legal_moves(state):
    """Every legal move by our name, with OpenSpiel's action for it."""
    player = state.current_player()
    return [(turned(state.action_to_string(player, action)), action) for action in state.legal_actions()]


def is_cut(state):
    """Whether OpenSpiel ended the game only because it was long."""
    return state.is_terminal() and state.move_number() >= PLY_CAP and not any(state.returns())


class Board:
    """What stands where, as our moves say."""

    def __init__(self):
        self.pawns = ["e1", "e9"]
        self.left = [WALLS_EACH, WALLS_EACH]
        self.walls = []
        self.turn = 0

    def play(self, move):
        if is_wall(move):
            self.walls.append(move)
            self.left[self.turn] -= 1
        else:
            self.pawns[self.turn] = move
        self.turn = 1 - self.turn

    def fen(self):
        """As the option `--fen` reads it."""
        def lying(letter):
            return ",".join(wall[:2] for wall in self.walls if wall[2] == letter) or "-"

        return " ".join([*self.pawns, *map(str, self.left), f"h:{lying('h')}", f"v:{lying('v')}", "wb"[self.turn]])

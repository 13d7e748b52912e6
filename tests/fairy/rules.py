"""What is legal, as other people wrote it: pyffish (Fairy-Stockfish) for the shogi games, OpenSpiel for Quoridor, and plain Python for
Hasami Shogi. Each referee follows one game, knows its legal moves by the names that engines use, and says how it has ended."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Fairy:
    """A game that Fairy-Stockfish knows."""

    def __init__(self, variant):
        import pyffish

        self.rules, self.variant = pyffish, variant
        self.start, self.moves = pyffish.start_fen(variant), []

    def white_to_move(self):
        return len(self.moves) % 2 == 0

    def legal(self):
        return self.rules.legal_moves(self.variant, self.start, self.moves)

    def push(self, move):
        self.moves.append(move)

    def over(self):
        """Fourfold repetition too: a game must end."""
        ended, _ = self.rules.is_optional_game_end(self.variant, self.start, self.moves)
        return ended or not self.legal()


class Quoridor:
    """OpenSpiel's rules in our notation."""

    start = "e1 e9 10 10 h:- v:- w"

    def __init__(self):
        sys.path.insert(0, str(HERE.parent / "openspiel"))
        import quoridor

        self.rules, self.state, self.moves = quoridor, quoridor.load().new_initial_state(), []

    def white_to_move(self):
        return len(self.moves) % 2 == 0

    def actions(self):
        return {} if self.state.is_terminal() else dict(self.rules.legal_moves(self.state))

    def legal(self):
        return list(self.actions())

    def push(self, move):
        self.state.apply_action(self.actions()[move])
        self.moves.append(move)

    def over(self):
        return self.state.is_terminal()


class Hasami:
    """The report's rules, slowly."""

    SIZE = 9
    start = "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP w -"
    LINES = ((1, 0), (-1, 0), (0, 1), (0, -1))

    def __init__(self):
        self.board = {(file, rank): side for side, rank in ((0, 0), (1, 8)) for file in range(self.SIZE)}
        self.moves, self.seen, self.turn, self.winner = [], [], 0, None

    def white_to_move(self):
        return self.turn == 0

    def inside(self, square):
        return all(0 <= place < self.SIZE for place in square)

    @staticmethod
    def step(square, line):
        return square[0] + line[0], square[1] + line[1]

    def steps(self):
        for square, side in self.board.items():
            for line in self.LINES if side == self.turn else ():
                goal = self.step(square, line)
                while self.inside(goal) and goal not in self.board:
                    yield square, goal
                    goal = self.step(goal, line)

    @staticmethod
    def name(square):
        return "abcdefghi"[square[0]] + str(square[1] + 1)

    def legal(self):
        return [] if self.winner is not None else [self.name(a) + self.name(b) for a, b in self.steps()]

    def push(self, move):
        source, goal = next((a, b) for a, b in self.steps() if self.name(a) + self.name(b) == move)
        self.board[goal] = self.board.pop(source)
        for line in self.LINES:
            between, square = [], self.step(goal, line)
            while self.board.get(square) == 1 - self.turn:
                between.append(square)
                square = self.step(square, line)
            if self.board.get(square) == self.turn:
                for taken in between:
                    del self.board[taken]
        for line in self.LINES:
            group = self.shut_in(self.step(goal, line))
            for taken in group:
                del self.board[taken]
        self.moves.append(move)
        self.turn = 1 - self.turn
        self.seen.append((frozenset(self.board.items()), self.turn))
        self.judge()

    def shut_in(self, square):
        """The enemy group on this square, if it has no empty square beside it."""
        if self.board.get(square) != 1 - self.turn:
            return set()
        group, todo = {square}, [square]
        while todo:
            here = todo.pop()
            for line in self.LINES:
                beside = self.step(here, line)
                if not self.inside(beside) or beside in group:
                    continue
                if beside not in self.board:
                    return set()
                if self.board[beside] == 1 - self.turn:
                    group.add(beside)
                    todo.append(beside)
        return group

    def judge(self):
        """The side that has just moved is not the one to move."""
        mover, count = 1 - self.turn, [list(self.board.values()).count(side) for side in (0, 1)]
        if count[self.turn] <= self.SIZE - 5:
            self.winner = mover
        elif count[self.turn] - count[mover] >= 3:
            # Nobody gains pieces by the other's move: the lead stood before it.
            self.winner = self.turn
        elif next(self.steps(), None) is None:
            self.winner = mover

    def over(self):
        return self.winner is not None or self.seen.count(self.seen[-1]) >= 4 if self.seen else False


def referee(game):
    return {
        "dobutsu": lambda: Fairy("dobutsu"),
        "kyotoshogi": lambda: Fairy("kyotoshogi"),
        "quoridor": Quoridor,
        "hasami": Hasami,
    }[game]()

"""Lets OpenSpiel's tree search with random playouts (MCTSBot) play against an engine that speaks the course protocol, for example

    python3 tests/openspiel/mcts.py --games 20 -- \\
        target/release/dobutsu-ga engine --protocol course --game quoridor strong:time=200ms
"""

import argparse
import concurrent.futures
import math
import random
import subprocess
import sys
import time

import quoridor
from quoridor import pyspiel

UCT_C = 2.0
MEMORY_MB = 1000
OPENING_PLIES = 4
SIDES = ["white", "black"]


class EngineError(Exception):
    """The engine does not keep to the protocol."""


class Engine:
    """A process that is told its side, then the position before each of its moves, and answers with a move."""

    def __init__(self, command, side):
        try:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            raise EngineError(f"the engine {command[0]} does not start: {error}") from None
        number = str(side + 1)
        if (answer := self.ask(number)) != number:
            self.end()
            raise EngineError(f"the engine was told its side {number} and answered '{answer}', not the same")

    def ask(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            raise EngineError(f"the engine ended (code {self.process.wait()}) instead of answering '{line}'")
        return answer.strip()

    def move(self, board):
        """The engine's move in our notation."""
        question = position_line(board)
        answer = self.ask(question)
        match answer.split():
            case ["1", file, rank] if {file, rank} <= set("123456789"):
                return square(file, rank)
            case ["2", file, rank, lie] if {file, rank} <= set("12345678") and lie in ("1", "2"):
                return square(file, rank) + "hv"[int(lie) - 1]
        raise EngineError(f"the engine was asked '{question}' and answered '{answer}', not '1 x y' or '2 x y d'")

    def end(self):
        try:
            self.process.communicate("-1\n", timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def square(file, rank):
    return f"{'abcdefghi'[int(file) - 1]}{rank}"


def numbers(text):
    """File and rank, counted from 1."""
    return ["abcdefghi".index(text[0]) + 1, int(text[1])]


def position_line(board):
    """Pawns, walls left, and the walls that stand: across is 1, upright 2."""
    walls = [numbers(wall) + ["hv".index(wall[2]) + 1] for wall in board.walls]
    parts = [*numbers(board.pawns[0]), *numbers(board.pawns[1]), *board.left, len(walls), *sum(walls, [])]
    return " ".join(map(str, parts))


def play(options, number):
    """Game `number`: for the engine 1 if it won, -1 if it lost, 0 for a draw; and a line that says how."""
    # Two games that follow each other begin alike, with sides swapped.
    opening = random.Random(f"{options.seed} {number // 2}")
    side = number % 2
    bot_seed = random.Random(f"{options.seed} {number} bot").randrange(2**31)
    evaluator = pyspiel.RandomRolloutEvaluator(1, bot_seed)
    bot = pyspiel.MCTSBot(
        quoridor.load(), evaluator, UCT_C, options.simulations, MEMORY_MB, False, bot_seed, False
    )
    state, board = quoridor.load().new_initial_state(), quoridor.Board()
    seconds, moves = [0.0, 0.0], [0, 0]
    engine = Engine(options.command, side)
    try:
        while not state.is_terminal():
            legal = dict(quoridor.legal_moves(state))
            turn = state.current_player()
            begin = time.monotonic()
            if state.move_number() < OPENING_PLIES:
                move = opening.choice(sorted(legal))
            elif turn == side:
                move = engine.move(board)
                if move not in legal:
                    raise EngineError(f"the engine played {move} in {board.fen()}, which OpenSpiel does not allow")
            else:
                action = bot.step(state)
                move = next(text for text in legal if legal[text] == action)
            if state.move_number() >= OPENING_PLIES:
                seconds[turn] += time.monotonic() - begin
                moves[turn] += 1
            state.apply_action(legal[move])
            board.play(move)
    finally:
        engine.end()
    result = int(state.returns()[side])
    word = {1: "won", 0: "drew", -1: "lost"}[result]
    pace = [1000 * seconds[turn] / max(moves[turn], 1) for turn in (side, 1 - side)]
    return result, (
        f"game {number + 1}: the engine ({SIDES[side]}) {word} in {state.move_number()} plies; "
        f"ms a move: engine {pace[0]:.0f}, OpenSpiel {pace[1]:.0f}"
    )


def wilson(wins, games):
    """The 95 % interval of a share by Wilson."""
    z = 1.959964
    share = wins / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=positive, default=20, metavar="N", help="how many games; sides are swapped after each [20]")
    parser.add_argument("--simulations", type=positive, default=1000, metavar="N", help="of OpenSpiel before each move [1000]")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of openings and of OpenSpiel [1]")
    parser.add_argument("--jobs", type=positive, default=1, metavar="N", help="how many games at once [1]")
    parser.add_argument("command", nargs="+", metavar="COMMAND", help="the engine, after --")
    options = parser.parse_args()
    # Loaded before other processes start, so that OpenSpiel's warning comes once.
    quoridor.load()
    results = []
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        games = [pool.submit(play, options, number) for number in range(options.games)]
        try:
            for game in games:
                result, line = game.result()
                results.append(result)
                print(line, flush=True)
        except EngineError as error:
            pool.shutdown(cancel_futures=True)
            sys.exit(str(error))
    wins, draws, losses = (results.count(result) for result in (1, 0, -1))
    low, high = wilson(wins, len(results))
    print(
        f"the engine won {wins} of {len(results)} games ({draws} draws, {losses} losses) "
        f"against {options.simulations} simulations: {100 * wins / len(results):.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
    )


if __name__ == "__main__":
    main()

"""Finds the puzzles of the list, day by day, and writes them to its end: a tool for those who make the list longer.

    python -m extras.study.tests.find_puzzles extras/study/puzzles.jsonl --days 1160

The same file gets the same lines on every machine: all effort is counted, and no clock is read. What a killed run has
written stays, and the same command goes on after it. Where Quadrille is installed with its engine compiled, a day takes
2 seconds; in plain Python it takes a minute.
"""

import argparse
import json
import random
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from quadrille.ai.bot import Clock
from quadrille.ai.opponents.kinds import House
from quadrille.extras.study.puzzles import FIRST, PLACES, Puzzle, of_line
from quadrille.rules.chance import Stream
from quadrille.rules.core import Game, Move, State
from quadrille.rules.match import Deal, Match, Played
from quadrille.rules.registry import game
from quadrille.rules.search import Lookahead, Position, Proof, TreeSearch

#: The version of the search: it is part of the seed, so that another version finds other puzzles.
VERSION: Final = 3
#: The games that take turns, with options that give short games. The other options are those of the day of the search.
OPTIONS: Final[dict[str, dict[str, object]]] = {
    "barons": {"width": 5, "height": 6},
    "coin-isolation": {},
    "dollar-draw": {"width": 5, "height": 7},
    "maze": {"size": 7},
}
#: Days of the list.
DAYS: Final = 1160
#: Minimum turns that a search has to look ahead to see the win, and maximum turns to the end.
DEPTH: Final = 5
LONGEST: Final = 40
#: Minimum and maximum moves to choose from.
FEWEST: Final = 3
MOST: Final = 40
#: Maximum positions of the proof of a position of a game, from the last one back, and of that of a move in it.
CHAIN: Final = 3_000
POSITIONS: Final = 10_000
#: Level of the bot that must not find the move.
LEVEL: Final = 2
#: Simulations of each move of the games in which puzzles are looked for; one move in so many is random.
SIMULATIONS: Final = 20
STRAY: Final = 3
#: Maximum positions of the search that must not see the win.
SEEN: Final = 200_000
#: Milliseconds for a move of a bot that counts its work.
HOURS: Final = 1 << 30


def found(played: Game[Any, Any], name: str, known: set[int]) -> Puzzle:
    """Find the puzzle of a name: in a row of games that the name deals, the first one that has a puzzle.

    No position comes twice, whichever way it is turned: `known` has the keys of those that were found.
    """
    number, puzzle = 0, None
    while puzzle is None:
        number += 1
        puzzle = in_game(played, Stream(f"puzzle {VERSION} {played.key} {name}", str(number)), known)
    known.add(alike(puzzle.state))
    return puzzle


def alike(state: State[Any, Any]) -> int:
    return int(Position(state).board.alike())


def in_game(played: Game[Any, Any], stream: Stream, known: set[int]) -> Puzzle | None:
    """Find the deepest puzzle near the end of a game of weak players; None if it has none."""
    match = weak_game(played, stream)
    puzzle: Puzzle | None = None
    proof: Proof | None = None
    for moves in reversed(range(match.length)):
        before = match.before(moves)
        position = Position(before.state)
        if proof is None:
            proof = Proof(position, PLACES)
        proof.stand(position)
        if proof.go_on(CHAIN):
            break
        if alike(before.state) not in known:
            puzzle = posed(proof, before, stream) or puzzle
    return puzzle


def weak_game(played: Game[Any, Any], stream: Stream) -> Match:
    """Play a game of weak players to its end, in which every entry is a move."""
    match = Match(played, OPTIONS[played.key], 2, deal=Deal(str(stream.word())))
    while not match.over:
        state = match.state
        move: Move = state.moves.sample(stream)
        if stream.randrange(STRAY):
            position = Position(state)
            search = TreeSearch(position, stream.randrange(1 << 30))
            search.go_on(SIMULATIONS)
            move = position.move(search.turn())
        match.play(move)
    return match


def posed(proof: Proof, match: Match, stream: Stream) -> Puzzle | None:
    """Pose the puzzle in a position that its mover wins; None if it is none, too easy, or not proven to be one."""
    state, seat = match.state, match.state.board.turn
    choices = state.moves.count(MOST + 1)
    if not FEWEST <= choices <= MOST or (proof.payoff(Position(state), seat, POSITIONS) or 0) <= 0:
        return None
    winning: list[Move] = []
    refuted: dict[str, str] = {}
    for move in state.moves:
        after = state.play(move)
        lead = proof.payoff(Position(after), seat, POSITIONS)
        if lead is None or lead == 0:
            return None
        if lead > 0:
            winning.append(move)
            if len(winning) > 1:
                return None
        else:
            refuted[str(move)] = "" if not after.moves else str(Position(after).move(proof.turn()))
    [solution] = winning
    # where the rival's same move answers all others, the solution only takes the square that the rival threatens
    if set(refuted.values()) == {str(solution)} or is_seen(state):
        return None
    rng = random.Random(stream.word())
    if House(LEVEL).choose(state, Clock(seat, None, 0, HOURS), rng) == solution:
        return None
    line = tuple(map(str, proof.line(Position(state), POSITIONS)))
    puzzle = Puzzle(match, line, refuted)
    return puzzle if len(line) <= LONGEST and puzzle.after(line).over else None


def is_seen(state: State[Any, Any]) -> bool:
    """Return True if a search less than DEPTH turns ahead sees the win."""
    ahead = Lookahead(Position(state), PLACES)
    ahead.go_on(SEEN, DEPTH - 1)
    return ahead.found.certain


def line_of(day: date, puzzle: Puzzle) -> str:
    """Write a puzzle as a line of the list. All options are there, so that no change of a usual one changes it."""
    match = puzzle.match
    told: dict[str, Any] = {"day": day.isoformat(), "game": match.game.key, "options": match.state.options.plain()}
    if match.opening and match.deal:
        told["seed"] = match.deal.seed
    told["moves"] = ",".join(str(entry.move) for entry in match.entries if isinstance(entry, Played))
    told["line"] = ",".join(puzzle.line)
    wrong: dict[str, list[str]] = {}
    for move, answer in puzzle.refuted.items():
        wrong.setdefault(answer, []).append(move)
    told["refuted"] = {answer: ",".join(moves) for answer, moves in wrong.items()}
    return json.dumps(told)


def extend(path: Path, days: int) -> None:
    """Write the lines of these days to the end of a file, from its last whole line on."""
    text = path.read_text("utf-8") if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]  # a killed run may have left a part of a line
    there = [of_line(line) for line in whole.splitlines()]
    if [day for day, _ in there] != [FIRST + timedelta(number) for number in range(len(there))]:
        raise SystemExit(f"{path} is no list of puzzles: its lines should be those of {FIRST} and the days after it")
    known = {alike(one.state) for _, one in there}
    with path.open("w", encoding="utf-8") as file:
        file.write(whole)
        for number in range(len(there), days):
            day = FIRST + timedelta(number)
            played = game([*OPTIONS][day.toordinal() % len(OPTIONS)])
            print(line_of(day, found(played, day.isoformat(), known)), file=file, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Find the puzzles of the list, day by day.")
    parser.add_argument("file", type=Path, help="the list, which is made longer")
    parser.add_argument("--days", type=int, default=DAYS, help="days of the whole list (default %(default)s)")
    settings = parser.parse_args()
    try:
        extend(settings.file, settings.days)
    except KeyboardInterrupt:
        sys.exit(130)

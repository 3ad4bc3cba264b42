"""Dotter rewards a memory: levels 2 to 4 beat a player who looks at nothing (docs/playtests/playtest-dotter.md).

    python -m tests.ai.opponents.test_memory

plays the games of the sample again, best with a compiled engine, and prints it.
"""

import random
from typing import Any, Final

import pytest

from quadrille.ai.bot import Clock
from quadrille.ai.opponents import opponent
from quadrille.rules.games.dotter.moves import SLOT_NAMES
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game

#: So much time that only the count of a level ends its thinking.
AMPLE: Final = 10_000_000
#: By level: which of the first games of one lap it wins; it is player 1 in every other one.
SAMPLE: Final = {2: "1011", 3: "1", 4: "110"}
GAMES: Final = 200


def blind(view: Any) -> Any:
    """Score three cards unseen, one's own first; draw when nothing lies there: eight lines that remember nothing."""
    me = view.turn
    for seat in (me, *(seat for seat in range(view.seats) if seat != me)):
        down = [SLOT_NAMES[slot] for slot in view.board.slots(seat)]
        if len(down) > 2:
            move = view.game.parse(f"score p{seat + 1} {' '.join(down[:3])}", view)
            if view.objection(move) is None:
                return move
    return view.move(view.board.nth(0))


def wins(level: int, number: int) -> bool:
    """Play a game of the sample; return whether the level wins it."""
    match, bot = Match(game("dotter"), {"laps": 1}, 2, deal=Deal(f"memory {number // 2}")), opponent(str(level))
    dice = random.Random(f"{level} {number}")
    while (turn := match.turn) is not None:
        view, clock = match.state.view(turn), Clock(turn, (AMPLE,) * 2, 0, AMPLE)
        match.play(bot.choose(view, clock, dice) if turn == number % 2 else blind(view))
    return match.over is not None and match.over.winners == (number % 2,)


@pytest.mark.slow
@pytest.mark.parametrize(("level", "number"), [(2, 0), (2, 1), (2, 2), (2, 3), (3, 0), (4, 2)])
def test_the_sample_is_what_is_played(level: int, number: int) -> None:
    assert wins(level, number) == (SAMPLE[level][number] == "1")


if __name__ == "__main__":
    for level in (2, 3, 4):
        row = "".join(str(int(wins(level, number))) for number in range(GAMES))
        print(level, row.count("1"), row[:4], flush=True)

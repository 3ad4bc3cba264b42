"""A rogue plays in a league of honest bots, and changes nobody's result but its own: what it does lasts or delays.

tests/ai/bots/test_broken.py has what costs a bot one game, at a table of its own.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from quadrille.ai.tournament.play.playing import GameOutcome
from tests.ai.tournament.programs import FIRST, THREE, finished, program

_WAITS: Final = "time.sleep(3600)"


@dataclass(frozen=True)
class Rogue:
    """What it does when it is to move, at the start and at the end of a game; what its faults say, "" if it has none,
    and None if they depend on the length of a game.
    """

    choose: str = FIRST
    before: str = "pass"
    over: str = "pass"
    says: str | None = ""


ROGUES: Final = {
    "floods stdout": Rogue('[os.write(1, b"x" * 99 + b"\\n") for _ in iter(int, 1)]', says="wrote "),
    "an illegal move": Rogue("'z99-z98'", says="which is not legal"),
    "exits": Rogue("os._exit(3)", says="ended with exit code 3"),
    "an earlier turn": Rogue(f"say({{'turn': 1, 'move': 'a1'}}) or {FIRST}", says=None),
    "writes after its game": Rogue(over='[say({"turn": 1, "move": "a1"}) for _ in range(50)]'),
    "ignores its children": Rogue(
        before="import signal; signal.signal(17, signal.SIG_IGN); [os.fork() or os._exit(0) for _ in range(9)]"
    ),
    "never moves": Rogue(_WAITS, says="did not move within 2 seconds"),
    "floods stderr": Rogue(f'(os.write(2, b"x" * 50_000_000), {_WAITS})', says="bytes to standard error meanwhile"),
}
_TIME: Final = '[time]\nmove = "2s"\n'


def results(outcomes: list[GameOutcome]) -> list[tuple[tuple[int, ...], tuple[int, ...], str]]:
    """Return who sat where, how it ended, and every move of the games among honest bots."""
    games = [one for one in outcomes if 3 not in one.result.seats]
    return sorted((one.result.seats, one.result.places, one.record) for one in games)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[tuple[int, ...], tuple[int, ...], str]]:
    return results(finished(tmp_path_factory.mktemp("alone"), THREE, cycles=1, more=_TIME))


@pytest.mark.first(2)
@pytest.mark.parametrize("kind", ROGUES)
def test_a_rogue_changes_no_result_of_honest_bots(
    tmp_path: Path, kind: str, alone: list[tuple[tuple[int, ...], tuple[int, ...], str]]
) -> None:
    rogue = ROGUES[kind]
    program(tmp_path, "rogue", rogue.choose, before=rogue.before, over=rogue.over)
    outcomes = finished(tmp_path, (*THREE, "rogue"), cycles=1, more=_TIME)
    assert len(alone) == 6 and len(outcomes) == 12 and results(outcomes) == alone
    for one in outcomes:
        for entrant, why in zip(one.result.seats, one.whys, strict=True):
            expected = rogue.says if entrant == 3 else ""
            assert expected is None or (expected in why and bool(expected) == bool(why)), (entrant, why)

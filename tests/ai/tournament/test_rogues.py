"""A rogue plays in a league of honest bots, and changes nobody's result but its own: what it does lasts or delays.

tests/ai/bots/test_broken.py has what costs a bot one game, at a table of its own.
"""

import shutil
from pathlib import Path
from typing import Final

import pytest

from quadrille.ai.tournament.play.playing import GameOutcome
from tests.ai.bots.broken import BROKEN, RUDE, Broken
from tests.ai.tournament.programs import THREE, finished

_ROGUES: Final = ("floods", "illegal", "exits", "other_turn", "hangs", "floods_errors")
_TIME: Final = '[time]\nmove = "2s"\n'


def results(outcomes: list[GameOutcome]) -> list[tuple[tuple[int, ...], tuple[int, ...], str]]:
    """Return who sat where, how it ended, and every move of the games among honest bots."""
    games = [one for one in outcomes if 3 not in one.result.seats]
    return sorted((one.result.seats, one.result.places, one.record) for one in games)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[tuple[int, ...], tuple[int, ...], str]]:
    return results(finished(tmp_path_factory.mktemp("alone"), THREE, cycles=1, more=_TIME))


@pytest.mark.first(2)
@pytest.mark.parametrize("rogue", [*(bot for bot in BROKEN if str(bot) in _ROGUES), *RUDE], ids=str)
def test_a_rogue_changes_no_result_of_honest_bots(
    tmp_path: Path, rogue: Broken, alone: list[tuple[tuple[int, ...], tuple[int, ...], str]]
) -> None:
    shutil.copy(rogue.path, tmp_path / "rogue.py")
    outcomes = finished(tmp_path, (*THREE, "rogue"), cycles=1, more=_TIME)
    assert len(alone) == 6 and len(outcomes) == 12 and results(outcomes) == alone
    says = "did not move within 2 seconds" if rogue.kind == "time" else rogue.says
    for one in outcomes:
        for entrant, why in zip(one.result.seats, one.whys, strict=True):
            expected = says if entrant == 3 and rogue.kind else ""
            assert expected in why and bool(expected) == bool(why), (entrant, why)

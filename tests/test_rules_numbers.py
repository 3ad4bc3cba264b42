"""A number for the rules of each game: a game that raises its own parts its own tables, and nobody else's."""

import json
from dataclasses import replace
from typing import Any

import pytest

from quadrille.ai.data import rules_raised
from quadrille.ai.kit import Part
from quadrille.ai.tournament.plans.plan import Entrant, Plan
from quadrille.ai.tournament.plans.plan_text import differences
from quadrille.ai.tournament.schedules.meetings import RoundRobin
from quadrille.ai.tournament.schedules.schedule import Contest
from quadrille.client.cli import main
from quadrille.net.core.errors import PeerError
from quadrille.net.core.shapes import pack, unpack
from quadrille.net.entries.bodies import MoveBody
from quadrille.net.entries.terms import Terms
from quadrille.net.game_log import archive
from quadrille.net.game_log.log import Log
from quadrille.rules import record
from quadrille.rules.core import RULES_VERSION
from quadrille.rules.errors import BadRecord
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game, games
from tests.ai.inside import Anything
from tests.net.tables import begun, mover, terms

RAISED = "dotter"
OTHERS = [played.key for played in games() if played.key != RAISED]


def plan(key: str) -> Plan:
    entrants = tuple(Entrant(name, bot="random") for name in ("one", "two"))
    return Plan(entrants, (Contest(key),), RoundRobin(1), "a seed")


def played(key: str) -> Match:
    match = Match(game(key), None, deal=Deal("a seed"))
    match.play(next(iter(match.state.moves)))
    return match


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Dotter's rules are raised; what all games wrote before that is given."""
    agreed = {each.key: terms(each.key, takebacks=not each.hidden) for each in games()}
    before: dict[str, Any] = {
        "terms": {key: pack(each.plain()) for key, each in agreed.items()},
        "records": {each.key: record.write(played(each.key)) for each in games()},
        "digests": {each.key: played(each.key).state.digest() for each in games()},
        "logs": {key: archive.write(begun(each)) for key, each in agreed.items()},
        "plans": {each.key: plan(each.key).plain() for each in games()},
    }
    monkeypatch.setattr(type(game(RAISED)), "rules", RULES_VERSION + 1)
    return before


def test_every_game_has_rules_of_the_first_number_as_its_records_say() -> None:
    """Raising one is a decision: this line is changed with it."""
    assert {each.key: each.rules for each in games()} == dict.fromkeys([*OTHERS, RAISED], 1)


def test_terms_of_the_raised_game_alone_are_refused(raised: dict[str, Any]) -> None:
    for key in OTHERS:
        Terms.read(unpack(raised["terms"][key])).check()
    older = Terms.read(unpack(raised["terms"][RAISED]))
    with pytest.raises(PeerError, match=r"Dotter by rules 1, and this program by rules 2: the host's program is older"):
        older.check()
    ours = terms(RAISED, takebacks=False)
    assert ours.rules == 2
    ours.check()


def test_a_program_that_is_behind_says_so_and_what_to_do() -> None:
    ahead = replace(terms("maze"), rules=7)
    with pytest.raises(PeerError, match=r"Maze by rules 7.*by rules 1: this program is older, update it \(git pull"):
        ahead.check()


def test_a_game_that_is_not_known_has_terms_all_the_same() -> None:
    """Terms are values: whether they can be played is asked of `check`."""
    unknown = Terms("chess", (), 2)
    assert unknown.rules == RULES_VERSION
    with pytest.raises(PeerError, match="there is no game"):
        unknown.check()


def test_records_and_digests_of_the_raised_game_alone_change(raised: dict[str, Any]) -> None:
    for key in OTHERS:
        assert record.write(record.read(raised["records"][key])) == raised["records"][key]
        assert played(key).state.digest() == raised["digests"][key]
    with pytest.raises(BadRecord, match=r"rules \"1\" of Dotter, and this program has rules 2"):
        record.read(raised["records"][RAISED])
    assert played(RAISED).state.digest() != raised["digests"][RAISED]
    assert "\nrules 2 #" in record.write(played(RAISED))


def test_archives_and_games_that_go_on_of_other_games_are_as_before(raised: dict[str, Any]) -> None:
    for key in OTHERS:
        log: Log = archive.read(raised["logs"][key])
        log.take(log.write(MoveBody(str(next(iter(log.now.match.state.moves)))), mover(log)))
        assert len(log.entries) == 2
    with pytest.raises(archive.BadArchive, match="Dotter by rules 1"):
        archive.read(raised["logs"][RAISED])


def test_tournaments_of_other_games_go_on(raised: dict[str, Any]) -> None:
    for key in OTHERS:
        assert differences(plan(key).plain(), raised["plans"][key]) == []
    assert differences(plan(RAISED).plain(), raised["plans"][RAISED]) == [
        "the version of the rules is 2 here and 1 there"
    ]


def test_a_tournament_of_several_games_names_the_rules_of_each(raised: dict[str, Any]) -> None:
    one = plan("maze")
    both = replace(one, contests=(*one.contests, *plan(RAISED).contests))
    assert both.plain()["rules"] == {"maze": 1, RAISED: 2}
    told = differences(both.plain(), both.plain() | {"rules": 1})
    assert told == ["the version of the rules is 1 of maze, 2 of dotter here and 1 there"]


def start(key: str, **more: Any) -> bytes:
    said = {"do": "start", "game": key, "options": {}, "seats": 2, "seat": 0, "seed": "", "news": []}
    return json.dumps(said | more).encode()


def test_bots_hear_the_number_only_of_a_game_that_has_raised_it(raised: dict[str, Any]) -> None:
    assert [rules_raised(game(key)) for key in ("maze", RAISED)] == [{}, {"rules": 2}]
    Part(Anything()).answer(start(RAISED, rules=2))
    with pytest.raises(SystemExit, match="Dotter by rules 1, and this kit by rules 2"):
        Part(Anything()).answer(start(RAISED))
    with pytest.raises(SystemExit, match="Maze by rules 3, and this kit by rules 1"):
        Part(Anything()).answer(start("maze", rules=3))


def test_the_list_of_games_tells_the_numbers(raised: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--json"]) == 0
    told = {each["key"]: each["rules"] for each in json.loads(capsys.readouterr().out)}
    assert told == dict.fromkeys(OTHERS, 1) | {RAISED: 2}

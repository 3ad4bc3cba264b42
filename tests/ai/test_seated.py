"""Bots in the seats of a log that one peer holds, beside a person at the same keyboard, and of a peer of two seats."""

import json
from typing import Any

import pytest

from quadrille.ai.bots import talk as talk_module
from quadrille.ai.bots.lines.dialogue import Chosen
from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.seated import BEAT, SeatedBot
from quadrille.net.entries.motions import PauseMotion, TakebackMotion
from quadrille.net.entries.table_store import MemoryShelf
from quadrille.net.entries.terms import Chair, Terms, TimeControl
from quadrille.net.seating.own_table import own_table
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from tests.ai.guests import SMALL
from tests.ai.inside import Anything, talk
from tests.net.tables import terms

OWN = Identity(bytes(32))


class Home:
    """A person's own table: they have the first seat, and a bot each of the others."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, agreed: Terms, *programs: Talk | BotFault) -> None:
        self.now = 0
        monkeypatch.setattr(talk_module, "now", lambda: self.now)
        entropy, names = Stream("home", "entropy"), ["Ann", "x", "y", "z"][: agreed.seats]
        chairs = tuple(
            Chair(OWN.key, name, "bot" if at else "person", "Ann" * (at > 0)) for at, name in enumerate(names)
        )
        self.table = own_table(OWN, MemoryShelf(), agreed, chairs, 0, lambda size: entropy.word().to_bytes(size, "big"))
        self.programs = programs or tuple(talk() for _ in names[1:])
        self.bots = [SeatedBot(self.table, at, one, None, forfeits=False) for at, one in enumerate(self.programs, 1)]

    def act(self, wait: int = 0) -> list[Any]:
        self.now += wait
        return [event for bot in self.bots for event in bot.act(self.now) if not hasattr(event, "omit")]

    def play(self, at: int = 0) -> None:
        self.table.play(str([*self.table.view.moves][at]), self.now)

    def told(self, seat: int) -> list[dict[str, Any]]:
        program: Any = self.programs[seat - 1]
        return [json.loads(line) for line in program.program.told]

    @property
    def plies(self) -> int:
        return self.table.log.now.match.ply


BARONS = terms("barons", 3, SMALL, lot=False)


def test_bots_answer_a_person_at_once_and_each_other_after_a_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(monkeypatch, BARONS)
    home.act()
    home.play()
    assert any(isinstance(event, Chosen) for event in home.act()) and home.plies == 2
    home.act()
    assert home.plies == 2 and home.bots[1].deadline == BEAT
    home.act(BEAT - 1)
    assert home.plies == 2
    home.act(1)
    assert home.plies == 3 and home.table.log.now.turn == 0


def test_with_a_clock_bots_wait_for_no_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(monkeypatch, terms("barons", 3, SMALL, lot=False, clock=TimeControl(60_000, 0)))
    home.act()
    home.play()
    home.act()
    home.act()
    assert home.plies == 3
    assert [line["clock"]["left"] for line in home.told(2) if line["do"] == "turn"] == [[60_000] * 3]


def test_a_bot_rests_at_home_while_the_game_is_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(monkeypatch, BARONS)
    home.act()
    home.play()
    home.table.agree(PauseMotion(), home.now)
    home.act()
    assert home.plies == 1 and "turn" not in [line["do"] for line in home.told(1)]


@pytest.mark.parametrize(("kind", "loses"), [("crash", False), ("illegal", False), ("time", True)])
def test_a_fault_at_home_waits_for_the_person_unless_the_time_is_up(
    monkeypatch: pytest.MonkeyPatch, kind: str, loses: bool
) -> None:
    """Another bot can take the seat and play on."""
    clock = TimeControl(60_000, 0) if loses else None
    home = Home(monkeypatch, terms("barons", 3, SMALL, lot=False, clock=clock), BotFault(kind, "failed"), talk())
    assert any(isinstance(event, BotFault) for event in home.act())
    home.play()
    home.act()
    assert (1 in home.table.log.now.seats_in()) is not loses
    if not loses:
        home.bots[0] = SeatedBot(home.table, 1, talk(), None, forfeits=False)
        home.act()
        assert home.plies == 2


def test_moves_are_taken_back_while_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answer to a position that is gone means nothing; it hears the end like everybody."""
    home = Home(monkeypatch, BARONS)
    home.act()
    home.play()
    home.act()
    home.act()
    home.table.agree(TakebackMotion(2), home.now)
    home.act(BEAT)
    assert home.plies == 0 and home.table.log.now.turn == 0
    while not home.table.over:
        home.play(-1)
        home.act(BEAT)
        home.act(BEAT)
    home.act()
    for seat in (1, 2):
        assert [line["do"] for line in home.told(seat)].count("over") == 1
    assert [item["undone"] for line in home.told(1) for item in line.get("news", ()) if "undone" in item] == [1]


def test_a_bot_at_home_is_told_no_card_that_another_seat_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The peer has dealt all of them, and the log does not hide them from its program."""

    class Peeks(Anything):
        def choose(self, view: Any, clock: Any, rng: Any) -> str:
            return next((text for text in map(str, view.moves) if text.startswith("peek")), str(next(iter(view.moves))))

    home = Home(monkeypatch, terms("dotter", 2, {"laps": 1}, lot=False, takebacks=False), talk(Peeks()))
    for _ in range(6):
        home.act(BEAT)
        if home.table.log.now.turn == 0:
            peeks = [text for text in map(str, home.table.view.moves) if text.startswith("peek")]
            home.table.play((peeks or [str(next(iter(home.table.view.moves)))])[0], home.now)
    home.act(BEAT)
    news = [item for line in home.told(1) for item in line.get("news", ()) if item.get("move", "").startswith("peek")]
    faces = {seat: {face for item in news if item["seat"] == seat for face in item["faces"]} for seat in (0, 1)}
    assert faces[0] == {"?"} and faces[1] and "?" not in faces[1]

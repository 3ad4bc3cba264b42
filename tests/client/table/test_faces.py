"""The same words at the same tables in every face: the same are known, one sentence refuses them, one table is reached.

A face may ask for a yes first, and lays out what it says; what is decided is the table's.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import pytest

from quadrille.client.bots.opponents import Opponents
from quadrille.client.reports import is_move
from quadrille.client.screen.table import local
from quadrille.client.screen.table.model import Question
from quadrille.client.settings import Settings
from quadrille.client.table.course import grant
from quadrille.client.table.local import LocalTable
from quadrille.client.table.notices import Notice, Refused
from quadrille.client.table.wishes import (
    Begin,
    Faulted,
    Hint,
    PlayMove,
    ProposeMotion,
    ResignSeat,
    Slow,
    TimeIs,
    Uncover,
    Wish,
)
from quadrille.client.words.commands import Place, by_any_word
from quadrille.client.words.story import sentence
from quadrille.client.words.table import by_seat
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.keyboards import Typist, plain_table
from tests.client.screen.keyboard import pasted, press
from tests.client.screen.positions import begin_model, match_of

#: No program is started: what bots answer is written down with the situations.
BOT: Final = "/nowhere/bot.py"


def at(*wishes: Wish, bots: tuple[str, ...] = ("", ""), key: str = "barons", clock: bool = False) -> LocalTable:
    match = Match(game(key), None, len(bots), deal=Deal("s"))
    table = LocalTable.of(match, bots, TimeControl(60_000, 5000) if clock else None)
    for wish in (Begin(), *wishes):
        table = grant(table, wish).table
    return table


def answered(table: LocalTable, answer: Callable[[int], Wish]) -> LocalTable:
    return grant(table, answer(table.ticket)).table


THREE: Final = ("", BOT, BOT)
THINKS: Final = at(PlayMove("a1"), bots=THREE)
SITUATIONS: Final = {
    "two people at the start": at(),
    "two people later": at(PlayMove("a1"), PlayMove("b2"), PlayMove("c3")),
    "a person against bots at the start": at(bots=THREE),
    "a bot thinks": THINKS,
    "a bot has thought for long": answered(THINKS, lambda ticket: Slow(ticket, 15)),
    "a bot has failed": answered(THINKS, lambda ticket: Faulted(ticket, "ended", bot="bot")),
    "a hint is awaited": at(Hint("2"), bots=THREE),
    "a draw is offered": at(ProposeMotion("draw"), bots=THREE),
    "the game is over": at(PlayMove("a1"), ResignSeat()),
    "the only person has left": at(ResignSeat(), bots=THREE),
    "clocks run": at(TimeIs(0), PlayMove("a1"), TimeIs(9000), clock=True),
    "a person's hand is hidden": at(PlayMove("draw"), Uncover(), Uncover(), key="dotter"),
    "a pass was forced": grant(LocalTable.of(match_of("coin-isolation", 2, 17, seed="d"), ("", "")), Begin()).table,
}
#: Words that are wishes at a local table. A face asks for the name of a file by itself.
WORDS: Final = {
    word: command for word, command in by_any_word(Place.LINES).items() if command.wish and command.takes != "FILE"
}
TYPED: Final = (
    *WORDS, "takeback 2", "takeback 9", "takeback x", "takeback 0", "undo 1", "stand-in greedy", "stand-in greedy,2",
    "stand-in nobody", "against greedy", "against people", "against greedy,greedy", "against 1,2,3,4", "against nobody",
)  # fmt: skip


@dataclass(frozen=True)
class Reached:
    """The table after a line, and why it was refused, if it was."""

    table: LocalTable
    refused: str = ""
    ends: bool = False


def pure(table: LocalTable, line: str) -> Reached:
    """The table itself; a line that the game reads as a move is one."""
    word, _, rest = line.partition(" ")
    wish = PlayMove(line) if is_move(table.match, line) else WORDS[word].wished(rest, Settings().hints)
    if isinstance(wish, Refused):
        return Reached(table, str(wish.why))
    assert wish is not None
    after, effects, notices = grant(table, wish)
    why = [by_seat(notice, table.seats) for notice in notices if isinstance(notice, Refused)]
    return Reached(after, why[0] if why else "", any(type(effect).__name__ == "Quit" for effect in effects))


class Silent(Opponents):
    """Bots that are asked for nothing, because the situations say what they answer."""

    def perform(self, effect: object) -> None:
        """Nothing."""


def plain(table: LocalTable, line: str) -> Reached:
    face = plain_table(table.match, Typist(lambda _: None), now=lambda: 9000)
    face.seat.table, face._bots = table, Silent(face._answers.append, face._came.set)
    told: list[Notice] = []
    face.sentence = lambda notice, _: told.append(notice) or ""
    try:
        face.obey(line)
    except RulesError as error:
        return Reached(face.table, str(error), face.done)
    face.tell()
    why = [by_seat(one, table.seats) for one in told if isinstance(one, Refused)]
    return Reached(face.table, why[0] if why else "", face.done and not face.table.paused)


def screen(table: LocalTable, line: str) -> Reached:
    """The full screen; a question is answered by yes, but for the one that asks about leaving."""
    model = begin_model(table.match, table.bots)
    model = replace(local.at_own(model, table), notice="", now=9000)
    after, effects = pasted(model, line)
    if isinstance(after.overlay, Question) and after.overlay.line != "quit!":
        after, effects = press(after, "enter")
    assert after.own is not None
    return Reached(
        after.own, after.notice if after.alarm else "", any(type(effect).__name__ == "Quit" for effect in effects)
    )  # fmt: skip


def plainly(reached: Reached) -> Reached:
    """Without what a face may do otherwise: the stop behind a refusal, and when it looks at its clock."""
    timed = replace(reached.table, clocks=None)
    return replace(reached, table=timed, refused=sentence(reached.refused) if reached.refused else "")


def same(one: LocalTable, other: LocalTable) -> bool:
    entries = one.match.entries == other.match.entries and one.match.deal == other.match.deal
    return entries and replace(one, match=other.match) == other


@pytest.mark.parametrize("face", [plain, screen])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_face_reaches_the_same_table_or_refuses_with_the_same_sentence(
    situation: str, face: Callable[[LocalTable, str], Reached]
) -> None:
    table = SITUATIONS[situation]
    moves = [str(next(iter(table.match.state.moves)))] if table.awaits_person else []
    for line in (*TYPED, *moves):
        expected, found = plainly(pure(table, line)), plainly(face(table, line))
        assert found.refused == expected.refused, line
        assert found.ends == expected.ends, line
        assert same(found.table, expected.table), line

"""The same words at the same tables in every face: the same are known, one sentence refuses them, one table is reached.

A face may ask for a yes first, and lays out what it says; what is decided is the table's.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest

from quadrille.client.bots.opponents import Opponents
from quadrille.client.reports import is_move
from quadrille.client.screen.table.model import Question
from quadrille.client.settings import Settings
from quadrille.client.table.effects import Quit
from quadrille.client.table.notices import Notice, Refused
from quadrille.client.table.wishes import (
    Begin,
    Faulted,
    Hint,
    PlayMove,
    ProposeMotion,
    ResignSeat,
    Slow,
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
from tests.client.screen.keyboard import pasted, press, shown_at, sitting_behind
from tests.client.screen.positions import match_of
from tests.client.sittings import Sitting, values

#: No program is started: what bots answer is written down with the situations.
BOT: Final = "/nowhere/bot.py"


def at(*wishes: Wish | int, bots: tuple[str, ...] = ("", ""), key: str = "barons", clock: bool = False) -> Sitting:
    match = Match(game(key), None, len(bots), deal=Deal("s"))
    return Sitting.of(match, bots, TimeControl(60_000, 5000) if clock else None).after(Begin(), *wishes)


def answered(sitting: Sitting, answer: Callable[[int], Wish]) -> Sitting:
    return sitting.after(answer(sitting.ticket))


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
    "clocks run": at(0, PlayMove("a1"), 9000, clock=True),
    "a person's hand is hidden": at(PlayMove("draw"), Uncover(), Uncover(), key="dotter"),
    "a pass was forced": Sitting.of(match_of("coin-isolation", 2, 17, seed="d"), ("", "")).begun(),
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

    values: tuple[Any, ...]
    refused: str = ""
    ends: bool = False


def pure(sitting: Sitting, line: str) -> Reached:
    """The table itself; a line that the game reads as a move is one."""
    word, _, rest = line.partition(" ")
    wish = PlayMove(line) if is_move(sitting.match, line) else WORDS[word].wished(rest, Settings().hints)
    if isinstance(wish, Refused):
        return Reached(sitting.values, str(wish.why))
    assert wish is not None
    after = sitting.after(wish)
    why = [by_seat(notice, sitting.seats) for notice in after.said if isinstance(notice, Refused)]
    return Reached(after.values, why[0] if why else "", any(isinstance(effect, Quit) for effect in after.effects))


class Silent(Opponents):
    """Bots that are asked for nothing, because the situations say what they answer."""

    def perform(self, effect: object) -> None:
        """Nothing."""


def plain(sitting: Sitting, line: str) -> Reached:
    face = plain_table(sitting.match, Typist(lambda _: None))
    seat = face.seat = sitting.apart()
    seat._perform = face._perform
    face._bots = Silent(face._answers.append, face._came.set)
    told: list[Notice] = []
    face.sentence = lambda notice, _: told.append(notice) or ""
    try:
        face.obey(line)
    except RulesError as error:
        return Reached(values(seat), str(error), face.done)
    face.tell()
    why = [by_seat(one, seat.seats) for one in told if isinstance(one, Refused)]
    return Reached(values(seat), why[0] if why else "", face.done and not seat.held.paused)


def screen(sitting: Sitting, line: str) -> Reached:
    """The full screen; a question is answered by yes, but for the one that asks about leaving."""
    after, effects = pasted(shown_at(sitting), line)
    if isinstance(after.overlay, Question) and after.overlay.line != "quit!":
        after, effects = press(after, "enter")
    ends = any(isinstance(effect, Quit) for effect in effects)
    return Reached(sitting_behind(after).values, after.notice if after.alarm else "", ends)


def plainly(reached: Reached) -> Reached:
    """Without the stop behind a refusal."""
    return replace(reached, refused=sentence(reached.refused) if reached.refused else "")


@pytest.mark.parametrize("face", [plain, screen])
@pytest.mark.parametrize("situation", SITUATIONS)
def test_every_face_reaches_the_same_table_or_refuses_with_the_same_sentence(
    situation: str, face: Callable[[Sitting, str], Reached]
) -> None:
    sitting = SITUATIONS[situation]
    moves = [str(next(iter(sitting.match.state.moves)))] if sitting.awaits_person else []
    for line in (*TYPED, *moves):
        assert plainly(face(sitting, line)) == plainly(pure(sitting, line)), line

"""Sentences for events of a local table: by seat numbers for lines, by letters and names for a screen.

Sentences for notices are here only. Faces choose the voice, and may leave some unsaid.
"""

import shlex
from collections.abc import Sequence
from typing import Final

from quadrille.ai.house import is_of_house
from quadrille.client.bots.names import called, kind_of
from quadrille.client.reports import entry_text, player
from quadrille.client.table import notices
from quadrille.client.table.local import LocalTable
from quadrille.client.words.commands import Place, help_text
from quadrille.client.words.reasons import reason_text
from quadrille.client.words.story import YOU, few, gone, sentence
from quadrille.rules.errors import RulesError
from quadrille.rules.match import WAYS_OUT

#: Why a wish is refused, in every face.
REFUSALS: Final = {
    notices.Why.NONE_TO_TAKE_BACK: "no move of yours has been made yet",
    notices.Why.TOO_FEW_TO_TAKE_BACK: "you have not made that many moves",
    notices.Why.PAUSED: "the game is paused: type pause (F8) to continue",
    notices.Why.BOTS_TURN: "it is the bot's turn: wait, stand-in BOT, undo or quit",
    notices.Why.OUT: "you are out of this game, and the bots play on: rematch begins a new game, quit leaves",
    notices.Why.NO_SEAT: "you have no seat here",
    notices.Why.NOTHING_RUNS: "no clock runs here: take as long as you like",
    notices.Why.NO_BOT_TO_MOVE: "no bot is to move here",
    notices.Why.NOT_OVER: "a rematch follows the end of a game: resign first",
    notices.Why.NO_DEAL: "this saved game does not say how its cards were dealt: start a new one with quadrille play",
    notices.Why.NO_HINT_NOW: "you can ask for a hint when it is your turn",
    notices.Why.NO_HINTS: "this table plays without hints: its host did not allow them (--hints)",
    notices.Why.NOBODY_HEARS: "nobody else is at this table",
    notices.Why.UNKNOWN_PROPOSAL: "you can't propose this here",
}
#: The choices about a bot that does not move: a line of a screen, and a list.
BOT_CHOICES: Final = "Choose: wait, stand-in 2 (another bot) or quit."
LISTED_BOT_CHOICES: Final = help_text(Place.BOT_STUCK)


def refusal(refused: notices.Refused) -> str:
    """Why a wish is refused, without a full stop."""
    return REFUSALS[refused.why] if isinstance(refused.why, notices.Why) else str(refused.why)


def seat_names(table: LocalTable) -> list[str]:
    """The names of all seats' holders, beside the letters of their seats."""
    alone = len(table.people) == 1
    return [
        YOU if alone and not bot else name or f"player {seat + 1}"
        for seat, (name, bot) in enumerate(zip(table.names, table.bots, strict=True))
    ]


def player_and_name(table: LocalTable, seat: int) -> str:
    """`player 2 (Ben)`."""
    return player(seat, table.names)


def who_plays(table: LocalTable) -> str:
    """The bots at a table with their kinds: `Player 2 is Ben (level 3).`; "" for none."""
    kinds = [f" ({kind})" if (kind := kind_of(bot)) else "" for bot in table.bots]
    rows = zip(table.names, table.bots, kinds, strict=True)
    told = [f"player {seat + 1} is {name}{kind}" for seat, (name, bot, kind) in enumerate(rows) if bot]
    return sentence(few(told)) if told else ""


def by_seat(notice: notices.Notice, table: LocalTable) -> str:
    """A line for an event of the table, which is as it was right after; "" for none."""
    match notice:
        case notices.Refused():
            return refusal(notice)
        case notices.MoveMade(number, _, forced):
            return entry_text(table.match, number, table.viewer, table.names) + (
                ", there is no other move" if forced else ""
            )
        case notices.SeatLeft(seat, how):
            return f"{player_and_name(table, seat)} {WAYS_OUT[how]}."
        case notices.DrawDeclined(seat):
            return f"{player_and_name(table, seat)} declines the draw."
        case notices.BotStopped(seat, why):
            said = f"made an illegal move: {why}" if isinstance(why, RulesError) else why
            return f"{player_and_name(table, seat)} {said}{_more(table.bots[seat])}. What now?\n{LISTED_BOT_CHOICES}"
        case notices.BotSlow(seat, seconds):
            who = player_and_name(table, seat)
            return f"{who} has been thinking for {seconds:g} seconds. What now?\n{LISTED_BOT_CHOICES}"
        case notices.GameKept(path):
            return f"Saved to {path}."
        case notices.WouldBeLost():
            return "This game has not been saved: save FILE saves it, quit once more leaves it."
        case notices.StoodIn() | notices.GameLoaded():
            return ""
    return by_name(notice, seat_names(table))


def _more(bot: str) -> str:
    """How the author of a bot finds out more; "" for a built-in bot."""
    return "" if not bot or is_of_house(bot) else f" (quadrille bot check {shlex.quote(bot)} finds out more)"


def by_name(notice: notices.Notice, names: Sequence[str] = ()) -> str:
    """A sentence for an event, by the names of all seats; "" if the screen shows it."""
    match notice:
        case notices.Refused():
            return refusal(notice)
        case notices.MoveMade(_, seat, forced=True):
            return sentence(f"{names[seat]} {'pass' if names[seat] == YOU else 'passes'}: there is no other move")
        case notices.SeatLeft(seat, "time"):
            return sentence(gone(names[seat], "time"))
        case notices.TakenBack(moves):
            return f"Taken back: {', '.join(moves) or 'the end'}."
        case notices.DrawOffered():
            return "A draw is offered."
        case notices.DrawDeclined(seat):
            return f"{names[seat]} declines the draw."
        case notices.BotStopped(seat, why):
            said = f"made an illegal move: {why}" if isinstance(why, RulesError) else why
            return f"{BOT_CHOICES} {names[seat]} {said}."
        case notices.BotSlow(seat, seconds):
            return f"{names[seat]} has been thinking for {int(seconds)} s. {BOT_CHOICES}"
        case notices.StoodIn(seat, bot):
            return f"{called(bot)} plays on as {names[seat]}."
        case notices.SeatsTaken(others):
            names, verb = ", ".join(map(called, others)), "has" if len(others) == 1 else "have"
            return f"{names} {verb} the other seats." if others else "People have all the seats."
        case notices.Rotated():
            return "Rematch: everybody moves up one seat."
    return _about_file(notice) or _about_hint(notice, names)


def _about_file(notice: notices.Notice) -> str:
    match notice:
        case notices.GameKept(path):
            return f"Saved to {path}."
        case notices.NotKept(why):
            return f"This game isn't kept: save it elsewhere with save FILE. {sentence(why)}"
        case notices.GameLoaded(name):
            return f"This is {name}."
        case notices.WouldBeLost():
            return "This game has not been saved (F7 saves it). Leave it?"
    return ""


def _about_hint(notice: notices.Notice, names: Sequence[str]) -> str:
    match notice:
        case notices.HintAsked(bot):
            return f"{called(bot)} looks for a hint."
        case notices.HintGiven(bot, move, reason):
            why = reason_text(reason, names) if reason is not None else ""
            return f"{called(bot)} would play {move}: {why}." if why else f"{called(bot)} would play {move}."
        case notices.HintMissed(why, name):
            return f"{f'{name} {why}'.strip()}."
    return ""

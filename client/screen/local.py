"""A table that is this program's alone: what is wished there is done at once, by the match; bots are asked for moves.

Pure, as all of `update` is: bots are asked by effects. Whose hidden hand is shown at a keyboard is decided here.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from quadrille.client.bot_names import called, told_apart
from quadrille.client.clocks import Clocks
from quadrille.client.reports import seen
from quadrille.client.screen.cards_view import face
from quadrille.client.screen.model import (
    Against,
    Answered,
    Chair,
    Cover,
    Effect,
    Effects,
    Entitle,
    Line,
    Model,
    Moved,
    Offer,
    Play,
    Propose,
    Quit,
    Rematch,
    Replay,
    Resign,
    Ring,
    Say,
    Settled,
    Slow,
    Table,
    Takeback,
    Think,
    Wake,
    Wish,
)
from quadrille.client.seating import named_bots, seated
from quadrille.client.table.local import forced
from quadrille.net.terms import Clock
from quadrille.rules.core import WHOLE, Viewer
from quadrille.rules.errors import RulesError
from quadrille.rules.match import WAYS_OUT, Deal, Match, Played
from quadrille.rules.plain_text import letter

YOU: Final = "you"
#: What can be done about a bot that does not move.
CHOICES: Final = "Type wait, stand-in 2 (another bot) or quit."
_SECOND: Final = 1000


def table_of(match: Match, bots: Sequence[str], clock: Clock | None = None) -> Table:
    """A local table: `bots` has, for each seat, the bot that plays there, "" for a person."""
    people = [seat for seat, bot in enumerate(bots) if not bot]
    person = [YOU if len(people) == 1 else f"player {seat + 1}" for seat in range(len(bots))]
    names = [bot or person[seat] for seat, bot in enumerate(told_apart(bots))]
    chairs = tuple(Chair(name, bot) for name, bot in zip(names, bots, strict=True))
    timer = Clocks.full(clock, len(chairs)) if clock else None
    table = Table(match, chairs, tuple(people), None, timer=timer)
    if match.game.hidden and len(people) > 1 and match.entries:
        return table  # somebody's cards: shown when it is known who looks
    return replace(table, viewer=_eyes(table, table.turn))


def record_of(match: Match, names: Sequence[str], viewer: Viewer) -> Table:
    """A game of before, to be looked at through those eyes; `names` may be unknown."""
    chairs = tuple(Chair(names[seat] if names else f"player {seat + 1}") for seat in range(match.state.seats))
    return Table(match, chairs, (), viewer)


def _eyes(table: Table, seat: int | None) -> Viewer:
    """Through whose eyes the table is shown: the only person's, or that seat's if a person has it; all in the end."""
    people = table.people
    if table.match.viewer != WHOLE or table.match.over:
        return table.match.viewer
    if len(people) == 1:
        return people[0]
    if seat in people:
        return seat
    return table.viewer if table.viewer in people else None


def grant(model: Model, wish: Wish) -> tuple[Model, Effects]:
    """Do what is wished; what is refused is said."""
    try:
        match wish:
            case Play(text):
                return _play(model, text)
            case Takeback(moves):
                return _changed(model, _taken_back(model.table, moves))
            case Propose("draw"):
                return _propose_draw(model)
            case Propose("pause"):
                return _pause(model)
            case Propose("wait"):
                return _wait(model)
            case Propose("stand-in", text):
                return _stand_in(model, text)
            case Resign():
                match_after = model.table.match.copy()
                match_after.leave(_own_seat(model.table))
                return _changed(model, match_after)
            case Rematch():
                return _rematch(model)
            case Against(bots):
                return _against(model, bots)
            case Say():
                raise RulesError("nobody else is at this table to hear it")
        raise RulesError("this can't be proposed here")
    except RulesError as error:
        return replace(model, notice=str(error), alarm=True), ()


def begun(model: Model) -> tuple[Model, Effects]:
    """The screen is there."""
    return _proceed(model, quiet=True)


def bot_moved(model: Model, event: Moved) -> tuple[Model, Effects]:
    """A bot has chosen; what it chose in a position that is no more is forgotten."""
    turn = model.table.turn
    if event.ticket != model.ticket or turn is None or model.table.paused:
        return model, ()
    try:
        return _play(model, event.move)
    except RulesError as error:
        return faulted(model, f"{model.table.called(turn)} plays what is not legal: {error}"), ()


def faulted(model: Model, why: str) -> Model:
    """A bot whose move it is makes none any more: what can be done stands there until something is."""
    table = replace(model.table, banner=f"{CHOICES} {why}.")
    return replace(model, table=table, notice="", thinking=False)


def slow(model: Model, event: Slow) -> Model:
    """The same of one that only thinks very long; it may still move."""
    turn = model.table.turn
    if event.ticket != model.ticket or turn is None or not model.thinking:
        return model
    text = f"{model.table.called(turn)} has been thinking for {event.seconds} s. {CHOICES}"
    return replace(model, table=replace(model.table, banner=text), notice="")


def answered(model: Model, event: Answered) -> tuple[Model, Effects]:
    """A bot has answered to the offer of a draw."""
    if event.ticket != model.ticket or event.seat not in model.offered:
        return model, ()
    if not event.agrees:
        who = model.table.called(event.seat)
        return replace(model, offered=(), notice=f"{who} plays on: no draw.", alarm=False), ()
    left = tuple(seat for seat in model.offered if seat != event.seat)
    if left:
        return replace(model, offered=left), ()
    match = model.table.match.copy()
    match.agree()
    return _changed(model, match)


def dealt(model: Model, match: Match, bots: Sequence[str], notice: str = "") -> tuple[Model, Effects]:
    """Another game, or other players; for another game the clocks are full again."""
    timer = model.table.timer
    table = table_of(match, bots, timer.terms if timer else None)
    if match is model.table.match:
        table = replace(table, timer=timer)
    fresh = replace(
        model, table=table, ticket=model.ticket + 1, line=Line(), cursor="", picked="", overlay=None,
        replay=None, notice=notice, alarm=False, offered=(), thinking=False, hinting=False,
    )  # fmt: skip
    after, effects = _proceed(fresh, quiet=True)
    return after, (Settled(match), *effects)


def played_on(model: Model, at: int) -> tuple[Model, Effects]:
    """The game goes on from an earlier position; one of a record against the bot for hints, and the record stays."""
    match = model.table.match.before(at)
    if not model.table.is_record:
        return _changed(model, match)
    turn = replace(model.table, match=match).turn or 0
    bots = ["" if seat == turn else model.bot for seat in range(match.state.seats)]
    others = f"{called(model.bot)} has the other {'seats' if bots[2:] else 'seat'}"
    notice = f"You are {letter(turn)}, {others}. against BOT, or against people, changes that."
    return dealt(replace(model, file="", kept=()), match, bots, notice)


# Time


def timed(model: Model) -> tuple[Model, Effects]:
    """It is `model.now` at a table with clocks: whose time is up is out, and whose turn it is, that one's time runs."""
    table, now = model.table, model.now
    timer = table.timer
    if timer is None:
        return model, ()
    turn = None if table.paused or isinstance(model.overlay, Cover) else table.turn
    if turn is not None and timer.seat == turn and not timer.at(turn, now):
        return out_of_time(model, turn)
    if timer.seat != turn:
        timer = timer.runs(turn, now)
        model = replace(model, table=replace(table, timer=timer))
    return model, () if turn is None else (Wake(min(_SECOND, timer.at(turn, now) + 1)),)


def out_of_time(model: Model, seat: int) -> tuple[Model, Effects]:
    """A seat has lost on time."""
    match = model.table.match.copy()
    match.leave(seat, "time")
    return _changed(model, match, f"{letter(seat)} {model.table.called(seat)} {WAYS_OUT['time']}.")


def look_at_clock(table: Table) -> Effects:
    """To be asked for after whatever may have changed whose time runs: the time it is."""
    return (Wake(0),) if table.timer else ()


# What a wish does


def _play(model: Model, text: str) -> tuple[Model, Effects]:
    match = model.table.match.copy()
    turn, timer = model.table.turn, model.table.timer
    match.play(text)
    if timer is not None and turn is not None:
        model = replace(model, table=replace(model.table, timer=timer.moved(turn)))
    notice = ""
    if turn in model.table.people and isinstance(match.entries[-1], Played):
        own, public = (seen(match, len(match.entries) - 1, who) for who in (turn, None))
        cards = " ".join(face(str(drawn)) for drawn in own)
        notice = f"{'Turned up' if public else 'You see'}: {cards}." if cards else ""
    return _changed(model, match, notice)


def _changed(model: Model, match: Match, notice: str = "") -> tuple[Model, Effects]:
    """The table with another position."""
    mine = model.table.is_mine
    after = replace(
        model, table=replace(model.table, match=match, banner=""), ticket=model.ticket + 1, picked="", replay=None,
        notice=notice, alarm=False, offered=(), thinking=False, hinting=False,
        line=Line() if mine else model.line,
    )  # fmt: skip
    return _proceed(after, quiet=mine)


def _proceed(model: Model, *, quiet: bool) -> tuple[Model, Effects]:
    """Whose turn it is now, and what follows: a forced pass, a bot to be asked, a person to be called."""
    table, effects = model.table, list[Effect]()
    while table.turn is not None and forced(table.match.state) and not table.paused:
        who, match = letter(table.turn), table.match.copy()
        match.play(next(iter(match.state.moves)))
        table = replace(table, match=match)
        told = f"{model.notice} {who} passes: there is no other move.".strip()
        model = replace(model, table=table, ticket=model.ticket + 1, notice=told)
    turn, before = table.turn, table.viewer
    model = replace(model, table=replace(table, viewer=_eyes(table, turn)))
    if turn is None:
        effects.append(Settled(table.match))
    elif table.chairs[turn].bot:
        if not table.paused:
            effects.append(Think(model.ticket, turn, table.chairs[turn].bot, table.match, table.timer))
            model = replace(model, thinking=True)
    elif table.match.game.hidden and len(table.people) > 1 and before != turn:
        since = before if isinstance(before, int) else None
        model = replace(model, table=replace(table, viewer=before), overlay=Cover(turn, since))
    if not quiet and (turn is None or turn in table.people):
        effects.append(Ring())
    return model, (*effects, *look_at_clock(table), Entitle(title(model)))


def uncovered(model: Model, cover: Cover) -> tuple[Model, Effects]:
    """One step of handing the keyboard over: the hand is hidden, then the next one is shown."""
    if cover.since is not None:
        return replace(model, overlay=Cover(cover.seat), notice=""), ()
    return replace(model, overlay=None, table=replace(model.table, viewer=cover.seat)), look_at_clock(model.table)


def title(model: Model) -> str:
    """What the window is called."""
    name = model.table.match.game.title
    if model.table.turn is None:
        return f"{name}: over"
    return f"* your turn: {name}" if model.table.is_mine else name


def _own_seat(table: Table) -> int:
    """The seat that somebody at this keyboard acts for: the one whose turn it is, or the only one."""
    if table.turn in table.people:
        return table.turn or 0
    people = [seat for seat in table.people if not table.match.state.board.left[seat]]
    if not people:
        raise RulesError("you have no seat here")
    return people[0]


def _taken_back(table: Table, wanted: int) -> Match:
    """The match where a person had to choose; moves of bots and forced passes go with it."""
    match, number = table.match, len(table.match.entries)
    while wanted and number:
        number -= 1
        earlier = match.before(number)
        turn = replace(table, match=earlier).turn
        wanted -= turn in table.people and not forced(earlier.state)
    if wanted:
        raise RulesError("no move of yours has been made yet")
    return match.before(number)


def _propose_draw(model: Model) -> tuple[Model, Effects]:
    table = model.table
    bots = tuple(
        seat for seat, chair in enumerate(table.chairs) if chair.bot and not table.match.state.board.left[seat]
    )
    if table.match.over:
        raise RulesError("the game is over already")
    if not bots:
        match = table.match.copy()
        match.agree()
        return _changed(model, match)
    offers = tuple(Offer(model.ticket, seat, _own_seat(table), table.match) for seat in bots)
    return replace(model, offered=bots, notice="A draw is offered.", alarm=False), offers


def _pause(model: Model) -> tuple[Model, Effects]:
    table = replace(model.table, paused=not model.table.paused, banner="")
    after = replace(model, table=table, ticket=model.ticket + 1, notice="", thinking=False)
    return (after, look_at_clock(table)) if table.paused else _proceed(after, quiet=True)


def _silent_bot(table: Table) -> int:
    """The seat of a bot whose move it is."""
    turn = table.turn
    if turn is None or not table.chairs[turn].bot or table.paused:
        raise RulesError("no bot is to move here")
    return turn


def _wait(model: Model) -> tuple[Model, Effects]:
    """A bot that thinks goes on; one that has failed is asked once more."""
    _silent_bot(model.table)
    after = replace(model, table=replace(model.table, banner=""), notice="", alarm=False)
    return (after, ()) if model.thinking else _proceed(replace(after, ticket=model.ticket + 1), quiet=True)


def _stand_in(model: Model, text: str) -> tuple[Model, Effects]:
    """Another bot in the seat whose turn it is."""
    turn, names = _silent_bot(model.table), named_bots(text)
    if len(names) != 1:
        raise RulesError("write stand-in and a bot, such as stand-in 2 or stand-in mcts:3")
    bots = [chair.bot for chair in model.table.chairs]
    bots[turn] = names[0]
    return dealt(model, model.table.match, bots, f"{called(names[0])} plays on as {letter(turn)}.")


def _rematch(model: Model) -> tuple[Model, Effects]:
    """Everybody one seat further, and another deal: its seed follows from the one before."""
    match = model.table.match
    if not match.over:
        raise RulesError("a rematch is for when the game is over: takeback or resign first")
    if match.deal is None:
        raise RulesError("this record does not say how its cards were dealt: a new game is quadrille play")
    stem, _, number = match.deal.seed.rpartition("-")
    is_number = number.isascii() and number.isdigit() and len(number) < 10
    again = f"{stem}-{int(number) + 1}" if stem and is_number else f"{match.deal.seed}-2"
    fresh = Match(match.game, match.state.options, match.state.seats, deal=Deal(again))
    bots = [chair.bot for chair in model.table.chairs]
    return dealt(replace(model, file="", kept=()), fresh, [*bots[-1:], *bots[:-1]], "Everybody is one seat further.")


def _against(model: Model, bots: Sequence[str]) -> tuple[Model, Effects]:
    """Who has the other seats from now on."""
    own = _own_seat(model.table) if model.table.people else 0
    row = seated(bots, model.table.match.state.seats, own)
    names = ", ".join(map(called, bots))
    who = f"{names} {'has' if len(bots) == 1 else 'have'} the other seats." if bots else "People have all seats."
    return dealt(model, model.table.match, row, who)


def looking_back(model: Model) -> Model:
    """Replay from the last position on."""
    return replace(model, replay=Replay(len(model.table.match.entries)), notice="", cursor="", picked="")


def looked_back(model: Model) -> tuple[Model, Effects]:
    """The end of it: back to the table, or away from a record, which has none."""
    return (model, (Quit(),)) if model.table.is_record else (replace(model, replay=None, notice=""), ())

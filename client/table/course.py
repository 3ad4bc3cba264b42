"""The course of a local table: `grant(table, wish) -> (table, effects, notices)`, pure, for every face.

A refused wish leaves the table as it was, and one notice says why. The table knows the time only by `TimeIs`, which a
face wishes each time it reads its clock.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from quadrille.ai.house import is_of_house
from quadrille.client.bots.names import called
from quadrille.client.table import notices, wishes
from quadrille.client.table.effects import Advise, Keep, OfferDraw, Quit, Settled, TableEffect, Think, Wake
from quadrille.client.table.local import Cover, LocalTable, forced
from quadrille.client.table.notices import About, Fact, MoveMade, NotGranted, Notice, ShownMotion, Why
from quadrille.client.table.sight import seen
from quadrille.client.table_setup import seated
from quadrille.net.entries.clocks import Clocks
from quadrille.rules.core.thoughts import Thought, Thoughts
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Left, Match, Played

_SECOND: Final = 1000


class Outcome(NamedTuple):
    """The table after a wish, the effects for its face, and the notices for people."""

    table: LocalTable
    effects: tuple[TableEffect, ...] = ()
    said: tuple[Notice, ...] = ()


def grant(table: LocalTable, wish: wishes.Wish) -> Outcome:
    """Grant a wish; a refusal is a notice."""
    if table.warned and not isinstance(wish, wishes.LeaveTable | wishes.TimeIs | wishes.BotAnswer | wishes.FileAnswer):
        table = replace(table, warned=False)
    try:
        return _granted(table, wish)
    except NotGranted as refusal:
        return Outcome(table, (), (refusal.refused,))
    except RulesError as error:
        return Outcome(table, (), (notices.Refused(error),))


def _granted(table: LocalTable, wish: wishes.Wish) -> Outcome:  # noqa: C901 - a case for each wish
    if isinstance(wish, wishes.BotAnswer):
        return _answered(table, wish) if wish.ticket == table.ticket else Outcome(table)
    match wish:
        case wishes.TimeIs(now):
            return _timed(table, now)
        case wishes.Begin():
            return _proceed(table)
        case wishes.PlayMove(text):
            return _wished_move(table, text)
        case wishes.Takeback(moves):
            return _taken_back(table, moves)
        case wishes.PlayOn(entries):
            return _changed(table, table.match.before(entries))
        case wishes.ResignSeat():
            return _resigned(table)
        case wishes.Rematch():
            return _rematch(table)
        case wishes.Hint(bot):
            return _asked_for_hint(table, bot)
        case wishes.Uncover():
            return _uncovered(table)
        case wishes.LeaveTable():
            return _left(table)
        case wishes.StayAfterAll():
            return Outcome(table)
        case wishes.Against() | wishes.StandIn() | wishes.Loaded():
            return _seated_anew(table, wish)
        case wishes.Save() | wishes.Load() | wishes.Kept() | wishes.WrittenDown():
            return _filed(table, wish)
        case wishes.ProposeMotion():
            return _proposed(table, wish.what)
        case wishes.Say():
            raise NotGranted(Why.NOBODY_HEARS)
    raise NotGranted(Why.NOT_HERE, wish=wish)


def _proposed(table: LocalTable, what: str) -> Outcome:
    match what:
        case "draw":
            return _draw(table)
        case "pause":
            return _pause(table)
        case "wait":
            return _wait(table)
    raise NotGranted(Why.UNKNOWN_PROPOSAL)


# Moves


def _wished_move(table: LocalTable, text: str) -> Outcome:
    if table.is_bots_turn:
        raise NotGranted(Why.OUT if table.is_out else Why.BOTS_TURN)
    if table.paused:
        raise NotGranted(Why.PAUSED)
    return _played(table, text)


def _played(table: LocalTable, move: str, thought: Thought | None = None) -> Outcome:
    match, turn = table.match.copy(), table.turn
    match.play(move)
    assert turn is not None
    if thought is not None:
        thoughts = table.thoughts.copy()
        thoughts.add(match.length - 1, turn, thought)
        table = replace(table, thoughts=thoughts)
    if table.clocks is not None:
        table = replace(table, clocks=table.clocks.moved(turn))
    return _changed(table, match, made=match.length - 1)


def _changed(table: LocalTable, match: Match, *said: Notice, made: int | None = None) -> Outcome:
    """Go on with another match, whose entry `made` is a move just made."""
    kept = table.thoughts.before(match.length)
    after = replace(table, match=match, ticket=table.ticket + 1, trouble=None, thoughts=kept)
    outcome = _proceed(after, *said, made=made)
    if not table.awaits_person and (outcome.table.turn is None or outcome.table.awaits_person):
        return outcome._replace(said=(*outcome.said, Fact.AWAITED))
    return outcome


def _proceed(table: LocalTable, *said: Notice, made: int | None = None) -> Outcome:
    """Continue after a change: forced passes, a request to a bot, a covered hand."""
    first = table.match.length if made is None else made
    while (turn := table.turn) is not None and forced(table.match.state) and not table.paused:
        match = table.match.copy()
        match.play(next(iter(match.state.moves)))
        clocks = table.clocks.moved(turn) if table.clocks else None
        table = replace(table, match=match, clocks=clocks, ticket=table.ticket + 1)
    table = replace(table, thinks=False, heard=False, offered=(), hint="", cover=None)
    effects: tuple[TableEffect, ...] = ()
    if turn is None:
        table = replace(table, facing=None)
        effects = (Settled(table.match),)
    elif table.bots[turn]:
        if not table.paused:
            effects = (Think(table.ticket, turn, table.bots[turn], table.match, table.clocks),)
            table = replace(table, thinks=True)
    elif table.is_secret and table.facing != turn and _has_seen(table):
        table = replace(table, cover=Cover(turn, table.facing))
    else:
        table = replace(table, facing=turn)
    moves = (_move_made(table, number, forced=number != made) for number in range(first, table.match.length))
    return Outcome(table, (*effects, *_look_at_clock(table)), (*said, *moves))


def _move_made(table: LocalTable, number: int, *, forced: bool) -> MoveMade:
    """Tell the move of an entry, as the person who looks now may know it."""
    entry = table.match.entries[number]
    assert isinstance(entry, Played)
    faces = tuple(map(str, seen(table.match, number, table.viewer)))
    return MoveMade(entry.seat, str(entry.move), faces, forced, table.match.story(number), number)


def _look_at_clock(table: LocalTable) -> tuple[TableEffect, ...]:
    """Return the effect that any change of whose clock runs needs."""
    return (Wake(0),) if table.clocks else ()


def _taken_back(table: LocalTable, wanted: int) -> Outcome:
    """Go back to the last choice of a person; moves of bots and forced passes go too."""
    number, missing = table.match.length, wanted
    while missing and number:
        number -= 1
        missing -= replace(table, match=table.match.before(number)).chooses()
    if missing:
        raise NotGranted(Why.NONE_TO_TAKE_BACK if missing == wanted else Why.TOO_FEW_TO_TAKE_BACK)
    gone = tuple(str(entry.move) for entry in table.match.since(number) if isinstance(entry, Played))
    return _changed(table, table.match.before(number), notices.TakenBack(gone))


# Ways out


def _resigned(table: LocalTable) -> Outcome:
    match = table.match.copy()
    seat = 0 if match.over else _own_seat(table)
    match.leave(seat)
    return _changed(table, match, Left(seat, "resigned"))


def _own_seat(table: LocalTable) -> int:
    if table.own_seat is None:
        raise NotGranted(Why.NO_SEAT)
    return table.own_seat


def _out_of_time(table: LocalTable, seat: int) -> Outcome:
    match = table.match.copy()
    match.leave(seat, "time")
    return _changed(table, match, Left(seat, "time"))


def _draw(table: LocalTable) -> Outcome:
    """Offer a draw. People at one keyboard agree at once; all bots in the game are asked first."""
    match = table.match.copy()
    match.agree()
    bots = tuple(seat for seat in table.match.seats_in if table.bots[seat])
    if not bots:
        return _changed(table, match)
    by, offered = _own_seat(table), replace(table, offered=bots)
    offers = tuple(OfferDraw(table.ticket, seat, by, table.match) for seat in bots)
    return Outcome(offered, offers, (notices.ProposedHere(ShownMotion("draw"), bots),))


def _left(table: LocalTable) -> Outcome:
    if table.warned or not table.would_be_lost:
        return Outcome(table, (Quit(),))
    return Outcome(replace(table, warned=True), (), (Fact.WOULD_BE_LOST,))


# Time


def _timed(table: LocalTable, now: int) -> Outcome:
    """Advance the clock: a seat whose time is up is out. A bot's clock runs once it has heard of its turn."""
    clocks = table.clocks
    if clocks is None:
        return Outcome(table)
    runs = not (table.paused or table.cover) and (table.heard or not table.is_bots_turn)
    turn = table.turn if runs else None
    if turn is not None and clocks.seat == turn and clocks.at(turn, now) <= 0:
        return _out_of_time(replace(table, clocks=clocks.runs(None, now)), turn)
    if clocks.seat != turn:
        clocks = clocks.runs(turn, now)
        table = replace(table, clocks=clocks)
    return Outcome(table, () if turn is None else (Wake(min(_SECOND, clocks.at(turn, now) + 1)),))


def _pause(table: LocalTable) -> Outcome:
    """Stop clocks and bots until the wish is repeated."""
    if not table.paused and (table.match.over or not (table.clocks or any(table.bots))):
        raise NotGranted(Why.NOTHING_RUNS)
    after = replace(
        table, paused=not table.paused, ticket=table.ticket + 1, trouble=None, thinks=False, heard=False, offered=(),
        hint="",
    )  # fmt: skip
    return Outcome(after, _look_at_clock(after)) if after.paused else _proceed(after)


def _has_seen(table: LocalTable) -> bool:
    """Return whether a person has looked at cards that are still hidden; otherwise nothing needs a cover."""
    sealed = table.match.state.sealed()
    return sealed is None or any(sealed.looks[seat] for seat in table.people)


def _uncovered(table: LocalTable) -> Outcome:
    match table.cover:
        case Cover(seat, None):
            after = replace(table, facing=seat, cover=None)
            return Outcome(after, _look_at_clock(after))
        case Cover(seat):
            return Outcome(replace(table, cover=Cover(seat)))
    return Outcome(table)


# Bots


def _answered(table: LocalTable, answer: wishes.BotAnswer) -> Outcome:
    """Take a bot's answer about the present position."""
    match answer:
        case wishes.Heard() if table.thinks:
            after = replace(table, heard=True)
            return Outcome(after, _look_at_clock(after))
        case wishes.Moved(_, move, thought) if table.turn is not None and not table.paused:
            try:
                return _played(table, move, thought)
            except RulesError as error:
                return _stopped(table, notices.BotStopped(table.turn, error, bot=table.bots[table.turn]))
        case wishes.Slow(_, seconds) if table.thinks and table.turn is not None:
            slow = notices.BotSlow(table.turn, seconds)
            return Outcome(replace(table, trouble=slow), (), (slow,))
        case wishes.Faulted(_, why, late, bot):
            return _faulted(table, why, bot, late=late)
        case wishes.Hinted(_, move, reason) if table.hint:
            return Outcome(replace(table, hint=""), (), (notices.HintGiven(table.hint, move, reason),))
        case wishes.Answered(_, seat, agrees) if seat in table.offered:
            return _replied(table, seat, agrees=agrees)
    return Outcome(table)


def _faulted(table: LocalTable, why: str, bot: str, *, late: bool) -> Outcome:
    turn = table.turn
    if not table.thinks or turn is None:
        return Outcome(replace(table, hint=""), (), (notices.HintMissed(why, bot),))
    return _out_of_time(table, turn) if late else _stopped(table, notices.BotStopped(turn, why, bot, table.bots[turn]))


def _stopped(table: LocalTable, stopped: notices.BotStopped) -> Outcome:
    """Stop the clock of a bot that has stopped, until a person chooses what to do."""
    after = replace(table, trouble=stopped, thinks=False, heard=False)
    return Outcome(after, _look_at_clock(after), (stopped,))


def _replied(table: LocalTable, seat: int, *, agrees: bool) -> Outcome:
    """Take a bot's answer to the offer of a draw, which all must accept."""
    if not agrees:
        return Outcome(replace(table, offered=()), (), (notices.DeclineTold(ShownMotion("draw"), seat),))
    left = tuple(other for other in table.offered if other != seat)
    if left:
        return Outcome(replace(table, offered=left))
    match = table.match.copy()
    match.agree()
    return _changed(table, match)


def _check_bots_turn(table: LocalTable) -> int:
    if table.turn is None or not table.is_bots_turn or table.paused:
        raise NotGranted(Why.NO_BOT_TO_MOVE)
    return table.turn


def _wait(table: LocalTable) -> Outcome:
    """Go on waiting for a bot that thinks; ask one that has failed once more."""
    _check_bots_turn(table)
    after = replace(table, trouble=None)
    return Outcome(after) if table.thinks else _proceed(replace(after, ticket=table.ticket + 1))


def _asked_for_hint(table: LocalTable, bot: str) -> Outcome:
    if not table.awaits_person or table.turn is None:
        raise NotGranted(Why.NO_HINT_NOW)
    after = replace(table, hint=bot)
    return Outcome(after, (Advise(table.ticket, table.turn, bot, table.match),), (About(Fact.HINT_ASKED, called(bot)),))


# Other seats, other games


def _dealt(
    table: LocalTable, match: Match, bots: Sequence[str], *said: Notice, names: Sequence[str] | None = None
) -> Outcome:
    """Deal another game, or to other players; a new game has full clocks. People who stay keep their names."""
    if names is None:
        stays = len(bots) == len(table.bots)
        names = [_kept_name(table, seat, bot) for seat, bot in enumerate(bots)] if stays else ()
    clocks = table.clocks
    if clocks is not None and match is not table.match:
        clocks = Clocks.full(clocks.terms, match.state.seats)
    is_other = match is not table.match
    fresh = replace(
        LocalTable.of(match, bots, names=names), clocks=clocks, ticket=table.ticket + 1, file=table.file,
        kept=table.kept, keeps=table.keeps, number=table.number + is_other,
        brought=match.entries if is_other else table.brought,
        thoughts=Thoughts() if is_other else table.thoughts,
    )  # fmt: skip
    outcome = _proceed(fresh, *said)
    return outcome._replace(effects=(Settled(match), *outcome.effects))


def _kept_name(table: LocalTable, seat: int, bot: str) -> str:
    """Keep the name of a seat that stays with a person, or with a built-in bot of another level."""
    before = table.bots[seat]
    stays = bot == before or (is_of_house(bot) and is_of_house(before))
    return table.names[seat] if stays else ""


def _rematch(table: LocalTable) -> Outcome:
    """Move everybody one seat further, with a new deal: its seed follows from the one before."""
    match, bots = table.match, table.bots
    if not match.over and not table.is_out:
        raise NotGranted(Why.NOT_OVER)
    if match.deal is None:
        raise NotGranted(Why.NO_DEAL)
    stem, _, number = match.deal.seed.rpartition("-")
    is_number = number.isascii() and number.isdigit() and len(number) < 10
    again = f"{stem}-{int(number) + 1}" if stem and is_number else f"{match.deal.seed}-2"
    fresh = Match(match.game, match.state.options, match.state.seats, deal=Deal(again))
    names = (*table.names[-1:], *table.names[:-1])
    return _dealt(replace(table, file="", kept=()), fresh, (*bots[-1:], *bots[:-1]), Fact.ROTATED, names=names)


def _seated_anew(table: LocalTable, wish: wishes.Against | wishes.StandIn | wishes.Loaded) -> Outcome:
    """Seat other bots, or the people and bots who are here at another game."""
    match wish:
        case wishes.Against(bots):
            row = seated(bots, table.match.state.seats, _own_seat(table) if table.people else 0)
            return _dealt(table, table.match, row, notices.SeatsTaken(bots))
        case wishes.StandIn(bot):
            seat = _check_bots_turn(table)
            row = (*table.bots[:seat], bot, *table.bots[seat + 1 :])
            return _dealt(table, table.match, row, notices.StoodIn(seat, bot))
        case wishes.Loaded(name, match, players):
            loaded = replace(table, file=name, kept=match.entries)
            told = About(Fact.GAME_LOADED, text=name)
            if players.names or players.bots:  # otherwise the record names nobody, so those who are here play it
                row = players.bots or ("",) * match.state.seats
                loaded = replace(loaded, clocks=players.clocks and Clocks.full(players.clocks.terms, 1))
                outcome = _dealt(loaded, match, row, told, names=players.names)
                return outcome._replace(table=replace(outcome.table, clocks=players.clocks))
            return _dealt(loaded, match, _row_for(table, match.state.seats), told)


def _row_for(table: LocalTable, seats: int) -> tuple[str, ...]:
    """Return the bots for a game with that many seats: the same row, else the only kind of bot here, else people."""
    kinds = {bot for bot in table.bots if bot}
    if len(table.bots) == seats:
        return table.bots
    if len(kinds) != 1 or len(table.people) != 1:
        return ("",) * seats
    return seated(tuple(kinds), seats, min(table.people[0], seats - 1))


def _filed(table: LocalTable, wish: wishes.Save | wishes.Load | wishes.Kept | wishes.WrittenDown) -> Outcome:
    match wish:
        case wishes.WrittenDown(""):
            return Outcome(replace(table, keeps=True))
        case wishes.WrittenDown(why):
            return Outcome(replace(table, keeps=False), (), (About(Fact.NOT_KEPT, text=why),))
        case wishes.Save(name, over):
            return Outcome(table, (Keep(name, table.match, over or name == table.file, table.players),))
        case wishes.Load():
            return Outcome(table, (wish,))
        case wishes.Kept("", path):
            return Outcome(table, (), (notices.GameKept(path),))
        case wishes.Kept(name, path, entries):
            return Outcome(replace(table, file=name, kept=entries), (), (notices.GameKept(path),))

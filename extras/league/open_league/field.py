"""The bots of an open league: a machine that is told which are there, how each trial ended, and which lost by faults.

A bot is known by its key. It is tried when it comes, and again whenever it comes back. A bot that comes and goes, or
fails, waits twice as long each time. Specification: docs/open-league.md, "Who plays".
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Final, NamedTuple

from quadrille.client.foreign import shown
from quadrille.net.core.spans import written
from quadrille.net.trust.identity import fingerprint
from quadrille.net.trust.names import LONGEST_NAME, are_alike, plain_name

#: Milliseconds until the next trial of a bot that left and is back, perhaps as another program; of one that failed its
#: trial; and of one that failed game after game. Each time it is twice as long, up to the longest.
BACK: Final = 5_000
AFTER_TRIAL: Final = 30_000
SENT_AWAY: Final = 120_000
LONGEST: Final = 1_800_000
#: Bots that are tried at a time, each of another machine.
MOST_TRIALS: Final = 4
#: Games lost in a row by faults of its own, after which a bot is sent away.
FAULTS: Final = 3
#: Maximum bots of one machine in a run, for each that may play at a time; and maximum bots of all machines.
KEYS_EACH: Final = 6
MOST: Final = 400
#: How many digits of a key tell two bots of the same name apart.
_DIGITS: Final = 4, 8, 12, 16
#: The name under which a run's journal has the rows of all bots, and the number of their columns.
FACT: Final = "open"
_COLUMNS: Final = 3

PLAYS: Final = "plays"
_WAITS: Final = "waits"
_TRIED: Final = "is being tried"


class SeenBot(NamedTuple):
    """A bot on the network: its key, the name that it claims, and its machine, as far as addresses tell."""

    key: bytes
    name: str
    machine: str


@dataclass(slots=True)
class Member:
    """A bot that was seen. `entrant` is its number in the league, None before its first trial has succeeded."""

    key: bytes
    name: str
    machine: str
    entrant: int | None = None
    here: bool = True
    state: str = _WAITS
    why: str = ""
    due: int = 0
    trials: int = 0
    #: How often it left, and failed, since it played a game to its end: each doubles the time for which it waits.
    departures: int = 0
    failures: int = 0
    #: Games lost by faults of its own in a row.
    row: int = 0

    @property
    def is_ready(self) -> bool:
        return self.here and self.state == PLAYS


class Field:
    """All bots that were seen in this run, and those that are entrants since an earlier one."""

    def __init__(self, each: int, entrants: Sequence[tuple[bytes, str]] = ()) -> None:
        """`each`: how many bots of one machine play at a time. `entrants`: keys and names in the league's order."""
        #: Sentences for the person.
        self.news: list[str] = []
        self._each = each
        self.members = {key: Member(key, name, "", number, here=False) for number, (key, name) in enumerate(entrants)}

    def see(self, bots: Iterable[SeenBot], now: int) -> None:
        """Take the bots that are there at present."""
        by_key = {bot.key: bot for bot in bots}
        for gone in [member for member in self.members.values() if member.here and member.key not in by_key]:
            self._went(gone)
        brought = Counter(member.machine for member in self.members.values())
        for bot in by_key.values():
            if (member := self.members.get(bot.key)) is None:
                # keys cost nothing
                if brought[bot.machine] < KEYS_EACH * self._each and len(self.members) < MOST:
                    self.members[bot.key] = Member(bot.key, self._named(bot), bot.machine, due=now)
                    brought[bot.machine] += 1
                    if len(self.members) == MOST:
                        self.news.append(f"this run has {MOST} bots: it looks at no others")
                continue
            member.machine = bot.machine
            if not member.here:
                member.here = True
                member.due = now + (_doubled(BACK, member.departures - 1) if member.departures else 0)

    def _went(self, member: Member) -> None:
        if member.state == PLAYS:
            self.news.append(f"{member.name} is gone: its games count, and it plays on when it is back")
        member.here = False
        member.departures += 1
        if member.state != _TRIED:  # the end of its trial is still to come
            member.state, member.why = _WAITS, ""
        if member.entrant is None and member.trials == 0:
            del self.members[member.key]  # nothing is remembered of a bot that only passed by

    def _named(self, bot: SeenBot) -> str:
        """Return the name that a bot claims, with digits of its key if another has that name, or one that looks like
        it.
        """
        name, short = plain_name(bot.name), fingerprint(bot.key).replace(" ", "")
        names = [member.name for member in self.members.values()]
        # others may call themselves by all of its digits, but not by every number
        tails = chain((short[:digits] for digits in _DIGITS), (f"{short} {number}" for number in count(2)))
        forms = chain([name], (f"{name[: LONGEST_NAME - 1 - len(tail)]} {tail}" for tail in tails))
        return next(form for form in forms if not any(are_alike(form, other) for other in names))

    # Trials

    def next_trial(self, now: int, at_play: Collection[int | None] = ()) -> Member | None:
        """Choose the bot to try next, if any, and none `at_play`. It is being tried from now on.

        The machine that had the fewest trials comes first, so that no machine with many bots keeps the others waiting.
        """
        trials, playing, busy = Counter[str](), Counter[str](), set[str]()
        for member in self.members.values():
            trials[member.machine] += member.trials
            playing[member.machine] += member.is_ready
            if member.state == _TRIED:
                busy.add(member.machine)
        waiting = list[Member]()
        if len(busy) >= MOST_TRIALS:
            return None
        for member in self.members.values():
            is_due = member.here and member.state == _WAITS and member.due <= now and member.entrant not in at_play
            if is_due and member.machine not in busy:
                if playing[member.machine] < self._each:
                    waiting.append(member)
                elif not member.why:
                    member.why = f"{self._each} bots of its machine play already"
                    self.news.append(f"{member.name} waits: {member.why}")
        next_member = min(waiting, key=lambda member: (trials[member.machine], member.trials, member.due), default=None)
        if next_member is not None:
            next_member.state, next_member.why = _TRIED, ""
            next_member.trials += 1
        return next_member

    def tried(self, member: Member, fault: str, now: int) -> bool:
        """Take the end of a trial, with its fault or ""; return whether the bot plays from now on."""
        member.state = _WAITS
        if not member.here:
            return False
        if fault:
            member.why = fault
            member.due = now + _doubled(AFTER_TRIAL, member.failures)
            member.failures += 1
            self.news.append(f"{member.name} ({fingerprint(member.key)}) does not play: {fault}")
            return False
        does = PLAYS if member.entrant is None else "is back"
        self.news.append(f"{member.name} ({fingerprint(member.key)}) {does}")
        if member.entrant is None:
            member.entrant = sum(other.entrant is not None for other in self.members.values())
        member.state, member.why, member.row = PLAYS, "", 0
        return True

    # Games

    def ended(self, member: Member, fault: str, now: int) -> None:
        """Take the end of a game for one of its bots, with the fault that lost it or ""."""
        if not fault:
            member.row = member.departures = member.failures = 0
            return
        member.row += 1
        if member.row >= FAULTS and member.state == PLAYS:
            lost = f"it lost {member.row} games in a row by its own fault"
            self.send_away(member, f"{lost}, the last one as it {fault}", now)

    def send_away(self, member: Member, reason: str, now: int, wait: int = SENT_AWAY) -> None:
        """Let a bot play no more until it has waited, and been tried again."""
        wait = _doubled(wait, member.failures)
        member.state, member.why, member.due, member.row = _WAITS, reason, now + wait, 0
        member.failures += 1
        self.news.append(f"{member.name} is sent away for {written(wait)}: {reason}")

    def rows(self) -> list[list[str]]:
        """Return for each bot its name, its short key, and what it does; those who play come first."""
        members = sorted(self.members.values(), key=lambda one: (not one.is_ready, one.name.casefold(), one.name))
        return [[member.name, fingerprint(member.key), _doing(member)] for member in members]


def rows_in(text: str) -> list[list[str]]:
    """Read the rows that a run wrote into its journal for the page; none if somebody else wrote something there."""
    try:
        return [[shown(str(cell)) for cell in row] for row in json.loads(text or "[]") if len(row) == _COLUMNS]
    except (ValueError, TypeError, RecursionError):
        return []


def _doing(member: Member) -> str:
    if not member.here:
        return "is gone"
    return f"{member.state}: {member.why}" if member.why else member.state


def _doubled(time: int, times: int) -> int:
    """Double a time this many times, up to the longest."""
    return min(LONGEST, time << min(times, 20))

"""A game of a bot at a table of two peers: its own, which crashes in the middle, and one that holds all other seats.

The other peer plays at random, proposes something now and then, and agrees to everything. Their messages arrive at once
and in order: a bot hears of a network only what its table tells it, so the tests of net have the bad weather. Time is
real while a program thinks, and skipped otherwise.
"""

import time
from typing import Final

from quadrille.ai.checks.trial import Player, Setting
from quadrille.ai.peer.sitting import Sitting
from quadrille.net.core.machine import drain
from quadrille.net.core.shapes import plain_options
from quadrille.net.entries.entry import Entry, read_entry
from quadrille.net.entries.motions import DrawMotion, PauseMotion, TakebackMotion
from quadrille.net.entries.table_store import MemoryShelf
from quadrille.net.entries.terms import Chair, Terms
from quadrille.net.game_log.log import Log, replayed
from quadrille.net.game_log.news import Proposed, Took
from quadrille.net.seating.joint_seed import SeedRound
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game

#: The proposals: none ends the game if the bot agrees, except a draw.
_PROPOSED: Final = (TakebackMotion(1), PauseMotion(), DrawMotion())
_MOST_PROPOSED: Final = 6
#: Moves of the bot after which its peer crashes.
_BREAKDOWN: Final = 3
#: Maximum seconds of a game, and seconds of one wait for a program that thinks.
_LONGEST: Final = 60.0
_LOOK: Final = 0.005
_TABLE: Final = bytes(16)


def check_network(setting: Setting, player: Player, patience: int, end: float) -> bool:
    """Play a game; return whether it ended in time. A `BotFault` says what the bot did wrong."""
    party = _Party(setting, player, patience)
    try:
        return party.play(min(end, time.monotonic() + _LONGEST))
    finally:
        party.close()


class _Party:
    """The two peers, and their clock in milliseconds."""

    def __init__(self, setting: Setting, player: Player, patience: int) -> None:
        self.now = 0
        self._dice = Stream(setting.seed, "party")
        self._player = player
        self._patience = patience
        self._proposed = 0
        self._crashed = False
        self._looked = time.monotonic()
        own, other = (Identity(self._dice.word().to_bytes(8, "big") * 4) for _ in range(2))
        self._shelf, shelf = MemoryShelf(), MemoryShelf()
        for party_shelf in (self._shelf, shelf):
            party_shelf.keep_entry(_beginning(setting, own, other))
        self._own, self._other = self._table(own, self._shelf), self._table(other, shelf)
        self._sit_down()

    def _table(self, identity: Identity, shelf: MemoryShelf) -> Table:
        return Table(replayed(_TABLE, map(read_entry, shelf.entries(_TABLE))), identity, shelf, self.now)

    def _sit_down(self) -> None:
        """Connect the peers, and start the bot's program."""
        self._own.came(self._other.identity.key, self.now)
        self._other.came(self._own.identity.key, self.now)
        self._sitting = Sitting(self._own, self._player.lend, lambda _: None, self._patience)

    def close(self) -> None:
        for talk in self._sitting.talks:
            talk.close()

    def play(self, end: float) -> bool:
        """Play until the game is over or the bot fails; return whether it is over."""
        while time.monotonic() < end:
            self._sitting.act(self.now)
            self._roll(self._other)
            if not self._carry():
                self._wait()
            if self._sitting.fault is not None:
                raise self._sitting.fault
            if self._sitting.finished(self.now):
                return True
            moved = [entry for entry in self._own.log.entries if entry.author == self._own.identity.key]
            if len(moved) > _BREAKDOWN and not (self._crashed or self._own.over):
                self._crash()
        return False

    def _crash(self) -> None:
        """Let the bot's peer die, and come back with its stored data."""
        self._crashed = True
        self.close()
        self._other.went(self._own.identity.key, self.now)
        self._own = self._table(self._own.identity, self._shelf)
        self._own.resume()
        self._sit_down()

    def _carry(self) -> bool:
        """Deliver what either says, and what it notices; return whether there was anything."""
        sent = [drain(table.outgoing) for table in (self._own, self._other)]
        for sender, receiver, messages in zip((self._own, self._other), (self._other, self._own), sent, strict=True):
            for _, message in messages:
                receiver.receive(sender.identity.key, message, self.now)
        for event in drain(self._own.events):
            match event:
                case Proposed(motion, signed):
                    self._sitting.proposed(motion, signed, self.now)
                case Took():
                    self._sitting.took()
        for event in drain(self._other.events):
            match event:
                case Proposed(motion) if self._other.log.motion_objection(motion) is None:
                    self._other.agree(motion, self.now)
        return any(sent)

    def _wait(self) -> None:
        """Let time pass until something is due, or a program has thought a bit."""
        due = min(self._own.deadline, self._other.deadline)
        if any(talk.dialogue.deadline is not None for talk in self._sitting.talks):
            time.sleep(max(0.0, min(_LOOK, (due - self.now) / 1000)))
            self.now += round(1000 * (time.monotonic() - self._looked))
        else:
            self.now = max(self.now, due)
        self._looked = time.monotonic()
        for table in (self._own, self._other):
            table.wake(self.now)

    def _roll(self, table: Table) -> None:
        """Make a random move, perhaps after a proposal, which the bot hears before its turn or in it."""
        if table.is_my_turn and self._proposed < _MOST_PROPOSED and not self._dice.randrange(3):
            motion = _PROPOSED[self._proposed % len(_PROPOSED)]
            self._proposed += 1
            if table.log.motion_objection(motion) is None:
                table.agree(motion, self.now)
        if table.is_my_turn:
            table.play(str(table.view.moves.sample(self._dice)), self.now)


def _beginning(setting: Setting, own: Identity, other: Identity) -> Entry:
    """Agree on the game and a joint seed, as two peers would."""
    played = game(setting.game)
    options = plain_options(played.read_options(setting.options).plain())
    terms = Terms(played.key, options, setting.seats, setting.clock, lot=False, takebacks=not played.hidden)
    keys = [own.key if seat == setting.seat else other.key for seat in range(setting.seats)]
    chairs = tuple(Chair(key, f"bot {seat}", "bot") for seat, key in enumerate(keys))
    drawn = SeedRound(_TABLE, 1, terms, chairs, bytes(32), 0)
    for identity in (own, other):
        drawn = drawn.agreed(identity, 0)
    for identity in (own, other):
        drawn = drawn.opened(identity, 0)
    body = drawn.body()
    assert body is not None
    return Log(_TABLE).write(body, None)

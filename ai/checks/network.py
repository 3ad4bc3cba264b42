"""A game of a bot as a peer among others (lobbies.py); its own peer crashes in the middle.

The others play at random and make proposals now and then.
"""

import time
from typing import Final

from quadrille.ai.checks.lobbies import LinkedLobbies
from quadrille.ai.checks.trial import Player, Setting
from quadrille.ai.peer.guest import Guest
from quadrille.net.core.shapes import plain_options
from quadrille.net.entries.motions import DrawMotion, PauseMotion, TakebackMotion
from quadrille.net.entries.table_store import MemoryShelf
from quadrille.net.entries.terms import Terms
from quadrille.net.game_log.news import Proposed
from quadrille.net.seating.gathering import Gathering
from quadrille.net.seating.lobby import At, Lobby
from quadrille.net.seating.offers import offers
from quadrille.net.tables.table import Table
from quadrille.net.trust.identity import Identity
from quadrille.rules.chance import Stream
from quadrille.rules.registry import game

#: The proposals: none ends the game if the bot agrees, except a draw.
_PROPOSED: Final = (TakebackMotion(1), PauseMotion(), DrawMotion())
_MOST_PROPOSED: Final = 6
#: Moves of the bot after which its peer crashes.
_BREAKDOWN: Final = 3
#: Maximum seconds of a game.
_LONGEST: Final = 60.0


def check_network(setting: Setting, player: Player, patience: int, end: float) -> bool:
    """Play a game; return whether it ended in time. A `BotFault` says what the bot did wrong."""
    party = _Party(setting, player, patience)
    try:
        return party.play(min(end, time.monotonic() + _LONGEST))
    finally:
        party.guest.close()


class _Party:
    """A host, other guests and the bot."""

    def __init__(self, setting: Setting, player: Player, patience: int) -> None:
        self.linked = LinkedLobbies(setting.seed)
        self.dice = Stream(setting.seed, "party")
        self._player = player
        self._patience = patience
        self._proposed = 0
        self._breakdowns = 0
        words = [Stream(setting.seed, f"peer {number}").word() for number in range(setting.seats)]
        host, self._bot, *others = (Identity(word.to_bytes(8, "big") * 4) for word in words)
        self._shelf = MemoryShelf()
        self.guest = self._sit(self._shelf)
        self.others = [Lobby(one, "dice", "bot", MemoryShelf(), entropy=self.linked.entropy) for one in (host, *others)]
        for lobby in self.others:
            self.linked.come(lobby)
        played = game(setting.game)
        options = plain_options(played.read_options(setting.options).plain())
        terms = Terms(played.key, options, setting.seats, setting.clock, takebacks=not played.hidden, grace=600_000)
        self.gathering: Gathering = self.others[0].host(terms, b"check", self.linked.now)

    def _sit(self, shelf: MemoryShelf) -> Guest:
        """Bring the bot's peer, with a new program."""
        lobby = Lobby(self._bot, "bot", "bot", shelf, entropy=self.linked.entropy)
        self.linked.come(lobby)
        for table in shelf.tables():
            lobby.resume(table, self.linked.now)
        guest = Guest(lobby, self._player.lend, asks=lambda *_: None, stays=True, patience=self._patience)
        guest.act(self.linked.now)
        return guest

    def play(self, end: float) -> bool:
        """Play until the game is over or the bot fails; return whether it is over."""
        while time.monotonic() < end:
            for key, event in self.linked.turn(lambda: self.guest.owes):
                if key == self._bot.key:
                    self.guest.hear(event, self.linked.now)
                else:
                    self._notice(self.linked.lobbies[key], event)
            self.guest.act(self.linked.now)
            for lobby in self.others:
                self._act(lobby)
            self._check()
            if self._is_over() and not self.guest.sittings:
                return True
            self._break_down()
        return False

    def _check(self) -> None:
        for fault in (self.guest.fault, *(sitting.fault for sitting in self.guest.sittings.values())):
            if fault is not None:
                raise fault

    def _break_down(self) -> None:
        """Let the bot's peer die and come back with its stored data, once."""
        moved = [entry for table in self._tables() for entry in table.log.entries if entry.author == self._bot.key]
        if self._breakdowns == 0 and len(moved) > _BREAKDOWN and not self._is_over():
            self._breakdowns += 1
            self.guest.close()
            self.linked.go(self._bot.key)
            self.guest = self._sit(self._shelf)

    def _is_over(self) -> bool:
        return any(table.over for table in self._tables())

    def _tables(self) -> list[Table]:
        return list(self.guest.lobby.tables.values())

    def _notice(self, lobby: Lobby, event: object) -> None:
        """Let the others agree to everything, even to a draw."""
        match event:
            case At(name, Proposed(motion, signed)) if name in lobby.tables:
                table = lobby.tables[name]
                if table.seat not in signed and table.log.motion_objection(motion) is None and not table.over:
                    table.agree(motion, self.linked.now)

    def _act(self, lobby: Lobby) -> None:
        now = self.linked.now
        if lobby is self.others[0]:
            if self.gathering.phase == "open" and len(self.gathering.chairs) == self.gathering.terms.seats:
                self.gathering.start(now)
        elif not lobby.tables and not lobby.gatherings:
            for offer in offers(lobby, "open")[:1]:
                lobby.join(offer, now)
        for table in lobby.tables.values():
            if table.is_my_turn:
                self._propose(table, now)
                if table.is_my_turn:
                    table.play(str(table.view.moves.sample(self.dice)), now)

    def _propose(self, table: Table, now: int) -> None:
        """Propose something, before the bot was asked for its move or after."""
        motion = _PROPOSED[self._proposed % len(_PROPOSED)]
        if self._proposed < _MOST_PROPOSED and not self.dice.randrange(3):
            self._proposed += 1
            if table.log.motion_objection(motion) is None:
                table.agree(motion, now)

"""Places before a game on the network in plain lines: the choice of a table, and the room.

No socket and no thread here: network_evening.py drives it, and a test can.
"""

from typing import Any

from quadrille.client.plain.face import PlainFace
from quadrille.client.reports import advice_text
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.notices import Notice, TablesFound
from quadrille.client.table.wishes import Choose, Wish
from quadrille.client.words.answers import meaning
from quadrille.client.words.table import listed_line
from quadrille.client.words.terms import number, seats_taken, terms_text
from quadrille.rules.core import Game
from quadrille.rules.registry import game


class PlainWaitingRoom(PlainFace):
    """A table that has not begun."""

    stage: WaitingRoom

    @property
    def game(self) -> Game[Any, Any]:
        return game(self.stage.gathering.terms.game)

    def welcome(self) -> None:
        room, gathering, context = self.stage, self.stage.gathering, self.stage.context
        terms = gathering.terms
        played = self.game
        self.say(f"{terms_text(terms)}.")
        if advice := advice_text(played, terms.read_options(), terms.seats):
            self.say(advice)
        count = seats_taken(room.taken, room.total)
        if gathering.hosts:
            self.say(f"Table {number(gathering.table)} is open: {count}. Type help for help.{room.way}")
        else:
            host = context.lobby.peers.get(gathering.host)
            whose = f" of {context.name(host)}: {count}" if host else ""
            self.say(f"Asking for a seat at table {number(gathering.table)}{whose}.")

    def holds(self, line: str | None) -> bool:
        if line is None:
            return super().holds(line)
        word = line.partition(" ")[0].lower()
        if meaning(line) is not None and not self.stage.asking:
            return True
        return word not in self.words or word == "say"  # input from a pipe is for the table


class PlainTableSearch(PlainFace):
    """The choice of a table."""

    stage: TableSearch

    @property
    def prompt(self) -> str:
        return "which table> " if self.stage.is_listed else "> "

    def welcome(self) -> None:
        self.say("Looking for a table.")

    def sentence(self, notice: Notice, line: str) -> str:
        text = super().sentence(notice, line)
        if not isinstance(notice, TablesFound):
            return text
        first, *rest = text.split("\n")
        rows = [listed_line(place, table) for place, table in enumerate(notice.tables, 1)]
        return "\n".join([first, *rows, *rest])

    def other(self, line: str, word: str) -> Wish:
        return Choose(line)

    def holds(self, line: str | None) -> bool:
        is_word = line is not None and line.partition(" ")[0].lower() in self.words
        return super().holds(line) if line is None else not (is_word or self.stage.is_listed)

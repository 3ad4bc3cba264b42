"""The places before a network table, in plain lines: the choice of a table, and the waiting room."""

from quadrille.client.plain.live_console import LiveConsole
from quadrille.client.plain.network_stage import PlainStage
from quadrille.client.reports import advice_text
from quadrille.client.table.network.notices import TablesFound
from quadrille.client.table.network.stage import StageNotice
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.network.waiting_room import WaitingRoom
from quadrille.client.table.network.wishes import Choose, NetworkWish
from quadrille.client.words.answers import meaning
from quadrille.client.words.commands import Place, help_text
from quadrille.client.words.network.table import listed_line
from quadrille.client.words.network.terms import arbiter_text, number, seats_taken, terms_text
from quadrille.rules.registry import game


class PlainWaitingRoom(PlainStage):
    """A table that has not begun."""

    stage: WaitingRoom

    def __init__(self, stage: WaitingRoom, console: LiveConsole) -> None:
        super().__init__(stage, console)
        hosts = stage.gathering.hosts
        self.commands = {
            "rules": lambda _: self.say_rules(stage.gathering.terms.game),
            "help": lambda _: self.say(help_text(Place.HOSTING if hosts else Place.ASKING)),
        }

    def welcome(self) -> None:
        room, gathering, context = self.stage, self.stage.gathering, self.stage.context
        terms = gathering.terms
        played = game(terms.game)
        self.say(f"{terms_text(terms)}.")
        if (arbiter := context.arbiter(terms, gathering.host, room.chairs)) is not None:
            self.say(f"{arbiter_text(arbiter)}.")
        if advice := advice_text(played, played.read_options(dict(terms.options)), terms.seats):
            self.say(advice)
        count = seats_taken(room.taken, room.total)
        if gathering.hosts:
            self.say(f"Table {number(gathering.table)} is open: {count}. Type help for help.{room.way}")
        else:
            host = context.lobby.peers.get(gathering.host)
            whose = f" of {context.name(host)}: {count}" if host else ""
            self.say(f"Asking for a seat at table {number(gathering.table)}{whose}.")

    def holds(self, line: str) -> bool:
        word = line.partition(" ")[0].lower()
        if meaning(line) is not None and not self.stage.asking:
            return True
        return word not in self.words or word == "say"  # input from a pipe is for the table


class PlainTableSearch(PlainStage):
    """The choice of a table."""

    stage: TableSearch

    def __init__(self, stage: TableSearch, console: LiveConsole) -> None:
        super().__init__(stage, console)
        self.commands = {"help": lambda _: self.say(help_text(Place.CHOOSING))}

    @property
    def prompt(self) -> str:
        return "which table> " if self.stage.is_listed else "> "

    def welcome(self) -> None:
        self.say("Looking for a table.")

    def sentence(self, notice: StageNotice, line: str) -> str:
        text = super().sentence(notice, line)
        if not isinstance(notice, TablesFound):
            return text
        first, *rest = text.split("\n")
        rows = [listed_line(place, table) for place, table in enumerate(notice.tables, 1)]
        return "\n".join([first, *rows, *rest])

    def other(self, line: str, word: str) -> NetworkWish:
        return Choose(line)

    def holds(self, line: str) -> bool:
        word = line.partition(" ")[0].lower()
        if meaning(word) is not None:
            return not self.stage.is_asked
        return word not in self.words and not self.stage.is_listed

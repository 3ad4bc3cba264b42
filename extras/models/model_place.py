"""A model's place: one thread that sits at a local table or on the network, before a face of plain lines.

Any other thread asks it to do something, at once or when it is time, and gets a future. The seats are those of all
faces (client/table/table_seat.py); what a person would read in lines is what a model reads (client/plain).
"""

import io
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace
from typing import Any, Final, Self, TypeVar

from quadrille.ai.data import over_data, scene_data
from quadrille.ai.house import is_of_house, listed
from quadrille.client.bots.boxes import USUAL
from quadrille.client.kept.own_tables import OwnTables
from quadrille.client.network.options import NetworkOptions
from quadrille.client.plain.console import Console
from quadrille.client.plain.face import PlainFace
from quadrille.client.plain.network import onward, plain_face
from quadrille.client.plain.own_table import OwnProgram
from quadrille.client.plain.table import PlainTable, greet
from quadrille.client.plain.who import table_data
from quadrille.client.presence.place import StationPresence, stage_of
from quadrille.client.reports import heading, moves_text
from quadrille.client.settings import own_name
from quadrille.client.table import wishes
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import ProposalTold, Refused
from quadrille.client.table.table_seat import TableSeat
from quadrille.client.table_setup import seated
from quadrille.client.words.table import by_seat
from quadrille.net.program.station import now
from quadrille.net.seating.offers import offers
from quadrille.net.trust.guard import author_of
from quadrille.net.trust.names import LONGEST_NAME, plain_name
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from quadrille.rules.squares import quoted

Result = TypeVar("Result")
#: Maximum milliseconds between two looks at what is due.
_TURN: Final = 250
#: Milliseconds after its start in which a station hears of the tables that there are.
_FIRST_LOOK: Final = 2500
_NOWHERE: Final = "you sit at no table: see the tables, sit down at one, or play against bots"


def house_bots(bots: Sequence[str]) -> list[str]:
    """Return the names of bots that are installed. A model names no file and no command: it must start no program."""
    for bot in bots:
        if not is_of_house(bot):
            raise RulesError(f"there is no bot {quoted(bot)} here: choose from {', '.join(listed())}")
    return list(bots)


class ModelPlace:
    """The thread, and the table at which it sits."""

    def __init__(self, options: NetworkOptions, identity: str) -> None:
        self.name = options.name or plain_name(f"model of {own_name(None)}"[:LONGEST_NAME].strip())
        self._options = replace(options, name=self.name)
        self._identity = identity
        self._written = io.StringIO()
        self._console = Console(None, self._written)
        self._came = threading.Event()
        #: What is still to be done: each does it if it is time, and returns whether it is over.
        self._jobs: list[Callable[[], bool]] = []
        self._closed = False
        self._undo = ExitStack()
        self._began = 0
        #: Whether it looks for a table of others.
        self._joins = False
        self._tables: OwnTables | None = None
        self._own: OwnProgram | None = None
        self.face: PlainFace | None = None
        self.network: StationPresence | None = None
        self._thread = threading.Thread(target=self._run, name="the model's place", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        self._wake()
        self._thread.join()

    # For other threads

    def ask(
        self, job: Callable[[], Result], ready: Callable[[], bool] = lambda: True, seconds: float = 0
    ) -> "Future[Result]":
        """Let the place do a job once it is `ready`, or after this many seconds. The future gets its error."""
        if self._closed:
            raise RulesError("this seat has ended with an error: start the server again")
        future: Future[Result] = Future()
        end = time.monotonic() + seconds  # `now` stands still without a network

        def is_over() -> bool:
            try:
                if not (self._closed or future.cancelled() or time.monotonic() >= end or ready()):
                    return False
                if future.set_running_or_notify_cancel():
                    future.set_result(job())
            except BaseException as error:  # noqa: BLE001 - the one who asked handles it
                future.set_exception(error)
            return True

        self._jobs.append(is_over)
        self._wake()
        return future

    def _wake(self) -> None:
        self._came.set()
        if (network := self.network) is not None:
            network.station.node.wake_up()

    # The thread

    def _run(self) -> None:
        try:
            with self._undo:
                while not self._closed:
                    self._work()
                    self._go_on()
                self.leave()
                if self.network is not None:
                    self.network.station.flush()
        finally:  # whatever ended it, nobody waits for it in vain
            self._closed = True
            self._work()

    def _work(self) -> None:
        for is_over in self._jobs.copy():
            if is_over():
                self._jobs.remove(is_over)

    def _go_on(self) -> None:
        """Wait a moment for news, and take them."""
        if self.network is None:
            self._came.wait(_TURN / 1000)
        self._came.clear()
        events: list[Any] = [] if self.network is None else self.network.turn(_TURN)
        if self._own is not None:
            events = self._own.turn(0)  # what happens on the network is nothing to those at another table
        if self.face is not None:
            for event in events:
                with self._watch("the news here", author_of(event)):
                    self.face.hear(event)
                self.face = onward(self.face)
            with self._watch("what is due here"):
                self.face.tick()
            self.face = onward(self.face)
        for sentence in self.network.ended() if self.network is not None else ():
            self._console.say(sentence)

    def _watch(self, deed: str, author: bytes | None = None) -> AbstractContextManager[object]:
        return nullcontext() if self.network is None else self.network.watch(deed, author)

    # Coming and going, in the thread

    def _free(self) -> None:
        """Leave a table whose game is over, and a place that found none to join; refuse to leave another."""
        if self.face is not None and not self.is_done and not (self._joins and self.at_table is None):
            raise RulesError("you have a place already: play to the end there, or leave it first")
        self.leave()

    def present(self) -> StationPresence:
        """Be on the network, from the first time on."""
        if self.network is None:
            self.network = self._undo.enter_context(StationPresence(self._options, "bot", self._identity))
            self._began = now()
        return self.network

    def is_settled(self) -> bool:
        """Tell whether the station has had the time to hear of others."""
        return self.network is not None and now() >= self._began + _FIRST_LOOK

    def go(self, wish: wishes.PlaceWish) -> None:
        """Go to a place on the network."""
        self._free()
        self._joins = isinstance(wish, wishes.JoinTable)
        stage, sentences = stage_of(self.present(), wish, {})
        for line in sentences:
            self._console.say(line)
        face = plain_face(stage, self._console)
        face.begin()
        self.face = onward(face)

    def play(self, key: str, bots: Sequence[str], options: dict[str, Any], seats: int | None, seat: int) -> None:
        """Open a local table, with bots in all other seats."""
        self._free()
        seats = seats or (len(bots) + 1 if len(bots) > 1 else None)
        match = Match(game(key), options, seats, deal=Deal(secrets.token_hex(4)))
        row = seated(house_bots(bots), match.state.seats, seat - 1)
        setup = GameSetup.of(match, row, names=["" if bot else self.name for bot in row])
        self._tables, isolate = OwnTables(self._options.home), self._options.isolate or USUAL
        self._own = OwnProgram(setup, self._tables, isolate=isolate, came=self._came)
        self.face = PlainTable(self._own.seat, self._console)
        greet(setup, self._console.say)
        self.face.begin()

    def leave(self) -> None:
        """Leave the place; an unfinished game can be resumed."""
        face, self.face = self.face, None
        if self._own is not None:
            self._own.close()
            self._own = None
            for line in self._tables.close() if self._tables else ():
                self._console.say(line)
        elif face is not None and not face.stage.done:
            face.leave()

    # At a table, in the thread

    @property
    def at_table(self) -> TableSeat | None:
        return self.face.stage.at_table if self.face is not None else None

    @property
    def is_mine(self) -> bool:
        """Tell whether a move of this seat is awaited."""
        return self.at_table is not None and self.at_table.turn in self.at_table.mine

    @property
    def is_done(self) -> bool:
        """Tell whether nothing goes on here."""
        if self.face is None or self.face.stage.done:
            return True
        return self.at_table is not None and self.at_table.match.over is not None

    def needs_answer(self) -> bool:
        """Tell whether the table waits for this seat, or for nobody any more."""
        concern = self.at_table.concern() if self.at_table is not None else None
        asks = isinstance(concern, ProposalTold) and concern.answers
        return self.is_done or asks or self.is_mine

    def table(self) -> tuple[PlainFace, TableSeat]:
        """Return the face with its table; refused before there is one."""
        if self.face is None or (state := self.at_table) is None:
            raise RulesError(_NOWHERE)
        return self.face, state

    def wish(self, wish: wishes.Wish) -> None:
        """Make a wish, and raise its refusal."""
        if (face := self.face) is None:
            raise RulesError(_NOWHERE)
        face.tell()
        face.wish(wish)
        notices = face.stage.drain()
        for notice in notices:
            if not isinstance(notice, Refused) and (text := face.sentence(notice, "")):
                self._console.say(text)
        if refused := next((notice for notice in notices if isinstance(notice, Refused)), None):
            raise RulesError(by_seat(refused, face.stage.seats))

    # What a model reads, in the thread

    def news(self) -> str:
        """Take what was said since the last call."""
        text = self._written.getvalue().strip()
        self._written.seek(0)
        self._written.truncate()
        return text

    def report(self) -> dict[str, Any]:
        """Tell where this seat is, and what happened since the last report."""
        report: dict[str, Any] = {"place": "no table", "your_turn": False, "over": None, "needs": None}
        if (state := self.at_table) is not None:
            stage = None if self.face is None or self._own is not None else self.face.stage
            own = state.mine if stage is None else (state.own_seat,)
            names, clocks = enumerate(state.seats.names), state.clocks
            report |= {
                "place": "local table" if stage is None else "network",
                "game": state.match.game.key,
                "players": [{"seat": seat + 1, "name": name, "you": seat in own} for seat, name in names],
                "turn": None if state.turn is None else state.turn + 1,
                "your_turn": self.is_mine,
                "over": over_data(state.match.over) if state.match.over else None,
                "needs": (by_seat(concern, state.seats) or None) if (concern := state.concern()) else None,
                "milliseconds_left": [clocks.at(seat, now()) for seat in range(len(clocks.left))] if clocks else None,
            }
        elif not self.is_done:
            report["place"] = "waiting for a table"
        return report | {"news": self.news()}

    def view(self) -> dict[str, Any]:
        """Return the position as this seat sees it, by docs/view.schema.json."""
        _, state = self.table()
        return {"game": state.match.game.key} | scene_data(state.view.scene())

    def moves(self, start: str) -> str:
        """List the legal moves of this seat; those of others could tell their cards."""
        _, state = self.table()
        if not self.is_mine:
            raise RulesError("it is not your turn: wait")
        return moves_text(state.match, start)

    def look(self) -> str:
        """Draw the table as a person would read it."""
        face, state = self.table()
        news = self.news()
        self._console.say(heading(state.match))
        face.draw()
        if state.turn is not None:
            whose = "your turn" if self.is_mine else f"the turn of {state.seats.names[state.turn]}"
            self._console.say(f"It is {whose}.")
        return "\n".join(filter(None, (news, self.news())))

    def tables(self) -> dict[str, Any]:
        lobby = self.present().station.lobby
        return {
            "tables": [table_data(lobby, offer) for offer in offers(lobby)],
            "here": sorted(peer.name for peer in lobby.peers.values()),
        }

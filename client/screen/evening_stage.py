"""The shell of an evening: the network's task, records, the doctor, and the end of the evening.

Imported only for a screen. Threads do slow work, and pass the results to the screen as events. Turns of the network
(network/session.py) are taken in one worker thread, which waits for the sockets too. In the loop itself a proof about a
shuffled deck would keep a key waiting for 50 ms, and a slow disk for longer; tests/bench/screen.py measures keys.
"""

import asyncio
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from quadrille.client.lobby_rows import PluggedShell, shell_of
from quadrille.client.network.options import NetworkOptions
from quadrille.client.screen.evening import DOCTOR, Evening, draw_evening, update_evening
from quadrille.client.screen.lobby.gallery import game_cards
from quadrille.client.screen.lobby.model import Errand, GamesShown, LeftGames, NewGame, PageLine
from quadrille.client.screen.network import news
from quadrille.client.screen.stage import Stage, tried
from quadrille.client.screen.start import FirstPicture, begin_lobby
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Closed, Model, SitDown
from quadrille.client.screen.table.shown import replay_of
from quadrille.client.screen.table.terminal import PickList
from quadrille.client.settings import read_settings
from quadrille.client.table.game_setup import GameSetup
from quadrille.net.core.errors import NetError
from quadrille.plugs import BrokenPlug
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal as Seed
from quadrille.rules.match import Match
from quadrille.rules.registry import game

if TYPE_CHECKING:
    from quadrille.client.screen.network.session import NetworkSession

#: Seconds before another attempt to open a network.
_RETRY: Final = 5


class StationTask:
    """The network in a thread of its own: it opens the station, carries orders in and news out, and retries. It calls
    `hear` in the thread of the loop, and leaves `said` for the person when the screen is gone.
    """

    def __init__(
        self, options: NetworkOptions, hear: Callable[[news.Told], None], first: news.Order | None = None
    ) -> None:
        self.said: list[str] = []
        self._options = options
        self._hear = hear
        self._first = first
        #: The person came for the table of the first order alone, and leaves with it; an evening of guests goes on.
        self.straight = first is not None and not options.evening
        self._loop = asyncio.get_running_loop()
        self._orders: deque[news.Order] = deque()
        self._leaves = threading.Event()
        self._session: NetworkSession | None = None
        self._done: asyncio.Future[None] | None = None

    def start(self) -> None:
        self._done = self._loop.run_in_executor(None, self._run)

    def ask(self, order: news.Order) -> None:
        """Have an order carried out soon."""
        self._orders.append(order)
        self._wake()

    async def close(self) -> None:
        """Leave the network."""
        self._leaves.set()
        self._wake()
        if self._done is not None:
            await self._done

    def _wake(self) -> None:
        if (session := self._session) is not None:
            session.place.station.node.wake_up()

    # In the thread, which waits for nothing that the loop does: a slow picture must hold up nobody at the table

    def _run(self) -> None:
        """Run one session after another: after a change of name, or after an obstacle is gone."""
        again = True
        while again and not self._leaves.is_set():
            try:
                again = self._stay()
            except (NetError, RulesError, OSError) as error:
                again = self._refused(error)
            except Exception as error:  # noqa: BLE001, the screen restores the terminal, and raises it
                context = {"message": "the network failed", "exception": error}
                self._loop.call_soon_threadsafe(self._loop.call_exception_handler, context)
                return

    def _stay(self) -> bool:
        """Stay on the network until the person leaves it; return whether another session follows."""
        from quadrille.client.presence.place import StationPresence  # it takes a while, and the screen is there
        from quadrille.client.screen.network.session import NetworkSession

        with StationPresence(self._options) as place:
            session = NetworkSession(place)
            # once more after a change of name: only who looks for its table still can take another
            session.begin(self._first, straight=self.straight)
            self._session = session
            try:
                while not (self._leaves.is_set() or session.ends):
                    for event in session.turn(self._orders):
                        self._loop.call_soon_threadsafe(self._hear, event)
                self._tell(session.leave())
            finally:
                self._session = None
        self._options = replace(self._options, name=session.renamed or self._options.name)
        return bool(session.renamed)

    def _refused(self, error: Exception) -> bool:
        """Report why there is no network; return whether to retry, after a pause."""
        reason = f"{error.filename or 'the network'}: {error.strerror}" if isinstance(error, OSError) else f"{error}"
        self._orders.clear()
        shut = news.News(news.Around(link="NO NETWORK", shut=reason), None)
        self._tell([news.StationLeft(1, (reason,)) if self.straight else shut])
        return not (self.straight or self._leaves.wait(_RETRY))

    def _tell(self, events: Iterable[news.Told]) -> None:
        for event in events:
            self.said += event.said if isinstance(event, news.StationLeft) else ()
            self._loop.call_soon_threadsafe(self._hear, event)


#: Maximum tables whose results are looked up, and the time limit for that in seconds.
_MOST_TABLES: Final = 50
_PATIENCE: Final = 0.5


class EveningStage(Stage):
    """An evening on the screen, from the first picture to the last."""

    def __init__(
        self, options: NetworkOptions, order: news.Order | None = None, *, first: FirstPicture | None = None
    ) -> None:
        settings, remark = read_settings()
        self._remark = remark
        self._options = options
        self._order = order
        self._shells: dict[str, PluggedShell] = {}
        super().__init__(
            Evening(begin_lobby(options, settings, remark), bot=settings.hints),
            settings,
            functions=(update_evening, draw_evening),
            first=first,
            at_home=options.home,
        )

    async def run(self) -> int:
        self._network = StationTask(self._options, self.shell.tell, self._order)
        asyncio.get_running_loop().call_soon(self._go)  # the network starts after the first picture
        try:
            return await super().run()
        finally:
            for shell in self._shells.values():
                shell.close()
            await self._network.close()

    def ended(self) -> list[str]:
        """Add the network's last lines, and a remark about settings that no lobby has shown."""
        remarks = [self._remark] if self._remark and self._network.straight else []
        return [*super().ended(), *remarks, *self._network.said]

    def _go(self) -> None:
        """Start the network, now that the screen is there."""
        self._network.start()
        self.later(lambda: GamesShown(game_cards()))  # the lobby shows them while a table is searched, too
        if not self._network.straight:
            self.later(lambda: games_left(self._options.home))

    def perform(self, effect: Any) -> None:
        match effect:
            case _ if isinstance(effect, news.Order):
                if isinstance(effect, news.Rename):
                    self.keep(replace(self.settings, name=effect.name))
                self._network.ask(effect)
            case NewGame(key, options, bots, clock, names):
                match_now = Match(game(key), dict(options), len(bots), deal=Seed(secrets.token_hex(4)))
                self.shell.tell(SitDown(GameSetup.of(match_now, bots, clock, names)))
            case Closed():
                super().perform(effect)
                # after the game that has just been left is written
                worker = self._tables.worker if self._tables is not None else None
                self.later(lambda: games_left(self._options.home), worker)
            case Errand("doctor"):
                self._loop.run_in_executor(None, self._examine)
            case Errand("replay", name):
                read = partial(opened, name, self._options.home)
                self.later(partial(tried, read, "Not read: ") if name else partial(games_played, self._options.home))
            case Errand("resume", number):
                self.shell.tell(tried(lambda: SitDown(self.tables.take(bytes.fromhex(number)))))
            case Errand("forget", number):
                self.later(partial(self._forget, number))
            case Errand(word, rest):
                self._open(word, rest)
            case _ if not any(shell.perform(effect) for shell in self._shells.values()):
                super().perform(effect)

    def _open(self, word: str, rest: str) -> None:
        """Run a plugged command; its shell stays for the evening."""
        try:
            if word not in self._shells:
                self._shells[word] = shell_of(word)(self._options.home, self.tell)
            self._shells[word].open(rest)
        except BrokenPlug as error:
            self.shell.tell(terminal.Told(f"{error}.", alarm=True))

    def _forget(self, number: str) -> LeftGames:
        """Forget an unfinished game that the person does not want any more."""
        from quadrille.client.kept.games import forgotten  # imported here: few are forgotten

        self.tell(tried(lambda: terminal.Told(forgotten(self._options.home, bytes.fromhex(number), online=True))))
        return games_left(self._options.home)

    def _examine(self) -> None:
        """Show the findings of `quadrille doctor` as they come."""
        from quadrille.client.presence.diagnosis import examine, verdict  # imported here: the first picture needs none

        findings = []
        for finding in examine(self._options):
            findings.append(finding)
            self.tell(PageLine(DOCTOR, finding.line))
        for line in ("", verdict(findings)):  # the page lays it out for its window
            self.tell(PageLine(DOCTOR, line))


def games_left(at_home: str | None) -> LeftGames:
    """Return the unfinished games as rows of the lobby."""
    from quadrille.client.kept.games import left_games  # imported here: the first picture does not need it

    ago = time.monotonic() - time.time()
    return LeftGames(
        tuple(
            news.TableRow(
                game.table.hex(), game.title, "", game.others, game.about.seats, game.about.seats,
                "left" if game.is_own else "kept", max(1, int((game.changed + ago) * 1000)),
                terms=game.line.partition("  ")[2], keys=game.keys,
            )
            for game in left_games(at_home)
        )
    )  # fmt: skip


def games_played(at_home: str | None) -> PickList | terminal.Told:
    """Offer all known played games, the newest first: finished ones of the store, and records."""
    from quadrille.client.kept.own_games import played_games  # imported here: few look at them

    rows = tuple((line, f"replay {name}") for name, line in played_games(at_home, _MOST_TABLES, _PATIENCE))
    nothing = "No game has been finished yet: each one that is will be here."
    return PickList("Which game?", rows) if rows else terminal.Told(nothing, alarm=True)


def opened(name: str, at_home: str | None) -> Model:
    """Read a record or a log that the person wants to see."""
    from quadrille.client.picture.records import told  # imported here: the lobby needs no pictures

    return replay_of(told(name, at_home=at_home))

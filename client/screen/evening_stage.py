"""The shell of an evening: the network's task, records, the doctor, and the end of the evening.

Imported only for a screen. Threads do slow work, and pass the results to the screen as events.
"""

import secrets
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from quadrille.client.lobby_rows import PluggedShell, shell_of
from quadrille.client.network.options import NetworkOptions
from quadrille.client.screen.evening import DOCTOR, Evening, draw_evening, update_evening
from quadrille.client.screen.lobby.gallery import game_cards
from quadrille.client.screen.lobby.model import Browsed, Dealt, Errand, GamesShown, LeftGames, NewGame, PageLine
from quadrille.client.screen.network import news
from quadrille.client.screen.network.station_task import StationTask
from quadrille.client.screen.stage import Stage, sentence
from quadrille.client.screen.start import FirstPicture, begin_lobby
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.model import Closed
from quadrille.client.settings import read_settings
from quadrille.client.table.game_setup import GameSetup
from quadrille.net.core.errors import NetError
from quadrille.plugs import BrokenPlug
from quadrille.rules.drawing.plain_text import WIDTH
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Deal as Seed
from quadrille.rules.match import Match
from quadrille.rules.registry import game

#: Maximum tables whose results are looked up, and the time limit for that in seconds.
_MOST_TABLES: Final = 50
_PATIENCE: Final = 0.5


class EveningStage(Stage):
    """An evening on the screen, from the first picture to the last."""

    def __init__(
        self,
        options: NetworkOptions,
        order: news.Order | None = None,
        *,
        first: FirstPicture | None = None,
        screen_input: Input | None = None,
        screen_output: Output | None = None,
    ) -> None:
        settings, remark = read_settings()
        #: Lines for the person after the screen is gone. A remark is among them if no lobby shows it.
        straight = news.leaves_with(order, evening=options.evening)
        self.said = [remark] if remark and straight else []
        self._options = options
        self._order = order
        self._shells: dict[str, PluggedShell] = {}
        super().__init__(
            Evening(begin_lobby(options, settings, remark), straight=straight, bot=settings.hints),
            settings,
            functions=(update_evening, draw_evening),
            first=first,
            screen_input=screen_input,
            screen_output=screen_output,
            at_home=options.home,
        )

    async def run(self) -> int:
        self._network = StationTask(self._options, self._hear, self._order)
        self.shell.app.after_render += self._go  # the network starts after the first picture
        try:
            return await super().run()
        finally:
            for shell in self._shells.values():
                shell.close()
            await self._network.close()

    def _hear(self, told: news.Told) -> None:
        """Pass news on to the screen, and keep the last lines for the person."""
        match told:
            case news.StationLeft(_, said):
                self.said += said
            case news.Shut(why) if self.shell.model.straight:
                self.said.append(why)
        self.shell.tell(told)

    def _go(self, app: object) -> None:
        """Start the network, now that the screen is there."""
        self.shell.app.after_render -= self._go
        self._network.start()
        self.later(lambda: GamesShown(game_cards()))  # the lobby shows them while a table is searched, too
        if not self.shell.model.straight:
            self.later(lambda: games_left(self._options.home))

    def perform(self, effect: Any) -> None:
        match effect:
            case _ if isinstance(effect, news.Order):
                if isinstance(effect, news.Rename):
                    self.keep(replace(self.settings, name=effect.name))
                self._network.ask(effect)
            case NewGame(key, options, bots, clock, names):
                match_now = Match(game(key), dict(options), len(bots), deal=Seed(secrets.token_hex(4)))
                self.shell.tell(Dealt(GameSetup.of(match_now, bots, clock, names)))
            case Closed():
                super().perform(effect)
                self._look_for_left_games()
            case Errand(word, rest):
                self._run(word, rest)
            case _ if not any(shell.perform(effect) for shell in self._shells.values()):
                super().perform(effect)

    def _run(self, word: str, rest: str) -> None:
        """Run an errand; the shell of a plugged command stays for the evening."""
        match word:
            case "doctor":
                self._loop.run_in_executor(None, self._examine)
                return
            case "replay":
                self.later(partial(_read, rest, self._options.home) if rest else self._files)
                return
            case "resume":
                self._go_on(rest)
                return
            case "forget":
                self.later(partial(self._forget, rest))
                return
        try:
            if word not in self._shells:
                self._shells[word] = shell_of(word)(self._options.home, self.tell)
            self._shells[word].open(rest)
        except BrokenPlug as error:
            self.shell.tell(terminal.Told(f"{error}.", alarm=True))

    def _go_on(self, number: str) -> None:
        """Put a saved game on the table."""
        try:
            self.shell.tell(Dealt(self.tables.take(bytes.fromhex(number))))
        except (OSError, RulesError, NetError) as error:
            self.shell.tell(terminal.Told(sentence(error), alarm=True))

    def _forget(self, number: str) -> LeftGames:
        """Forget an unfinished game that the person does not want any more."""
        from quadrille.client.kept.games import forgotten  # imported here: few are forgotten

        try:
            self.tell(terminal.Told(forgotten(self._options.home, bytes.fromhex(number), online=True)))
        except (OSError, NetError) as error:
            self.tell(terminal.Told(sentence(error), alarm=True))
        return games_left(self._options.home)

    def _look_for_left_games(self) -> None:
        """List the unfinished games at this keyboard, after the one that has just been left is written."""
        worker = self._tables.worker if self._tables is not None else None
        self._loop.run_in_executor(worker, lambda: self.tell(games_left(self._options.home)))

    def _files(self) -> Browsed:
        """Find all known played games: finished ones of the store, and records."""
        from quadrille.client.kept.played import played_games  # imported here: few look at them

        return Browsed(tuple(played_games(self._options.home, _MOST_TABLES, _PATIENCE)))

    def _examine(self) -> None:
        """Show the findings of `quadrille doctor` as they come."""
        from quadrille.client.presence.diagnosis import examine, verdict  # imported here: the first picture needs none

        findings = []
        for finding in examine(self._options):
            findings.append(finding)
            self.tell(PageLine(DOCTOR, finding.line))
        for line in ("", *wrap(verdict(findings), WIDTH)):
            self.tell(PageLine(DOCTOR, line))


def games_left(at_home: str | None) -> LeftGames:
    """Return the unfinished games as rows of the lobby."""
    from quadrille.client.kept.games import left_games  # imported here: the first picture does not need it

    ago = time.monotonic() - time.time()
    return LeftGames(
        tuple(
            news.TableRow(
                one.table.hex(), one.title, "", one.others, one.about.seats, one.about.seats,
                "left" if one.is_own else "kept", max(1, int((one.changed + ago) * 1000)),
                terms=one.line.partition("  ")[2], keys=one.keys,
            )
            for one in left_games(at_home)
        )
    )  # fmt: skip


def _read(name: str, at_home: str | None) -> news.Shown | terminal.Told:
    """Read a record or a log that the person wants to see."""
    from quadrille.client.picture.records import told as told_by  # imported here: the lobby needs no pictures

    try:
        one = told_by(name, at_home=at_home)
    except (OSError, RulesError, NetError) as error:
        return terminal.Told(f"Not read: {sentence(error)}", alarm=True)
    return news.Shown(Path(name).name, one.match, tuple(one.safe_names) if one.names else ())

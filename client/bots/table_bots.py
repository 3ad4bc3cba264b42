"""The bots of this program at one table, and the bot for hints: programs of their own, never code in this process.

Each plays in its seat by ai/peer/seated.py. Nothing here waits: a program wakes its caller when it has answered, and
the caller calls `act` then, after each change of the table, and at the `deadline`. Of a screen that is its event loop.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING

from quadrille.ai.bots.lines.dialogue import Chosen, Replied, Seating
from quadrille.ai.bots.lines.time_terms import AT_HOME, LONG
from quadrille.ai.bots.player import BotPlayer, StillThinking
from quadrille.ai.bots.talk import Talk, now
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.seated import BEAT, SeatedBot, dice_at_home
from quadrille.ai.tournament.play.cores import idle
from quadrille.client.bots.boxes import USUAL, limits
from quadrille.client.bots.names import called, program_words
from quadrille.client.bots.program import started
from quadrille.client.table.ballot import Ballot
from quadrille.client.table.game_setup import BotDeed
from quadrille.client.table.notices import About, Fact, HintGiven
from quadrille.client.table.wishes import Advise, Hinted
from quadrille.net.tables.table import Table
from quadrille.rules.core.thoughts import Thought
from quadrille.rules.errors import RulesError

if TYPE_CHECKING:
    import asyncio


class TableBots:
    """The bots by seat. For one thread."""

    def __init__(
        self,
        wake: Callable[[], None],
        isolate: str = USUAL,
        *,
        let_go: Callable[[Talk], object] = lambda talk: talk.close(0),
        patience: int | None = None,
        beat: int = BEAT,
    ) -> None:
        """`wake` is called from any thread. `isolate` is the box of each program, `let_go` ends one. `patience` and
        `beat` are those of a `SeatedBot`.
        """
        self._wake, self._isolate, self._let_go, self._patience, self._beat = wake, isolate, let_go, patience, beat
        self._seated: dict[int, tuple[str, SeatedBot]] = {}
        self._numbers = count(1)  # of what is offered to them
        #: The last question for a hint, whoever answers it, and whether the answer is awaited.
        self._advice: tuple[Advise, BotPlayer] | None = None
        self._waits = False

    @property
    def deadline(self) -> int | None:
        """When to call `act` and `hint` if nothing happens before, by the clock of `talk.now`."""
        waits = [bot.deadline for _, bot in self._seated.values()]
        waits += [self._advice[1].deadline] if self._advice is not None else []
        return min((due for due in waits if due is not None), default=None)

    def _started(self, bot: str) -> Talk | BotFault:
        try:
            return Talk(started(program_words(bot), limits(self._isolate), wake=self._wake))
        except (RulesError, BotFault, OSError) as error:
            return BotFault("crash", f"can't be started: {error}")

    # In the seats

    def act(self, table: Table, row: Mapping[int, str], now: int, ballot: Ballot) -> Iterator[tuple[int, BotDeed]]:
        """Let the bots of a row do what is due, and yield what each seat's has done. A bot starts in its first turn,
        again if it failed before, and its program goes on to another table.
        """
        turn = table.log.now.turn
        for seat, (bot, seated) in [*self._seated.items()]:
            if row.get(seat) != bot or (seated.player.fault is not None and seat != turn):
                self.drop(seat)
            elif seated.table is not table:
                seated.player.over(seated.table.over, seated.table.log.now.match)
                self._seat(table, seat, bot, seated.player.talk or self._started(bot))
        if turn is not None and (bot := row.get(turn, "")) and turn not in self._seated:
            self._seat(table, turn, bot, self._started(bot))
        for seat, (_, seated) in self._seated.items():
            for event in seated.act(now):
                match event:
                    case Chosen(_, Thought() as thought):
                        yield seat, thought
                    case StillThinking(waited) if seat == table.log.now.turn:
                        yield seat, About(Fact.BOT_SLOW, text=f"{waited / 1000:g}", seat=seat)
                    case Replied(number, agree) if number == ballot.bots.get(seat):
                        ballot.answer(seat, agrees=agree)
        self._pass_on(ballot)

    def _pass_on(self, ballot: Ballot) -> None:
        """Offer a draw to the bots that have not heard of it. One that is not ready, or fails before it has answered,
        does not agree.
        """
        for seat, number in [*ballot.bots.items()]:
            player = self._seated[seat][1].player if seat in self._seated else None
            if player is None or player.fault is not None or not player.is_ready:
                return ballot.answer(seat, agrees=False)
            if not number and ballot.asker is not None:
                ballot.bots[seat] = next(self._numbers)
                player.offer("draw", ballot.asker.voices[0], ballot.bots[seat])
        return None

    def _seat(self, table: Table, seat: int, bot: str, talk: Talk | BotFault) -> None:
        seated = SeatedBot(table, seat, talk, self._patience, forfeits=False, beat=self._beat, cores=idle())
        self._seated[seat] = bot, seated

    def fault(self, seat: int) -> str | None:
        """Return why a bot has failed, which waits for a person in its turn."""
        fault = self._seated[seat][1].player.fault if seat in self._seated else None
        return fault.why if fault is not None else None

    def is_asked(self, seat: int) -> bool:
        """Tell whether a bot has heard of its turn, so that its clock runs."""
        return seat in self._seated and self._seated[seat][1].player.is_asked

    def rest(self) -> None:
        """Take back all questions, as for a pause."""
        for _, seated in self._seated.values():
            seated.rest()

    def drop(self, seat: int) -> None:
        """Let a bot go; the next `act` in its turn starts it anew."""
        self._end(self._seated.pop(seat)[1].player)

    # Hints

    def advise(self, effect: Advise) -> None:
        """Ask a bot for a hint; `hint` returns it."""
        talk: Talk | BotFault | None = None
        if self._advice is not None:
            asked, before = self._advice
            before.over(None, asked.match)
            if asked.bot == effect.bot:
                talk = before.talk
            else:
                self._end(before)
        seating = Seating(effect.seat, "local", seed=dice_at_home(effect.match, effect.seat), cores=idle())
        player = BotPlayer(talk or self._started(effect.bot), seating, AT_HOME, LONG)
        player.follow(effect.match)
        self._advice, self._waits = (effect, player), True

    def hint(self) -> Hinted | None:
        """Return the bot's answer, once."""
        while self._advice is not None and self._waits:
            asked, player = self._advice
            player.ask(hint=True)
            match player.hear():
                case None:
                    return None
                case Chosen(move, reason=reason):
                    notice: HintGiven | About = HintGiven(asked.bot, str(move), reason)
                case StillThinking(waited):
                    why = f"gives no hint: it has been thinking for {waited / 1000:g} seconds"
                    notice = About(Fact.HINT_MISSED, called(asked.bot), why)
                    self._end(player)
                    self._advice = None
                case BotFault() as fault:
                    notice = About(Fact.HINT_MISSED, called(asked.bot), fault.why)
                case _:
                    continue
            self._waits = False
            return Hinted(asked.ticket, notice)
        return None

    # The end

    def _end(self, player: BotPlayer) -> None:
        if player.talk is not None:
            self._let_go(player.talk)

    def let_all_go(self) -> None:
        """Let all bots go because the table is left. The next table starts its own bots."""
        for seat in [*self._seated]:
            self.drop(seat)
        if self._advice is not None:
            self._end(self._advice[1])
            self._advice = None

    def close(self) -> None:
        """End all programs, and wait for their end."""
        self._let_go = lambda talk: talk.close(0)
        self.let_all_go()


class LoopBots(TableBots):
    """Bots that wake the loop's own thread; it waits for none before the end."""

    def __init__(self, hear: Callable[[], None], loop: "asyncio.AbstractEventLoop", isolate: str) -> None:
        """`hear` calls `act`, `hint` and `look`."""
        super().__init__(self._call, isolate, let_go=lambda talk: loop.run_in_executor(None, talk.close, 0))
        self._hear = hear
        self._loop = loop
        self._timer: asyncio.TimerHandle | None = None

    def _call(self) -> None:
        """Have the loop hear the bots; a program's thread calls this."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._hear)

    def look(self, deadline: int | None = None) -> None:
        """Hear the bots again when something is due, or at the deadline of their table."""
        due = min((due for due in (self.deadline, deadline) if due is not None), default=None)
        if self._timer:
            self._timer.cancel()
        self._timer = self._loop.call_later(max(0, due + 1 - now()) / 1000, self._hear) if due is not None else None

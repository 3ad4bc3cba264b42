"""The table's side of the dialogue with one bot: the lines to it, the meaning of its lines, owed answers and deadlines.

A machine without a process and without a clock: lines and `now` (milliseconds) come in, lines and events go out. A
fault of the bot is a `BotFault`, after which nothing more is read. ai/bots/process/program.py owns the processes.
Specification: docs/protocols/bots.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quadrille.ai.bot import PROTOCOL
from quadrille.ai.bots.lines.answers import Greeting, answer, greeting, quoted_line
from quadrille.ai.bots.lines.asking import Turn, position_data
from quadrille.ai.bots.lines.news import Teller
from quadrille.ai.bots.lines.parameters import Number
from quadrille.ai.bots.lines.time_terms import USUAL_TERMS, TimeTerms
from quadrille.ai.data import over_data, rules_raised
from quadrille.ai.faults import BotFault
from quadrille.ai.json_lines import encode
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.core import RULES_VERSION, Move, Over, State
from quadrille.rules.core.thoughts import REASON, Reason, Thought, read_reason, thought
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.rules.squares import quoted
from quadrille.value import value

#: Timeout for a bot's greeting and for getting ready for a game, in milliseconds of its own time (talk.py), and in all.
START: Final = 10_000
LONGEST_START: Final = 300_000
#: Advised time for a move without a clock, in milliseconds.
BUDGET: Final = 1_000
#: Timeout of the answer to a proposal, in milliseconds.
OFFER: Final = 10_000
#: Maximum misplaced lines between two turns that it is given: repeated answers, questions that make no sense.
MOST_STRAY: Final = 100
#: The likeliest reason for silence at the start.
_FLUSH: Final = " (it has to answer each line before it reads on, and to flush each line that it writes)"


@value
class Seating:
    """A bot's seat in a game, as `start` describes it. The `seed` is for the bot's own dice, and must reveal nothing
    about the game. The bot may keep `cores` busy.
    """

    seat: int = 0
    table: str = ""
    names: Sequence[str] = ()
    clock: TimeControl | None = None
    seed: str = ""
    cores: int = 1


@value
class Ready:
    """The bot is ready for the game."""


@value
class Chosen:
    """The bot's legal move. The table shows its `thought` to nobody, and its `reason` to the person who asked for a
    hint.
    """

    move: Move
    thought: Thought | None = None
    reason: Reason | None = None


@value
class Replied:
    """The answer to the proposal of that number; a late one counts as no."""

    number: int
    agree: bool


Event = Greeting | Ready | Chosen | Replied


class Dialogue:
    """The dialogue with one bot, over any number of games one after another.

    The caller sends what is in `outgoing`, passes each received line to `receive`, and calls `wake` at the
    `deadline`. Positions come as a match, which may know everything, and as the view of the bot's seat: only what is
    in that view is ever sent.
    """

    __slots__ = (
        "_allowed", "_before", "_due", "_hints", "_offers", "_stale", "_stray", "_teller", "_timed", "_turn", "_turns",
        "_unready", "asked", "began", "fault", "greeting", "outgoing", "seat", "start_within", "starts_by",
    )  # fmt: skip

    def __init__(self, now: int, start: int = START) -> None:
        """Send the first line, hello. `start`: timeout of the answer, and of getting ready."""
        self.outgoing: list[bytes] = []
        self.greeting: Greeting | None = None
        self.fault: BotFault | None = None
        self.seat = 0
        self.start_within = start
        self.began = now
        #: When the bot has to have greeted or got ready; talk.py may postpone that.
        self.starts_by: int | None = now + start
        self._unready = 0
        self._turn: Turn | None = None
        self._turns = self._before = 0  # before: in earlier games
        self._allowed = self._due = 0
        self._timed = self._hints = False
        self._offers: dict[int, int] = {}
        #: The bot's questions in its present turn.
        self.asked = 0
        self._stray = 0
        self._stale = 0  # the last closed turn that was answered since the open one was given
        self._teller: Teller | None = None
        self._say("hello", protocol=PROTOCOL, rules=RULES_VERSION)

    # From the table

    def start(
        self,
        match: Match,
        view: State[Any, Any],
        seating: Seating,
        now: int,
        parameters: Mapping[str, Number] | None = None,
    ) -> None:
        """Start a game for a seat, perhaps in its middle; `Ready` follows. `parameters` are values that the table
        sets.
        """
        assert self.greeting is not None
        seat, clock = seating.seat, seating.clock
        self.seat, self._turn, self._stray, self._before = seat, None, 0, self._turns
        self._offers.clear()
        self._teller = Teller(match, seat)
        self.began, self.starts_by = now, now + self.start_within
        self._unready += 1
        self._say(
            "start",
            table=seating.table,
            game=match.game.key,
            options=match.state.options.plain(),
            seats=match.state.seats,
            seat=seat,
            names=list(seating.names) or [f"player {number + 1}" for number in range(match.state.seats)],
            clock=None if clock is None else {"initial": clock.initial, "increment": clock.increment},
            seed=seating.seed,
            news=self._teller.news(match, view),
            **rules_raised(match.game),
            **({"parameters": dict(parameters)} if parameters else {}),
            **({"cores": seating.cores} if seating.cores > 1 else {}),
        )

    def turn(
        self,
        match: Match,
        view: State[Any, Any],
        now: int,
        terms: TimeTerms = USUAL_TERMS,
        clocks: Clocks | None = None,
        *,
        hint: bool = False,
    ) -> None:
        """Ask for the bot's move; `Chosen` follows. The `clocks` are stopped ones, if there are any, which then decide;
        otherwise the patience of the `terms` does. The bot does not know the margin. Without clocks, and with an
        amount of work, it may take all its time for that. A `hint` may come with a reason. An open turn is replaced.
        """
        assert self.greeting is not None and self._teller is not None
        self._turns += 1
        # Strays count from here: who asks about each move is astray with all its questions when its turn is taken back.
        self._stray = self._stale = self.asked = 0
        self._turn = Turn(self._turns, view)
        self._timed = clocks is not None
        times = "null"
        if clocks is None:
            allowed = terms.patience
            budget = BUDGET if terms.work is None else allowed
        else:
            left, increment = clocks.left, clocks.terms.increment
            if terms.free:
                left = tuple(time + terms.free for time in left)
            allowed = left[self.seat]
            budget = advised(allowed, increment)
            times = f'{{"left": {[*left]}, "increment": {increment}}}'
        if terms.budget is not None:
            budget = terms.budget
        self._allowed = allowed
        self._due = now + allowed + terms.margin
        self._hints = hint
        # Written by hand: the encoder takes three times as long for a small object as its text does.
        line = f'{{"do": "turn", "turn": {self._turns}, "news": {self._teller.news_line(match, view)}, "clock": {times}'
        line += f', "patience": {allowed}, "budget": {max(1, min(budget, allowed))}'
        if terms.work is not None:
            line += f', "work": {terms.work}'
        if hint:
            line += ', "hint": true'
        omit = self.greeting.omit
        if "view" not in omit or "text" not in omit:
            line += f", {encode(position_data(view, omit))[1:-2].decode()}"
        if "moves" not in omit:
            line += f", {self._turn.first_moves()}"
        self.outgoing.append(f"{line}}}\n".encode())

    def offer(
        self, offer: str, by: int, number: int, match: Match, view: State[Any, Any], now: int, patience: int = OFFER
    ) -> None:
        """Send a proposal of seat `by`, or of the table on its behalf; `Replied` follows with this number."""
        assert self._teller is not None
        self._offers[number] = now + patience
        self._say("offer", offer=offer, by=by, number=number, news=self._teller.news(match, view))

    def over(self, over: Over, match: Match, view: State[Any, Any]) -> None:
        """Send the end of the game; afterwards the bot may start another."""
        assert self._teller is not None
        self._turn, self.starts_by = None, None
        self._offers.clear()
        self._say("over", **over_data(over), news=self._teller.news(match, view))
        self._teller = None

    def no_turn(self) -> None:
        """Close the open turn: it was taken back, or another decided. A late answer is ignored."""
        self._turn = None

    def quit(self) -> None:
        """Tell the bot to end."""
        self._turn = None
        self._say("quit")

    # From the bot

    @property
    def deadline(self) -> int | None:
        """When to call `wake`, if no line comes before."""
        turn = None if self._turn is None else self._due
        if not self._offers and self.starts_by is None:
            return turn
        waits = (*self._offers.values(), turn, self.starts_by)
        return min((due for due in waits if due is not None), default=None)

    def wake(self, now: int) -> list[Replied]:
        """Check deadlines: a bot that owes something is late, and proposals without an answer count as refused."""
        if self.starts_by is not None and now > self.starts_by:
            what = "say who it is" if self.greeting is None else "say that it is ready for a game"
            raise self._failed("stall", f"did not {what} within {_seconds(self.starts_by - self.began)}{_FLUSH}")
        if self._turn is not None and now > self._due:
            raise self._late(self._turn)
        late = [number for number, due in self._offers.items() if now > due]
        for number in late:
            del self._offers[number]
        return [Replied(number, agree=False) for number in late]

    def receive(self, line: bytes | None, now: int) -> Event | None:
        """Process a line of the bot, None for one that was too long; return its event, if any."""
        if self.fault is not None:
            raise self.fault
        if (turn := self._turn) is not None:
            if now > self._due:
                raise self._late(turn)
            if line is not None and (move := turn.plainly_chosen(line)) is not None:
                self._turn = None
                return Chosen(move)
        try:
            message = answer(line)
            if self.greeting is None:
                self.greeting, self.starts_by = greeting(message), None
                return self.greeting
            match message:
                case {"ask": _}:
                    self._hear_ask(message)
                    return None
                case {"turn": _} | {"move": _}:
                    return self._hear_move(message)
                case {"offer": _}:
                    return self._hear_reply(message)
                case {"ready": True} if self._unready:
                    return self._hear_ready()
        except BotFault as fault:
            self.fault = fault
            raise
        raise self._failed("protocol", f"wrote {quoted_line(line)}, which answers none of the table's lines")

    def _hear_ask(self, message: Mapping[str, Any]) -> None:
        self.asked += 1
        kind = message["ask"] if isinstance(message["ask"], str) else "?"
        try:
            if self._turn is None:
                raise RulesError("it is not your turn: there is nothing to ask")
            self._say("answer", answer=kind, **self._turn.answer(message))
        except RulesError as error:
            self._say("answer", answer=kind[:40], why=str(error))
            self._strayed(f"asked for what can't be answered, at last so: {error}")

    def _hear_move(self, message: Mapping[str, Any]) -> Chosen | None:
        number, text = message.get("turn"), message.get("move")
        if isinstance(number, bool) or not isinstance(number, int) or not isinstance(text, str):
            raise self._failed("protocol", 'answered a turn otherwise than as {"turn": its number, "move": "its text"}')
        if self._turn is None or number != self._turn.number:
            if not 1 <= number <= self._turns:
                raise self._failed(
                    "protocol", f"moved in turn {number}, and the last that it was given is {self._turns}"
                )
            self._stale = number
            self._strayed(f"moved again and again in turns that were over, at last in turn {number}")
            return None
        view = self._turn.view
        try:
            move = self._turn.read(text)
        except RulesError as error:
            raise self._failed("illegal", f"moved {quoted(text)}, which is not legal: {error}") from None
        self._turn = None
        reason = read_reason(message.get(REASON), view.seats) if self._hints else None
        return Chosen(move, thought(message, view), reason)

    def _hear_ready(self) -> Ready | None:
        """Count an answer to a start; an earlier game may have ended while the bot got ready."""
        self._unready -= 1
        if self._unready or self.starts_by is None:
            return None
        self.starts_by = None
        return Ready()

    def _hear_reply(self, message: Mapping[str, Any]) -> Replied | None:
        number, agree = message["offer"], message.get("agree")
        if isinstance(number, bool) or not isinstance(number, int) or not isinstance(agree, bool):
            raise self._failed(
                "protocol", 'answered an offer otherwise than as {"offer": its number, "agree": true or false}'
            )
        if self._offers.pop(number, None) is None:
            self._strayed(f"replied to what nobody proposes, or not any more, at last to number {number}")
            return None
        return Replied(number, agree)

    def _late(self, turn: Turn) -> BotFault:
        which = f"in its turn {turn.number - self._before} of the game"
        if self._stale:
            which += (
                f' (its last answer was to turn {self._stale}, which was over: the last that it was given is "turn": '
            )
            which += f"{turn.number})"
        if self._timed:
            return self._failed("time", f"ran out of time {which}, for which it had {_seconds(self._allowed)}")
        return self._failed("stall", f"did not move within {_seconds(self._allowed)} {which}")

    def _strayed(self, what: str) -> None:
        """Ignore a misplaced line; too many are a fault."""
        self._stray += 1
        if self._stray > MOST_STRAY:
            raise self._failed("protocol", what)

    def _failed(self, kind: str, reason: str) -> BotFault:
        if self.fault is None:
            self.fault = BotFault(kind, reason)
        return self.fault

    def _say(self, do: str, **more: Any) -> None:
        self.outgoing.append(encode({"do": do, **more}))


def advised(left: int, increment: int) -> int:
    """Return the advised time for a move, which leaves enough for later ones."""
    return max(1, min(left // 25 + increment * 3 // 4, left // 2))


def _seconds(ms: int) -> str:
    return "1 second" if ms == 1000 else f"{ms / 1000:.4g} seconds"

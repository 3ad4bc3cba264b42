"""The seats that one program holds at a table, and who plays each: people at the keyboard, or bots of this program."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self, TypeAlias

from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import BotSlow, BotStopped
from quadrille.rules.core.thoughts import Thought, Thoughts
from quadrille.rules.match import Entry
from quadrille.value import value

if TYPE_CHECKING:
    from quadrille.net.tables.table import Table


@value
class Cover:
    """Hidden hands are covered until `seat` takes the keyboard. Before that, `since` still looks at its own."""

    seat: int
    since: int | None = None


@value
class BotReply:
    """A bot's answer to the offer of that number."""

    number: int
    agrees: bool


#: The thought behind the move that a bot makes now, the report that it still thinks, or its answer.
BotDeed: TypeAlias = Thought | BotSlow | BotReply


class OwnBots(Protocol):
    """The bots of this program at one table. See client/bots/table_bots.py, where they are."""

    def act(self, table: "Table", row: Mapping[int, str], now: int) -> Iterator[tuple[int, BotDeed]]: ...
    def fault(self, seat: int) -> str | None: ...
    def is_asked(self, seat: int) -> bool: ...
    def offer(self, seat: int, by: int, number: int) -> bool: ...
    def rest(self) -> None: ...
    def drop(self, seat: int) -> None: ...


@dataclass(slots=True)
class HeldSeats:
    """`bots` has, for each seat, the bot of this program that plays there ("" for any other player).

    `names` are those of the players of a table that was set up at this keyboard. `ticket` is a new number in each
    position, by which late answers are recognised. `facing` is the seat of the person who looks at the screen, if
    there are several. `trouble` stays until a person chooses what to do about a bot that does not move. `offered`
    are the bots that have not answered the offer of a draw, `hint` is the bot that was asked for a hint. `kept` is
    the part of the game that is in `file`. `warned`: the last wish was to leave, which would lose the game.
    `number` counts the games at this keyboard, `brought` is the start of the present one, and with `keeps` each of
    them is stored. `thoughts` are those of its bots, which nobody sees before the end.
    """

    bots: tuple[str, ...]
    names: tuple[str, ...] = ()
    brought: tuple[Entry, ...] = ()
    thoughts: Thoughts = field(default_factory=Thoughts)
    facing: int | None = None
    ticket: int = 0
    number: int = 0
    cover: Cover | None = None
    paused: bool = False
    trouble: BotStopped | BotSlow | None = None
    offered: tuple[int, ...] = ()
    hint: str = ""
    file: str = ""
    kept: tuple[Entry, ...] = ()
    warned: bool = False
    keeps: bool = False

    @classmethod
    def of(cls, setup: GameSetup, *, keeps: bool = False) -> Self:
        kept = setup.brought if setup.file else ()
        held = cls(setup.bots, setup.names, setup.brought, setup.thoughts, setup.facing)
        held.file, held.kept, held.keeps = setup.file, kept, keeps
        return held

    def asks_nothing(self) -> None:
        """Forget all questions to bots besides their turns: the position is another one."""
        self.offered, self.hint = (), ""

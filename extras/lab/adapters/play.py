"""A game played by numbered actions (extras/lab/actions.py), with chance answered from outside; both adapters use it.

A `Play` is immutable, like a State. It also holds the unfinished turn and the history, so it knows what each seat has
learned. The only place that turns the end into a number is here: `payoffs`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Self

from quadrille.extras.lab.actions import Made, Steps, steps_of
from quadrille.rules.board import CHANCE
from quadrille.rules.chance import Dealer, Randomness
from quadrille.rules.core import HIDDEN, WHOLE, Over, State, ToDraw, Viewer
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import GameOver, IllegalMove
from quadrille.rules.options import Value, shown
from quadrille.rules.registry import game

#: `Play.seat` when the game is over; when a face is owed it is CHANCE.
OVER: Final = -2


@dataclass(frozen=True, slots=True, eq=False)
class Happened:
    """An action, or a face that chance gave; the history before it is shared, not copied."""

    before: "Happened | None" = field(repr=False)
    action: int
    text: str
    owed: ToDraw | None


class Play:
    """A position between two actions."""

    __slots__ = ("before", "last", "made", "seat", "state", "steps", "turns")

    def __init__(
        self, steps: Steps, before: State[Any, Any], made: Made = (), last: Happened | None = None, turns: int = 0
    ) -> None:
        """`before` is the state before the turn, `made` the turn so far, `last` the latest event, `turns` the number
        of completed ones.

        `state` is the position with the unfinished turn, if the board shows it.
        """
        self.steps = steps
        self.before = before
        self.state = steps.begun(before, made)
        self.made = made
        self.last = last
        self.turns = turns
        pending = before.pending
        self.seat = OVER if isinstance(pending, Over) else CHANCE if isinstance(pending, ToDraw) else pending.seat

    @classmethod
    def start(cls, steps: Steps) -> Self:
        """The start of a game."""
        return cls(steps, steps.start)

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as the actions that lead here, so that it can always be stored and sent."""
        start = self.steps.start
        actions = tuple(happened.action for happened in self.history())
        return replayed, (start.game.key, start.options.plain(), start.seats, actions)

    def history(self) -> Iterator[Happened]:
        """All events, in order."""
        found = []
        happened = self.last
        while happened is not None:
            found.append(happened)
            happened = happened.before
        return reversed(found)

    def legal(self) -> list[int]:
        """The legal actions, ascending; at chance the faces; empty when the game is over."""
        return [] if self.seat == OVER else self.steps.legal(self.before, self.made)

    def chances(self) -> list[tuple[int, float]]:
        """The possible faces of the next draw, with probabilities by public knowledge."""
        weights = [(face, self.steps.weight(self.state, face)) for face in self.legal()]
        total = sum(weight for _, weight in weights)
        return [(face, weight / total) for face, weight in weights]

    def text(self, action: int) -> str:
        """A legal action, or a face, as a word."""
        return self.steps.text(self.before, self.made, action)

    def objection(self, action: object) -> str | None:
        """Why an action is illegal now; None if it is legal."""
        if self.seat == OVER:
            return f"the game is over: {self.state.pending.reason}"  # type: ignore[union-attr]
        count = self.steps.faces if self.seat == CHANCE else self.steps.count
        if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < count:
            return f"an action here is a whole number from 0 to {count - 1}, not {shown(action)}"
        if action in self.legal():
            return None
        if self.seat == CHANCE:
            return f"face {action} can't be the one that is owed"
        return self.steps.objection(self.before, self.made, action)

    def after(self, action: int) -> Self:
        """The position after an action, or after a drawn face; refuses an illegal one."""
        if why := self.objection(action):
            raise (GameOver if self.seat == OVER else IllegalMove)(why)
        pending = self.state.pending
        owed = pending if isinstance(pending, ToDraw) else None
        happened = Happened(self.last, action, self.text(action), owed)
        state, made = self.steps.after(self.before, self.made, action)
        complete = self.seat != CHANCE and not made
        return type(self)(self.steps, state, made, happened, self.turns + complete)

    def dealt(self, dealer: Dealer) -> Self:
        """The position after all owed draws, answered by a dealer who knows them."""
        play = self
        while isinstance(owed := play.state.pending, ToDraw):
            name = dealer.face(owed.pile.name, owed.pile.faces, owed.position)
            play = play.after(next(face for face in play.legal() if play.text(face) == name))
        return play

    def payoffs(self) -> list[float]:
        """The payoff of each seat: the number of seats behind it less those ahead, divided by the number of all
        others.

        So it is 1 for being ahead of everybody, -1 for being behind, 0 for sharing the place with all; with two seats
        win, loss, draw. The payoffs add up to 0, and all are 0 before the end.
        """
        over = self.state.pending
        if not isinstance(over, Over):
            return [0.0] * self.state.seats
        places = over.places
        return [sum((p > own) - (p < own) for p in places) / (len(places) - 1) for own in places]

    # Knowledge

    def heard(self, viewer: Viewer) -> list[str]:
        """The history as that viewer learned it, in order: a seat's is its information state."""
        hidden = str(HIDDEN)
        seen = (None, viewer)
        return [
            happened.text if viewer == WHOLE or happened.owed is None or happened.owed.owner in seen else hidden
            for happened in self.history()
        ]

    def secrets(self, seat: int, *, ever: bool = False) -> list[str]:
        """The places in the pile and faces of cards that only this seat has looked at.

        Of the pile in play, those still face down; or all that it `ever` looked at.
        """
        sealed = self.state.sealed()
        found = []
        for happened in self.history():
            owed = happened.owed
            if sealed is None or owed is None or owed.owner != seat:
                continue
            if ever or (owed.pile == sealed.pile and owed.position in sealed.looks[seat]):
                found.append(f"{owed.position + 1} {happened.text}")
        return found

    def observation(self, seat: int) -> list[int]:
        """A seat's observation of the position as numbers, from its own view: planes, columns, rows in one row."""
        return list(self.steps.observer.observe(self.state.view(seat).board, seat))

    def picture(self, viewer: Viewer) -> str:
        """The position in plain text as that viewer knows it, with the unfinished turn."""
        state = self.state if viewer == WHOLE else self.state.view(viewer)
        made = f"\n\nMade of the turn: {' '.join(self.turn())}" if self.made else ""
        return drawing(state.scene()) + made

    def turn(self) -> list[str]:
        """The unfinished turn, in words."""
        return [happened.text for happened in self.history()][-len(self.made) :] if self.made else []

    def turn_rows(self) -> list[list[int]]:
        """The unfinished turn, a number for each action: how often it was made, and 1 for the last one."""
        count = self.steps.count
        rows = [[0] * count, [0] * count]
        for action in self.made:
            rows[0][action] += 1
        if self.made:
            rows[1][self.made[-1]] = 1
        return rows

    def guessed(self, seat: int, rng: Randomness) -> list[int]:
        """All actions and faces of a random game that this seat cannot distinguish from its own.

        Unseen cards of the pile in play get other faces, all arrangements equally likely. Earlier piles are out of
        the game, and all that was seen of them has been turned up since.
        """
        sealed = self.state.sealed()
        if sealed is None:
            return [happened.action for happened in self.history()]
        faces = self.state.view(seat).guess(rng).board.faces
        return [
            int(faces[happened.owed.position])
            if happened.owed and happened.owed.pile == sealed.pile
            else happened.action
            for happened in self.history()
        ]


def replayed(key: str, options: dict[str, Value], seats: int, actions: tuple[int, ...]) -> Play:
    """The position that these actions lead to."""
    play = Play.start(steps_of(game(key), options, seats))
    for action in actions:
        play = play.after(action)
    return play

"""A game played by numbered actions (steps.py), with chance answered from outside: what both adapters move on.

A `Play` is immutable, like a State, and knows besides it what is made of the turn and all that happened, so that it can
tell what a seat has heard. Here one place decides what the end is worth to a program: `payoffs`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Self

from quadrille.ai.adapters.steps import Made, Steps, steps_of
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
    """An action, or a face that chance answered to what was owed; what happened before is shared, not copied."""

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
        """`before` the turn, `made` of it so far, `last` of all that happened, `turns` completed.

        `state` is the position with what is made of the turn, where the board shows it.
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
        """Before anything happened."""
        return cls(steps, steps.start)

    def __deepcopy__(self, memo: object) -> Self:
        """A position never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """As the actions that lead here: whatever a State is made of, these can be stored and sent."""
        start = self.steps.start
        actions = tuple(happened.action for happened in self.history())
        return replayed, (start.game.key, start.options.plain(), start.seats, actions)

    def history(self) -> Iterator[Happened]:
        """All that happened, in order."""
        found = []
        happened = self.last
        while happened is not None:
            found.append(happened)
            happened = happened.before
        return reversed(found)

    def legal(self) -> list[int]:
        """The actions that are possible, ascending; at chance the faces; none when the game is over."""
        return [] if self.seat == OVER else self.steps.legal(self.before, self.made)

    def chances(self) -> list[tuple[int, float]]:
        """The faces that the one owed may have, with their probabilities as far as anybody has looked."""
        weights = [(face, self.steps.weight(self.state, face)) for face in self.legal()]
        total = sum(weight for _, weight in weights)
        return [(face, weight / total) for face, weight in weights]

    def text(self, action: int) -> str:
        """A legal action, or a face, as a word."""
        return self.steps.text(self.before, self.made, action)

    def objection(self, action: object) -> str | None:
        """Why an action is not legal now; None when it is."""
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
        """The position after an action, or after the face that was owed; refused when there is an objection."""
        if why := self.objection(action):
            raise (GameOver if self.seat == OVER else IllegalMove)(why)
        pending = self.state.pending
        owed = pending if isinstance(pending, ToDraw) else None
        happened = Happened(self.last, action, self.text(action), owed)
        state, made = self.steps.after(self.before, self.made, action)
        complete = self.seat != CHANCE and not made
        return type(self)(self.steps, state, made, happened, self.turns + complete)

    def dealt(self, dealer: Dealer) -> Self:
        """The position after every face that is owed was answered by a dealer who knows them all."""
        play = self
        while isinstance(owed := play.state.pending, ToDraw):
            name = dealer.face(owed.pile.name, owed.pile.faces, owed.position)
            play = play.after(next(face for face in play.legal() if play.text(face) == name))
        return play

    def payoffs(self) -> list[float]:
        """What the end is worth to each seat: the seats behind it less those ahead, of all the others.

        So it is 1 for being ahead of everybody, -1 for being behind, 0 for sharing the place with all; with two seats
        win, loss, draw. All seats' together are 0. Before the end all have 0.
        """
        over = self.state.pending
        if not isinstance(over, Over):
            return [0.0] * self.state.seats
        places = over.places
        return [sum((p > own) - (p < own) for p in places) / (len(places) - 1) for own in places]

    # What is known

    def heard(self, viewer: Viewer) -> list[str]:
        """All that happened as that viewer learned of it, in order: a seat's is its information state."""
        hidden = str(HIDDEN)
        seen = (None, viewer)
        return [
            happened.text if viewer == WHOLE or happened.owed is None or happened.owed.owner in seen else hidden
            for happened in self.history()
        ]

    def secrets(self, seat: int, *, ever: bool = False) -> list[str]:
        """The places in the pile and faces of cards that this seat has looked at and not everybody has seen.

        Of the pile in play, and there only what is still face down; or all that it `ever` looked at.
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
        """What a seat sees of the position as numbers, from its own view of it: planes, columns, rows in one row."""
        return list(self.state.view(seat).board.observe(seat))

    def picture(self, viewer: Viewer) -> str:
        """The position in plain text as that viewer knows it, and the turn in the making."""
        state = self.state if viewer == WHOLE else self.state.view(viewer)
        made = f"\n\nMade of the turn: {' '.join(self.turn())}" if self.made else ""
        return drawing(state.scene()) + made

    def turn(self) -> list[str]:
        """What is made of the turn, in words."""
        return [happened.text for happened in self.history()][-len(self.made) :] if self.made else []

    def turn_rows(self) -> list[list[int]]:
        """What is made of the turn, a number for each action: how often it was made, and 1 for the last one."""
        count = self.steps.count
        rows = [[0] * count, [0] * count]
        for action in self.made:
            rows[0][action] += 1
        if self.made:
            rows[1][self.made[-1]] = 1
        return rows

    def guessed(self, seat: int, rng: Randomness) -> list[int]:
        """All actions and faces of a game that this seat could as well have been in, as far as it knows.

        What it has not seen of the pile in play has other faces, each way equally likely. Piles before that one are
        out of the game, and what was ever seen of them has been turned up since.
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

"""A game played by numbered actions (extras/lab/actions.py), with chance answered from outside; both adapters use it.

A `Play` is immutable, like a State. It also holds the unfinished turn and the history, so it knows what each seat has
learned. The only place that turns the end into a number is here: `payoffs`.
"""

from typing import Any, Final, NamedTuple, Self

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


class Happened(NamedTuple):
    """An action, or a face that chance gave."""

    action: int
    text: str
    owed: ToDraw | None


class Play:
    """A position between two actions: the state before the turn, what is `made` of the turn, the history, and the
    number of complete turns. `state` has the unfinished turn too, if the board shows it.
    """

    __slots__ = ("before", "history", "made", "seat", "state", "steps", "turns")

    def __init__(
        self,
        steps: Steps,
        before: State[Any, Any],
        made: Made = (),
        history: tuple[Happened, ...] = (),
        turns: int = 0,
    ) -> None:
        self.steps, self.before, self.made, self.history, self.turns = steps, before, made, history, turns
        self.state = steps.begun(before, made)
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
        start, actions = self.steps.start, tuple(happened.action for happened in self.history)
        return replayed, (start.game.key, start.options.plain(), start.seats, actions)

    def legal(self) -> list[int]:
        """The legal actions, ascending; at chance the faces; empty when the game is over."""
        return [] if self.seat == OVER else self.steps.legal(self.before, self.made)

    def chances(self) -> list[tuple[int, float]]:
        """The possible faces of the next draw, with probabilities by public knowledge."""
        weights = {face: self.steps.weight(self.state, face) for face in self.legal()}
        total = sum(weights.values())
        return [(face, weight / total) for face, weight in weights.items()]

    def text(self, action: int) -> str:
        """A legal action, or a face, as a word."""
        return self.steps.text(self.before, self.made, action)

    def objection(self, action: object) -> str | None:
        """Why an action is illegal now; None if it is legal."""
        if isinstance(over := self.state.pending, Over):
            return f"the game is over: {over.reason}"
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
        owed = pending if isinstance(pending := self.state.pending, ToDraw) else None
        history = (*self.history, Happened(action, self.text(action), owed))
        state, made = self.steps.after(self.before, self.made, action)
        return type(self)(self.steps, state, made, history, self.turns + (self.seat != CHANCE and not made))

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
        places = over.places if isinstance(over, Over) else (1,) * self.state.seats
        return [sum((p > own) - (p < own) for p in places) / (len(places) - 1) for own in places]

    # Knowledge

    def heard(self, viewer: Viewer) -> list[str]:
        """The history as that viewer learned it, in order: a seat's is its information state."""
        return [
            text if viewer == WHOLE or owed is None or owed.owner in (None, viewer) else str(HIDDEN)
            for _, text, owed in self.history
        ]

    def secrets(self, seat: int, *, ever: bool = False) -> list[str]:
        """The places in the pile and faces of cards that only this seat has looked at.

        Of the pile in play, those still face down; or all that it `ever` looked at.
        """
        sealed = self.state.sealed()
        return [
            f"{owed.position + 1} {text}"
            for _, text, owed in self.history
            if sealed is not None and owed is not None and owed.owner == seat
            if ever or (owed.pile == sealed.pile and owed.position in sealed.looks[seat])
        ]

    def observation(self, seat: int) -> list[int]:
        """A seat's observation of the position as numbers, from its own view: planes, columns, rows in one row."""
        return list(self.steps.observer.observe(self.state.view(seat).board, seat))

    def picture(self, viewer: Viewer) -> str:
        """The position in plain text as that viewer knows it, with the unfinished turn."""
        state = self.state if viewer == WHOLE else self.state.view(viewer)
        return drawing(state.scene()) + (f"\n\nMade of the turn: {' '.join(self.turn())}" if self.made else "")

    def turn(self) -> list[str]:
        """The unfinished turn, in words."""
        return [happened.text for happened in self.history[len(self.history) - len(self.made) :]]

    def turn_rows(self) -> list[list[int]]:
        """The unfinished turn, a number for each action: how often it was made, and 1 for the last one."""
        actions = range(self.steps.count)
        return [[self.made.count(one) for one in actions], [int(self.made[-1:] == (one,)) for one in actions]]

    def guessed(self, seat: int, rng: Randomness) -> list[int]:
        """All actions and faces of a random game that this seat cannot distinguish from its own.

        Unseen cards of the pile in play get other faces, all arrangements equally likely. Earlier piles are out of
        the game, and all that was seen of them has been turned up since.
        """
        sealed = self.state.sealed()
        faces = self.state.view(seat).guess(rng).board.faces if sealed is not None else ()
        return [
            int(faces[owed.position]) if sealed is not None and owed and owed.pile == sealed.pile else action
            for action, _, owed in self.history
        ]


def replayed(key: str, options: dict[str, Value], seats: int, actions: tuple[int, ...]) -> Play:
    """The position that these actions lead to."""
    play = Play.start(steps_of(game(key), options, seats))
    for action in actions:
        play = play.after(action)
    return play

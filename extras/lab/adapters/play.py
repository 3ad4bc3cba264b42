"""A game played by numbered actions (extras/lab/actions.py), with chance answered from outside; both adapters use it.

A `Play` is immutable, like a State. It knows the position before it, so it knows what each seat has learned. The only
place that turns the end into a number is here: `payoffs`.
"""

from collections.abc import Sequence
from typing import Any, Final, Self

from quadrille.extras.lab.actions import Steps, steps_of
from quadrille.rules.board import CHANCE
from quadrille.rules.chance import Dealer, Randomness
from quadrille.rules.core import HIDDEN, WHOLE, Over, State, ToDraw, Viewer
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import GameOver, IllegalMove
from quadrille.rules.ints import i64, vec
from quadrille.rules.options import Value, shown
from quadrille.rules.registry import game

#: `Play.seat` when the game is over; when a face is owed it is CHANCE.
OVER: Final = -2


class Play:
    """A position between two actions: the `state`, which has the unfinished turn if its board shows it, the actions
    `made` of that turn, and the number of complete `turns`. `action` led here from the `past`.
    """

    __slots__ = ("_word", "action", "made", "moves", "past", "seat", "state", "steps", "turns")

    def __init__(
        self,
        steps: Steps,
        state: State[Any, Any],
        made: tuple[int, ...] = (),
        following: Sequence[int] | None = None,
        past: "Play | None" = None,
        action: int = 0,
        turns: int = 0,
    ) -> None:
        """Take the steps that can follow. Without `following`, nobody else has the state's board yet."""
        self.steps, self.state, self.made, self.past, self.action, self.turns = steps, state, made, past, action, turns
        self._word: str | None = None
        board = state.board
        chance = board.turn == CHANCE
        if following is None:
            # a board of whole turns could list thousands of them
            count = board.legal() if chance or steps.in_planes else -1
            following = sorted(board.moves[:count]) if count >= 0 else state.next_steps()
        #: The board's number of each legal action, or of each face that can be owed; ascending.
        self.moves: dict[int, int]
        if chance:
            faces = {steps.answers[str(state.move_of([number]))]: number for number in following}
            self.moves = {face: faces[face] for face in sorted(faces)}
        else:
            self.moves = steps.numbered(following)
        self.seat: int = board.turn if self.moves else OVER

    @classmethod
    def start(cls, steps: Steps) -> Self:
        return cls(steps, steps.start.on(steps.start.board.copy()))

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the actions that lead here, so that a `Play` can always be stored and sent."""
        start, actions = self.steps.start, tuple(play.action for play in self.history())
        return replayed, (start.game.key, start.options.plain(), start.seats, actions)

    def legal(self) -> list[int]:
        """Return the legal actions, ascending; at chance the faces; empty when the game is over."""
        return list(self.moves)

    def chances(self) -> list[tuple[int, float]]:
        """Return the possible faces of the next draw, with probabilities by public knowledge."""
        weights = {face: self.weight(face) for face in self.moves}
        total = sum(weights.values())
        return [(face, weight / total) for face, weight in weights.items()]

    def weight(self, face: int) -> int:
        """Return the likelihood of this face, relative to the other ones."""
        return self.steps.observer.weight(self.state.board, face)

    def text(self, action: int) -> str:
        """Write a legal action in the game's notation, or a face, as a word."""
        if self.seat == CHANCE:
            return self.steps.names[action]
        return self.state.word(self._apart(self.made), self.steps.numbers[action])

    def _apart(self, made: Sequence[int]) -> list[int]:
        """Return the steps of an unfinished turn that its board does not show."""
        return [] if self.steps.in_planes else [self.steps.numbers[action] for action in made]

    def objection(self, action: object) -> str | None:
        """Say why an action is illegal now; None if it is legal."""
        if isinstance(over := self.state.pending, Over):
            return f"the game is over: {over.reason}"
        count = self.steps.faces if self.seat == CHANCE else self.steps.count
        if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < count:
            return f"an action here is a whole number from 0 to {count - 1}, not {shown(action)}"
        if action in self.moves:
            return None
        is_face = self.seat == CHANCE
        return f"face {action} can't be the one that is owed" if is_face else self.steps.objection(self.state, action)

    def after(self, action: int) -> Self:
        """Return the position after an action, or after a drawn face. Refuse an illegal one."""
        if (type(action) is not int or action not in self.moves) and (objection := self.objection(action)):
            raise (GameOver if self.seat == OVER else IllegalMove)(objection)
        steps, state, move, made = self.steps, self.state, self.moves[action], (*self.made, action)
        if self.seat == CHANCE:
            made = ()
        elif not steps.in_planes:
            turn = self._apart(made)
            if following := state.next_steps(turn):
                return type(self)(steps, state, made, following, self, action, self.turns)
            whole = state.code(state.move_of(turn))
            assert whole is not None, "a legal turn is a move"
            move = whole
        board = state.board.copy()
        board.apply(move)
        if board.plies != state.board.plies:
            made = ()
        turns = self.turns + (self.seat != CHANCE and not made)
        return type(self)(steps, state.on(board), made, None, self, action, turns)

    def dealt(self, dealer: Dealer) -> Self:
        """Return the position after all owed draws, answered by a dealer who knows them."""
        play = self
        while play.seat == CHANCE:
            owed = play.state.draw()
            play = play.after(self.steps.answers[dealer.face(owed.pile.name, owed.pile.faces, owed.position)])
        return play

    def payoffs(self) -> list[float]:
        """Return the payoff of each seat: the number of seats behind it less those ahead, divided by the number of all
        others.

        So it is 1 for being ahead of everybody, -1 for being behind, 0 for sharing the place with all; with two seats
        win, loss, draw. The payoffs add up to 0, and all are 0 before the end.
        """
        board, seats = self.state.board, self.state.seats
        return [board.payoff(seat) / (seats - 1) if self.seat == OVER else 0.0 for seat in range(seats)]

    # Knowledge

    def history(self) -> list["Play"]:
        """Return every position after the first one, in order: each has the action that led to it."""
        plays, play = [], self
        while play.past is not None:
            plays.append(play)
            play = play.past
        return plays[::-1]

    @property
    def word(self) -> str:
        """The action that led here, in the game's notation."""
        if self._word is None:
            assert self.past is not None, "no action led to the first position"
            self._word = self.past.text(self.action)
        return self._word

    @property
    def drawn(self) -> ToDraw | None:
        """The draw that a face has answered to lead here."""
        return self.past.state.draw() if self.past is not None and self.past.seat == CHANCE else None

    def heard(self, viewer: Viewer) -> list[str]:
        """Return the history as that viewer learned it, in order: a seat's is its information state."""
        if viewer == WHOLE:
            return [play.word for play in self.history()]
        return [
            play.word if (owed := play.drawn) is None or owed.owner in (None, viewer) else str(HIDDEN)
            for play in self.history()
        ]

    def secrets(self, seat: int, *, ever: bool = False) -> list[str]:
        """Return the places in the pile and faces of cards that only this seat has looked at.

        Of the pile in play, those still face down; or all that it `ever` looked at.
        """
        sealed = self.state.sealed()
        return [
            f"{owed.position + 1} {play.word}"
            for play in self.history()
            if sealed is not None and (owed := play.drawn) is not None and owed.owner == seat
            if ever or (owed.pile == sealed.pile and owed.position in sealed.looks[seat])
        ]

    def observation(self, seat: int) -> vec[i64]:
        """Return a seat's observation of the position as numbers, from its own view: planes, columns, rows in a row."""
        return self.steps.observer.observe(self.state.view(seat).board, seat)

    def picture(self, viewer: Viewer) -> str:
        """Draw the position in plain text as that viewer knows it, with the unfinished turn."""
        state = self.state if viewer == WHOLE else self.state.view(viewer)
        return drawing(state.scene()) + (f"\n\nMade of the turn: {' '.join(self.turn())}" if self.made else "")

    def turn(self) -> list[str]:
        """Return the unfinished turn, in words."""
        return [play.word for play in self.history()[-len(self.made) :]] if self.made else []

    def turn_rows(self) -> list[list[int]]:
        """Return two numbers for each action of the unfinished turn: how often it was made, and 1 for the last one."""
        actions, made = range(self.steps.count), self.made
        return [[made.count(action) for action in actions], [int(made[-1:] == (action,)) for action in actions]]

    def guessed(self, seat: int, rng: Randomness) -> list[int]:
        """Return all actions and faces of a random game that this seat cannot distinguish from its own.

        Unseen cards of the pile in play get other faces, all arrangements equally likely. Earlier piles are out of the
        game, and all that was seen of them has been turned up since.
        """
        sealed = self.state.sealed()
        faces = self.state.view(seat).guess(rng).board.faces if sealed is not None else ()
        return [
            int(faces[owed.position])
            if sealed is not None and (owed := play.drawn) and owed.pile == sealed.pile
            else play.action
            for play in self.history()
        ]


def replayed(key: str, options: dict[str, Value], seats: int, actions: tuple[int, ...]) -> Play:
    play = Play.start(steps_of(game(key), options, seats))
    for action in actions:
        play = play.after(action)
    return play

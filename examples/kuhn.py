"""A card game in one file that nobody deals: Kuhn poker. Copy it, and change it into yours.

The deck is J, Q and K. Each player puts in a chip and looks at one card. Then they pass or bet a chip, in turn. A pass
after a bet gives up; else both cards are turned up, and the higher one takes the chips.

A card is a position of a shuffled pile, 0 at the top. When the rules want one, the board's `turn` is CHANCE, and the
state says which position is owed, and who may look (`draw`). At one keyboard a seed answers. On a network no program
knows the pile: all peers shuffled it under locks of their own, and together they open a card for the seat that looks,
or for everybody. Each peer plays the same rules, on a board where the other faces are UNKNOWN. Two methods carry that:
`sealed` says what everybody knows of the pile, and `told` what one seat knows beside that.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from quadrille.rules import core, errors, options, scene, squares
from quadrille.rules.arrays import array, filled
from quadrille.rules.board import CHANCE, UNKNOWN, Board
from quadrille.rules.core import HIDDEN, WHOLE, Face, Move, Pile, Sealed, State, ToDraw, check_seat, panels
from quadrille.rules.core.talk import Consequence
from quadrille.rules.patterns.keys import mixed_all

HANDS: Final = 4
FACES: Final = (Face("J"), Face("Q"), Face("K"))


class KuhnBoard(Board):
    """The rules, on whole numbers: `faces` has the number of each face by position, and seat s has the card at s.

    `seen` counts draws of this hand: seat 0 looks at its card, then seat 1; at the end the two cards are turned up.
    `said` is 1, and behind it a binary digit for each word, 0 for pass.
    """

    __slots__ = ("chips", "faces", "hand", "past", "said", "seen")

    def reset(self) -> None:
        self.start_over()
        self.put((CHANCE, False, 0, 1, 0, filled(3, UNKNOWN), filled(2, 2 * HANDS)))

    def fields(self) -> tuple[Any, ...]:
        return self.turn, self.ended, self.hand, self.said, self.seen, self.faces[:], self.chips[:]

    def put(self, fields: tuple[Any, ...], past: Sequence[Any] = ()) -> None:
        self.turn, self.ended, self.hand, self.said, self.seen, self.faces, self.chips = fields
        self.past = list(past)

    def copy(self) -> Self:
        twin = self.twin()
        twin.moves = filled(3, 0)
        twin.become(self)
        return twin

    def become(self, other: Any) -> None:
        self.stand_as(other)
        self.put(other.fields())

    def legal(self) -> int:
        """List pass and bet; while a card is owed, the faces that it may have, as far as this board's owner knows."""
        found = [] if self.ended else [0, 1]
        if self.turn == CHANCE and not self.ended:
            known = self.faces[self.seen % 2]
            found = [known] if known != UNKNOWN else [face for face in range(3) if face not in self.faces]
        for at, move in enumerate(found):
            self.moves[at] = move
        return len(found)

    def apply(self, move: int) -> None:
        """Say a word; or take the face of the owed card, which is UNKNOWN to all who may not look."""
        self.past.append(self.fields())
        self.plies += 1
        if self.turn != CHANCE:
            self.said, self.turn = 2 * self.said + move, 1 - self.turn
            if self.said > 3 and self.said % 4 == 2:  # a pass after a bet
                self.win(self.turn, 1)
            elif self.said > 3 and self.said % 4 != 1:  # two passes, or two bets
                self.turn = CHANCE
            return
        self.faces[self.seen % 2] = move
        self.seen += 1
        if self.seen == 2:
            self.turn = self.hand % 2
        elif self.seen == 4:
            self.win(0 if self.faces[0] > self.faces[1] else 1, 1 + self.said % 2)

    def win(self, seat: int, chips: int) -> None:
        """Pay, and begin the next hand, whose cards nobody knows."""
        self.chips[seat] += chips
        self.chips[1 - seat] -= chips
        self.ended = self.hand + 1 == HANDS
        if not self.ended:
            self.put((CHANCE, False, self.hand + 1, 1, 0, filled(3, UNKNOWN), self.chips), self.past)

    def undo(self) -> None:
        self.plies -= 1
        self.put(self.past[-1], self.past[:-1])

    def guess(self, dice: Any) -> None:
        """Give each unknown card a face that it may have: a search tries its moves on such boards."""
        rest = [face for face in range(3) if face not in self.faces]
        self.faces = array([rest.pop(dice.below(len(rest))) if face == UNKNOWN else face for face in self.faces])

    def key(self) -> Any:
        return mixed_all(0, array([self.turn, self.hand, self.said, self.seen, *self.faces, *self.chips]))

    def compare(self, seat: int, other: int) -> int:
        return int(self.chips[seat] - self.chips[other])


@dataclass(frozen=True, slots=True)
class Word(Move):
    """A seat passes or bets."""

    text: str

    def __str__(self) -> str:
        return self.text


WORDS: Final = (Word("pass"), Word("bet"))


class KuhnState(State[KuhnBoard, Move]):
    """The board as its `viewer` sees it: a seat, None for a spectator, or WHOLE, which is all that there is."""

    __slots__ = ()
    kinds, longest = (Word, Face), 3 * HANDS

    def draw(self) -> ToDraw:
        """Say which position is owed, and who alone may look there: None for everybody."""
        return ToDraw(self.sealed().pile, self.board.seen % 2, (0, 1, None, None, None)[self.board.seen])

    def sealed(self) -> Sealed:
        """Return what everybody knows: faces turned up, by position; by seat, what it saw that is still face down."""
        pile = Pile(f"hand {self.board.hand + 1}", ("J", "Q", "K"))  # by a new name: a new shuffle
        seen = self.board.seen
        looks = tuple((seat,) if seen - 2 <= seat < seen else () for seat in range(2))
        return Sealed(pile, {at: self.board.faces[at] for at in range(seen - 2)}, looks)

    def known(self, faces: Iterable[int], viewer: core.Viewer) -> Self:
        """Return the position of a viewer who knows these faces and no others."""
        state = self.on(self.board.copy())
        state.board.faces, state.viewer = array(faces), viewer
        return state

    def told(self, seat: int, faces: Mapping[int, int]) -> Self:
        """Turn a spectator's position into this seat's: `faces` are those it has seen, by position."""
        return self.known([faces.get(at, face) for at, face in enumerate(self.board.faces)], check_seat(self, seat))

    def view(self, seat: int | None) -> Self:
        """Forget all faces but those turned up and those that this seat has seen: then no bug can tell the others."""
        may = {*self.sealed().up, *(() if seat is None else self.sealed().looks[check_seat(self, seat)])}
        return self.known([face if at in may else UNKNOWN for at, face in enumerate(self.board.faces)], seat)

    @property
    def codes(self) -> tuple[int, ...]:
        """List the board's moves; who may not see the owed card can only play `?`."""
        hidden = self.board.turn == CHANCE and self.draw().owner not in (None, self.viewer) and self.viewer != WHOLE
        return (UNKNOWN,) if hidden and not self.board.ended else super().codes

    # From here on as in a game without secrets

    def move(self, code: int) -> Move:
        return WORDS[code] if self.board.turn != CHANCE else (*FACES, HIDDEN)[code]

    def code(self, move: Any) -> int | None:
        row = WORDS if self.board.turn != CHANCE else (*FACES, HIDDEN)
        return (0, 1, 2, UNKNOWN)[row.index(move)] if move in row else None

    def reason(self, move: Move) -> str:
        return f"{move} can't be played: {'a card' if self.board.turn == CHANCE else 'pass or bet'} is wanted now"

    def figures(self) -> core.Figures:
        return {"chips": tuple(self.board.chips)}

    def ending(self) -> str:
        return "all hands are played"

    def plain(self) -> core.Plain:
        return tuple(tuple(field) if hasattr(field, "__len__") else int(field) for field in self.board.fields())

    def story(self, move: Move, faces: Sequence[Face], after: Self) -> tuple[Consequence, ...]:
        """Tell who has won a hand; after a showdown the first two `faces` are those that were turned up."""
        won = [after.board.chips[seat] - self.board.chips[seat] for seat in range(2)]
        seat, given_up = won.index(max(won)), self.board.said % 2 and move == WORDS[0]
        how = "" if given_up or not any(won) else f" with {faces[seat]} against {faces[1 - seat]}"
        return (Consequence(seat, "win", f"{won[seat]}{how}"),) if any(won) else ()

    def scene(self) -> scene.Scene:
        board, looks = self.board, self.sealed().looks
        cards = [scene.mark("card", str((*FACES, HIDDEN)[face])) for face in board.faces]
        rows = tuple(scene.Row(f"p{at + 1}", (cards[at],), at, (looks[at],)) for at in range(2))
        said = " ".join(str(WORDS[int(digit)]) for digit in f"{board.said:b}"[1:])
        return scene.Scene(self.game.key, panels(self), rows=rows, notes=(f"Hand {board.hand + 1}/{HANDS}: {said}",))


class Kuhn(core.Game[options.Options, Move]):
    """The game before anybody sits down; `hidden` and `dealt` say that it needs a deck."""

    key, title, credit = "kuhn@file", "Kuhn poker", "Harold W. Kuhn, 1950"  # the key: the name of the file, and @file
    seats, usual_seats = range(2, 3), 2
    hidden = dealt = True
    lesson = core.Lesson("Have more chips after the last hand.", ("A bet with J wins if the other player gives up.",))
    Options = options.Options  # none; the template of games without secrets has some

    def _start(self, options: options.Options, seats: int) -> KuhnState:
        board = KuhnBoard(seats, len(FACES))
        board.reset()
        return KuhnState(self, options, board)

    def parse(self, text: object, state: KuhnState) -> Word:
        if (word := Word(squares.clean(text))) not in WORDS:
            raise errors.BadNotation(f"{squares.quoted(str(word))} is no move: say pass or bet")
        return word


GAME = Kuhn()

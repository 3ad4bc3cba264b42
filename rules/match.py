"""A match: one game from its start, with its history.

It owns history: moves and draws, seats that left, agreements; undo; the result. States know positions, a match knows
how they came about. rules/record.py writes it as text.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Final, Self, TypeAlias

from quadrille.rules.chance import Dealer, OpenDealer, SeedDealer
from quadrille.rules.core import HIDDEN, WHOLE, Face, Game, Given, Move, Over, State, ToDraw, ToMove, Viewer, check_seat
from quadrille.rules.core.talk import Consequence
from quadrille.rules.errors import GameOver, IllegalMove, RulesError
from quadrille.rules.options import shown
from quadrille.value import value


@value
class Deal:
    """The source of a match's faces if this machine may know them all: a seed, and given piles."""

    seed: str
    piles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def dealer(self) -> Dealer:
        return OpenDealer(self.piles, SeedDealer(self.seed))


@value
class Played:
    """A seat moved, with the faces drawn then."""

    seat: int
    move: Move
    faces: tuple[Face, ...] = ()


@value
class Left:
    """A seat left the game, in one of `WAYS_OUT`. Owed faces came after it."""

    seat: int
    how: str
    faces: tuple[Face, ...] = ()


@value
class Agreed:
    """The seats still in agreed on a draw."""


@value
class Adjudicated:
    """An arbiter whom the table trusts decided the places."""

    places: tuple[int, ...]
    why: str


Entry: TypeAlias = Played | Left | Agreed | Adjudicated

#: The ways in which a seat can leave, with their sentences. The rules treat them all alike.
WAYS_OUT: Final = {
    "resigned": "has resigned",
    "dropped": "has been dropped",
    "forfeit": "has lost the game without a move: it is withdrawn",
    "time": "has run out of time",
    "crash": "has lost the game: its program ended",
    "illegal": "has lost the game: its program made a move that is not legal",
    "stall": "has lost the game: its program stopped answering",
    "protocol": "has lost the game: its program wrote what no program may write",
}
#: A match keeps every sixteenth position, and replays from there: one takes 28 KiB on a board of 26 x 26.
KEPT_EVERY: Final = 16


class Match:
    """A game in progress or ended. A refused action leaves it as it was. Threads that share one play on copies."""

    __slots__ = ("_dealer", "_entries", "_kept", "_now", "deal", "game", "opening", "viewer")

    def __init__(
        self,
        game: Game[Any, Any],
        options: Given = None,
        seats: int | None = None,
        *,
        deal: Deal | None = None,
        viewer: Viewer = WHOLE,
    ) -> None:
        """Start the game. A `deal` answers every draw at once; without one, faces come from outside (`answer`)."""
        self.game = game
        self.deal = deal
        self.viewer = viewer
        self._dealer = deal.dealer() if deal else None
        start = game.start(options, seats)
        #: The faces drawn before the first move.
        self.opening: tuple[Face, ...] = ()
        self._entries: list[Entry] = []
        self._kept: list[State[Any, Any]] = []
        self._stand(start if viewer == WHOLE else start.view(viewer))
        self._draw()

    @property
    def state(self) -> State[Any, Any]:
        return self._now

    def shown(self, view: State[Any, Any]) -> State[Any, Any]:
        """Return a view as people see it: what its seat saw before may be for the person to remember."""
        last = self._entries[-1] if self._entries else None
        if self.over:
            return view
        return view.recalled(last.move if isinstance(last, Played) and last.seat == view.viewer else None)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    @property
    def length(self) -> int:
        return len(self._entries)

    @property
    def positions(self) -> tuple[State[Any, Any], ...]:
        """The first position, and the one after each entry. All but the last are played anew."""
        states = [self._kept[0]]
        for entry in self._entries:
            states.append(_after(states[-1], entry))
        return (*states[:-1], self._now)

    def after(self, entries: int) -> State[Any, Any]:
        """Return the position after that many entries."""
        if entries == len(self._entries):
            return self._now
        place = entries // KEPT_EVERY
        state = self._kept[place]
        for entry in self._entries[place * KEPT_EVERY : entries]:
            state = _after(state, entry)
        return state

    def since(self, number: int) -> list[Entry]:
        """Return the entries from that number on; cheaper than all of them for a caller on each turn."""
        return self._entries[number:]

    def story(self, number: int) -> tuple[Consequence, ...]:
        """Return the consequences of an entry; empty before its faces are drawn."""
        entry = self._entries[number]
        if not isinstance(entry, Played):
            return ()
        before = self.after(number)
        after = self._now if number + 1 == len(self._entries) else _after(before, entry)
        return before.story(entry.move, entry.faces, after)

    def seen(self, number: int, viewer: Viewer) -> list[Face]:
        """Return the faces drawn in an entry that the viewer saw."""
        entry = self._entries[number]
        if not isinstance(entry, Played) or not entry.faces:
            return []
        faces = list(entry.faces)
        if viewer != self.viewer:
            assert viewer != "whole"
            faces, _ = masked(self.after(number).play(entry.move), entry.faces, viewer)
        return [] if all(face == HIDDEN for face in faces) else faces

    @property
    def ply(self) -> int:
        """Number of moves played."""
        return sum(isinstance(entry, Played) for entry in self._entries)

    @property
    def pending(self) -> ToMove | ToDraw | Over:
        """The owed move or draw, or the result, also one that only a match knows."""
        state = self._now
        match self._entries[-1] if self._entries else None:
            case Agreed():
                places = tuple(1 if seat in self.seats_in else state.board.place(seat) for seat in range(state.seats))
                return Over(places, state.figures(), "a draw was agreed")
            case Adjudicated(places, why):
                return Over(places, state.figures(), why)
        return state.pending

    @property
    def turn(self) -> int | None:
        """The seat that owes a move, as of a State."""
        pending = self.pending
        return pending.seat if isinstance(pending, ToMove) else None

    @property
    def over(self) -> Over | None:
        """The result; None while it goes on."""
        pending = self.pending
        return pending if isinstance(pending, Over) else None

    @property
    def seats_in(self) -> tuple[int, ...]:
        """The seats that have not left the game."""
        return tuple(seat for seat, place in enumerate(self.state.board.left) if not place)

    def is_left_by(self, seats: Collection[int]) -> bool:
        """Return whether others play on after all these seats have left."""
        return bool(seats) and self.over is None and not set(seats) & set(self.seats_in)

    def _check_open(self) -> ToMove | ToDraw:
        """Return the owed move or draw; refuse when the match is over."""
        pending = self.pending
        if isinstance(pending, Over):
            raise GameOver(f"the game is over: {pending.reason}")
        return pending

    def play(self, move: Move | str) -> Move:
        """Make a move for the seat to move, given as a value or a text. Return the move as it was understood."""
        pending, state = self._check_open(), self._now
        if isinstance(pending, ToDraw):
            raise IllegalMove(f"{_owed(pending)} has to be turned up first")
        read: Move = self.game.parse(move, state) if isinstance(move, str) else move
        self._add(Played(pending.seat, read), state.play(read))
        try:
            self._draw()
        except RulesError:
            self._take_back()
            raise
        return read

    def _add(self, entry: Entry, state: State[Any, Any]) -> None:
        self._entries.append(entry)
        self._stand(state)

    def _stand(self, state: State[Any, Any]) -> None:
        """Note the position now."""
        self._now = state
        if len(self._entries) % KEPT_EVERY == 0:
            self._kept[len(self._entries) // KEPT_EVERY :] = [state]

    def _take_back(self) -> Entry:
        self._now = self.after(len(self._entries) - 1)
        entry = self._entries.pop()
        del self._kept[len(self._entries) // KEPT_EVERY + 1 :]
        return entry

    def answer(self, face: Face) -> None:
        """Answer an owed face from outside."""
        if not isinstance(self._check_open(), ToDraw):
            raise IllegalMove("no card or coin is owed now")
        self._stand(self._now.play(face))
        if not self._entries:
            self.opening += (face,)
            return
        entry = self._entries[-1]
        assert isinstance(entry, Played | Left)
        self._entries[-1] = replace(entry, faces=(*entry.faces, face))

    def _draw(self) -> None:
        """Answer all owed draws, if this machine deals."""
        while self._dealer and isinstance(owed := self._now.pending, ToDraw):
            self.answer(Face(self._dealer.face(owed.pile.name, owed.pile.faces, owed.position)))

    def leave(self, seat: int, how: str = "resigned") -> None:
        """Let a seat leave the game."""
        if how not in WAYS_OUT:
            raise RulesError(f"a seat leaves in one of these ways, not {shown(how)}: {', '.join(WAYS_OUT)}")
        check_seat(self.state, seat)
        self._check_open()
        self._add(Left(seat, how), self.state.leave(seat))

    def agree(self) -> None:
        """Let all seats still in agree on a draw."""
        self._check_open()
        self._add(Agreed(), self.state)

    def adjudicate(self, places: Sequence[int], reason: str) -> None:
        """End the match with these places."""
        self._check_open()
        row = tuple(places)
        if len(row) != self.state.seats or not is_ranking(row):
            raise RulesError(f"{list(row)} are no places of {self.state.seats} seats: such as 1, 1, 3")
        if not reason.isprintable():
            raise RulesError("the reason of a verdict has a character that no line may hold")
        self._add(Adjudicated(row, reason), self.state)

    def undo(self, plies: int = 1) -> None:
        """Take back that many moves, and what happened after them."""
        if isinstance(plies, bool) or not isinstance(plies, int) or plies < 1:
            raise RulesError("undo takes the number of moves to take back, 1 or more")
        if plies > self.ply:
            moves = "no move has" if self.ply == 0 else "1 move has" if self.ply == 1 else f"{self.ply} moves have"
            raise RulesError(f"{plies} can't be taken back: {moves} been played")
        while plies:
            plies -= isinstance(self._take_back(), Played)

    def repeat(self, entry: Entry) -> None:
        """Repeat an entry of another match here; a match with a deal draws its own faces."""
        match entry:
            case Played(_, move):
                self.play(move)
            case Left(seat, how):
                self.leave(seat, how)
            case Agreed():
                self.agree()
            case Adjudicated(places, why):
                self.adjudicate(places, why)
        if isinstance(entry, Played | Left) and not self.deal:
            for face in entry.faces:
                self.answer(face)

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the game from its start for a pickle, as a record does: its States follow from that."""
        start = self._kept[0]
        return _told, (self.game, start.options, start.seats, self.viewer, self.deal, self.opening, self.entries)

    def __copy__(self) -> Self:
        return self.copy()

    def copy(self) -> Self:
        """Return an independent copy."""
        return self.before(len(self._entries))

    def concealed(self) -> "Match":
        """Return the match as a spectator knows it; its faces come from outside from now on."""
        return Onlooker(self).catch_up(drawn=False)

    def before(self, entries: int) -> Self:
        """Return the match as it was after that many entries."""
        earlier = type(self).__new__(type(self))
        earlier.game, earlier.deal, earlier.viewer, earlier._dealer = self.game, self.deal, self.viewer, self._dealer
        earlier.opening = self.opening
        earlier._entries, earlier._kept = self._entries[:entries], self._kept[: entries // KEPT_EVERY + 1]
        earlier._now = self.after(len(earlier._entries))
        return earlier


def _told(
    game: Game[Any, Any],
    options: Given,
    seats: int,
    viewer: Viewer,
    deal: Deal | None,
    opening: tuple[Face, ...],
    entries: tuple[Entry, ...],
) -> Match:
    match = Match(game, options, seats, deal=deal, viewer=viewer)
    for face in () if deal else opening:
        match.answer(face)
    for entry in entries:
        match.repeat(entry)
    return match


def mask(state: State[Any, Any], move: Move, seat: int | None) -> Move:
    """Return a move in a position as that seat (None: a spectator) sees it: HIDDEN for faces it may not see."""
    pending = state.pending
    if isinstance(pending, ToDraw) and pending.owner is not None and pending.owner != seat:
        return HIDDEN
    return move


class Onlooker:
    """A match as a spectator knows it, which is caught up with the whole one; another thread may play that."""

    def __init__(self, whole: Match) -> None:
        self._whole = whole
        start = whole.game.start(whole.state.options, whole.state.seats)
        self._seen = Match(whole.game, start.options, start.seats, viewer=None)
        faces, self._state = masked(start, whole.opening, None)
        for face in faces:
            self._seen.answer(face)

    def catch_up(self, *, drawn: bool) -> Match:
        """Take what has happened since, with `drawn` up to an entry whose faces are still to be drawn; return it."""
        for entry in self._whole.since(self._seen.length):
            if isinstance(entry, Played | Left):
                after = self._state.play(entry.move) if isinstance(entry, Played) else self._state.leave(entry.seat)
                faces, after = masked(after, entry.faces, None)
                if drawn and isinstance(after.pending, ToDraw):
                    break
                self._state, entry = after, replace(entry, faces=tuple(faces))
            self._seen.repeat(entry)
        return self._seen


def masked(state: State[Any, Any], faces: Sequence[Face], viewer: int | None) -> tuple[list[Face], State[Any, Any]]:
    """Return the faces of draws that a position owes, as a viewer sees them, and the position after them."""
    seen: list[Face] = []
    for face in faces:
        shown = mask(state, face, viewer)
        assert isinstance(shown, Face)
        seen.append(shown)
        state = state.play(face)
    return seen, state


def is_ranking(places: Sequence[int]) -> bool:
    """Return whether these are places: the best is 1, equal places share a number, the next place counts after them."""
    return all(1 + sum(other < place for other in places) == place for place in places)


def _after(state: State[Any, Any], entry: Entry) -> State[Any, Any]:
    """Return the position after an entry and its faces."""
    if isinstance(entry, Played | Left):
        state = state.play(entry.move) if isinstance(entry, Played) else state.leave(entry.seat)
        for face in entry.faces:
            state = state.play(face)
    return state


def _owed(draw: ToDraw) -> str:
    return f"the face at place {draw.position + 1} of {draw.pile.name}"

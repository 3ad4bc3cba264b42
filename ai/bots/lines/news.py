"""The news of a game for its seats: items of plain data, in order.

`Teller` is at the table: it remembers what it has sent and finds what is new. `Story` is what a seat has received,
and its view of the game. No process and no line is known here. Specification: docs/protocols/bots.md, "News".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from json.encoder import encode_basestring_ascii as json_text
from typing import Any, TypeAlias

from quadrille.ai.json_lines import encode
from quadrille.rules.board import UNKNOWN
from quadrille.rules.core import HIDDEN, Face, Pile, State, ToDraw
from quadrille.rules.match import Adjudicated, Agreed, Entry, Left, Match, Played

Item: TypeAlias = dict[str, Any]


class Story:
    """A game as one seat has received it.

    It holds what everybody knows after each entry, and the faces that this seat alone has seen. Together they are its
    view (`State.told`).
    """

    __slots__ = ("_public", "_view", "entries", "seat", "seen")

    def __init__(self, start: State[Any, Any], seat: int) -> None:
        self.seat = seat
        self.entries: list[Entry] = []
        #: The faces that this seat has seen of cards face down: by position, as numbers of the pile in play.
        self.seen: dict[int, int] = {}
        self._public = [start.view(None)]
        self._view: State[Any, Any] | None = None

    @property
    def view(self) -> State[Any, Any]:
        """The position as this seat knows it."""
        if self._view is None:
            public = self.public
            self._view = public.told(self.seat, self.seen) if public.game.hidden else public
        return self._view

    @property
    def public(self) -> State[Any, Any]:
        """The position as everybody knows it."""
        return self._public[-1]

    def hear(self, item: Item) -> Entry | None:
        """Process one item of news; return its entry if it is a new one."""
        match item:
            case {"undone": count}:
                self.undo(count)
                return None
            case {"seen": faces}:
                self.look(faces)
                return None
            case {"seat": seat, "move": text}:
                self.happen(Played(seat, self.public.game.parse(text, self.public)))
            case {"seat": seat, "left": how}:
                self.happen(Left(seat, how))
            case {"agreed": _}:
                self.happen(Agreed())
            case {"adjudicated": places, "why": why}:
                self.happen(Adjudicated(tuple(places), why))
        for name in item.get("faces", ()):
            self.draw(name)
        return self.entries[-1] if "faces" not in item or len(item) > 1 else None

    def happen(self, entry: Entry) -> None:
        """Add an entry: a seat moved or left, or the game was ended. Faces come by `draw`."""
        match entry:
            case Played():
                state = self.public.play(entry.move)
            case Left():
                state = self.public.leave(entry.seat)
            case _:
                state = self.public
        if isinstance(entry, Played | Left) and entry.faces:
            entry = replace(entry, faces=())
        self.entries.append(entry)
        self._public.append(state)
        self._forget()

    def draw(self, name: str) -> None:
        """Add a drawn face, by its name as this seat knows it."""
        public = self.public
        owed = public.pending
        assert isinstance(owed, ToDraw)
        self._public[-1] = public.play(HIDDEN if owed.owner is not None else Face(name))
        if owed.owner == self.seat and name != HIDDEN.name:
            self.seen[owed.position] = owed.pile.faces.index(name)
        if self.entries:
            entry = self.entries[-1]
            assert isinstance(entry, Played | Left)
            self.entries[-1] = replace(entry, faces=(*entry.faces, Face(name)))
        self._forget()

    def undo(self, count: int) -> None:
        """Take back the last entries."""
        del self.entries[-count:], self._public[-count:]
        self._forget()

    def look(self, faces: Mapping[str, str]) -> None:
        """Replace the faces that this seat has seen of cards that lie face down: by position, by name."""
        sealed = self.public.sealed()
        assert sealed is not None
        self.seen = {int(position): sealed.pile.faces.index(name) for position, name in faces.items()}
        self._view = None

    def _forget(self) -> None:
        """Forget the faces of cards that were turned up, removed or dealt again."""
        self._view = None
        if self.seen:
            sealed = self.public.sealed()
            looked = sealed.looks[self.seat] if sealed else ()
            self.seen = {position: self.seen[position] for position in looked if position in self.seen}


class Teller:
    """Finds what is new in a match for one seat, or for a viewer who may see all (None), and remembers what it sent."""

    __slots__ = ("_entries", "_opening", "_story")

    def __init__(self, match: Match, seat: int | None) -> None:
        self._opening = 0
        self._entries: list[Entry] = []
        self._story: Story | None = None
        # Without hidden faces, or for a viewer who may see them, nothing has to be derived.
        if match.game.hidden and seat is not None:
            state = match.state
            self._story = Story(match.game.start(state.options, state.seats), seat)

    def news(self, match: Match, view: State[Any, Any]) -> list[Item]:
        """Return the news since the last call. `view` is the seat's, or the whole; the match may know more."""
        pile, seen = _seen(view) if self._story else (None, {})
        items: list[Item] = []
        entries = self._entries
        last = max(len(entries) - 1, 0)
        new = match.since(last)
        if entries and new and entries[-1] is new[0]:  # the same entry at its place has the same entries before it
            kept = len(entries)
        else:
            last, new = 0, match.since(0)
            kept = self._kept(new)
        if undone := len(entries) - kept:
            items.append({"undone": undone})
            del entries[kept:]
            if self._story:
                self._story.undo(undone)
        if len(match.opening) > self._opening:
            items.append({"faces": self._faces(match.opening[self._opening :], pile, seen)})
            self._opening = len(match.opening)
        if kept and entries[-1] is not (more := new[kept - 1 - last]):
            if drawn := _faces_of(more)[len(_faces_of(entries[-1])) :]:
                items.append({"faces": self._faces(drawn, pile, seen)})
            entries[-1] = more
        for entry in new[kept - last :]:
            items.append(self._item(entry, pile, seen))
            entries.append(entry)
        if self._story and self._story.seen != seen:
            faces = pile.faces if pile else ()
            items.append({"seen": {str(position): faces[number] for position, number in sorted(seen.items())}})
            self._story.look(items[-1]["seen"])
        return items

    def news_line(self, match: Match, view: State[Any, Any]) -> str:
        """Return the news as JSON. Nearly always they are a few moves of an open game, whose text is soon made."""
        entries = self._entries
        new = match.since(len(entries) - 1) if entries and self._story is None else []
        # if the last entry that the bot knows is still there, nothing was taken back, and no face was added to it
        if new and new[0] is entries[-1] and len(match.opening) == self._opening:
            items = [
                f'{{"seat": {entry.seat}, "move": {json_text(entry.move.text)}}}'
                for entry in new[1:]
                if isinstance(entry, Played) and not entry.faces
            ]
            if len(items) == len(new) - 1:
                entries += new[1:]
                return f"[{', '.join(items)}]"
        return encode(self.news(match, view)).decode("ascii").rstrip()

    def _kept(self, entries: Sequence[Entry]) -> int:
        """Count the sent entries that are unchanged; faces may have been added to the last of them."""
        entries_told = self._entries
        for number, (known, other) in enumerate(zip(entries_told, entries, strict=False)):
            if known is other or known == other:
                continue
            return number + (number == len(entries_told) - 1 and _goes_on(known, other))
        return min(len(entries_told), len(entries))

    def _item(self, entry: Entry, pile: Pile | None, seen: Mapping[int, int]) -> Item:
        faces: tuple[Face, ...] = ()
        match entry:
            case Played(seat, move, faces):
                item: Item = {"seat": seat, "move": move.text}
            case Left(seat, how, faces):
                item = {"seat": seat, "left": how}
            case Agreed():
                item = {"agreed": True}
            case Adjudicated(places, why):
                item = {"adjudicated": places, "why": why}
        if self._story:
            self._story.happen(entry)
        if faces:
            item["faces"] = self._faces(faces, pile, seen)
        return item

    def _faces(self, faces: Iterable[Face], pile: Pile | None, seen: Mapping[int, int]) -> list[str]:
        """Return the names of drawn faces, and the name of a hidden face for those that the seat must not know."""
        if self._story is None:
            return [face.name for face in faces]
        names = []
        for face in faces:
            owed = self._story.public.pending
            assert isinstance(owed, ToDraw)
            if owed.owner is None:
                name = face.name
            elif owed.owner != self._story.seat:
                name = HIDDEN.name
            elif face != HIDDEN:
                name = face.name
            else:  # the match does not know what the seat has seen; its view does, while the card lies there
                same = pile is not None and owed.pile.name == pile.name and owed.position in seen
                name = owed.pile.faces[seen[owed.position]] if same else HIDDEN.name
            self._story.draw(name)
            names.append(name)
        return names


def _faces_of(entry: Entry) -> tuple[Face, ...]:
    return entry.faces if isinstance(entry, Played | Left) else ()


def _goes_on(known: Entry, entry: Entry) -> bool:
    """Return whether an entry is a sent one with more faces."""
    if not isinstance(entry, Played | Left):
        return False
    return replace(entry, faces=entry.faces[: len(_faces_of(known))]) == known


def _seen(view: State[Any, Any]) -> tuple[Pile | None, dict[int, int]]:
    """Return the pile in play, and the faces that the viewer knows of its cards face down, by position."""
    sealed = view.sealed()
    if sealed is None or not isinstance(view.viewer, int):
        return None, {}
    faces = view.board.faces
    looks = sealed.looks[view.viewer]
    return sealed.pile, {position: faces[position] for position in looks if faces[position] != UNKNOWN}

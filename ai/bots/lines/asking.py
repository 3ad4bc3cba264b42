"""A bot's questions during its turn: the view, the list of moves, whether one is legal, random games; and the
position as it is shown unasked.

All answers come from the seat's own view. Specification: docs/protocols/bots.md, "Asking".
"""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from json.encoder import encode_basestring_ascii as json_text
from typing import Any, Final

from quadrille.ai.data import Data, scene_data
from quadrille.ai.json_lines import Fields
from quadrille.rules.chance import Stream
from quadrille.rules.core import Move, State, ToDraw, refusal
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import RulesError
from quadrille.rules.options import shown

#: The kinds of questions.
ASKS: Final = ("moves", "legal", "play out", "view", "text")
#: Maximum moves with a turn, and in an answer: most bots need none, and a long list costs more than all else.
FIRST_MOVES: Final = 100
MOST_MOVES: Final = 1000
#: Maximum random games at once: the table plays them itself, and has other work.
MOST_GAMES: Final = 10
_LONGEST_SEED: Final = 1000
#: A move and nothing else, as nearly all lines are, in a third of the time that a decoder takes.
_PLAIN: Final = re.compile(rb'\{"turn": ?(0|[1-9]\d{0,8}), ?"move": ?"([ !#-\[\]-~]*)"\}')


class Turn:
    """A turn of a bot: its view, and how many of its moves were listed."""

    __slots__ = ("_listing", "_next", "_texts", "_told", "number", "view")

    def __init__(self, number: int, view: State[Any, Any]) -> None:
        self.number = number
        self.view = view
        self._listing: Iterator[Move] | None = None
        self._next: list[Move] = []
        #: The moves listed with the turn, and their texts: most bots answer with one of these.
        self._told: list[Move] = []
        self._texts: list[str] = []

    def moves(self, limit: int) -> Data:
        """Return the next moves of the list, and whether there are more."""
        if self._listing is None:
            self._listing = iter(self.view.moves)
        moves = [*self._next, *islice(self._listing, limit + 1 - len(self._next))]
        self._next = moves[limit:]
        return {"moves": [move.text for move in moves[:limit]], "more": bool(self._next)}

    def first_moves(self) -> str:
        """Return the first moves in JSON, as fields of the turn."""
        self._listing = listing = iter(self.view.moves)
        self._told = moves = list(islice(listing, FIRST_MOVES))
        self._next = list(islice(listing, 1))
        self._texts = texts = [move.text for move in moves]
        return f'"moves": [{", ".join(map(json_text, texts))}], "more": {"true" if self._next else "false"}'

    def plainly_chosen(self, line: bytes) -> Move | None:
        """Return the move of an answer that is as nearly all are: this turn with a listed move, and nothing else."""
        if (plain := _PLAIN.fullmatch(line)) is None or int(plain[1]) != self.number:
            return None
        text = plain[2].decode("ascii")
        return self._told[self._texts.index(text)] if text in self._texts else None

    def read(self, text: str) -> Move:
        """Return the legal move of a text; else raise a `RulesError` that says why not."""
        if text in self._texts:
            return self._told[self._texts.index(text)]
        view = self.view
        move: Move = view.game.parse(text, view)
        if view.objection(move) is not None:
            raise refusal(view, move)
        return move

    def answer(self, ask: Mapping[str, Any]) -> Data:
        """Answer a bot's question; raise a `RulesError` if it can't be answered."""
        fields = Fields(ask, ask["ask"])
        match ask["ask"]:
            case "moves":
                return self.moves(fields.number("limit", 1, MOST_MOVES, MOST_MOVES))
            case "legal":
                return self._legal(fields.text("move"))
            case "play out":
                return self._play_out(fields)
            case "view":
                return {"view": scene_data(self.view.scene())}
            case "text":
                return {"text": drawing(self.view.scene())}
        raise RulesError(f"{shown(ask['ask'])} is nothing to ask: there are {', '.join(ASKS)}")

    def _legal(self, text: str) -> Data:
        try:
            self.read(text)
        except RulesError as error:
            return {"legal": False, "why": str(error)}
        return {"legal": True}

    def _play_out(self, fields: Fields) -> Data:
        from quadrille.rules.search import Position  # imported here: most bots never ask for it

        moves = fields.get("moves", [])
        if not isinstance(moves, list):
            raise RulesError(f'"moves" takes a list of texts, not {shown(moves)}')
        games, seed = fields.number("games", 1, MOST_GAMES, 1), fields.text("seed", "", _LONGEST_SEED)
        dice = Stream(seed, "play out")
        payoffs: list[list[int]] = []
        # if faces are hidden, each game draws others; otherwise all start from one position
        for count in [1] * games if self.view.game.hidden else [games]:
            whole = self.view.guess(dice)
            for text in moves:
                whole = _settled(whole.play(whole.game.parse(text, whole)))
            played = Position(whole).playouts(count, dice.randrange(1 << 32))
            row = list(played.results)
            payoffs += [row[at : at + played.seats] for at in range(0, len(row), played.seats)]
        return {"payoffs": payoffs}


def position_data(state: State[Any, Any], omit: Collection[str]) -> Data:
    """Return a position as data for players, without the fields in `omit`."""
    scene = state.scene()
    return {name: form(scene) for name, form in (("view", scene_data), ("text", drawing)) if name not in omit}


def _settled(state: State[Any, Any]) -> State[Any, Any]:
    """Make the owed draws: in a guessed whole each face is determined."""
    while isinstance(state.pending, ToDraw):
        state = state.play(next(iter(state.moves)))
    return state

"""The rules as a service: one JSON object per line in, one out, in order. Specification: docs/protocols/engine.md.

Every line gets one answer, and a refused request changes nothing. No rule is known here.
"""

import secrets
from collections.abc import Callable
from itertools import islice
from typing import Any, BinaryIO, Final

from quadrille.ai.data import Data, game_data, scene_data, summary
from quadrille.ai.json_lines import BadJson, Fields, decode, encode, lines
from quadrille.plugs import game_fault
from quadrille.rules.core import ToMove, check_seat
from quadrille.rules.drawing.plain_text import drawing
from quadrille.rules.errors import BadOptions, RulesError
from quadrille.rules.match import Deal, Match
from quadrille.rules.options import shown
from quadrille.rules.record import read, write
from quadrille.rules.registry import game, games
from quadrille.rules.search.perft import DEEPEST, perft
from quadrille.value import value

USUAL_LIMIT: Final = 10_000
HIGHEST_LIMIT: Final = 1_000_000
#: Fields that every request may have in addition to its own.
COMMON: Final = ("do", "id", "on")


class NoGame(RulesError):
    """No game of that name is in progress."""

    code = "no-game"


class Engine:
    """The games in progress, and whether to quit."""

    def __init__(self) -> None:
        self.done = False
        self._matches: dict[str, Match] = {}

    def answer(self, line: bytes | None) -> bytes:
        """Answer a line; None stands for a line that was too long."""
        head: Data = {}
        try:
            request = decode(line)
            if not isinstance(request, dict):
                raise BadJson('a request is a JSON object, such as {"do": "games"}')
            if "id" in request:
                head = {"id": request["id"]}
            return encode({"ok": True} | head | self._reply(request))
        except RulesError as error:
            return encode({"ok": False} | head | {"error": error.code, "why": str(error)})
        except Exception as error:
            if not (fault := game_fault(error)):
                raise
            return encode({"ok": False} | head | {"error": "broken-game", "why": fault})

    def _reply(self, given: Data) -> Data:
        do = given.get("do")
        known = ", ".join(REQUESTS)
        if not isinstance(do, str):
            raise RulesError(f'"do" says what to do, one of {known}; it is no {shown(do)}')
        if do not in REQUESTS:
            raise RulesError(f"{shown(do)} is nothing to do here: there are {known}")
        request = REQUESTS[do]
        for name in given:
            if name not in COMMON and name not in request.fields:
                takes = ", ".join(request.fields) or "nothing more"
                raise RulesError(f'"{do}" has no field {shown(name)}: it takes {takes}')
        return request.answer(self, Fields(given, do))

    def _name(self, fields: Fields) -> str:
        return fields.text("on", "main")

    def _match(self, fields: Fields) -> Match:
        name = self._name(fields)
        if name not in self._matches:
            raise NoGame(f'no game {shown(name)} is in progress: begin one with "start" or "load"')
        return self._matches[name]

    def games(self, fields: Fields) -> Data:
        """List every game with its seats, options and presets."""
        return {"games": [game_data(each) for each in games()]}

    def start(self, fields: Fields) -> Data:
        """Begin a game, replacing one of that name."""
        name = self._name(fields)
        chosen = game(fields.text("game"))
        preset = fields.get("preset")
        options: dict[str, Any] = {} if preset is None else dict(chosen.preset(preset))
        if (given := fields.get("options")) is not None:
            if not isinstance(given, dict):
                raise BadOptions(f"options are names with values, not {shown(given)}")
            options |= given
        seed = fields.text("seed", secrets.token_hex(8))
        deal = fields.get("deal")
        piles = {} if deal is None else chosen.piles(deal, chosen.read_options(options))
        match = Match(chosen, options, fields.get("seats"), deal=Deal(seed, piles))
        advice = chosen.advice(match.state.options, match.state.seats)
        return self._kept(name, match) | ({"advice": list(advice)} if advice else {})

    def _kept(self, name: str, match: Match) -> Data:
        """Keep a game that has been changed, once its summary is there: a plugged game may fail to give one."""
        told_match = summary(match)
        self._matches[name] = match
        return told_match

    def state(self, fields: Fields) -> Data:
        return summary(self._match(fields))

    def moves(self, fields: Fields) -> Data:
        """List the legal moves, up to the limit."""
        match = self._match(fields)
        limit = fields.number("limit", 0, HIGHEST_LIMIT, USUAL_LIMIT)
        moves = []
        if isinstance(match.pending, ToMove):
            moves = list(map(str, islice(match.state.moves, limit + 1)))
        return {"moves": moves[:limit], "more": len(moves) > limit}

    def play(self, fields: Fields) -> Data:
        """Make a move for the seat whose turn it is."""
        match = self._match(fields).copy()
        match.play(fields.text("move"))
        return self._kept(self._name(fields), match)

    def undo(self, fields: Fields) -> Data:
        """Take moves back."""
        match = self._match(fields).copy()
        match.undo(fields.get("plies", 1))
        return self._kept(self._name(fields), match)

    def leave(self, fields: Fields) -> Data:
        match = self._match(fields).copy()
        match.leave(fields.need("seat"))
        return self._kept(self._name(fields), match)

    def show(self, fields: Fields) -> Data:
        """Draw the position as text, as a seat or a spectator sees it."""
        return {"text": drawing(self._match(fields).state.view(self._viewer(fields)).scene())}

    def view(self, fields: Fields) -> Data:
        """Return the position as data, as a seat or a spectator sees it."""
        return {"scene": scene_data(self._match(fields).state.view(self._viewer(fields)).scene())}

    def _viewer(self, fields: Fields) -> int | None:
        seat = fields.get("seat")
        return None if seat is None else check_seat(self._match(fields).state, seat)

    def record(self, fields: Fields) -> Data:
        return {"record": write(self._match(fields))}

    def load(self, fields: Fields) -> Data:
        """Load a game from a record, replacing one of that name."""
        return self._kept(self._name(fields), read(fields.text("record")))

    def perft(self, fields: Fields) -> Data:
        """Count the sequences of that many moves."""
        match = self._match(fields)
        depth = fields.number("depth", 0, DEEPEST)
        if match.over:
            return {"nodes": 0 if depth else 1}
        if match.deal is None:
            raise RulesError("what is drawn in this game is not known here, so its moves can't be counted")
        return {"nodes": perft(match.state, depth, match.deal.dealer())}

    def quit(self, fields: Fields) -> Data:
        """Say good-bye."""
        self.done = True
        return {}


@value
class RequestKind:
    """A kind of request: its handler, and its optional fields."""

    answer: Callable[[Engine, Fields], Data]
    fields: tuple[str, ...] = ()


REQUESTS: Final = {
    "games": RequestKind(Engine.games),
    "start": RequestKind(Engine.start, ("game", "options", "preset", "seats", "seed", "deal")),
    "state": RequestKind(Engine.state),
    "moves": RequestKind(Engine.moves, ("limit",)),
    "play": RequestKind(Engine.play, ("move",)),
    "undo": RequestKind(Engine.undo, ("plies",)),
    "leave": RequestKind(Engine.leave, ("seat",)),
    "show": RequestKind(Engine.show, ("seat",)),
    "view": RequestKind(Engine.view, ("seat",)),
    "record": RequestKind(Engine.record),
    "load": RequestKind(Engine.load, ("record",)),
    "perft": RequestKind(Engine.perft, ("depth",)),
    "quit": RequestKind(Engine.quit),
}


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line until a quit request or the end of input."""
    engine = Engine()
    for line in lines(requests):
        answers.write(engine.answer(line))
        answers.flush()
        if engine.done:
            break

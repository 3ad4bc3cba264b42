"""Games and positions as plain data for programs in any language: what the engine answers and `--json` prints.

Texts, whole numbers, truth values, lists, and dicts with texts for names. Specification: protocols.md, "The engine".
"""

from dataclasses import asdict
from typing import Any, TypeAlias

from quadrille.rules.core import RULES_VERSION, Game, Over, ToMove
from quadrille.rules.match import Adjudicated, Agreed, Entry, Left, Match, Played
from quadrille.rules.options import Spec
from quadrille.rules.scene import Scene

Data: TypeAlias = dict[str, Any]


def game_data(game: Game[Any, Any]) -> Data:
    """What there is to know of a game before it is started."""
    return {
        "key": game.key,
        "title": game.title,
        "seats": [game.seats[0], game.seats[-1]],
        "options": [option_data(spec) for spec in game.Options.specs()],
        "presets": [
            {"name": name, "options": dict(preset.options), "help": preset.help}
            for name, preset in game.presets.items()
        ],
    }


def rules_raised(game: Game[Any, Any]) -> Data:
    """The number of a game's rules as a `start` names it: absent until the game has raised its own."""
    return {} if game.rules == RULES_VERSION else {"rules": game.rules}


def option_data(spec: Spec) -> Data:
    """An option with what it takes: its choices, or the least and the most (of a text: characters)."""
    data: Data = {"name": spec.name, "type": spec.kind, "default": spec.default}
    match spec.kind:
        case "choice":
            data["choices"] = list(spec.choices)
        case "flag":
            data["choices"] = [False, True]
        case _:
            data |= {"least": spec.least, "most": spec.most}
    return data | {"help": spec.help}


def summary(match: Match) -> Data:
    """Where a match stands."""
    pending = match.pending
    return {
        "game": match.game.key,
        "seat": pending.seat if isinstance(pending, ToMove) else None,
        "ply": match.ply,
        "over": over_data(pending) if isinstance(pending, Over) else None,
        "digest": match.state.digest().hex(),
    }


def over_data(over: Over) -> Data:
    """How a game ended."""
    return {"places": over.places, "figures": over.figures, "reason": over.reason}


def entry_data(entry: Entry) -> Data:
    """What happened, with the faces drawn then."""
    match entry:
        case Played(seat, move, faces):
            return {"seat": seat, "move": str(move), "faces": list(map(str, faces))}
        case Left(seat, how, faces):
            return {"seat": seat, "left": how} | ({"faces": list(map(str, faces))} if faces else {})
        case Agreed():
            return {"agreed": True}
        case Adjudicated(places, why):
            return {"adjudicated": places, "why": why}


def scene_data(scene: Scene) -> Data:
    """A scene, field by field; the figures of a panel by their names."""
    data = asdict(scene)
    for panel in data["panels"]:
        panel["figures"] = dict(panel["figures"])
    return data

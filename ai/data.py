"""Games and positions as plain data for programs in any language: the engine's answers and the output of `--json`.

Texts, whole numbers, booleans, lists, and dicts with text keys. Specification: docs/protocols/engine.md.
"""

from dataclasses import asdict
from typing import Any, TypeAlias

from quadrille.rules.core import RULES_VERSION, Game, Over
from quadrille.rules.match import Adjudicated, Agreed, Entry, Left, Match, Played
from quadrille.rules.options import Spec
from quadrille.rules.scene import Scene

Data: TypeAlias = dict[str, Any]


def game_data(game: Game[Any, Any]) -> Data:
    """Return the properties of a game before its start."""
    return {
        "key": game.key,
        "title": game.title,
        "seats": [game.seats[0], game.seats[-1]],
        "minutes": list(game.lesson.minutes),
        "age": game.lesson.age,
        "options": [option_data(spec) for spec in game.Options.specs()],
        "presets": [
            {"name": name, "options": dict(preset.options), "help": preset.help}
            for name, preset in game.presets.items()
        ],
    }


def rules_raised(game: Game[Any, Any]) -> Data:
    """Return the rules version for a `start` request; nothing while the game has its first one."""
    return {} if game.rules == RULES_VERSION else {"rules": game.rules}


def option_data(spec: Spec) -> Data:
    """Return an option and its values: its choices, or its minimum and maximum (of a text: characters)."""
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
    """Return the present state of a match."""
    return {
        "game": match.game.key,
        "seat": match.turn,
        "ply": match.ply,
        "over": over_data(match.over) if match.over else None,
        "digest": match.state.digest().hex(),
    }


def over_data(over: Over) -> Data:
    return {"places": over.places, "figures": over.figures, "reason": over.reason}


def entry_data(entry: Entry) -> Data:
    """Return an entry, with the faces drawn in it."""
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
    """Return a scene, field by field; the figures of a panel by name."""
    data = asdict(scene)
    for panel in data["panels"]:
        panel["figures"] = dict(panel["figures"])
    return data

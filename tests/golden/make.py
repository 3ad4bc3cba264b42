"""The golden records: whole games that must replay to the same text until their game raises the number of its rules.

    python -m tests.golden.make

writes `<game>-<what>.txt` and its line of `digests.json` for each game below that has none yet. Whoever raises the
number of a game's rules deletes the records of that game alone: the walks that choose moves have changed since, so
records made again would not be these.
"""

import hashlib
import json
from pathlib import Path

from quadrille.laws.settings import setting
from quadrille.laws.walks import random_match, walk
from quadrille.rules.core import ToDraw
from quadrille.rules.match import Deal, Match, mask
from quadrille.rules.options import Value
from quadrille.rules.record import write
from quadrille.rules.registry import game

FOLDER = Path(__file__).parent
DIGESTS = FOLDER / "digests.json"
#: The inventor's example: his layout, the sides that Orange and Green pick, and the first round. His page of rules only
#: names the page of the example, and no more moves of it have come down to us; the record ends there.
EXAMPLE = "coin-isolation-inventors-example"
MOVES = ("side west", "side north", "c1-c2-d2-d3", "h1", "g8-g7-f7", "a6-b6")
LAYOUT = "nddppppp/pppnpppn/ddnpnpdn/nnnqdpnp/ppndddnn/nnqpqndp/nnppdnnn/ndpnnppq"
#: What happens in each: options, seats, and whether seats leave.
GAMES: dict[str, tuple[str, dict[str, Value], int, bool]] = {
    "barons-usual": ("barons", {"width": 10, "height": 10}, 4, False),
    "barons-leavers": ("barons", {"width": 5, "height": 4, "end": "full", "horizontal": 3}, 6, True),
    "coin-isolation-usual": ("coin-isolation", {}, 2, False),
    "coin-isolation-inventors-layout": ("coin-isolation", {"layout": LAYOUT}, 4, False),
    "coin-isolation-leavers": ("coin-isolation", {"mixed_change": True, "standing_still": True}, 4, True),
    "coin-isolation-renegades": (
        "coin-isolation",
        {"renegade": True, "take": "semi-greedy", "collect": "cleanup"},
        3,
        False,
    ),
    "coin-isolation-transplant": ("coin-isolation", {"collect": "transplant", "adjacency": "diagonal"}, 2, False),
    "dollar-draw-usual": ("dollar-draw", {"width": 10, "height": 10}, 2, False),
    "dollar-draw-match": ("dollar-draw", {"width": 9, "height": 9}, 2, False),
    "dollar-draw-resigned": ("dollar-draw", {"width": 5, "height": 4}, 2, True),
    "dotter-usual": ("dotter", {"laps": 1}, 2, False),
    "dotter-leavers": ("dotter", {"laps": 6, "lap_points": 40, "guess_nothing": True, "max_rounds": 2}, 5, True),
    "dotter-short": ("dotter", {"laps": 3, "lap_points": 30}, 3, False),
    "maze-usual": ("maze", {}, 2, False),
    "maze-resigned": ("maze", {"size": 12}, 2, True),
}
#: What one seat, or a spectator, learned of such a game.
VIEWS: dict[str, tuple[str, int | None]] = {
    "dotter-view-p2": ("dotter-short", 1),
    "dotter-view-spectator": ("dotter-usual", None),
}


def golden(name: str) -> Match:
    """The match of that name, from the start."""
    if name in VIEWS:
        return viewed(*VIEWS[name])
    if name == EXAMPLE:
        match = Match(game("coin-isolation"), {"layout": LAYOUT}, 4, deal=Deal("the inventor's example"))
        for move in MOVES:
            match.play(move)
        return match
    key, options, seats, leaving = GAMES[name]
    return random_match(setting(key, options, seats), f"golden {name}", leaving=leaving)


def viewed(name: str, viewer: int | None) -> Match:
    """A game as that viewer was told of it: nobody deals, faces come from outside."""
    key, options, seats, _ = GAMES[name]
    match = Match(setting(key, options, seats).game, options, seats, viewer=viewer)
    for step in list(walk(setting(key, options, seats), f"golden {name}"))[:-1]:
        masked = mask(step.state, step.move, viewer)  # type: ignore[arg-type]
        if isinstance(step.state.pending, ToDraw):
            match.answer(masked)  # type: ignore[arg-type]
        else:
            match.play(masked)
    return match


def digests_of(match: Match) -> list[str]:
    """The digest of the last position, and one of the digests of all positions."""
    together = hashlib.blake2b(b"".join(state.digest() for state in match.positions), digest_size=32)
    return [match.state.digest().hex(), together.hexdigest()]


def main() -> None:
    digests = json.loads(DIGESTS.read_text("utf-8")) if DIGESTS.exists() else {}
    for name in sorted((*GAMES, *VIEWS, EXAMPLE)):
        path = FOLDER / f"{name}.txt"
        if not path.exists():
            match = golden(name)
            path.write_bytes(write(match).encode("ascii"))
            digests[name] = digests_of(match)
            print(path.name, match.ply, "moves")
    DIGESTS.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()

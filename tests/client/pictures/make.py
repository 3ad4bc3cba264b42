"""The golden pictures: one small position of each game, to the byte.

    python -m tests.client.pictures.make

writes them again, after a change of how things look. Look at them, in light and in dark, before you keep them.
"""

from pathlib import Path
from typing import Final

from quadrille.client.picture.film import FilmedMatch
from quadrille.client.picture.svg import picture
from quadrille.laws.settings import GAMES
from quadrille.rules.match import Deal, Match
from quadrille.rules.options import Value

FOLDER: Final = Path(__file__).parent
#: Options, seats and moves, and who looks (from 0), if it is not all to see.
POSITIONS: Final[dict[str, tuple[dict[str, Value], int, str, int | None]]] = {
    "barons": ({"width": 4, "height": 3}, 3, "a1 b2 c1 a2 b3 d1 a3 c2 c3", None),
    "chomp": ({"width": 3, "height": 2}, 2, "b2", None),
    "coin-isolation": ({"layout": "ppn/npp/pdp"}, 2, "side east|a3-b3-b2", None),
    "dollar-draw": ({"width": 4, "height": 4}, 2, "b1 d3 b2 d2 b3 c2 c3 b2 c2 b1 b2 c1 a2 c2", None),
    "dotter": ({}, 2, "draw|draw|peek p2 1a 1b|peek p1 1b 1c|draw|peek p2 1b 1c|score p2 1a 1b 1c", 0),
    "maze": ({"size": 3}, 2, "a3-b3 b3-b2 b2-b1 b1-a1 a1-a2 b3-c3", None),
}


def shown(key: str) -> FilmedMatch:
    options, seats, moves, viewer = POSITIONS[key]
    match = Match(GAMES[key], options, seats, deal=Deal("golden"))
    for move in moves.split("|" if "|" in moves else " "):
        match.play(move)
    return FilmedMatch(match) if viewer is None else FilmedMatch(match, viewer)


def drawn(key: str) -> str:
    one = shown(key)
    return picture(one, len(one.match.entries))


def main() -> None:
    for key in POSITIONS:
        (FOLDER / f"{key}.svg").write_text(drawn(key), "utf-8")


if __name__ == "__main__":
    main()

"""The moving picture that the README opens with, from a real session: python -m tests.client.screen.readme_picture.

Ben opens a table; Ann finds it in her lobby, sits down, and they play on a small board, each by what a search finds.
What Ann's terminal shows becomes an SVG that moves (tests/look/film.py).
"""

import sys
import tempfile
from pathlib import Path

from quadrille.client.picture.palette import DARK
from quadrille.rules.search import Position
from tests.client.programs import Program as Lines
from tests.client.screen.pseudo_terminal import Program
from tests.look.film import Frame, film
from tests.look.painted import cells
from tests.net.ports import udp_port

FILE = Path(__file__).parents[3] / "docs" / "screen.svg"
ROWS, COLUMNS = 24, 80
SIZE = {"width": 4, "height": 4}
PAPER, INK = DARK["paper"], DARK["ink"]
#: Simulations for a move of Ben and of Ann: two that think alike would share the first place.
THOUGHT = (60, 3000)
#: For how many milliseconds a frame is there: at the beginning, while Ann types, after a move, at the end.
LOBBY, TYPED, MOVED, ENDED = 2400, 450, 1000, 4500


def session() -> list[Frame]:
    with tempfile.TemporaryDirectory() as folder:
        port, home = udp_port(), Path(folder)
        sizes = [word for name, value in SIZE.items() for word in ("--set", f"{name}={value}")]
        with Lines("host", "barons", "--seats", "2", "--no-lot", *sizes, home=home / "b", port=port, name="Ben") as ben:
            ben.wait("is open")
            lobby = ("lobby", "--interface", "127.0.0.1", "--port", str(port), "--name", "Ann")
            words = (sys.executable, "-m", "quadrille.client.cli", *lobby)
            with Program(*words, home=home / "a", rows=ROWS, columns=COLUMNS, COLORTERM="truecolor") as ann:
                return _played(ann, ben)


def _played(ann: Program, ben: Lines) -> list[Frame]:
    ann.sees("Ben", "Barons", "join")
    frames = [_frame(ann, LOBBY)]
    ann.press("enter")
    ann.sees("Players")
    frames.append(_frame(ann, MOVED))
    position = Position.start("barons", SIZE, 2)
    while not position.over:
        found = position.search(THOUGHT[position.seat or 0], seed=2).move
        text = position.text(found)
        if position.seat == 0:
            ben.wait("^Your turn")
            ben.enter(text)
        else:
            ann.sees("YOUR TURN")
            ann.press(text)
            ann.sees(f"> {text}")
            frames.append(_frame(ann, TYPED))
            ann.press("enter")
        position.apply(found)
        ann.sees(f"last: {'BA'[position.board.plies % 2]} {text}")
        if not position.over:
            ann.sees("Ben is to move." if position.seat == 0 else "YOUR TURN")
        frames.append(_frame(ann, MOVED))
    ann.sees("The game is over")
    return [*frames[:-1], _frame(ann, ENDED)]


def _frame(program: Program, lasts: int) -> Frame:
    while program.read(0.3):
        pass
    return Frame(cells(program.screen, (INK, PAPER)), lasts)


def main() -> None:
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(film(session(), "Ann finds Ben's table in the lobby, and they play Barons", PAPER), "utf-8")


if __name__ == "__main__":
    main()

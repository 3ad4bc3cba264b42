"""Draw all screens in all themes: python -m tests.look -o DIR [-s 80x24] [-t paper] [NAME ...].

Each becomes an SVG of its own, and `index.html` shows them all. A theme is one of the client's, for true colour;
`night-256` and `night-16` are what terminals of fewer colours show, and `ascii` has no sign beyond ASCII either.
"""

import argparse
from html import escape
from pathlib import Path

from quadrille.client.screen.draw.theme import ALL_COLOURS, FEW_COLOURS, NO_COLOURS, TABLE_OF_COLOURS
from tests.look.painted import painted
from tests.look.screens import screens
from tests.look.svg import drawn

SIZES = ("80x24", "120x40", "60x20")
#: What is drawn: a theme, how many colours there are, and whether only ASCII is.
LOOKS = {
    "night": ("night", ALL_COLOURS, False),
    "paper": ("paper", ALL_COLOURS, False),
    "contrast": ("contrast", ALL_COLOURS, False),
    "mono": ("mono", NO_COLOURS, False),
    "night-256": ("night", TABLE_OF_COLOURS, False),
    "paper-256": ("paper", TABLE_OF_COLOURS, False),
    "night-16": ("night", FEW_COLOURS, False),
    "no-color": ("night", NO_COLOURS, False),
    "ascii": ("mono", NO_COLOURS, True),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.look", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the beginning of a screen's name; all if none")
    parser.add_argument("-o", dest="folder", type=Path, required=True, metavar="DIR", help="where the pictures go")
    parser.add_argument("-s", dest="sizes", action="append", choices=SIZES, help="columns and rows; all if none")
    parser.add_argument("-t", dest="looks", action="append", choices=list(LOOKS), help="a theme; all if none")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    figures = []
    for name, screen in screens().items():
        if given.names and not name.startswith(tuple(given.names)):
            continue
        for size in given.sizes or SIZES:
            columns, rows = map(int, size.split("x"))
            for look in given.looks or LOOKS:
                theme, number, plain = LOOKS[look]
                cells = painted(screen(rows, columns, plain), theme, number)
                file = f"{name}-{size}-{look}.svg"
                (given.folder / file).write_text(drawn(cells, file, cells[-1][-1].paper), "utf-8")
                figures.append(file)
    (given.folder / "index.html").write_text(_page(figures), "utf-8")


def _page(files: list[str]) -> str:
    figures = "\n".join(
        f'<figure><img src="{escape(file)}" alt=""><figcaption>{escape(file)}</figcaption></figure>' for file in files
    )
    return f"""<!DOCTYPE html>
<meta charset="utf-8">
<title>Screens</title>
<style>
body{{margin:1rem;background:#888;font:13px sans-serif;display:flex;flex-wrap:wrap;gap:1rem}}
figure{{margin:0}}
img{{width:46rem;max-width:96vw}}
</style>
{figures}
"""


if __name__ == "__main__":
    main()

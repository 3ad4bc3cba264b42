"""The README's moving picture of a phone, from a real game in Chromium: python -m tests.client.phones.readme_picture.

Ben opens the address of the QR code, types his name, and plays Maze with Ann by touch, each by what a search finds.
The frames become a PNG that moves by Pillow, which nothing else here needs: pip install pillow.
"""

import tempfile
from pathlib import Path

from PIL import Image

from quadrille.rules.search import Position
from tests.client.phones.browser import Page, browser
from tests.client.phones.served import SIGHT, Table, served

FILE = Path(__file__).parents[3] / "docs" / "phone.png"
SIZE = (300, 540)
OPTIONS = {"size": 4}
#: Simulations for a move of Ann and of Ben.
THOUGHT = (60, 3000)
#: For how many milliseconds a frame is there.
DOOR, TOUCHED, MOVED, ENDED = 1800, 800, 1100, 4500

Frames = list[tuple[Image.Image, int]]


def session() -> Frames:
    words = [word for name, value in OPTIONS.items() for word in ("--set", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder, browser() as chromium, served(Path(folder), "maze", *words) as table:
        page = chromium.page(SIZE, scale=1)
        page.still = True
        page.dark(on=False)
        page.open(table.link)
        page.until('document.body.dataset.stage === "door"')
        page.type("#name", "Ben")
        frames = [(_picture(page), DOOR)]
        page.touch("#sitform button")
        page.until('document.body.dataset.stage === "table"')
        return frames + _played(page, table)


def _played(page: Page, table: Table) -> Frames:
    frames: Frames = []
    position = Position.start("maze", OPTIONS)
    while not position.over:
        found = position.search(THOUGHT[position.seat or 0], seed=3).move
        text, mine = position.text(found), position.seat == 1
        entries = page.run('document.querySelectorAll("#log li").length')
        if mine:
            page.until('document.body.classList.contains("mine")')
            _touch(page, *reversed(text.split("-")))
            frames.append((_picture(page), TOUCHED))
            page.touch("#play")
        else:
            table.host.wait("^Your turn")
            table.host.enter(text)
        page.until(f'document.querySelectorAll("#log li").length > {entries}')
        position.apply(found)
        frames.append((_picture(page), MOVED))
    page.until('!document.querySelector("#over").hidden')
    return [*frames[:-1], (_picture(page), ENDED)]


def _touch(page: Page, *places: str) -> None:
    ready = 'document.querySelector("#play").getAttribute("aria-disabled") === "false"'
    for place in places:
        if not page.run(ready):
            before = page.run(SIGHT)
            page.touch(f'[data-place="{place}"]')
            page.until(f"{SIGHT} !== {before!r}")
    page.until(ready)


def _picture(page: Page) -> Image.Image:
    """The window from its top, once it is drawn."""
    page.run("new Promise(done => {scrollTo(0, 0); requestAnimationFrame(() => requestAnimationFrame(done))})")
    with tempfile.TemporaryDirectory() as folder:
        page.picture(path := Path(folder, "page.png"))
        return Image.open(path).convert("RGB")


def main() -> None:
    """All frames share 256 colours: each pixel has the nearest one."""
    pictures, lasts = zip(*session(), strict=True)
    below = Image.new("RGB", (SIZE[0], SIZE[1] * len(pictures)))
    for number, picture in enumerate(pictures):
        below.paste(picture, (0, SIZE[1] * number))
    colours = below.quantize(256)
    first, *others = (picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in pictures)
    first.save(FILE, save_all=True, append_images=others, duration=lasts, optimize=True)


if __name__ == "__main__":
    main()

"""An evening of all five games with four phones, a television and a terminal, typed and touched to its last page.

    bash tests/net/lan.sh 2 python -m tests.client.phones.lan_evening FOLDER

The first machine hosts, the second one has the phones. One guest comes late, the battery of another one dies, and the
host's program is killed.
"""

import os
import re
import sys
from pathlib import Path
from random import Random
from typing import Final

from tests.client.lan_evening import IP, at
from tests.client.phones.browser import Browser, Page, browser
from tests.client.phones.served import play_by_touch
from tests.client.screen.pseudo_terminal import Program

_MINE: Final = 'document.body.classList.contains("mine")'
_OVER: Final = '!document.querySelector("#over").hidden'
_AT_TABLE: Final = 'document.body.dataset.stage === "table"'
_IN_ROOM: Final = 'document.body.dataset.stage === "room"'


class Phones:
    def __init__(self, chromium: Browser, address: str, code: str) -> None:
        self.chromium, self.address, self.code = chromium, address, code
        self.pages: dict[str, Page] = {}
        self.dice = Random("an evening")

    def comes(self, name: str) -> None:
        page = self.pages[name] = self.chromium.page((360, 640))
        page.open(f"{self.address}#{self.code}")
        page.until('document.body.dataset.stage === "door"')
        page.type("#name", name)
        page.touch("#sitform button")
        page.until(f"{_IN_ROOM} || {_AT_TABLE}")

    def comes_back(self, name: str) -> None:
        """Take a guest's seat on another phone, by its code."""
        page = self.pages[name] = self.chromium.page((360, 640))
        page.open(self.address)
        page.until('!document.querySelector("#codeform").hidden')
        page.type("#code", self.code)
        page.touch("#codeform button")
        page.until(_AT_TABLE)

    def lose(self, host: Program) -> None:
        """Kill the host's program, and its pages with it."""
        host.process.kill()
        host.ends()
        for page in self.pages.values():
            page.run('document.body.dataset.stage = "lost"')  # until the next program tells another one

    def are_back(self) -> None:
        for page in self.pages.values():
            page.until(_AT_TABLE, "the host that is back")

    def see(self, game: str, *, over: bool = False) -> None:
        title = f'document.querySelector("#title").textContent.startsWith("{game}")'
        for page in self.pages.values():
            page.until(f"{_AT_TABLE} && {title} && {_OVER if over else f'!({_OVER})'}", f"{game} on every phone")
            assert page.run("document.documentElement.scrollWidth <= innerWidth")

    def mover(self, ann: Program) -> str:
        """Return who is to move, as soon as somebody is, or "" after the end; what the host's terminal shows is read
        meanwhile.
        """
        for _ in range(2000):
            while ann.read(0):
                pass
            for name, page in self.pages.items():
                if page.run(f"{_MINE} && !({_OVER})"):
                    return name
            if all(page.run(_OVER) for page in self.pages.values()):
                return ""
            page.run("new Promise(done => setTimeout(done, 20))")
        raise AssertionError("nobody is to move")

    def move(self, ann: Program, times: int) -> None:
        for _ in range(times):
            play_by_touch(self.pages[self.mover(ann)], self.dice)

    def choose(self, name: str, word: str) -> None:
        page = self.pages[name]
        line = f'[...document.querySelectorAll("#menu button")].find(one => one.textContent.startsWith("{word}"))'
        page.touch("#tab-menu")
        page.until(f"!!{line}")
        page.run(f"{line}.click()")
        page.touch("#yes")

    def give_up(self, ann: Program) -> None:
        while name := self.mover(ann):
            self.choose(name, "Give up")
            self.pages[name].until(f"!({_MINE}) || {_OVER}")

    def play_briefly(self, ann: Program, game: str, moves: int) -> None:
        self.move(ann, moves)
        self.give_up(ann)
        self.see(game, over=True)


def opens(ann: Program, game: str, title: str, *keys: str) -> None:
    """Open a table in the lobby; the keys change its form."""
    ann.press(f"new {game}", "enter")
    ann.sees(f"A new table on the network: {title}", "The basics")
    ann.press(*keys)
    ann.sees("who are here")
    ann.press("enter")
    ann.sees("WATCHING")


def back(ann: Program) -> None:
    ann.press("c-q")
    ann.sees("People and bots")


#: In the form: a seat less, and guests on all seats; or guests on all seats as they are.
ALL_PLAY: Final = ("down", "down", "left", "down", "down", "down", "right")
GUESTS: Final = ("down",) * 5 + ("right",)


def main(folder: Path) -> None:
    """Host, come, play, watch, bet, be killed, come back, and go home with a page."""
    with browser() as chromium:
        with at(1, "Ann", folder, "evening", rows=44, columns=130) as ann:
            ann.sees("and type the code")
            address, code = re.search(r"http://\S+", ann.text), re.search(r"type the code (\S+)", ann.text)
            assert address is not None and code is not None
            phones = Phones(chromium, address[0], code[1])
            television = chromium.page((1280, 720), scale=1)
            television.open(f"{phones.address}tv")
            television.until('!document.querySelector("#codeform").hidden')
            television.type("#code", phones.code)
            television.touch("#codeform button")
            for _ in range(2):  # loaded again, it asks for no code
                television.until('!document.querySelector("#qr").hidden', "the code on the television")
                television.ask("Page.reload")
                television.until('document.readyState === "complete"')
            for name in ("Ben", "Cleo", "Dan"):
                phones.comes(name)
            ann.sees("Ben", "Cleo", "Dan")
            opens(ann, "barons", "Barons", *ALL_PLAY)
            phones.comes("Eve")  # too late for a chair: she watches, and bets
            phones.see("Barons")
            phones.pages["Eve"].touch("#winner button")
            phones.play_briefly(ann, "Barons", 3)
            for page in (*phones.pages.values(), television):
                page.until('document.querySelector("#evening").textContent.includes("Eve bet on")', "the bet")
            back(ann)
            opens(ann, "coin-isolation", "Coin Isolation", *ALL_PLAY)
            phones.see("Coin Isolation")
            assert phones.pages["Eve"].run('document.querySelector("#bet").hidden'), "she has a chair now"
            phones.move(ann, 3)
            dead = phones.mover(ann)
            phones.pages.pop(dead).close()
            ann.press("phones", "enter")
            ann.sees("opens this seat")
            phones.code, first = re.search(rf"{dead}.*?the code (\S+) opens this seat", ann.text)[1], phones.code
            phones.comes_back(dead)
            phones.code = first
            ann.press("escape")
            phones.play_briefly(ann, "Coin Isolation", 2)
            back(ann)
            opens(ann, "dollar-draw", "Dollar Draw", *GUESTS)
            phones.see("Dollar Draw")
            phones.move(ann, 2)
            phones.lose(ann)
        with at(1, "Ann", folder, "resume", rows=44, columns=130) as ann:
            ann.sees("WATCHING")
            phones.are_back()
            phones.move(ann, 2)
            back(ann)
            ann.sees("and type the code")
            phones.lose(ann)
        with at(1, "Ann", folder, "evening", rows=44, columns=130) as ann:
            ann.sees("Ben", "Cleo", "Dan", "Eve", "unfinished", "Enter continues it", "Dollar Draw, 2 players")
            ann.press("enter")
            ann.sees("WATCHING")
            phones.are_back()
            phones.play_briefly(ann, "Dollar Draw", 2)
            back(ann)
            opens(ann, "dotter", "Dotter", *ALL_PLAY)
            phones.see("Dotter")
            phones.play_briefly(ann, "Dotter", 2)
            back(ann)
            opens(ann, "maze", "Maze", *GUESTS)
            phones.see("Maze")
            while mover := phones.mover(ann):
                play_by_touch(phones.pages[mover], phones.dice)
            phones.see("Maze", over=True)
            ours = folder / "ours.html"
            ann.press(f"evening {ours}", "enter")
            ann.sees("Saved to")
            back(ann)
            ann.press("c-q")
            assert ann.ends() == 0 and ann.is_clean()
        for page in phones.pages.values():
            page.until('document.body.innerText.includes("The evening is over")')
        television.open(ours.as_uri())
        television.until('document.querySelectorAll("svg[role=img]").length === 5')


if __name__ == "__main__":
    if "there" in sys.argv:
        main(Path(sys.argv[1]))
    else:
        os.execvp(
            IP,
            [IP, "netns", "exec", "h2", sys.executable, "-m", "tests.client.phones.lan_evening", sys.argv[1], "there"],
        )

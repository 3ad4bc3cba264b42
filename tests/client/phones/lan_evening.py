"""An evening of all five games with six phones, a television and a terminal, typed and touched to its last page.

    bash tests/net/lan.sh 2 python -m tests.client.phones.lan_evening FOLDER

The first machine hosts, the second one has the phones, one of them in another engine where there is one. A guest comes
late, one takes a name that another has, the battery of one dies, and one goes and comes back under another name. The
host kicks, goes on with another game in the middle of one, and is killed twice.
"""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.client.phones.browser import Browser, Page, browser, webkit
from tests.client.phones.served import play_by_touch
from tests.client.programs import COMMAND
from tests.client.screen.pseudo_terminal import Program
from tests.net import hosts

_MINE: Final = 'document.body.classList.contains("mine")'
_OVER: Final = '!document.querySelector("#over").hidden'
_STAGE: Final = "document.body.dataset.stage"
_AT_TABLE: Final = f'{_STAGE} === "table"'
_ENTRIES: Final = 'document.querySelectorAll("#log li").length'
_ASKED: Final = '!document.querySelector("#ask").hidden'
#: The windows of the phones, in the order in which their guests come.
_SIZES: Final = ((320, 568), (360, 640), (390, 844), (412, 915), (844, 390), (360, 640))
#: Who has the phone with the other engine.
_OTHER: Final = "Gus"


class Phones:
    def __init__(self, chromium: Browser, other: Sequence[Page], address: str, code: str) -> None:
        self.chromium, self.address, self.code = chromium, address, code
        self.pages: dict[str, Page] = {}
        self.dice = Random("an evening")
        self.television = chromium.page((1366, 768), scale=1)
        self._other = other

    def opens(self, name: str, address: str) -> Page:
        number = len(self.pages)
        new = self._other if name == _OTHER else ()
        page = self.pages[name] = next(iter(new), None) or self.chromium.page(_SIZES[number], dark=number % 2 > 0)
        page.open(address)
        return page

    def comes(self, *names: str) -> None:
        """Sit down by the last of these names; those before are refused, because others have them."""
        page = self.opens(names[-1], f"{self.address}#{self.code}")
        page.until(f'{_STAGE} === "door"')
        for name in names:
            page.run('document.querySelector("#name").value = ""')
            page.type("#name", name)
            page.touch("#sitform button")
            if name != names[-1]:
                page.until('document.querySelector("#told").textContent.includes("take another name")')
        page.until(f'["room", "table"].includes({_STAGE})')

    def comes_back(self, name: str, code: str) -> None:
        """Take a guest's seat on another phone, by its code, after one that opens nothing."""
        page = self.opens(name, self.address)
        for typed, then in (("2345-6789", '!!document.querySelector("#advice").textContent'), (code, _AT_TABLE)):
            page.until('!document.querySelector("#codeform").hidden')
            page.run('document.querySelector("#code").value = ""')
            page.type("#code", typed)
            page.touch("#codeform button")
            page.until(then)

    def lose(self, host: Program) -> None:
        """Kill the host's program, and its pages with it."""
        host.process.kill()
        host.ends()
        for page in self.pages.values():
            page.run(f'{_STAGE} = "lost"')  # until the next program tells another one

    def are_back(self) -> None:
        for page in self.pages.values():
            page.until(_AT_TABLE, "the host that is back")

    def see(self, game: str, *, over: bool = False) -> None:
        title = f'document.querySelector("#title").textContent.startsWith("{game}")'
        shown = f"{title} && {_OVER if over else f'!({_OVER})'}"
        self.television.until(f'{_STAGE} === "screen" && {shown}', f"{game} on the television")
        for page in self.pages.values():
            page.until(f"{_AT_TABLE} && {shown}", f"{game} on every phone")
            assert page.run("document.documentElement.scrollWidth <= innerWidth")
        entries = {page.run(_ENTRIES) for page in self.pages.values()}
        assert len(entries) == 1 and (entries != {0}) == over, f"each move once, on all phones: {entries}"

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

    def play_briefly(self, ann: Program, game: str, moves: int) -> None:
        self.move(ann, moves)
        while name := self.mover(ann):
            self.choose(name, "Give up")
            self.pages[name].until(f"!({_MINE}) || {_OVER}")
        self.see(game, over=True)


def hosting(folder: Path, word: str) -> Program:
    words = (*hosts.at("h1"), *COMMAND, word, "--name", "Ann", "--interface", "eth0")
    return Program(*words, home=folder / "Ann", rows=44, columns=130)


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
    with ExitStack() as open_ones:
        chromium, other = open_ones.enter_context(browser()), list[Page]()
        try:
            other.append(open_ones.enter_context(webkit()))
        except pytest.skip.Exception as why:
            print(why)
        with hosting(folder, "evening") as ann:
            ann.sees("and type the code")
            address, code = re.search(r"http://\S+", ann.text), re.search(r"type the code (\S+)", ann.text)
            assert address is not None and code is not None
            phones = Phones(chromium, other, address[0], code[1])
            television = phones.television
            television.open(f"{phones.address}tv")
            television.give_code(phones.code)
            for _ in range(2):  # loaded again, it asks for no code
                television.until('!document.querySelector("#qr").hidden', "the code on the television")
                television.ask("Page.reload")
                television.until('document.readyState === "complete"')
            for names in (("Ben",), ("Ben", "Cleo"), ("Dan",), ("Eve",), ("Finn",)):
                phones.comes(*names)
            ann.until(lambda: ann.text.count("here by phone") == 5, "five guests who are here")
            opens(ann, "barons", "Barons", *ALL_PLAY)
            phones.see("Barons")
            phones.comes(_OTHER)  # too late for a chair: she watches, and bets
            late = phones.pages[_OTHER]
            late.until('document.body.textContent.includes("number 1 in line")')
            late.touch("#winner button")
            phones.move(ann, 3)
            ann.press("kick cleo", "enter")
            phones.pages["Cleo"].until(f"{_ASKED} && document.body.innerText.includes('plays for you')")
            phones.pages["Cleo"].touch("#yes")
            phones.pages["Cleo"].until(f"!({_ASKED})")
            phones.play_briefly(ann, "Barons", 2)
            for page in (*phones.pages.values(), television):
                page.until(f'document.querySelector("#evening").textContent.includes("{_OTHER} bet on")', "the bet")
            back(ann)
            opens(ann, "coin-isolation", "Coin Isolation", *GUESTS)
            phones.see("Coin Isolation")
            assert late.run('document.querySelector("#bet").hidden'), "who had no chair has one now"
            phones.move(ann, 3)
            dead = next(name for name in iter(lambda: phones.mover(ann), "") if name != _OTHER or phones.move(ann, 1))
            phones.pages.pop(dead).close()
            ann.press("phones", "enter")
            ann.sees("opens this seat")
            phones.comes_back(dead, re.search(rf"{dead}.*?the code (\S+) opens this seat", ann.text)[1])
            ann.press("escape")
            phones.play_briefly(ann, "Coin Isolation", 2)
            back(ann)
            opens(ann, "dollar-draw", "Dollar Draw", *GUESTS)
            phones.see("Dollar Draw")
            phones.move(ann, 2)
            phones.lose(ann)
        with hosting(folder, "resume") as ann:
            ann.sees("WATCHING")
            phones.are_back()
            phones.move(ann, 2)
            ann.press("next maze size=3", "enter")
            ann.sees("Maze, 2 players")
            phones.see("Maze")
            while mover := phones.mover(ann):
                play_by_touch(phones.pages[mover], phones.dice)
            phones.see("Maze", over=True)
            back(ann)
            ann.sees("and type the code")
            phones.lose(ann)
        with hosting(folder, "evening") as ann:
            ann.sees(*phones.pages, "unfinished", "Enter continues it", "Dollar Draw, 2 players")
            ann.press("enter")
            ann.sees("WATCHING")
            phones.are_back()
            phones.play_briefly(ann, "Dollar Draw", 2)
            back(ann)
            phones.choose("Dan", "Leave")
            phones.pages["Dan"].until(f'{_STAGE} === "wait"')
            phones.pages.pop("Dan").close()
            phones.comes("Daniel")
            opens(ann, "dotter", "Dotter", *GUESTS)
            phones.see("Dotter")
            phones.play_briefly(ann, "Dotter", 2)
            ours = folder / "ours.html"
            ann.press(f"evening {ours}", "enter")
            ann.sees("Saved to")
            back(ann)
            ann.press("c-q")
            assert ann.ends() == 0 and ann.is_clean()
        for page in phones.pages.values():
            page.until('document.body.innerText.includes("The evening is over")')
            if page not in other:
                assert not page.events("Runtime.exceptionThrown", lambda given: given)
        television.open(ours.as_uri())
        television.until('document.querySelectorAll("svg[role=img]").length === 5')


if __name__ == "__main__":
    if "there" in sys.argv:
        main(Path(sys.argv[1]))
    else:
        own = (sys.executable, "-m", "tests.client.phones.lan_evening", sys.argv[1], "there")
        os.execvp(hosts.IP, [*hosts.at("h2"), *own])

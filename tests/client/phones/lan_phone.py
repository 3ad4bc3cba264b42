"""A phone on another host: a page that is no secure context, from a real address, plays a game to its end.

    bash tests/net/lan.sh 3 python -m tests.client.phones.lan_phone FOLDER

The host's program is on the first host, the browser on the second; what drives the browser is there, too.
"""

import re
import shutil
import subprocess
import sys
from random import Random

from tests.client import programs
from tests.client.phones.browser import browser
from tests.client.phones.served import play_by_touch
from tests.waiting import soon

GAME = ("barons", "--seats", "2", "--set", "width=3", "--set", "height=3", "--no-lot", "--guests")
#: The end of the game, or this phone's turn; nothing yet.
WHAT_NEXT = '!document.querySelector("#over").hidden ? "over" : document.querySelector(".next") ? "mine" : ""'
#: What a browser offers only to pages that it holds for safe.
SAFE_ALONE = "[window.isSecureContext, Boolean(window.crypto.subtle)]"


def host(home: str) -> None:
    """On the first host: a table, whose moves are typed whenever it asks for one."""
    at = [shutil.which("ip") or "ip", "netns", "exec"]
    programs.COMMAND[:0] = [*at, "h1"]
    with programs.Program("host", *GAME, "--home", home, "--interface", "eth0", "--name", "Ann") as ann:
        address, code = "", ""
        while not code:
            line = ann.wait("http://|[a-z0-9]{4}-[a-z0-9]{4}").string
            address = address or "".join(re.findall(r"http://10\.77\.0\.1:\d+/", line)[:1])
            code = "".join(re.findall(r"\b[a-z0-9]{4}-[a-z0-9]{4}\b", line)[:1])
        module = [sys.executable, "-m", "tests.client.phones.lan_phone", "--drive", f"{address}#{code}"]
        phone = subprocess.Popen([*at, "h2", *module])
        asked = 0
        free = iter([f"{column}{row}" for column in "abc" for row in (1, 2, 3)])
        while not soon(lambda: phone.poll() is not None, 0.05):
            turns = sum("Your turn" in line or "belongs to" in line for line in list(ann.lines))
            if turns > asked and (place := next(free, "")):
                asked = turns
                ann.enter(place)
        assert phone.returncode == 0
        ann.wait("The game is over")


def drive(link: str) -> None:
    """On the second host: scan, sit down, play."""
    with browser() as chromium:
        page = chromium.page()
        page.open(link)
        page.until('document.body.dataset.stage === "door"')
        assert page.run(SAFE_ALONE) == [False, False]
        page.type("#name", "Ben")
        page.touch("#sitform button")
        page.until('document.body.dataset.stage === "table"')
        dice = Random(1)
        while page.until(WHAT_NEXT) != "over":
            play_by_touch(page, dice)
        assert not page.events("Runtime.exceptionThrown", lambda given: given)


if __name__ == "__main__":
    drive(sys.argv[2]) if sys.argv[1] == "--drive" else host(sys.argv[1])

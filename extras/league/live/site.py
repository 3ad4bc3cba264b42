"""The live page: the report of a journal that follows its run, over HTTP. No request changes anything.

There are three paths, the same for everybody: the page, the games that are being played, and a page for a wall. Only
requests for this very address are answered (DNS rebinding), and none that a foreign page made.
"""

import gzip
import hashlib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from websockets.http11 import Request, Response

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.commands import additions
from quadrille.client.phones.site import HTML, TEXT, refusal, response
from quadrille.client.picture.glyphs import sheet
from quadrille.client.picture.page import document
from quadrille.client.tournament import report
from quadrille.value import value

#: The mark in a page that its version replaces (`snapshot`).
VERSION: Final = "{version of this page}"
#: Compression of a page that lives for a second or more.
_PACKED: Final = 5
#: The page states the rest itself (client/picture/page.py), because people save it.
_POLICY: Final = {"Content-Security-Policy": "frame-ancestors 'none'"}


def waiting_page(path: Path, reason: str = "") -> str:
    """Return the live page of a journal without a game."""
    return report.waiting_page(path, reason or "The standing is being made.", live=VERSION, follows=_script())


def live_page(journal: Journal, most: int) -> str:
    """Return the report of a journal as a page that follows it."""
    return report.page(journal, most, ways=additions("tournament"), live=VERSION, follows=_script())


@cache
def board_page() -> bytes:
    """Return the page for a wall, whose script takes all that it shows from the other two."""
    body, looks, script = (sheet(f"board.{kind}", __package__) for kind in ("html", "css", "js"))
    return document("Tournament", body, sheet("picture.css") + looks, plays=False, follows=script).encode()


def _script() -> str:
    return sheet("follow.js", __package__)


@value
class Snapshot:
    """A page as it was made at some time, and its part with the game that is being played."""

    version: str
    plain: bytes
    packed: bytes
    now: str = ""


def snapshot(made: str) -> Snapshot:
    """Name a page by the hash of all the rest."""
    version = hashlib.sha256(made.encode()).hexdigest()[:16]
    plain = made.replace(VERSION, version, 1).encode()
    return Snapshot(version, plain, gzip.compress(plain, _PACKED, mtime=0))


def answered(request: Request, host: str, now: Callable[[], Snapshot]) -> Response:
    """Answer a request to an address of this machine, with its port, with the present page, or refuse it."""
    hosts = [host, f"localhost:{host.partition(':')[2]}"] if host.startswith("127.") else [host]
    given, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
    if len(given) != 1 or given[0] not in hosts:
        return refusal(403, f"Use the address http://{hosts[0]}/ and no other.")
    if origins and origins != [f"http://{given[0]}"]:
        return refusal(403, "Only the page from here may ask for this.")
    if request.method not in ("GET", "HEAD"):
        return refusal(405, "This page can only be read.", Allow="GET, HEAD")
    if request.path == "/now":
        return _answer(request, f"{(shot := now()).version}\n{shot.now}".encode(), {"Content-Type": TEXT})
    if request.path == "/board":
        return _answer(request, board_page(), {"Content-Type": HTML})
    if request.path != "/":
        return refusal(404, f"Nothing is here. Use http://{hosts[0]}/")
    packs = "gzip" in request.headers.get("Accept-Encoding", "")
    more = {"Content-Type": HTML, "Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packs else {})}
    return _answer(request, now().packed if packs else now().plain, more)


def _answer(request: Request, body: bytes, more: dict[str, str]) -> Response:
    answer = response(200, body, {**_POLICY, **more})
    return answer if request.method != "HEAD" else replace(answer, body=b"")

"""The files of the page over HTTP: four of them and an icon, the same for everybody, without anything about a table.

No cookie and no meaningful query, and no request changes anything. Headers allow the page its own files and the
socket of its own origin, and nothing else. A package may add a page for those who wait (docs/guides/plug-in.md).
"""

import gzip
import re
from collections.abc import Mapping
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from quadrille.client.picture.glyphs import sheet
from quadrille.client.picture.palette import LIGHT, style_sheet
from quadrille.plugs import loaded

SOCKET: Final = "/table"
HTML: Final = "text/html; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
#: A page beside, folded: a browser loads it when it is opened.
_OFFER: Final = (
    '<details class="leaf beside"><summary>{1}</summary>'
    '<iframe src="{0}" title="{1}" loading="lazy"></iframe></details>'
)
_BESIDE: Final = ("phone.js", "phone.css", "nacl.js")
_TYPES: Final = {"html": HTML, "js": "text/javascript; charset=utf-8", "css": "text/css", "ico": "image/svg+xml"}
_FILES: Final = {"/": "index.html", "/tv": "index.html"} | {f"/{name}": name for name in _BESIDE}
#: Four squares in the colours of the first seats.
_ICON: Final = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">' + "".join(
    f'<rect x="{4 * (seat % 2)}" y="{4 * (seat // 2)}" width="4" height="4" fill="{LIGHT[f"fill{seat}"]}"/>'
    for seat in range(4)
)
#: Indentation, and comments on lines of their own.
_REMARK: Final = re.compile(r"(?m)^ +(//.*\n)?|^(//.*|/\*.*\*/|)\n")
#: A text or a pattern of the script, which stays as it is; a sign, which needs no space around it.
_SIGN: Final = re.compile(r'("[^"\n]*"|`[^`]*`|/[^/\s]+/)|\s*([-+*<>=!&|?:;,(){}\[\]]+)\s*')
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Connection": "close",
}


def _read(name: str) -> bytes:
    """Read a file as phones get it, without what only its authors need. Third-party code stays as it is."""
    text = files("quadrille.client.phones").joinpath("page", name).read_text("utf-8")
    match name:
        case "phone.css":
            text = _REMARK.sub("", style_sheet(text) + sheet("picture.css")).replace("\n", "")
        case "phone.js":
            text = _SIGN.sub(lambda sign: sign[1] or sign[2], _REMARK.sub("", text))
    return text.encode()


class Site:
    """The site of one program."""

    def __init__(self, at_home: Path | None = None) -> None:
        """Pages of packages keep what they need `at_home`; without a home there are none."""
        self._home = at_home
        self._beside: Mapping[str, Any] = loaded("quadrille.pages") if at_home else {}
        self._files = {path: (name.rpartition(".")[2], _read(name)) for path, name in _FILES.items()}
        titles = {name: name.partition("@")[0].replace("-", " ").capitalize() for name in self._beside}
        offers = "".join(map(_OFFER.format, titles, titles.values()))
        self._files["/"] = "html", self._files["/"][1].replace(b"</main>", f"{offers}</main>".encode())
        self._files["/favicon.ico"] = "ico", f"{_ICON}</svg>".encode()
        self._packed = {path: gzip.compress(data, 9, mtime=0) for path, (_, data) in self._files.items()}

    def answer(self, request: Request, host: str) -> Response | None:
        """Answer a request to a host, an address with its port; None for a WebSocket of our own page."""
        if request.headers.get_all("Host") != [host]:  # no name leads here, so none can be made to (DNS rebinding)
            return refusal(403, f"Use the address http://{host}/ and no other.")
        path, _, query = request.path.partition("?")
        if path == SOCKET:
            if request.headers.get_all("Origin") != [f"http://{host}"]:
                return refusal(403, "Only the page from here may open this socket.")
            return None
        if (file := self._file(path)) is None or query:
            return refusal(404, f"Nothing is here. Use http://{host}/")
        kind, data = file
        packs = "gzip" in request.headers.get("Accept-Encoding", "")
        more = {"Content-Encoding": "gzip"} if packs else {}
        sent = (self._packed.get(path) or gzip.compress(data)) if packs else data
        return response(200, sent, {"Content-Type": _TYPES[kind], **more})

    def _file(self, path: str) -> tuple[str, bytes] | None:
        beside = (page(path, self._home) for page in self._beside.values())
        return self._files.get(path) or next(filter(None, beside), None)


def refusal(code: int, reason: str, **more: str) -> Response:
    """Refuse with a line of text."""
    return response(code, f"{reason}\n".encode(), {"Content-Type": TEXT, **more})


def response(code: int, body: bytes, more: dict[str, str]) -> Response:
    """Answer with the headers of every page of ours; `more` adds to them, or replaces them."""
    headers = Headers({**_HEADERS, **more, "Content-Length": str(len(body))})
    return Response(code, HTTPStatus(code).phrase, headers, body)

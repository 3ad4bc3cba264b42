"""The files of the page over HTTP: four of them, the same for everybody, without anything about a table.

No cookie and no meaningful query, and no request changes anything. Headers allow the page its own files and the
socket of its own origin, and nothing else.
"""

import gzip
import re
from http import HTTPStatus
from importlib.resources import files
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from quadrille.client.palette import style_sheet
from quadrille.client.picture.glyphs import sheet

SOCKET: Final = "/table"
HTML: Final = "text/html; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
_TYPES: Final = {"html": HTML, "js": "text/javascript; charset=utf-8", "css": "text/css"}
_FILES: Final = {"/": "index.html", "/phone.js": "phone.js", "/phone.css": "phone.css", "/nacl.js": "nacl.js"}
#: Indentation, and comments on lines of their own.
_REMARK: Final = re.compile(r"(?m)^ +(//.*\n)?|^(//.*|/\*.*\*/|)\n")
#: A text or a pattern of the script, which stays as it is; a sign, which needs no space around it.
_SIGN: Final = re.compile(r'("[^"\n]*"|`[^`]*`|/[^/\s]+/)|\s*([-+*<>=!&|?:;,(){}\[\]]+)\s*')
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
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
            text = _SIGN.sub(lambda found: found[1] or found[2], _REMARK.sub("", text))
    return text.encode()


class Site:
    """The site at one port."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._files = {path: (name.rpartition(".")[2], _read(name)) for path, name in _FILES.items()}
        self._packed = {path: gzip.compress(data, 9, mtime=0) for path, (_, data) in self._files.items()}

    def answer(self, request: Request, address: str) -> Response | None:
        """Answer a request to an address; None for a WebSocket of our own page."""
        host = f"{address}:{self._port}"
        if request.headers.get_all("Host") != [host]:  # no name leads here, so none can be made to (DNS rebinding)
            return refusal(403, f"Use the address http://{host}/ and no other.")
        path, _, query = request.path.partition("?")
        if path == SOCKET:
            if request.headers.get_all("Origin") != [f"http://{host}"]:
                return refusal(403, "Only the page from here may open this socket.")
            return None
        if path not in self._files or query not in ("", "screen"):
            return refusal(404, f"Nothing is here. Use http://{host}/")
        kind, data = self._files[path]
        packs = "gzip" in request.headers.get("Accept-Encoding", "")
        more = {"Content-Encoding": "gzip"} if packs else {}
        return response(200, self._packed[path] if packs else data, {"Content-Type": _TYPES[kind], **more})


def refusal(code: int, why: str, **more: str) -> Response:
    """Refuse with a line of text."""
    return response(code, f"{why}\n".encode(), {"Content-Type": TEXT, **more})


def response(code: int, body: bytes, more: dict[str, str]) -> Response:
    """Answer with the headers of every page of ours; `more` adds to them, or replaces them."""
    headers = Headers({**_HEADERS, **more, "Content-Length": str(len(body))})
    return Response(code, HTTPStatus(code).phrase, headers, body)

"""The live page over HTTP: two paths, the same for everybody, and no request changes anything.

Only requests for this very address are answered (DNS rebinding), and none that a foreign page made.
"""

import gzip
import hashlib
from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from quadrille.client.value import value
from quadrille.extras.league.live.pages import VERSION

#: Compression of a page that lives for a second or more.
_PACKED: Final = 5
_HEADERS: Final = {
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Connection": "close",
}
_HTML: Final = "text/html; charset=utf-8"
_TEXT: Final = "text/plain; charset=utf-8"


@value
class Snapshot:
    """A page as it was made at some time."""

    version: str
    plain: bytes
    packed: bytes


def snapshot(page: str) -> Snapshot:
    """Name a page by the hash of all the rest."""
    version = hashlib.sha256(page.encode()).hexdigest()[:16]
    plain = page.replace(VERSION, version, 1).encode()
    return Snapshot(version, plain, gzip.compress(plain, _PACKED, mtime=0))


def answered(request: Request, address: str, port: int, now: Callable[[], Snapshot]) -> Response:
    """Answer a request to an address of this machine with the present page, or refuse it."""
    hosts = [f"{address}:{port}", *([f"localhost:{port}"] if ip_address(address).is_loopback else [])]
    given, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
    if len(given) != 1 or given[0] not in hosts:
        return _refused(403, f"Use the address http://{hosts[0]}/ and no other.")
    if origins and origins != [f"http://{given[0]}"]:
        return _refused(403, "Only the page from here may ask for this.")
    if request.method not in ("GET", "HEAD"):
        return _refused(405, "This page can only be read.", Allow="GET, HEAD")
    if request.path == "/version":
        return _response(200, now().version.encode(), request, {"Content-Type": _TEXT})
    if request.path != "/":
        return _refused(404, f"Nothing is here. Use http://{hosts[0]}/")
    packs = "gzip" in request.headers.get("Accept-Encoding", "")
    more = {"Content-Type": _HTML, "Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packs else {})}
    return _response(200, now().packed if packs else now().plain, request, more)


def _refused(code: int, why: str, **more: str) -> Response:
    return _response(code, f"{why}\n".encode(), None, {"Content-Type": _TEXT, **more})


def _response(code: int, body: bytes, request: Request | None, more: dict[str, str]) -> Response:
    headers = Headers({**_HEADERS, **more, "Content-Length": str(len(body))})
    reads = request is None or request.method != "HEAD"
    return Response(code, HTTPStatus(code).phrase, headers, body if reads else b"")

"""WebKit as a second engine, by its WebDriver: the family of the browsers on iOS. Without it, tests are skipped."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from tests.client.phones.browser import Page
from tests.net.ports import tcp_port
from tests.waiting import DEADLINE, soon

_PROGRAMS: Final = ("WebKitWebDriver", "xvfb-run")
_BROWSERS: Final = "*/webkit2gtk-4.*/MiniBrowser"
_ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"


class WebKitPage(Page):
    """The one page of a browser, driven by requests of WebDriver."""

    def __init__(self, driver: str, browser: Path) -> None:
        options = {"binary": str(browser), "args": ["--automation"]}
        self._driver = driver
        found = self._wire("", capabilities={"alwaysMatch": {"webkitgtk:browserOptions": options}})
        self._driver += f"/{found['sessionId']}"

    def _wire(self, command: str, **given: Any) -> Any:
        asked = Request(self._driver + command, json.dumps(given).encode(), {"Content-Type": "application/json"})
        try:
            with urlopen(asked, timeout=DEADLINE) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(f"{command}: {error.read().decode()}") from None

    def open(self, address: str) -> None:
        self._wire("/url", url=address)

    def run(self, script: str) -> Any:
        return self._wire("/execute/sync", script=f"return {script}", args=[])

    def tap(self, x: float, y: float) -> None:
        move = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        press = [move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self._wire("/actions", actions=[{"type": "pointer", "id": "finger", "actions": press}])

    def type(self, selector: str, text: str) -> None:
        node = self._wire("/element", using="css selector", value=selector)[_ELEMENT]
        self._wire(f"/element/{node}/value", text=text)


@contextmanager
def webkit() -> Iterator[WebKitPage]:
    """Start the driver and the browser on a screen of their own, and end both."""
    browser = next(Path("/usr/lib").glob(_BROWSERS), None)
    if browser is None or not all(map(shutil.which, _PROGRAMS)):
        pytest.skip("no WebKit here: install webkit2gtk-driver and xvfb to try the phone's page")
    port = tcp_port()
    args = ["xvfb-run", "-a", "WebKitWebDriver", f"--port={port}"]
    process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    driver = f"http://127.0.0.1:{port}"
    try:
        assert soon(lambda: _ready(driver)), "the driver did not start"
        yield WebKitPage(f"{driver}/session", browser)
    finally:
        os.killpg(process.pid, 15)
        process.wait()


def _ready(driver: str) -> bool:
    try:
        with urlopen(f"{driver}/status", timeout=DEADLINE) as answer:
            return bool(json.load(answer)["value"]["ready"])
    except (URLError, OSError):
        return False

"""A real browser for tests: Chromium by its debugging protocol, over one WebSocket. Without one, tests are skipped."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.net.ports import tcp_port
from tests.waiting import DEADLINE, soon

_NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
_FLAGS: Final = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--disable-dev-shm-usage",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def program() -> str:
    """Return the browser; skip the test where there is none."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("no chromium here: install it to try the phone's page")
    return found


@contextmanager
def browser() -> Iterator["Browser"]:
    """Start a browser with a home of its own, and end it with all its processes."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        args = [program(), *_FLAGS, f"--user-data-dir={home}", "about:blank"]
        process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            told = Path(home) / "DevToolsActivePort"
            assert soon(lambda: told.exists() and "\n" in told.read_text()), "the browser did not start"
            port, path = told.read_text().split("\n")
            yield Browser(f"ws://127.0.0.1:{port}{path}")
        finally:
            os.killpg(process.pid, 9)
            process.wait()


class Browser:
    """The browser as a whole: it opens pages, each as if on a phone of its own."""

    def __init__(self, address: str) -> None:
        self._socket: ClientConnection = connect(
            address, max_size=None, compression=None, ping_interval=None
        ).__enter__()
        self._number = 0
        self.heard: list[dict[str, Any]] = []

    def ask(self, method: str, session: str = "", **given: Any) -> dict[str, Any]:
        """Send a command and return its answer; events that come before it are remembered."""
        self._number += 1
        command = {"id": self._number, "method": method, "params": given}
        self._socket.send(json.dumps(command | ({"sessionId": session} if session else {})))
        while True:
            answer = json.loads(self._socket.recv(timeout=DEADLINE))
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return dict(answer.get("result", {}))
            self.heard.append(answer)

    def page(
        self, size: tuple[int, int] = (390, 844), *, scale: float = 2, dark: bool = False, proxy: int = 0
    ) -> "Page":
        """Open an empty page of a device of its own: nothing is shared with other pages. A proxy is a port of SOCKS."""
        through = {"proxyServer": f"socks5://127.0.0.1:{proxy}", "proxyBypassList": "<-loopback>"} if proxy else {}
        context = self.ask("Target.createBrowserContext", **through)["browserContextId"]
        return self.tab(context, size, scale=scale, dark=dark)

    def tab(self, context: str, size: tuple[int, int] = (390, 844), *, scale: float = 2, dark: bool = False) -> "Page":
        target = self.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target, context)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.ask(f"{domain}.enable")
        page.resize(size, scale=scale)
        page.ask("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        page.ask("Emulation.setFocusEmulationEnabled", enabled=True)
        page.dark(on=dark)
        return page


class Page:
    def __init__(self, owner: Browser, session: str, target: str, context: str) -> None:
        self._owner = owner
        self._session = session
        self._target = target
        self.context = context
        #: Whether nothing should move, from the next change of colours on.
        self.still = False

    def ask(self, method: str, **given: Any) -> dict[str, Any]:
        return self._owner.ask(method, self._session, **given)

    def close(self) -> None:
        self._owner.ask("Target.disposeBrowserContext", browserContextId=self.context)

    def open(self, address: str) -> None:
        self.ask("Page.navigate", url=address)

    def resize(self, size: tuple[int, int], *, scale: float = 2) -> None:
        wide, high = size
        mobile = wide < 1200
        self.ask("Emulation.setDeviceMetricsOverride", width=wide, height=high, deviceScaleFactor=scale, mobile=mobile)

    def dark(self, *, on: bool) -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if on else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if self.still else "no-preference"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme, motion])

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page, or of what it promises."""
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script: str, why: str = "") -> Any:
        found: list[Any] = []

        def holds() -> Any:
            with suppress(AssertionError):  # while a page is being loaded there is nothing in it
                found[:] = [self.run(script)]
                return found[0]

        assert soon(holds), f"{why or script} never came true; the page says: {self.run('document.body.innerText')}"
        return found[0]

    def tap(self, x: float, y: float) -> None:
        self.ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def touch(self, selector: str) -> None:
        """Touch an element in its middle, as soon as it can be seen."""
        quoted = json.dumps(selector)
        place = f"""(() => {{const node = document.querySelector({quoted}); if (!node) return null;
            node.scrollIntoView({{block: "center", inline: "center"}}); const box = node.getBoundingClientRect();
            return box.width ? [box.left + box.width / 2, box.top + box.height / 2] : null; }})()"""
        self.tap(*self.until(place, f"{selector} to touch"))

    def key(self, key: str, code: int = 0, text: str = "") -> None:
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text=text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, selector: str, text: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).focus()")
        self.ask("Input.insertText", text=text)

    def give_code(self, code: str) -> None:
        """Type the code that opens the door or a seat, once it is asked for."""
        self.until("document.querySelector('#code').offsetParent !== null")
        self.type("#code", code)
        self.touch("#codeform button")

    def give_name(self, name: str) -> None:
        """Type a name at the door."""
        self.until('document.body.dataset.stage === "door"')
        self.type("#name", name)
        self.touch("#sitform button")

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def named(self, role: str) -> list[str]:
        """Return the accessible names of all elements of that role, as a screen reader has them."""
        nodes = self.ask("Accessibility.getFullAXTree")["nodes"]
        rows = [node for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") == role]
        return [str(node.get("name", {}).get("value", "")) for node in rows]

    def events(self, method: str, of: Callable[[dict[str, Any]], Any]) -> list[Any]:
        self.run("0")
        here = [heard for heard in self._owner.heard if heard.get("sessionId") == self._session]
        return [of(heard["params"]) for heard in here if heard["method"] == method]


# WebKit as a second engine, by its WebDriver: the family of the browsers on iOS. Without it, tests are skipped


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

    def is_ready() -> bool:
        with suppress(OSError), urlopen(f"{driver}/status", timeout=DEADLINE) as answer:
            return bool(json.load(answer)["value"]["ready"])
        return False

    try:
        assert soon(is_ready), "the driver did not start"
        yield WebKitPage(f"{driver}/session", browser)
    finally:
        os.killpg(process.pid, 15)
        process.wait()

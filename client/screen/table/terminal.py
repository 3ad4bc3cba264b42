"""Events of a terminal for any screen, and requests of a screen to its terminal. Values only, imported as a module.

Ctrl-Z and Ctrl-L do not reach a screen, because they mean the same on all of them: see app.py. Nor does a click where
nothing can be clicked.
"""

from typing import Final, TypeAlias

from quadrille.client.screen.draw.canvas import ClickTarget
from quadrille.value import value

ROWS: Final = 24
COLUMNS: Final = 80


@value
class Look:
    """The look and the sounds that a person has set."""

    theme: str = "night"
    plain: bool = False
    bell: bool = True
    title: bool = True


@value
class Key:
    """A key by its name in prompt-toolkit ("up", "f1", "c-q"), or the letter itself."""

    name: str


#: They leave every screen, also where the window is too small to show anything.
LEAVES: Final = (Key("c-q"), Key("c-c"), Key("<sigint>"))


@value
class Pasted:
    """Pasted text."""

    text: str


@value
class Click:
    """A target on the screen was clicked (draw/canvas.py); one that stands for a key is that key."""

    does: str
    name: str


@value
class Wheel:
    """The wheel was turned."""

    up: bool


@value
class Resized:
    """The window has another size."""

    rows: int
    columns: int


@value
class Begun:
    """The screen is there; effects of the first position may run."""


@value
class Tick:
    """Time has passed: the time in milliseconds."""

    now: int


@value
class Told:
    """A message for the line above the prompt."""

    text: str
    alarm: bool = False


Event: TypeAlias = Key | Pasted | Click | Wheel | Resized | Begun | Tick | Told


@value
class Ring:
    """The bell."""


@value
class Entitle:
    """The title of the window; "" for none."""

    text: str


@value
class Wake:
    """Read the clock in that many milliseconds."""

    after: int


@value
class Quit:
    """End the session."""

    code: int = 0


Effect: TypeAlias = Ring | Entitle | Wake | Quit


def clicked(target: ClickTarget) -> Key | Click:
    """Return the event of a click."""
    return Key(target.name) if target.does == "key" else Click(target.does, target.name)

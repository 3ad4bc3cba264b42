"""A line typed on a terminal before there is a screen. Escape leaves at once, and needs no Enter."""

from prompt_toolkit import PromptSession
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import create_output
from prompt_toolkit.output.vt100 import Vt100_Output


def ask(prompt: str) -> str | None:
    """Return the typed line; None for Escape, and for the end of input."""
    keys = KeyBindings()

    @keys.add("escape", eager=True)
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=None)

    output = create_output()
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False  # not every terminal reports its cursor position
    session: PromptSession[str | None] = PromptSession(key_bindings=keys, output=output)
    session.app.ttimeoutlen = 0.03
    try:
        return session.prompt(prompt)
    except EOFError:
        return None

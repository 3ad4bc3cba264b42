"""Foreign text, made safe to print. No other module does this.

A peer's name, chat line or reason, and any file, may contain anything: escape sequences that move the cursor or rename
the window, line ends that fake a line of ours, marks that reverse the direction of writing. Every character that is not
printable is spelled out.
"""


def shown(text: str) -> str:
    """Return foreign text for use within one of our lines."""
    return text if text.isprintable() else "".join(map(_spelled, text))


def shown_lines(text: str) -> str:
    """Return foreign lines; only their line ends remain as they are."""
    return "\n".join(map(shown, text.split("\n")))


def _spelled(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")

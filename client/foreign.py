"""What others wrote, made fit to be shown: the one place where it is done.

A name, a line that was said, a reason, a file may hold anything: escape sequences that move the cursor or rename the
window, line ends that fake a line of ours, marks that turn the direction of writing. Whatever is no plain letter is
spelled out.
"""


def shown(text: str) -> str:
    """Foreign words that stand within a line of ours."""
    return text if text.isprintable() else "".join(map(_spelled, text))


def shown_lines(text: str) -> str:
    """Whole lines, whose ends are ours."""
    return "\n".join(map(shown, text.split("\n")))


def _spelled(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")

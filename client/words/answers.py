"""Answers to an open question: the words and the keys that mean yes or no, on every face and at every place."""

from typing import Final

YES: Final = ("y", "yes")
NO: Final = ("n", "no")
#: The end of a question, for typed lines and for keys.
TYPED: Final = "Type yes or no."
PRESSED: Final = "y or Enter: yes. n or Esc: no."
LETTERS: Final = "y: yes. n: no."
_KEYS: Final = {"enter": True, "escape": False}


def meaning(text: str) -> bool | None:
    """Return whether a typed text means yes or no; None for any other text."""
    word = text.strip().lower()
    return True if word in YES else False if word in NO else None


def pressed(key: str) -> bool | None:
    """Return whether a key means yes or no; None for any other key."""
    return _KEYS.get(key, meaning(key))


def asked(question: str, keys: str = PRESSED) -> str:
    """Return a question with the keys that answer it, for a screen."""
    return f"{question.removesuffix(TYPED).strip()} {keys}"


def is_whole(spelled: str) -> bool:
    """Return whether these letters are a complete answer."""
    return spelled in (YES[-1], NO[-1])


def goes_on(spelled: str, letter: str) -> str:
    """Return the letters of an answer with one more; "" if no answer begins so."""
    longer = (spelled + letter).lower()
    return longer if any(word.startswith(longer) for word in (YES[-1], NO[-1])) else ""

"""The lobby of the core alone: what packages plug in beside it changes nothing that tests of the core see."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from quadrille.client import lobby_rows
from quadrille.client.words import commands

_CACHES = (lobby_rows.lobby_rows, commands.offered, commands.by_word, commands.by_key, commands.by_any_word)


def _forget() -> None:
    for cached in _CACHES:
        cached.cache_clear()


@contextmanager
def bare_lobby() -> Iterator[None]:
    """Show no plugged command in the lobby."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lobby_rows, "loaded", lambda group: {})
        _forget()
        yield
    _forget()

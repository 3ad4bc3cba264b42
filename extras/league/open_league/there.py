"""The bots that are there, as the run of an open league writes it into the journal for the page."""

import json
from collections.abc import Sequence
from typing import Final

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.foreign import shown

_FACT: Final = "open"
_COLUMNS: Final = 3


def note(journal: Journal, rows: Sequence[Sequence[str]]) -> None:
    """Write down for each bot its name, its short key, and what it does."""
    journal.note(_FACT, json.dumps(rows))


def there_in(journal: Journal) -> list[list[str]]:
    """Return those rows; none if no run is going on, or if somebody else wrote something there."""
    try:
        rows = json.loads(journal.fact(_FACT) or "[]")
        return [[shown(str(cell)) for cell in row] for row in rows if len(row) == _COLUMNS]
    except (ValueError, TypeError, RecursionError):
        return []

"""The report of a journal as a page that follows its run, and the page before the first game."""

from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.commands import additions
from quadrille.client.picture.page import document
from quadrille.client.tournament.html_table import safe
from quadrille.client.tournament.report import looks, page, title_of

#: The page shows this sentence while nothing answers. Its version replaces the mark (site.py).
_UNANSWERED: Final = "Nothing answers: the run has ended, or can't be reached. This is how it was."
VERSION: Final = "{version of this page}"
_HEAD: Final = f'<p id="live" role="status" data-version="{VERSION}" hidden>{_UNANSWERED}</p>\n'


def waiting_page(path: Path, why: str = "") -> str:
    """Return the live page of a journal without a game."""
    title = title_of(path)
    body = f"<main>\n{_HEAD}<h1>{escape(title)}</h1>\n<p>{safe(why or 'It is about to begin.')}</p>\n</main>"
    return document(title, body, looks(), plays=False, follows=_script())


def live_page(journal: Journal, most: int) -> str:
    """Return the report of a journal as a page that follows it."""
    return page(journal, most, ways=additions("tournament"), head=_HEAD, follows=_script())


def _script() -> str:
    return files("quadrille.extras.league.live").joinpath("follow.js").read_text("utf-8")

"""The page of an analysed game: its film, its course as a chart, the verdict on each move, and the mistakes."""

from collections.abc import Sequence
from html import escape

from quadrille.client.analysis.course import courses
from quadrille.client.analysis.verdicts import Verdict, mistakes
from quadrille.client.picture.course import course_figure
from quadrille.client.picture.film import FilmedMatch
from quadrille.client.picture.page import PageAnalysis, page
from quadrille.client.reports import player
from quadrille.client.words.analysis import conclusion, mistake_text, verdict_text
from quadrille.rules.match import Played


def analysed_page(one: FilmedMatch, found: Sequence[Verdict]) -> str:
    """Return the page of a match and the verdicts on its moves."""
    match = one.match
    names = [player(seat, one.safe_names) for seat in range(match.state.seats)]
    turns = [number for number, entry in enumerate(match.entries) if isinstance(entry, Played)]
    entries = dict(zip((verdict.ply for verdict in found), turns, strict=True))
    told = {entries[verdict.ply]: (verdict.sign, verdict_text(verdict, names[verdict.seat])) for verdict in found}
    wrong = [
        f'<li><a href="#1.{entries[verdict.ply]}">Move {entries[verdict.ply] + 1}</a>: '
        f"{escape(mistake_text(verdict, names[verdict.seat]))}</li>"
        for verdict in mistakes(found)
    ]
    listed = f"<ol>{''.join(wrong)}</ol>" if wrong else f"<p>{conclusion(found, names)[0]}</p>"
    figure = course_figure(courses(match, found), names, match.length)
    return page([one], analysis=PageAnalysis(figure, f"<h2>Mistakes, the greatest first</h2>\n{listed}", told))

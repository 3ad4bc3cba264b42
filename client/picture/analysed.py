"""The page of an analysed game: its film, its course as a chart, the verdict on each move, and the mistakes."""

from collections.abc import Sequence

from quadrille.client.analysis.course import courses
from quadrille.client.analysis.verdicts import Verdict, mistakes
from quadrille.client.picture.course import course_figure
from quadrille.client.picture.film import FilmedMatch
from quadrille.client.picture.page import PageAnalysis, page, parts
from quadrille.client.words.analysis import conclusion, mistake_text, verdict_text
from quadrille.rules.match import Played


def analysed_page(one: FilmedMatch, found: Sequence[Verdict]) -> str:
    """Return the page of a match and the verdicts on its moves."""
    match = one.match
    names = one.players
    turns = [number for number, entry in enumerate(match.entries) if isinstance(entry, Played)]
    signs, said = [""] * match.length, [""] * match.length
    for verdict, entry in zip(found, turns, strict=True):
        signs[entry], said[entry] = verdict.sign, verdict_text(verdict, names[verdict.seat])
    wrong = [(turns[one.ply - 1] + 1, mistake_text(one, names[one.seat])) for one in mistakes(found)]
    listed = parts().mistakes(wrong, conclusion(found, names)[0])
    figure = course_figure(courses(match, found), names, match.length)
    data = {"signs": signs, "verdicts": said, "opens": wrong[0][0] if wrong else None}
    return page([one], analysis=PageAnalysis(figure, listed, data))

"""The page of an analysed game: its film, its course as a chart, the verdict on each move, and the mistakes.

The chart has a line for each seat, solid where the value is proved. Estimates have their error as a band, and mistakes
have their signs. Screen readers get the chart as a text. page.html draws what is measured here.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any, Final

from quadrille.client.analysis.verdicts import CoursePoint, GameCourse, Verdict, courses, mistakes, turns
from quadrille.client.picture.film import FilmedMatch
from quadrille.client.picture.page import PageAnalysis, page, parts
from quadrille.client.words.analysis import conclusion, mistake_text, verdict_text

#: The measures of all charts on a page of games; page.js has the same ones.
LEFT: Final = 30
WIDE: Final = 400
MIDDLE: Final = 70
HALF: Final = 60
_DASHES: Final = ("6 4", "2 4", "10 4 2 4", "4 2")


def analysed_page(filmed: FilmedMatch, verdicts: Sequence[Verdict]) -> str:
    """Return the page of a match and the verdicts on its moves."""
    match = filmed.match
    names = filmed.players
    moves = turns(match)
    signs, sentences = [""] * match.length, [""] * match.length
    for verdict, entry in zip(verdicts, moves, strict=True):
        signs[entry], sentences[entry] = verdict.sign, verdict_text(verdict, names[verdict.seat])
    wrong = [(moves[filmed.ply - 1] + 1, mistake_text(filmed, names[filmed.seat])) for filmed in mistakes(verdicts)]
    listed = parts().mistakes(wrong, conclusion(verdicts, names)[0])
    found = courses(match, verdicts)
    whose = "" if found[0].against is not None else ", for each player at the player's own turns"
    measured = [_measured(course, names, match.length) for course in found]
    figure = parts().course(f"The course of the game{whose}", _in_words(found, names), measured)
    data = {"signs": signs, "verdicts": sentences, "opens": wrong[0][0] if wrong else None}
    return page([filmed], analysis=PageAnalysis(figure, listed, data))


def _measured(course: GameCourse, names: Sequence[str], length: int) -> dict[str, Any]:
    """Measure a course: its stretches, each with the points of its band and its line, and the signs of mistakes."""

    def at(point: CoursePoint, value: float) -> tuple[float, float]:
        return LEFT + WIDE * point.entries / max(length, 1), MIDDLE - HALF * max(-1.0, min(1.0, value))

    def line(places: Iterator[tuple[float, float]]) -> str:
        return " ".join(f"{across:.1f},{down:.1f}" for across, down in places)

    stretches = []
    for proved, run in groupby(pairwise(course.points), lambda step: step[0].proved and step[1].proved):
        steps = list(run)
        points = [steps[0][0], *(step[1] for step in steps)]
        ends = [*((point, point.error) for point in points), *((point, -point.error) for point in points[::-1])]
        band = line(at(point, point.value + error) for point, error in ends)
        stretches.append((proved, band, line(at(point, point.value) for point in points)))
    places = [(*at(point, point.value), point.mistake) for point in course.points if point.mistake]
    signs = [(f"{x:.1f}", f"{y + (-6 if y > MIDDLE else 14):.1f}", sign) for x, y, sign in places]
    sentence = names[course.seat]
    if course.against is not None:
        sentence = f"{sentence}; for {names[course.against]} it is the other way round"
    dashes = _DASHES[course.seat % len(_DASHES)]
    return {"seat": course.seat % 8, "dashes": dashes, "told": sentence, "stretches": stretches, "signs": signs}


def _in_words(courses: Sequence[GameCourse], names: Sequence[str]) -> str:
    """Tell the courses in words: for each seat its values from -1 to 1."""
    sentences = []
    for course in courses:
        values = (f"{point.value:+.0f} proved" if point.proved else f"{point.value:+.2f}" for point in course.points)
        sentences.append(f"{names[course.seat]}: {', '.join(values)}")
    return "The course of the game, from -1 to 1. " + ". ".join(sentences)

"""The report of a tournament at the width of a phone: nothing is cut without a hint, and the rest is folded."""

from itertools import pairwise
from pathlib import Path

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.tournament.charts import HIGH, WIDE, over_time
from quadrille.client.tournament.report import page
from tests.client.phones.browser import browser
from tests.client.test_tournament import fill


@pytest.mark.parametrize("many", [1, 6, 40])
def test_the_chart_over_time_holds_all_entrants_within_its_frame(many: int) -> None:
    names = [f"bot {number}" for number in range(many)]
    drawn = over_time(names, [[0.0, -50.0 * number] for number in range(many)], [2, 90])
    assert [course["name"] for course in drawn["courses"]] == names
    points = [tuple(map(float, point.split(","))) for course in drawn["courses"] for point in course["points"].split()]
    assert all(0 <= across <= WIDE and 0 <= down <= HIGH for across, down in points)
    marks = [down for down, _ in drawn["marks"]]
    assert len(marks) > 1 and all(before - after > 14 for before, after in pairwise(marks))


@pytest.mark.slow
def test_nothing_of_the_report_is_cut_without_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "league.html"
    fill(tmp_path / "league.toml", 132)
    with Journal(tmp_path / "league.sqlite") as journal:
        path.write_text(page(journal, 3), "utf-8")
    inside = "!node.closest('.scroll, .tall, svg, select')"
    broader = "node.clientWidth && node.scrollWidth > node.clientWidth + 1"
    every = "[...document.querySelectorAll('main *')]"
    cut = f"{every}.filter(node => {inside} && {broader}).map(node => node.outerHTML)"
    hints = "[...document.querySelectorAll('.broad')].map(node => getComputedStyle(node, '::before').content)"
    with browser() as chromium:
        for wide, dark in ((390, False), (390, True), (768, False), (1280, True)):
            shows = chromium.page((wide, 844), dark=dark)
            shows.open(path.as_uri())
            shows.until("!!document.querySelector('#on-standing .chart')")
            assert shows.run("document.documentElement.scrollWidth <= innerWidth")
            shows.run("document.querySelectorAll('details').forEach(node => { node.open = true })")
            assert shows.run(cut) == []
            assert {hint != "none" for hint in shows.run(hints)} == {wide < 640}
            assert shows.run("document.querySelectorAll('details').length") > 5
            shows.close()

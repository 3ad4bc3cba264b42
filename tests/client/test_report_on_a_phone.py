"""The report of a tournament at the width of a phone: nothing is cut without a hint, and charts show all entrants."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from quadrille.ai.tournament.journals.journal import Journal
from quadrille.client.tournament.charts import error_bars, lines, shares
from quadrille.client.tournament.html_table import table
from quadrille.client.tournament.report import page
from tests.client.phones.browser import browser
from tests.client.test_tournament import fill


@pytest.mark.parametrize("many", [1, 6, 40])
def test_each_chart_has_a_wide_and_a_narrow_form_with_all_entrants(many: int) -> None:
    names = [f"bot {number}" for number in range(many)]
    values = [50.0 * number for number in range(many)]
    drawn = [error_bars(names, values, values), lines(names, [[0.0, value] for value in values], [2, 90])]
    drawn.append(shares(names, [0.5] * many))
    for chart in drawn:
        wide, narrow = re.findall(r"<svg.*?</svg>", chart)
        assert 'class="chart wide"' in wide and 'class="chart narrow"' in narrow
        for form in (wide, narrow):
            assert all(f">{name}<" in form for name in names)
            [high] = re.findall(r'viewBox="0 0 \d+ (\d+)"', form)
            assert all(float(down) <= float(high) for down in re.findall(r'<text[^>]* y="([-\d.]+)"', form))


def test_marks_of_a_narrow_scale_do_not_touch() -> None:
    narrow = error_bars(["a", "b"], [-1234.0, 2345.0], [300.0, 80.0]).split("</svg>")[1]
    marks = [float(across) for across in re.findall(r'class="middle" x="([\d.]+)"', narrow)]
    assert len(marks) > 2 and all(after - before > 36 for before, after in pairwise(marks))


def test_broad_tables_say_on_a_phone_that_they_scroll() -> None:
    assert 'class="scroll broad" tabindex="0"' in table(("", "name", "Elo"), [])
    assert 'class="scroll" tabindex="0"' in table(("times", "games"), [])


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("wide", [390, 768, 1280])
def test_nothing_of_the_report_is_cut_without_a_hint(wide: int, dark: bool, tmp_path: Path) -> None:
    path = tmp_path / "league.html"
    fill(tmp_path / "league.toml", 132)
    with Journal(tmp_path / "league.sqlite") as journal:
        path.write_text(page(journal, 3), "utf-8")
    with browser() as chromium:
        shows = chromium.page((wide, 844), dark=dark)
        shows.open(path.as_uri())
        shows.until("!!document.querySelector('#on-standing .chart')")
        assert shows.run("document.documentElement.scrollWidth <= innerWidth")
        inside = "!node.closest('.scroll, .tall, svg, details, select')"
        broader = "node.clientWidth && node.scrollWidth > node.clientWidth + 1"
        every = "[...document.querySelectorAll('main *')]"
        cut = f"{every}.filter(node => {inside} && {broader}).map(node => node.outerHTML)"
        assert shows.run(cut) == []
        broad, charts = (f"[...document.querySelectorAll('{kind}')]" for kind in (".broad", ".chart"))
        hints = f"{broad}.every(node => getComputedStyle(node, '::before').content != 'none')"
        assert shows.run(hints) == (wide < 640)
        shown = f"{charts}.filter(node => getComputedStyle(node).display != 'none').map(node => node.classList[1])"
        assert set(shows.run(shown)) == {"narrow" if wide < 640 else "wide"}

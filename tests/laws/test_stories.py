"""What is told of a game is true: it agrees with the figures and the places, and is the same for everybody."""

import itertools
import re
from typing import Any

import pytest

from quadrille.laws.settings import Setting, everywhere, quick, tried
from quadrille.laws.walks import random_match
from quadrille.rules.core import Over
from quadrille.rules.core.talk import margin
from quadrille.rules.games.dotter import board as rules
from quadrille.rules.match import Match, Played, mask

SCORED = re.compile(r"\d+")


def of(key: str) -> list[object]:
    """The tables of one game, as parameters."""
    return tried(setting for setting in everywhere() if setting.key == key)


def matches(setting: Setting) -> list[Match]:
    return [random_match(setting, f"story {number}", leaving=number == 1) for number in range(2)]


@pytest.mark.parametrize("setting", tried(everywhere()), ids=str)
def test_criteria_place_the_seats(setting: Setting) -> None:
    for match in matches(setting):
        for state in match.positions[:: max(1, match.length // 40)]:
            criteria = [state.criteria(seat) for seat in range(state.seats)]
            if not any(criteria):
                continue
            for one, other in itertools.permutations(
                (seat for seat in range(state.seats) if not state.board.left[seat]), 2
            ):
                lead = state.board.compare(one, other)
                between = margin(criteria[one], criteria[other])
                ahead = between.ahead - between.behind if between else 0
                assert (lead > 0) == (ahead > 0) and (lead < 0) == (ahead < 0), state


@pytest.mark.parametrize("setting", quick(everywhere()), ids=str)
def test_everybody_hears_the_same_story(setting: Setting) -> None:
    """Also a spectator, who lacks what only one seat has seen."""
    for match in matches(setting):
        for number, entry in enumerate(match.entries):
            deeds = match.story(number)
            if isinstance(entry, Played):
                before, after = match.after(number), match.after(number + 1)
                at, public = before.play(entry.move), list[Any]()
                for face in entry.faces:
                    public.append(mask(at, face, None))
                    at = at.play(face)
                assert before.view(None).story(entry.move, public, after.view(None)) == deeds
            for deed in deeds:
                assert 0 <= deed.seat < setting.seats and deed.verb.isalpha() and not deed.rest.endswith(".")
                assert (deed.other is None) == ("{whose}" not in deed.rest)
                assert "{" not in deed.rest.replace("{whose}", "")


@pytest.mark.parametrize("setting", [*of("barons"), *of("coin-isolation")], ids=str)
def test_what_is_told_adds_up_to_the_figures(setting: Setting) -> None:
    """Barons tells what a move scores, Coin Isolation what a player has then."""
    figure, adds = {"barons": ("points", True), "coin-isolation": ("cents", False)}[setting.key]
    for match in matches(setting):
        found = [0] * setting.seats
        for deed in itertools.chain.from_iterable(map(match.story, range(match.length))):
            numbers = list(map(int, SCORED.findall(deed.rest)))
            found[deed.seat] = found[deed.seat] + numbers[0] if adds else numbers[-1]
        assert tuple(found) == match.state.figures()[figure]


@pytest.mark.parametrize("setting", of("dotter"), ids=str)
def test_dotter_pegs_move_by_what_is_told(setting: Setting) -> None:
    """Within a round the peg moves on by the points that are told, unless a deed says otherwise."""
    for match in matches(setting):
        for number in range(match.length):
            deeds = match.story(number)
            before, state = match.after(number).board, match.after(number + 1)
            after = state.board
            if not deeds or deeds[0].verb != "score" or after.at[rules.ROUND] > before.at[rules.ROUND]:
                continue
            seat, points = deeds[0].seat, int(SCORED.findall(deeds[0].rest)[0])
            others = {deed.verb for deed in deeds if deed.seat == seat} - {"score"}
            if not others:
                assert after.at[rules.HOLE + seat] == before.at[rules.HOLE + seat] + points
            else:
                assert after.at[rules.HOLE + seat] == before.terms.lap_points or isinstance(state.pending, Over)

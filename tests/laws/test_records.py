"""What is true of records: they tell a match wholly, and a record that tells anything else is refused with its line."""

import itertools
import json
import re

import pytest

from quadrille.laws.seals import bare, sealed
from quadrille.laws.settings import Setting, everywhere, quick, setting, tried, usual
from quadrille.laws.walks import frozen, random_match, thinned, viewers, walk
from quadrille.rules.core import WHOLE, Face, ToDraw, Viewer
from quadrille.rules.errors import BadRecord, RulesError
from quadrille.rules.games._template import GAME as TEMPLATE
from quadrille.rules.match import Deal, Match, Played
from quadrille.rules.record import read, write
from quadrille.rules.registry import game, keys

RECORDED = [table for table in everywhere() if table.key != TEMPLATE.key]
BARONS = setting("barons", {"width": 3, "height": 2}, 2)


def same(one: Match, other: Match) -> None:
    assert one.entries == other.entries
    assert (one.opening, one.deal, one.viewer) == (other.opening, other.deal, other.viewer)
    assert one.pending == other.pending
    for number in thinned(range(len(one.entries) + 1), 4):
        assert frozen(one.before(number).state) == frozen(other.before(number).state)


@pytest.mark.parametrize("setting", tried(RECORDED), ids=str)
@pytest.mark.parametrize("leaving", [False, True])
def test_every_prefix_round_trips(setting: Setting, leaving: bool) -> None:
    whole = random_match(setting, "record", 60, leaving=leaving)
    for number in thinned(range(len(whole.entries) + 1), 3):
        match = whole.before(number)
        record = write(match)
        assert record == sealed(bare(record))
        again = read(record.encode() if leaving else record)  # text or bytes: it is the same
        same(again, match)
        assert write(again) == record


@pytest.mark.parametrize("setting", quick(RECORDED), ids=str)
def test_a_loaded_match_goes_on(setting: Setting) -> None:
    """As the saved one would have: with the same cards, and with undo."""
    whole = random_match(setting, "goes on", 12)
    again = read(write(whole.before(len(whole.entries) // 2)))
    for entry in whole.entries[len(again.entries) :]:
        assert isinstance(entry, Played)
        again.play(entry.move)
    same(again, whole)
    while again.ply:
        again.undo()
        same(read(write(again)), again)


@pytest.mark.first(1)
@pytest.mark.parametrize("setting", quick(table for key in keys() for table in usual(key)), ids=str)
def test_views_round_trip(setting: Setting) -> None:
    """A record of what one seat, or a spectator, learned; also of a table that has nobody who deals."""
    steps = list(walk(setting, "views", 100))
    everybody: tuple[Viewer, ...] = (*viewers(steps[0].state), WHOLE)
    for viewer in everybody:
        match = Match(setting.game, dict(setting.options), setting.seats, viewer=viewer)
        for number, step in enumerate(steps[:-1]):
            if number % 16 == 0 and not isinstance(step.state.pending, ToDraw):
                same(read(write(match)), match)
            step.tell(match, viewer)
        told = [line for line in bare(write(match)) if line.startswith("view ")]
        assert told == ([] if viewer == WHOLE else ["view spectator" if viewer is None else f"view p{viewer + 1}"])


def test_faces_that_come_after_somebody_left_round_trip() -> None:
    """Cards that are being turned up, or looked at, when a seat goes still are."""
    match = Match(game("dotter"), None, 3, viewer=None)
    for text in ("draw", "draw", "draw", "score p1 1a 1b 1c"):
        match.play(text)
    match.answer(Face("AS"))
    match.leave(1, "dropped")
    same(read(write(match)), match)
    match.answer(Face("2S"))
    match.answer(Face("3S"))
    match.leave(0)
    same(read(write(match)), match)
    assert "5 p2 dropped = 2S 3S" in bare(write(match))
    assert "6 p1 resigned" in bare(write(match))


@pytest.mark.parametrize("setting", [table for key in keys() for table in usual(key)], ids=str)
@pytest.mark.parametrize("end", ["draw", "adjudicated"])
def test_endings_round_trip(setting: Setting, end: str) -> None:
    # a few moves, and fewer where the game would be over by then
    match = next(one for plies in (5, 3, 1, 0) if not (one := random_match(setting, "endings", plies)).over)
    if end == "draw":
        match.agree()
    else:
        match.adjudicate([1] * setting.seats, 'the "lamp" = fell #00000000 over: \u20ac')
    same(read(write(match)), match)
    assert read(write(match)).over == match.over
    with pytest.raises(BadRecord):
        read(sealed([*bare(write(match))[:-1], "end: unfinished"]))


@pytest.mark.parametrize(
    "seed", ["", "x" * 300, "caf\u00e9 \U0001f0a1", '"quoted" #12345678 = \\', "\ud800", "line\nline\x00"]
)
def test_any_seed_can_be_written(seed: str) -> None:
    for key in keys():
        match = random_match(usual(key)[0], "seeds", 4)
        again = Match(match.game, None, match.state.seats, deal=Deal(seed))
        same(read(write(again)), again)


# What was changed


@pytest.mark.slow
@pytest.mark.parametrize("viewed", [False, True])
def test_every_changed_byte_is_refused_with_its_line(viewed: bool) -> None:
    """Exhaustive on a small record: every place, some other bytes each, a byte too many, a byte too few."""
    match = random_match(BARONS, "bytes")
    record = write(match.before(3) if viewed else match).encode()
    for at, byte in enumerate(record):
        line = record[:at].count(b"\n") + 1
        refused_at(record[:at] + record[at + 1 :], line)
        for other in {0, 10, 13, 32, 35, 48, 102, 127, 128, 255, byte ^ 1, byte ^ 32, byte ^ 128} - {byte}:
            # a new end of line is refused in the line that it ends, or in the one that it begins
            lines = (line, line + 1) if other == 10 else (line,)
            refused_at(record[:at] + bytes([other]) + record[at + 1 :], *lines)
            refused_at(record[:at] + bytes([other]) + record[at:], *lines)


def refused_at(record: bytes, *lines: int) -> None:
    with pytest.raises(BadRecord) as refusal:
        read(record)
    assert refusal.value.line in lines
    assert str(refusal.value).startswith(f"line {refusal.value.line}: ")


@pytest.mark.parametrize("key", keys())
def test_a_record_that_is_cut_is_refused(key: str) -> None:
    """Wherever: between lines and within."""
    record = write(random_match(usual(key)[-1], "cut", 6))
    for end in range(len(record)):
        with pytest.raises(BadRecord) as refusal:
            read(record[:end])
        assert refusal.value.line <= record[:end].count("\n") + 1
    for line in record.splitlines(keepends=True):
        with pytest.raises(BadRecord):
            read(record + line)


@pytest.mark.parametrize("key", keys())
def test_lines_left_out_doubled_or_moved_are_refused(key: str) -> None:
    """Even with the checks worked out anew. Only the last move can be left out, and the seed: nobody deals then."""
    lines = bare(write(random_match(usual(key)[-1], "moved", 6)))
    for at in range(len(lines)):
        if at != len(lines) - 2 and not lines[at].startswith("seed "):
            refused(lines[:at] + lines[at + 1 :])
        refused(lines[: at + 1] + lines[at:])
    for one, other in itertools.combinations(range(len(lines)), 2):
        moved = list(lines)
        moved[one], moved[other] = lines[other], lines[one]
        refused(moved)


def whole_game() -> Match:
    match = BARONS.match("lies")
    for move in ("b1", "a2", "c2", "a1", "c1", "b2"):
        match.play(move)
    return match


def refused(lines: list[str], line: int | None = None) -> None:
    with pytest.raises(BadRecord) as refusal:
        read(sealed(lines))
    assert line in (None, refusal.value.line)


def test_a_refused_line_of_options_is_quoted_where_it_differs() -> None:
    lines = bare(write(random_match(usual("dotter")[-1], "options", 2)))
    with pytest.raises(BadRecord, match=re.escape(lines[3][-9:])):
        read(sealed([*lines[:3], " }".join(lines[3].rsplit("}", 1)), *lines[4:]]))


#: By the number of their line.
LIES = {
    1: ("quadrille record 2", "quadrille record 1 "),
    2: ("game chess", "game Barons", "game"),
    3: ("rules 2", "rules 01"),
    4: (
        'options {"width":3,"height":2}', 'options {"width":99}', "options []", "options {", "options " + "[" * 100000,
        'options {"height":2,"width":3}',
    ),
    5: ("seats 9", "seats 02", "seats " + "9" * 5000, "seats -1"),
    6: ("seed 7", "seed null", 'seed "x" '),
    7: (
        "1 p1 z9", "1 p1 B1", "1 p1  b1", "1 p2 a1", "1 p3 a1", "01 p1 a1", "2 p1 a1", "1 p1 a1 = a1", "1 p1 a1 =",
        "1 p1", "1 p1 Resigned", "1 draw refused", "1 adjudicated", "1 adjudicated [[1,2]]",
        '1 adjudicated [[2,2],"x"]', '1 adjudicated [[1,true],"x"]', '1 adjudicated [[1.0,2],"x"]',
    ),
    8: ("2 p2 b1",),  # taken by the move before
    -1: ("end: places 2 1 1", "end: unfinished", "end", "ending"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "lie"), [(line, lie) for line in LIES for lie in LIES[line]], ids=lambda value: str(value)[:40]
)
def test_a_lie_is_refused_with_its_line(line: int, lie: str) -> None:
    """Whoever writes the checks anew still has to keep to the rules, and to the one way of writing them."""
    lines = bare(write(whole_game()))
    assert lines[5].startswith("seed ")
    number = line if line > 0 else len(lines)
    refused([*lines[: number - 1], lie, *lines[number:]], number)


@pytest.mark.parametrize("after", ["7 p1 a1", "7 p1 resigned", "7 draw agreed", '7 adjudicated [[1,1],"x"]'])
def test_nothing_happens_after_the_end(after: str) -> None:
    lines = bare(write(whole_game()))
    refused([*lines[:-1], after, lines[-1]], len(lines))


def test_faces_must_be_those_of_the_seed() -> None:
    """And without a seed they must be cards of the pile, each once."""
    dealt = bare(write(random_match(setting("coin-isolation", {}, 2), "faces", 4)))
    opening = next(at for at, line in enumerate(dealt) if line.startswith("opening"))
    coins = dealt[opening].split(" ")
    other = next(at for at in range(3, len(coins)) if coins[at] != coins[2])
    coins[2], coins[other] = coins[other], coins[2]
    refused([*dealt[:opening], " ".join(coins), *dealt[opening + 1 :]], opening + 1)
    unsealed = [line for line in dealt[: opening + 1] if not line.startswith("seed")]
    read(sealed([*unsealed, "end: unfinished"]))
    refused([*unsealed[:-1], unsealed[-1] + " p", "end: unfinished"])
    refused([*unsealed[:-1], unsealed[-1].replace(" p", " q"), "end: unfinished"])
    refused([*unsealed[:-1], unsealed[-1].replace(" p", " x"), "end: unfinished"])


def test_records_have_an_end() -> None:
    """However long: what is no record is refused at its first line, without being read."""
    good = write(BARONS.match(""))
    for text in ("", "\n", "#", "quadrille", "\ufeff" + good, "x" * (65 << 20), b"\xff\xfe\x00" * 1000):
        with pytest.raises(BadRecord) as refusal:
            read(text)
        assert refusal.value.line == 1
    with pytest.raises(BadRecord, match="CR LF"):
        read(good.replace("\n", "\r\n"))


def test_options_of_a_record_are_all_there() -> None:
    """Those with their defaults too: a record says what was played even when defaults change."""
    for key in keys():
        (line,) = (line for line in bare(write(usual(key)[0].match(""))) if line.startswith("options "))
        assert json.loads(line.removeprefix("options ")) == usual(key)[0].game.read_options(None).plain()


@pytest.mark.parametrize("why", ["\x1b]0;x\x07", "a\nb", "\u202eabc", "\x00", "\ud800"])
def test_a_verdict_holds_no_character_that_no_line_may_hold(why: str) -> None:
    match = random_match(BARONS, "verdict", 2)
    places = list(range(1, match.state.seats + 1))
    with pytest.raises(RulesError, match="a character that no line may hold"):
        match.adjudicate(places, why)
    match.adjudicate(places, "fine")
    lines = bare(write(match))
    number = len(lines) - 1
    lines[number - 1] = lines[number - 1].replace('"fine"', json.dumps(why))
    with pytest.raises(BadRecord, match="a character that no line may hold") as caught:
        read(sealed(lines))
    assert caught.value.line == number


def test_a_record_from_before_an_option_is_a_game_as_it_was_then() -> None:
    """Dotter's usual `looks` is 2; games that were kept before there was the option go on without it."""
    blind = ["draw", "score p1 1a 1b 1c"]
    match = Match(game("dotter"), {"looks": 0}, 2, deal=Deal("kept"))
    for move in blind:
        match.play(move)
    record = write(match)
    assert "looks" not in record
    again = read(record)
    assert write(again) == record and again.state.options.looks == 0 and again.state.digest() == match.state.digest()
    for more, why in ((',"looks":0', "this should read"), (',"looks":2', "look at 2 of the three")):
        lines = [line.replace('"max_rounds":100', f'"max_rounds":100{more}') for line in bare(record)]
        with pytest.raises(BadRecord, match=why):
            read(sealed(lines))

"""Whatever is pressed, clicked, pasted, resized or told by others: the program goes on, the screen is whole, the game
is legal, at a table of this keyboard, at one of the network, and before both.
"""

import asyncio
from dataclasses import replace
from typing import Any

import pyte
from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.ai.bots.player import StillThinking
from quadrille.ai.faults import BotFault
from quadrille.client.foreign import shown
from quadrille.client.screen.draw.canvas import Picture, columns
from quadrille.client.screen.draw.theme import THEMES
from quadrille.client.screen.evening import Evening, EveningEvent, draw_evening
from quadrille.client.screen.lobby.model import NewGame, PageLine
from quadrille.client.screen.network.news import News
from quadrille.client.screen.start import PaintedPicture, colours, painted
from quadrille.client.screen.table import terminal
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import Model, ShownTable, SitDown
from quadrille.client.screen.table.terminal import Click, Key, Look, Pasted, Quit, Resized, Tick, Told, Wheel, clicked
from quadrille.client.screen.table.update import KEYS, update
from quadrille.client.table.entries import forced
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.table.notices import About, BotStopped, Fact, HintGiven, Refused
from quadrille.client.table.players import Players
from quadrille.client.table.wishes import Advise, Hinted, Keep, Kept, Loaded
from quadrille.client.words.commands import Place, by_word
from quadrille.client.words.table import by_name, by_seat
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.net.game_log.log import replayed
from quadrille.rules.chance import Stream
from quadrille.rules.match import Deal, Match
from quadrille.rules.record import read, write
from quadrille.rules.registry import game
from tests.client.screen.keyboard import begun, match_of, model_of, sitting_behind, step
from tests.client.screen.network.scenes import AROUND, EMPTY, NOW, ROOM, evening, shut_by
from tests.client.screen.network.test_looking_on import seated
from tests.client.screen.terminal import KEYS as CODES
from tests.client.screen.terminal import Person, at_screen
from tests.client.sittings import Answered, Heard, Moved, Sitting
from tests.look.painted import cells

NAMES = [*CODES, "s-tab", "insert", "f11", "c-space", "c-up", "escape"]
LETTERS = "abcdefghij0123456789 -p?!\x00é漢\u202e"
#: What a person may paste, or a program write: letters of every kind, wide, combined, turned round, or none at all.
ANY_SIGNS = f"{LETTERS}Zß\n\t\x1b\x7f\x9b\u0301\u200d\u2066\ue000\ufffe\U0001f468\U0001fa54\U000e0041"
#: Where it begins: at one of these tables, or in the lobby.
TABLES = [
    None,
    ("barons", 3, {"width": 4, "height": 4}), ("maze", 2, {"size": 3}), ("dollar-draw", 2, {"width": 4, "height": 4}),
    ("coin-isolation", 3, {"mixed_change": True, "standing_still": True, "renegade": True}),
    ("coin-isolation", 2, {"collect": "transplant", "take": "semi-greedy"}), ("dotter", 3, {"laps": 1}),
]  # fmt: skip

words = st.sampled_from([
    *by_word(Place.OWN), *by_word(Place.LOBBY), "a1", "b2", "b2-b3", "draw", "peek p1 1a 1b", "score p1 1a 1b 1c",
    "side south", "pass", "yes", "wait", "stand-in 3", "say hi", "ben",
])  # fmt: skip
lines = st.builds(str.__add__, words, st.sampled_from(["", " maze", " maze 3", " x", " 10.0.0.1:1"]))
#: Whatever others wrote has been made fit to be shown before it comes here.
foreign = st.text(ANY_SIGNS, max_size=20).map(shown)


def table_of_two(plies: int, banner: str, *, mine: bool, votes: bool) -> ShownTable:
    clocks, chat = Clocks(TimeControl(65_000, 0), (9000, 8000), plies % 2, NOW), ("Ben: hello", "漢字 sits down.")
    seat = plies % 2 if mine else None
    return replace(seated(plies, seat, waits=bool(banner), banner=banner, clocks=clocks, chat=chat), votes=votes)


tables = st.builds(
    table_of_two, st.integers(0, 3), st.sampled_from(["", "Ben is gone."]), mine=st.booleans(), votes=st.booleans()
)
keyboard = (
    st.builds(Key, st.sampled_from(NAMES) | st.sampled_from(LETTERS)),
    st.builds(Key, st.sampled_from(["enter", "enter", "down", "right", "up", "left", " ", "backspace", "escape"])),
    st.builds(Pasted, lines | st.text(ANY_SIGNS, max_size=30)),
    st.integers(0, 999),  # a click on one of the targets
    st.builds(Wheel, st.booleans()),
    st.builds(Resized, st.integers(1, 60), st.integers(1, 200)),
    st.builds(Tick, st.integers(0, 10**9)),
)
at_table = st.one_of(
    *keyboard,
    st.builds(Hinted, st.integers(0, 9), st.builds(HintGiven, st.just("2"), words)),
    st.builds(BotFault, st.sampled_from(["crash", "time"]), st.text(ANY_SIGNS, max_size=20)),
    st.builds(StillThinking, st.integers(0, 99_000)), st.just(Heard()),
    st.builds(Kept, st.just("x"), st.just("/x"), st.just(())),
    st.sampled_from([Loaded("y", match_of(*one), Players()) for one in (("barons", 2, 3), ("dotter", 3, 9))]),
)  # fmt: skip
in_lobby = st.one_of(
    *keyboard,
    st.builds(Key, st.sampled_from(["f2", "f3", "f8"])),
    st.builds(Told, foreign, st.booleans()),
    st.builds(terminal.PickList, st.just("Which game?"), st.just((("a game", "replay a.txt"),))),
    st.builds(PageLine, st.just("What may keep programs from meeting"), foreign),
    st.just(shut_by("the port is taken")),
    st.builds(
        News, st.sampled_from([AROUND, EMPTY, replace(EMPTY, searching=True)]), st.none() | st.just(ROOM) | tables,
        st.sampled_from([(), ("Ben invites you.",), ("it is not your turn", "Note: x")]),
    ),
)  # fmt: skip


def is_whole(there: Model | Evening, picture: Picture) -> None:
    """The picture has the size of the window, in every row, and shows no letter that a terminal would obey."""
    assert [columns("".join(text for _, text in row)) for row in picture.rows] == [there.columns] * there.rows
    assert all(sign.isprintable() for row in picture.rows for _, text in row for sign in text)
    assert not there.look.plain or "".join(picture.lines).isascii()
    if picture.caret:
        assert 0 <= picture.caret[0] < there.rows and 0 <= picture.caret[1] < there.columns


def is_sound(table: Sitting) -> None:
    """Every fact of a table at one keyboard fits the others."""
    state, turn, seat, ballot = table.match.state, table.turn, table.seat, table.seat.ballot
    assert len(seat.bots) == state.seats == len(seat.table.log.now.chairs)
    assert not table.thinks or (table.is_bots_turn and not seat.paused)
    assert not table.is_bots_turn or seat.paused or table.thinks or isinstance(seat.trouble, BotStopped)
    assert seat.cover is None or (table.is_secret and seat.cover.seat == turn)
    if table.is_secret and turn in table.people and seat.cover is None:
        assert table.viewer == turn
    assert seat.paused or not forced(state)
    assert all(seat.bots[one] for one in ballot.bots)
    assert not table.match.over or not (table.thinks or ballot.bots or seat.hint)
    for notice in table.said:
        assert "\n\n" not in by_seat(notice, table.seats) + by_name(notice, table.seats)
    assert not any(isinstance(notice, Refused) for notice in table.said) or not table.effects


def answers(front: object, effects: list[object], dice: Stream) -> list[Any]:
    found: list[Any] = []
    for effect in effects:
        match effect:
            case Advise(ticket, _, bot, match):
                found.append(Hinted(ticket, HintGiven(bot, str(match.state.moves.sample(dice)))))
            case Keep(name, match):
                found.append(Kept(name, name, match.entries))
            case NewGame(key, options, bots):
                found.append(SitDown(GameSetup.of(Match(game(key), dict(options), len(bots), deal=Deal("s")), bots)))
    if isinstance(front, Model) and front.own is not None:
        found += [Moved(str(front.table.match.state.moves.sample(dice)))] if sitting_behind(front).thinks else []
        found += [Answered(seat, agrees=True) for seat in [*sitting_behind(front).seat.ballot.bots][:1]]
    return found


@settings(max_examples=25)
@given(
    table=st.sampled_from(TABLES), people=st.booleans(), plain=st.booleans(), clock=st.booleans(),
    pressed=st.lists(at_table, max_size=40) | st.lists(in_lobby, max_size=40),
)  # fmt: skip
def test_no_event_ends_the_program_or_breaks_the_screen(
    table: tuple[str, int, dict[str, object]] | None, people: bool, plain: bool, clock: bool,
    pressed: list[EveningEvent | int],
) -> None:  # fmt: skip
    there = evening()
    there = replace(there, lobby=replace(there.lobby, look=Look(plain=plain)))
    dice, waiting = Stream("s", "answers"), list(pressed)
    if table is not None:
        key, seats, options = table
        bots = ["" if people or seat == 3 % seats else "random" for seat in range(seats)]
        timer = TimeControl(60_000, 5000) if clock else None
        waiting.insert(0, SitDown(GameSetup.of(match_of(key, seats, 3, options), bots, timer)))
    while waiting:
        event = waiting.pop(0)
        if isinstance(event, int):
            spots = draw_evening(there).spots
            event = clicked(spots[event % len(spots)]) if spots else Told("")
        there, effects = step(there, event)
        is_whole(there, draw_evening(there))
        assert Quit() not in effects or isinstance(event, Key | Click | Pasted)
        if isinstance(there.front, Model) and there.front.own is not None:
            is_sound(sitting_behind(there.front))
        waiting = [one for one in answers(there.front, effects, dice) if one not in waiting[:1]] + waiting
    if isinstance(there.front, Model):
        match = there.front.table.match
        assert read(write(match)).state == match.state
        if there.front.own is not None:
            log = sitting_behind(there.front).seat.table.log
            assert replayed(log.table, log.entries).now.match.state == match.state, "others can verify it"


def test_keys_that_mean_something_are_known_to_the_terminal() -> None:
    assert set(KEYS) <= set(CODES)


@settings(max_examples=3, deadline=None)
@given(
    theme=st.sampled_from([*THEMES]),
    typed=st.lists(st.sampled_from([*CODES.values(), *"abcd1234 p", "\x1b[<0;10;5M", "\x1b[200~e4\x1b[201~", "\x1b"])),
)
def test_no_byte_breaks_the_terminal(theme: str, typed: list[str]) -> None:
    """After all that was drawn in between the terminal shows each cell as if it were the first picture."""

    async def session() -> None:
        model = begun(model_of(match_of("maze", 2, 3, {"size": 3}), people=True))
        async with at_screen(replace(model, look=Look(theme))) as person:
            ends = [CODES[name] for name in ("c-q", "c-c", "c-z", "enter")]
            person.press(*(keys for keys in typed if keys not in ends), "escape")
            person.press("z")
            await person.until(lambda who: not who.task or _is_drawn(who))

    def _is_drawn(who: Person) -> bool:
        there, shown = who.model, who.emulator.screen
        found = painted(draw(there), there.look.theme, colours(there.look.theme))
        pyte.Stream(screen := pyte.Screen(there.columns, there.rows)).feed(found.after(PaintedPicture()))
        carets = [not one.cursor.hidden and (one.cursor.y, one.cursor.x) for one in (screen, shown)]
        return cells(screen) == cells(shown) and carets[0] == carets[1] and "z" in there.line.text

    asyncio.run(session())


def test_a_character_that_is_none_yet_is_not_shown() -> None:
    """Tables of widths can be newer than Python's own tables of characters."""
    model = begun(model_of(match_of("barons", 2, 0)))
    for code in (*range(0x3400), *range(0xA000, 0x11000), *range(0x11000, 0x110000, 97)):
        if not chr(code).isprintable():
            assert columns(chr(code)) == 0
    model = update(model, Hinted(model.ticket, About(Fact.HINT_MISSED, text="ended \U0001fa54")))[0]
    is_whole(model, draw(model))

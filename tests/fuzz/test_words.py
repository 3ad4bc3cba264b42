"""Whatever words a person types, at any place and on any face: the program goes on, and each wish is granted or refused
in words, never swallowed.
"""

import io
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from quadrille.client.plain.console import Console
from quadrille.client.screen.evening import Evening, draw_evening, update_evening
from quadrille.client.screen.lobby.new_table import NewTable, request, rows_of
from quadrille.client.screen.lobby.waiting_room import WaitingRoomScreen
from quadrille.client.screen.table.model import Model
from quadrille.client.screen.table.terminal import Key, Line, Pasted
from quadrille.client.words.commands import COMMANDS
from quadrille.net.core.errors import NetError
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.evening import BeforePage, Party, PhoneParty, ScreenParty, barons
from tests.client.screen.network.scenes import ROOM, evening
from tests.client.sittings import plain_table, values
from tests.client.test_command_texts import tables

# What people type beside what is meant: every word of every face, with arguments that no word takes.

#: Each word that any place knows, with its other names.
WORDS: Final = tuple(dict.fromkeys(word for one in COMMANDS.values() for word in (one.word, *one.same)))
#: Typos of bots, names, numbers, files and moves; and texts at which a reader of words may stumble.
WRONG: Final = (
    "", "bob", "9", "easy", "0", "-1", "2 2", "1,2,3,4,5,6,7,8,9", ",", "3:3", "mcts:99", "./nowhere", "none.py",
    '"', "node 'bot.js", "~nobody/x", "people 2", "Дора", "\u05d3\u05e0\u05d4", "علی\u200cرضا", "\u0661", "%s", "{}",
    "1" * 60, "a" * 400, "--help", "\\", "nowhere/x.txt", "b1:b1", "[::1]:99999", "..",
)  # fmt: skip


def lines(every: int = 1, first: int = 0) -> list[str]:
    """Return each word with each wrong argument, or with every so many of them, another row of them for each word."""
    found = [f"{word} {wrong}".strip() for word in (*WORDS, "zzz") for wrong in WRONG]
    return found[first::every]


#: The places of a screen.
SCREENS = {
    "lobby": evening(),
    "room": replace(evening(), front=WaitingRoomScreen(ROOM)),
    "guest": replace(evening(), front=WaitingRoomScreen(replace(ROOM, hosts=False))),
    "asked": replace(evening(), front=WaitingRoomScreen(replace(ROOM, question="Ben wants to sit down."))),
    **{name: replace(evening(), front=model) for name, model in tables().items()},
}
FACES = (Party, ScreenParty, PhoneParty)


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def seen(there: Evening) -> Evening:
    """What a person sees, without a page, and without what was typed and answered before."""
    match there.front:
        case Model() as model:
            front = replace(model, line=Line(), notice="", alarm=False, lines=(), overlay=None)
        case WaitingRoomScreen() as waiting:
            front = replace(waiting, line=Line(), notice="", alarm=False)
        case other:
            front = other
    lobby = replace(there.lobby, line=Line(), notice="", alarm=False, lines=())
    return replace(there, front=front, lobby=lobby, page=None)


def shows(there: Evening, before: Evening) -> bool:
    """Tell whether a line was answered: by a sentence, a page, a question, or by what it did."""
    overlay = there.front.overlay if isinstance(there.front, Model) else None
    at = there.front if isinstance(there.front, Model | WaitingRoomScreen) else there.lobby
    return bool(at.notice or there.page or overlay or at.line.text or seen(there) != before)


@pytest.mark.parametrize("every", [31, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("place", SCREENS)
def test_no_line_ends_the_screen_or_is_swallowed(place: str, every: int) -> None:
    before = seen(SCREENS[place])
    for number, line in enumerate(lines(every, [*SCREENS].index(place) % 2)):  # screens know the same words
        after, effects = update_evening(update_evening(before, Pasted(line))[0], Key("enter"))
        assert effects or shows(after, before), f"nothing comes of {line!r}"
        if number % 9 == 0 or seen(after) != before:  # most lines only change a sentence, and drawing is dear
            draw_evening(after)


@pytest.mark.parametrize("local", [True, False])
def test_no_value_of_a_form_ends_it(local: bool) -> None:
    for name in (row.name for row in rows_of(NewTable("coin-isolation", local=local))):
        for wrong in WRONG:
            with suppress(RulesError, NetError):
                request(NewTable("coin-isolation", local=local, values={name: wrong}))


def test_no_line_ends_a_table_in_plain_lines_or_is_swallowed() -> None:
    out = io.StringIO()
    table = plain_table(Match(game("barons"), None, 2), Console(None, out))
    for line in lines():
        before, table.stage.done = values(table.stage), False
        table.typed(line)
        assert out.getvalue() or table.stage.done or values(table.stage) != before, f"nothing comes of {line!r}"
        out.seek(0)
        out.truncate()


def here(face: type[Party], place: str) -> Party:
    """Somebody at a place of the network, who types: a host or a guest before the game, a player, one who watches."""
    match place:
        case "hosting" | "asking":
            return face(barons(3), guests=1)
        case "playing":
            return face(barons(2)).begin()
    party = face(barons(2), 1).begin()
    party.choose("p2")
    party.settle(4000)
    return party


def obeyed(party: Party, name: str, line: str) -> object:
    """Type a line; return what came of it."""
    if isinstance(party, ScreenParty):
        who = party.people[name]
        if isinstance(who.evening.front, Model):
            who.update(Key("escape"))  # from a replay
        before = who.evening = seen(who.evening)
        if isinstance(who, BeforePage):
            who.read()
            who.seen["told"] = ""
        who.said.clear()
    party.enter(name, line)
    party.settle(250)  # an answer may come from another machine
    if isinstance(party, ScreenParty):
        return who.read() if isinstance(who, BeforePage) else who.said or shows(who.evening, before)
    return party.read(name)[1:] or line.startswith("say ")  # the line itself is on the screen


def whereabouts(party: Party, name: str) -> tuple[str, bool]:
    """The place of a person, and whether nothing goes on there any more."""
    if isinstance(party, ScreenParty):
        stage, left = party.people[name].session.front, party.people[name].session.ends
    elif name in party.talks:
        stage, left = party.talks[name].stage, False
    else:
        return "", True
    return type(stage).__name__, left or (stage.at_table is not None and stage.at_table.match.over is not None)


@pytest.mark.parametrize("place", ["hosting", "asking", "playing", "watching"])
@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("every", [47, pytest.param(len(FACES), marks=pytest.mark.slow)])
def test_no_line_ends_a_place_of_the_network_or_is_swallowed(face: type[Party], place: str, every: int) -> None:
    name, party = {"asking": "p1", "watching": "p2"}.get(place, "p0"), here(face, place)
    party.read(name)
    begun = whereabouts(party, name)
    for line in lines(every, FACES.index(face)):  # each line at each place, on one of the faces
        assert obeyed(party, name, line), f"nothing comes of {line!r}"
        if whereabouts(party, name) != begun:
            party = here(face, place)
            party.read(name)

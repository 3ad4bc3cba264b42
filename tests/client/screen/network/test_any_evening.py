"""Whatever is pressed, clicked, pasted or told by the network: the program goes on, and the screen is whole."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from quadrille.client.foreign import shown
from quadrille.client.screen.evening import EveningEvent, draw_evening, update_evening
from quadrille.client.screen.lobby.model import Browsed, Dealt, NewGame, PageLine
from quadrille.client.screen.network.news import News, Seated, Shut
from quadrille.client.screen.table.terminal import Click, Key, Look, Pasted, Resized, Tick, Told, Wheel, clicked
from quadrille.client.table.effects import Quit
from quadrille.client.table.game_setup import GameSetup
from quadrille.client.words.commands import Place, by_word
from quadrille.net.entries.clocks import Clocks
from quadrille.net.entries.terms import TimeControl
from quadrille.rules.match import Deal as Seed
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.screen.keyboard import step
from tests.client.screen.network.scenes import AROUND, EMPTY, NOW, ROOM, evening
from tests.client.screen.network.test_looking_on import seated
from tests.client.screen.terminal import KEYS
from tests.client.screen.test_any_keys import ANY_SIGNS, LETTERS, is_whole


def table_of_two(plies: int, *, mine: bool, banner: str = "", votes: bool = False) -> Seated:
    clocks, chat = Clocks(TimeControl(65_000, 0), (9000, 8000), plies % 2, NOW), ("Ben: hello", "漢字 sits down.")
    seat = plies % 2 if mine else None
    return replace(seated(plies, seat, waits=bool(banner), banner=banner, clocks=clocks, chat=chat), votes=votes)


own = [*by_word(Place.LOBBY)]
words = st.sampled_from([*own, "a1", "b2", "yes", "wait", "stand-in 3", "say hi", "ben"])
#: Whatever others wrote has been made fit to be shown before it comes here.
foreign = st.text(ANY_SIGNS, max_size=20).map(shown)
tables = st.builds(
    lambda plies, mine, banner, votes: table_of_two(plies, mine=mine, banner=banner, votes=votes),
    st.integers(0, 3), st.booleans(), st.sampled_from(["", "Ben is gone."]), st.booleans(),
)  # fmt: skip
lines = st.builds(str.__add__, words, st.sampled_from(["", " maze", " maze 3", " x", " 10.0.0.1:1"]))
news = st.builds(
    News,
    st.sampled_from([AROUND, EMPTY]),
    st.none() | st.just(ROOM) | tables,
    st.sampled_from([(), ("Ben invites you.",), ("it is not your turn", "Note: x")]),
    st.booleans(),
)
events = st.one_of(
    st.builds(Key, st.sampled_from([*KEYS, "<sigint>", "s-tab", "f12"]) | st.sampled_from(LETTERS)),
    st.builds(Key, st.sampled_from(["enter", "enter", "down", "up", "left", "right", "escape", "f2", "f3", "f8"])),
    st.builds(Pasted, lines | st.text(ANY_SIGNS, max_size=30)),
    st.integers(0, 999),  # a click on one of the targets
    st.builds(Wheel, st.booleans()),
    st.builds(Resized, st.integers(1, 60), st.integers(1, 200)),
    st.builds(Tick, st.integers(NOW, 2 * NOW)),
    st.builds(Told, foreign, st.booleans()),
    st.builds(Browsed, st.sampled_from([(), (("a.txt", "a game"),)])),
    st.builds(PageLine, st.just("What may keep programs from meeting"), foreign),
    st.builds(Shut, st.just("the port is taken")),
    news,
    news,
)


@settings(max_examples=25)
@given(plain=st.booleans(), pressed=st.lists(events, max_size=40))
def test_no_event_ends_the_program_or_breaks_the_screen(plain: bool, pressed: list[EveningEvent | int]) -> None:
    there = evening()
    there = replace(there, lobby=replace(there.lobby, look=Look(plain=plain)))
    waiting = list(pressed)
    while waiting:
        event = waiting.pop(0)
        if isinstance(event, int):
            spots = draw_evening(there).spots
            event = clicked(spots[event % len(spots)]) if spots else Told("")
        there, effects = step(there, event, update_evening, lambda there: there.front)
        is_whole(there, draw_evening(there))
        for effect in effects:
            if isinstance(effect, NewGame):
                match = Match(game(effect.game), dict(effect.options), len(effect.bots), deal=Seed("s"))
                waiting.insert(0, Dealt(GameSetup.of(match, effect.bots)))
            if isinstance(effect, Quit):
                assert isinstance(event, Key | Click | Pasted)

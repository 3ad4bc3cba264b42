"""The table of commands: what it says of each word holds in all faces, and nothing is said twice."""

import io

from quadrille.client.plain.console import Console
from quadrille.client.screen.evening import update_evening
from quadrille.client.screen.table.draw import draw
from quadrille.client.screen.table.model import ShownChair, ShownTable
from quadrille.client.screen.table.page import Page
from quadrille.client.screen.table.terminal import Key
from quadrille.client.table.network.table_search import TableSearch
from quadrille.client.table.wishes import OtherLine
from quadrille.client.words.commands import Place, by_any_word, by_word, help_text, network_wish
from quadrille.rules.match import Match
from quadrille.rules.registry import game
from tests.client.evening import Evening
from tests.client.screen.keyboard import begun, press
from tests.client.screen.network.scenes import evening
from tests.client.screen.positions import match_of, model_of
from tests.client.sittings import plain_table
from tests.net.tables import terms

TABLES = (Place.OWN, Place.SEAT, Place.WATCHED, Place.RECORD)


def test_a_question_mark_is_help_on_every_face() -> None:
    out = io.StringIO()
    console = Console(io.StringIO("?\nquit\n"), out)
    plain_table(Match(game("barons"), None, 2), console).run()
    assert help_text(Place.LINES).splitlines()[1] in out.getvalue()
    talks = Evening(terms("barons", 2, lot=False), guests=0)
    assert "invite NAME" in talks.type("p0", "?")
    made = Evening(terms("barons", 2, lot=False)).begin()
    assert "stand-in BOT" in made.type("p0", "?")
    table = press(begun(model_of(match_of("maze", 2, 3))), "?")[0]
    assert "help: the rules of this game" in draw(table).lines[-3]
    assert isinstance(press(table, "enter")[0].overlay, Page)
    lobby = update_evening(update_evening(evening(), Key("?"))[0], Key("enter"))[0]
    assert lobby.page is not None and lobby.page.title == "Quadrille: the lobby"


def test_a_table_says_by_itself_which_commands_make_sense() -> None:
    """Only its own value decides, so every face that shows it offers the same."""
    match, chairs = Match(game("barons"), None, 2), (ShownChair("Ann"), ShownChair("Ben"))
    own, seat = ShownTable(match, chairs, (0, 1), 0), ShownTable(match, chairs, (0,), 0, local=False)
    watched, record = ShownTable(match, chairs, (), None, local=False), ShownTable(match, chairs, (), "whole")
    assert tuple(table.place for table in (own, seat, watched, record)) == TABLES
    assert not set(by_word(Place.WATCHED)) & {"draw", "resign", "against", "load"}
    assert set(by_word(Place.WATCHED)) < set(by_word(Place.SEAT))
    assert set(by_word(Place.RECORD)) < set(by_word(Place.OWN))


def test_a_word_means_itself_where_a_place_has_it_and_else_its_namesake() -> None:
    assert by_any_word(Place.OWN)["rules"].word == "help"
    assert by_any_word(Place.LOBBY)["rules"].word == "rules"
    assert by_any_word(Place.OWN)["undo"] is by_word(Place.OWN)["takeback"]


def test_places_on_the_network_know_the_words_of_their_helps() -> None:
    """Each word is an action of the face, or a wish that means something there."""
    evening = Evening(terms("barons", 3), guests=1)
    host, guest = evening.talks.values()
    search = evening.sit(evening.peers[-1], TableSearch(evening.context(evening.peers[-1]), sits=True))
    at_table = Evening(terms("barons", 2)).begin()
    seat = at_table.talks["p0"]
    for face, place in ((host, "HOSTING"), (guest, "ASKING"), (search, "CHOOSING"), (seat, "TALK")):
        assert set(by_word(Place[place])) <= set(face.words) <= set(by_any_word(Place[place]))
        for word in set(face.words) - {"?"}:
            known = word in face.commands or not isinstance(network_wish(Place[place], word, "2"), OtherLine)
            assert known, f"nothing is done for {word} in {place}"

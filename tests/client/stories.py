"""What happens to people at tables on the network: stories that are told before every face (evening.py)."""

from collections.abc import Callable
from typing import Final

from quadrille.net.entries.entry import NOBODY
from quadrille.net.entries.motions import StandInMotion, all_of
from quadrille.net.entries.terms import Terms, TimeControl
from quadrille.net.game_log.news import Blamed, ChatLine, Convicted, Declined, Opened, Presence, Proposed, Stopped
from quadrille.net.program.station import Remark
from quadrille.net.seating.gathering import OfferChanged, TurnedDown
from quadrille.net.seating.lobby import AdvertisedPeer as Somebody
from quadrille.net.seating.lobby import Arrived, At, Departed, Dropped, Invited, SeatAwaited
from tests.client.evening import Party, barons, mute
from tests.net.tables import identity, terms

STRANGER: Final = identity(99).key
HOSTILE: Final = "Ann\x1b]0;owned\x07\nYour turn.\u202e"


def before_the_game(make: Callable[..., Party]) -> Party:
    """The room before a game, of three of whom two are there."""
    party = make(barons(3, clock=TimeControl(60_000, 1000)), 1, guests=1)
    table = next(iter(party.peer("p0").lobby.gatherings)) if party.peer("p0").lobby else b""
    party.types("p0", "who", "a1", "bot", "bot 2,2", "say hello", "kick", "kick p9", "invite", "invite p9", "yes")
    party.types("p0", "invite p2")
    party.types("p1", "who", "say hello", "kick p0")
    other = party.peer("p3").identity.key
    party.happens(
        "p0",
        At(table, TurnedDown(party.peer("p2").identity.key, "it plays already")),
        At(table, OfferChanged((party.peer("p2").identity.key,))),
        Invited(other, bytes(16), barons(2)),
        Invited(STRANGER, bytes(16), Terms("chess", (), 2)),
        Remark(other, 'p3 now goes by "p9"'),
        Departed(Somebody(other, "p3", "bot", ())),
        Arrived(Somebody(other, "p3", "bot", ())),
    )
    party.types("p0", "block p3", "kick p1", "start", "bot 2")
    party.opens("p3", barons(2))
    party.settle()
    party.write("p3 opens a table")
    party.types("p3", "quit")
    party.types("p0", "quit")
    return party


def a_game(make: Callable[..., Party]) -> Party:
    """A game with all kinds of refusals, to its end and a rematch."""
    party = make(barons())
    party.passes(3000)
    party.types("p0", "B2", "a1")
    party.types("p1", "b2", "mvoes", "moves", "moves c", "board", "seats", "help", "rules", "say", "say hello", "z9")
    party.types(
        "p0", "yes", "no", "drop", "wait", "flag", "back", "book", "rematch", "stand-in", "block p1", "invite x"
    )
    party.types("p1", "a1", "undo", "undo 9", "undo x", "save", "save log", "save log", "save no/where")
    party.types("p0", "no", "save log", "save! log", "resign")
    party.types("p1", "draw", "a2", "board", "seats", "rematch")
    party.types("p0", "rematch")
    party.passes(6000)
    party.types("p1", "c3")
    party.types("p0", "quit")
    return party


def what_all_agree_on(make: Callable[..., Party]) -> Party:
    """Proposals of three."""
    party = make(barons(3))
    party.passes(3000)
    party.types("p0", "a1")
    for word in ("draw", "pause", "takeback"):
        party.types("p0", word)
        party.types("p1", "pause" if word == "draw" else "draw", "yes")
        party.types("p2", "no")
    party.types("p1", "pause")
    party.types("p0", "yes")
    party.types("p2", "pause", "pause")
    party.types("p1", "b2")
    party.types("p0", "takeback 2")
    party.types("p1", "yes")
    party.types("p2", "yes")
    party.types("p0", "agree", "no", "draw")
    party.types("p1", "yes")
    party.types("p2", "yes")
    return party


def somebody_is_gone(make: Callable[..., Party]) -> Party:
    """The first of three is gone on its turn; a bot stands in, and the owner comes back to what was said."""
    party = make(barons(3, grace=2000))
    party.passes(3000)
    party.types("p0", "say hello")
    party.types("p1", "say welcome")
    party.crash("p0")
    party.types("p1", "drop")
    party.passes(8000)
    party.types("p1", "stand-in", "stand-in nobody", "wait", "wait", "seats")
    party.types("p1", "stand-in random")
    party.types("p2", "yes")
    party.types("p1", "seats", "back")
    party.start("p0")
    party.returns("p0")
    party.write("p0 is back")
    party.types("p0", "back", "seats")
    party.passes(3000)
    party.types("p1", "b2")
    party.passes(3000)
    party.types("p2", "quit")
    return party


def somebody_is_dropped(make: Callable[..., Party]) -> Party:
    """The first of three is gone on its turn, and is out of the game."""
    party = make(barons(3, grace=2000))
    party.passes(3000)
    party.crash("p0")
    party.passes(10_000)
    party.types("p1", "drop", "drop", "pause", "stand-in random")
    party.types("p2", "wait")
    party.passes(1000)
    party.types("p2", "drop", "no", "seats")
    party.types("p1", "drop")
    party.types("p2", "drop")
    party.start("p0")
    party.returns("p0")
    party.passes(3000)
    party.types("p0", "a1", "seats")
    return party


def two_and_one_is_gone(make: Callable[..., Party]) -> Party:
    """Of two, one is gone and comes back."""
    party = make(barons(2, grace=2000))
    party.passes(3000)
    party.crash("p0")
    party.passes(10_000)
    party.types("p1", "drop", "wait", "a1")
    party.start("p0")
    party.returns("p0")
    party.passes(6000)
    party.types("p0", "b2", "quit")
    return party


def a_bot_stands_in(make: Callable[..., Party]) -> Party:
    """A bot plays for who is gone, fails in the next turn there, and another one plays on."""
    party = make(barons(3, grace=2000))
    party.passes(3000)
    party.crash("p0")
    party.passes(8000)
    party.types("p1", "stand-in random", "stand-in 4")
    party.types("p2", "yes")
    for bot in party.deputies["p1"]:
        party.deputies["p1"][bot] = ""
    party.types("p1", "b2")
    party.types("p2", "c3")
    party.types("p1", "stand-in 2")
    return party


def clocks(make: Callable[..., Party]) -> Party:
    """A flag falls, and a seat that says nothing is flagged."""
    party = make(barons(3, clock=TimeControl(10_000, 0)))
    party.passes(3000)
    party.types("p0", "b2", "seats", "flag")
    with mute(party.peer("p1").identity.key):
        party.passes(16_000)
        party.types("p1", "flag")
        party.types("p0", "flag")
        party.types("p2", "yes")
    party.passes(13_000)
    return party


def cards(make: Callable[..., Party]) -> Party:
    """Hidden cards, and books at the end."""
    party = make(terms("dotter", 2, {"laps": 1}, lot=False, takebacks=False))
    party.passes(4000)
    for number in range(6):
        party.types(f"p{number % 2}", "draw")
    party.types("p0", "peek 1", "moves p", "book", "hint")
    party.types("p1", "resign")
    party.passes(3000)
    party.types("p0", "book")
    party.types("p1", "book")
    return party


def cards_dealt_anew(make: Callable[..., Party]) -> Party:
    """A seat is gone on its turn: a bot stands in, and the owner comes back. What was seen lies elsewhere each time."""
    party = make(terms("dotter", 3, {"laps": 1}, lot=False, takebacks=False, grace=2000))
    party.passes(6000)
    for number in range(6):
        party.types(f"p{number % 3}", "draw")
    party.types("p0", "peek p2 1a 1b")
    party.passes(1000)
    party.crash("p1")
    party.passes(8000)
    party.types("p0", "stand-in random")
    party.types("p2", "yes")
    party.passes(8000)
    party.start("p1")
    party.returns("p1")
    party.passes(5000)
    party.types("p1", "back")
    party.passes(5000)
    return party


def news_of_all_kinds(make: Callable[..., Party]) -> Party:
    """What others did wrong, said, wished; told before the first of three, with a fourth on the network."""
    party = make(barons(3), 1)
    party.passes(3000)
    first, second, third, fourth = (party.peer(f"p{number}").identity.key for number in range(4))
    lobby = party.peer("p0").lobby
    [(name, table)] = lobby.tables.items()
    at_table = (
        Blamed(second, "entry 1 is not a legal move"), Blamed(fourth, HOSTILE), Blamed(STRANGER, "why"),
        Convicted(third, "two entries", (b"one", b"two")), Convicted(third, "entry 1 leads elsewhere", (b"one",)),
        ChatLine(second, "hello"), ChatLine(second, HOSTILE), ChatLine(fourth, "who looks on"),
        ChatLine(first, "of mine"),
        Proposed(all_of("draw"), (1,)), Proposed(all_of("draw"), (1, 2)), Declined(all_of("draw"), third),
        Proposed(all_of("takeback", 3), (1, 2)), Declined(all_of("takeback", 3), second),
        Proposed(StandInMotion(1, fourth, HOSTILE[:20]), (2,)), Declined(StandInMotion(1, fourth, HOSTILE[:20]), third),
        Presence(1, False), Presence(1, True), Presence(2, False), Presence(2, False), Presence(2, True),
        Opened(0, 1), Opened(1, 1),
    )  # fmt: skip
    party.happens("p0", *(At(name, event) for event in at_table))
    party.happens(
        "p0",
        Remark(second, 'p1 (0000 0000) now goes by "p9"'),
        Dropped(second, "no msgpack"),
        Invited(fourth, bytes(16), barons()),
        Invited(second, bytes(16), barons()),
        SeatAwaited(second, table.log),
    )
    party.types("p0", "block p1", "block p9", "block p3")
    for number in range(40):
        party.hear("p0", At(name, ChatLine(third, f"line {number}")))
    party.write("a flood")
    party.passes(7000)
    for stopped in (Stopped(NOBODY, "its log is damaged"), Stopped(second, "two at 1"), Stopped(first, "two programs")):
        party.happens("p0", At(name, stopped))
    table.stopped = Stopped(second, "two at 1")
    party.passes(1000)
    return party


def looking_on(make: Callable[..., Party]) -> Party:
    """Somebody looks on, of whom the players hear."""
    party = make(barons(), 1)
    party.passes(3000)
    party.types("p0", "b2", "say hello")
    party.choose("p2")
    party.passes(4000)
    party.types(
        "p2", "moves", "a1", "resign", "draw", "rematch", "say well played", "seats", "book", "takeback", "wait"
    )
    party.types("p1", "a1")
    party.types("p0", "resign")
    party.types("p2", "rematch", "quit")
    return party


def between_two_games(make: Callable[..., Party]) -> Party:
    """Offers are declined, or answered by a move; a rematch comes about after all, and another one does not."""
    party = make(barons(), 1)
    party.passes(3000)
    party.types("p0", "invite p2")
    party.choose("p2")
    party.passes(4000)
    party.types("p0", "draw")
    party.types("p1", "no")
    party.types("p0", "draw", "draw")
    party.types("p1", "draw")
    party.types("p0", "a1")
    party.types("p1", "draw", "b2")
    party.opens("p1", barons(), b"another")
    party.types("p0", "c3")
    party.returns("p1")
    party.types("p1", "resign", "rematch")
    party.types("p0", "n", "rematch")
    party.passes(6000)
    party.types("p1", "resign")
    party.types("p0", "rematch")
    party.types("p1", "quit")
    return party


def choosing(make: Callable[..., Party]) -> Party:
    """Tables to choose from: none, several, one that is gone."""
    party = make(barons(3), 3, guests=0)
    party.choose("p4", "p1", sits=True)
    party.passes(7000)
    party.types("p4", "tables", "yes", "p9", "block p0")
    party.opens("p1", barons(2))
    party.passes(3000)
    party.opens("p2", barons(2))
    party.choose("p5", sits=True)
    party.passes(3000)
    party.types("p5", "tables", "9", "2")
    party.passes(3000)
    party.types("p5", "quit")
    party.types("p0", "quit")
    party.passes(1000)
    return party


STORIES: Final = {
    story.__name__.replace("_", "-"): story
    for story in (
        before_the_game, a_game, what_all_agree_on, somebody_is_gone, somebody_is_dropped,
        two_and_one_is_gone, a_bot_stands_in, clocks, cards, cards_dealt_anew, news_of_all_kinds, looking_on,
        between_two_games, choosing,
    )
}  # fmt: skip

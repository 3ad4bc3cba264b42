"""The door of a ticket: two wrong guesses use it up, and bad weather does not. docs/protocols/relay.md, "Tickets"."""

from quadrille.net.private_room.door import BANNED, INSIDE, REFUSAL, SPENT, Door, Spent
from quadrille.net.relay.ticket import GUESSES
from tests.net.doors import HIGH, KEY, LOW, MIDDLE, NOW, WRONG, Caller, curve, drawn, quiet, strangers


def ticket_door() -> Door:
    return Door(MIDDLE, KEY, bytes([1]) + MIDDLE.key[1:], draw=drawn(1), most_wrong=GUESSES)


def test_two_wrong_guesses_use_a_ticket_up() -> None:
    at = ticket_door()
    assert Caller(at, MIDDLE, LOW).come() == INSIDE
    for number, stranger in enumerate(strangers(GUESSES)):
        assert not any(isinstance(event, Spent) for event in at.events)
        assert Caller(quiet(at), MIDDLE, stranger, WRONG).come(NOW + number) == BANNED
    assert Spent(stranger.peer, ours=True) in at.events
    quiet(at)
    Caller(at, MIDDLE, HIGH).greet(NOW + 10)
    assert at.outgoing == [(HIGH.peer, bytes([REFUSAL, SPENT]))] and at.state(curve(HIGH), NOW + 10) == BANNED
    assert at.state(curve(LOW), NOW) == INSIDE
    at.gone(curve(LOW))
    assert Caller(quiet(at), MIDDLE, LOW).come(NOW + 20) == INSIDE, "a member comes back"


def test_a_stranger_that_waits_when_the_ticket_is_used_up_is_turned_away_at_once() -> None:
    at = ticket_door()
    waits = Caller(at, MIDDLE, HIGH).greet()
    for stranger in strangers(GUESSES):
        Caller(quiet(at), MIDDLE, stranger, WRONG).come()
    assert (HIGH.peer, bytes([REFUSAL, SPENT])) in at.outgoing
    assert at.state(curve(waits.one), NOW) != INSIDE


def test_runs_that_bad_weather_cuts_off_use_no_ticket_up() -> None:
    at = ticket_door()
    for stranger in strangers(2 * GUESSES):
        Caller(quiet(at), MIDDLE, stranger).greet().share()
        at.gone(curve(stranger))
    assert Caller(quiet(at), MIDDLE, HIGH).come() == INSIDE


def test_a_refusal_for_a_ticket_that_is_used_up_is_known_from_others() -> None:
    at = ticket_door()
    caller = Caller(at, MIDDLE, HIGH).greet()
    at.receive(curve(caller.one), bytes([REFUSAL, SPENT]), NOW)
    assert Spent(HIGH.peer, ours=False) in at.events and at.state(curve(HIGH), NOW) == BANNED

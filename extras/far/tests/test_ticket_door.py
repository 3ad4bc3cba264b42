"""The door of a ticket: no guess of strangers keeps out who has it. extras/far/docs/relay.md, "Tickets"."""

from quadrille.net.private_room.door import BANNED, INSIDE, MOST_WAITING, Admitted, Door
from quadrille.net.private_room.guesses import GUESSES
from tests.net.doors import HIGH, KEY, LOW, MIDDLE, NOW, WRONG, Caller, curve, drawn, quiet, strangers


def ticket_door() -> Door:
    return Door(MIDDLE, KEY, bytes([1]) + MIDDLE.key[1:], draw=drawn(1), is_guessable=False)


def test_no_wrong_guess_keeps_a_friend_with_the_ticket_out() -> None:
    at = ticket_door()
    for stranger in strangers(2 * GUESSES):
        assert Caller(quiet(at), stranger, WRONG).come() == BANNED
    assert Caller(quiet(at), HIGH).come() == INSIDE


def test_strangers_who_wait_at_the_door_of_a_ticket_keep_no_friend_out() -> None:
    at = ticket_door()
    for stranger in strangers(2 * MOST_WAITING):
        Caller(quiet(at), stranger).greet().share()
    assert Caller(quiet(at), HIGH).come() == INSIDE
    at.gone(curve(HIGH))
    assert Caller(quiet(at), LOW).come(NOW + 1) == Caller(quiet(at), HIGH).come(NOW + 2) == INSIDE
    assert [type(event) for event in at.events] == [Admitted]

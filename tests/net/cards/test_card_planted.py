"""The tests of attacks tested: each check of the deck is left out in turn, and an attack that passes then shows that
nothing but this check stopped it; or it is shown that two checks stop it, each alone.

What is left out is edited in the program's own source: a check that reads otherwise one day fails here first.
"""

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import pytest

from quadrille.net.cards import deck, proof_checker
from quadrille.net.cards.deck import Deck
from quadrille.net.game_log import dealing, ruling
from quadrille.rules.errors import RulesError
from tests.net.cards import refused, test_attack_deck, test_attacks

#: How a test of an attack fails.
MISSED: Final = (AssertionError, RulesError, pytest.fail.Exception)
#: A function of a module or a class, what is in its source, and what stands there instead.
Edit = tuple[Any, str, str, str]


def attack(name: str) -> Callable[[], None]:
    assert name in test_attacks.ATTACKS
    return lambda: test_attacks.test_an_attack_is_refused_and_the_seat_is_named(name)


def crooked(how: str) -> Callable[[], None]:
    return lambda: test_attack_deck.test_an_opening_shows_what_no_proof_should_have_let_through(how)


_NOT_THERE: Final = test_attack_deck.test_the_deck_begins_no_shuffle_of_what_is_not_there
_OUT_OF_TURN: Final = test_attack_deck.test_the_deck_takes_nothing_out_of_turn
PLANTED: Final[dict[str, tuple[Edit, Callable[[], None]]]] = {
    "proof of a key": (
        (Deck, "take_key", "not checker.knows(self.key_context(seat), key, proof)", "False"),
        attack("rogue key"),
    ),
    "a key is a point": ((Deck, "take_key", "point(checker.group, key)\n", "key\n"), attack("a key that is no point")),
    "distinct keys": ((Deck, "take_key", "key in self.keys.values()", "False"), attack("a key that two seats know")),
    "the sum of keys": (
        (
            Deck,
            "take_key",
            "joint=point(checker.group, _sum(checker.group, keys.values()))",
            "joint=_sum(checker.group, keys.values())",
        ),
        attack("a key of who knows all others, and makes the sum the identity"),
    ),
    "proof of a shuffle": (
        (
            Deck,
            "take_shuffle",
            "checker.shuffle_fault(self.shuffle_context(seat), self.joint, now.cards, cards, proof)",
            "None",
        ),
        attack("stacked deck"),
    ),
    "proof of a look": ((Deck, "take_look", "checker.knows(context, rest, proof)", "True"), attack("replayed look")),
    "how many proofs a look has": (
        (Deck, "take_look", "len(proofs) != 2 * len(points)", "False"),
        attack("a proof too few"),
    ),
    "how many points there are": ((deck, "_points", "len(data) != POINT * count", "False"), attack("a share too many")),
    "proof of a share": (
        (
            Deck,
            "take_share",
            "not checker.same(self.share_context(request.id, seat), self.keys[seat], request.points, shares, proof)",
            "False",
        ),
        attack("wrong share"),
    ),
    "the order of the seats": ((Deck, "is_due", "self.due != Due(seat, what)", "False"), _OUT_OF_TURN),
    "a card turned up is one": ((Deck, "open", "None in faces or ", ""), crooked("garbage")),
    "cards turned up are different": ((Deck, "open", "len(set(faces)) < len(faces) or ", ""), crooked("doubled")),
    "cards turned up are not up already": (
        (Deck, "open", " or not self.up.isdisjoint(faces)", ""),
        crooked("up already"),
    ),
    "the secret of who leaves": (
        (Deck, "check_secret", "self.keys.get(seat) != checker.group.base(x)", "False"),
        attack("wrong secret"),
    ),
    "a shuffle while something is owed": (
        (Deck, "begin", "self.due is not None or self.asked is not None", "False"),
        _NOT_THERE,
    ),
    "a shuffle of what is there": (
        (Deck, "begin", "not (self.up.issuperset(values) and self.cards.keys() >= set(old))", "False"),
        _NOT_THERE,
    ),
    "a slot for each card": (
        (Deck, "begin", "len(values) + len(old) != len(slots) or len(set(slots)) < len(slots)", "False"),
        _NOT_THERE,
    ),
    "one request at a time": ((Deck, "_ask", "self.due is not None or self.asked is not None", "False"), _NOT_THERE),
    "a request of what is there": ((Deck, "_ask", "not self.cards.keys() >= set(request.slots)", "False"), _NOT_THERE),
    "who writes an entry": (
        (ruling, "_check_turn", "turn is None or entry.author != standing.keys[turn]", "turn is None"),
        attack("another's look"),
    ),
    "what is owed": ((ruling, "_check_owed", "entry.kind != standing.owed", "False"), attack("unasked share")),
    "no time is stated": (
        (ruling, "_dealt", "standing.terms.clock is None", "False"),
        attack("time stated on a share"),
    ),
    "no secret where none is due": (
        (dealing, "check_leave", "elif secret:", "elif False:"),
        attack("a secret where none is due"),
    ),
    "a key's proof names the game": (
        (Deck, "key_context", "self.gid, ", ""),
        attack("key of another game"),
    ),
    "a key's proof names the epoch": (
        (Deck, "key_context", "decimal(self.epoch), ", ""),
        attack("proof for another epoch"),
    ),
    "a key's proof names the seat": ((Deck, "key_context", ", decimal(seat)", ""), attack("proof by another seat")),
    "a look's proof names the slot": (
        (Deck, "look_context", "decimal(slot), ", ""),
        attack("proof for another slot"),
    ),
    "a look's proof names the place and the seat": (
        (Deck, "look_context", "before, decimal(seat), ", ""),
        attack("another seat's look at the same cards"),
    ),
    "a share's proof names the request": (
        (Deck, "share_context", "self.gid, id, ", "self.gid, "),
        attack("share for a request of another name"),
    ),
}


@contextmanager
def planted(*edits: Edit) -> Iterator[None]:
    """The program with something else in its source; the honest games are played anew by it."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name, old, new in edits:
            patch.setattr(owner, name, edited(getattr(owner, name), old, new))
        if any(name.endswith("_context") for _, name, _, _ in edits):
            anew = cache(refused.game.__wrapped__)
            for module in (refused, test_attacks):
                patch.setattr(module, "game", anew)
        yield


def edited(function: Any, old: str, new: str) -> Any:
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(old) == 1, f"{function.__qualname__} has no {old!r} to leave out"
    made: dict[str, Any] = {}
    exec(source.replace(old, new), vars(sys.modules[function.__module__]), made)
    return made[function.__name__]


@pytest.mark.parametrize("name", PLANTED)
def test_a_check_that_is_left_out_is_missed(name: str) -> None:
    edit, test = PLANTED[name]
    test()
    with planted(edit), pytest.raises(MISSED):
        test()


def test_a_look_that_is_not_blinded_is_refused_twice() -> None:
    """By the deck, and by the proof of a number that everybody knows: only without both it passes."""
    test = attack("unblinded")
    by_deck: Edit = (Deck, "take_look", "group.is_point(rest) and ", "")
    by_proof: Edit = (proof_checker, "check_known", " or not group.is_point(X)", "")
    for edit in (by_deck, by_proof):
        with planted(edit):
            test()
    with planted(by_deck, by_proof), pytest.raises(pytest.fail.Exception):
        test()

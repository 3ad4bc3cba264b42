"""The shuffle: whoever permutes and blinds convinces everybody, whoever does anything else nobody; its fairness."""

import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

import pytest

from quadrille.net.cards import group, shuffle
from quadrille.net.cards.deck import Deck, new_deck
from quadrille.net.cards.draws import Draws
from quadrille.net.cards.group import (
    BASE,
    CARDS,
    ORDER,
    card_points,
    hashed_scalar,
    scalar_bytes,
    spare,
    spares,
    two_bytes,
)
from quadrille.net.cards.seat_secrets import SeatSecrets
from quadrille.net.cards.shuffle import Card, check_shuffle, prove_shuffle, read_cards
from quadrille.net.core.hashing import hashed, short
from tests.net.cards.by_hand import faces_by

# A shuffler who may cheat, written from the equations alone: it shares nothing with net/cards/shuffle.py but the hash.
# It commits to any matrix, a row for each place of the deck after. With a permutation's it is honest; each way to cheat
# violates one equation and keeps all others, which shows that the verifier needs every one of them.

Matrix = Sequence[Sequence[int]]

THIRD: Final = pow(3, -1, ORDER)
HALF: Final = pow(2, -1, ORDER)


@dataclass(frozen=True, slots=True)
class Cheat:
    """Matrices are those of the first two places, after which the deck goes on unchanged (or turned round).

    `weighs` is what the answers and the chain are about, `gives` what makes the deck after, `commits` what is committed
    to; `shift` is added to the last card; with `lie` the last link is what the end of the chain should be; with `cross`
    the first two links are wrong by as much, one too large and one too small.
    """

    weighs: Matrix = ((1, 0), (0, 1))
    gives: Matrix = ((1, 0), (0, 1))
    commits: Matrix | None = None
    shift: tuple[int, int] = (0, 0)
    lie: bool = False
    cross: bool = False


_SWAPPED: Final = ((0, 1), (1, 0))
_BLENDED: Final = Cheat(((2, -1), (-1, 2)), ((2 * THIRD, THIRD), (THIRD, 2 * THIRD)))
#: Each by the one equation that it violates.
CHEATS: Final = {
    "tw1": Cheat(((2, 0), (0, HALF)), ((HALF, 0), (0, 2))),
    "tw2": _BLENDED,
    "tw3": Cheat(commits=_SWAPPED),
    "tw4a": Cheat(shift=(1, 0)),
    "tw4b": Cheat(shift=(0, 1)),
    "tw5": Cheat(_BLENDED.weighs, _BLENDED.gives, lie=True),
}


def whole(corner: Matrix, count: int) -> list[list[int]]:
    """A matrix with this corner, and ones on the diagonal of the rest."""
    return [
        [corner[i][k] if i < 2 and k < 2 else int(i == k) for k in range(count)] for i in range(count)
    ]  # fmt: skip


def shuffled(context: bytes, joint: bytes, before: Sequence[Card], draws: Draws, cheat: Cheat) -> tuple[bytes, bytes]:
    """The deck after, and a proof that holds as far as it can."""
    count = len(before)
    n = range(count)
    weighs, gives = whole(cheat.weighs, count), whole(cheat.gives, count)
    commits = weighs if cheat.commits is None else whole(cheat.commits, count)
    h, generators = spare(), spares()[:count]

    def numbers() -> list[int]:
        return [draws.scalar() for _ in n]

    e, r, rh, wh, w_ = numbers(), numbers(), numbers(), numbers(), numbers()
    w1, w2, w3, w4 = (draws.scalar() for _ in range(4))

    def after(i: int) -> Card:
        shift = cheat.shift if i == count - 1 else (0, 0)
        a, b = (
            group.total((*gives[i], e[i], shift[side]), (*(card[side] for card in before), base, BASE))
            for side, base in enumerate((BASE, joint))
        )
        return a, b

    deck = [after(i) for i in n]
    c = [group.total((r[k], *(commits[i][k] for i in n)), (BASE, *generators)) for k in n]
    statement = [context, joint, *(p for card in before for p in card), *(p for card in deck for p in card), *c]
    seed = hashed("tw/u", *statement)
    u = [hashed_scalar("tw/ui", seed, two_bytes(k)) >> 125 for k in n]
    up = [sum(x * y for x, y in zip(weighs[i], u, strict=True)) % ORDER for i in n]

    ch: list[bytes] = []
    logarithm, product = 0, 1
    for i in n:
        logarithm = (rh[i] + up[i] * logarithm) % ORDER
        product = product * (u[i] if cheat.lie else 1) % ORDER
        link = group.total((rh[i], up[i]), (BASE, ch[-1] if ch else h))
        if cheat.lie and i == count - 1:
            link = group.total((logarithm, product), (BASE, h))
        ch.append(link)
    crossed = (1, ORDER - 1) if cheat.cross else (0, 0)
    th = [group.total((wh[i] + (crossed[i] if i < 2 else 0), w_[i]), (BASE, ch[i - 1] if i else h)) for i in n]
    t = [
        group.base(w1),
        group.base(w2),
        group.total((w3, *w_), (BASE, *generators)),
        *(group.total((-w4, *w_), (base, *(card[side] for card in deck))) for side, base in enumerate((BASE, joint))),
    ]
    challenge = hashed_scalar("tw/c", *statement, *ch, *t, *th)
    answers = [
        w1 + challenge * sum(r),
        w2 + challenge * logarithm,
        w3 + challenge * sum(x * y for x, y in zip(r, u, strict=True)),
        w4 + challenge * sum(x * y for x, y in zip(e, up, strict=True)),
        *(w + challenge * x for w, x in zip(wh, rh, strict=True)),
        *(w + challenge * x for w, x in zip(w_, up, strict=True)),
    ]
    points = [*c, *ch, *th, *t]
    return b"".join(p for card in deck for p in card), b"".join((*points, *map(scalar_bytes, answers)))


CONTEXT = b"this shuffle"
FEW = 6
#: A joint key, and the secret that would open every card.
SECRET = 123456789123456789
JOINT = group.base(SECRET)


def fresh_deck(count: int = FEW) -> list[Card]:
    """The first cards, as they are before the first shuffle."""
    return [(BASE, group.plus(point, JOINT)) for point in card_points()[:count]]


def draws(name: bytes = b"") -> Draws:
    return Draws(bytes(32), b"a table's name..", "shuf", name)


def proved(count: int = FEW) -> tuple[Sequence[Card], bytes, bytes]:
    """A deck that was shuffled before, and a shuffle of it."""
    before = read_cards(prove_shuffle(b"the one before", JOINT, fresh_deck(count), draws(b"1"))[0], count)
    return before, *prove_shuffle(CONTEXT, JOINT, before, draws(b"2"))


def opened(cards: Sequence[Card]) -> list[bytes]:
    """The points of the cards."""
    return [group.minus(b, group.times(SECRET, a)) for a, b in cards]


@pytest.mark.parametrize("count", [1, 2, 3, 10])
def test_a_shuffle_keeps_the_cards_and_convinces(count: int) -> None:
    before, o, f = proved(count)
    assert check_shuffle(CONTEXT, JOINT, before, o, f) is None
    after = read_cards(o, count)
    assert {*opened(before)} == {*card_points()[:count]}
    assert len({point for card in (*before, *after) for point in card}) == 4 * count
    assert opened(after) == [opened(before)[j] for j in draws(b"2").with_(CONTEXT).permutation(count)]


def forged(cheat: Cheat) -> tuple[Sequence[Card], bytes, bytes]:
    before = proved()[0]
    return before, *shuffled(CONTEXT, JOINT, before, draws(), cheat)


@pytest.mark.parametrize("name", CHEATS)
def test_each_cheat_is_refused_by_its_equation_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And a verifier without that equation accepts it: none of them may be left out."""
    before, o, f = forged(CHEATS[name])
    are_the_same = sorted(opened(before)) == sorted(opened(read_cards(o, FEW)))
    assert are_the_same == (name == "tw3")
    fault = check_shuffle(CONTEXT, JOINT, before, o, f)
    assert fault is not None and fault.startswith(f"{name}: ")
    equations = shuffle._equations

    def rest(*claim: Any) -> Any:
        return [equation for equation in equations(*claim) if equation[0] != name]

    monkeypatch.setattr(shuffle, "_equations", rest)
    assert check_shuffle(CONTEXT, JOINT, before, o, f) is None


def test_wrong_links_that_cancel_out_are_refused() -> None:
    """What the weights of tw5 are for: all links are checked in one sum."""
    before, o, f = forged(Cheat(cross=True))
    fault = check_shuffle(CONTEXT, JOINT, before, o, f)
    assert fault is not None and fault.startswith("tw5: ")


def test_there_is_a_cheat_for_each_equation() -> None:
    assert list(shuffle.FAULTS) == sorted(CHEATS)


def test_stacked_marked_and_doubled_decks_are_refused() -> None:
    before, o, f = proved()
    cards = read_cards(o, FEW)
    stacked = fresh_deck()
    for wrong in (
        stacked,
        [cards[1], cards[0], *cards[2:]],
        [cards[0], cards[0], *cards[2:]],
        [(cards[0][1], cards[0][0]), *cards[1:]],
        [(group.plus(cards[0][0], BASE), cards[0][1]), *cards[1:]],
        before,
    ):
        data = b"".join(point for card in wrong for point in card)
        assert check_shuffle(CONTEXT, JOINT, before, data, f) is not None
    assert check_shuffle(b"another", JOINT, before, o, f) is not None
    assert check_shuffle(CONTEXT, group.base(2), before, o, f) is not None
    assert check_shuffle(CONTEXT, JOINT, before[::-1], o, f) is not None


def test_lengths_come_before_arithmetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """64 KiB of anything must cost a peer nothing."""
    before, o, f = proved()

    def touched(data: bytes) -> bool:
        raise AssertionError("a point was looked at")

    monkeypatch.setattr(group, "is_point", touched, raising=True)
    assert check_shuffle(CONTEXT, JOINT, before, bytes(65536), f) is not None
    assert check_shuffle(CONTEXT, JOINT, before, o, bytes(65536)) is not None


@pytest.mark.parametrize("in_worker", [True, False])
def test_another_thread_goes_on_beside_a_worker_that_proves_and_not_beside_the_main_thread(in_worker: bool) -> None:
    """A lock that is not released is kept to the end here: no key waits for a proof, and no proof for a bot."""
    begun, done, turns = threading.Event(), threading.Event(), list[int]()

    def proves() -> None:
        begun.set()
        for _ in range(2000 if in_worker else 1):  # 2 ms each: a busy machine wakes the other thread later than that
            group.total(range(2, 42), card_points()[:40])
            if len(turns) > 10:
                break
        done.set()

    def goes_on() -> None:
        begun.wait()
        while not done.is_set():
            turns.append(1)
            time.sleep(0)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        worker = threading.Thread(target=proves if in_worker else goes_on)
        worker.start()
        (goes_on if in_worker else proves)()
        worker.join()
    finally:
        sys.setswitchinterval(before)
    assert (len(turns) > 10) is in_worker


# One honest seat is enough: whatever order the others lay the cards in, every card comes to every place as often. Deals
# are on numbers for points (stub.py); the honest seat shuffles by its real program, the others hand on the cards in the
# order they came in, under other blinds. The seeds are fixed, and so is the outcome.

SEATS: Final = 3
#: How far from what is expected, in standard deviations: a fair shuffle is once in 30,000 outcomes.
FAR: Final = 4


def dealt(name: bytes, honest: int) -> list[int]:
    """The cards in their places after one deal, in which that seat alone shuffles."""
    gid = short("deal", name)[:16]
    all_secrets = [SeatSecrets(gid, seat, short("seat", bytes([seat]))) for seat in range(SEATS)]
    deck = new_deck(gid, CARDS, tuple(range(SEATS)))
    for own in all_secrets:
        deck = deck.take(*own.answer(deck, b""), believes=True)
    deck = deck.begin("pile", range(CARDS), range(CARDS))
    for seat, own in enumerate(all_secrets):
        said = own.answer(deck, b"") if seat == honest else (handed_on(deck, 1 + seat), b"")
        deck = deck.take(*said, believes=True)
    faces = faces_by(deck, [own.secret(0) for own in all_secrets])
    return [faces[slot] for slot in range(CARDS)]


def handed_on(deck: Deck, blind: int) -> bytes:
    """All cards in the order they came in."""
    G, H = group.base(blind), group.times(blind, deck.joint)  # noqa: N806
    return b"".join(group.plus(a, G) + group.plus(b, H) for a, b in deck.shuffling.cards)


def places(deals: list[list[int]]) -> float:
    """How often each card came to each place: chi-square, in standard deviations.

    Each row and each column of the table has as many in it as there were deals.
    """
    counts = [[0] * CARDS for _ in range(CARDS)]
    for cards in deals:
        for place, value in enumerate(cards):
            counts[value][place] += 1
    expected, freedom = len(deals) / CARDS, (CARDS - 1) ** 2
    assert expected >= 5, "too few deals to say anything"
    chi = sum((count - expected) ** 2 for row in counts for count in row) / expected
    return (chi - freedom) / sqrt(2 * freedom)


@pytest.mark.slow
@pytest.mark.usefixtures("numbers")
def test_one_honest_seat_shuffles_for_all() -> None:
    """The honest seat is the first, the next, the last in turn."""
    deals = [dealt(str(number).encode(), number % SEATS) for number in range(300)]
    assert all(sorted(cards) == list(range(CARDS)) for cards in deals)
    assert abs(places(deals)) < FAR


@pytest.mark.usefixtures("numbers")
def test_without_an_honest_seat_nothing_is_shuffled() -> None:
    assert dealt(b"", SEATS) == list(range(CARDS))

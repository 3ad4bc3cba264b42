"""Tickets: words come back as they were, and a slip is named. See extras/far/docs/relay.md, "Tickets"."""

import ipaddress
import itertools
from random import Random

import pytest

from quadrille.extras.far.ticket import MOST_PLACES, MeetingPlace, Ticket, checks, is_right, is_ticket, new_ticket, read
from quadrille.extras.far.words import WORDS
from quadrille.net.core.errors import LocalError


def place(text: str, port: int = 4696) -> MeetingPlace:
    return MeetingPlace(ipaddress.ip_address(text), port)


#: The example of the protocol's chapter.
EXAMPLE = Ticket((place("203.0.113.7"),), 0x0123456789ABCDE)
KINDS = (
    (place("203.0.113.7"),),
    (place("198.51.100.255", 65535),),
    (place("2001:db8::7"),),
    (place("203.0.113.7"), place("198.51.100.2", 1), place("2001:db8::7", 9), place("10.0.0.1")),
)


def refusal(words: list[str]) -> str:
    with pytest.raises(LocalError) as caught:
        read(words)
    return str(caught.value)


@pytest.mark.parametrize("places", KINDS)
def test_a_ticket_is_read_as_it_was_written(places: tuple[MeetingPlace, ...]) -> None:
    random = Random(len(places))
    for _ in range(20):
        ticket = new_ticket(places, random.getrandbits)
        assert read(ticket.words) == read([ticket.text]) == read([" ".join(ticket.words).upper()]) == ticket


def test_one_relay_makes_a_ticket_of_a_dozen_words() -> None:
    assert len(EXAMPLE.words) == 12
    assert EXAMPLE.keys == read([EXAMPLE.text]).keys
    assert EXAMPLE.keys.number != new_ticket(EXAMPLE.places, lambda _: 1).keys.number
    assert EXAMPLE.keys.room_at(place("203.0.113.7")) != EXAMPLE.keys.room_at(place("203.0.113.7", 1))


def test_a_wrong_word_of_the_list_is_named_with_the_right_one() -> None:
    random = Random(1)
    for number in range(len(EXAMPLE.words)):
        words = list(EXAMPLE.words)
        right = words[number]
        words[number] = random.choice([word for word in WORDS if word != right])
        said = refusal(words)
        assert f'word {number + 1} of the ticket, "{words[number]}", is wrong' in said and f'"{right}"' in said


def test_a_word_that_no_ticket_has_is_named_with_the_nearest() -> None:
    words = list(EXAMPLE.words)
    right = words[3]
    words[3] = right[0] + "z" + right[1:]
    said = refusal(words)
    assert f'word 4 of the ticket, "{words[3]}", is none that tickets have' in said and f'"{right}"' in said


@pytest.mark.parametrize("number", [0, 5, 10])
def test_exchanged_missing_and_added_words_are_named(number: int) -> None:
    words = list(EXAMPLE.words)
    swapped = [*words[:number], words[number + 1], words[number], *words[number + 2 :]]
    if words[number] != words[number + 1]:
        assert f"words {number + 1} and {number + 2} of the ticket" in refusal(swapped)
    assert "is missing" in refusal([*words[:number], *words[number + 1 :]])
    assert "one too many" in refusal([*words[:number], WORDS[900 + number], *words[number:]])


@pytest.mark.slow
def test_any_words_are_a_ticket_or_a_named_refusal() -> None:
    random = Random(7)
    read_well, refused = 0, list[str]()
    for _ in range(120):
        numbers = [random.randrange(1024) for _ in range(random.randrange(40))]
        if numbers and random.random() < 0.8:
            numbers[0] = 1 << 6 | numbers[0] & 63
        words = [WORDS[number] for number in ([*numbers, *checks(numbers)] if random.random() < 0.97 else numbers)]
        try:
            ticket = read(words)
        except LocalError as error:
            refused.append(str(error))
        else:
            read_well += 1
            assert read(ticket.words) == ticket
    assert read_well and all(10 < len(why) < 300 for why in refused)


def test_a_ticket_of_another_version_says_which_program_is_older() -> None:
    numbers = [WORDS.index(word) for word in EXAMPLE.words]
    numbers[0] = 2 << 6 | numbers[0] & 63
    said = refusal([WORDS[number] for number in (*numbers[:-2], *checks(numbers[:-2]))])
    assert "this ticket is of version 2" in said and "this program is older" in said


@pytest.mark.parametrize(
    "bits", ["01" + "1110" + "0" * 28, "01" + "0" * 32, "10" + "0" * 7 + "1" * 25 + "0" * 16, "00"]
)
def test_words_that_lead_nowhere_are_refused(bits: str) -> None:
    whole = "0001" + "0" * 60 + bits + "00"
    whole += "0" * (-len(whole) % 10)
    numbers = [int("".join(ten), 2) for ten in zip(*[iter(whole)] * 10, strict=True)]
    assert "sk for a new one" in refusal([WORDS[number] for number in (*numbers, *checks(numbers))])


def test_no_words_are_no_ticket() -> None:
    for words in ([], ["amber"], ["-"], ["amber"] * 100, ["Ann"], ["192.168.1.5:49200"]):
        assert refusal(words)
        assert not is_ticket(words) or len(words) == 100
    assert is_ticket(EXAMPLE.words) and is_ticket([EXAMPLE.text])
    assert is_ticket([*EXAMPLE.words[:4], "tigre", *EXAMPLE.words[5:]])


def test_a_ticket_has_a_place_and_not_too_many() -> None:
    with pytest.raises(LocalError, match="--relay HOST"):
        new_ticket(())
    with pytest.raises(LocalError, match="too long to say"):
        new_ticket([place("10.0.0.1")] * (MOST_PLACES + 1))


def slips(word: str) -> set[str]:
    """Everything one slip of a pen or a keyboard away from a word, with a dot for any letter."""
    cut = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    return {
        *(left + "." + right for left, right in cut),
        *(left + "." + right[1:] for left, right in cut if right),
        *(left + right[1:] for left, right in cut if right),
        *(left + right[1] + right[0] + right[2:] for left, right in cut if len(right) > 1),
    }


def test_the_words_are_distinct() -> None:
    assert len(WORDS) == len(set(WORDS)) == 1024 and list(WORDS) == sorted(WORDS)
    assert all(word.isascii() and word.islower() and word.isalpha() and 3 <= len(word) <= 8 for word in WORDS)
    assert not [(one, other) for one, other in itertools.pairwise(WORDS) if other.startswith(one)]
    known = set(WORDS)
    patterns: dict[str, str] = {}
    for word in WORDS:
        for slip in slips(word):
            assert slip not in known - {word}, (word, slip)
            if slip.count(".") == 1 and len(slip) == len(word):  # one letter typed wrong
                assert patterns.setdefault(slip, word) == word


def test_the_check_words_notice_every_single_mistake() -> None:
    random = Random(3)
    for size in (1, 2, 10, 32, 78):
        row = [random.randrange(1024) for _ in range(size)]
        right = [*row, *checks(row)]
        assert is_right(right)
        for at in range(len(right)):
            wrong = [*right]
            wrong[at] ^= random.randrange(1, 1024)
            assert not is_right(wrong)

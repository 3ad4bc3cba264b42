"""Whom we know: names pinned to keys, changes and namesakes shown, and what `quadrille who --known` does; what is shown
of any name, and which of them look alike.
"""

import itertools
import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quadrille.net.core.errors import LocalError
from quadrille.net.trust import known
from quadrille.net.trust.identity import Identity, fingerprint, peer_of
from quadrille.net.trust.lookalikes import LOOKS
from quadrille.net.trust.names import LONGEST_NAME, NAMELESS, are_alike, looks, plain_name
from quadrille.net.trust.store import Store
from quadrille.rules.squares import is_line
from tests.net.test_store import OWNER

ANN, BOB, CAT = (Identity(bytes([number]) * 32).key for number in (1, 2, 3))
DAY = 24 * 60 * 60 * 1000


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path, OWNER) as opened:
        yield opened


def met(store: Store, key: bytes, name: str, now: int = 1000) -> tuple[str, ...]:
    return known.meet(store, key, name, now)


class TestNames:
    def test_a_name_is_pinned_to_a_key_on_first_use(self, store: Store) -> None:
        assert met(store, ANN, "Ann", 1000) == ()
        assert known.peers(store) == [known.Known(ANN, "Ann", "Ann", None, 1000, 1000, blocked=False)]
        assert met(store, ANN, "Ann", 9000) == ()

    def test_a_change_of_name_is_shown_once(self, store: Store) -> None:
        met(store, ANN, "Ann")
        assert met(store, ANN, "Anna") == ('Ann (ccf7 7c94 730e 0988) now goes by "Anna"',)
        assert met(store, ANN, "Anna") == ()
        there = known.peer(store, ANN)
        assert there is not None and (there.name, there.first_name) == ("Anna", "Ann")

    def test_another_key_under_a_known_name_is_shown_each_time(self, store: Store) -> None:
        met(store, ANN, "Ann")
        for _ in range(2):
            assert met(store, BOB, "Ann") == (
                'this "Ann" (9012 05fc 2487 6613) is not Ann (ccf7 7c94 730e 0988), whom you know',
            )

    def test_names_that_somebody_had_once_or_that_we_gave_count(self, store: Store) -> None:
        met(store, ANN, "Ann")
        met(store, ANN, "Queen of Spades")
        known.rename(store, ANN, "Sister")
        for name in ("Ann", "queen of  spades", "sister"):
            assert "is not Sister (ccf7 7c94 730e 0988)" in met(store, BOB, name)[-1]

    def test_the_nameless_and_televisions_are_nobodys_namesakes(self, store: Store) -> None:
        tv = "a screen"
        assert met(store, ANN, "") == met(store, BOB, "") == met(store, CAT, tv) == met(store, bytes(32), tv) == ()

    def test_when_somebody_was_seen_is_noted_now_and_then(self, store: Store) -> None:
        def seen(now: int) -> int:
            met(store, ANN, "Ann", now)
            return known.peers(store)[0].seen

        assert [seen(DAY), seen(DAY + 59_999), seen(DAY + 60_000)] == [DAY, DAY, DAY + 60_000]
        assert seen(DAY) == DAY, "a clock that was set back"
        there = known.peer(store, ANN)
        assert there is not None and there.since == DAY


class TestStrangers:
    def test_a_million_keys_push_out_nobody_who_matters(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(known, "MOST_STRANGERS", 10)
        met(store, ANN, "Ann")
        met(store, BOB, "Bob")
        met(store, CAT, "Cat")
        met(store, CAT, "Cat", DAY)  # known for a day, without a nickname
        known.rename(store, ANN, "Sister")
        known.block(store, BOB)
        for number in range(50):
            met(store, bytes([number]) * 32, "Ann", 2 * DAY + number)
        left = {peer.key for peer in known.peers(store)}
        assert {ANN, BOB, CAT} <= left and 2 + 8 < len(left) <= 2 + 10
        assert bytes([49]) * 32 in left and bytes([40]) * 32 not in left
        assert store.rows("SELECT count(*) FROM names WHERE key NOT IN (SELECT key FROM peers)") == [(0,)]

    def test_the_one_who_comes_is_kept_even_when_the_clock_was_set_back(
        self, store: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(known, "MOST_STRANGERS", 3)
        for number in range(5):
            met(store, bytes([number]) * 32, "x", DAY)
        met(store, ANN, "Ann", 1)
        assert ANN in [one.key for one in known.peers(store)] and len(known.peers(store)) <= 3


class TestCommands:
    @pytest.fixture(autouse=True)
    def some(self, store: Store) -> None:
        met(store, ANN, "Ann", 1000)
        met(store, BOB, "Bob", 3000)
        met(store, CAT, "Cat", 2000)

    def test_the_list(self, store: Store) -> None:
        assert list(map(str, known.peers(store))) == [
            "Bob (9012 05fc 2487 6613)",
            f"Cat ({fingerprint(CAT)})",
            "Ann (ccf7 7c94 730e 0988)",
        ]
        known.rename(store, ANN, "Sister")
        assert str(known.peers(store)[0]) == "Sister (ccf7 7c94 730e 0988)"
        assert (plain := known.peers(store)[0].plain())["blocked"] is False
        assert json.loads(json.dumps(plain)) == {
            "key": ANN.hex(), "peer": "ccf77c94730e0988a300194c0f423579", "fingerprint": "ccf7 7c94 730e 0988",
            "name": "Ann", "first_name": "Ann", "nickname": "Sister", "blocked": False, "since": 1000, "seen": 1000,
        }  # fmt: skip

    @pytest.mark.parametrize(
        "text", ["Ann", " ANN ", "ccf7 7c94 730e 0988", "CCF77C94", "ccf7 7c94", ANN.hex()[:8], ANN.hex()]
    )
    def test_somebody_is_found_by_name_and_digits(self, store: Store, text: str) -> None:
        assert known.find(store, text).key == ANN

    def test_a_nickname_goes_before_digits_and_those_before_a_name(self, store: Store) -> None:
        met(store, BOB, "ccf7 7c94 730e 0988")
        assert known.find(store, "ccf7 7c94 730e 0988").key == ANN
        known.rename(store, CAT, "ccf7 7c94 730e 0988")
        assert known.find(store, "ccf7 7c94 730e 0988").key == CAT
        met(store, ANN, "Bobby")
        known.rename(store, BOB, "Bobby")
        assert known.find(store, "bobby").key == BOB

    def test_an_old_name_will_do_where_nobody_else_has_it(self, store: Store) -> None:
        met(store, ANN, "Queen")
        assert known.find(store, "ann").key == known.find(store, "queen").key == ANN

    def test_several_of_a_name(self, store: Store) -> None:
        met(store, BOB, "Ann")
        with pytest.raises(LocalError, match='"Ann" could be any of') as caught:
            known.find(store, "Ann")
        assert "Ann (ccf7 7c94 730e 0988)" in str(caught.value) and "Ann (9012 05fc 2487 6613)" in str(caught.value)

    @pytest.mark.parametrize("text", ["", "ccf", "ccf7", "ccf7 7c", "ccf77c95", "%", "' OR 1", "\ud800"])
    def test_nobody_of_a_name(self, store: Store, text: str) -> None:
        with pytest.raises(LocalError, match="you know nobody by"):
            known.find(store, text)

    def test_nearly_somebody(self, store: Store) -> None:
        met(store, ANN, "Johanna")
        with pytest.raises(LocalError, match='did you mean "Johanna"'):
            known.find(store, "johana")

    def test_a_nickname_is_given_and_taken_back(self, store: Store) -> None:
        assert str(known.rename(store, ANN, "  my   sister ")) == "my sister (ccf7 7c94 730e 0988)"
        assert known.find(store, "My sister").key == ANN
        assert known.rename(store, ANN, "").nickname is None
        with pytest.raises(LocalError, match="you know nobody by"):
            known.find(store, "My sister")

    @pytest.mark.parametrize("nickname", ["x" * 41, "a\x07b", "a\u202eb"])
    def test_what_is_no_nickname(self, store: Store, nickname: str) -> None:
        with pytest.raises(LocalError, match="can't be a nickname: use at most 40 visible characters"):
            known.rename(store, ANN, nickname)
        assert str(known.peer(store, ANN)) == "Ann (ccf7 7c94 730e 0988)"

    def test_no_two_have_one_nickname(self, store: Store) -> None:
        known.rename(store, ANN, "Sister")
        with pytest.raises(LocalError, match=r"you call Sister \(ccf7 7c94 730e 0988\) so already"):
            known.rename(store, BOB, "SISTER")
        known.rename(store, ANN, "SISTER")
        known.rename(store, BOB, "Ann")  # the name of another is no nickname of ours

    def test_block_and_unblock(self, store: Store, tmp_path: Path) -> None:
        assert not known.is_blocked(store, ANN)
        assert known.block(store, ANN).blocked and known.is_blocked(store, ANN) and not known.is_blocked(store, BOB)
        met(store, ANN, "Somebody else")
        assert known.is_blocked(store, ANN)
        with Store(tmp_path, OWNER, alone=False) as other:
            assert not known.block(other, ANN, blocked=False).blocked
        assert not known.is_blocked(store, ANN)

    def test_nobody_can_be_named_or_blocked_before_they_were_met(self, store: Store) -> None:
        stranger = bytes(32)
        for act in (known.block, lambda store, key: known.rename(store, key, "X")):
            with pytest.raises(LocalError, match="you never met the holder of the key"):
                act(store, stranger)
        assert known.peer(store, stranger) is None and not known.is_blocked(store, stranger)

    def test_a_key_is_trusted_by_a_nickname_or_by_its_digits_and_never_by_a_claimed_name(self, store: Store) -> None:
        assert known.find(store, "Ann").key == ANN  # as somebody to look at
        for claimed in ("Ann", "ANN", fingerprint(ANN)[:-1], ANN.hex()[:15]):
            with pytest.raises(LocalError, match="anybody can claim a name: write 16 digits of the key or more"):
                known.called(store, claimed)
        known.rename(store, ANN, "Sister")
        met(store, BOB, "Sister")
        for meant in ("sister", fingerprint(ANN), ANN.hex()[:16], peer_of(ANN).hex()[:20], ANN.hex().upper()):
            assert known.called(store, meant) == ANN
        assert known.called(store, "5a" * 32) == b"\x5a" * 32  # a whole key needs not have been met


# Which names look alike, and what is shown of them

#: What has no ink: fillers and blank letters, joiners, variation selectors, marks of Khmer and Mongolian.
INKLESS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u200b\u2800\u3164\ufe0f\uffa0\U000e0100"
#: Names as a stranger may write them.
LOOKALIKES = [
    ("Ann", "A n n", "A\u0301nn", "\u0410nn", "\u0391nn", "\uff21nn", "\U0001d400nn"),
    ("Ann", *(f"A{letter}nn" for letter in INKLESS)),
    ("Alice", "AIice", "A1ice", "A|ice", "Al\u0456ce"),
    ("Ivan", "1van", "lvan"),
    ("Bob", "B0b", "B\u0585b", "BOB"),
    ("coco", "\u0441\u043e\u0441\u043e"),
    ("HOPE", "\u041d\u041e\u0420\u0415", "\u0397\u039f\u03a1\u0395"),
    ("Marnie", "Mamie"),
    ("Owen", "Ovven"),
    ("Tom 3", "Tom \u0663"),
    ("Ted", "T\u0435\u0501"),
    ("Zo\u00eb", "Zoe"),
    ("Lukas", "\u0141ukas", "L\u0335ukas"),
    ("Bot: 2", "Bot\u2236 2", "Bot\ua789 2", "Bot\u02d0 2", "Bot\u205a2"),
    ('V, "J" (1 of O\'A)', "V\u201a \u201cJ\u201d \u27681 of O\ua78cA\u2769", "V, \u2033J'' (1 of O\u201bA)"),
    ("\u05e9\u05dc\u05d5\u05dd", "\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd"),
    ("\u0639\u0644\u06cc\u0631\u0636\u0627", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"),
    ("\U0001f468\U0001f467", "\U0001f468\u200d\U0001f467"),
]


@pytest.mark.parametrize("names", LOOKALIKES, ids=lambda names: ascii(names[0]))
def test_a_name_that_looks_like_a_known_one_is_told_of(tmp_path: Path, names: tuple[str, ...]) -> None:
    name, *others = names
    with Store(tmp_path, OWNER) as store:
        known.meet(store, ANN, name, 1)
        known.rename(store, ANN, name)
        for other in others:
            assert "whom you know" in known.meet(store, BOB, other, 2)[-1], ascii(other)
            if plain_name(other) == other:
                with pytest.raises(known.LocalError, match="you call "):
                    known.rename(store, BOB, other)


@pytest.mark.parametrize(
    "pair", ["Ann Anna", "Al Ai", "Bob Rob", "張三 李四", "Bot2 Bot3", "สวั สวิ", "กุ กู", "タロ ダロ", "Оля Юля"]
)
def test_names_that_look_different_are_different(pair: str) -> None:
    assert not are_alike(*pair.split())


@pytest.mark.parametrize(
    "names",
    [
        "Ann|ann 2|O'Brien-Smith|C++|bot.c|Vic (level 2 of Ann)|Vic (level 2 of Дора)|mybot of דנה",
        "Zoë|João|Nguyễn Văn|Иван П.|Γιώργος",
        "山田たろう|ヤマダ Taro|김철수 Kim|李小龍 Bruce",
        "שלום|أحمد 3|नमस्ते|สวัสดี",
        "♥|👩 dev|Иван Lee|김 Дора",
        "علی\u200cرضا|می\u200cخواهم|क्\u200dषमा|ශ්\u200dරී|🏳\u200d🌈|👨\u200d👩\u200d👧|👩🏽\u200d🚀",
        "น้ำทิพย์|မြို့|שָּׁלוֹם|Nguyễn",
    ],
)
def test_honest_names_stay_as_they_are(names: str) -> None:
    for name in names.split("|"):
        assert plain_name(name) == name


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("\u3164\u3164", NAMELESS),
        ("\u2800", NAMELESS),
        ("\u0301\u0302", NAMELESS),
        ("\u20dd", NAMELESS),
        ("\ufe0f\U000e0100\u034f", NAMELESS),
        ("\ufdfd\ufdfd", NAMELESS),
        ("???", NAMELESS),
        ("\u200b\u202e", NAMELESS),
        ("Ann \ufdfa", "Ann ?"),
        ("\U00012031Ann\u2e3b", "?Ann?"),
        ("\u0410nn", "?nn"),
        ("Paypa\u04cf", "Paypa?"),
        ("\u0418\u0432\u0430\u043di", "\u0418\u0432\u0430\u043d?"),
        ("A\u200dn\u200cn", "Ann"),
        ("\u0639\u0644\u06cc\u200c\u200c\u200c", "\u0639\u0644\u06cc"),
        ("\u0639\u0644\u06cc\u200c\u200d\u0631", "\u0639\u0644\u06cc\u200c\u0631"),
        ("$\u200d$", "$$"),
        ("\u2068\u05d3\u05e0\u05d4\u2069", "\u05d3\u05e0\u05d4"),
        ("\u05d0\u05b0\u05b1\u05b2\u05b3", "\u05d0\u05b0\u05b1\u05b2"),
        ("\u03b1bc", "?bc"),
        ("An\u3164n", "Ann"),
        ("\u0301Ann", "Ann"),
        ("a" + "\u0335" * 30 + "b", "a\u0335\u0335b"),
        ("\u674e" * 30, "\u674e" * 20),
        ("a\u0301\u0323" * 40, plain_name("a\u0301\u0323" * 40)),
    ],
)
def test_what_is_no_name_is_not_shown(told: str, shown: str) -> None:
    assert plain_name(told) == shown


@example("\u00af")
@settings(max_examples=20)
@given(st.text(max_size=60) | st.text(alphabet=st.characters(min_codepoint=0x250, max_codepoint=0xFFFF), max_size=60))
def test_any_text_has_a_name_that_can_stand_in_a_line(text: str) -> None:
    name = plain_name(text)
    assert is_line(name) and 1 <= len(name) <= LONGEST_NAME and name == name.strip()
    assert sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name) <= 2 * LONGEST_NAME
    assert plain_name(name) == name
    assert all(skeleton.encode() for skeleton in looks(text)) and looks(name)
    assert are_alike(name, name.swapcase()) or not name.isascii()


def test_every_letter_of_the_table_looks_like_its_latin_one() -> None:
    assert [chr(letter) for letter, like in LOOKS.items() if not are_alike(f"x{chr(letter)}x", f"x{like}x")] == []


def test_names_of_many_lookalikes_have_few_skeletons() -> None:
    letters = ("A\u0410\u0391", "n\u0578", "n\u0578")
    assert {frozenset(looks("".join(word))) for word in itertools.product(*letters)} == {frozenset({"ann"})}

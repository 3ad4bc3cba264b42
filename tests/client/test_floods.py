"""Floods of words: the first lines of ordinary talk are told, and a flood is one line and a sum."""

from dataclasses import replace

import pytest

from quadrille.client.plain.table import PlainTable
from quadrille.client.table.notices import Kind
from quadrille.client.table.stage import SUM_EVERY, Bystander, Floods
from quadrille.net.entries.motions import all_of
from quadrille.net.game_log.news import Blamed, ChatLine, Declined, Proposed
from quadrille.net.program.station import Remark
from quadrille.net.seating.lobby import At, Invited
from tests.client.evening import Evening, barons, here, plain_face
from tests.net.tables import identity

ANN, BOB = b"a" * 32, b"b" * 32
#: Words of a flood.
MANY = 8000


def evening(others: int = 0) -> Evening:
    made = Evening(barons(), others=others).begin()
    made.told("p0")
    return made


@pytest.mark.parametrize("stranger", [False, True])
def test_ordinary_talk_is_never_held_back(stranger: bool) -> None:
    floods, now = Floods(), 0
    for _ in range(40):
        for _ in range(3):
            assert floods.hear(Kind.CHAT, ANN, now, stranger=stranger)
            now += 500
        now += 8000
        assert floods.sums(now) == []


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("stranger", [False, True])
def test_a_flood_is_a_few_lines_and_a_sum(kind: Kind, stranger: bool) -> None:
    floods, told, sums = Floods(), 0, []
    for now in range(MANY):  # a thousand a second
        told += floods.hear(kind, ANN, now, stranger=stranger)
        sums += floods.sums(now)
    sums += floods.sums(MANY + SUM_EVERY)
    assert told <= 40
    assert len(sums) <= MANY // SUM_EVERY + 1
    assert told + sum(count for _, _, count in sums) == MANY
    assert {author for _, author, _ in sums} == {ANN}


def test_a_stranger_with_many_keys_floods_no_more_than_one() -> None:
    floods, told, sums = Floods(), 0, 0
    for now in range(MANY):
        told += floods.hear(Kind.CHAT, now.to_bytes(32), now, stranger=True)
        sums += len(floods.sums(now))
    assert told <= 40
    assert sums <= 5
    assert len(floods._stranger[Kind.CHAT]) <= 256 and len(floods._counts) <= 257
    assert floods.hear(Kind.CHAT, BOB, MANY, stranger=False)  # and it drowns nobody who sits here


def test_one_who_floods_holds_back_nobody_else_and_may_be_muted() -> None:
    floods = Floods()
    for now in range(1000):
        floods.hear(Kind.CHAT, ANN, now, stranger=False)
    assert floods.hear(Kind.CHAT, BOB, 1000, stranger=False)
    assert floods.hear(Kind.NAME, ANN, 1000, stranger=False)
    floods.mute(ANN)
    assert not floods.hear(Kind.CHAT, ANN, 10**6, stranger=False)
    assert floods.sums(10**7) == []


def test_who_is_blocked_at_a_table_says_nothing_more_there_and_plays_on() -> None:
    made = evening()
    made.type("p0", "block p1", "b2")
    here(made.table("p0"), ChatLine(made.peers[1].identity.key, "again"))
    made.type("p1", "a1")
    made.settle(SUM_EVERY + 1000)
    told = made.told("p0")
    assert "player 2 (p1): a1" in told and "again" not in told and "p1 said" not in told


def test_proposals_made_and_withdrawn_are_one_line_with_a_count() -> None:
    made = evening()
    talk, bob, draw = made.table("p0"), made.peers[1].identity.key, all_of("draw")
    for number in range(200):
        here(talk, ChatLine(identity(77).key, f"line {number}"))
    assert made.told("p0").count("line ") == 3, "one who only looks on is bounded harder"
    for _ in range(20):
        here(talk, Proposed(draw, (1,)))
        here(talk, Declined(draw, bob))
    assert made.told("p0").count("\n") == 6
    made.settle(SUM_EVERY + 1000)
    assert "p1 proposed or withdrew something 34 more times (block p1" in made.told("p0")


def test_names_invitations_and_blames_are_bounded_wherever_a_person_is() -> None:
    made = evening(others=1)
    bob = made.peers[2].identity.key
    lounge = plain_face(Bystander(made.context(made.peers[0])), made.outs["p0"])
    for talk in (made.table("p0"), lounge):
        for number in range(300):
            talk.hear(Remark(bob, f"it now goes by {number}"))
            talk.hear(Invited(bob, number.to_bytes(16), barons()))
            if isinstance(talk, PlainTable):
                talk.hear(At(talk.table.log.table, Blamed(bob, f"why {number}")))
        told = made.told("p0")
        assert told.count("it now goes by") == told.count("invites you") == 3
        assert told.count("why ") == (3 if isinstance(talk, PlainTable) else 0)
    made.settle(SUM_EVERY + 1000)
    told = made.told("p0")
    assert "p2 changed its name 297 more times (block p2 to hear no more)." in told
    assert "p2 sent 297 more invitations" in told
    assert "p2 sent 297 more invalid messages" in told


def test_block_in_the_lobby_asks_the_station() -> None:
    made = evening(others=1)
    blocked: list[bytes] = []
    context = replace(made.context(made.peers[0]), block=blocked.append)
    lounge = plain_face(Bystander(context), made.outs["p0"])
    lounge.typed("block p2")
    assert blocked == [made.peers[2].identity.key]
    lounge.hear(Remark(blocked[0], "it now goes by another name"))
    assert made.told("p0") == "p2 is blocked: you hear nothing more from that player.\n"

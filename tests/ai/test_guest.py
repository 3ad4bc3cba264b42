"""A bot as a guest at tables, in a simulated network: it sits down, plays, answers, goes."""

from collections.abc import Callable
from typing import Any

import pytest

from quadrille.ai.bots.talk import Talk
from quadrille.ai.faults import BotFault
from quadrille.ai.peer.guest import STRIKES
from quadrille.ai.peer.policy import ANYONE, BOTS, PEOPLE, Policy
from quadrille.net.entries.motions import all_of
from quadrille.net.entries.terms import Chair, TimeControl
from quadrille.net.entries.wire import Offer
from quadrille.net.game_log import archive
from quadrille.net.game_log.news import ChatLine
from quadrille.net.seating import lobby as net
from quadrille.net.seating.gathering import Gathering, TurnedDown
from quadrille.net.seating.offers import offers
from quadrille.rules.match import Left
from tests.ai.guests import SMALL, BotWorld
from tests.ai.inside import Anything, Noting, Wrong, talk
from tests.net.simulation import Peer, Weather
from tests.net.tables import terms


class Party(BotWorld):
    """A person, who hosts and does only what a test says, and bots: `bring` brings the first of these, and the second
    gives way. `others` have no seat, and are people.
    """

    def __init__(
        self, seats: int, bring: Callable[[], Talk] = talk, *, stays: bool = False, patience: int = 60_000,
        others: int = 0, **more: Any,
    ) -> None:  # fmt: skip
        super().__init__("party", terms("barons", seats, SMALL, lot=False, **more), others=others)
        self.person, *bots = [*self.peers.values()][:seats]
        for peer in self.peers.values():
            self.start(peer)
            peer.lobby.kind = "bot" if peer in bots else "person"
        self.lobby = self.person.lobby
        for number, peer in enumerate(bots):
            impatience, gives = 60_000 if number else patience, number == 1
            self.bring(peer, talk if number else bring, stays=stays, gives_way=gives, patience=impatience)
        self.gathering = self.host(self.person)
        self.sit_down()

    def sit_down(self) -> None:
        self.run(lambda: len(self.gathering.chairs) == self.terms.seats)
        self.start_game(self.person, self.gathering)
        self.run(lambda: self.gathering.table in self.lobby.tables)
        self.pass_time(2000)

    @property
    def table(self) -> Any:
        return self.lobby.tables[self.gathering.table]

    def resign(self) -> None:
        self.table.resign(self.now)
        self.after(self.person)

    def offer_rematch(self, nonce: bytes = b"again") -> None:
        self.gathering = self.lobby.rematch(self.gathering.table, nonce, self.now)
        self.after(self.person)

    def play_out(self) -> None:
        for _ in range(200):
            if self.table.over:
                return
            self.play_first(self.person, self.table)
            self.pass_time(500)


def test_a_bot_comes_to_a_rematch_that_is_offered_as_soon_as_the_game_is_over() -> None:
    """The last entry and the invitation are heard together, before anything is done about either."""
    party = Party(2, stays=True)
    first, guest = party.table, party.guests["p1"]
    party.act = lambda peer: None  # type: ignore[method-assign]
    party.weather = Weather(delay=1)  # a link keeps the order of what is said
    first.resign(party.now)
    party.offer_rematch()
    again = party.gathering.table.hex()[:8]
    party.run(lambda: any(again in news for news in guest.news))
    del party.act
    party.sit_down()
    assert first.over and party.table is not first
    assert not any(f"not at table {again}" in news for news in guest.news)


def test_a_bot_hears_that_a_finished_table_opened_again_after_it_closed_that_table() -> None:
    """Sitting down at the table of the event before closes it."""
    party = Party(2, stays=True)
    finished, guest = party.gathering.table, party.guests["p1"]
    party.resign()
    party.run(lambda: not guest.sittings)
    guest.lobby.forget(finished)
    guest.hear(net.Began(finished), party.now)
    assert not guest.sittings


def test_a_bot_that_gave_its_seat_back_is_told_when_the_next_game_starts() -> None:
    party = Party(2, stays=True)
    sitting = party.guests["p1"].sittings[party.gathering.table]
    program: Any = sitting.talks[0].program
    sitting.gone = True
    party.table.resign(party.now)
    party.offer_rematch()
    party.sit_down()
    party.play_out()
    assert sum(b'"do": "start"' in line for line in program.told) == 2


class Full(Party):
    """A person, two bots, of which the second gives way, and a person who looks on and is in line for a seat."""

    def __init__(self) -> None:
        super().__init__(3, stays=True, others=1)
        *_, self.late = self.peers.values()
        self.name = self.gathering.table
        self.do(self.late, lambda lobby, _: lobby.watch(self.name, self.person.key))
        self.run(lambda: self.name in self.late.lobby.tables)
        self.do(self.late, lambda lobby, _: lobby.ask_for_seat(self.name))
        self.pass_time(2000)

    @property
    def asked(self) -> list[tuple[bytes, str]]:
        """Whom the person at the table is asked about now: for which bot's seat."""
        return [(motion.key, motion.WORD) for motion in [self.table.accord.open] if motion is not None]


def test_a_bot_gives_way_to_a_person_in_line_once_all_agree() -> None:
    full = Full()
    assert full.asked == [(full.late.key, "hand")] and not full.late.lobby.tables[full.name].seats
    for gives_way in (False, True):  # without an answer it is asked again, in turn with the other bot
        full.play_first(full.person, full.table)
        full.run(lambda: full.table.is_my_turn)
        full.pass_time(2000)
        assert bool(full.asked) == gives_way
    full.do(full.person, lambda _, now: full.table.agree(full.table.accord.open, now))
    full.pass_time(2000)
    seats = full.late.lobby.tables[full.name].seats
    assert len(seats) == 1 and full.table.log.now.chairs[seats[0]].key == full.late.key
    assert full.table.log.now.chairs[seats[0]].is_person and not full.asked
    while not full.table.over:
        for peer in (full.person, full.late):
            full.play_first(peer, peer.lobby.tables[full.name])
        full.pass_time(500)
    again = full.person.lobby.rematch(full.name, b"again", full.now)
    assert [chair.key for chair in again.reserved].count(full.late.key) == 1, "who has a seat waits for none"


def test_a_bot_offers_its_seat_no_more_to_one_whom_somebody_there_declines() -> None:
    full = Full()
    full.do(full.person, lambda *_: full.table.decline())
    for _ in range(3):
        full.pass_time(2000)
        assert not full.asked and full.table.is_my_turn
        full.play_first(full.person, full.table)
        full.run(lambda: full.table.is_my_turn or full.table.over)


class Alone(BotWorld):
    """A person who hosts, and one bot, which hears of the table at once, and acts from when the test says so."""

    def __init__(self, seats: int, bring: Callable[[], Talk], **more: Any) -> None:
        super().__init__("alone", terms("barons", seats, SMALL))
        self.weather = Weather(delay=1)  # a link keeps the order of what is said
        self.person, self.peer, *_ = self.peers.values()
        for peer in (self.person, self.peer):
            self.start(peer)
        self.gathering = self.host(self.person)
        self.guest = self.bring(self.peer, bring, **more)
        self.act = lambda peer: None  # type: ignore[method-assign]

    def acts(self) -> None:
        del self.act

    @property
    def heard(self) -> list[str]:
        return [said.line for said in self.told(ChatLine, self.person)]


def test_a_bot_that_is_refused_goes() -> None:
    alone = Alone(2, talk)
    alone.gathering.kicked.add(alone.peer.key)
    alone.acts()
    alone.run(lambda: alone.guest.done)
    assert alone.guest.news[0].startswith("asking for a seat")
    assert "the host does not want you at this table" in alone.guest.news[-1]


def test_no_peer_is_told_what_a_bot_thinks() -> None:
    """Neither by any message nor by the signed log, whatever program shows it: a person's, a guest's, a phone's."""
    heard = []

    def bring() -> Talk:
        return talk(Noting(value=0.625, marks={"b2": "!"}), lambda line: heard.append(line) or line)  # type: ignore[func-returns-value]

    party = Party(2, bring)
    said = []
    send = party.send
    party.send = lambda peer, key, message: (said.append(message), send(peer, key, message))  # type: ignore[method-assign, assign, return-value]
    party.play_out()
    party.pass_time(3000)
    assert party.table.over and any(b"secret plan" in line for line in heard)
    told = repr(said) + repr([entry.data for entry in party.table.log.entries]) + archive.write(party.table.log)
    assert len(said) > 10 and "secret" not in told and "0.625" not in told


@pytest.mark.parametrize("agrees", [{"takeback", "pause"}, {"draw"}], ids=["usual", "generous"])
@pytest.mark.parametrize("kind", ["draw", "takeback", "pause"])
def test_the_bot_is_asked_and_its_word_is_done(agrees: set[str], kind: str) -> None:
    bot = Anything()
    if "draw" in agrees:
        bot.offered = lambda offer, by, view: offer in agrees  # type: ignore[method-assign]
    party = Party(2, lambda: talk(bot))
    party.table.play("a1", party.now)
    party.after(party.person)
    party.pass_time(2000)
    entries = len(party.table.log.entries)
    party.table.agree(all_of(kind, 2 if kind == "takeback" else 0), party.now)
    party.after(party.person)
    party.pass_time(2000)
    assert (len(party.table.log.entries) > entries) is (kind in agrees)
    assert (party.table.over is not None) is (kind == "draw" in agrees)


def distorted(said: bytes) -> Callable[[], Talk]:
    """A bot that says that in place of its moves; when that is nothing, it says nothing."""
    return lambda: talk(Anything(), lambda line: said if b'"turn"' in line else line)


BREAKS: list[tuple[str, Callable[[], Talk], dict[str, Any]]] = [
    ("illegal", lambda: talk(Wrong()), {}),
    ("crash", distorted(b"ends\n"), {}),
    ("protocol", distorted(b'{"turn": 99, "move": "a1"}\n'), {}),
    ("stall", distorted(b'{"ask": "view"}\n'), {"patience": -1}),
    ("time", distorted(b'{"ask": "view"}\n'), {"clock": TimeControl(30_000, 0)}),
]


@pytest.mark.parametrize(("kind", "bring", "more"), BREAKS)
def test_a_fault_costs_the_bot_its_seat_and_nobody_else(
    kind: str, bring: Callable[[], Talk], more: dict[str, Any]
) -> None:
    """On its own turn and by its own peer's word; the kind is in the log, and the others play on."""
    party = Party(3, bring, **more)
    party.play_out()
    seat = next(at for at, chair in enumerate(party.table.log.now.chairs) if chair.name == "p1")
    [left] = [entry for entry in party.table.log.now.match.entries if isinstance(entry, Left)]
    assert (left.seat, left.how) == (seat, kind)
    assert party.table.over.places[seat] == 3
    party.pass_time(3000)
    guest = party.guests["p1"]
    assert guest.done
    if kind != "time":  # there its own peer's flag may fall before its program is found to be late
        assert guest.fault is not None and guest.fault.kind == kind
    assert party.guests["p2"].fault is None
    assert party.blamed == []


@pytest.mark.parametrize(
    ("starts", "tries", "said"), [(0, 2, ["my bot did not start: the seat is free again"]), (1, 2, []), (2, 1, [])]
)
def test_a_bot_that_does_not_start_is_tried_again_and_then_its_host_is_told(
    starts: int, tries: int, said: list[str]
) -> None:
    """Its last `starts` starts are good. When it has a chair, it gives that back if it ends."""
    brought: list[Talk] = []

    def bring() -> Talk:
        brought.append(talk())
        if len(brought) + starts <= 2:  # it says nothing, and is late already
            brought[-1].dialogue.began = brought[-1].dialogue.starts_by = -1_000_000
            brought[-1].program.line = lambda timeout=0: None  # type: ignore[method-assign]
        return brought[-1]

    alone = Alone(3, bring)
    guest = alone.guest
    alone.run(lambda: bool(offers(guest.lobby, "open")))
    alone.acts()
    alone.run(lambda: alone.heard == said and len(alone.gathering.chairs) == (2 if starts else 1))
    assert len(brought) == tries and (guest.fault is None) == (guest.failure is None) == bool(starts)
    if starts:
        guest._failed(BotFault("crash", "ended with exit code 1"), alone.now)
        alone.after(alone.peer)
        alone.run(lambda: len(alone.gathering.chairs) == 1)
        assert guest.done and alone.heard == ["my bot has ended: the seat is free again"]


def test_a_bot_that_can_not_be_started_when_its_game_begins_loses_it() -> None:
    """The others do not wait for a seat that nobody plays."""

    def fails() -> Talk:
        raise BotFault("crash", "can't be started: it is gone")

    class Late(Party):
        def sit_down(self) -> None:
            self.run(lambda: len(self.gathering.chairs) == 2)
            self.guests["p1"]._idle.clear()
            self.guests["p1"]._bring = fails
            super().sit_down()

    party = Late(2)
    party.play_out()
    assert party.table.over and isinstance(left := party.table.log.now.match.entries[-1], Left) and left.how == "crash"
    assert "the program can't be started: it is gone; that costs it the game (crash)" in party.guests["p1"].news


@pytest.mark.parametrize(("stays", "fails"), [(False, True), (True, False)])
def test_a_bot_that_does_not_know_the_game_takes_no_seat(stays: bool, fails: bool) -> None:
    class Mazes(Anything):
        games = ("maze",)

    alone = Alone(2, lambda: talk(Mazes()), stays=stays)
    guest = alone.guest
    alone.acts()
    alone.run(lambda: alone.now > 5000)
    assert len(alone.gathering.chairs) == 1
    assert (guest.done, guest.failure) == ((True, "does not play barons: it plays maze") if fails else (False, None))
    assert fails or "it does not play barons: it plays maze" in guest.news[-1]


def test_a_program_that_fails_again_and_again_is_given_up() -> None:
    party = Party(2, lambda: talk(Wrong()), stays=True)
    for number in range(STRIKES):
        party.play_out()
        party.pass_time(3000)
        guest = party.guests["p1"]
        assert guest.done is (number == STRIKES - 1)
        if not guest.done:
            party.offer_rematch(bytes([number]))
            party.sit_down()
    assert guest.failure == "failed in 3 games one after another"


# Where a bot sits down: the policy as a value, and by it in a simulated network, invited or not


ANN = Chair(b"a" * 32, "Ann", "person")
BEN = Chair(b"b" * 32, "Ben", "bot")


def policy(*opponents: str, **more: Any) -> Policy:
    return Policy(opponents=frozenset(opponents), **more) if opponents else Policy(**more)


KEPT = "the seats that are left are kept for people"
NOT_BARONS = "it does not play barons"


@pytest.mark.parametrize(
    ("policy", "host_and_chairs", "at_tables", "clock", "says"),
    [
        (policy(), [ANN, ANN], 0, None, None),
        (policy(games=frozenset({"maze", "dotter"})), [ANN, ANN], 0, None, f"{NOT_BARONS}, only dotter, maze"),
        (policy(games=frozenset({"barons"})), [ANN, ANN], 0, None, None),
        (policy(untimed=False), [ANN, ANN], 0, None, "it plays with a clock only"),
        (policy(untimed=False), [ANN, ANN], 0, 1000, None),
        (policy(shortest=60_000), [ANN, ANN], 0, 59_000, "the clock 59s+0s is too short for it"),
        (policy(shortest=60_000), [ANN, ANN], 0, 60_000, None),
        (policy(longest=60_000), [ANN, ANN], 0, 61_000, "the clock 61s+0s is too long for it"),
        (policy(shortest=60_000, longest=60_000), [ANN, ANN], 0, None, None),
        (policy(ANYONE), [ANN, ANN, BEN], 0, None, None),
        (policy(PEOPLE), [ANN, ANN], 0, None, None),
        (policy(PEOPLE), [ANN, ANN, BEN], 0, None, "it does not play with Ben"),
        (policy(BOTS), [ANN, BEN], 0, None, "it does not play with Ann"),
        (policy(ANN.key.hex()), [ANN, ANN], 0, None, None),
        (policy(ANN.key.hex(), BOTS), [ANN, ANN, BEN], 0, None, None),
        (policy("Ann"), [ANN, ANN], 0, None, "it does not play with Ann"),
        (policy(BEN.key.hex()), [ANN, ANN], 0, None, "it does not play with Ann"),
        (policy(tables=2), [ANN, ANN], 1, None, None),
        (policy(tables=1), [ANN, ANN], 1, None, "it sits at 1 table already, as many as it may"),
        (policy(tables=2), [ANN, ANN], 2, None, "it sits at 2 tables already, as many as it may"),
        (policy(kept_for_people=1), [ANN, ANN], 0, None, None),  # she is the one
        (policy(kept_for_people=2), [ANN, ANN], 0, None, None),
        (policy(kept_for_people=2), [ANN, ANN, BEN], 0, None, KEPT),
        (policy(kept_for_people=1), [BEN, BEN], 0, None, None),
        (policy(kept_for_people=2), [BEN, BEN], 0, None, KEPT),
    ],
)
def test_a_policy_says_why_a_table_is_not_for_it(
    policy: Policy, host_and_chairs: list[Chair], at_tables: int, clock: int | None, says: str | None
) -> None:
    (host, *chairs), agreed = host_and_chairs, terms("barons", 3, SMALL, clock=clock and TimeControl(clock, 0))
    assert policy.objection(agreed, host, chairs, at_tables) == says


def test_it_plays_at_two_tables_at_once_and_at_no_third() -> None:
    """By a policy, and by invitation only; its hosts are people."""
    salon = BotWorld("salon", terms("barons", 2, SMALL, lot=False), others=2)
    bot, *people = salon.peers.values()
    for peer in salon.peers.values():
        salon.start(peer)

    def comes(offer: Offer, at_tables: int) -> str | None:
        host = bot.lobby.peers[offer.host]
        chair = Chair(offer.host, host.name, host.kind)
        return Policy(tables=2).objection(offer.terms, chair, offer.chairs, at_tables)

    guest = salon.bring(bot, asks=lambda *_: "only by invitation", comes=comes, stays=True, tables=2)

    def invite(person: Peer, gathering: Gathering) -> None:
        gathering.invite(bot.key)
        salon.after(person)
        salon.pass_time(2000)

    gatherings = []
    for person in people:
        salon.pass_time(2000)
        gatherings.append(salon.host(person))
        invite(person, gatherings[-1])
        if person is not people[2]:
            salon.start_game(person, gatherings[-1])
    third = gatherings.pop()
    assert len(third.chairs) == 1 and [no.why for no in salon.told(TurnedDown)] == ["it is at another table"]
    assert len(guest.sittings) == 2
    tables = [person.lobby.tables[one.table] for person, one in zip(people, gatherings, strict=False)]
    for _ in range(60):
        for person, table in zip(people, tables, strict=False):
            salon.play_first(person, table)
        salon.pass_time(300)
    assert all(table.over for table in tables)
    assert guest.fault is None and guest.sittings == {}
    salon.events.clear()
    salon.pass_time(3000)
    third.invited.clear()
    invite(people[2], third)
    assert len(third.chairs) == 2 and salon.told(TurnedDown) == []

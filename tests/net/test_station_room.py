"""Stations in a private room: those with the passphrase play, and who has another hears nothing but that."""

from pathlib import Path

import pytest

from quadrille.net.entries.entry import NOBODY
from quadrille.net.program.station import Remark, now
from quadrille.net.seating.lobby import Arrived
from tests.net.company import Company
from tests.net.tables import terms


@pytest.mark.usefixtures("unhurried")
def test_members_play_and_a_stranger_is_told_of_nobody(tmp_path: Path) -> None:
    with Company(tmp_path) as company:
        phrase = "four words that rhyme"
        host, guest = company.enter("host", phrase), company.enter("guest", phrase)
        stranger = company.enter("stranger", "another phrase")
        gathering = host.lobby.host(terms("maze", options={"size": 2}), b"nonce", now())
        company.until(lambda: any(peer.tables for peer in guest.lobby.peers.values()))
        guest.lobby.join(guest.lobby.peers[host.identity.key].tables[0], now())
        company.until(lambda: len(gathering.chairs) == 2)
        gathering.start(now())
        company.until(lambda: host.lobby.tables and guest.lobby.tables)
        tables = [next(iter(station.lobby.tables.values())) for station in (host, guest)]

        def played() -> bool:
            for table in tables:
                if table.is_my_turn:
                    table.play(str(next(iter(table.log.now.match.state.moves))), now())
            return all(table.over for table in tables)

        company.until(played)
        company.until(lambda: company.heard(stranger))
        assert tables[0].log.head == tables[1].log.head
        assert {event.peer.name for event in company.heard(host) if isinstance(event, Arrived)} == {"guest"}
        told = Remark(NOBODY, "somebody in this room has another passphrase than you")
        assert set(company.heard(stranger)) == {told}
        assert not stranger.lobby.peers

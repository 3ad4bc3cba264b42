"""Finding N1: ten tables of two bots each on one machine, in ten programs. libzmq's heartbeats ended half of them."""

from contextlib import ExitStack
from pathlib import Path

import pytest
import zmq

from tests.client.programs import Program
from tests.net.ports import udp_port

TABLES = 10


@pytest.mark.slow
def test_n1_ten_tables_of_two_bots_each_end_and_no_program_dies(tmp_path: Path) -> None:
    port = udp_port()
    words = ("host", "maze", "--seats", "2", "--against", "random,random")
    with ExitStack() as programs:
        hosts = [
            programs.enter_context(Program(*words, home=tmp_path / str(number), port=port, name=f"Host {number}"))
            for number in range(TABLES)
        ]
        for host in hosts:
            host.close_input()
        codes = [host.end() for host in hosts]
        told = [host.text for host in hosts]
    assert codes == [0] * TABLES, (codes, f"libzmq {zmq.zmq_version()}", told)
    assert all("The game is over" in text for text in told), told

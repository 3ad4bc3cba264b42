"""The network commands as programs on one machine: whole games, crashes, signals, lists."""

import signal
from pathlib import Path

import pytest

from tests.client.conftest import Run
from tests.client.programs import Program, play_on, to_move
from tests.net.ports import tcp_port

SMALL = ("--set", "width=3", "--set", "height=3")


def test_two_people_talk_propose_and_play(tmp_path: Path, port: int) -> None:
    with (
        Program(
            "host", "barons", "--seats", "2", *SMALL, "--no-lot", home=tmp_path / "a", port=port, name="Ann"
        ) as ann,
        Program("join", "Ann", home=tmp_path / "b", port=port, name="Bob") as bob,
    ):
        ann.wait(r"^Bob sits down: 2 of 2 seats are taken")
        bob.wait(r"^You have a seat")
        for each in (ann, bob):
            each.wait(r"^Barons, 2 players, 3 x 3, table \w{8}")
            each.wait(r"player 1  Ann \(\w{4} \w{4} \w{4} \w{4}\)")
        ann.wait(r"^Your turn")
        ann.enter("b2", "say your move", "b1")
        bob.wait(r"^player 1 \(Ann\): b2")
        bob.wait(r"^player 1 \(Ann\): your move")
        bob.enter("b2")
        bob.wait(r"^b2 belongs to player 1")
        bob.enter("c3")
        ann.wait(r"^player 2 \(Bob\): c3")
        ann.wait(r"^player 1> b1")
        bob.wait(r"^player 1 \(Ann\): b1")
        bob.enter("draw")
        ann.wait(r"^player 2 \(Bob\) proposes a draw")
        ann.enter("yes")
        for each in (ann, bob):
            each.wait(r"^A draw has been agreed")
            each.wait(r"^The game is over: a draw was agreed")
            each.close_input()
            assert each.end() == 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")
def test_no_program_of_a_host_has_the_passphrase_in_its_arguments_or_environment(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"nine words are enough for port {port}"
    monkeypatch.setenv("QUADRILLE_PASSPHRASE", words)
    monkeypatch.setenv("SOME_TOKEN", "a secret")
    host = ("host", "barons", "--seats", "3", *SMALL, "--against", "random", "--guests", "--room", f"attic {port}")
    with Program(*host, home=tmp_path, port=port, name="Ann") as ann:
        ann.wait(r"^\w+ \(random of Ann\) sits down")  # so it has the passphrase
        below = descendants(ann.process.pid)
        seen = [Path(f"/proc/{process}/cmdline").read_bytes() for process in below]
        assert [b"\0bot\0random\0" in line for line in seen].count(True) == len(below) == 1, "guests have no program"
        for process in below:
            for file in ("cmdline", "environ"):
                found = Path(f"/proc/{process}/{file}").read_bytes()
                assert words.encode() not in found and b"a secret" not in found
        ann.enter("quit")
        assert ann.end() == 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="reads /proc")
def test_a_table_of_two_built_in_bots_is_three_processes_and_80_mib(tmp_path: Path, port: int) -> None:
    host = ("host", "barons", "--seats", "3", *SMALL, "--against", "random,2")
    with Program(*host, home=tmp_path, port=port, name="Ann") as ann:
        ann.wait(r"^Your turn")
        table = [ann.process.pid, *descendants(ann.process.pid)]
        rows = [Path(f"/proc/{process}/smaps_rollup").read_text() for process in table]
        shares = [int(line.split()[1]) for row in rows for line in row.splitlines() if line.startswith("Pss:")]
        assert len(table) == 3 and sum(shares) < 80 << 10
        ann.enter("quit")
        assert ann.end() == 0


@pytest.mark.slow
def test_who_joins_a_full_table_gets_the_seat_of_its_bot_in_the_running_game(tmp_path: Path, port: int) -> None:
    host = ("host", "barons", "--seats", "2", *SMALL, "--against", "random")
    with Program(*host, home=tmp_path / "a", port=port, name="Ann") as ann:
        ann.wait(r"^Your turn")
        with Program("join", "Ann", home=tmp_path / "b", port=port, name="Bob") as bob:
            bob.wait(r"^You are watching, number 1 in line")
            ann.wait(r"proposes that Bob takes over the seat of player \d")
            ann.enter("yes")
            bob.wait(r"^Bob has taken over the seat of player \d")
            play_on(ann, bob, plies=4)
            for one in (ann, bob):
                one.enter("quit")
                assert one.end() == 0


def descendants(process: int) -> list[int]:
    children = [
        int(child)
        for task in Path(f"/proc/{process}/task").glob("*")
        for child in (task / "children").read_text().split()
    ]
    return [*children, *(below for child in children for below in descendants(child))]


@pytest.mark.slow
def test_the_doctor(run: Run, tmp_path: Path, port: int) -> None:
    words = ("--home", str(tmp_path), "--port", str(port), "--interface", "127.0.0.1")
    for _ in range(5):  # a busy machine may be too slow to tell, which blocks nothing
        found = run(["doctor", *words])
        assert found.code == 0, found.out
        if "SLOW" not in found.out:
            break
    assert "Two programs on this machine meet" in found.out
    assert all(len(line) <= 80 or " " not in line.strip() for line in found.out.splitlines())
    wrong = run(["doctor", "--home", tmp_path, "--interface", "nosuch0"])
    assert wrong.code == 1 and 'BLOCKED  there is no interface "nosuch0"' in wrong.out


@pytest.mark.slow
def test_join_at_an_address_means_the_program_there_and_no_other_of_that_machine(tmp_path: Path, port: int) -> None:
    tcp = str(tcp_port())
    with (
        Program("host", "maze", home=tmp_path / "a", port=port, name="Ann") as ann,
        Program("host", "barons", "--tcp-port", tcp, "--seats", "2", home=tmp_path / "b", port=port, name="Bob") as bob,
    ):
        ann.wait(r"^Table \w{8} is open")
        bob.wait(r"^Table \w{8} is open")
        with Program("join", f"127.0.0.1:{tcp}", home=tmp_path / "c", port=port, name="Cid") as cid:
            cid.wait(r"^Barons, 2 players")
            bob.wait(r"^Cid sits down")


@pytest.mark.slow
def test_only_resume_sits_down_again_and_one_identity_is_one_program(run: Run, tmp_path: Path, port: int) -> None:
    home = tmp_path / "b"
    with (
        Program("host", "barons", "--seats", "2", *SMALL, home=tmp_path / "a", port=port, name="Ann") as ann,
        Program("join", home=home, port=port, name="Bob") as bob,
    ):
        table = bob.wait(", table (.{8})")[1]
        assert to_move(ann, bob)
        bob.end(signal.SIGKILL)
        ann.wait(r"^player \d \(Bob\) is away")
        with Program("host", "maze", home=home, port=port, name="Bob") as other:
            other.wait(r"^1 unfinished table: quadrille resume$")
            other.wait(rf"^Ann waits for you at table {table}: quadrille resume {table}$")
            other.enter("quit")
            assert other.end() == 0
        network = ("--port", str(port), "--interface", "127.0.0.1", "--home", str(home))
        assert "1 unfinished table: quadrille resume\n" in run(["who", "--for", "1", *network]).out
        assert not any("Bob) is back" in line for line in ann.lines)
        with Program("resume", table, home=home, port=port, name="Bob") as again:
            again.wait(r"^Barons, 2 players")
            assert not any("unfinished" in line for line in again.lines)
            ann.wait(r"^player \d \(Bob\) is back")
            second = run(["join", *network])
            assert second.code == 1
            assert second.err.startswith("quadrille: another program is playing with the identity in")
            assert run(["who", "--json", "--for", "1", *network]).code == 0
            assert "another program is playing" in run(["resume", table, "--forget", *network]).err
        assert run(["resume", table, "--forget", *network]).out == f"Table {table} is forgotten.\n"
        assert "unfinished" not in run(["who", "--for", "1", *network]).out
        assert "no game was left in the middle" in run(["resume", *network]).err
        with Program("host", "maze", home=home, port=port, name="Bob") as other:
            other.wait(r"^Ann is on the network")
            other.enter("quit")
            assert other.end() == 0
            assert not any("waits for you" in line for line in other.lines)

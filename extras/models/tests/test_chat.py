"""The strict chat bot, with a service of our own: right, slow, silent, illegal, chatty, cut; in its box, in games."""

import asyncio
import json
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from extras.models.tests.service import Service, completion, serving
from quadrille.ai.bot import Clock
from quadrille.ai.bots.process.program import Limits, Program
from quadrille.ai.faults import BotFault
from quadrille.extras.models.chat_bot import ChatBot, Manner, move_in
from quadrille.extras.models.chat_service import ChatService, ServiceError
from quadrille.extras.models.outlet import free_outlet, lead
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Played
from quadrille.rules.registry import game
from tests import programs
from tests.client.conftest import Run
from tests.client.programs import COMMAND
from tests.waiting import DEADLINE

MAZE = game("maze").start({"size": 3})
CLOCK = Clock(0, None, 0, 1000)
CHAT = "chat --url http://h/v1 --model m"


@pytest.fixture
def service() -> Iterator[Service]:
    with serving() as service:
        yield service


def bot(service: Service, retries: int = 2, history: int = 4000, *, moves: bool = False) -> ChatBot:
    """Return a bot of that service, which waits a second for an answer."""
    made = ChatBot(ChatService(service.url, "tiny", "secret"), Manner(retries, history, 1, moves, ""))
    made.starts(MAZE, 0)
    return made


def choice(made: ChatBot) -> str:
    return made.choose(MAZE, CLOCK, random.Random(0))


def words(service: Service, *more: str) -> str:
    return shlex.join([*COMMAND, "chat", "--url", service.url, "--model", "tiny", "--seconds", "5", *more])


def test_it_tells_rules_and_position_and_lists_no_legal_moves(service: Service) -> None:
    service.said = ["I think that\n**MOVE: `a3-a2`**."]
    assert choice(bot(service)) == "a3-a2"
    [(path, key, body)] = service.asked
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer secret", "tiny")
    system, user = (one["content"] for one in body["messages"])
    assert system.startswith("# Maze") and "MOVE: your move" in system and "What is known" not in system
    assert user.startswith("You are player 1 of 2, odd X's.") and " 3  o" in user and "size 3" in user
    assert "a3-b3" not in user
    service.said = ["MOVE: a3-a2"]
    choice(bot(service, moves=True))
    assert user.replace("\n", "") in service.asked[1][2]["messages"][1]["content"].replace("\n", "")
    assert "a3-a2\na3-b3" in service.asked[1][2]["messages"][1]["content"]


def test_an_illegal_move_is_asked_for_again_with_the_reason_and_played_after_the_last_try(service: Service) -> None:
    service.said = ["MOVE: z9-z8", "MOVE: b2-c2", "MOVE: a3-a2"]
    assert choice(bot(service)) == "a3-a2"
    said = [[one["content"] for one in body["messages"][2:]] for _, _, body in service.asked]
    assert said[0] == [] and said[1][0] == "MOVE: z9-z8" and "off the board" in said[1][1]
    assert said[2][:2] == said[1] and said[2][2] == "MOVE: b2-c2" and "the first segment starts" in said[2][3]
    service.said = ["a1-a9", "", "MOVE: none"]
    assert choice(bot(service)) == "none"
    assert service.said == [] and len(service.asked) == 6


def test_reasoning_tokens_and_seconds_are_a_thought(service: Service) -> None:
    answer = completion("MOVE: a3-a2", reasoning_content="the corner\x1b\nis mine " * 50)
    service.said = ["MOVE: z9-z8", (503, b"busy"), (200, answer)]  # a request that failed is repeated
    made = bot(service)
    choice(made)
    told = made.thought(MAZE)["note"]
    assert told.startswith("80+4 tokens, ") and " s, try 3: the corneris mine the corner" in told.replace(" is", "is")
    assert len(told) == 200 and told.isprintable()


def test_the_history_stays_within_its_budget(service: Service) -> None:
    made, view = bot(service, history=38), MAZE
    for text in ("a3-a2", "a2-a1", "a1-b1"):
        move = view.game.parse(text, view)
        seat = view.turn
        view = view.play(move)
        made.moved(Played(seat, move), view)
    service.said = ["MOVE: b1-c1"]
    assert made.choose(view, Clock(1, None, 0, 1000), random.Random(0)) == "b1-c1"
    told = service.asked[0][2]["messages"][1]["content"]
    assert "The moves so far:\nplayer 2: a2-a1\nplayer 1: a1-b1\n\n" in told
    made.undone(2, MAZE)
    service.said = ["MOVE: a3-a2"]
    choice(made)
    assert "so far:\nplayer 1: a3-a2\n\n" in service.asked[1][2]["messages"][1]["content"]


FAILS = {
    "silent": (None, "no whole answer within 1 seconds"),
    "byte by byte": ((0, b"H"), "no whole answer within 1 seconds"),
    "without an end": ((0, b"HTTP/1.0 200 OK\r\n\r\n{"), "no whole answer within 1 seconds"),
    "broken": ((500, b"out of order"), 'answered 500 "out of order"'),
    "redirected": ((302, b""), "answered 302"),
    "cut": ((-200, completion("MOVE: a3-a2")), "cut off"),
    "no JSON": ((200, b"{"), "no chat completion"),
    "no choice": ((200, b'{"choices": []}'), "no chat completion"),
    "a list": ((200, b"[" * 100_000), "no chat completion"),
    "no text": ((200, b'{"choices": [{"message": {"content": 7}}]}'), "no text"),
    "chatty": ((200, b" " * (5 << 20)), "more than 4 MiB"),
}


@pytest.mark.parametrize("how", FAILS)
def test_a_service_that_fails_is_a_fault_and_never_a_move(how: str, service: Service) -> None:
    said, why = FAILS[how]
    service.said = [said]
    with pytest.raises(SystemExit, match="the chat service gave no answer: ") as ended:
        choice(bot(service, retries=0))
    assert why in str(ended.value)


def test_a_dead_service_and_a_wrong_address_are_told() -> None:
    with pytest.raises(ServiceError, match="ConnectionRefusedError"):
        ChatService("http://127.0.0.1:1/v1", "tiny").ask([], 1)
    for url in ("127.0.0.1", "ftp://127.0.0.1", "https://", "http://h:99999/v1", "http://[::1/v1", "http://h/v1?a=b"):
        with pytest.raises(RulesError, match="no address of a chat service"):
            ChatService(url, "tiny")


def test_a_key_that_a_service_repeats_is_not_told(service: Service) -> None:
    """What the bot says of its end stands in journals."""
    service.said = [(401, b'{"error": "wrong key: secret"}')]
    with pytest.raises(SystemExit) as ended:
        choice(bot(service, retries=0))
    assert "wrong key" in str(ended.value) and "secret" not in str(ended.value)


@pytest.mark.parametrize("key", [b"sk-1\nsk-2", b"sk-\xff", b""])
def test_a_file_that_holds_no_key_is_refused_and_not_told(key: bytes, run: Run, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(key)
    done = run(f"{CHAT} --key-file {tmp_path / 'key'}")
    assert done.code == 2 and "one line" in done.err and "sk" not in done.err


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("a1", "a1"), ("MOVE: a1\nmove: B2 ", "b2"), ("> **Move:** `c3-c2`.", "c3-c2"), ("well\n\n'd4'\n", "d4"),
        ("MOVE: a1\nThank you!", "a1"), ("", ""), ("my move is hard to say: a1", "my move is hard to say: a1"),
    ],
)  # fmt: skip
def test_the_move_of_an_answer(text: str, move: str) -> None:
    assert move_in(text) == move


# As programs


@pytest.mark.slow
def test_the_checks_of_a_bot_pass_where_moves_are_listed(service: Service, run: Run) -> None:
    done = run(["bot", "check", "--exec", words(service, "--moves"), "--isolate", "none", "--quick", "--game", "maze",
                "--within", "4s"])  # fmt: skip
    assert done.code == 0, done.out + done.err
    assert service.asked


@pytest.mark.slow
def test_a_tournament_counts_faults_of_a_service_and_keeps_tokens(service: Service, run: Run, tmp_path: Path) -> None:
    with serving(lambda _: "MOVE: nonsense") as wrong, serving(lambda _: (500, b"dead")) as dead:
        entrants = {"right": words(service, "--moves"), "wrong": words(wrong), "dead": words(dead, "--retries", "0")}
        text = '[format]\nkind = "round robin"\ncycles = 1\n[time]\nmove = "1s"\n[limits]\nisolate = "none"\n'
        text += '[[game]]\ngame = "maze"\noptions = {size = 3}\n'
        text += "".join(f"[[entrant]]\nname = {json.dumps(n)}\nexec = {json.dumps(x)}\n" for n, x in entrants.items())
        (tmp_path / "chat.toml").write_text(text)
        played = run(["tournament", "run", str(tmp_path / "chat.toml"), "--untried"])
        run(["tournament", "show", str(tmp_path / "chat.toml"), "--records", str(tmp_path / "games"), "--thoughts"])
    told = played.out + played.err
    assert "the chat service gave no answer" in told and "dead lost game" in told and "wrong lost game" in told, told
    records = [path.read_text("utf-8") for path in (tmp_path / "games").iterdir()]
    assert len(records) == 6 and sum("40+2 tokens" in record for record in records) == 2
    assert [sum(how in record for record in records) for how in (" crash #", " illegal #")] == [3, 3]


needs_namespaces = pytest.mark.skipif(sys.platform != "linux", reason="boxes are for Linux")


@needs_namespaces
def test_an_outlet_leads_out_of_a_box_to_one_host_alone(
    service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    other = serving()
    outlet = tmp_path / "chat.outlet"
    where = f"127.0.0.1:{service.server_port}"
    with other as elsewhere, programs.Program(*COMMAND, "outlet", "~/chat.outlet", where) as opened:
        opened.wait("is open")
        lines = ['{"do": "hello", "protocol": 1, "rules": 1}', START, TURN]
        for url, more, answer in (
            (service.url, ["--outlet", "~/chat.outlet"], "a3-a2"),
            (elsewhere.url, ["--outlet", str(outlet)], "a3-a2"),  # it gets to the same host
            (service.url, [], None),
        ):
            command = [*COMMAND, "chat", "--url", url, "--model", "m", "--moves", "--retries", "0", *more]
            try:
                bot = Program(command, limits=Limits(isolate="required"))
            except BotFault as fault:
                pytest.skip(str(fault.why))
            with bot:
                for line in lines:
                    bot.send(line.encode() + b"\n")
                said = [json.loads(bot.line(DEADLINE) or b"{}") for _ in range(2)]
                assert said[1] == {"ready": True}
                if answer is None:
                    with pytest.raises(BotFault, match="the chat service gave no answer"):
                        bot.line(DEADLINE)
                else:
                    assert json.loads(bot.line(DEADLINE) or b"{}")["move"] == answer
        assert len(service.asked) == 2 and not elsewhere.asked
        assert oct(os.stat(outlet).st_mode & 0o777) == "0o600"
        again = subprocess.run([*COMMAND, "outlet", str(outlet), where], capture_output=True, text=True, check=False)
        assert again.returncode == 2 and "is open already" in again.stderr


START = json.dumps({
    "do": "start", "table": "t", "game": "maze", "options": {"size": 3}, "seats": 2, "seat": 0, "names": ["a", "b"],
    "clock": None, "seed": "1", "news": [],
})  # fmt: skip
TURN = json.dumps({"do": "turn", "turn": 1, "news": [], "clock": None, "patience": 60000, "budget": 900})


@pytest.mark.parametrize(
    ("words", "why"),
    [
        *((f"{CHAT} {given}", "it takes a number from ") for given in ("--retries=-1", "--history=-1", "--seconds=0")),
        ("outlet ~/chat.sock h:1", "ends in .outlet"),
        *((f"outlet ~/x.outlet {place}", "no host with a port") for place in ("h", "h:99999", ":80")),
    ],
)
def test_a_slip_is_refused(words: str, why: str, run: Run) -> None:
    done = run(words)
    assert done.code == 2 and why in done.err


@needs_namespaces
def test_an_outlet_lies_where_no_bot_has_its_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A box shows the folder of a bot's file with all sockets in it."""
    path = tmp_path / "x.outlet"
    done = run(["outlet", str(path), "h:1"])
    assert done.code == 2 and "in your home, as ~/x.outlet" in done.err
    monkeypatch.setenv("HOME", str(tmp_path))
    assert free_outlet("~/x.outlet") == path


@needs_namespaces
@pytest.mark.parametrize("host", ["127.0.0.1", "a..b"])
async def test_a_host_that_can_not_be_reached_keeps_nobody_at_its_outlet(host: str, tmp_path: Path) -> None:
    path = tmp_path / "x.outlet"
    leads = asyncio.create_task(lead(path, host, 1))
    while not path.exists():
        await asyncio.sleep(0)
    reader, writer = await asyncio.open_unix_connection(path)
    assert await asyncio.wait_for(reader.read(), DEADLINE) == b""
    writer.close()
    leads.cancel()

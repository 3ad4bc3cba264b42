"""The example that asks a chat service for its moves, against a service of our own on loopback."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from quadrille.client.example_files import example

START = '{"do": "start", "game": "maze", "seat": 0, "seed": "1"}'
TURN: dict[str, Any] = {
    "do": "turn", "turn": 1, "clock": None, "patience": 60000, "budget": 900, "text": "A drawing",
    "moves": ["a2-a1", "a2-b2"],
}  # fmt: skip


class Service(HTTPServer):
    """A chat service that says what it was told to say, one text after the other; None: it fails."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Chat)
        self.said: list[str | None] = []
        self.asked: list[tuple[str, str | None, dict[str, Any]]] = []


class Chat(BaseHTTPRequestHandler):
    """One request of it."""

    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, self.headers["Authorization"], body))
        said = self.server.said.pop(0) if self.server.said else self.first_move(body)
        answer = b"no" if said is None else json.dumps({"choices": [{"message": {"content": said}}]}).encode()
        self.send_response(500 if said is None else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    @staticmethod
    def first_move(body: dict[str, Any]) -> str:
        moves: str = body["messages"][0]["content"].partition("Your legal moves:\n")[2]
        return moves.partition("\n")[0]

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as service:
        thread = Thread(target=service.serve_forever, args=(0.01,))
        thread.start()
        yield service
        service.shutdown()
        thread.join()


@pytest.fixture
def words(service: Service, tmp_path: Path) -> list[str]:
    """The command of the bot, with its settings in a file."""
    told = f"CHAT_URL=http://127.0.0.1:{service.server_port}/\nCHAT_KEY=secret=1\nCHAT_MODEL=tiny\n"
    (tmp_path / "chat.env").write_text(told)
    return [sys.executable, str(example("chat_bot.py")), str(tmp_path / "chat.env")]


def answers(words: list[str], *turns: dict[str, Any]) -> tuple[list[str], str]:
    """The moves that the bot answers these turns with, and its standard error."""
    lines = ['{"do": "hello", "protocol": 1}', START, *map(json.dumps, turns), '{"do": "later"}', '{"do": "quit"}']
    done = subprocess.run(words, input="\n".join(lines), capture_output=True, text=True, check=True)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert said[0]["hello"] == "chat" and said[1] == {"ready": True}
    return [one["move"] for one in said[2:]], done.stderr


@pytest.mark.slow
def test_it_tells_the_rules_and_asks_again_once_before_it_plays_any_legal_move(
    service: Service, words: list[str]
) -> None:
    service.said = ["I think\n `a2-b2`.", "z9", "a2-a1", None, "a2-b2", "", "nothing", None, None]
    moves, errors = answers(words, *[TURN] * 5)
    assert moves[:3] == ["a2-b2", "a2-a1", "a2-b2"] and set(moves[3:]) <= {"a2-a1", "a2-b2"}
    assert service.said == [] and len(service.asked) == 9 and "the service failed" in errors
    path, key, body = service.asked[0]
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer secret=1", "tiny")
    [prompt] = [message["content"] for message in body["messages"]]
    assert prompt.startswith("# Maze") and "A drawing" in prompt and "a2-a1\na2-b2" in prompt
    assert "You answered 'z9'" in service.asked[2][2]["messages"][0]["content"]


@pytest.mark.slow
def test_without_a_service_it_plays_all_the_same(service: Service, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "chat.env").write_text("CHAT_URL=http://127.0.0.1:1\n")
    [move], errors = answers(words, TURN)
    assert move in TURN["moves"] and errors.count("the service failed") == 2


@pytest.mark.slow
def test_the_checks_of_a_bot_pass_without_the_box(service: Service, words: list[str], tmp_path: Path) -> None:
    check = [sys.executable, "-m", "quadrille.client.cli", "bot", "check", shlex.join(words), "--isolate", "none"]
    limits = ["--quick", "--game", "maze", "--within", "4s", "--home", str(tmp_path)]
    done = subprocess.run(check + limits, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert service.asked


def test_it_is_no_longer_than_sixty_lines() -> None:
    assert len(example("chat_bot.py").read_text("utf-8").splitlines()) <= 60

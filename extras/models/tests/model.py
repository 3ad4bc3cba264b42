"""A model by the client of the SDK: it calls tools of a server in this process, or of `quadrille mcp`."""

import argparse
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from quadrille.client.network.options import add_network, network_options
from quadrille.extras.models.model_place import ModelPlace
from tests.client.programs import COMMAND, at_home
from tests.programs import Program

SMALL: dict[str, dict[str, Any]] = {"barons": {"width": 3, "height": 3}, "maze": {"size": 3}, "dotter": {"laps": 1}}


class Model:
    """The calls of one, and all news that their answers brought: each line comes once, to whichever asks first."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.news = ""

    async def text(self, tool: str, **given: Any) -> str:
        """Return what a tool says, which is not refused."""
        found = await self.client.call_tool(tool, given)
        assert not found.is_error, found.content
        return str(found.content[0].text)

    async def call(self, tool: str, **given: Any) -> dict[str, Any]:
        found = await self.client.call_tool(tool, given)
        assert not found.is_error, found.content
        assert found.structured_content is None, "a model reads everything once"
        told: dict[str, Any] = json.loads(found.content[0].text)
        self.news += str(told.get("news", ""))
        return told

    async def refused(self, tool: str, **given: Any) -> str:
        found = await self.client.call_tool(tool, given)
        assert found.is_error, found
        return str(found.content[0].text)

    async def first_move(self) -> str:
        """Return the first of the legal moves, in two columns or more."""
        return (await self.text("legal_moves")).split("\n")[0].strip().split("  ")[0]

    async def play_on(self) -> dict[str, Any]:
        """Make the first legal move whenever it is its turn, to the end of the game."""
        while not (found := await self.call("wait"))["over"]:
            if found["your_turn"]:
                await self.call("move", move=await self.first_move())
        return found


def place_at(home: Path, port: int = 0) -> ModelPlace:
    parser = argparse.ArgumentParser()
    add_network(parser)
    return ModelPlace(network_options(parser.parse_args(at_home(home, port or 1, "Mo"))), "mcp")


@asynccontextmanager
async def model_here(home: Path, port: int = 0) -> AsyncIterator[Model]:
    """Yield a model whose server is in this process."""
    mcp = pytest.importorskip("mcp")  # takes a second, which no other test needs
    from quadrille.extras.models.server import server

    with place_at(home, port) as place:
        async with mcp.Client(server(place, None)) as client:
            yield Model(client)


@asynccontextmanager
async def model(home: Path, port: int = 0, *words: str) -> AsyncIterator[Model]:
    """Yield a model that starts the command."""
    mcp = pytest.importorskip("mcp")
    command, *more = [*COMMAND, "mcp", *words, *(at_home(home, port, "Mo") if port else ["--home", str(home)])]
    async with mcp.Client(mcp.stdio_client(mcp.StdioServerParameters(command=command, args=more))) as client:
        yield Model(client)


def person(home: Path, port: int) -> Program:
    """Somebody who sits down at the only table in plain lines, and takes the first move of the list."""
    command = [*COMMAND, "join", "--plain", *at_home(home, port, "Ann")]
    return Program(sys.executable, "-c", _PERSON, *command)


#: A person before a face of plain lines, as a program: it says what it reads.
_PERSON = r"""
import re, subprocess, sys
face = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
asked = False
for line in face.stdout:
    print(line, end="", flush=True)
    found = asked and re.match(r"  (\S+(?: \S+)*)", line)
    if line.startswith("The game is over"):
        face.stdin.close()
    elif line.startswith("Your turn"):
        asked = True
        print("moves", file=face.stdin, flush=True)
    elif found:
        asked = False
        print(found[1], file=face.stdin, flush=True)
"""

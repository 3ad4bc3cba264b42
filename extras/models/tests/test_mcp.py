"""`quadrille mcp` as a model's program sees it, by the client of the official SDK."""

import asyncio
import json
import shlex
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from extras.models.tests.model import SMALL, Model, model, model_here, person
from quadrille.rules.registry import game
from tests import programs
from tests.client.conftest import Run
from tests.client.programs import COMMAND, Program


async def has_its_texts(mo: Model) -> None:
    """The server tells what its tools are for, and has pages and a prompt."""
    tools = {tool.name: tool for tool in (await mo.client.list_tools()).tools}
    assert all(tool.description and "  " not in tool.description for tool in tools.values())
    assert tools["view"].annotations.read_only_hint and not tools["move"].annotations.read_only_hint
    [page] = (await mo.client.read_resource("quadrille://docs/bots")).contents
    assert page.text.startswith("# Bots")
    from mcp import MCPError

    with pytest.raises(MCPError, match="there is no document"):
        await mo.client.read_resource("quadrille://docs/nothing")
    prompt = await mo.client.get_prompt("play", {"name": "maze"})
    assert "rules of maze" in prompt.messages[0].content.text
    assert "wait" in (mo.client.instructions or "")
    assert set(SMALL) <= set(await mo.call("games"))


@pytest.mark.slow
async def test_a_model_plays_at_a_local_table_starts_no_program_and_reads_why_a_move_is_refused(tmp_path: Path) -> None:
    async with model_here(tmp_path) as mo:
        await has_its_texts(mo)
        assert "you sit at no table" in await mo.refused("look")
        for tool in ("play_local", "host"):
            for bot in ("/bin/sh -c id", "./bot.py"):
                assert "there is no bot" in await mo.refused(tool, name="barons", bots=[bot])
        assert "# Barons" in await mo.text("rules", name="barons")
        assert "there is no game" in await mo.refused("rules", name="chess")
        begun = await mo.call("play_local", name="barons", options=SMALL["barons"], bots=["random"], seats=2)
        assert begun["place"] == "local table" and begun["your_turn"]
        assert "off the board" in await mo.refused("move", move="z9")
        assert "validation error" in await mo.refused("move", move=["a1"])
        assert "validation error" in await mo.refused("act", what="cheat")
        assert "a place already" in await mo.refused("play_local", name="maze")
        view = await mo.call("view")
        assert view["game"] == "barons" and len(view["sheet"]["cells"]) == 9
        moved = await mo.call("move", move=await mo.first_move())
        assert not moved["over"]
        over = await mo.play_on()
        assert "player 2" in mo.news and over["over"]["figures"]["points"]
        assert "The game is over" in await mo.text("look")
        assert "over" in await mo.refused("move", move="a1")


def test_without_the_sdk_the_command_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    monkeypatch.delitem(sys.modules, "quadrille.extras.models.server", raising=False)
    told = run("mcp")
    assert told.code == 2
    assert told.err == "quadrille: the package mcp is not installed: install it with pip install '.[mcp]'\n"


@pytest.mark.slow
@pytest.mark.parametrize("key", ["barons", "dotter"])
async def test_a_model_plays_a_game_on_the_network_with_a_person_and_a_bot(key: str, tmp_path: Path, port: int) -> None:
    async with model(tmp_path / "mo", port) as mo:
        begun = await mo.call("host", name=key, seats=3, options=SMALL[key], bots=["random"])
        assert begun["place"] == "waiting for a table"
        with person(tmp_path / "ann", port) as ann:
            over = await mo.play_on()
            ann.wait(r"^The game is over")
            ann.end()
        assert len(over["over"]["places"]) == 3
        assert {one["name"] for one in over["players"]} >= {"Mo", "Ann"}


@pytest.mark.slow
async def test_a_model_joins_a_table_talks_and_answers_a_proposal(tmp_path: Path, port: int) -> None:
    with Program("host", "barons", "--seats", "2", "--no-lot", home=tmp_path / "ann", port=port, name="Ann") as ann:
        ann.wait("is open")
        async with model_here(tmp_path / "mo", port) as mo:
            [table] = (await mo.call("tables"))["tables"]
            assert table["host"]["name"] == "Ann" and table["state"] == "open"
            assert "no table" in await mo.refused("say", text="hello")
            seated = await mo.call("join", table=table["table"][:4])
            ann.wait(r"^Your turn")
            assert seated["place"] == "network" and not seated["your_turn"]
            assert "your turn" in await mo.refused("move", move="a1")
            assert "wait 0 to" in await mo.refused("wait", seconds=9999)
            assert not (await mo.call("wait", seconds=0))["your_turn"]
            await mo.call("say", text="good luck")
            ann.wait(r"^player 2 \(Mo\): good luck")
            ann.enter("b1")
            assert "Ann" in (await mo.call("wait"))["news"]
            await mo.call("move", move="c3")
            ann.wait(r"^player 2 \(Mo\): c3")
            ann.enter("draw")
            asked = await mo.call("wait")
            assert "draw" in asked["needs"]
            assert (await mo.call("act", what="agree"))["place"] == "network"
            assert (await mo.call("wait"))["over"]["places"] == [1, 1]
            ann.wait(r"^The game is over: a draw was agreed")
            ann.close_input()


@pytest.mark.slow
async def test_a_slow_call_keeps_no_other_waiting(tmp_path: Path, port: int) -> None:
    async with model(tmp_path / "mo", port) as mo:
        await mo.call("join")  # nobody is here, and that blocks no table of its own
        await mo.call("host", name="maze", seats=2)
        waits = asyncio.create_task(mo.call("wait", seconds=600))
        assert (await mo.call("tables")) == {"tables": [], "here": []}
        assert "place already" in await mo.refused("play_local", name="maze")
        assert (await mo.call("leave"))["place"] == "no table"
        assert (await waits)["place"] == "no table"


@pytest.mark.slow
async def test_a_model_that_vanishes_in_its_game_comes_back_to_it(tmp_path: Path, port: int) -> None:
    with Program("host", "barons", "--seats", "2", "--no-lot", home=tmp_path / "ann", port=port, name="Ann") as ann:
        ann.wait("is open")
        async with model(tmp_path / "mo", port) as mo:
            await mo.call("join")
            ann.wait(r"^Your turn")
            ann.enter("b1")
            assert (await mo.call("wait"))["your_turn"]
            waits = asyncio.create_task(mo.client.call_tool("wait", {"seconds": 600}))
            await asyncio.sleep(0)
            waits.cancel()
        ann.wait(r"Mo.* (is away|has left|is gone)")
        async with model(tmp_path / "mo", port) as again:
            assert (await again.call("resume"))["game"] == "barons"
            ann.wait(r"Mo.* is back")
            assert (await again.call("wait"))["your_turn"]
            await again.call("move", move="c3")
            ann.wait(r"^player 2 \(Mo\): c3")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="outlets are for systems with boxes")
async def test_a_model_plays_in_a_tournament_by_a_bot_in_a_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    outlet, plan = tmp_path / "model.outlet", tmp_path / "t.toml"
    command = shlex.join([*COMMAND, "mcp", "--play", str(outlet)])
    plan.write_text(
        '[format]\nkind = "round robin"\ncycles = 1\n[time]\nmove = "60s"\n[[game]]\ngame = "maze"\n'
        f'options = {{size = 3}}\n[[entrant]]\nname = "mo"\nexec = {json.dumps(command)}\n[[entrant]]\nbot = "random"\n'
    )

    async with model(tmp_path / "mo", 0, "--tournament", str(outlet)) as mo:
        assert (await mo.call("tournament_turn", seconds=0))["table"] is None
        assert "not your turn" in await mo.refused("tournament_move", table=1, move="a1")
        words = ("tournament", "run", str(plan), "--untried", "--home", str(tmp_path / "home"))
        with programs.Program(*COMMAND, *words) as run:
            ends, states = 0, defaultdict[int, Any](lambda: game("maze").start({"size": 3}))
            found = await mo.call("tournament_turn")
            while ends < 2:
                table = found["table"]
                for item in found["news"]:
                    states[table] = states[table].play(item["move"])
                ends += found["over"] is not None
                if found["your_turn"]:
                    assert found["view"]["game"] == "maze" and " 3  " in found["position"]
                    assert "off the board" in await mo.refused("tournament_move", table=table, move="z9-z8")
                    move = str(next(iter(states[table].moves)))
                    found = await mo.call("tournament_move", table=table, move=move)
                elif ends < 2:
                    found = await mo.call("tournament_turn")
            assert run.end() == 0, run.text
    assert "lost game" not in run.text and "random" in run.text and not outlet.exists()

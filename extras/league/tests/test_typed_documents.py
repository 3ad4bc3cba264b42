"""The commands of the league's chapters, typed as they stand, at both ends where they need more than one machine."""

import os
import shlex
import signal
import subprocess
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from extras.league.tests.test_cluster import begin_in
from tests.guides.test_scenes import People, here
from tests.guides.typed import GUIDES, ROOT, blocks, save, typed
from tests.net.ports import tcp_port
from tests.waiting import soon

__all__ = ["here"]
pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[1] / "docs"
MACHINES = (GUIDES / "first-bot.md", GUIDES / "run-a-tournament.md", DOCS / "many-machines.md")


@pytest.mark.parametrize("name", ["ladder", "tuning", "many-machines"])
def test_commands_of_one_machine_run_as_they_stand(name: str, tmp_path: Path) -> None:
    for page in MACHINES[:2]:
        save(page, tmp_path)
    (tmp_path / "tuned_bot.py").write_text((ROOT / "examples/tuned_bot.py").read_text("utf-8"), "utf-8")
    for text in [one.text for one in blocks(DOCS / f"{name}.md") if one.language == "sh" and not one.word]:
        typed(text, tmp_path)


def test_many_machines_play_a_tournament(here: Path) -> None:
    """With a scheduler and a worker, as the guide has them started."""
    pytest.importorskip("distributed")
    people = People(str(DOCS / "many-machines"), here)
    instead = {"192.168.1.5": "127.0.0.1", "8786": str(tcp_port())}
    for page in MACHINES:
        save(page, here)
    command = ["bash", "-c", shlex.join(people.words("runner", "quadrille tournament run league", **instead))]
    run = partial(subprocess.run, command, cwd=here, capture_output=True, text=True, check=False)
    with ExitStack() as ends:
        for who in ("scheduler", "worker"):
            program, *words = people.words(who, **instead)
            assert program == "dask"
            begun = begin_in(here, f"dask_{words[0]}", *words[1:])
            ends.callback(begun.wait)
            ends.callback(os.killpg, begun.pid, 9)
        assert soon(lambda: "complete blocks" in run().stdout), "the scheduler may not listen yet"


def test_a_bot_on_its_owner_s_machine_plays_a_tournament(here: Path) -> None:
    people = People(str(DOCS / "many-machines"), here)
    for page in MACHINES:
        save(page, here)
    with people.types("Ann", "quadrille bot first_bot.py --serve") as owner:
        line = owner.wait(r'peer = "\w{64}"')[0]
        path = here / "open.toml"
        path.write_text(path.read_text("utf-8").replace('peer = "KEY"', line), "utf-8")
        with people.types("runner", "quadrille tournament run open") as run:
            run.wait(r"2 games in 1 complete block")
            run.wait(r"Ann's bot")
            assert run.end() == 0


def test_an_evening_of_an_open_league(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QUADRILLE_PASSPHRASE", "four words are enough")
    people = People(str(DOCS / "open-league"), here)
    save(GUIDES / "first-bot.md", here)
    with people.types("Ann", "quadrille bot") as ann, people.types("Ben", "quadrille bot"):
        key = ann.wait(r"\((\w{4} \w{4} \w{4} \w{4})\) is looking for a table")[1]
        with people.types("runner", "quadrille tournament run") as run:
            run.wait(rf"\({key}\) plays")
            run.wait(r"2 bots here, .* [1-9]\d* ended")
            assert soon(lambda: "Live page: for a wall http" in run.text)  # which nothing waits for
            assert run.end(signal.SIGINT) == 130
    assert "evening.html is written" in typed(shlex.join(people.words("later")), here)
    assert people.all_is_typed()

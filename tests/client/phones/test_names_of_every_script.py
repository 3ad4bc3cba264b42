"""Names of every script: at the door, at a table, on a television, in a record and an evening, and in a tournament."""

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest

from quadrille.client.cli import main
from quadrille.client.evening.kept import KeptEvening
from quadrille.client.foreign import isolated
from quadrille.client.kept.games import store_at
from quadrille.client.table.wishes import BareWish, ProposeMotion
from tests.client.phones.page_client import PageClient
from tests.client.phones.served import HostAtHome

#: Latin with accents, Cyrillic, Greek, Hebrew, Persian with a non-joiner, Devanagari with a joiner, Thai, Chinese,
#: Korean, and a family in one picture.
TEN: Final = (
    "Zoë Ångström", "Дора Ли", "Γιώργος", "דנה 3", "علی\u200cرضا", "क्\u200dषमा", "น้ำทิพย์", "李小龍", "김철수",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
)  # fmt: skip
HOST, *GUESTS = TEN[1], TEN[0], *TEN[2:]


def shown(*names: str) -> list[str]:
    return [isolated(name) for name in names]


def players(client: PageClient) -> list[str]:
    return [player["name"] for player in client.parts["players"]]


async def agree(host: HostAtHome, *guests: PageClient) -> None:
    """End a game by a draw."""
    host.asks(ProposeMotion("draw"))
    for guest in guests:
        await guest.answer()
    for guest in guests:
        await guest.until(lambda parts: parts["over"])


@pytest.mark.slow
async def test_guests_with_names_of_ten_scripts_play_an_evening(tmp_path: Path) -> None:
    """Seven play, and the others watch them; then these play."""
    async with HostAtHome(tmp_path, name=HOST) as host, AsyncExitStack() as stack:
        await host.opens("barons", 8, 7)
        screen = await stack.enter_async_context(host.page(screen=True))
        pages = []
        for name in GUESTS:
            pages.append(page := await stack.enter_async_context(host.page()))
            await page.sit(name)
            assert page.seat["name"] == name, "no word of ours in a name"
        first, second = pages[:7], pages[7:]
        for page in pages:
            await page.come_to_table()
        await screen.until(lambda parts: parts.get("stage") == "screen")
        assert players(screen) == shown(HOST, *GUESTS[:7])
        assert [player.get("kind", "") for player in screen.parts["players"]] == ["", *["guest"] * 7]
        await agree(host, *first)
        await first[0].ask("record")
        record = (await first[0].until(lambda parts: "record" in parts))["record"]["text"]
        assert all(name in record for name in shown(HOST, *GUESTS[:7]))
        await host.table(lambda table: table.match.over)
        host.asks(BareWish.LEAVE)
        await second[0].until(lambda parts: parts["stage"] == "room")
        assert first[0].parts["over"], "who has played keeps the picture of the end"
        await host.opens("barons", 3, 2)
        for page in second:
            await page.come_to_table()
        await first[0].until(lambda parts: not (parts.get("over") or parts.get("log")))  # all of that is gone
        for page in second:
            await page.until(lambda parts: "players" in parts and len(parts["players"]) == 3)
            assert players(page) == [HOST, *("you" if name == page.seat["name"] else name for name in GUESTS[7:])]
        await agree(host, *second)
        await host.table(lambda table: table.match.over)
        await first[0].until(lambda parts: parts.get("evening", {}).get("games") == 2)
        assert {row[1] for row in first[0].parts["evening"]["rows"]} == set(shown(*TEN))
        await second[0].ask("word", word="rematch", rest="")
        await second[1].answer()
        await host.table(lambda table: table.asks)
        host.asks(BareWish.AGREE)
        for page in (*pages, screen):  # all go along
            await page.until(lambda parts: parts["stage"] in ("table", "screen") and not parts.get("over"))
    with store_at(str(tmp_path)) as store:
        assert store is not None and len(KeptEvening(store).board.games) == 2


@pytest.mark.slow
def test_bots_with_names_of_ten_scripts_play_a_tournament_and_stand_in_its_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    entrants = "".join(f'[[entrant]]\nname = "{name}"\nbot = "random"\n' for name in TEN)
    plan = f'seed = "s"\n[format]\ncycles = 1\n[[game]]\ngame = "maze"\noptions = {{size = 2}}\n{entrants}'
    Path("league.toml").write_text(plan, "utf-8")
    assert main(["tournament", "run", "league.toml", "--untried", "--quiet", "--at-once", "2"]) == 0
    capsys.readouterr()
    assert main(["tournament", "show", "league.toml"]) == 0
    told = capsys.readouterr().out
    assert [name for name in shown(*TEN) if name not in told] == []
    assert main(["tournament", "report", "league.toml", "-o", "league.html"]) == 0
    report = Path("league.html").read_text("utf-8")
    assert [name for name in shown(*TEN) if name not in report] == []

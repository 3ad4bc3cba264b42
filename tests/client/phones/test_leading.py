"""The host leads an evening of guests: puts a game away, has bots play, and lets people back, alone and at once."""

from pathlib import Path

import pytest

from quadrille.client.kept.games import left_games
from quadrille.client.network.unfinished_games import known_at
from quadrille.client.screen.network.news import News, OpenDoor
from quadrille.client.screen.table.model import ShownTable
from quadrille.client.table.wishes import BareWish, PlayMove, Return, TextWish, Verb
from tests.client.phones.served import served
from tests.client.phones.test_evening import HostAtHome
from tests.client.phones.test_seats import END, at_table, move, page, sit, told


def says_what_was_put_away_at_a_table(news: News) -> bool:
    """Not only in a room that ends in the same moment, because all are there."""
    return isinstance(news.front, ShownTable) and "Barons is put away as it stands" in " ".join(news.said)


@pytest.mark.slow
async def test_the_next_game_puts_the_running_one_away_and_who_resumes_it_has_all_back(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 2, 1)
        async with ann.page(code) as ben, ann.page(code) as cleo:
            await sit(ben, "Ben")
            await at_table(ben)
            await sit(cleo, "Cleo")
            await at_table(cleo)
            ann.asks(PlayMove("a1"))
            await ben.until(lambda parts: parts["head"]["mine"])
            barons = (await ann.until(lambda news: isinstance(news.front, ShownTable))).front.id
            ann.asks(TextWish(Verb.NEXT, "maze size=3"))
            for each in (cleo, ben):
                await each.until(lambda parts: parts["stage"] == "table" and parts["head"]["title"].endswith("size 3"))
            await ann.until(lambda _: any(map(says_what_was_put_away_at_a_table, ann.heard)))
            assert any(player.get("you") for player in cleo.parts["players"]), "who watched plays now"
            ann.asks(BareWish.LEAVE)
            (row,) = (await ann.until(lambda news: news.front is None and news.around.tables)).around.tables
            assert row.state == "mine" and {one.table.hex() for one in left_games(str(tmp_path))} == {row.id, barons}
            ann.asks(Return(barons))  # which puts the maze away
            await ben.until(lambda parts: parts["head"]["game"] == "Barons" and parts.get("at") == 1)
            await move(ben)
            await ann.until(lambda news: isinstance(news.front, ShownTable) and news.front.match.length == 2)


@pytest.mark.slow
async def test_a_host_in_plain_lines_leads_from_a_room_and_from_a_table(tmp_path: Path) -> None:
    with served(tmp_path, *END) as table:
        ann = table.host
        ann.enter("next mase")
        await told(ann, "did you mean maze")
        ann.enter("next maze size=2")
        await told(ann, "Maze.* is open|Maze, 2 players, size 2")
        async with page(table) as ben:
            await sit(ben, "Ben")
            await ben.until(lambda parts: parts.get("head", {}).get("game") == "Maze")
            await told(ann, "^Your turn|It is the turn")
            ann.enter("next barons width=3 height=3")
            await told(ann, "Maze is put away as it stands: .*quadrille resume")
            await ben.until(lambda parts: parts["head"]["game"] == "Barons")


@pytest.mark.slow
async def test_a_bot_plays_for_whom_the_host_kicks_and_one_touch_brings_the_seat_back(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 2, 1)
        async with ann.page(code) as ben:
            await sit(ben, "Ben")
            await at_table(ben)
            ann.asks(TextWish(Verb.KICK, "ben"))  # in her own turn
            await ben.until(lambda parts: parts["ask"] and "Level 2 plays for you" in parts["ask"]["text"])
            ann.asks(PlayMove("a1"))
            await ann.until(lambda news: isinstance(news.front, ShownTable) and news.front.match.length == 2)
            await ben.ask("answer", yes=True)
            await ben.until(lambda parts: not parts["ask"])
            ann.asks(PlayMove("b2"))
            ann.asks(PlayMove("c3"))
            await ben.until(lambda parts: parts["head"]["mine"])
            await move(ben)


@pytest.mark.slow
async def test_who_looks_on_has_a_voice_and_a_place_in_line(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 2, 1)
        async with ann.page(code, screen=True) as screen, ann.page(code) as ben, ann.page(code) as cleo:
            await sit(ben, "Ben")
            await at_table(ben)
            await sit(cleo, "Cleo")
            await cleo.until(lambda parts: parts.get("stage") == "table" and "number 1 in line" in str(parts["notes"]))
            await cleo.ask("say", text="hello")
            for each in (ben, cleo, screen):
                await each.until(lambda parts: "Cleo (watching): hello" in parts.get("chat", ()))
            await ann.until(lambda news: "Cleo (watching): hello" in news.front.chat)
            await cleo.ask("say", text="")
            await cleo.until(lambda parts: "1 to 500 printable characters" in parts["told"]["text"])
            for request, words in (("pick", "You only watch"), ("play", "You only watch")):
                await cleo.ask(request)
                await cleo.until(lambda parts, words=words: words in parts["told"]["text"])


@pytest.mark.slow
async def test_a_late_guest_takes_the_seat_of_a_bot_and_alone_makes_it_an_evening_to_resume(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        ann.asks(OpenDoor())
        code = await ann.opens("barons", 2, 0, "random")
        async with ann.page(code) as cleo:
            await sit(cleo, "Cleo")
            await cleo.until(lambda parts: any(one.get("you") for one in parts.get("players", ())))
            (_, seat) = (await ann.until(lambda news: news.front.chairs[1].name == "Cleo")).front.chairs
            assert seat.kind == "guest"
            news = await ann.until(lambda news: news.front.is_mine)
            ann.asks(PlayMove(next(iter(news.front.match.state.moves)).text))
            await move(cleo)
    assert known_at(str(tmp_path), left_games(str(tmp_path))[0].table)[2], "quadrille resume opens the door to her"


@pytest.mark.slow
async def test_a_move_that_comes_too_late_and_a_touch_at_the_door_have_words(tmp_path: Path) -> None:
    async with HostAtHome(tmp_path) as ann:
        code = await ann.opens("barons", 2, 1)
        async with ann.page(code) as ben, ann.page(code) as cleo:
            await cleo.ask("pick", place="a1")
            await cleo.until(lambda parts: "your name first" in parts.get("told", {}).get("text", ""))
            await sit(ben, "Ben")
            await at_table(ben)
            await ben.ask("play", at=7, line="a1")
            await ben.until(lambda parts: "gone on meanwhile" in parts["told"]["text"])
            for _ in range(2):  # a page that has heard it already is told once more
                await ben.ask("play", at=0, line="a1")
                await ben.until(lambda parts: "not your turn" in parts["told"]["text"])
                ben.parts["told"] = {"text": ""}

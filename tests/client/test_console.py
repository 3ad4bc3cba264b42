"""The two ends of a conversation, and what a screen hides from the next person."""

import io

from quadrille.client.plain.console import Console
from quadrille.rules.match import Deal, Match
from quadrille.rules.registry import game
from tests.client.keyboards import plain_table

HAND_OVER = "Press Enter, then hand over to"


def test_lines_from_a_pipe_are_repeated() -> None:
    said = io.StringIO()
    console = Console(io.StringIO(" a1 \n\nlast"), said)
    assert [console.ask("> ") for _ in range(4)] == ["a1", "", "last", None]
    assert said.getvalue() == "> a1\n> \n> last\n> \n"
    console.cover()
    assert said.getvalue().endswith("> \n")


def test_nobody_is_there() -> None:
    assert Console(None, io.StringIO()).ask("> ") is None


class Screen(Console):
    """A terminal with somebody who types these lines; it remembers what was to be seen when each was asked for."""

    def __init__(self, *typed: str) -> None:
        self.shown = io.StringIO()
        super().__init__(None, self.shown)
        self.interactive = True
        self.typed = list(typed)
        self.seen: list[tuple[str, str]] = []

    def ask(self, prompt: str) -> str | None:
        screen = self.shown.getvalue().rsplit("\n" * 50, 1)[-1]
        self.seen.append((prompt, screen))
        return self.typed.pop(0) if self.typed else None


def test_the_screen_is_covered_before_the_next_person_looks() -> None:
    match = Match(game("dotter"), seats=3, deal=Deal("s"))
    screen = Screen("draw", "peek p1 1a 1b", "", "draw", "", "draw", "", "board")
    table = plain_table(match, lambda _: {}, screen)
    table.run()
    prompts = [prompt for prompt, _ in screen.seen]
    assert prompts == [
        "player 1> ", "player 2> ", f"{HAND_OVER} player 3 ", "player 3> ",
        f"{HAND_OVER} player 1 ", "player 1> ", f"{HAND_OVER} player 2 ", "player 2> ", "player 2> ",
    ]  # fmt: skip
    faces = [face.name for face in table.match.entries[1].faces]  # type: ignore[union-attr]
    secret = " = " + " ".join(faces)
    assert secret in screen.seen[2][1]  # player 2 has peeked, and nobody else has come yet
    for number in (3, 4, 5, 6):
        assert not any(f" {face}" in screen.seen[number][1] for face in faces)
    assert "player 2: peek p1 1a 1b\n" in screen.seen[3][1]
    # Player 1 is told what came after the own last move, and player 2, coming back, sees the cards.
    assert screen.seen[5][1].startswith("player 2: peek p1 1a 1b\nplayer 3: draw\n")
    assert f"p1 1: a {faces[0]}" in screen.seen[7][1] and "player 3: draw\nplayer 1: draw\n" in screen.seen[7][1]


def test_where_nothing_is_hidden_nothing_is_covered() -> None:
    screen = Screen("a1", "b1")
    plain_table(Match(game("barons"), seats=2, deal=Deal("s")), lambda _: {}, screen).run()
    assert [prompt for prompt, _ in screen.seen] == ["player 1> ", "player 2> ", "player 1> "]

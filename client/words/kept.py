"""Sentences about games that are kept: at the end of a game, and in lists of them."""

from collections.abc import Sequence
from shlex import quote

from quadrille.client.bots.names import called
from quadrille.client.foreign import shown
from quadrille.client.table.glance import Glance, glance
from quadrille.client.words.story import YOU, few
from quadrille.rules.registry import game
from quadrille.rules.squares import quoted


def resumable(number: str, at_home: str | None) -> str:
    """How a game that was left goes on."""
    return f"This game is kept: quadrille resume {number}{in_home(at_home)} goes on with it."


def none_left(wanted: str, lines: Sequence[str], options: str) -> str:
    """Which games were left, when a text fits none of them."""
    return f"none of the games that were left is {quoted(wanted)}: {several_left(lines, options)}"


def several_left(lines: Sequence[str], options: str) -> str:
    """Which of several games goes on by which command; each line begins with the game's number."""
    commands = (line.partition("  ") for line in lines)
    rows = [f"  quadrille resume {number}{options}  {rest}" for number, _, rest in commands]
    head = "these games were left; each goes on with its command:"
    return "\n".join([head, *rows])


def at_hand(path: str) -> str:
    """Where a game is that could not be kept in the home."""
    return f"This game is kept in {path}: quadrille play --load goes on with it."


def told_nowhere(why: str) -> str:
    """Before the record of a game that could be written nowhere."""
    return f"This game can't be kept: {why}. This is its record:"


def in_home(at_home: str | None) -> str:
    """The option by which a command finds a home other than usual."""
    return f" --home {quote(shown(at_home))}" if at_home else ""


def of_record(text: str) -> str:
    """What was played, who played, and the result, by the text of a record; "" for a text that is none."""
    about = glance(text)
    return "" if about is None else _played(about, player_names(about))


def of_over(about: Glance) -> str:
    """A game of this person's that is over, as `of_record` tells of one."""
    names, bots = player_names(about), about.players.bots
    if bots.count("") == 1:
        names[bots.index("")] = YOU
    return _played(about, names)


def _played(about: Glance, names: Sequence[str]) -> str:
    result = winners(names, about.places) if about.places else "not finished"
    who = few(names) if any(about.players.names) or any(about.players.bots) else f"{about.seats} players"
    return f"{game(about.game).title}, {who}: {result}"


def of_kept(about: Glance) -> str:
    """A game that goes on, in a list: what is played, how far it is, and with whom."""
    return f"{game(about.game).title}, {about.seats} players; {moves_made(about.entries)}; with {others(about)}"


def moves_made(count: int) -> str:
    """`1 move`."""
    return f"{count} move{'' if count == 1 else 's'}"


def others(about: Glance) -> str:
    """Those at a table beside the one person there; all, if several people play."""
    bots = about.players.bots
    names = player_names(about)
    alone = list(bots).count("") == 1
    return few([name for name, bot in zip(names, bots, strict=False) if bot]) if alone else few(names)


def player_names(about: Glance) -> list[str]:
    """What the players of a record are called: by their names, bots without one by what they are."""
    names, bots = about.players.names, about.players.bots
    nobody = ("",) * about.seats
    return [
        name or (called(bot) if bot else f"player {seat + 1}")
        for seat, (name, bot) in enumerate(zip(names or nobody, bots or nobody, strict=True))
    ]


def winners(names: Sequence[str], places: Sequence[int]) -> str:
    """Who has won, in a few words."""
    first = [name for name, place in zip(names, places, strict=True) if place == 1]
    if len(first) != 1:
        return f"{few(first)} share the first place"
    return f"{first[0]} {'win' if first == [YOU] else 'wins'}"

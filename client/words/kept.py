"""Sentences about saved games: at the end of a game, and in lists."""

from collections.abc import Sequence
from shlex import quote

from quadrille.client.bots.names import called
from quadrille.client.foreign import isolated, shown
from quadrille.client.reports import many
from quadrille.client.table.players import Glance, Players
from quadrille.client.words.story import YOU, few, first_place
from quadrille.rules.errors import RulesError
from quadrille.rules.record import read_with_table
from quadrille.rules.registry import game
from quadrille.rules.squares import quoted


def resumable(number: str, at_home: str | None) -> str:
    """Say how to resume a game."""
    return f"This game is kept: quadrille resume {number}{in_home(at_home)} continues it."


def none_left(wanted: str, lines: Sequence[str], at_home: str | None) -> str:
    """List the unfinished games, if a text fits none of them, or say that there are none."""
    if not lines:
        return "no game was left in the middle"
    return f"none of the games that were left is {quoted(wanted)}: {several_left(lines, at_home)}"


def several_left(lines: Sequence[str], at_home: str | None) -> str:
    """List the commands that resume each of several games; each line begins with the game's number."""
    commands = (line.partition("  ") for line in lines)
    rows = [f"  quadrille resume {number}{in_home(at_home)}  {rest}" for number, _, rest in commands]
    head = "these games are unfinished; each continues by its command, and --forget after it removes it from this list:"
    return "\n".join([head, *rows])


def at_hand(path: str) -> str:
    """Say where a game is that could not be saved in the home folder."""
    return f"This game is kept in {path}: quadrille play --load continues it."


def told_nowhere(reason: str) -> str:
    """Return the line before the record of a game that could be written nowhere."""
    return f"This game can't be kept: {reason}. This is its record:"


def in_home(at_home: str | None) -> str:
    """Return the option that names a home folder other than the default."""
    return f" --home {quote(shown(at_home))}" if at_home else ""


def of_record(text: str) -> str:
    """Return game, players and result of a record's text; "" if it is not a record."""
    try:
        about = Glance.of(*read_with_table(text))
    except RulesError:
        return ""
    return _played(about, player_names(about))


def of_over(about: Glance) -> str:
    """Describe a finished game of this person, in the words of `of_record`."""
    names, bots = player_names(about), about.players.bots
    if bots.count("") == 1:
        names[bots.index("")] = YOU
    return _played(about, names)


def _played(about: Glance, names: Sequence[str]) -> str:
    first = [name for name, place in zip(names, about.places, strict=False) if place == 1]
    result = first_place(first) if about.places else "not finished"
    who = few(names) if any(about.players.names) or any(about.players.bots) else f"{about.seats} players"
    return f"{game(about.game).title}, {who}: {result}"


def of_kept(about: Glance) -> str:
    """Describe an unfinished game in a list: the game, its progress, the other players."""
    return f"{game(about.game).title}, {about.seats} players; {many(about.entries, 'move')}; with {others(about)}"


def others(about: Glance) -> str:
    """Name those at a table besides the one person there; all, if several people play."""
    names, bots = player_names(about), about.players.bots
    return few([name for name, bot in zip(names, bots, strict=False) if bot] if bots.count("") == 1 else names)


def player_names(about: Glance) -> list[str]:
    """Return the players of a record by name, or by their numbers."""
    return [isolated(name) or f"player {seat + 1}" for seat, name in enumerate(seat_names(about.players, about.seats))]


def seat_names(players: Players, seats: int) -> list[str]:
    """Return the names of all seats as far as a record tells them, bots without a name by their kind."""
    nobody = ("",) * seats
    rows = zip(players.names or nobody, players.bots or nobody, strict=True)
    return [name or (called(bot) if bot else "") for name, bot in rows]

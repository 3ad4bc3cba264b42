"""Input and output of pictures: records and logs, the chosen position, and the file to write."""

import shlex
from datetime import date
from typing import Final

from quadrille.client.files import STANDARD_INPUT, OpenedGame, path_of, read_text, write_file
from quadrille.client.picture.film import FilmedMatch, through
from quadrille.client.reports import many
from quadrille.client.table.players import Players
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.record import FIRST_LINE, read_with_table
from quadrille.rules.squares import quoted

#: The beginning of a tournament's journal, as of any file of SQLite.
_JOURNAL: Final = "SQLite format 3"


def told(name: str | None, person: int | None = None, at_home: str | None = None) -> FilmedMatch:
    """Show a recorded game to the player `person`; without a name, the last game that this person finished."""
    game, day = (opened(name, at_home), None) if name is not None else _last(at_home)
    viewer = through(game.match, person)
    return FilmedMatch(game.match, viewer, game.players.names, game.thoughts, game.opening, day)


def opened(name: str, at_home: str | None = None) -> OpenedGame:
    """Read a record, the log of a table, which also has names, what a bot's program kept, or a game of the store by the
    first digits of its number.
    """
    if not path_of(name).exists():
        from quadrille.client.kept.own_games import found_table, opened_table  # imported here: few have a number

        if (table := found_table(at_home, name)) is not None:
            return opened_table(at_home, table)
    text = read_text(name)
    if not text.startswith(FIRST_LINE):
        from quadrille.net.game_log import archive  # imported here: records need nothing of the network

        if archive.is_archive(text):
            from quadrille.client.claimed_names import chair_names  # imported here, as above

            standing = archive.read(text).now
            return OpenedGame.of(standing.match, {}, chair_names(standing.chairs))
    if text.startswith("{"):
        return _kept(text.encode("latin-1"))
    if text.startswith(_JOURNAL):
        raise RulesError(f"{quoted(name)} has many games: quadrille tournament game {shlex.quote(name)} N shows game N")
    return OpenedGame.of(*read_with_table(text))


def _last(at_home: str | None) -> tuple[OpenedGame, date]:
    from quadrille.client.kept.own_games import own_games  # imported here: a record that is named needs no home

    last = next(iter(own_games(at_home)), None)
    if last is None:
        raise RulesError("no game has been finished here: name a record, or play one with quadrille play")
    return last.opened(), date.fromtimestamp(last.changed)


def _kept(text: bytes) -> OpenedGame:
    """Read a game that a bot's program kept, or a bundle."""
    from quadrille.ai.checks.bundle import KeptMatch, kept_bundle, read_bundle  # imported here: few records need it
    from quadrille.net.trust.names import plain_name

    lines = text.splitlines()
    kept = KeptMatch(kept_bundle(lines) if lines[0].startswith(b'{"kept"') else read_bundle(text))
    return OpenedGame(kept.match, Players(tuple(plain_name(name) for name in kept.names)), thoughts=kept.thoughts)


def entries_at(match: Match, ply: int | None) -> int:
    """Return the number of entries up to that many moves (None: all), including those before the next move."""
    if ply is None:
        return len(match.entries)
    if not 0 <= ply <= match.ply:
        raise RulesError(f"this record has {many(match.ply, 'move')}: there is no position after {ply}")
    played = [number for number, entry in enumerate(match.entries) if isinstance(entry, Played)]
    return played[ply] if ply < len(played) else len(match.entries)


def check_output(output: str | None, *sources: str | None) -> None:
    """Refuse, before the work for a picture or a page, a file that can't be written, or that it is to be made from."""
    if output is None:
        return
    if any(source not in (None, STANDARD_INPUT) and path_of(output) == path_of(source) for source in sources):
        raise RulesError(f"{output} is what this is made from: name another file for it")
    write_file(output, b"", over=True, trial=True)


def keep(text: str, output: str | None) -> None:
    """Write a picture or a page over a file that was checked; print it if there is no file."""
    if output is None:
        print(text, end="")
    else:
        write_file(output, text, over=True)

"""What pictures are made from, and where they go: records and logs, the position that is meant, the file to write."""

from quadrille.client.files import STANDARD_INPUT, path_of, read_text, write_text
from quadrille.client.picture.film import FilmedMatch, through
from quadrille.rules.errors import RulesError
from quadrille.rules.match import Match, Played
from quadrille.rules.record import FIRST_LINE, read


def told(name: str, person: int | None = None) -> FilmedMatch:
    """What a record tells, or the log of a table, which has names too; `person` is the player who looks."""
    text = read_text(name)
    if not text.startswith(FIRST_LINE):
        from quadrille.net import archive  # here: records are read without all that a network needs

        if archive.is_archive(text):
            standing = archive.read(text).now
            return FilmedMatch(
                standing.match, through(standing.match, person), [chair.name for chair in standing.chairs]
            )
    match = read(text)
    return FilmedMatch(match, through(match, person))


def entries_at(match: Match, ply: int | None) -> int:
    """How many entries there are up to that many moves (None: all), with what happened between them and the next."""
    if ply is None:
        return len(match.entries)
    if not 0 <= ply <= match.ply:
        raise RulesError(f"this record has {match.ply} moves: there is no position after {ply}")
    played = [number for number, entry in enumerate(match.entries) if isinstance(entry, Played)]
    return played[ply] if ply < len(played) else len(match.entries)


def keep(text: str, output: str | None, record: str = STANDARD_INPUT) -> None:
    """Write a picture or a page over what is there, but never over the record; without a file it is printed."""
    if output is None:
        print(text, end="")
        return
    if record != STANDARD_INPUT and path_of(output) == path_of(record):
        raise RulesError(f"{output} is the record: name another file for the picture")
    write_text(output, text, over=True)

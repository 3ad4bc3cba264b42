"""The files of sample bots, laid into the folder from which tournaments start them, and built where they need it.

A copy there is the same for a checkout and an installed package, and a journal beside it stays complete.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

from quadrille.ai.bots.process.program import Limits
from quadrille.ai.tournament import TournamentError
from quadrille.ai.tournament.journals.book import FACT
from quadrille.ai.tournament.journals.journal import Journal
from quadrille.ai.tournament.plans.openings import Book, Openings, digest
from quadrille.ai.tournament.plans.plan import Entrant, Plan, digest_of
from quadrille.client.documents import example
from quadrille.extras.league.ladder.ladders import HERE, LadderDraft, RatedLadder, Sample

#: The folder of the samples, beside the journals.
FOLDER: Final = "samples"
#: Maximum seconds that a compiler may take.
_BUILDING: Final = 120


class Workshop:
    """Lays samples into a folder beside journals. All files are named from their folder `root`."""

    def __init__(self, root: Path) -> None:
        self.root, self._folder = root, root / FOLDER

    def lacks(self, sample: Sample) -> str:
        """Return the tool that a sample misses, or its file; "" if nothing is missing."""
        if sample.needs and shutil.which(sample.needs) is None:
            return sample.needs
        return sample.file if sample.file and self._source(sample) is None else ""

    def lacking(self, ladder: RatedLadder) -> dict[str, str]:
        """Return the samples that can't be played here, each with the missing tool, or its file if that was rated
        otherwise.
        """
        lacking = {}
        for rung in ladder.rungs:
            lack = self.lacks(rung.sample)
            if lack or self.digest(rung.sample) != rung.digest:
                lacking[rung.sample.name] = lack or rung.sample.file
        return lacking

    def entrant(self, sample: Sample) -> Entrant:
        """Lay the sample's file into the folder, make its program, and return it as an entrant of tournaments there."""
        source = self._source(sample)
        if source is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            copy = self._folder / source.name
            fresh = not copy.exists() or copy.read_bytes() != source.read_bytes()
            if fresh:
                shutil.copyfile(source, copy)
            if sample.build and (fresh or not (self._folder / sample.words[0]).exists()):
                self._build(sample)
        bot = f"{FOLDER}/{sample.bot}" if ".py" in sample.bot else sample.bot
        words = tuple(f"{FOLDER}/{word}" if (self._folder / word).is_file() else word for word in sample.words)
        return Entrant(sample.name, bot, words, digest_of(bot, words, str(self.root)), Limits())

    def digest(self, sample: Sample) -> str:
        """Hash a sample's source, which is the same wherever it is built; "" for a bot of the house."""
        source = self._source(sample)
        return digest_of("", (str(source),), str(self.root)) if source is not None else ""

    def _source(self, sample: Sample) -> Path | None:
        """Find the file of a sample; None for a bot of the house, or if the file is not there."""
        if not sample.file:
            return None
        own = HERE / sample.file
        if own.is_file():
            return own
        try:
            return example(sample.file)
        except FileNotFoundError:
            return None

    def _build(self, sample: Sample) -> None:
        try:
            subprocess.run(sample.build, cwd=self._folder, check=True, capture_output=True, timeout=_BUILDING)  # noqa: S603
        except (OSError, subprocess.SubprocessError) as error:
            raise TournamentError(f"the sample {sample.name} can't be built: {error}") from None


def openings_of(draft: LadderDraft, book: Book = ()) -> Openings | None:
    """Return the openings of a ladder's games: those of a book, or new ones; None where games are dealt."""
    if not draft.openings:
        return None
    return Openings(count=draft.openings, fewer=True, digest=digest(book) if book else "")


def begun(path: Path, plan: Plan, book: Book, secrets: Path, secret: bytes | None = None) -> Journal:
    """Open the journal of a tournament on a ladder for its run, with the openings of a book."""
    journal = Journal(path, plan=plan, folder=secrets, secret=secret)
    if plan.openings is not None and plan.openings.digest and not journal.fact(FACT):
        journal.name_book(plan.openings, FACT, json.dumps(book))
    return journal

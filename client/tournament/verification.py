"""`quadrille tournament verify FILE`: the check that the committed secret dealt a tournament's games."""

import argparse
from pathlib import Path
from typing import Final

from quadrille.ai.tournament.journal import Journal
from quadrille.ai.tournament.plan import Plan
from quadrille.ai.tournament.proof import check
from quadrille.ai.tournament.secret import Committed
from quadrille.client.cli import FINE, NO
from quadrille.client.foreign import shown
from quadrille.client.tournament.inspection import SECRETS, opened
from quadrille.client.tournament.tables import folded, many
from quadrille.net.home import home

#: Maximum faults that are listed one by one.
MOST: Final = 20


def verify(settings: argparse.Namespace) -> int:
    """Check every game; the exit code is 1 if anything is wrong, or nothing can be checked yet."""
    with opened(settings.file) as journal:
        if settings.show_secret:
            return _show(journal.plan(), journal.path, home(settings.home) / SECRETS)
        rows, found = journal.commitments, check(journal)
    for row in rows:
        print(told(row))
    for why in found.wrong[:MOST]:
        print("\n".join(folded(f"Wrong: {shown(why)}.")))
    if len(found.wrong) > MOST:
        print(f"{many(len(found.wrong) - MOST, 'more fault')} of this kind.")
    if found.before:
        print(f"{many(found.before, 'game')} from before there were secrets: bots could work out what was dealt.")
    if found.closed:
        print(f"{many(found.closed, 'game')} can be checked when the tournament has ended and its secret is shown.")
    print(f"{many(found.right, 'game')} as the secret deals them.")
    return NO if found.wrong or found.closed or found.before else FINE


def told(row: Committed) -> str:
    """Describe a commitment, and the secret if it is shown."""
    shown_as = row.secret.hex() if row.secret else "not shown yet"
    return f"Commitment {row.commitment}, from game {row.first} on; the secret: {shown_as}."


def _show(plan: Plan, path: Path, folder: Path) -> int:
    """Show the secret of an endless or unfinished tournament; later games get another one."""
    with Journal(path, plan=plan, folder=folder) as journal:
        journal.show_secret()
        print(told(journal.commitments[-1]))
    return FINE

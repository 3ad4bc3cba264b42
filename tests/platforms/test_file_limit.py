"""The limit of open files is raised where it is too low, in a program of its own: it can't be raised again here."""

import subprocess
import sys

import pytest

pytest.importorskip("resource", reason="POSIX tells how many files may be open")
RAISED = """
import resource as r
from quadrille.net.link.file_limit import raise_file_limit
for soft, hard, needed in ((90, 200, 120), (90, 200, 90), (90, 200, 80), (90, 200, 300)):
    r.setrlimit(r.RLIMIT_NOFILE, (soft, hard))
    print(raise_file_limit(needed), *r.getrlimit(r.RLIMIT_NOFILE))
"""


def test_the_limit_is_raised_to_what_is_needed_or_as_far_as_it_goes_and_never_lowered() -> None:
    told = subprocess.run([sys.executable, "-c", RAISED], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == ["120 120 200", "90 90 200", "80 90 200", "200 200 200"]

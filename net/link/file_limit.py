"""The limit of open files of this program: a connection takes five, and some systems allow only 256."""

import contextlib
import sys


def raise_file_limit(needed: int) -> None:
    """Raise the limit as far as the system allows, if it is lower than needed."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < needed:
            with contextlib.suppress(ValueError, OSError):
                most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
                resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))

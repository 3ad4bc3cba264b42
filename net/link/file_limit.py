"""The limit of open files of this program: a connection takes three to five, and some systems allow only 256."""

import contextlib
import sys
from typing import Final

#: Python's `select` on Windows takes no more sockets.
_ON_WINDOWS: Final = 512


def raise_file_limit(needed: int) -> int:
    """Raise the limit as far as the system allows, if it is lower than needed; return how many there may be now."""
    if sys.platform == "win32":
        return min(needed, _ON_WINDOWS)
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        with contextlib.suppress(ValueError, OSError):
            most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))
            soft = max(soft, most)
    return needed if soft == resource.RLIM_INFINITY else min(needed, soft)

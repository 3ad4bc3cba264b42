"""Sentences about files that can't be written or read."""

import errno
from pathlib import PurePath


def file_trouble(error: OSError, name: str = "the file", *, writes: bool = False) -> str:
    """Say why a file failed, without a full stop; the reason first, because a path may be longer than the line.

    If a file can't be written, its folder is missing.
    """
    path = str(error.filename or name)
    match error.errno:
        case errno.ENOENT:
            return f"there is no folder {PurePath(path).parent}" if writes else f"there is no file {path}"
        case errno.EACCES | errno.EPERM:
            return f"your account may not use {path}"
        case errno.EROFS:
            return f"it is read-only: {path}"
        case errno.ENOSPC:
            return f"the disk is full: {path}"
    return f"{error.strerror or error}: {path}"

"""Return whether a command can be started, as far as its file tells, and what to do if not.

The system's own message can mislead: if a script's first line names a missing interpreter, it reports the script as
missing. program.py starts programs.
"""

import errno
import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from quadrille.ai.house import NEAR, split_file
from quadrille.rules.squares import quoted

#: Maximum bytes of a first line to check; the systems read no more.
_FIRST_LINE: Final = 256
#: Maximum characters of a path in a message.
_LONGEST: Final = 200
#: Maximum files of a folder to compare.
_COMPARED: Final = 5000
#: The programs that run scripts, and the suffixes of sources that are compiled first.
_RUNS: Final = {".js": "node", ".mjs": "node", ".rb": "ruby", ".pl": "perl", ".lua": "lua", ".sh": "sh"}
_COMPILED: Final = (".rs", ".go", ".java", ".c", ".cc", ".cpp", ".cs", ".hs", ".zig")
#: The suffixes of all scripts, and the names of programs that run one.
_SCRIPTS: Final = (*_RUNS, ".py")
INTERPRETER: Final = re.compile(rf"(python|pypy|bash|deno|bun|java|julia|php|{'|'.join(_RUNS.values())})[0-9.]*")
#: File suffixes that Windows starts.
_STARTED: Final = (".exe", ".com", ".bat", ".cmd")


def why_not(words: Sequence[str], folder: str | Path | None = None, path: str | None = None) -> str:
    """Explain why these words can't be started from `folder` (None: from here); "" if no reason is visible.

    `path` is searched for programs named without a folder (None: our own PATH).
    """
    if not words or not words[0]:
        return "no program is named"
    program = os.path.expanduser(words[0])
    if os.path.dirname(program):
        path_found = path_of(program, folder)
        if not os.path.exists(path_found):
            return no_file(program, folder)
        if os.path.isdir(path_found):
            return f"{quoted_path(program)} is no file that may be run: it is a folder"
        if not os.path.isfile(path_found):
            return f"{quoted_path(program)} is no file that may be run: it is a pipe, a socket or a device"
        if not os.access(path_found, os.X_OK):
            todo = f"chmod +x {shlex.quote(program)}"
            return f"{quoted_path(program)} is no file that may be run: it is there, but not executable ({todo})"
    elif (on_path := shutil.which(program, path=path)) is None:
        return f"there is no program {quoted_path(program)} on the PATH"
    else:
        path_found = on_path
    about = (
        _about_ending(program, path_found)
        if sys.platform == "win32"
        else _about_first_line(program, path_found, folder, path)
    )
    return about or _about_script(words, folder)


def path_of(word: str, folder: str | Path | None = None) -> str:
    """Return the path that a word of a command names, seen from a folder (None: from here).

    The words alone decide what `..` leaves, and no link does: so it is the same path in a box, where the folder before
    it is missing.
    """
    return os.path.normpath(os.path.join(os.path.abspath(folder or "."), os.path.expanduser(word)))


def named_path(word: str, folder: str | Path | None = None) -> str:
    """Return the path that a word of a command names, where a file of Python may be named with a class."""
    return path_of(split_file(word)[0] or word, folder)


def similar_file(path: str, folder: str | Path | None = None) -> str:
    """Find a file or folder with a similar name in the same place, which was perhaps meant; "" if there is none."""
    beside, name = os.path.split(path)
    try:
        there = os.listdir(os.path.join(folder or ".", os.path.expanduser(beside)))[:_COMPARED]
    except OSError:
        return ""
    near = get_close_matches(name, [other for other in there if other != name], 1, NEAR)  # a link to nothing is there
    return os.path.join(beside, near[0]) if near else ""


def meant_command(name: str, folder: str | Path | None = None) -> str:
    """Return the right name of a bot whose file is here, but was named like a built-in one; "" without a file."""
    file = os.path.join(folder or ".", os.path.expanduser(name))
    if not name or not os.path.isfile(file):
        return ""
    path, ending = os.path.splitext(name)
    here = "" if os.path.dirname(name) else "./"
    if ending.lower() in _COMPILED:
        return f"the program that is compiled from it, such as {here}{shlex.quote(path)}"
    if ending.lower() in _RUNS and not os.access(file, os.X_OK):
        return f'"{_RUNS[ending.lower()]} {shlex.quote(name)}"'
    return f"{here}{shlex.quote(name)}"


def no_file(path: str, folder: str | Path | None = None) -> str:
    """Make the sentence about a missing file, with the one that was perhaps meant."""
    where = "" if folder is None or os.path.isabs(path) else f" (looked for from {folder} on)"
    near = similar_file(path, folder)
    return f"there is no file {quoted_path(path)}{where}" + (f": did you mean {quoted_path(near)}?" if near else "")


def split_words(text: str) -> list[str]:
    """Split a command into words as a shell does; on Windows a backslash separates folders, and escapes nothing.

    A quotation that is not closed is a ValueError.
    """
    words = shlex.shlex(text, posix=True)
    words.whitespace_split, words.commenters = True, ""
    if sys.platform == "win32":
        words.escape = ""
    return list(words)


def _about_ending(program: str, file: str) -> str:
    """Refuse a name with an ending that Windows does not start by itself; a script needs its interpreter named."""
    ending = os.path.splitext(file)[1]
    if not ending or ending.lower() in _STARTED:
        return ""
    runs = {".py": "python", ".js": "node"}.get(ending.lower(), "PROGRAM")
    return f"{quoted_path(program)} can't be started by itself on Windows: name what runs it, as in {runs} {program}"


def _about_script(words: Sequence[str], folder: str | Path | None) -> str:
    """Refuse a script that is missing where an interpreter is to run it, which would look for it in the bot's box."""
    program, *more = words
    script = next((word for word in more if not word.startswith("-")), "")
    name = os.path.basename(program).lower().removesuffix(".exe")
    if not INTERPRETER.fullmatch(name) or os.path.splitext(script)[1].lower() not in _SCRIPTS:
        return ""
    return "" if os.path.exists(path_of(script, folder)) else no_file(script, folder)


def _about_first_line(program: str, file: str, folder: str | Path | None, path: str | None) -> str:
    """Explain the fault in a script's first line, which names its interpreter."""
    line = script_line(file)
    if not line:
        return ""
    if line.endswith("\r"):
        return f"{quoted_path(program)}: its lines end as on Windows (CR LF): save it with the line ends of Unix (LF)"
    interpreter, *more = line.removeprefix("#!").split() or [""]
    missing = ""
    if not interpreter or not os.path.exists(os.path.join(folder or ".", interpreter)):
        missing = f"there is no program {quoted_path(interpreter)}"
    elif os.path.basename(interpreter) == "env":
        named = more[1:2] if more[:1] == ["-S"] else more[:1]
        if named and named[0][0] != "-" and "=" not in named[0] and shutil.which(named[0], path=path) is None:
            missing = f"there is no program {quoted_path(named[0])} on the PATH"
    return f"{quoted_path(program)}: it begins with {quoted_path(line)}, and {missing}" if missing else ""


def script_line(path: str) -> str:
    """Return the first line of a script, which names its interpreter; "" for other files, and for unreadable ones."""
    try:
        if not os.path.isfile(path):  # whoever opens a pipe waits
            return ""
        with open(path, "rb") as file:
            first = file.read(_FIRST_LINE).partition(b"\n")[0]
    except OSError:
        return ""
    return os.fsdecode(first) if first.startswith(b"#!") else ""


def refusal(number: int) -> str:
    """Explain a system error at the start of a program that passed all checks."""
    match number:
        case errno.ENOEXEC:
            return "it is no program that this system can run (a script begins with #!)"
        case errno.ENOENT:
            return "it is there, but not the loader or interpreter that it needs"
    return os.strerror(number).lower()


def quoted_path(text: str) -> str:
    """Quote a path or a command, which may be longer than other words."""
    return quoted(text, _LONGEST)

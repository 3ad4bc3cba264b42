"""Return whether a bot's program ends after `quit`, and whether a process of it stays behind.

A program may have helper processes while it runs. Its warden (ai/bots/process/warden.py) kills what survives it; to
see survivors, the warden is stopped for that moment. Only on Linux; elsewhere only the first check is made.
"""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from quadrille.ai.bots.process.executable import quoted_path
from quadrille.ai.bots.process.program_lines import within
from quadrille.ai.bots.process.usage import children, descendants, fields
from quadrille.ai.bots.talk import GRACE
from quadrille.ai.checks.trial import Player
from quadrille.ai.faults import BotFault

#: Seconds for a program to end, and for its helpers to end after it.
QUIT: Final = GRACE
_AFTER: Final = 0.2
#: Maximum times that a program is waited for.
_ROUNDS: Final = 40


def check_end(play: Callable[[], None], player: Player) -> None:
    """Play a game with a program, tell it to quit, and watch; a `BotFault` says what is wrong."""
    play()
    talk = player.talk
    talk.dialogue.quit()
    if sys.platform != "linux":
        _await_end(player, lambda: _has_ended_by_itself(player))
        return
    warden = talk.program.warden
    program = children(warden)[0]
    os.kill(warden, signal.SIGSTOP)
    try:
        for line in talk.dialogue.outgoing:  # not through the talk, which would notice the end and close all
            talk.program.send(line)
        talk.dialogue.outgoing.clear()
        _await_end(player, lambda: program not in _left(warden))
        if not within(_AFTER, lambda: not _left(warden)) and (left := _left(warden)):
            raise BotFault("crash", f"ended and left {_processes(len(left))} behind, such as {_name(left[0])}")
    finally:
        os.kill(warden, signal.SIGCONT)


def _await_end(player: Player, has_ended: Callable[[], bool]) -> None:
    """Wait, and again where the program mostly waited for a processor: a busy machine is not its fault."""
    for _ in range(_ROUNDS):
        before = _waited(player)
        if within(QUIT, has_ended):
            return
        if _waited(player) - before < QUIT / 2:
            break
    raise BotFault("stall", f"did not end within {QUIT:g} seconds after it was told to quit")


def _waited(player: Player) -> float:
    """Return for how many seconds the program's threads waited for a processor."""
    return (player.talk.share() or (0.0, 0.0))[1]


def _has_ended_by_itself(player: Player) -> bool:
    try:
        player.talk.hear(0)
    except BotFault:
        return True
    return False


def _processes(count: int) -> str:
    return f"{count} process{'es' if count > 1 else ''}"


def _left(warden: int) -> list[int]:
    """List the processes that have not ended."""
    left = []
    for process in descendants(warden):
        with suppress(OSError):  # it has ended, and is reaped
            if fields(process)[0] not in (b"Z", b"X"):
                left.append(process)
    return left


def _name(process: int) -> str:
    with suppress(OSError):
        if name := Path(f"/proc/{process}/cmdline").read_text("utf-8", "replace").replace("\0", " ").strip():
            return quoted_path(name)
    return f"process {process}"

"""A session of a terminal as one SVG that moves, by CSS alone: it does so as a picture in a page, too.

Each part of a frame is there once, and shown in the frames that have it. Where nothing may move, or no CSS is, the last
frame stands.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from tests.look.svg import Cell, grounds, head, signs


@dataclass(frozen=True, slots=True)
class Frame:
    rows: list[list[Cell]]
    lasts: int


def film(frames: Sequence[Frame], title: str, paper: str) -> str:
    shown = _presence([grounds(frame.rows, paper) for frame in frames])
    shown += _presence([signs(frame.rows) for frame in frames])
    times = sorted({there for _, there in shown} - {(True,) * len(frames)})
    names = {there: f"f{number}" for number, there in enumerate(times)}
    parts = head(frames[-1].rows, title, paper)
    parts[-1:-1] = ["<style>", *(_style(names[there], there, frames) for there in times), _STILL, "</style>"]
    for there, run in groupby(shown, key=lambda one: one[1]):
        drawn = [part for part, _ in run]
        parts += drawn if there not in names else [f'<g class="{names[there]}">', *drawn, "</g>"]
    return "\n".join([*parts, "</svg>", ""])


_STILL = "@media (prefers-reduced-motion:reduce){g{animation:none!important}}"


def _presence(frames: Sequence[Sequence[str]]) -> list[tuple[str, tuple[bool, ...]]]:
    """Every part that any frame has, and which frames have it; those of the same frames stand together."""
    sets = [set(parts) for parts in frames]
    found = {part: tuple(part in one for one in sets) for parts in frames for part in parts}
    return sorted(found.items(), key=lambda one: one[1])


def _style(name: str, there: tuple[bool, ...], frames: Sequence[Frame]) -> str:
    """When a group is seen: as in the last frame, unless it moves."""
    whole, now, steps = sum(frame.lasts for frame in frames), 0, []
    for number, (seen, frame) in enumerate(zip(there, frames, strict=True)):
        if number == 0 or seen != there[number - 1]:
            steps.append(f"{100 * now / whole:.3f}%{{visibility:{_WORDS[seen]}}}")
        now += frame.lasts
    last = "" if there[-1] else "visibility:hidden;"
    return f".{name}{{{last}animation:{name} {whole}ms step-end infinite}}@keyframes {name}{{{''.join(steps)}}}"


_WORDS = {True: "visible", False: "hidden"}

"""SPSA: which numbers win most, from games of one choice of them against another (J. C. Spall, 1992).

A step moves all parameters at once by a little in a random direction, up or down each, and plays the one end of that
move against the other. The score tells how much was gained along it, so that each parameter follows by its own part.
That costs the same games with one parameter as with ten, and noise averages out over steps.

A machine without games: `pair` says which values are to play against which, and `tell` takes the score. Everything
follows from the seed and the scores. All is measured in parts of each parameter's range.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10, sqrt
from typing import Final

from quadrille.ai.bots.lines.parameters import Number, Parameter, Values
from quadrille.rules.chance import Stream

#: How fast moves and their followings shrink: Spall's practical exponents.
GAMMA: Final = 0.101
ALPHA: Final = 0.602
#: Share of all steps by which the first followings are damped (Spall's A).
DAMPED: Final = 0.1
#: The first move to either side, and how far mere noise carries a parameter in the first step: parts of its range.
ASIDE: Final = 0.2
CARRIED: Final = 0.06
#: The longest that a parameter follows in one step.
FARTHEST: Final = 0.15
#: The share of the last steps whose average is the result.
LAST: Final = 0.5
#: Digits of a fraction after the first digit of its range.
DIGITS: Final = 3
_BITS: Final = 53


@dataclass(frozen=True, slots=True)
class Pair:
    """The two sides of a step."""

    plus: Values
    minus: Values


class Spsa:
    """A search over some parameters; one of them at least has several values."""

    def __init__(self, parameters: Sequence[Parameter], seed: str, *, steps: int, games: int) -> None:
        """Begin a search of `steps` planned steps, perhaps more, with `games` in each."""
        self.parameters = tuple(parameters)
        self.seed = seed
        self.step = 0
        self._free = [free for free in parameters if not free.fixed]
        self._places = [_place(free, free.usual) for free in self._free]
        self._past = [tuple(self._places)]
        self._damped = DAMPED * steps
        # an even score of n games is off by 1 / sqrt(n) of its range from -1 to 1, at most
        self._gain = CARRIED * 2 * ASIDE * sqrt(games) * (1 + self._damped) ** ALPHA

    def pair(self) -> Pair:
        """Choose the two sides of the next step."""
        ends = self._ends()
        return Pair(self._values([plus for plus, _ in ends]), self._values([minus for _, minus in ends]))

    def tell(self, score: float) -> None:
        """Take the share of points that the plus side took in this step: 0.5 leaves everything as it is."""
        gain = self._gain / (self.step + 1 + self._damped) ** ALPHA
        for place, (parameter, (plus, minus)) in enumerate(zip(self._free, self._ends(), strict=True)):
            across = _place(parameter, plus) - _place(parameter, minus)
            moved = gain * (2 * score - 1) / across
            self._places[place] += max(-FARTHEST, min(FARTHEST, moved))
            self._places[place] = max(0.0, min(1.0, self._places[place]))
        self._past.append(tuple(self._places))
        self.step += 1

    @property
    def values(self) -> Values:
        """The result so far: the average of the last places, as values that the bot takes."""
        return self._values(list(map(self._value, self._free, self.places)))

    @property
    def places(self) -> list[float]:
        """The average of the last places of the parameters that are not fixed: from 0 to 1 in their ranges."""
        last = self._past[-max(1, round(LAST * self.step)) :]
        return [sum(row) / len(last) for row in zip(*last, strict=True)]

    def _ends(self) -> list[tuple[Number, Number]]:
        """Choose the values of each free parameter on both sides of the next step. They always differ."""
        stream = Stream(self.seed, f"step {self.step}")
        part = ASIDE / (self.step + 1) ** GAMMA
        pairs = []
        for parameter, place in zip(self._free, self._places, strict=True):
            word = stream.word()
            up, chance = 1 if word & 1 else -1, (word >> 1) % (1 << _BITS) / (1 << _BITS)
            span = parameter.most - parameter.least
            aside = max(part, 0.5 / span) if parameter.whole else part  # whole numbers differ by 1 at least
            middle = max(aside, min(1 - aside, place))
            ends = [parameter.least + (middle + side * aside) * span for side in (up, -up)]
            if parameter.whole:
                # both are rounded by the same chance, so that their average is what is meant
                ends = [max(parameter.least, min(parameter.most, floor(end + chance))) for end in ends]
            else:
                ends = [_rounded(parameter, end) for end in ends]
            pairs.append((ends[0], ends[1]))
        return pairs

    def _value(self, parameter: Parameter, place: float) -> Number:
        number = parameter.least + place * (parameter.most - parameter.least)
        return floor(number + 0.5) if parameter.whole else _rounded(parameter, number)

    def _values(self, free: Sequence[Number]) -> Values:
        numbers = iter(free)
        return tuple(
            (parameter.name, parameter.usual if parameter.fixed else next(numbers)) for parameter in self.parameters
        )


def _place(parameter: Parameter, number: Number) -> float:
    return (number - parameter.least) / (parameter.most - parameter.least)


def _rounded(parameter: Parameter, number: float) -> float:
    """Round a fraction to as many digits as its range makes sense of."""
    digits = DIGITS - floor(log10(parameter.most - parameter.least))
    return max(parameter.least, min(parameter.most, round(number, digits)))

"""Draws of families: what one takes its parameters from, and how a draw is named by a seed and a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from konig.lab.generators.draws import Draws

Value = TypeVar("Value")
Variants = TypeVar("Variants", bound=Callable[..., Any])

LEAST, MOST = 10**3, 10**7
# Streams of a seed: those of the draws, by their numbers, and those of the orders of the families, by rounds.
ORDERS_FROM = 1 << 40


class Chance:
    """The random parameters of one draw. Each is kept under its name, for reports.

    Examples
    --------
    >>> from konig.lab.wild.drawing import Chance
    >>> chance = Chance(seed=1, number=0)
    >>> degree = chance.whole("degree", 2, 20)
    >>> chance.told == {"degree": degree}
    True
    """

    def __init__(self, seed: int, number: int):
        self._draws = Draws(seed, number)
        self.told: dict[str, Any] = {}

    def real(self, name: str, low: float, high: float) -> float:
        """A real, uniform."""
        return self._tell(name, low + (high - low) * self._uniform())

    def log(self, name: str, low: float, high: float) -> float:
        """A real whose logarithm is uniform."""
        return self._tell(name, low * math.exp(math.log(high / low) * self._uniform()))

    def whole(self, name: str, low: int, high: int) -> int:
        """An integer from `low` to `high`, log-uniform: every order of magnitude is equally likely."""
        high = max(low, high)
        drawn = math.floor((low + 1) * math.exp(math.log((high + 2) / (low + 1)) * self._uniform())) - 1
        return self._tell(name, min(drawn, high))

    def pick(self, name: str, *options: Value) -> Value:
        """One of the options."""
        return self._tell(name, options[int(self._uniform() * len(options))])

    def coin(self, name: str, probability: float = 0.5) -> bool:
        """Whether it is so; kept only then."""
        if self._uniform() >= probability:
            return False
        return self._tell(name, True)

    def seed(self) -> int:
        """A seed for a generator."""
        return int(self._draws.raw(1)[0] >> 1)

    def draws(self) -> Draws:
        """A stream of its own for arrays of random numbers."""
        return Draws(self.seed())

    def _uniform(self) -> float:
        return float(self._draws.uniform(1)[0])

    def _tell(self, name: str, value: Value) -> Value:
        self.told[name] = value
        return value


# Makes about as many entries as the number says.
Family = Callable[[int, Chance], Any]


@dataclass(frozen=True)
class Request:
    """A draw by name: nothing else decides what it is."""

    problem: str
    seed: int
    number: int
    least: int = LEAST  # the range of the number of entries
    most: int = MOST
    family: str = ""  # of this family only
    device: bool = False  # of families that a GPU takes


@dataclass(frozen=True)
class Draw:
    family: str
    data: Any
    told: dict[str, Any]  # the parameters

    def described(self) -> str:
        """The parameters in one line."""
        shown = ((k, f"{v:.3g}" if isinstance(v, float) else v) for k, v in self.told.items())
        return " ".join(name if value is True else f"{name}={value}" for name, value in shown)


@dataclass
class Families:
    """The families of a problem. As a decorator it adds one.

    ``finish`` gives an instance what does not depend on its family: an order, a type.
    """

    finish: Callable[[Any, Chance], Any]
    by_name: dict[str, Family] = field(default_factory=dict)
    host_only: set[str] = field(default_factory=set)

    def __call__(self, function: Family) -> Family:
        self.by_name[function.__name__] = function
        return function

    def each(self, **variants: Any) -> Callable[[Variants], Variants]:
        """Add a family for each name: the function takes the value of the name first."""

        def add(function: Variants) -> Variants:
            self.by_name |= {name: partial(function, value) for name, value in variants.items()}
            return function

        return add

    def on_the_host(self, function: Family) -> Family:
        """Add a family whose instances no GPU takes."""
        self.host_only.add(function.__name__)
        return self(function)

    def check(self, name: str) -> None:
        if name not in self.by_name:
            raise ValueError(f"family {name!r} is not one of {', '.join(sorted(self.by_name))}")

    def draw(self, request: Request) -> Draw:
        chance = Chance(request.seed, request.number)
        # Drawn before the family's parameters, so that a draw of another range is the same but for its size.
        entries = round(chance.log("entries", request.least, request.most))
        name = self.chosen(request)
        data = self.finish(self.by_name[name](entries, chance), chance)
        return Draw(name, data, chance.told | {"entries": entries})

    def chosen(self, request: Request) -> str:
        """The family of a draw: each round has all of them, in an order of its own."""
        if request.family:
            self.check(request.family)
            return request.family
        names = [name for name in self.by_name if not (request.device and name in self.host_only)]
        turn, place = divmod(request.number, len(names))
        return names[int(Draws(request.seed, ORDERS_FROM + turn).permutation(len(names))[place])]

"""Real capacities where they are, on a GPU: their profile, whole numbers of a unit for them, and back.

The program is ``konig/flow/units.h``. Operations of CuPy's would be compiled on first use, one by one.
NumPy's arrays are taken, too.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from konig.exact_reals import LOWEST
from konig.flow.programs import units as units_task
from konig.index_arrays import array_module
from konig.machine import Machine, on_gpu, on_threads
from konig.programs import Outcome, Task


class Profile(NamedTuple):
    """What there is to know of numbers before a unit is chosen for them.

    ``finest`` is the exponent of the largest power of two that divides all finite ones, 0 if all are zero;
    ``largest`` is the largest finite one. Both mean nothing where a number is ``wrong``: negative or NaN.
    """

    wrong: bool
    finest: int
    largest: float
    unbounded: bool


def profile(reals: Any) -> Profile:
    """The profile of float64 numbers."""
    words = _run(units_task(reals, 0)).words
    largest = float(np.array(words["largest"], np.int64).view(np.float64))
    return Profile(bool(words["wrong"]), words["finest"], largest, bool(words["unbounded"]))


def multiples(reals: Any, exponent: int, most: int, up: bool = False) -> Any:
    """What `konig.exact_reals.multiples` gives; rounded ``up``, no less than the numbers."""
    units = array_module(reals).empty(reals.shape, np.int64)
    _run(units_task(reals, 1, units=units, exponent=exponent, most=most, up=int(up)))
    return units


def scaled(units: Any, exponent: int) -> Any:
    """Numbers of units of 2**exponent as float64, which holds them all."""
    xp = array_module(units)
    units = xp.ascontiguousarray(units, np.int64)
    reals = xp.empty(units.shape, np.float64)
    halves = exponent // 2, exponent - exponent // 2
    first, second = (math.ldexp(1.0, half) for half in halves)
    _run(units_task(reals, 2, units=units, reals=reals, first=first, second=second))
    return reals


def sum_bound(count: int, found: Profile) -> Fraction:
    """What all finite numbers together are not above."""
    return max(count * Fraction(found.largest), Fraction(2) ** LOWEST)


def _run(task: Task) -> Outcome:
    return machine_of(task.given["bits"]).run(task, None)


def machine_of(array: Any) -> Machine:
    """What runs programs on an array where it is."""
    xp, team = array_module(array), {"team": "threads"}
    return on_threads(team, threads=1) if xp is np else on_gpu(xp, team)

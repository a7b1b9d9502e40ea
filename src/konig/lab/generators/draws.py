"""Seeded random draws that stay the same from one machine and NumPy version to the next.

NumPy promises a stable stream for the raw words of a bit generator, but not for the distributions of
``numpy.random.Generator`` (NEP 19). All draws here are therefore derived from the raw words of PCG64.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from konig.arguments import integer

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]


class Draws:
    """A stream of random numbers, named by a seed and a stream number."""

    def __init__(self, seed: int, stream: int = 0):
        words = np.random.SeedSequence(integer("seed", seed, most=None), spawn_key=(stream,))
        self._bits = np.random.PCG64(words)

    def skip(self, count: int) -> None:
        """Leave out as many words as `raw` would return."""
        self._bits.advance(count)

    def raw(self, count: int) -> Words:
        """Return `count` independent 64-bit words."""
        words: Words = self._bits.random_raw(count)
        return words

    def uniform(self, count: int) -> NDArray[np.float64]:
        """Return `count` reals in [0, 1), multiples of 2**-53."""
        return (self.raw(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def integers(self, bound: int, count: int) -> Ints:
        """Return `count` integers in [0, bound); the bias of the remainder is below bound / 2**64."""
        return (self.raw(count) % np.uint64(max(bound, 1))).astype(np.int64)

    def permutation(self, count: int) -> Ints:
        """Return a random order of ``range(count)``."""
        return np.argsort(self.raw(count), kind="stable").astype(np.int64, copy=False)

    def poisson(self, mean: float, count: int) -> Ints:
        """Return `count` Poisson variables, by inversion of a table that leaves out less than 1e-16."""
        if mean == 0:
            return np.zeros(count, dtype=np.int64)
        longest = int(mean + 12 * math.sqrt(mean) + 30)
        mass = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(longest)]
        return np.searchsorted(np.cumsum(mass), self.uniform(count), side="right").astype(np.int64)

    def distinct(self, population: int, count: int) -> Ints:
        """Return `count` distinct integers of ``range(population)``, all subsets equally likely, sorted."""
        if 2 * count > population:
            kept = np.ones(population, dtype=bool)
            kept[self.distinct(population, population - count)] = False
            return np.flatnonzero(kept)
        # Drawing with repetition until `count` different ones are there favours no subset.
        chosen = sorted_unique(self.integers(population, count))
        while chosen.size < count:
            chosen = _merged(chosen, self.integers(population, count - chosen.size))
        return chosen

    def subsets(self, sizes: Ints, width: int) -> tuple[Ints, Ints]:
        """Return, for each i, a random subset of ``range(width)`` with ``sizes[i]`` members.

        The subsets come as one list of pairs (i, member), in no particular order.
        """
        if 4 * int(sizes.max(initial=0)) >= width:
            order = np.argsort(self.raw(sizes.size * width).reshape(sizes.size, width), axis=1, kind="stable")
            owner, rank = np.nonzero(np.arange(width) < sizes[:, None])
            return owner, order[owner, rank].astype(np.int64, copy=False)
        pairs = np.empty(0, dtype=np.int64)
        missing = sizes
        while missing.any():
            owner = np.repeat(np.arange(sizes.size), missing)
            pairs = _merged(pairs, owner * width + self.integers(width, owner.size))
            missing = sizes - np.bincount(pairs // width, minlength=sizes.size)
        return pairs // width, pairs % width


def sorted_unique(values: Ints) -> Ints:
    """Return the sorted distinct members of `values`, whose order is destroyed."""
    values.sort()
    if values.size == 0:
        return values
    first = np.empty(values.size, dtype=bool)
    first[0] = True
    np.not_equal(values[1:], values[:-1], out=first[1:])
    return values if first.all() else values[first]


def _merged(chosen: Ints, fresh: Ints) -> Ints:
    """Return the sorted union of `chosen`, sorted and distinct, and `fresh`, in any order."""
    fresh = sorted_unique(fresh)
    place = np.searchsorted(chosen, fresh)
    new = np.ones(fresh.size, dtype=bool)
    inner = place < chosen.size
    new[inner] = chosen[place[inner]] != fresh[inner]
    return np.insert(chosen, place[new], fresh[new])

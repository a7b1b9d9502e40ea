"""NetworkX graphs read into arrays: who is adjacent to whom, and one number of each edge.

What konig does not take is a NotImplementedError: NetworkX then asks the next backend, or runs its own code.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

Node = Hashable
Neighbours = Mapping[Node, Any]

# Integer names are looked up in a table of at most so many words per node. Nanoseconds per neighbour with the
# table and with a dictionary: 67 and 45 at 1,000 edges, 240 and 630 at 100,000, 700 and 1,480 at 1,000,000.
_SPREAD = 4
_INTEGERS = (int, np.integer)
_EXACT = 2**53


def adjacency(G: Any) -> dict[Node, Neighbours]:
    """The neighbours of each node, with their edges: those of the graph itself, or copies from a view."""
    return {
        node: neighbours if isinstance(neighbours, dict) else dict(neighbours)
        for node, neighbours in G.adjacency()
    }


class Numbering:
    """Numbers nodes from 0 in their order. Integer names are looked up in a table, others in a dictionary."""

    def __init__(self, nodes: Sequence[Node]):
        self._nodes = nodes
        self._names = _integer_names(nodes)
        if self._names is None:
            self._index()
        else:
            self._low = int(self._names.min())
            self._table = np.full(int(self._names.max()) - self._low + 1, -1, np.int32)
            self._table[self._names - self._low] = np.arange(len(nodes), dtype=np.int32)

    def _index(self) -> None:
        self._number = dict(zip(self._nodes, range(len(self._nodes)), strict=True))

    def of_all(self, lists: Sequence[Iterable[Node]], count: int) -> np.ndarray:
        """The numbers of all nodes in these lists; KeyError for what is not numbered."""
        if self._names is not None:
            try:
                names = array("q", chain.from_iterable(lists))  # type: ignore[type-var]
            except (TypeError, OverflowError):  # other names, perhaps 1.0, which is the same node as 1
                self._index()
            else:
                return self._looked_up(np.frombuffer(names, np.int64))
        number = self._number.__getitem__
        return np.fromiter(map(number, chain.from_iterable(lists)), np.int32, count)

    def _looked_up(self, names: np.ndarray) -> np.ndarray:
        if not len(names):
            return np.zeros(0, np.int32)
        low, high = int(names.min()), int(names.max())
        if low < self._low or high >= self._low + len(self._table):
            raise KeyError(low if low < self._low else high)
        numbers: np.ndarray = self._table[names - self._low]
        if numbers.min() < 0:
            raise KeyError(int(names[numbers.argmin()]))
        return numbers


def _integer_names(nodes: Sequence[Any]) -> np.ndarray | None:
    """The names of nodes, if they are integers that lie close enough for a table."""
    if not nodes or set(map(type, nodes)) != {int}:
        return None
    low, high = min(nodes), max(nodes)
    if high - low >= _SPREAD * len(nodes) or low < -(2**62) or high > 2**62:
        return None
    return np.array(nodes, np.int64)


class Entries(NamedTuple):
    """The neighbours of some nodes, one list after the other: those of node i begin at ``start[i]``."""

    start: np.ndarray
    neighbour: np.ndarray


def entries(lists: Sequence[Neighbours], numbering: Numbering) -> Entries:
    """The lists as numbers; KeyError for a neighbour that is not numbered."""
    start = np.zeros(len(lists) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, lists), np.int64, len(lists)), out=start[1:])
    return Entries(start, numbering.of_all(lists, int(start[-1])))


def edge_values(lists: Sequence[Neighbours], attribute: Any, missing: float) -> list[Any]:
    """An attribute of all edges in these lists."""
    return [edge.get(attribute, missing) for neighbours in lists for edge in neighbours.values()]


class Numbers(NamedTuple):
    """Numbers of edges; ``whole`` if they are integers, apart from infinite ones."""

    array: np.ndarray
    whole: bool


def as_numbers(values: list[Any], attribute: Any) -> Numbers:
    """Integers and floats as an array; anything else, and what would be rounded, is declined."""
    try:
        found = np.array(values) if values else np.zeros(0, np.int64)
    except (ValueError, TypeError, OverflowError):
        found = np.zeros(0, object)
    if found.ndim != 1 or found.dtype.kind not in "biuf" or found.dtype.itemsize > 8:
        raise NotImplementedError(f"{attribute!r}: konig takes integers of 64 bits and floats")
    if found.dtype.kind == "b":
        return Numbers(found.astype(np.int64), True)
    if found.dtype.kind != "f":
        if found.dtype == np.uint64 and found.max() >= 2**63:
            raise NotImplementedError(f"{attribute!r}: an integer above 2**63 - 1")
        return Numbers(found, True)
    kinds = Counter(map(type, values))
    integers = sum(count for kind, count in kinds.items() if issubclass(kind, _INTEGERS))
    finite = found[np.isfinite(found)]
    # Among floats integers became floats, too.
    large = integers and np.abs(finite).max(initial=0) >= _EXACT
    if large and any(isinstance(value, _INTEGERS) and abs(int(value)) >= _EXACT for value in values):
        raise NotImplementedError(f"{attribute!r}: floats beside integers above 2**53")
    return Numbers(found, integers == len(finite))

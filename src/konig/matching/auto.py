"""What ``method="auto"`` chooses, and from what."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from konig.registry import Method, device_for_auto, find
from konig.threads import worth_sharing

ENTRIES_PER_WORKER = 50_000  # below which one more thread costs more than it saves
# Below which one thread does all. 16 cores against one on an idle machine, on random graphs of degree 3 and
# 8, a power law, a rectangle and a grid in random order: 0.6 to 2.0 times as fast at 200,000 entries (the
# grid is slower), 0.9 to 3.2 at 400,000, 1.2 to 4.1 at 600,000, 2.4 to 5.1 at a million.
ENTRIES_FOR_THREADS = 400_000
# Below which one thread does all: its cheap first steps end four matrices in five before the start that
# several threads share is made, and on two cores the shared steps were 0.3 to 1.2 times as fast.
FEWEST_THREADS = 4
FEW_MISSING = 0.01  # of the pairs that there may be: a greedy start that misses no more is kept
NEXT_METHOD = "g-pr-shr"  # what runs on a GPU where a search by levels has too many of them


@dataclass(frozen=True)
class Profile:
    """What ``auto`` knows of a matrix after a greedy start.

    ``levels`` and ``visited`` describe a few alternating searches: how many levels each took and how many
    rows it saw before it ran dry or met the ``limit``.
    """

    lists: int
    entries: int
    longest_list: int
    matchable: int
    matched: int
    limit: int
    levels: Sequence[int]
    visited: Sequence[int]

    @property
    def spreads_fast(self) -> bool:
        """Whether searches see exponentially many rows, as in a random graph, and not as in a mesh.

        Searches that ran dry tell nothing: sparse random graphs have many small parts beside the large one.
        """
        wide = [depth for depth, seen in zip(self.levels, self.visited, strict=True) if seen >= self.limit]
        fast = sum(depth < 1.25 * math.log2(self.limit + 1) + 1 for depth in wide)
        return fast >= 2 and 2 * fast >= len(wide)

    @property
    def has_hubs(self) -> bool:
        return self.longest_list * self.lists > 64 * self.entries


def workers_for_auto(entries: int, threads: int | None) -> int:
    """How many threads ``auto`` uses on the CPU: many on a large matrix, one on a small one."""
    workers = worth_sharing(entries, threads, ENTRIES_PER_WORKER) if entries >= ENTRIES_FOR_THREADS else 1
    return workers if workers >= FEWEST_THREADS else 1


def wants_karp_sipser(seen: Profile) -> bool:
    """Whether ``auto`` throws the greedy start away for Karp-Sipser's.

    A greedy start is nearly free, and in meshes and around hubs what it misses is close by. In a graph that
    spreads fast without hubs every missed pair costs a search through much of the graph, while Karp-Sipser
    misses next to none.
    """
    missing = seen.matchable - seen.matched
    return missing > FEW_MISSING * seen.matchable and seen.spreads_fast and not seen.has_hubs


def choose_matching(name: str, device: str, input_on: int | None = None) -> Method | None:
    """The method that runs: the one asked for, or None where ``auto`` profiles the matrix first.

    ``input_on`` is the number of the GPU that holds the input.
    """
    if name != "auto":
        return find(name, "matching")
    return find("ms-bfs", "matching") if device_for_auto(device, input_on) == "cuda" else None


def most_steps(rows: int, cols: int) -> int:
    """Supersteps of a first phase, most of whose trees have no path yet, that `auto` sees before it gives up.

    Each is up to 16 levels. In graphs of the other kinds a quarter of the trees have a path after two or
    three levels; in a grid in natural order, after half as many levels as it has rows.
    """
    return 12 + math.isqrt(min(rows, cols)) // 16

"""What ``method="auto"`` chooses, and from what."""

from __future__ import annotations

import math

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
# Rows, columns and entries up to which one native call checks a matrix and solves it. Beyond it Python first
# asks whether there is memory for the answer.
MOST_IN_ONE_CALL = 1 << 26
NEXT_METHOD = "g-pr-shr"  # what runs on a GPU where a search by levels has too many of them


def workers_for_auto(entries: int, threads: int | None) -> int:
    """How many threads ``auto`` uses on the CPU: many on a large matrix, one on a small one."""
    workers = worth_sharing(entries, threads, ENTRIES_PER_WORKER) if entries >= ENTRIES_FOR_THREADS else 1
    return workers if workers >= FEWEST_THREADS else 1


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

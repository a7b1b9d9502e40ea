"""The flow networks of the first DIMACS challenge: the Washington families and genrmf.

They follow the programs that were handed out there, ``washington`` and ``genrmf``: the same vertices and arcs
apart from the random draws, so sizes are those of the networks in the literature.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import arguments
from konig.io.entries import Network
from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.family import Parameter, family
from konig.lab.generators.from_graphs import matching_network
from konig.lab.generators.pattern import from_entries, network

# The arcs of a terminal carry whatever the three arcs of a vertex can.
ARCS_TO_NEXT_LEVEL = 3
DIMACS = (
    "Johnson and McGeoch (editors), Network flows and matching: first DIMACS implementation challenge, "
    "American Mathematical Society, 1993."
)
LEVELS: dict[str, Any] = {
    "width": Parameter("Vertices of a level, at least 3.", ARCS_TO_NEXT_LEVEL),
    "levels": Parameter("Number of levels.", 1),
    "max_capacity": Parameter(
        "Capacities are uniform from 1 to this one; those of the terminals' arcs are three times as much.", 1
    ),
}


@family(DIMACS, **LEVELS)
def washington_rlg(width: int = 64, levels: int = 16, max_capacity: int = 10_000, seed: int = 0) -> Network:
    """Washington random level graph: each vertex has three arcs to random vertices of the next level.

    The source feeds the first level, and the last one feeds the sink. Few vertices on many levels make the
    "long" networks of the literature, many vertices on few levels the "wide" ones. Of the
    ``width * levels + 2`` vertices the source is the first and the sink the last.

    >>> net = washington_rlg(64, 16)
    >>> net.num_vertices, net.num_arcs
    (1026, 3008)
    """
    draws = Draws(seed)
    inner = width * (levels - 1)
    sizes = np.full(inner, ARCS_TO_NEXT_LEVEL, np.int64)
    tail, choice = draws.subsets(sizes, width)
    order = np.argsort(tail, kind="stable")
    tail, choice = tail[order], choice[order]
    head = (tail // width + 1) * width + choice
    return _between_levels(draws, tail, head, width, levels, max_capacity)


@family(DIMACS, **LEVELS)
def washington_mesh(width: int = 64, levels: int = 16, max_capacity: int = 10_000, seed: int = 0) -> Network:
    """Washington mesh: each vertex has arcs to the one ahead of it on the next level and to both beside that.

    The mesh wraps around: the first vertex of a level stands beside the last one. Of the
    ``width * levels + 2`` vertices the source is the first and the sink the last.

    >>> net = washington_mesh(256, 128)
    >>> net.num_vertices, net.num_arcs
    (32770, 98048)
    """
    tail = np.repeat(np.arange(width * (levels - 1)), ARCS_TO_NEXT_LEVEL)
    beside = np.tile(np.array([1, 0, -1]), width * (levels - 1))
    head = (tail // width + 1) * width + (tail % width + beside) % width
    return _between_levels(Draws(seed), tail, head, width, levels, max_capacity)


def _between_levels(
    draws: Draws, tail: Ints, head: Ints, width: int, levels: int, max_capacity: int
) -> Network:
    """Random capacities on the arcs, and the terminals before the first and behind the last level."""
    capacity = 1 + draws.integers(max_capacity, len(tail))
    most = ARCS_TO_NEXT_LEVEL * max_capacity
    vertices = width * levels
    first, last = np.arange(width), np.arange(vertices - width, vertices)
    arcs = (0, first + 1, most), (tail + 1, head + 1, capacity), (last + 1, vertices + 1, most)
    return network(arcs, vertices + 2, 0, vertices + 1)


@family(
    DIMACS,
    n=Parameter("Vertices on the left and on the right.", 1),
    degree="Arcs of a left vertex, at most `n`.",
)
def washington_matching(n: int = 1000, degree: int = 4, seed: int = 0) -> Network:
    """Washington matching network: unit arcs from each left vertex to `degree` random right ones.

    The value of a maximum flow is the size of a maximum matching. Of the ``2 * n + 2`` vertices the source is
    the first and the sink the last.

    >>> net = washington_matching(20_000, 4)
    >>> net.num_vertices, net.num_arcs
    (40002, 120000)
    """
    arguments.integer("degree", degree, 0, n)
    rows, cols = Draws(seed).subsets(np.full(n, degree, np.int64), n)
    return matching_network(from_entries(rows, cols, (n, n)))


@family(
    "Goldfarb and Grigoriadis, A computational comparison of the Dinic and network simplex "
    "methods for maximum flow, Annals of Operations Research 13, 1988.",
    a=Parameter("Side of a frame.", 1),
    b=Parameter("Number of frames.", 1),
    c1="Least capacity of the arcs between frames.",
    c2="Largest capacity of the arcs between frames.",
)
def genrmf(a: int = 8, b: int = 16, c1: int = 1, c2: int = 10_000, seed: int = 0) -> Network:
    """Goldfarb and Grigoriadis' RMF network: `b` square frames in a row, tied by random permutations.

    A frame is a grid of a x a vertices whose neighbours are tied both ways by arcs of capacity
    ``c2 * a * a``, as much as all arcs to the next frame bring. Each vertex has one arc to the next frame,
    to a vertex of a random permutation. The source is the first corner of the first frame, the sink the last
    one of the last frame. A long row of small frames is "long", a short one of large frames "wide".

    >>> net = genrmf(6, 64)
    >>> net.num_vertices, net.num_arcs
    (2304, 9948)
    """
    if a * a * b < 2:
        raise ValueError("b must be at least 2 when a is 1: the source and the sink must differ")
    arguments.integer("c2", c2, c1, arguments.LARGEST // (a * a))
    draws, frame = Draws(seed), a * a
    corner = np.arange(frame)
    right, down = corner[corner % a < a - 1], corner[corner < frame - a]
    inside = np.concatenate([right, right + 1, down, down + a])
    beside = np.concatenate([right + 1, right, down + a, down])
    starts = frame * np.arange(b)[:, None]
    onward = frame * (b - 1)
    # One sort orders every frame's keys: a random permutation for each.
    keys = draws.raw(onward).reshape(b - 1, frame)
    to_next = (np.argsort(keys, axis=1, kind="stable") + starts[1:]).ravel()
    tail = np.concatenate([(starts + inside).ravel(), np.arange(onward)])
    head = np.concatenate([(starts + beside).ravel(), to_next])
    capacity = np.concatenate(
        [np.full(b * len(inside), c2 * frame), c1 + draws.integers(c2 - c1 + 1, onward)]
    )
    order = np.argsort(tail, kind="stable")
    return Network(tail[order], head[order], capacity[order], frame * b, 0, frame * b - 1)

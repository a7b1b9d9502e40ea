"""Random graphs: every set of edges equally likely, or skewed degrees by recursive choice of a quadrant."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.family import SAME, Parameter, family, probability
from konig.lab.generators.pattern import check_area, check_degree, from_edges, from_entries, from_keys

EDGES_AT_A_TIME = 1 << 16
RMAT = (
    "Chakrabarti, Zhan and Faloutsos, R-MAT: a recursive model for graph mining, SIAM International "
    "Conference on Data Mining, 2004"
)


@family(
    "Erdős and Rényi, On random graphs I, Publicationes Mathematicae 6, 1959 (the bipartite form).",
    degree="Average number of nonzeros per row, at most the number of columns.",
)
def sprand(rows: int = 1000, cols: int = SAME, degree: float = 5.0, seed: int = 0) -> sparse.csr_array:
    """Uniform random matrix with a given average number of nonzeros per row.

    Exactly ``round(rows * degree)`` positions are filled, every set of positions being equally likely:
    what MATLAB's ``sprand(rows, cols, degree / cols)`` approximates. Takes expected time O(nnz log nnz).

    >>> A = sprand(1000, 800, degree=2.5, seed=1)
    >>> A.shape, A.nnz
    ((1000, 800), 2500)
    """
    check_degree(degree, rows, cols)
    check_area(rows, cols)
    return from_keys(Draws(seed).distinct(rows * cols, round(rows * degree)), (rows, cols))


@family(
    "Leskovec, Chakrabarti, Kleinberg, Faloutsos and Ghahramani, Kronecker graphs: an approach to "
    "modeling networks, Journal of Machine Learning Research 11, 2010; Graph500 benchmark specification.",
    scale=Parameter("Logarithm (base two) of the number of vertices, at most 31.", most=31),
    edge_factor="Edges drawn per vertex, before loops and repetitions are dropped.",
    relabel="Number the vertices at random, as Graph500 does; otherwise low numbers have high degrees.",
)
def kronecker(
    scale: int = 10, edge_factor: int = 16, relabel: bool = True, seed: int = 0
) -> sparse.csr_array:
    """Graph500 Kronecker graph: symmetric, simple, with hubs and isolated vertices.

    ``edge_factor * 2**scale`` edges are drawn with the Graph500 initiator (A = 0.57, B = C = 0.19,
    D = 0.05); loops and repeated edges are then dropped, and both directions stored. The family
    ``kron_g500-lognXX`` of the tenth DIMACS challenge is this one with ``edge_factor=48``.

    >>> A = kronecker(8, edge_factor=4, seed=1)
    >>> A.shape, (A != A.T).nnz, int(A.diagonal().sum())
    ((256, 256), 0, 0)
    """
    draws = Draws(seed)
    order = 1 << scale
    tails, heads = _quadrant_walks(draws, scale, edge_factor * order, 0.57, 0.19, 0.19)
    if relabel:
        names = draws.permutation(order)
        tails, heads = names[tails], names[heads]
    return from_edges(tails, heads, order)


@family(
    f"{RMAT}.",
    scale=Parameter("Logarithm (base two) of the number of rows and of columns, at most 31.", most=31),
    edge_factor="Entries drawn per row, before repetitions merge.",
    a=probability("Probability of the upper left quadrant."),
    b=probability("Probability of the upper right quadrant."),
    c=probability("Probability of the lower left quadrant; the lower right one has what is left."),
)
def rmat(
    scale: int = 10, edge_factor: int = 8, a: float = 0.57, b: float = 0.19, c: float = 0.19, seed: int = 0
) -> sparse.csr_array:
    """R-MAT directed graph: every edge walks into a quadrant, `scale` times.

    Repeated edges merge, loops stay, vertices keep their numbers (with large `a`, low numbers have high
    degrees).

    >>> A = rmat(8, edge_factor=4, seed=1)
    >>> A.shape, A.nnz <= 4 * 256
    ((256, 256), True)
    """
    if a + b + c > 1:
        raise ValueError(f"a + b + c must be at most 1, not {a + b + c}")
    order = 1 << scale
    rows, cols = _quadrant_walks(Draws(seed), scale, edge_factor * order, a, b, c)
    return from_entries(rows, cols, (order, order))


def _quadrant_walks(draws: Draws, scale: int, count: int, a: float, b: float, c: float) -> tuple[Ints, Ints]:
    """Draw `count` entries of a ``2**scale`` square; a level costs 32 random bits an entry."""
    right_above, below, right_below = (np.uint64(round(p * 2**32)) for p in (a, a + b, a + b + c))
    rows = np.zeros(count, dtype=np.int64)
    cols = np.zeros(count, dtype=np.int64)
    for first in range(0, count, EDGES_AT_A_TIME):
        row, col = rows[first : first + EDGES_AT_A_TIME], cols[first : first + EDGES_AT_A_TIME]
        for level in range(scale):
            if level % 2 == 0:
                words = draws.raw(row.size)
                chance = words & np.uint64(2**32 - 1)
            else:
                chance = words >> np.uint64(32)
            down = chance >= below
            right = (chance >= right_above) ^ down ^ (chance >= right_below)
            row += row + down
            col += col + right
    return rows, cols

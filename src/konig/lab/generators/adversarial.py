"""Instances made to be hard: they mislead the starting heuristics, or have no perfect matching.

`hilo` and `rbg` follow the programs that Cherkassky, Goldberg, Martin, Setubal and Stolfi released with their
paper: ``h8`` (also named HiLo) by Goldberg and Cherkassky, ``rbg`` by Setubal.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from konig import arguments
from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.family import SAME, Parameter, family
from konig.lab.generators.pattern import check_area, from_entries, from_offsets

CHERKASSKY = (
    "Cherkassky, Goldberg, Martin, Setubal and Stolfi, Augment or push: a computational study of bipartite "
    "matching and unit-capacity flow algorithms, ACM Journal of Experimental Algorithmics 3, 1998."
)
GROUPS = Parameter("Number of groups.", 1)
SIZE = "Number of rows and of columns, a multiple of `groups`."


@family(
    CHERKASSKY,
    n=SIZE,
    groups=GROUPS,
    degree=Parameter(
        "Largest number of neighbours of a row in one group, so half of its largest degree; no more than "
        "the size of a group is used.",
        1,
    ),
)
def hilo(n: int = 1000, groups: int = 10, degree: int = 5) -> sparse.csr_array:
    """HiLo graph: groups in a row, each tied to the next, with exactly one perfect matching.

    Rows and columns are split into `groups` groups of ``size = n / groups``. Row i of group g (counted from
    1) meets the columns ``max(1, i - degree + 1), ..., i`` of its own group and of group g + 1, if there is
    one. The last column of the first group meets one row only, the last of that group; without these two
    the same is true of the column before: so the diagonal is the only perfect matching.

    >>> hilo(6, groups=2, degree=2).toarray()
    array([[1, 0, 0, 1, 0, 0],
           [1, 1, 0, 1, 1, 0],
           [0, 1, 1, 0, 1, 1],
           [0, 0, 0, 1, 0, 0],
           [0, 0, 0, 1, 1, 0],
           [0, 0, 0, 0, 1, 1]], dtype=int8)
    """
    size = _group_size(n, groups)
    reach = min(degree, size)
    back = np.arange(1 - reach, 1)
    rows = np.arange(n)
    own = rows[:, None] % max(size, 1) + back >= 0
    following = own & (rows < n - size)[:, None]
    return from_offsets(np.hstack([own, following]), np.concatenate([back, back + size]), n)


@family(
    CHERKASSKY,
    n=SIZE,
    groups=GROUPS,
    degree="Average number of nonzeros per row, at most the number of columns in three groups.",
    relabel="Number the rows at random, as the authors' program does; otherwise the groups follow each "
    "other.",
)
def rbg(
    n: int = 1024, groups: int = 32, degree: float = 5.0, relabel: bool = True, seed: int = 0
) -> sparse.csr_array:
    """Random bipartite graph by groups: neighbours come from three groups only.

    Rows and columns are split into `groups` groups of ``n / groups``. A row of group g has a Poisson number
    of distinct neighbours (mean `degree`), chosen uniformly among the columns of the groups g - 1, g and
    g + 1, the first group following the last. Studies call it "few groups" with 32 groups and "many groups"
    with 256. With fewer than three groups, all columns are eligible.

    >>> A = rbg(1000, groups=10, degree=4, relabel=False, seed=1)
    >>> A.shape, set((A[[555]].indices // 100).tolist()) <= {4, 5, 6}
    ((1000, 1000), True)
    """
    size = _group_size(n, groups)
    width = min(3, groups) * size
    if n and degree > width:
        raise ValueError(f"degree must be at most {width}, the columns a row may choose from, not {degree}")
    draws = Draws(seed)
    row, choice = draws.subsets(np.minimum(draws.poisson(degree, n), width), width)
    first = (row // max(size, 1) - 1) * size
    name = draws.permutation(n) if relabel else np.arange(n)
    return from_entries(name[row], (first + choice) % max(n, 1), (n, n))


def _group_size(n: int, groups: int) -> int:
    if n % groups:
        raise ValueError(f"n must be a multiple of groups: {n} is not a multiple of {groups}")
    return n // groups


@family(
    length=Parameter("Columns, and rows, of one chain; at least 1.", 1),
    copies="Number of chains, one after the other.",
)
def chain(length: int = 100, copies: int = 1) -> sparse.csr_array:
    """Chains on which the simple greedy start leaves an augmenting path through every vertex.

    Column j of a chain meets the rows j and j + 1, and the last column meets row 0 alone: a path. The
    greedy start that visits the columns in order and takes the first free row (or the rows in order and the
    first free column) matches j with j, and leaves the last column and the last row free. The only
    augmenting path has ``2 * length - 1`` edges. Matching vertices of degree one first solves it: see
    `dumbbell` for that. The matrix is ``length * copies`` square and of full structural rank.

    >>> chain(4).toarray()
    array([[1, 0, 0, 1],
           [1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 0]], dtype=int8)
    """
    steps = np.arange(length - 1)
    rows = np.concatenate([steps, steps + 1, [0]])
    cols = np.concatenate([steps, steps, [length - 1]])
    return _repeated(rows, cols, length, copies)


@family(
    "Karp and Sipser, Maximum matching in sparse random graphs, IEEE Symposium on Foundations of "
    "Computer Science, 1981 (the start that it misleads).",
    length=Parameter("Rows of the path on either side of its middle edge; at least 1.", 1),
    copies="Number of dumbbells, one after the other.",
)
def dumbbell(length: int = 100, copies: int = 1) -> sparse.csr_array:
    """Two four-cycles joined by a path: misleads greedy and Karp-Sipser starts alike.

    No vertex has degree one, so the Karp-Sipser start has to guess. The edges of the joining path lie, by
    turns, in every perfect matching and in none; row 0 and column 0 are the ends of its middle edge, which
    lies in none. A start that takes the first column and its first row (or the first row and its first
    column) takes that edge. The degree-one rule then eats the path outwards, and leaves a free row in one
    four-cycle and a free column in the other. The shortest augmenting path has ``4 * length + 3`` edges.
    A guess at random goes wrong on about half of the edges. The matrix is ``(2 * length + 4) * copies``
    square and of full structural rank.

    >>> dumbbell(1).toarray()
    array([[1, 0, 0, 1, 0, 0],
           [0, 0, 0, 1, 1, 1],
           [0, 0, 0, 0, 1, 1],
           [1, 1, 0, 0, 0, 0],
           [0, 1, 1, 0, 0, 0],
           [0, 1, 1, 0, 0, 0]], dtype=int8)
    """
    half = length + 2
    outwards = np.arange(length)
    corners = length + np.array([0, 0, 1, 1]), length + np.array([0, 1, 0, 1])
    # One half in the numbers of its own: `near` k meets `far` k (always matched) and `far` k meets
    # `near` k + 1, up to the four-cycle. In the first half `near` are columns, in the second rows.
    near = np.concatenate([outwards, outwards + 1, corners[0]])
    far = np.concatenate([outwards, outwards, corners[1]])
    rows = np.concatenate([[0], half + far, near])
    cols = np.concatenate([[0], near, half + far])
    return _repeated(rows, cols, 2 * half, copies)


@family(
    "Hall, On representatives of subsets, Journal of the London Mathematical Society 10, 1935.",
    cols=Parameter(
        "Number of columns, at least ``rows - deficiency``; as many as rows if left out.", like="rows"
    ),
    deficiency="Number of rows that stay unmatched in a maximum matching.",
    sets="Number of planted sets, at most `deficiency`, which is spread evenly over them.",
    set_cols=Parameter("Columns that the rows of one set share.", 1),
    degree=Parameter(
        "Random entries per row, repetitions included, apart from the planted matching; at least 1.", 1
    ),
    shuffle="Permute rows and columns at random; otherwise the sets come first.",
)
def hall_violator(
    rows: int = 100,
    cols: int = SAME,
    deficiency: int = 5,
    sets: int = 1,
    set_cols: int = 4,
    degree: int = 3,
    shuffle: bool = True,
    seed: int = 0,
) -> sparse.csr_array:
    """Random matrix with planted sets of rows that have too few columns.

    Each of `sets` disjoint sets has `set_cols` columns of its own, which are all the columns its rows meet,
    and more rows than that: `deficiency` more in all. Every other row, and `set_cols` rows of each set,
    have a partner of their own in a planted matching. By Hall's theorem the structural rank is
    ``rows - deficiency``.

    >>> from scipy.sparse.csgraph import structural_rank
    >>> A = hall_violator(50, 60, deficiency=7, sets=2, seed=1)
    >>> A.shape, int(structural_rank(A))
    ((50, 60), 43)
    """
    deficiency = arguments.integer("deficiency", deficiency, max(rows - cols, 0), rows)
    sets = arguments.integer("sets", sets, 1, max(deficiency, 1)) if deficiency else 0
    own_cols, own_rows = sets * set_cols, sets * set_cols + deficiency
    if own_cols > cols or own_rows > rows:
        raise ValueError(
            f"sets times set_cols is too large: the planted sets need {own_rows} rows and {own_cols} columns"
            f" of {rows} and {cols}"
        )
    check_area(rows, cols)
    draws = Draws(seed)
    # Row i of the first own_cols is paired with column i; then come the rows that are too many.
    member = np.concatenate([np.arange(own_cols) // set_cols, np.arange(deficiency) % max(sets, 1)])
    paired = np.concatenate([np.arange(own_cols), np.arange(own_rows, rows)])
    inside = np.repeat(member * set_cols, degree) + draws.integers(set_cols, own_rows * degree)
    outside = draws.integers(cols, (rows - own_rows) * degree)
    row = np.concatenate([paired, np.repeat(np.arange(rows), degree)])
    col = np.concatenate([np.arange(paired.size), inside, outside])
    if shuffle:
        row, col = draws.permutation(rows)[row], draws.permutation(cols)[col]
    return from_entries(row, col, (rows, cols))


def _repeated(rows: Ints, cols: Ints, size: int, copies: int) -> sparse.csr_array:
    """Return `copies` diagonal blocks with the given entries each."""
    order = size * copies
    check_area(order, order)
    shift = np.repeat(np.arange(copies) * size, rows.size)
    return from_entries(np.tile(rows, copies) + shift, np.tile(cols, copies) + shift, (order, order))

"""The bipartite families of Cherkassky, Goldberg, Martin, Setubal and Stolfi.

Both follow the programs that the authors released with the paper: ``h8`` (also named HiLo) by Goldberg and
Cherkassky, ``rbg`` by Setubal.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from konig.lab.generators.draws import Draws
from konig.lab.generators.family import family, flag, real, whole
from konig.lab.generators.pattern import from_entries, from_offsets

CHERKASSKY = (
    "Cherkassky, Goldberg, Martin, Setubal and Stolfi, Augment or push: a computational study of bipartite "
    "matching and unit-capacity flow algorithms, ACM Journal of Experimental Algorithmics 3, 1998."
)
GROUPS = whole("Number of groups.", 1)
SIZE = whole("Number of rows and of columns, a multiple of `groups`.")


@family(
    "matching",
    reference=CHERKASSKY,
    rank=lambda n, **_: n,
    n=SIZE,
    groups=GROUPS,
    degree=whole(
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

    Examples
    --------
    >>> from konig.lab.generators import hilo
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
    "matching",
    reference=CHERKASSKY,
    n=SIZE,
    groups=GROUPS,
    degree=real("Average number of nonzeros per row, at most the number of columns in three groups."),
    relabel=flag(
        "Number the rows at random, as the authors' program does; otherwise the groups follow each other.",
    ),
)
def rbg(
    n: int = 1024, groups: int = 32, degree: float = 5.0, relabel: bool = True, seed: int = 0
) -> sparse.csr_array:
    """Random bipartite graph by groups: neighbours come from three groups only.

    Rows and columns are split into `groups` groups of ``n / groups``. A row of group g has a Poisson number
    of distinct neighbours (mean `degree`), chosen uniformly among the columns of the groups g - 1, g and
    g + 1, the first group following the last. Studies call it "few groups" with 32 groups and "many groups"
    with 256. With fewer than three groups, all columns are eligible.

    Examples
    --------
    >>> from konig.lab.generators import rbg
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

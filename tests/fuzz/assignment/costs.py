"""Cost matrices by family: what assignment solvers get wrong, at sizes that exact arithmetic can judge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from cases.costs import awkward_costs

from ..case import Draw

Family = Callable[[Draw, int, int], np.ndarray]
GATES = (1e3, 1e4, 1e6, 1e8, 1e9, 1e12, 1e15, 1e16, 1e18, 1e100, 1e300)
INTEGERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)


def uniform(draw: Draw, n: int, m: int) -> np.ndarray:
    return draw.array.random((n, m)) * draw.some((1, 1, 100, 1e-6))


def mixed_signs(draw: Draw, n: int, m: int) -> np.ndarray:
    return (draw.array.random((n, m)) - 0.5) * draw.some((1, 1e3, 1e9))


def negative(draw: Draw, n: int, m: int) -> np.ndarray:
    return -uniform(draw, n, m)


def tenths(draw: Draw, n: int, m: int) -> np.ndarray:
    return draw.array.integers(-20, 50, (n, m)) * draw.some((0.1, 0.01, 1 / 3))


def gate(draw: Draw, n: int, m: int) -> np.ndarray:
    """Pairs beyond a gate cost M: everyone's way to say forbidden."""
    C = uniform(draw, n, m)
    return np.where(draw.array.random((n, m)) < draw.some((0.1, 0.4, 0.8)), draw.some(GATES), C)


def gates_of_many_sizes(draw: Draw, n: int, m: int) -> np.ndarray:
    C = uniform(draw, n, m)
    M = draw.array.choice(draw.sample(GATES, 3), (n, m))
    return np.where(draw.array.random((n, m)) < 0.5, M, C)


def noisy_gate(draw: Draw, n: int, m: int) -> np.ndarray:
    """M is added to the costs, so that those behind the gate differ by less than M can hold."""
    C = uniform(draw, n, m)
    return C + np.where(draw.array.random((n, m)) < draw.some((0.2, 0.6)), draw.some(GATES), 0.0)


def gate_in_a_block(draw: Draw, n: int, m: int) -> np.ndarray:
    """More rows than columns inside a block without gates: some gates must be passed."""
    C = uniform(draw, n, m)
    rows, cols = draw.randint(1, n), draw.randint(0, m)
    C[:rows, cols:] = draw.some(GATES)
    return C


def reward_behind_a_gate(draw: Draw, n: int, m: int) -> np.ndarray:
    C = mixed_signs(draw, n, m)
    C[draw.array.random((n, m)) < 0.2] = -draw.some(GATES)
    C[draw.array.random((n, m)) < 0.2] = draw.some(GATES)
    return C


def infinite(draw: Draw, n: int, m: int) -> np.ndarray:
    C = uniform(draw, n, m)
    return np.where(draw.array.random((n, m)) < draw.some((0.1, 0.3, 0.6, 0.9)), np.inf, C)


def infinite_lines(draw: Draw, n: int, m: int) -> np.ndarray:
    C = uniform(draw, n, m)
    if draw.chance(0.5):
        C[draw.randrange(n), :] = np.inf
    else:
        C[:, draw.randrange(m)] = np.inf
    return C


def infinite_block(draw: Draw, n: int, m: int) -> np.ndarray:
    C = uniform(draw, n, m)
    C[: draw.randint(0, n), draw.randint(0, m) :] = np.inf
    return C


def short_by_one(draw: Draw, n: int, m: int) -> np.ndarray:
    """Some rows have one column too few between them, or just enough."""
    C = uniform(draw, n, m)
    rows = draw.randint(1, n)
    C[:rows, max(0, min(m, rows - draw.randint(0, 1))) :] = np.inf
    return C


def infinite_and_gate(draw: Draw, n: int, m: int) -> np.ndarray:
    return np.where(np.isinf(infinite(draw, n, m)), np.inf, gate(draw, n, m))


def offset(draw: Draw, n: int, m: int) -> np.ndarray:
    """The same offset everywhere; costs still differ in float64."""
    return draw.array.random((n, m)) + draw.some((1e3, 1e6, 1e9, -1e9, 1e12))


def row_scales(draw: Draw, n: int, m: int) -> np.ndarray:
    spread = draw.some((3, 8, 15, 100))
    return draw.array.random((n, m)) * 10.0 ** draw.array.uniform(-spread, spread, (n, 1))


def col_scales(draw: Draw, n: int, m: int) -> np.ndarray:
    return row_scales(draw, m, n).T.copy()


def offsets_of_lines(draw: Draw, n: int, m: int) -> np.ndarray:
    """Large duals by construction, and little that decides."""
    big = draw.some((1.0, 1e6, 1e12))
    rows, cols = draw.array.random((n, 1)) * big, draw.array.random((1, m)) * big
    return rows + cols + draw.array.random((n, m)) * draw.some((0, 1e-9, 1e-3, 1))


def ties(draw: Draw, n: int, m: int) -> np.ndarray:
    return draw.array.integers(0, draw.some((1, 2, 3, 10)), (n, m), endpoint=True).astype(float)


def equal_lines(draw: Draw, n: int, m: int) -> np.ndarray:
    C = uniform(draw, n, m)
    return C[draw.array.integers(0, n, n)] if draw.chance(0.5) else C[:, draw.array.integers(0, m, m)]


def kinds(draw: Draw, n: int, m: int) -> np.ndarray:
    """Few kinds of rows and of columns, and few numbers: what looks like padding and is not."""
    of_rows, of_cols = draw.randint(1, 4), draw.randint(1, 5)
    C = draw.array.integers(0, draw.some((1, 1, 2, 7)), (of_rows, of_cols), endpoint=True)
    C = C[draw.array.integers(0, of_rows, n)][:, draw.array.integers(0, of_cols, m)]
    if draw.chance(0.3):
        C = C[draw.array.integers(0, min(n, 2), n)]
    return C * draw.some((1, 1, 0.1))


def denormal(draw: Draw, n: int, m: int) -> np.ndarray:
    C = 5e-324 * draw.array.integers(-5, 1000, (n, m))
    return C * draw.array.choice([1.0, 1e10, 1e16], (n, m)) if draw.chance(0.5) else C


def near_the_largest(draw: Draw, n: int, m: int) -> np.ndarray:
    return np.finfo(float).max * (draw.array.random((n, m)) - draw.some((0, 0.5, 1)))


def mixed_magnitudes(draw: Draw, n: int, m: int) -> np.ndarray:
    spread = draw.some((5, 12, 30, 300))
    return draw.array.choice([-1, 1], (n, m)) ** draw.randint(0, 1) * 10.0 ** draw.array.uniform(
        -spread, spread, (n, m)
    )


def one_huge(draw: Draw, n: int, m: int) -> np.ndarray:
    C = mixed_signs(draw, n, m) if draw.chance(0.5) else uniform(draw, n, m)
    C[draw.randrange(n), draw.randrange(m)] = draw.choice((-1, 1)) * draw.some(GATES)
    return C


def rank_one(draw: Draw, n: int, m: int) -> np.ndarray:
    if draw.chance(0.5):
        return np.multiply.outer(np.arange(1.0, n + 1), np.arange(1.0, m + 1)) * draw.some((1, 0.1))
    return np.multiply.outer(draw.array.random(n), draw.array.random(m))


def euclidean(draw: Draw, n: int, m: int) -> np.ndarray:
    left, right = draw.array.random((n, 1, 2)), draw.array.random((1, m, 2))
    return np.sqrt(((left - right) ** 2).sum(axis=2)) * draw.some((1, 1000))


def already_optimal(draw: Draw, n: int, m: int) -> np.ndarray:
    C = uniform(draw, n, m)
    np.fill_diagonal(C, 0.0)
    return C


def common_cost(draw: Draw, n: int, m: int) -> np.ndarray:
    """Nearly all pairs cost the same, some less, hardly any more."""
    C = np.full((n, m), draw.some((1.0, 1.0, 1e6, 0.1)))
    less = draw.array.random((n, m)) < draw.some((0.05, 0.15, 0.3))
    C[less] *= draw.array.random(less.sum())
    if draw.chance(0.3):
        C[draw.array.random((n, m)) < 0.02] *= draw.some((2.0, 1e9, np.inf))
    return C


def extended(draw: Draw, n: int, m: int) -> np.ndarray:
    """A square around a smaller matrix: the added lines are what it costs to leave rows and columns alone."""
    size = max(n, m)
    rows, cols = draw.randint(0, size // 2), draw.randint(0, size // 2)
    others = draw.some((uniform, tenths, mixed_signs, None))
    C = np.full((size, size), draw.some((0.0, 0.0, 0.0, 1.0, -0.1)))
    C[:rows, :cols] = gate(draw, rows, cols)
    C[:rows, cols:] = others(draw, rows, 1) if others else 0.5
    C[rows:, :cols] = others(draw, 1, cols) if others else 0.5
    if draw.chance(0.2) and size:
        C[draw.randint(0, size - 1), draw.randint(0, size - 1)] = draw.some((0.0, 0.5, np.inf))
    return C


def chain(draw: Draw, n: int, m: int) -> np.ndarray:
    """One full assignment of the leading square; the duals along it grow."""
    cost = draw.some((1.0, 1 / 3, 1e9))
    C = np.full((n, m), draw.some((np.inf, 1e9, 1e18)))
    np.fill_diagonal(C, cost)
    np.fill_diagonal(C[:, 1:], -cost * draw.some((1, 0.5, 1e-9)))
    return C


def narrow_floats(draw: Draw, n: int, m: int) -> np.ndarray:
    C = draw.some((uniform, mixed_signs, ties, euclidean))(draw, n, m)
    kind = draw.some((np.float16, np.float32))
    C = C.clip(-6e4, 6e4) if kind is np.float16 else C
    C = C.astype(kind)
    if draw.chance(0.3):
        C[draw.array.random((n, m)) < 0.3] = draw.some((np.finfo(kind).max, np.inf, np.finfo(kind).tiny))
    return C


def whole(draw: Draw, n: int, m: int) -> np.ndarray:
    limit = draw.some((1, 3, 10, 100, 10**6, 10**9, 10**15))
    return draw.array.integers(-limit * draw.randint(0, 1), limit, (n, m), endpoint=True)


def whole_gate(draw: Draw, n: int, m: int) -> np.ndarray:
    C = draw.array.integers(0, draw.some((5, 1000)), (n, m))
    return np.where(draw.array.random((n, m)) < draw.some((0.2, 0.7)), 10 ** draw.randint(3, 18), C)


def whole_rank_one(draw: Draw, n: int, m: int) -> np.ndarray:
    return np.multiply.outer(np.arange(n), np.arange(m)) * draw.some((1, -1, 7))


def whole_of_every_type(draw: Draw, n: int, m: int) -> np.ndarray:
    """The whole range of a type, or its two ends only."""
    kind = draw.some(INTEGERS)
    low, high = int(np.iinfo(kind).min), int(np.iinfo(kind).max)
    if draw.chance(0.3):
        return draw.array.choice(np.array([low, high, 0, 1], kind), (n, m))
    return draw.array.integers(low, high, (n, m), dtype=kind, endpoint=True)


def near_overflow(draw: Draw, n: int, m: int) -> np.ndarray:
    """64-bit integers inside the documented range, whose sums and differences leave it."""
    top = 2**63 - 2
    way = draw.randrange(5)
    if way == 0:
        return top - draw.array.integers(0, draw.some((5, 10**6)), (n, m))
    if way == 1:
        return draw.array.integers(-top, top, (n, m))
    if way == 2:
        return draw.array.choice(np.array([-top, top, 0, 1, -1]), (n, m))
    if way == 3:
        return 2**62 + draw.array.integers(-3, 4, (n, m))
    return np.where(draw.array.random((n, m)) < 0.3, top, draw.array.integers(-5, 5, (n, m)))


def booleans(draw: Draw, n: int, m: int) -> np.ndarray:
    return draw.array.random((n, m)) < draw.some((0.1, 0.5, 0.9))


FAMILIES: dict[str, Family] = {
    family.__name__: family
    for family in (
        uniform,
        mixed_signs,
        negative,
        tenths,
        gate,
        gates_of_many_sizes,
        noisy_gate,
        gate_in_a_block,
        reward_behind_a_gate,
        infinite,
        infinite_lines,
        infinite_block,
        short_by_one,
        infinite_and_gate,
        offset,
        row_scales,
        col_scales,
        offsets_of_lines,
        ties,
        equal_lines,
        kinds,
        denormal,
        near_the_largest,
        mixed_magnitudes,
        one_huge,
        rank_one,
        euclidean,
        already_optimal,
        common_cost,
        extended,
        chain,
        narrow_floats,
        whole,
        whole_gate,
        whole_rank_one,
        whole_of_every_type,
        near_overflow,
        booleans,
    )
}
# The families, and the costs that all tests share.
NAMES = (*FAMILIES, "of_the_catalogue")
# What is solved as a smaller problem, but not below 64 rows.
PADDED = frozenset({"kinds", "extended", "equal_lines", "booleans"})
# What takes a judge long at several hundred rows, since the common unit of its numbers has hundreds of bits.
NO_LARGE = frozenset({"denormal", "near_the_largest", "mixed_magnitudes", "row_scales", "col_scales"})


def extent(draw: Draw, largest: int) -> tuple[int, int]:
    """Mostly small, a few of several hundred, now and then nothing at all."""
    ranges = ((1, 6), (1, 12), (13, 40), (41, 100), (101, 330), (600, 700))
    low, high = draw.some(ranges, (50, 44, 5, 0.6, 0.12, 0.03))
    low, high = min(low, largest), min(high, largest)
    n = draw.randint(low, high)
    m = n if draw.chance(0.5) else draw.randint(low, high)
    if draw.chance(0.02):
        n, m = draw.some(((0, m), (n, 0), (0, 0), (1, m), (n, 1)))
    return n, m


def draw_costs(draw: Draw, families: tuple[str, ...] = (), largest: int = 700) -> tuple[str, np.ndarray]:
    """A family's name and a matrix of it, its lines shuffled half of the time."""
    name = draw.some(families or NAMES)
    n, m = extent(draw, min(largest, 40) if name in NO_LARGE else largest)
    if name in PADDED and draw.chance(0.3):
        n = m = draw.randint(min(60, largest), min(110, largest))
    if name == "of_the_catalogue":
        C = draw.some([C for _, C in awkward_costs() if max(C.shape) <= largest])
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            C = FAMILIES[name](draw, n, m) if n and m else np.zeros((n, m))
    if draw.chance(0.5):
        C = C[draw.array.permutation(C.shape[0])][:, draw.array.permutation(C.shape[1])]
    return name, np.ascontiguousarray(C)

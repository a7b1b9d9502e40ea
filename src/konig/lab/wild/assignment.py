"""Families of costs for linear assignment: what people track, transport, schedule, compare and test with."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from konig.lab.generators import generate
from konig.lab.generators.costs import squared_distances
from konig.lab.generators.draws import Draws, Ints
from konig.lab.generators.pattern import PERMUTATIONS, permute_costs
from konig.lab.wild.drawing import Chance, Families, Family

Costs = Any  # an array, or a csr_array
Reals = NDArray[np.float64]
# Integers up to here are exact in single precision.
SINGLE_PRECISION = 2**24


class Maximised(NamedTuple):
    """Costs of which the largest sum is wanted."""

    costs: Any


def _finish(C: Costs, c: Chance) -> Costs | Maximised:
    """Either side first, an order natural or random, a type that holds the costs, either objective."""
    if c.coin("transposed", 0.3):
        C = sparse.csr_array(C.T) if sparse.issparse(C) else np.ascontiguousarray(C.T)
    order = c.pick("order", "none", "none", "none", "both", "both", "rows")
    if order != "none":
        C = permute_costs(C, *PERMUTATIONS[order], c.seed())
    C = C.astype(c.pick("dtype", *_types(C)))
    if not sparse.issparse(C) and c.coin("by_columns", 0.05):
        C = np.asfortranarray(C)
    # A forbidden entry is infinite when the least sum is wanted, so gated costs are not maximised.
    stored = C.data if sparse.issparse(C) else C
    return Maximised(C) if c.coin("maximise", 0.12) and np.isfinite(stored).all() else C


def _types(C: Any) -> list[str]:
    if C.dtype.kind == "f":
        return ["float64", "float64", "float32"]
    values = C.data if sparse.issparse(C) else C
    largest = int(np.abs(values).max(initial=0))
    single = ["float32"] if largest < SINGLE_PRECISION else []
    short = ["int16"] if largest < 2**15 else []
    return ["int64", "float64", *(["int32", "int32"] if largest < 2**31 else []), *single, *short]


family = Families(_finish)


def dense(make: Callable[[Chance, int, int], Costs]) -> Family:
    """Add a family of all entries of a square, or of as many more columns than rows as there may be."""

    @wraps(make)
    def made(entries: int, c: Chance) -> Costs:
        return make(c, *_shape(entries, c))

    return family(made)


# Drawn entry by entry.


@dense
def uniform(c: Chance, rows: int, cols: int) -> Costs:
    """Integers from a range, from a few values to a billion."""
    return _integers(c, 1 + c.whole("largest", 1, 10**9), rows, cols)


@dense
def uniform_by_rows(c: Chance, rows: int, cols: int) -> Costs:
    """Integers whose range grows with the rows, as in the studies."""
    return generate("uniform_costs", c.seed(), rows=rows, cols=cols, spread=c.log("spread", 0.05, 1000.0))


@dense
def real(c: Chance, rows: int, cols: int) -> Costs:
    return generate("real_costs", c.seed(), rows=rows, cols=cols)


@dense
def ties(c: Chance, rows: int, cols: int) -> Costs:
    """Two to ten values."""
    return _integers(c, 2 + c.whole("values", 0, 8), rows, cols)


@dense
def zero_one(c: Chance, rows: int, cols: int) -> Costs:
    """Zeros and ones: a matching problem; nearly all or hardly any are zeros."""
    share = c.log("zeros", 0.5 / cols, 0.95)
    return (_uniform(c, rows, cols) >= share).astype(np.int64)


@dense
def two_costs(c: Chance, rows: int, cols: int) -> Costs:
    high, share = c.whole("high", 2, 10**6), c.real("share", 0.01, 0.9)
    return generate("two_cost", c.seed(), rows=rows, cols=cols, high=high, share=share)


@dense
def constant(c: Chance, rows: int, cols: int) -> Costs:
    """One value everywhere, or nearly."""
    others = c.log("others", 1e-4, 0.1)
    return np.where(_uniform(c, rows, cols) < others, c.whole("other", 1, 100), 50)


@dense
def normal(c: Chance, rows: int, cols: int) -> Costs:
    """Sums of uniform numbers, of both signs."""
    bell = _uniform(c, rows, cols) + _uniform(c, rows, cols) - _uniform(c, rows, cols)
    return np.rint(bell * c.log("scale", 10, 1e6)).astype(np.int64) if c.coin("whole") else bell


@dense
def heavy_tail(c: Chance, rows: int, cols: int) -> Costs:
    """Costs over many orders of magnitude."""
    tail: Reals = (1.0 - _uniform(c, rows, cols)) ** -c.real("power", 0.3, 3.0)
    return np.minimum(np.rint(tail), 2**40).astype(np.int64) if c.coin("whole") else tail


@dense
def powers_of_two(c: Chance, rows: int, cols: int) -> Costs:
    return np.left_shift(1, _integers(c, 2 + c.whole("powers", 1, 30), rows, cols))


@dense
def preferences(c: Chance, rows: int, cols: int) -> Costs:
    """Every row ranks all columns."""
    return np.argsort(np.argsort(_uniform(c, rows, cols), axis=1), axis=1)


@dense
def common_preferences(c: Chance, rows: int, cols: int) -> Costs:
    """Every row ranks all columns, and most agree about the best ones."""
    liked = _uniform(c, rows, cols) + c.log("agreement", 0.01, 10.0) * _uniform(c, 1, cols)
    return np.argsort(np.argsort(liked, axis=1), axis=1)


# Rows and columns with a rank, an order or a scale.


@dense
def products(c: Chance, rows: int, cols: int) -> Costs:
    """Machol and Wien's products, of the numbers of row and column or of random numbers."""
    if c.coin("counting"):
        return generate("machol_wien", rows=rows, cols=cols)
    return _integers(c, 1000, rows, 1) * _integers(c, 1000, 1, cols)


@dense
def low_rank(c: Chance, rows: int, cols: int) -> Costs:
    rank = c.whole("rank", 1, 30)
    C: Reals = _uniform(c, rows, rank) @ _uniform(c, rank, cols)
    return np.rint(C * 1000).astype(np.int64) if c.coin("whole") else C


@dense
def sums_and_noise(c: Chance, rows: int, cols: int) -> Costs:
    """A row's part and a column's part, and a little noise that alone decides."""
    noise = c.whole("noise", 1, 1000)
    parts = _integers(c, 10**5, rows, 1) + _integers(c, 10**5, 1, cols)
    return parts + _integers(c, noise, rows, cols)


@dense
def real_sums_and_noise(c: Chance, rows: int, cols: int) -> Costs:
    noise = c.log("noise", 1e-6, 0.3)
    return _uniform(c, rows, 1) + _uniform(c, 1, cols) + noise * _uniform(c, rows, cols)


@dense
def scaled_rows(c: Chance, rows: int, cols: int) -> Costs:
    """Rows of different units."""
    return 10.0 ** (c.real("decades", 1.0, 8.0) * _uniform(c, rows, 1)) * _uniform(c, rows, cols)


@dense
def sorted_rows(c: Chance, rows: int, cols: int) -> Costs:
    """Random costs, sorted along the rows or the columns."""
    return np.sort(_integers(c, 1 + c.whole("largest", 10, 10**6), rows, cols), axis=c.pick("axis", 0, 1))


@dense
def monge(c: Chance, rows: int, cols: int) -> Costs:
    """Sums of a density over a corner: the diagonal or, reversed, the antidiagonal is best."""
    C = np.cumsum(np.cumsum(_integers(c, 1 + c.whole("density", 1, 10), rows, cols), axis=0), axis=1)
    return C[::-1] if c.coin("reversed") else C


@dense
def remainders(c: Chance, rows: int, cols: int) -> Costs:
    """Products modulo a number: costs that look random and are not."""
    return np.outer(np.arange(1, rows + 1), np.arange(1, cols + 1)) % c.whole("modulus", 3, 10**5)


@dense
def near_the_diagonal(c: Chance, rows: int, cols: int) -> Costs:
    """The distance of the numbers, linear or squared, with noise."""
    far = np.abs(np.subtract.outer(np.arange(rows) * cols // rows, np.arange(cols)))
    return far ** c.pick("power", 1, 2) + _integers(c, 1 + c.whole("noise", 1, 1000), rows, cols)


@dense
def clusters_of_rows(c: Chance, rows: int, cols: int) -> Costs:
    """Copies of a few rows, with a little noise or none: shifts, machines, seats of one kind."""
    kinds, noise = c.whole("kinds", 1, 50), c.pick("noise", 1, 2, 10)
    kind = c.draws().integers(kinds, rows)
    return noise * _integers(c, 1000, kinds, cols)[kind] + _integers(c, noise, rows, cols)


@dense
def blocks(c: Chance, rows: int, cols: int) -> Costs:
    """Cheap blocks, dear elsewhere."""
    size, dear = c.whole("size", 2, max(3, rows // 2)), c.whole("dear", 2, 10**5)
    apart = np.not_equal.outer(np.arange(rows) // size, np.arange(cols) // size)
    return _integers(c, 100, rows, cols) + dear * apart


@dense
def hidden(c: Chance, rows: int, cols: int) -> Costs:
    """A cheap assignment among dear entries."""
    C = c.whole("dear", 1, 1000) + _integers(c, 1000, rows, cols)
    k = np.arange(min(rows, cols))
    C[c.draws().permutation(rows)[k], c.draws().permutation(cols)[k]] = 0
    return C


@dense
def dear_diagonal(c: Chance, rows: int, cols: int) -> Costs:
    """Random costs, with a dear or cheap diagonal."""
    C, k = _integers(c, 1 + c.whole("largest", 1, 10**5), rows, cols), np.arange(min(rows, cols))
    C[k, k] = c.pick("diagonal", 0, 10**5, 10**9)
    return C


@family
def padded(entries: int, c: Chance) -> Costs:
    """A rectangle made square by rows of one cost."""
    n = max(round(math.sqrt(entries)), 8)
    C, dummies = _integers(c, 10**4, n, n), round(n * c.real("dummies", 0.05, 0.8))
    C[n - dummies :] = c.pick("cost", 0, 5000, 10**6)
    return C


@family
def slots(entries: int, c: Chance) -> Costs:
    """Places that take several each, as many columns as they have slots."""
    n = max(round(math.sqrt(entries)), 8)
    places = c.whole("places", 2, max(n // 2, 3))
    C = _integers(c, 100, n, places) if c.coin("whole") else _uniform(c, n, places)
    return C[:, np.sort(c.draws().integers(places, n))]


# Points, boxes, vectors.


@dense
def euclidean(c: Chance, rows: int, cols: int) -> Costs:
    scale = c.pick("scale", None, None, 100, 10**4, 10**6)
    axes = c.pick("dimensions", 1, 2, 2, 3, 10)
    return generate("euclidean_costs", c.seed(), rows=rows, cols=cols, dimensions=axes, scale=scale)


@family
def squared(entries: int, c: Chance) -> Costs:
    """Squared distances: the cost of optimal transport."""
    return squared_distances(*_points(entries, c))


@family
def persistence(entries: int, c: Chance) -> Costs:
    """The distance of two persistence diagrams: a point goes to another one or to the diagonal."""
    n = max(round(math.sqrt(entries) / 2), 4)
    power, spread = c.pick("power", 1, 2), c.log("spread", 0.01, 0.3)
    first, second = (_uniform(c, n, 2) * [1.0, spread] for _ in range(2))  # birth, and how long it lived
    first[:, 1] += first[:, 0]
    second[:, 1] += second[:, 0]
    C = np.zeros((2 * n, 2 * n))
    C[:n, :n] = np.abs(first[:, None] - second[None]).max(axis=2) ** power
    C[:n, n:] = ((first[:, 1] - first[:, 0]) / 2)[:, None] ** power
    C[n:, :n] = ((second[:, 1] - second[:, 0]) / 2)[None] ** power
    return C


@family
def kernel(entries: int, c: Chance) -> Costs:
    """One less a Gaussian kernel: near points matter, far ones cost all the same."""
    return 1.0 - np.exp(-squared_distances(*_points(entries, c)) / c.log("width", 1e-4, 1.0))


@dense
def line(c: Chance, rows: int, cols: int) -> Costs:
    """Distances of points on a line: many optimal assignments."""
    if c.coin("whole"):
        far = c.whole("far", 10, 10**6)
        return np.abs(_integers(c, far, rows, 1) - _integers(c, far, 1, cols))
    return np.abs(_uniform(c, rows, 1) - _uniform(c, 1, cols))


@dense
def streets(c: Chance, rows: int, cols: int) -> Costs:
    """Blocks to walk between places of a town."""
    town = c.whole("town", 10, 10**4)
    first, second = _integers(c, town, rows, 2), _integers(c, town, cols, 2)
    return np.abs(first[:, None] - second[None]).sum(axis=2)


@family
def moved_points(entries: int, c: Chance) -> Costs:
    """Distances of points to the same points a moment later, some gone and some new."""
    n, moved = max(round(math.sqrt(entries)), 8), c.log("moved", 1e-4, 0.3)
    first = _uniform(c, n, 2)
    second = first + moved * (_uniform(c, n, 2) - 0.5)
    changed = c.draws().uniform(n) < c.real("changed", 0.0, 0.3)
    second[changed] = _uniform(c, n, 2)[changed]
    return np.sqrt(squared_distances(first, second))


@dense
def clustered_points(c: Chance, rows: int, cols: int) -> Costs:
    centres, spread = c.whole("centres", 1, 50), c.log("spread", 0.001, 0.3)
    centre, sides = _uniform(c, centres, 2), []
    for n in (rows, cols):
        sides.append(centre[c.draws().integers(centres, n)] + spread * (_uniform(c, n, 2) - 0.5))
    return np.sqrt(squared_distances(*sides))


@dense
def embeddings(c: Chance, rows: int, cols: int) -> Costs:
    """Cosine distances of vectors, random or of a few kinds."""
    size, kinds, noise = c.whole("size", 4, 128), c.whole("kinds", 1, 200), c.log("noise", 0.05, 5.0)
    kind, sides = _uniform(c, kinds, size) - 0.5, []
    for n in (rows, cols):
        vectors = kind[c.draws().integers(kinds, n)] + noise * (_uniform(c, n, size) - 0.5)
        sides.append(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    return 1.0 - sides[0] @ sides[1].T


@dense
def overlaps(c: Chance, rows: int, cols: int) -> Costs:
    """One less the overlap of boxes and the same boxes a moment later: most pairs do not touch."""
    size, moved = c.log("size", 0.01, 0.3), c.log("moved", 1e-3, 0.3)
    first = _uniform(c, max(rows, cols), 4)
    second = np.clip(first + moved * (_uniform(c, max(rows, cols), 4) - 0.5), 0.0, 1.0)
    return 1.0 - _overlap(_boxes(first[:rows], size), _boxes(second[:cols], size))


@dense
def set_prediction(c: Chance, rows: int, cols: int) -> Costs:
    """A detector's queries against objects: class score, distance of boxes and overlap."""
    queries, objects = _uniform(c, rows, 4), _uniform(c, cols, 4)
    classes = c.whole("classes", 1, 90)
    score = _uniform(c, rows, classes)[:, c.draws().integers(classes, cols)]
    distance = np.abs(queries[:, None] - objects[None]).sum(axis=2)
    return 5 * distance - 2 * score - 2 * _overlap(_boxes(queries, 0.3), _boxes(objects, 0.3))


@family
def gated(entries: int, c: Chance) -> Costs:
    """Tracks and detections, forbidden beyond a gate, with a column for each miss."""
    tracks = max(round(math.sqrt(entries / 2.4)), 8)
    gate, clutter = c.real("gate", 0.5, 4.0), c.real("clutter", 0.0, 1.0)
    return generate("tracking", c.seed(), tracks=tracks, gate=gate, clutter=clutter, dense=True)


@family
def dear_gate(entries: int, c: Chance) -> Costs:
    """Distances, and one large number beyond a gate."""
    C = np.sqrt(squared_distances(*_points(entries, c)))
    return np.where(c.log("gate", 0.01, 0.5) < C, c.pick("beyond", 1.0, 1e3, 1e5, 1e9), C)


@dense
def forbidden(c: Chance, rows: int, cols: int) -> Costs:
    """Random costs, of which some are infinite; a full assignment is hidden."""
    share = c.real("forbidden", 0.05, 0.9)
    k = np.arange(min(rows, cols))
    keep = _uniform(c, rows, cols) >= share
    keep[c.draws().permutation(rows)[k], c.draws().permutation(cols)[k]] = True
    return np.where(keep, _integers(c, 1 + c.whole("largest", 10, 10**6), rows, cols), np.inf)


@dense
def images(c: Chance, rows: int, cols: int) -> Costs:
    """Differences of small grey pictures."""
    pixels = c.whole("pixels", 1, 64)
    first, second = _integers(c, 256, rows, pixels), _integers(c, 256, cols, pixels)
    return sum(np.abs(np.subtract.outer(first[:, k], second[:, k])) for k in range(pixels))


@family
def strip(entries: int, c: Chance) -> Costs:
    """Few rows, many columns: the nearest of a crowd."""
    rows = c.whole("rows", 2, max(3, int(entries**0.4)))
    cols = max(entries // rows, rows)
    return _integers(c, 10**4, rows, cols) if c.coin("whole") else _uniform(c, rows, cols)


# Sparse: what is not stored is forbidden.


@family.on_the_host
def sparse_random(entries: int, c: Chance) -> Costs:
    degree, spread = c.whole("degree", 2, 40), c.log("spread", 0.001, 100.0)
    rows = max(entries // degree, 2 * degree)
    return generate("sparse_costs", c.seed(), rows=rows, degree=degree, spread=spread)


@family.on_the_host
def sparse_wide(entries: int, c: Chance) -> Costs:
    degree, aspect = c.whole("degree", 2, 20), c.log("aspect", 1.05, 20.0)
    rows = max(entries // degree, 2 * degree)
    return generate("sparse_costs", c.seed(), rows=rows, cols=round(aspect * rows) + 1, degree=degree)


@family.on_the_host
def sparse_blocks(entries: int, c: Chance) -> Costs:
    """Many small problems in one."""
    size, fill = c.whole("size", 2, 60), c.real("fill", 0.3, 1.0)
    n, draws = max(round(entries / (size * size * fill)), 1) * size, c.draws()
    row = np.repeat(np.arange(n), size)
    col = row // size * size + np.tile(np.arange(size), n)
    kept = draws.uniform(len(row)) < fill
    return _stored(c, row[kept], col[kept], (n, n))


@family.on_the_host
def sparse_dear_diagonal(entries: int, c: Chance) -> Costs:
    """A way out for every row, at a price: the diagonal."""
    degree = c.whole("degree", 1, 10)
    n = max(entries // (degree + 1), 8)
    C = _stored(c, np.repeat(np.arange(n), degree), c.draws().integers(n, n * degree), (n, n), diagonal=False)
    return sparse.csr_array(C + sparse.diags_array(np.full(n, 10**6), dtype=C.dtype))


@family.on_the_host
def sparse_band(entries: int, c: Chance) -> Costs:
    width = c.whole("width", 1, 40)
    n = max(entries // (2 * width + 1), 8)
    row = np.repeat(np.arange(n), 2 * width + 1)
    col = row + np.tile(np.arange(-width, width + 1), n)
    inside = (col >= 0) & (col < n)
    return _stored(c, row[inside], col[inside], (n, n))


@family.on_the_host
def sparse_grid(entries: int, c: Chance) -> Costs:
    """A cell takes its own place or a neighbour's."""
    nx = max(round(math.sqrt(entries / 5 / c.log("aspect", 1.0, 50.0))), 2)
    ny = max(round(entries / 5 / nx), 2)
    A = sparse.coo_array(generate("grid", nx=nx, ny=ny))
    return _stored(c, A.row.astype(np.int64), A.col.astype(np.int64), A.shape)


@family.on_the_host
def sparse_nearest(entries: int, c: Chance) -> Costs:
    """Points and the nearest of another set, and one random one that makes it feasible."""
    from scipy.spatial import KDTree

    degree = c.whole("nearest", 2, 30)
    n = max(entries // (degree + 1), degree + 1)
    first, second = _uniform(c, n, 2), _uniform(c, n, 2)
    col = KDTree(second).query(first, degree)[1].astype(np.int64)
    row, col = np.repeat(np.arange(n), degree), col.ravel()
    row, col = np.append(row, np.arange(n)), np.append(col, c.draws().permutation(n))
    away = first[row] - second[col]
    return _summed(row, col, np.rint(10**6 * np.sqrt((away * away).sum(axis=1))).astype(np.int64) + 1, (n, n))


@family.on_the_host
def sparse_tracking(entries: int, c: Chance) -> Costs:
    gate, clutter = c.real("gate", 0.8, 3.0), c.real("clutter", 0.0, 1.0)
    tracks = max(round(entries / (1 + (0.9 + clutter) * math.pi * gate * gate)), 8)
    return generate("tracking", c.seed(), tracks=tracks, gate=gate, clutter=clutter)


@family.on_the_host
def sparse_popular(entries: int, c: Chance) -> Costs:
    """Everybody wants the same few columns."""
    degree, power = c.whole("degree", 2, 20), c.real("power", 1.0, 4.0)
    n, draws = max(entries // (degree + 1), 8), c.draws()
    col = (n * draws.uniform(n * degree) ** power).astype(np.int64)
    return _stored(c, np.repeat(np.arange(n), degree), col, (n, n))


@family.on_the_host
def sparse_triangle(entries: int, c: Chance) -> Costs:
    """The diagonal and random entries above it: only the diagonal is feasible."""
    degree = c.whole("degree", 1, 20)
    n, draws = max(entries // (degree + 1), 8), c.draws()
    row = np.repeat(np.arange(n), degree)
    return _stored(c, row, row + (draws.uniform(len(row)) * (n - row)).astype(np.int64), (n, n))


def _shape(entries: int, c: Chance) -> tuple[int, int]:
    """A square, or as many more columns than rows as there may be."""
    aspect = 1.0 if c.coin("square", 0.6) else c.log("aspect", 1.01, 30.0)
    rows = max(round(math.sqrt(entries / aspect)), 3)
    return rows, max(round(entries / rows), rows) if aspect > 1 else rows


def _uniform(c: Chance, rows: int, cols: int) -> Reals:
    return c.draws().uniform(rows * cols).reshape(rows, cols)


def _integers(c: Chance, bound: int, rows: int, cols: int) -> Ints:
    return c.draws().integers(bound, rows * cols).reshape(rows, cols)


def _points(entries: int, c: Chance) -> tuple[Reals, Reals]:
    rows, cols = _shape(entries, c)
    axes = c.pick("dimensions", 1, 2, 2, 3, 8)
    return _uniform(c, rows, axes), _uniform(c, cols, axes)


def _boxes(places: Reals, size: float) -> Reals:
    """Boxes as left, top, right, bottom, of a middle, a width and a height."""
    middle, half = places[:, :2], 0.5 * size * (0.2 + places[:, 2:])
    return np.hstack([middle - half, middle + half])


def _overlap(first: Reals, second: Reals) -> Reals:
    """Intersection over union."""
    sides = [
        np.minimum.outer(first[:, axis + 2], second[:, axis + 2])
        - np.maximum.outer(first[:, axis], second[:, axis])
        for axis in (0, 1)
    ]
    common = np.maximum(sides[0], 0.0) * np.maximum(sides[1], 0.0)
    area = [(boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]) for boxes in (first, second)]
    ratio: Reals = common / (np.add.outer(*area) - common)
    return ratio


def _stored(
    c: Chance, row: Ints, col: Ints, shape: tuple[int, int], diagonal: bool = True
) -> sparse.csr_array:
    """Random costs of these entries, and of the diagonal, so that there is a full assignment."""
    own = np.arange(min(shape)) if diagonal else np.empty(0, np.int64)
    row, col = np.append(row, own), np.append(col, own)
    kind = c.pick("costs", "unit", "few", "many", "many", "real")
    draws: Draws = c.draws()
    if kind == "real":
        return _summed(row, col, draws.uniform(len(row)) + 1e-3, shape)
    largest = {"unit": 1, "few": 10, "many": 10**6}[kind]
    return _summed(row, col, 1 + draws.integers(largest, len(row)), shape)


def _summed(row: Ints, col: Ints, cost: Any, shape: tuple[int, int]) -> sparse.csr_array:
    return sparse.csr_array(sparse.coo_array((cost, (row, col)), shape=shape))

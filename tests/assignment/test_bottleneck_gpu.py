"""The search that GPUs run, on arrays of NumPy and with matchings of the host."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.assignment import bottleneck_gpu
from konig.assignment.bottleneck import BottleneckAssignment
from konig.assignment.bottleneck_gpu import ThresholdSearch, minimised
from konig.matching.result import VertexCover


def match(start, col, cols, col_of_row):
    pattern = sp.csr_array((np.ones(len(col)), col, start), shape=(len(start) - 1, cols))
    return konig.maximum_matching(pattern, initial=col_of_row).col_of_row.astype(np.int32)


def solve(C, maximize=False, full=True):
    """The answer as a result that verify takes, or None where no assignment is full."""
    keys = minimised(C, maximize)
    turned = C.shape[0] > C.shape[1]
    found = ThresholdSearch(np, keys.T if turned else keys, match).solve(full)
    if not found.feasible:
        return None
    near = np.flatnonzero(found.col_of_row >= 0)
    pairs = [near, found.col_of_row[near].astype(np.int64)]
    covers = [
        None if lines is None else VertexCover(*(np.flatnonzero(of) for of in lines[:: -1 if turned else 1]))
        for lines in (found.cover, found.size_cover)
    ]
    if turned:
        order = pairs[1].argsort()
        pairs = [pairs[1][order], pairs[0][order]]
    values = C[pairs[0], pairs[1]]
    worst = (values.min() if maximize else values.max()).item() if len(values) else None
    made = BottleneckAssignment(
        *pairs, worst, covers[0], C.shape, "threshold", "cpu", found.stats, maximize, covers[1]
    )
    made.verify(C)
    return made


def drawn(kind, rows, cols, rng):
    return {
        "uniform": lambda: rng.random((rows, cols)),
        "float32": lambda: rng.random((rows, cols)).astype(np.float32),
        "products": lambda: np.outer(rng.random(rows), rng.random(cols)),
        "few integers": lambda: rng.integers(0, 4, (rows, cols)),
        "int32": lambda: rng.integers(-(2**31), 2**31, (rows, cols), dtype=np.int64).astype(np.int32),
        "ends of int64": lambda: rng.choice([-(2**63), -1, 0, 2**63 - 1], (rows, cols)),
        "forbidden": lambda: np.where(rng.random((rows, cols)) < 0.5, np.inf, rng.random((rows, cols))),
        "all equal": lambda: np.full((rows, cols), 3.0),
    }[kind]()


KINDS = (
    "uniform",
    "float32",
    "products",
    "few integers",
    "int32",
    "ends of int64",
    "forbidden",
    "all equal",
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximize", [False, True])
def test_answers_are_those_of_the_cpu(kind, maximize, monkeypatch):
    monkeypatch.setattr(bottleneck_gpu, "MOST_LISTED", 64)
    rng = np.random.default_rng(sum(map(ord, kind)))
    for rows, cols in ((1, 1), (2, 5), (5, 2), (8, 8), (30, 30), (40, 70), (70, 40)):
        C = drawn(kind, rows, cols, rng)
        if maximize and C.dtype.kind == "f":
            C = np.where(np.isinf(C), -np.inf, C).astype(C.dtype)
        expected = konig.bottleneck_assignment(C, maximize=maximize, full=False)
        found = solve(C, maximize, full=False)
        assert found.size == expected.size
        assert found.bottleneck == expected.bottleneck
        full = solve(C, maximize)
        assert (full is None) == (expected.size < min(C.shape))


def test_large_costs_are_sampled():
    C = np.random.default_rng(2).random((700, 700)) ** 4
    found = solve(C)
    assert found.bottleneck == konig.bottleneck_assignment(C).bottleneck


def test_rows_without_entries_are_left_over():
    C = np.full((6, 6), np.inf)
    C[0, 0], C[3, 3], C[3, 0] = 1.0, 2.0, 0.5
    assert solve(C) is None
    assert solve(C, full=False).bottleneck == 2.0
    assert solve(np.full((3, 3), np.inf), full=False).size == 0


class OnHost:
    """Stands in for a GPU: arrays are NumPy's, matchings of graphs that it is given are the host's."""

    cupy = np

    def __init__(self, number, place):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass

    def __str__(self):
        return "cuda:0"

    def run_auto(self, method, partial, report, warm):
        lists = partial.graph.of_col
        near, far = partial.row_of_col, partial.col_of_row
        near[:] = match(lists.start, lists.neighbour, partial.graph.rows, near)
        far[:] = -1
        far[near[near >= 0]] = np.flatnonzero(near >= 0)


@pytest.fixture
def stand_in(monkeypatch):
    monkeypatch.setattr("konig.matching.gpu.MatchingGpu", OnHost)
    monkeypatch.setattr(bottleneck_gpu, "costs_there", lambda gpu, C, *rest: np.asarray(C))
    monkeypatch.setattr(bottleneck_gpu, "checked_extent", lambda *rest: None)


@pytest.mark.usefixtures("stand_in")
@pytest.mark.parametrize("shape", [(1, 1), (6, 6), (4, 9), (9, 4), (60, 60)])
@pytest.mark.parametrize("maximize", [False, True])
def test_what_a_gpu_leaves_becomes_a_proved_answer(shape, maximize):
    C = np.random.default_rng(4).integers(0, 1000, shape)
    found = konig.bottleneck_assignment(C, maximize=maximize, device="cuda")
    found.verify(C)
    assert found.device == "cuda:0"
    assert found.stats["thresholds"] >= 1
    assert found.bottleneck == konig.bottleneck_assignment(C, maximize=maximize).bottleneck


@pytest.mark.usefixtures("stand_in")
def test_a_gpu_says_which_rows_have_too_few_columns():
    C = np.array([[1.0, np.inf, np.inf], [2.0, np.inf, np.inf], [3.0, 4.0, 5.0]])
    for costs, rows, cols in ((C, [0, 1], [0]), (C.T, [0], [0, 1])):
        with pytest.raises(konig.InfeasibleError) as refused:
            konig.bottleneck_assignment(costs, device="cuda")
        assert sorted(refused.value.rows) == (rows if costs is C else [1, 2])
        assert sorted(refused.value.cols) == (cols if costs is C else [2])
    found = konig.bottleneck_assignment(C, full=False, device="cuda")
    found.verify(C)
    assert found.size == 2
    none = konig.bottleneck_assignment(np.zeros((0, 3)), device="cuda")
    none.verify(np.zeros((0, 3)))
    assert none.bottleneck is None


def test_sparse_costs_are_not_solved_on_a_gpu():
    with pytest.raises(ValueError, match="sparse costs are solved on the CPU"):
        konig.bottleneck_assignment(sp.csr_array(np.eye(2)), device="cuda")

"""Assignment between point sets: optimal for all pairs, proved, in memory that is linear in the points."""

import itertools
import pickle
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

import konig
from konig.assignment.auto import SORTED_POINTS, solves_points_as_matrix
from konig.assignment.points import assign_small
from konig.assignment.points.metrics import NAMES, prepared, tile

METRICS = NAMES


@pytest.fixture(params=["as chosen", "trees"], autouse=True)
def way(request, monkeypatch):
    """Small problems are solved as matrices, and those of many dimensions; trees and cores solve all, too."""
    if request.param == "trees":
        monkeypatch.setattr("konig.assignment.points.assign_small", lambda *points: None)
        monkeypatch.setattr("konig.assignment.points.solves_points_as_matrix", lambda *extent: False)
        monkeypatch.setattr("konig.assignment.points.POINT_MATRIX_ENTRIES", 0)
    return request.param


def families(n, m, d, rng):
    """Pairs of point sets by name, of n and m points."""
    side = max(2, round(n ** (1 / d)))
    centres, more, fewer = rng.normal(size=(4, d)) * 20, rng.choice(4, n), rng.choice(2, m)
    same = rng.random((max(n, m), d)) + 0.1
    line = np.linspace(1, 2, d)
    return {
        "uniform": (rng.random((n, d)) + 0.1, rng.random((m, d)) + 0.1),
        "grid": (rng.integers(1, side + 1, (n, d)), rng.integers(1, side + 1, (m, d))),
        "clusters of other sizes": (
            centres[more] + rng.normal(size=(n, d)),
            centres[fewer] + rng.normal(size=(m, d)),
        ),
        "far apart": (rng.random((n, d)) + 0.1, rng.random((m, d)) + 50),
        "the same": (same[:n], same[rng.permutation(len(same))][:m]),
        "all equal": (np.ones((n, d)), np.full((m, d), 3.0)),
        "on a line": (rng.random((n, 1)) * line + 0.1, rng.random((m, 1)) * line + 0.1),
        "of many scales": (10.0 ** rng.uniform(-9, 3, (n, d)), 10.0 ** rng.uniform(-9, 3, (m, d))),
    }


FAMILIES = tuple(families(2, 2, 1, np.random.default_rng(0)))


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("family", FAMILIES)
def test_costs_are_those_of_the_whole_matrix(metric, family):
    rng = np.random.default_rng(sum(map(ord, metric + family)))
    for n, m, d in (
        (1, 1, 2),
        (1, 5, 3),
        (7, 3, 1),
        (90, 90, 2),
        (150, 210, 2),
        (203, 203, 3),
        (130, 90, 12),
    ):
        X, Y = families(n, m, d, rng)[family]
        C = tile(*prepared(X, Y, metric), metric)
        a = konig.point_assignment(X, Y, metric, threads=1)
        a.verify(X, Y)
        # The proof of the whole matrix is about the same numbers.
        matrix = konig.linear_assignment(C)
        assert a.cost == pytest.approx(matrix.cost, rel=1e-12, abs=1e-300)
        replace(
            matrix,
            row_ind=a.row_ind,
            col_ind=a.col_ind,
            cost=a.cost,
            gap=a.gap,
            row_dual=a.row_dual,
            col_dual=a.col_dual,
        ).verify(C)


@pytest.mark.parametrize("metric", METRICS)
def test_a_few_points_by_trying_all_assignments(metric):
    rng = np.random.default_rng(11)
    for _ in range(20):
        n, m, d = rng.integers(1, 5), rng.integers(1, 6), rng.integers(1, 4)
        X, Y = rng.integers(1, 4, (n, d)) / 8, rng.integers(1, 4, (m, d)) / 8
        C = tile(*prepared(X, Y, metric), metric)
        C = C if n <= m else C.T
        best = min(
            sum(Fraction(C[i, j]) for i, j in enumerate(chosen))
            for chosen in itertools.permutations(range(max(n, m)), int(min(n, m)))
        )
        a = konig.point_assignment(X, Y, metric)
        assert a.cost == pytest.approx(float(best), rel=1e-15, abs=1e-300)
        a.verify(X, Y)


@pytest.mark.parametrize("metric", METRICS)
def test_the_formula_is_computed_as_documented(metric):
    rng = np.random.default_rng(5)
    X, Y = rng.normal(size=(30, 7)), rng.normal(size=(1, 7))
    if metric == "cosine":
        X, Y = (
            p / np.sqrt(np.cumsum(p * p, axis=1)[:, -1:])
            for p in (np.ldexp(p, -np.frexp(np.abs(p).max(axis=1))[1][:, None]) for p in (X, Y))
        )
    for x in X:
        sum_ = 0.0
        for a, b in zip(x.tolist(), Y[0].tolist(), strict=True):
            t = abs(a - b)
            sum_ = max(sum_, t) if metric == "chebyshev" else sum_ + (t if metric == "cityblock" else t * t)
        cost = {"euclidean": sum_**0.5, "cosine": 0.5 * sum_}.get(metric, sum_)
        if metric == "euclidean":
            cost = float(np.sqrt(sum_))
        found = tile(x[None], Y, metric)
        assert found[0, 0] == cost
        if metric != "cosine":
            assert konig.point_assignment(x[None], Y, metric).cost == cost


def test_cosine_is_one_less_the_cosine():
    rng = np.random.default_rng(6)
    X, Y = rng.normal(size=(40, 20)), rng.normal(size=(40, 20))
    a = konig.point_assignment(X, Y, "cosine")
    cosine = (X * Y[a.col_ind]).sum(1) / np.linalg.norm(X, axis=1) / np.linalg.norm(Y[a.col_ind], axis=1)
    assert a.cost == pytest.approx((1 - cosine).sum(), rel=1e-12)
    scaled = konig.point_assignment(X * 1e-200, Y * 1e200, "cosine")
    assert (scaled.col_ind == a.col_ind).all()


def test_threads_change_nothing():
    rng = np.random.default_rng(7)
    X, Y = rng.random((9_000, 2)), rng.random((9_000, 2))
    one, two = (konig.point_assignment(X, Y, threads=threads) for threads in (1, 2))
    assert (one.col_ind == two.col_ind).all()
    assert (one.col_dual == two.col_dual).all()
    assert one.cost == two.cost
    assert one.gap == two.gap


@pytest.mark.parametrize(
    ("metric", "function"),
    [
        ("cityblock", lambda x, y: np.abs(x[:, None] - y[None]).sum(-1)),
        (
            "cosine",
            lambda x, y: 1 - (x @ y.T) / np.linalg.norm(x, axis=1)[:, None] / np.linalg.norm(y, axis=1),
        ),
    ],
)
@pytest.mark.parametrize(("n", "m"), [(1, 1), (300, 300), (200, 350), (350, 200)])
def test_a_metric_may_be_a_function(metric, function, n, m):
    rng = np.random.default_rng(n + m)
    X, Y = rng.random((n, 3)), rng.random((m, 3))
    a = konig.point_assignment(X, Y, function)
    a.verify(X, Y)
    assert a.cost == pytest.approx(konig.point_assignment(X, Y, metric).cost, rel=1e-9)
    with pytest.raises(konig.CertificateError):
        a.verify(X[::-1] + 1, Y)


def test_a_function_takes_points_in_lists_as_arrays():
    X, Y = [[0.0, 1.0], [2.0, 5.0]], ((1.0, 1.0), (0.0, 4.0), (7.0, 7.0))

    def cityblock(x, y):
        return np.abs(x[:, None] - y[None]).sum(-1)

    a = konig.point_assignment(X, Y, cityblock)
    a.verify(X, Y)
    assert a.cost == konig.point_assignment(X, Y, "cityblock").cost


def test_a_function_is_called_for_blocks_of_rows_alone(way):
    seen = []

    def squares(x, y):
        seen.append((len(x), len(y)))
        return (x[:, None, 0] - y[None, :, 0]) ** 2

    rng = np.random.default_rng(3)
    X, Y = rng.random((1_200, 1)), rng.random((1_200, 1))
    a = konig.point_assignment(X, Y, squares)
    assert max(rows for rows, _ in seen) * 1_200 <= 1 << 20
    assert sum(rows for rows, _ in seen) == 1_200 or way == "trees"
    order = np.argsort(X[:, 0])
    assert (Y[a.col_ind[order], 0] == np.sort(Y[:, 0])).all()  # sorting solves convex costs on a line


@pytest.mark.parametrize("shapes", [((0, 2), (0, 2)), ((0, 2), (3, 2)), ((3, 2), (0, 2)), ((0, 0), (0, 0))])
@pytest.mark.parametrize("metric", ["euclidean", "cosine", lambda x, y: np.zeros((len(x), len(y)))])
def test_nothing_is_assigned_to_nothing(shapes, metric):
    X, Y = (np.ones(shape) for shape in shapes)
    a = konig.point_assignment(X, Y, metric)
    assert a.size == 0
    assert a.cost == 0
    assert a.gap == 0
    a.verify(X, Y)


def test_points_without_coordinates_are_one_point():
    a = konig.point_assignment(np.zeros((3, 0)), np.zeros((5, 0)))
    assert a.size == 3
    assert a.cost == 0
    a.verify(np.zeros((3, 0)), np.zeros((5, 0)))


@pytest.mark.parametrize(
    "kind", [bool, np.int8, np.uint16, np.int64, np.uint64, np.float16, np.float32, ">f8"]
)
def test_points_come_in_any_real_type(kind):
    rng = np.random.default_rng(9)
    X, Y = rng.integers(0, 2, (20, 3)).astype(kind), rng.integers(0, 2, (25, 3)).astype(kind)
    for x in (X, np.asfortranarray(X), X[:, ::-1], X.tolist()):
        a = konig.point_assignment(x, Y)
        a.verify(x, Y)


@pytest.mark.parametrize(
    ("X", "Y", "metric", "message"),
    [
        ([[0.0, np.nan]], [[0.0, 0.0]], "euclidean", r"X\[0, 1\] = nan is not a finite number"),
        ([[0.0]], [[0.0], [np.inf]], "euclidean", r"Y\[1, 0\] = inf is not a finite number"),
        ([[2**53 + 1]], [[0]], "euclidean", r"X\[0, 0\] = 9007199254740993 is not exact in float64"),
        ([0.0, 1.0], [[0.0]], "euclidean", r"X must have two dimensions"),
        ([[0.0, 1.0]], [[0.0]], "euclidean", r"X and Y must have as many coordinates, not 2 and 1"),
        ([[1.0], [0.0]], [[1.0]], "cosine", r"X\[1\] is zero: it has no direction"),
        ([[1e300]], [[-1e300]], "sqeuclidean", r"X and Y lie too far apart for metric='sqeuclidean'"),
        (
            [[1.0]],
            [[1.0]],
            "manhattan",
            r"metric must be a function or one of euclidean, .*, not 'manhattan'",
        ),
    ],
)
def test_bad_points_are_refused_by_name(X, Y, metric, message):
    with pytest.raises(ValueError, match=message):
        konig.point_assignment(X, Y, metric)


@pytest.mark.parametrize("X", [[["a"]], np.zeros((1, 1), complex), np.zeros((1, 1), np.longdouble)])
def test_what_is_no_real_number_is_refused(X):
    with pytest.raises(TypeError, match="X must be an array of real numbers"):
        konig.point_assignment(X, [[0.0]])


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x, y: np.zeros((len(x), 1)), r"returned shape \(2, 1\), not \(2, 3\)"),
        (lambda x, y: np.full((2, 3), np.nan), r"pair \(0, 0\) costs nan"),
        (lambda x, y: np.full((2, 3), np.inf), r"pair \(0, 0\) costs inf"),
    ],
)
def test_a_function_that_says_nonsense_is_refused(function, message):
    with pytest.raises(ValueError, match=message):
        konig.point_assignment(np.zeros((2, 1)), np.zeros((3, 1)), function)


def test_with_a_function_points_are_assigned_on_the_cpu():
    with pytest.raises(ValueError, match="device='cuda': with a function as metric"):
        konig.point_assignment(np.zeros((1, 1)), np.zeros((1, 1)), lambda x, y: x - y.T, device="cuda")


def test_wrong_answers_are_refused():
    rng = np.random.default_rng(13)
    X, Y = rng.random((30, 2)), rng.random((40, 2))
    a = konig.point_assignment(X, Y)
    swapped = a.col_ind.copy()
    swapped[[0, 1]] = swapped[[1, 0]]
    for changed in (
        {"col_ind": swapped},
        {"cost": a.cost + 1e-6},
        {"gap": a.gap + 1e-6},
        {"row_dual": a.row_dual + 1e-9},
        {"col_dual": a.col_dual[:-1]},
        {"row_ind": a.row_ind[:-1], "col_ind": a.col_ind[:-1]},
        {"metric": "cityblock"},
    ):
        with pytest.raises(konig.CertificateError):
            replace(a, **changed).verify(X, Y)
    with pytest.raises(konig.CertificateError):
        a.verify(X[:-1], Y)


def test_inputs_are_not_changed_and_results_own_their_memory():
    X, Y = np.eye(5), np.eye(5)[::-1].copy()
    before = X.copy(), Y.copy()
    a = konig.point_assignment(X, Y, "cosine")
    assert (before[0] == X).all()
    assert (before[1] == Y).all()
    X[:] = 7
    assert a.cost == 0
    assert not a.col_ind.flags.writeable


def test_memory_is_linear_in_the_points():
    """The matrix of 30,000 points has 7 GB."""
    program = (
        "import numpy as np, konig, resource, sys\n"
        "rng = np.random.default_rng(1)\n"
        "X, Y = rng.random((30_000, 2)), rng.random((30_000, 2))\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "konig.point_assignment(X, Y, threads=1)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 200 * 1024  # in units of 1024 bytes


def on_a_line(kind, n, rng):
    return {
        "mixed": lambda: (rng.random((n, 1)), rng.random((n, 1))),
        "one side": lambda: (rng.normal(size=(n, 1)), rng.normal(size=(n, 1)) + 20),
        "ties": lambda: (rng.integers(0, n // 3, (n, 1)), rng.integers(0, n // 3, (n, 1))),
        "scales": lambda: (10.0 ** rng.uniform(-9, 3, (n, 1)), -(10.0 ** rng.uniform(-9, 3, (n, 1)))),
    }[kind]()


@pytest.mark.parametrize("metric", [metric for metric in METRICS if metric != "cosine"])
@pytest.mark.parametrize("kind", ["mixed", "one side", "ties", "scales"])
def test_as_many_points_on_a_line_are_sorted(metric, kind, way):
    rng = np.random.default_rng(sum(map(ord, metric + kind)))
    for n in (3, 50, 400):
        X, Y = on_a_line(kind, n, rng)
        a = konig.point_assignment(X, Y, metric, threads=1)
        a.verify(X, Y)
        assert "paths" not in a.stats or (n < SORTED_POINTS and way == "as chosen")
        expected = konig.linear_assignment(tile(*prepared(X, Y, metric), metric))
        assert a.cost == pytest.approx(expected.cost, rel=1e-12)


def test_points_that_tie_along_a_line_are_left_to_no_repair():
    rng = np.random.default_rng(15)
    a = konig.point_assignment(rng.random((3000, 1)), rng.random((3000, 1)) + 7, threads=1)
    assert a.stats["exact_solves"] == 0


def test_squares_of_small_distances_need_no_exact_repair():
    rng = np.random.default_rng(30_002)
    X, Y = rng.random((30_000, 2)), rng.random((30_000, 2))
    a = konig.point_assignment(X, Y, "sqeuclidean", threads=1)
    assert a.stats["exact_solves"] <= 1
    assert np.abs(a.col_dual).max() < 2 * (a.col_dual.max() - a.col_dual.min())


def test_rounding_takes_no_columns_where_points_travel_along_rays():
    rng = np.random.default_rng(10_002)
    X, Y = rng.random((10_000, 2)), rng.random((10_000, 2)) + 0.3
    a = konig.point_assignment(X, Y, threads=1)
    assert a.stats["pricing_rounds"] <= 16


@pytest.mark.parametrize("width", [1e-3, 1e-5])
def test_narrow_clusters_are_proved_without_many_repairs(way, width):
    rng = np.random.default_rng(2)
    centres = rng.random((10, 2))
    x, y = (
        centres[rng.integers(0, 10, 400)] + width * rng.normal(size=(400, 2)) for _ in range(2)
    )  # some of a crowd must travel far, so that duals are much larger than most costs
    a = konig.point_assignment(x, y, "sqeuclidean")
    a.verify(x, y)
    assert a.gap <= 1e-12 * a.cost
    assert a.stats["exact_solves"] <= (0 if way == "trees" and width == 1e-3 else 2)


@pytest.mark.parametrize("shape", [(10, 1), (60, 1), (60, 2), (400, 1)])
@pytest.mark.parametrize("scale", [1e-158, 1e-160, 1e-161])
def test_squares_that_underflow_are_the_costs_all_the_same(shape, scale):
    rng = np.random.default_rng(1)
    x, y = np.zeros(shape), np.zeros(shape)
    x[:, 0], y[:, 0] = scale * rng.random((2, shape[0]))
    a = konig.point_assignment(x, y)
    a.verify(x, y)
    row, col = linear_sum_assignment(2.0**500 * tile(x, y, "euclidean"))
    assert a.cost == pytest.approx(tile(x, y, "euclidean")[row, col].sum(), rel=1e-13, abs=0)


def test_small_problems_and_many_dimensions_are_solved_as_a_matrix(way):
    rng = np.random.default_rng(3)
    shapes = ((1000, 1100, 2, True), (1500, 1400, 2, False), (1500, 1400, 3, True), (1400, 1500, 5, True))
    for rows, cols, dimension, by_matrix in shapes:
        X, Y = rng.random((rows, dimension)), rng.random((cols, dimension))
        a = konig.point_assignment(X, Y, threads=1)
        a.verify(X, Y)
        assert ("costs" in a.stats["seconds"]) == (by_matrix and way == "as chosen")
        assert ("levels" in a.stats) == (not by_matrix or way == "trees")


def test_costs_of_many_dimensions_are_left_to_all_threads():
    few, many = (np.random.default_rng(2).random((100, d)) for d in (16, 1 << 12))
    assert assign_small(few, few, "euclidean", None) is not None
    assert assign_small(many, many, "euclidean", 1) is not None
    assert assign_small(many, many, "euclidean", None) is None


def test_large_problems_of_many_dimensions_make_no_matrix():
    assert not solves_points_as_matrix(6000, 6000, 16)
    assert not solves_points_as_matrix(10, 2**30, 2)
    assert not solves_points_as_matrix(200, 200, 1)  # sorted
    assert solves_points_as_matrix(100, 100, 1)
    assert solves_points_as_matrix(100, 101, 1)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int16])
def test_one_native_call_answers_as_the_longer_way_does(metric, kind, way):
    rng = np.random.default_rng(5)
    for n, m, d in ((1, 1, 1), (9, 9, 1), (40, 40, 2), (30, 50, 3), (50, 30, 16), (150, 150, 1)):
        X, Y = (rng.integers(1, 900, (count, d)).astype(kind) for count in (n, m))
        short, long = konig.point_assignment(X, Y, metric), konig.point_assignment(X.tolist(), Y, metric)
        short.verify(X, Y)
        assert (short.cost, short.method) == (long.cost, long.method)
        assert (short.metric, short.device, short.col_ind.flags.writeable) == (metric, "cpu", False)
        assert {*short.stats} == {*long.stats}
        assert {*short.stats["seconds"]} == {*long.stats["seconds"]}
        for name in ("row_ind", "col_ind", "row_dual", "col_dual"):
            assert (getattr(short, name) == getattr(long, name)).all() or n > m
        kept = pickle.loads(pickle.dumps(short))
        assert (kept.cost, kept.method, kept.metric) == (short.cost, short.method, metric)
        kept.verify(X, Y)


@pytest.mark.parametrize("scale", [1e-310, 1e-300, 1e-160, 1e150, 1e300])
def test_directions_are_the_same_at_any_scale(scale):
    rng = np.random.default_rng(8)
    X, Y = scale * rng.normal(size=(20, 3)), scale * 10.0 ** rng.uniform(-8, 1, (25, 3))
    a = konig.point_assignment(X, Y, "cosine")
    a.verify(X, Y)
    assert a.cost == konig.point_assignment(X.tolist(), Y, "cosine").cost

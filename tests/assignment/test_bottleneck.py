"""Bottleneck assignments: against thresholds tried one by one, and their covers."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import maximum_bipartite_matching

import konig
from konig.assignment.proof import check_hall_violator, dense_blocks


def largest_size(allowed):
    if allowed.size == 0:
        return 0
    return int(np.count_nonzero(maximum_bipartite_matching(sp.csr_array(allowed)) >= 0))


def by_thresholds(C, maximize):
    """The size of the largest assignments and their bottleneck, one threshold after the other."""
    allowed = np.isfinite(C)
    size = largest_size(allowed)
    values = np.unique(C[allowed])
    for value in values[::-1] if maximize else values:
        if size and largest_size(allowed & ((value <= C) if maximize else (value >= C))) == size:
            return size, value.item()
    return size, None


def random_costs(rng, kind, shape):
    if kind == "few values":
        return rng.integers(-2, 3, shape)
    if kind == "int64":
        return rng.integers(-(2**63), 2**63 - 1, shape)
    if kind == "near 2**62":
        return 2**62 + rng.integers(0, 9, shape)
    if kind == "uint64":
        return rng.integers(2**64 - 9, 2**64, shape, dtype=np.uint64)
    if kind == "bool":
        return rng.random(shape) < 0.5
    if kind == "float16":
        return rng.random(shape).astype(np.float16)
    if kind == "float32":
        return rng.standard_normal(shape).astype(np.float32)
    if kind == "neighbours":  # of 1: no two thresholds may be taken for one
        return 1 + rng.integers(0, 5, shape) * 2.0**-52
    return rng.standard_normal(shape) * 10.0 ** rng.integers(-300, 300, shape)


KINDS = ("few values", "int64", "near 2**62", "uint64", "bool", "float16", "float32", "neighbours", "wild")


def forms_of(C):
    """The same costs dense, both ways round, and sparse."""
    allowed = np.isfinite(C)
    values = C[allowed].astype(np.float32) if C.dtype == np.float16 else C[allowed]
    coo = sp.coo_array((values, np.nonzero(allowed)), shape=C.shape)
    yield from (C, np.asfortranarray(C), C[::-1][::-1], coo.tocsr())
    if C.dtype != np.uint64 and C.dtype != np.float16:
        yield from (coo, coo.tocsc())


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_small_costs_against_all_thresholds(kind, maximize):
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(60):
        C = random_costs(rng, kind, tuple(rng.integers(0, 8, 2)))
        if C.dtype.kind == "f":
            C[rng.random(C.shape) < rng.random()] = -np.inf if maximize else np.inf
        size, bottleneck = by_thresholds(C, maximize)
        for form in forms_of(C):
            b = konig.bottleneck_assignment(form, maximize=maximize, full=False)
            b.verify(form)
            assert (b.size, b.bottleneck) == (size, bottleneck)
            if size == min(C.shape):
                b = konig.bottleneck_assignment(form, maximize=maximize)
                b.verify(form)
                assert b.bottleneck == bottleneck
                continue
            with pytest.raises(konig.InfeasibleError) as refused:
                konig.bottleneck_assignment(form, maximize=maximize)
            check_hall_violator(dense_blocks(C), C.shape, refused.value.rows, refused.value.cols)


def large_families(n, rng):
    x, y = rng.random((2, n))
    nested = np.outer(x, y)
    violator = rng.random((n, n))
    violator[: n // 2 + n // 10, : n // 2] += 1
    violator[: n // 2 + n // 10, n // 2 :] += rng.random((n // 2 + n // 10, n - n // 2))
    return {
        "uniform": rng.random((n, n)),
        "nested": nested,
        "nearness": np.abs(x[:, None] - y),
        "violator": violator,
        "ties": rng.integers(0, 3, (n, n)),
        "one value": np.ones((n, n)),
        "wide": np.outer(x[: n // 3], y),
        "tall": np.outer(x, y[: n // 3]),
    }


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("family", large_families(3, np.random.default_rng(0)))
def test_large_costs_are_proved_and_agree_with_sparse_ones(family, threads):
    C = large_families(400, np.random.default_rng(4))[family]
    for maximize in (False, True):
        b = konig.bottleneck_assignment(C, maximize=maximize, threads=threads)
        b.verify(C)
        s = konig.bottleneck_assignment(sp.csr_array(C), maximize=maximize) if (C != 0).all() else b
        assert s.bottleneck == b.bottleneck


def test_it_is_never_above_the_largest_cost_of_a_cheapest_assignment():
    C = np.random.default_rng(9).random((300, 350))
    a = konig.linear_assignment(C)
    assert konig.bottleneck_assignment(C).bottleneck <= C[a.row_ind, a.col_ind].max()


def test_the_lower_bound_of_minima_is_proved_by_the_lines_of_one_side():
    C = np.array([[5, 5, 9], [1, 9, 9], [9, 1, 1]])
    b = konig.bottleneck_assignment(C)
    assert (b.bottleneck, b.stats["thresholds"], len(b.cover)) == (5, 1, 2)


def test_what_is_stored_costs_what_it_says():
    C = sp.coo_array(([0.0, 2.0, 3.0, 4.0], ([0, 1, 1, 1], [0, 1, 1, 0])), shape=(2, 2))
    b = konig.bottleneck_assignment(C)  # the duplicates add up to 5
    assert b.bottleneck == 5.0
    b.verify(C)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_nothing_to_assign(shape):
    b = konig.bottleneck_assignment(np.zeros(shape))
    assert (b.size, b.bottleneck) == (0, None)
    b.verify(np.zeros(shape))


def test_nothing_allowed():
    C = np.full((2, 3), np.inf)
    b = konig.bottleneck_assignment(C, full=False)
    assert (b.size, b.bottleneck, len(b.size_cover)) == (0, None, 0)
    b.verify(C)
    with pytest.raises(konig.InfeasibleError, match="2 rows"):
        konig.bottleneck_assignment(C)


def test_lists_and_one_by_one():
    assert konig.bottleneck_assignment([[7]]).bottleneck == 7
    assert isinstance(konig.bottleneck_assignment([[7]]).bottleneck, int)
    assert konig.bottleneck_assignment([[2.5, 1.0]], maximize=True).bottleneck == 2.5


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(("bad", "message"), [(np.nan, "is NaN"), (-np.inf, "forbidden by inf")])
def test_bad_costs_are_refused_by_place(form, bad, message):
    C = np.ones((3, 4))
    C[1, 2] = bad
    with pytest.raises(ValueError, match=rf"^C\[1, 2\] .*{message}"):
        konig.bottleneck_assignment(form(C))
    if form is np.asarray:
        with pytest.raises(ValueError, match=r"^C\[1, 2\]"):
            konig.bottleneck_assignment(np.asfortranarray(C))


@pytest.mark.parametrize(
    ("C", "error"),
    [
        (np.zeros((2, 2, 2)), ValueError),
        (np.zeros(3), ValueError),
        (np.zeros((2, 2), complex), TypeError),
        (np.array([["a"]]), TypeError),
        (np.array([[object()]]), TypeError),
        (np.zeros((2, 2), np.longdouble), TypeError),
        (np.ma.masked_equal([[1, 2], [3, 4]], 3), ValueError),
    ],
)
def test_what_is_no_matrix_of_costs_is_refused(C, error):
    with pytest.raises(error, match=r"^C"):
        konig.bottleneck_assignment(C)


def test_words_are_no_flags():
    for flag in ("maximize", "full"):
        with pytest.raises(TypeError, match=f"^{flag} must be True or False"):
            konig.bottleneck_assignment([[1]], **{flag: "no"})
    with pytest.raises(ValueError, match=r"^threads must be"):
        konig.bottleneck_assignment([[1]], threads=0)


def test_the_input_is_left_alone_and_the_answer_is_frozen():
    C = np.random.default_rng(1).random((70, 60))
    before = C.copy()
    C.setflags(write=False)
    b = konig.bottleneck_assignment(C)
    assert (before == C).all()
    with pytest.raises(ValueError, match="read-only"):
        b.row_ind[0] = 1


C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bottleneck": 1}, "claims bottleneck 1"),
        ({"bottleneck": 2.0}, "not an integer"),
        ({"col_ind": np.array([0, 1, 2])}, "claims bottleneck"),
        ({"col_ind": np.array([1, 1, 2])}, "assigned twice"),
        ({"row_ind": np.array([0, 1]), "col_ind": np.array([1, 0])}, "2 lines for 2 pairs|nothing says why"),
        ({"cover": konig.VertexCover(np.arange(3), np.arange(0))}, "3 lines for 3 pairs"),
        ({"cover": konig.VertexCover(np.arange(0), np.arange(0))}, "not covered|meets no"),
        ({"cover": None}, "not a VertexCover"),
        ({"size_cover": konig.VertexCover(np.arange(3), np.arange(0))}, "full, and still"),
        ({"shape": (3, 4)}, r"shape \(3, 4\)"),
        ({"maximize": True}, "claims bottleneck"),
    ],
)
def test_altered_answers_are_refused(changes, message):
    b = konig.bottleneck_assignment(C)
    b.verify(C)
    with pytest.raises(konig.CertificateError, match=message):
        replace(b, **changes).verify(C)


def test_a_larger_bottleneck_cannot_be_proved():
    """All covers of fewer lines than pairs, against an assignment that is not optimal."""
    b = konig.bottleneck_assignment(C)
    worse = replace(b, col_ind=np.array([2, 1, 0]), bottleneck=3)
    for rows in range(8):
        for cols in range(8):
            chosen = [np.flatnonzero([mask >> k & 1 for k in range(3)]) for mask in (rows, cols)]
            with pytest.raises(konig.CertificateError):
                replace(worse, cover=konig.VertexCover(*chosen)).verify(C)


def test_it_can_be_interrupted():
    seen = []

    def stop(done, total):
        seen.append(done)
        raise KeyboardInterrupt

    rng = np.random.default_rng(2)
    products = rng.random((4_000, 1)) * rng.random(4_000)
    with pytest.raises(KeyboardInterrupt):
        konig.bottleneck_assignment(products, threads=1, progress=stop)
    assert seen
    assert konig.bottleneck_assignment([[1]]).bottleneck == 1


class Exported:
    """An array that speaks DLPack, and nothing else."""

    def __init__(self, array):
        self.array, self.shape = array, array.shape

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_arrays_of_other_libraries():
    costs = np.array([[4.0, 1.0], [2.0, 5.0]])
    b = konig.bottleneck_assignment(Exported(costs))
    assert b.bottleneck == 2.0
    b.verify(Exported(costs))
    t = konig.maximum_product_transversal(Exported(costs))
    assert t.col_ind.tolist() == [0, 1]
    t.verify(Exported(costs))


def test_tensors_on_the_host():
    torch = pytest.importorskip("torch")
    costs = torch.tensor([[4.0, 1.0], [2.0, 5.0]])
    for given in (costs, costs.to_sparse_csr()):
        for answer in (konig.bottleneck_assignment(given), konig.maximum_product_transversal(given)):
            assert isinstance(answer.row_ind, torch.Tensor)
            answer.verify(given)


@pytest.mark.parametrize(
    "layout",
    [np.asarray, lambda C: C.astype(">u8"), np.asfortranarray, sp.csr_array, sp.csc_array, sp.coo_array],
    ids=["rows", "big-endian", "columns", "csr", "csc", "coo"],
)
def test_unsigned_costs_beyond_63_bits_in_any_layout(layout):
    C = layout(np.array([[2**63, 5], [7, 2**63 + 9]], np.uint64))
    answer = konig.bottleneck_assignment(C)
    assert answer.bottleneck == 7
    answer.verify(C)
    assert konig.bottleneck_assignment(C, maximize=True).bottleneck == 2**63

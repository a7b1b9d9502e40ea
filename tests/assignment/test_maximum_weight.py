"""Heaviest matchings, of any size and of a given one: as heavy as any that can be tried, and proved."""

import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from matchings_tried import exact, heaviest, numbers

import konig
from konig.assignment import cardinality

KINDS = ("integers", "huge", "reals", "ties", "hostile", "narrow")


def listed(W, form):
    allowed = np.isfinite(W)
    return sp.coo_array((W[allowed], np.nonzero(allowed)), W.shape).asformat(form)


def check(W, given, found, best):
    found.verify(given)
    total = sum((exact(W[i, j]) for i, j in zip(found.row_ind, found.col_ind, strict=True)), Fraction(0))
    most = max(best.values()) if found.cardinality is None else best[found.cardinality]
    assert 0 <= most - total <= Fraction(found.gap)
    assert W.dtype.kind == "f" or found.gap == 0
    if found.cardinality is None:
        assert (W[found.row_ind, found.col_ind] > 0).all()
        assert found.count_dual == 0
    else:
        assert found.size == found.cardinality


def drawn(rng, kind):
    W = numbers(rng, kind, tuple(rng.integers(0, 5, 2)))
    if W.dtype.kind == "f" and rng.random() < 0.6:
        W[rng.random(W.shape) < 0.4] = -np.inf
    return W


@pytest.mark.parametrize("kind", KINDS)
def test_no_matching_is_heavier(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(60):
        W = drawn(rng, kind)
        best, S = heaviest(W), listed(W, rng.choice(["csr", "csc", "coo", "lil"]))
        check(W, W, konig.maximum_weight_matching(W), best)
        check(W, S, konig.maximum_weight_matching(S), best)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("by_bonus", [True, False])
def test_none_of_as_many_pairs_is_heavier(kind, by_bonus, monkeypatch):
    if not by_bonus:
        monkeypatch.setattr(cardinality, "_bonuses_fit", lambda *problem: False)
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(25):
        W = drawn(rng, kind)
        best, S = heaviest(W), listed(W, "csr")
        for count in range(min(W.shape) + 2):
            for given in (W, S):
                if count in best:
                    check(W, given, konig.maximum_weight_matching(given, cardinality=count), best)
                    continue
                with pytest.raises(konig.CardinalityError) as refused:
                    konig.maximum_weight_matching(given, cardinality=count)
                met = np.zeros(W.shape, bool)
                met[refused.value.rows], met[:, refused.value.cols] = True, True
                assert met[np.isfinite(W)].all()
                assert len(refused.value.rows) + len(refused.value.cols) < count


@pytest.mark.parametrize("shape", [(60, 60), (40, 70), (70, 40)])
def test_both_ways_to_count_pairs_agree(shape, monkeypatch):
    rng = np.random.default_rng(3)
    many = rng.integers(-5, 6, shape)  # many ties: sizes jump
    few = rng.integers(-(10**6), 10**6, shape)
    for W in (many, few, few / 64, sp.random_array(shape, density=0.1, rng=rng, format="csr")):
        counts = (1, 5, 17, 30, 38)
        found = [konig.maximum_weight_matching(W, cardinality=count) for count in counts]
        with monkeypatch.context() as patch:
            patch.setattr(cardinality, "_bonuses_fit", lambda *problem: False)
            other = [konig.maximum_weight_matching(W, cardinality=count) for count in counts]
        for a, b in zip(found, other, strict=True):
            a.verify(W)
            b.verify(W)
            assert a.weight == pytest.approx(b.weight, rel=1e-12)
        weights = [a.weight for a in found]
        slopes = np.diff(weights) / np.diff(counts)
        assert (np.diff(slopes) <= 1e-9).all()  # the weight is concave in the number of pairs


def test_sizes_that_no_bonus_makes_are_mixed():
    W = np.full((6, 6), 3)
    for count in range(7):
        found = konig.maximum_weight_matching(W, cardinality=count)
        found.verify(W)
        assert (found.size, found.weight) == (count, 3 * count)


LARGEST = np.finfo(np.float64).max


def at_the_ends(rng, shape):
    """Weights of the whole range of float64, or of int64."""
    kind = rng.integers(4)
    if kind == 0:
        return rng.choice([LARGEST, -LARGEST, 1e308, -1e308, 0.0, 1.0, 5e-324], shape)
    if kind == 1:
        return rng.uniform(-1.79, 1.79, shape) * 1e308
    if kind == 2:
        return np.ldexp(rng.uniform(-1, 1, shape), rng.integers(-1074, 1024, shape))
    return rng.choice(np.array([2**61, 2**62, 2**63 - 2, 3 - 2**63, -(2**62), 0, 1]), shape)


@pytest.mark.filterwarnings("error")
def test_weights_at_the_ends_of_their_type():
    rng, refused = np.random.default_rng(6), 0
    for _ in range(150):
        W = at_the_ends(rng, tuple(rng.integers(1, 4, 2)))
        best, S = heaviest(W), listed(W, rng.choice(["csr", "csc", "coo", "lil"]))
        for count in (None, *best):
            for given in (W, S):
                try:
                    found = konig.maximum_weight_matching(given, cardinality=count)
                except OverflowError:
                    refused += 1
                else:
                    check(W, given, found, best)
    assert refused < 50


@pytest.mark.parametrize("form", [np.array, lambda W: listed(W, "csr")])
def test_edges_that_nothing_outweighs(form):
    W = form(np.array([[-np.inf, 1e308], [1e308, 1e308]]))
    found = konig.maximum_weight_matching(W, cardinality=1)
    assert (found.size, found.weight, found.gap) == (1, 1e308, 0)
    W = form(np.array([[LARGEST, -LARGEST], [-LARGEST, -LARGEST]]))
    found = konig.maximum_weight_matching(W, cardinality=1)
    assert (found.size, found.weight, found.gap) == (1, LARGEST, 0)
    W = form(np.array([[2**63 - 2, 0], [0, 2**63 - 2]]))
    assert konig.maximum_weight_matching(W, cardinality=1).weight == 2**63 - 2


@pytest.mark.parametrize("most", [2**62 + 5, 1e308])
@pytest.mark.filterwarnings("error")
def test_duals_beyond_their_type_are_refused(most):
    # The dual of column 0 is at least 2 * most above that of column 1.
    W = sp.coo_array(([most, -most, type(most)(1)], ([0, 0, 1], [0, 1, 0])), (2, 2))
    with pytest.raises(OverflowError, match=f"do not fit into {W.dtype}"):
        konig.maximum_weight_matching(W, cardinality=2)
    konig.maximum_weight_matching(W, cardinality=1).verify(W)


def test_edges_of_no_weight_are_not_taken():
    W = np.array([[0, 0], [0, 5]])
    assert konig.maximum_weight_matching(W).row_ind.tolist() == [1]
    assert konig.maximum_weight_matching(-np.eye(3)).size == 0
    assert konig.maximum_weight_matching(np.zeros((0, 4))).weight == 0
    assert konig.maximum_weight_matching(sp.csr_array((3, 3))).size == 0


@pytest.mark.parametrize("dtype", [bool, np.int8, np.uint16, np.float16, np.float32, ">f8", np.uint64])
def test_weights_of_any_type_and_order(dtype):
    given = np.random.default_rng(4).integers(0, 2, (6, 8))
    expected = konig.maximum_weight_matching(given).weight
    for order in "CF":
        W = np.asarray(given.astype(dtype), order=order)
        for count in (None, 3):
            found = konig.maximum_weight_matching(W, cardinality=count)
            found.verify(W)
            assert found.weight == (expected if count is None else 3)
    assert konig.maximum_weight_matching(given.tolist(), cardinality=3).weight == 3


def test_networkx_agrees():
    nx = pytest.importorskip("networkx")
    rng = np.random.default_rng(5)
    for _ in range(10):
        W = sp.random_array(
            (20, 25), density=0.2, rng=rng, data_sampler=lambda size: rng.integers(1, 50, size)
        )
        W = sp.coo_array(W.astype(np.int64))
        G = nx.Graph()
        rows, cols = W.coords
        for i, j, w in zip(rows.tolist(), cols.tolist(), W.data.tolist(), strict=True):
            G.add_edge(("row", i), ("col", j), weight=w)
        expected = sum(G.edges[edge]["weight"] for edge in nx.max_weight_matching(G))
        assert konig.maximum_weight_matching(W).weight == expected


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"W": np.ones(3)}, ValueError, "W must have two dimensions"),
        ({"W": np.ones((2, 2, 2))}, ValueError, "W must have two dimensions"),
        ({"W": np.array([[np.nan]])}, ValueError, r"W\[0, 0\] is NaN"),
        ({"W": np.array([[1.0, np.nan], [1.0, 1.0]]), "cardinality": 1}, ValueError, r"W\[0, 1\] is NaN"),
        ({"W": np.array([[np.inf]])}, ValueError, "forbidden by -inf"),
        ({"W": np.eye(2), "cardinality": -1}, ValueError, "cardinality must be at least 0"),
        ({"W": np.eye(2), "cardinality": 1.5}, TypeError, "cardinality must be an integer"),
        ({"W": np.eye(2), "cardinality": True}, TypeError, "cardinality must be an integer"),
        ({"W": np.array([["a"]])}, TypeError, "real numbers"),
    ],
)
def test_bad_arguments_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        konig.maximum_weight_matching(**arguments)


@pytest.mark.parametrize("count", [None, 0, 2, 3, 9])
@pytest.mark.parametrize("form", [np.array, np.asfortranarray, sp.csr_array])
def test_bad_weights_are_named_where_they_are(form, count):
    W = np.ones((5, 3))
    W[4, 1] = np.nan
    with pytest.raises(ValueError, match=r"^W\[4, 1\] is NaN"):
        konig.maximum_weight_matching(form(W), cardinality=count)


def test_too_many_pairs_are_an_infeasible_problem():
    W = np.array([[1.0, -np.inf], [2.0, -np.inf], [3.0, 4.0]])
    with pytest.raises(konig.InfeasibleError, match="no matching has 3 pairs") as refused:
        konig.maximum_weight_matching(W, cardinality=3)
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.cardinality) == (str(refused.value), 3)


@pytest.mark.parametrize("count", [None, 3])
@pytest.mark.parametrize("scale", [1, 0.5])
def test_wrong_answers_are_refused(count, scale):
    W = np.random.default_rng(6).integers(-9, 12, (6, 7)) * scale
    found = konig.maximum_weight_matching(W, cardinality=count)
    found.verify(W)
    for name in ("row_dual", "col_dual"):
        for k in range(len(getattr(found, name))):
            for by in (-scale, scale):
                dual = getattr(found, name).copy()
                dual[k] += by
                with pytest.raises(konig.CertificateError):
                    replace(found, **{name: dual}).verify(W)
    wrong = [
        replace(found, weight=found.weight + scale),
        replace(found, gap=found.gap + scale),
        replace(found, count_dual=found.count_dual + scale),
        replace(found, count_dual=found.count_dual - scale),
        replace(found, cardinality=2),
        replace(found, row_ind=found.row_ind[1:], col_ind=found.col_ind[1:]),
        replace(found, row_ind=found.row_ind[::-1], col_ind=found.col_ind[::-1]),
    ]
    for answer in wrong:
        with pytest.raises(konig.CertificateError):
            answer.verify(W)
    with pytest.raises(konig.CertificateError, match="not"):
        found.verify(W.T)
    lighter = W.copy()
    lighter[found.row_ind[0], found.col_ind[0]] -= scale
    with pytest.raises(konig.CertificateError):
        found.verify(lighter)


def test_the_pairs_must_be_edges():
    W = np.array([[5.0, -np.inf], [-np.inf, 5.0]])
    found = konig.maximum_weight_matching(W)
    crossed = replace(found, col_ind=np.array([1, 0]))
    with pytest.raises(konig.CertificateError, match="is no edge"):
        crossed.verify(W)
    with pytest.raises(konig.CertificateError, match="only 0 are edges"):
        crossed.verify(listed(W, "csr"))

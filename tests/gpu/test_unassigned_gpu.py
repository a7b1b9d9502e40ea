"""Rows and columns left alone at a cost, and heaviest matchings, on a GPU: what the CPU says, proved."""

import numpy as np
import pytest
from matchings_tried import KINDS, numbers

import konig

cupy = pytest.importorskip("cupy")

pytestmark = pytest.mark.gpu


def sides(rng, kind, shape):
    """What leaving rows and columns alone costs, in several forms."""
    rows, cols = shape
    yield numbers(rng, kind).item()
    yield numbers(rng, kind, rows), None
    yield None, numbers(rng, kind, cols)
    yield numbers(rng, kind, rows), numbers(rng, kind, cols)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (5, 3), (40, 40), (70, 90), (90, 70)])
def test_costs_are_those_of_the_cpu(kind, maximize, shape):
    rng = np.random.default_rng(1)
    C = numbers(rng, kind, shape)
    if C.dtype.kind == "f":
        C[rng.random(shape) < 0.2] = -np.inf if maximize else np.inf
    for alone in sides(rng, kind, shape):
        expected = konig.linear_assignment(C, maximize=maximize, unassigned_cost=alone)
        found = konig.linear_assignment(cupy.asarray(C), maximize=maximize, unassigned_cost=alone)
        assert found.device.startswith("cuda:")
        assert isinstance(found.row_ind, cupy.ndarray)
        assert isinstance(found.unassigned_rows, cupy.ndarray)
        found.verify(C, unassigned_cost=alone)
        if found.cost == expected.cost:  # both may be beyond float64
            continue
        within = found.gap + expected.gap
        assert abs(found.cost - expected.cost) <= within + 2 * np.spacing(abs(float(expected.cost))) * (
            kind != "integers"
        )


@pytest.mark.parametrize("method", ["core-paths", "hungarian-tree", "hungarian-classical"])
def test_every_method_leaves_alone(method):
    rng = np.random.default_rng(2)
    for shape in ((60, 60), (50, 80), (80, 50)):
        C = rng.random(shape)
        alone = (rng.random(shape[0]) * 0.1, rng.random(shape[1]) * 0.1)
        found = konig.linear_assignment(C, method=method, device="cuda", unassigned_cost=alone)
        found.verify(C, unassigned_cost=alone)
        assert found.cost == pytest.approx(konig.linear_assignment(C, unassigned_cost=alone).cost, rel=1e-12)
        assert isinstance(found.row_ind, np.ndarray)


def test_empty_and_mixed_types():
    for shape in ((0, 0), (0, 3), (3, 0)):
        empty = konig.linear_assignment(cupy.zeros(shape), unassigned_cost=(2.0, 3.0))
        assert empty.cost == 2 * shape[0] + 3 * shape[1]
    C = np.arange(12).reshape(3, 4)
    found = konig.linear_assignment(cupy.asarray(C), unassigned_cost=3.5)
    found.verify(C, unassigned_cost=3.5)
    assert found.cost == konig.linear_assignment(C, unassigned_cost=3.5).cost
    with pytest.raises(ValueError, match="takes more digits than float64 has"):
        konig.linear_assignment(cupy.asarray([[2**53 + 1]]), unassigned_cost=0.5)


def test_a_large_gated_matrix():
    rng = np.random.default_rng(3)
    points, others = rng.random((2, 2000, 2))
    C = np.hypot(*(points[:, None] - others[None]).transpose(2, 0, 1))
    found = konig.linear_assignment(cupy.asarray(C), unassigned_cost=0.01)
    found.verify(C, unassigned_cost=0.01)
    assert found.cost == pytest.approx(konig.linear_assignment(C, unassigned_cost=0.01).cost, rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maximize", [False, True])
def test_batches_are_those_of_the_cpu(kind, maximize):
    rng = np.random.default_rng(4)
    for shape in ((50, 5, 7), (50, 7, 5), (20, 40, 40), (3, 300, 200)):
        C = numbers(rng, kind, shape)
        if kind == "huge":
            C >>= 10  # so that sums of all costs fit into 64 bits
        counts = {
            "row_counts": rng.integers(0, shape[1] + 1, shape[0]),
            "col_counts": rng.integers(0, shape[2] + 1, shape[0]),
        }
        for alone in (C[0, 0, 0].item(), (C[:, :, 0].copy(), C[0, 0].copy()), (None, C[:, 0].copy())):
            options = {"maximize": maximize, "unassigned_cost": alone, **counts}
            found = konig.linear_assignment(cupy.asarray(C), **options)
            assert isinstance(found.row_ind, cupy.ndarray)
            found.verify(C, unassigned_cost=alone)
            expected = konig.linear_assignment(C, **options)
            ours, theirs = found.cost.get().astype(float), expected.cost.astype(float)
            within = found.gap.get() + expected.gap + 2 * np.spacing(np.abs(theirs))
            with np.errstate(invalid="ignore"):  # both may be beyond float64
                assert ((ours == theirs) | (np.abs(ours - theirs) <= within)).all()
            if C.dtype.kind == "i":
                assert found.cost.get().tolist() == expected.cost.tolist()


def test_bad_costs_of_a_batch_are_named():
    C = np.ones((3, 4, 5))
    C[1, 2, 3] = np.nan
    with pytest.raises(ValueError, match=r"C\[1, 2, 3\] is NaN"):
        konig.linear_assignment(cupy.asarray(C), unassigned_cost=1.0)


@pytest.mark.parametrize("kind", ["integers", "reals", "narrow"])
def test_heaviest_matchings_are_those_of_the_cpu(kind):
    rng = np.random.default_rng(5)
    for shape in ((30, 30), (20, 45), (45, 20)):
        W = numbers(rng, kind, shape)
        for cardinality in (None, 0, 1, 7, 20):
            found = konig.maximum_weight_matching(cupy.asarray(W), cardinality=cardinality)
            found.verify(W)
            assert isinstance(found.row_ind, cupy.ndarray)
            expected = konig.maximum_weight_matching(W, cardinality=cardinality).weight
            assert found.weight == pytest.approx(expected, rel=1e-12)

"""Wrong assignments, wrong duals and wrong violators are refused; right ones pass."""

from dataclasses import replace

import numpy as np
import pytest

import konig
from konig.assignment.proof import check_hall_violator, check_optimal_assignment, dense_blocks

C = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]])


def refused(message):
    return pytest.raises(konig.CertificateError, match=message)


def changed(array, position, value):
    copy = np.array(array)
    copy[position] = value
    return copy


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_a_corrupted_answer_is_refused(dtype):
    costs = C.astype(dtype)
    a = konig.linear_assignment(costs)
    a.verify(costs)
    with refused("the duals exceed it"):
        replace(a, row_dual=changed(a.row_dual, 0, a.row_dual[0] + 1)).verify(costs)
    with refused("not tight"):
        replace(a, col_dual=changed(a.col_dual, 1, a.col_dual[1] - 1)).verify(costs)
    with refused("claims cost"):
        replace(a, cost=a.cost + 1).verify(costs)
    with refused("assigned twice"):
        replace(a, col_ind=changed(a.col_ind, 0, a.col_ind[1])).verify(costs)
    with refused("not in"):
        replace(a, col_ind=changed(a.col_ind, 0, 3)).verify(costs)
    with refused("does not ascend"):
        replace(a, row_ind=a.row_ind[::-1]).verify(costs)
    with refused("pairs of 3 are assigned"):
        unassigned = {"row_dual": a.row_dual * 0 - 9, "col_dual": a.col_dual * 0, "cost": a.cost * 0}
        replace(a, row_ind=a.row_ind[:0], col_ind=a.col_ind[:0], **unassigned).verify(costs)
    with refused("2 x 3"):
        a.verify(costs[:2])
    with refused("not an array"):
        pairs = a.row_ind, a.col_ind, a.cost, a.gap
        check_optimal_assignment(dense_blocks(costs), (3, 3), *pairs, a.row_dual[:2], a.col_dual)


def test_any_other_permutation_is_refused_whatever_its_duals():
    a = konig.linear_assignment(C)
    with refused("not tight"):
        replace(a, col_ind=np.array([0, 1, 2]), cost=6).verify(C)


def test_real_duals_prove_nothing_about_integers():
    a = konig.linear_assignment(C)
    with refused("row_dual is float64 .* not an array of signed integers"):
        replace(a, row_dual=a.row_dual.astype(float)).verify(C)


def test_duals_of_the_longer_side_have_a_sign():
    wide = np.array([[1, 5, 9], [4, 2, 8]])
    a = konig.linear_assignment(wide)
    a.verify(wide)
    free = 2
    assert a.col_dual[free] == 0
    with refused("although nothing is assigned there"):
        replace(a, col_dual=changed(a.col_dual, free, -1)).verify(wide)
    with refused("is not at most 0"):
        replace(a, col_dual=changed(a.col_dual, 0, 1), row_dual=a.row_dual - 1).verify(wide)
    tall = -wide.T
    b = konig.linear_assignment(tall, maximize=True)
    b.verify(tall)
    with refused("is not at least 0"):
        replace(b, row_dual=changed(b.row_dual, 0, -1), col_dual=b.col_dual + 1).verify(tall)


def test_integers_are_compared_exactly_at_any_size():
    big = np.array([[2**62, 2**62 - 1], [2**62 - 3, 2**62]])
    a = konig.linear_assignment(big)
    assert a.cost == 2**63 - 4
    a.verify(big)
    with refused("the duals exceed it"):
        replace(a, row_dual=a.row_dual + 1, cost=a.cost).verify(big)
    far = np.array([[-(2**62), 2**62], [2**62, -(2**62)]])
    konig.linear_assignment(far).verify(far)


def test_no_real_dual_may_be_off_by_a_single_unit_in_the_last_place():
    costs = np.random.default_rng(7).random((12, 15))
    a = konig.linear_assignment(costs)
    a.verify(costs)
    for name in ("row_dual", "col_dual"):
        duals = getattr(a, name)
        for k in range(len(duals)):
            for direction in (np.inf, -np.inf):
                moved = changed(duals, k, np.nextafter(duals[k], direction))
                with pytest.raises(konig.CertificateError):
                    replace(a, **{name: moved}).verify(costs)


def test_undercutting_is_found_below_the_unit_of_the_cost():
    costs = np.array([[1.5, 1.75], [1.75, 1.5]])
    flat = replace(konig.linear_assignment(costs), row_dual=np.array([1.5, 1.5]), col_dual=np.zeros(2))
    flat.verify(costs)
    with refused("the duals exceed it"):
        replace(flat, col_dual=np.array([1e-40, 0])).verify(costs)
    with refused("claims a gap"):
        replace(flat, col_dual=np.array([-1e-40, 0])).verify(costs)


def test_a_gap_must_be_the_one_that_the_duals_leave():
    costs = np.random.default_rng(8).random((9, 9)) / 3
    a = konig.linear_assignment(costs)
    for gap in (a.gap + 1e-15, -1.0, np.inf, np.nan):
        with refused("claims a gap"):
            replace(a, gap=gap).verify(costs)
    loose = replace(a, row_dual=a.row_dual - 1e-6, gap=a.gap + 9e-6)
    with refused("not tight"):
        loose.verify(costs)
    with refused("claims a gap"):
        replace(konig.linear_assignment(C), gap=1).verify(C)


def test_zero_duals_do_not_prove_the_identity_next_to_a_dear_entry():
    costs = np.random.default_rng(9).random((20, 20))
    costs[3, 7] = 1e20
    a = konig.linear_assignment(costs)
    identity = {"row_ind": np.arange(20), "col_ind": np.arange(20), "cost": costs.trace()}
    zeros = {"row_dual": np.zeros(20), "col_dual": np.zeros(20), "gap": costs.trace()}
    with refused("not tight"):
        replace(a, **identity, **zeros).verify(costs)


def test_a_violator_must_violate():
    costs = np.array([[1.0, np.inf, np.inf], [2.0, np.inf, np.inf], [1.0, 1.0, 1.0]])
    blocks = dense_blocks(costs)
    ids = lambda *values: np.array(values, np.int64)  # noqa: E731
    check_hall_violator(blocks, costs.shape, ids(0, 1), ids(0))
    check_hall_violator(blocks, costs.shape, ids(2), ids(1, 2))
    for rows, cols, message in (
        ((0, 1, 2), (0,), "leaves the violator"),
        ((0,), (0,), "violate nothing"),
        ((0, 0), (0,), "repeat"),
        ((0, 3), (0,), "leave"),
    ):
        with refused(message):
            check_hall_violator(blocks, costs.shape, ids(*rows), ids(*cols))
    with refused("longer side"):
        tall = np.full((3, 1), 1.0)
        check_hall_violator(dense_blocks(tall), (3, 1), ids(0, 1), ids(0))


def test_a_partial_answer_needs_its_cover_and_its_level():
    costs = np.array([[1.0, np.inf], [2.0, np.inf]])
    a = konig.linear_assignment(costs, full=False)
    a.verify(costs)
    assert a.size == 1
    assert a.cost == 1
    with refused("no cover says why"):
        replace(a, cover=None).verify(costs)
    with refused("is not covered"):
        replace(a, cover=konig.VertexCover(np.array([0]), np.array([], np.int64))).verify(costs)
    with refused("lines"):
        replace(a, cover=konig.VertexCover(np.array([0, 1]), np.array([], np.int64))).verify(costs)
    worse = {"row_ind": np.array([1]), "cost": 2.0, "row_dual": np.array([1.0, 2.0]), "col_dual": np.zeros(2)}
    with refused("is not at most"):
        replace(a, **worse).verify(costs)

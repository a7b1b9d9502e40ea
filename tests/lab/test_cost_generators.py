"""Generators of assignment instances."""

from __future__ import annotations

import hashlib
import inspect

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import structural_rank

from konig.lab.generators import (
    FAMILIES,
    costs,
    euclidean_costs,
    generate,
    machol_wien,
    permute_costs,
    real_costs,
    sparse_costs,
    tracking,
    two_cost,
    uniform_costs,
)
from konig.lab.generators.draws import Draws

COSTS = [name for name, family in FAMILIES.items() if family.problem == "assignment"]
SEEDED = [name for name in COSTS if "seed" in inspect.signature(FAMILIES[name].function).parameters]

SMALL = {
    "uniform_costs": {"rows": 12, "cols": 15, "spread": 10.0},
    "real_costs": {"rows": 9, "cols": 7},
    "euclidean_costs": {"rows": 8, "cols": 11, "dimensions": 3},
    "machol_wien": {"rows": 6, "cols": 5},
    "two_cost": {"rows": 9, "share": 0.3},
    "tracking": {"tracks": 25, "clutter": 0.8},
    "sparse_costs": {"rows": 30, "cols": 20, "degree": 4},
}
CHECKSUMS = {
    "uniform_costs": "6fbe12e1bceaa67c",
    "real_costs": "3ed79145ed0e7740",
    "euclidean_costs": "8438f82f972ec081",
    "machol_wien": "05834e7566ce4cbc",
    "two_cost": "8b2d2d7aef89c621",
    "tracking": "39c66d9cc4b5bd3c",
    "sparse_costs": "ad5099bbd05e5391",
}


def checksum(C):
    parts = [np.array(C.shape), C] if isinstance(C, np.ndarray) else [C.shape, C.indptr, C.indices, C.data]
    wide = [np.asarray(part) for part in parts]
    wide = [part.astype("<f8" if part.dtype.kind == "f" else "<i8") for part in wide]
    return hashlib.sha256(b"".join(part.tobytes() for part in wide)).hexdigest()[:16]


@pytest.mark.parametrize("name", COSTS)
def test_the_same_seed_gives_the_recorded_costs(name):
    assert checksum(generate(name, seed=3, **SMALL[name])) == CHECKSUMS[name]


def test_every_family_has_a_recorded_instance():
    assert set(SMALL) == set(CHECKSUMS) == set(COSTS)


@pytest.mark.parametrize("name", SEEDED)
def test_another_seed_gives_other_costs(name):
    assert checksum(generate(name, seed=5)) != checksum(generate(name, seed=6))


@pytest.mark.parametrize("name", COSTS)
def test_defaults_give_finite_costs_of_a_plain_type(name):
    C = generate(name)
    assert isinstance(C, np.ndarray | sparse.csr_array)
    assert C.dtype in (np.int32, np.int64, np.float64)
    assert np.isfinite(C if isinstance(C, np.ndarray) else C.data).all()
    if sparse.issparse(C):
        assert sparse.csr_array((C.data, C.indices, C.indptr), shape=C.shape).has_canonical_format


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize("order", ["rows", "cols", "both"])
def test_a_random_order_moves_costs_and_changes_none(name, order):
    C, D = generate(name, **SMALL[name]), generate(name, permute=order, **SMALL[name])
    C, D = (np.asarray(A.toarray() if sparse.issparse(A) else A) for A in (C, D))
    draws = Draws(0, stream=1)
    places = [draws.permutation(n) for n in C.shape]
    rows = places[0] if order != "cols" else np.arange(C.shape[0])
    cols = places[1] if order != "rows" else np.arange(C.shape[1])
    assert (D[np.ix_(rows, cols)] == C).all()
    assert (C != D).any()


def test_permuting_leaves_the_input_alone():
    C = machol_wien(4)
    before = C.copy()
    permute_costs(C)
    assert (before == C).all()


@pytest.mark.parametrize("spread", [0.1, 1.0, 10.0, 100.0])
def test_uniform_costs_fill_their_range(spread):
    C = uniform_costs(300, spread=spread, seed=1)
    top = int(300 * spread)
    assert C.min() == 0
    assert 0.99 * top <= C.max() <= top
    assert abs(C.mean() / top - 0.5) < 0.02


def test_wide_ranges_take_64_bits():
    assert uniform_costs(3, spread=1e12, seed=1).dtype == np.int64


@pytest.mark.parametrize("family", [uniform_costs, real_costs, two_cost])
def test_drawing_in_pieces_changes_nothing(family, monkeypatch):
    whole = family(40, 30, seed=2)
    monkeypatch.setattr(costs, "ENTRIES_AT_A_TIME", 64)
    assert (family(40, 30, seed=2) == whole).all()


def test_machol_wien_is_solved_by_the_antidiagonal():
    rows, cols = linear_sum_assignment(machol_wien(20))
    assert (rows + cols == 19).all()


def test_euclidean_costs_are_a_metric_between_points():
    C = euclidean_costs(30, 40, seed=1)
    # Around any four points, three sides are at least as long as the fourth.
    assert (C[0, 0] + C[1:, :1] + C[1:, 1:] >= C[:1, 1:] - 1e-12).all()
    assert (np.abs(euclidean_costs(30, 40, scale=1000, seed=1) - 1000 * C) <= 0.5).all()


def test_two_cost_has_its_share():
    C = two_cost(200, low=2, high=9, share=0.25, seed=1)
    assert abs((C == 2).mean() - 0.25) < 0.02
    assert set(np.unique(C)) == {2, 9}


def test_tracking_forbids_what_is_outside_the_gate():
    C = tracking(400, gate=1.5, seed=1)
    misses = C.toarray()[:, -400:]
    assert (misses == np.diag(np.full(400, 2.25))).all()
    assert C.data.max() <= 2.25
    assert 3 < C.nnz / 400 < 20
    plain = tracking(400, gate=1.5, misses=False, seed=1)
    assert plain.nnz == C.nnz - 400
    assert structural_rank(C) == 400
    few = tracking(400, detected=0.5, clutter=0.0, misses=False, seed=1)
    assert structural_rank(few) < 300


def test_tracking_can_be_dense():
    sparse_form, dense = tracking(50, seed=3), tracking(50, dense=True, seed=3)
    assert dense.shape == sparse_form.shape
    entries = sparse_form.tocoo()
    assert (dense[entries.row, entries.col] == entries.data).all()
    assert np.isfinite(dense).sum() == entries.nnz


def test_a_wide_gate_allows_every_pair_and_none_is_lost_at_its_edge():
    C = tracking(30, gate=100.0, misses=False, seed=2)
    assert C.nnz == C.shape[0] * C.shape[1]


@pytest.mark.parametrize(("rows", "cols"), [(60, 60), (40, 70), (70, 40), (5, 1), (1, 5)])
def test_sparse_costs_hide_a_full_assignment(rows, cols):
    degree = min(3, cols)
    C = sparse_costs(rows, cols, degree, seed=4)
    assert (np.diff(C.indptr) == degree).all()
    assert structural_rank(C) == min(rows, cols)


@pytest.mark.parametrize("name", COSTS)
@pytest.mark.parametrize("rows", [0, 1])
def test_the_smallest_sizes_work(name, rows):
    size = {"tracks" if name == "tracking" else "rows": rows}
    degree = {"degree": 1} if name == "sparse_costs" else {}
    assert generate(name, permute="both", **size, **degree).shape[0] == rows


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("uniform_costs", {"rows": -1}, "rows must be at least 0"),
        ("uniform_costs", {"spread": -1}, "spread must be at least 0"),
        ("uniform_costs", {"spread": 1e18}, "spread times rows must be below"),
        ("euclidean_costs", {"dimensions": 0}, "dimensions must be at least 1"),
        ("euclidean_costs", {"scale": 0}, "scale must be at least 1"),
        ("two_cost", {"low": 5, "high": 4}, "high must be at least 5"),
        ("two_cost", {"share": 2}, "share must be at most 1"),
        ("tracking", {"gate": -1}, "gate must be at least 0"),
        ("sparse_costs", {"rows": 5, "degree": 6}, "degree must be at most the number of columns, 5"),
        ("sparse_costs", {"degree": 0}, "degree must be at least 1"),
    ],
)
def test_bad_values_are_named(name, params, message):
    with pytest.raises(ValueError, match=message):
        generate(name, **params)

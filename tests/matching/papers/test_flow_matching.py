"""Matching as a flow of units on the CPU teams."""

import numpy as np
import pytest
import scipy.sparse as sp
from cases.matrices import awkward_matrices, crowded, of_every_index_type, path
from team_cases import CALM_TEAMS

import konig

METHODS = [method.name for method in konig.methods("matching") if method.name.startswith("flow-")]


def test_every_configuration_is_there():
    expected = {
        f"flow-{way}-{layout}" for way in ("lock-free", "tlpns") for layout in ("csr", "rcsr", "bcsr")
    }
    assert set(METHODS) == expected


@pytest.mark.parametrize("team", CALM_TEAMS, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_answers_carry_their_certificate(method, team):
    for name, A in awkward_matrices().items():
        for init in ("none", "sgm"):
            m = konig.maximum_matching(A, method=method, init=init, **team)
            m.verify(A)
            assert (m.device, m.method) == ("cpu", method), name


@pytest.mark.parametrize("method", METHODS)
def test_warm_starts(method):
    A = crowded(300, 6)
    best = konig.maximum_matching(A)
    again = konig.maximum_matching(A, method=method, initial=best, threads=2)
    again.verify(A)
    assert again.size == best.size
    # No augmenting path is left, so no unit moves before the second phase takes back what cannot be matched.
    assert np.array_equal(again.col_of_row, best.col_of_row)
    assert again.stats["second_cycles"] == again.stats["cycles"]
    short = best.col_of_row.copy()
    short[::7] = -1
    again = konig.maximum_matching(A, method=method, initial=short, threads=2)
    again.verify(A)
    assert again.size == best.size


@pytest.mark.parametrize("method", METHODS)
def test_one_augmenting_path_is_a_unit_on_its_way(method):
    n = 60
    A, initial = path(n)
    m = konig.maximum_matching(A, method=method, initial=initial, threads=1)
    m.verify(A)
    assert m.size == n
    # The source feeds the one unmatched row; from there over 2n - 1 entries and into the sink.
    assert m.stats["pushes"] == 2 * n


@pytest.mark.parametrize(
    "method", [pytest.param("flow-lock-free-bcsr", marks=pytest.mark.long), "flow-tlpns-rcsr"]
)
def test_two_hundred_races_end_the_same(method):
    A = crowded(80, 11)
    expected = konig.maximum_matching(A, method="hk").size
    for _ in range(200):
        assert konig.maximum_matching(A, method=method, threads=4).size == expected


def test_layouts_look_at_as_many_places_as_they_have():
    # Every row is next to the same column; each entry is there twice.
    rows, cols = np.r_[np.arange(9), np.arange(9)], np.zeros(18, int)
    A = sp.coo_array((np.ones(18), (rows, cols)), shape=(9, 1))
    scanned = {}
    for layout in ("csr", "rcsr", "bcsr"):
        m = konig.maximum_matching(A, method=f"flow-tlpns-{layout}", threads=1)
        assert m.size == 1
        scanned[layout] = m.stats["places_scanned"] / m.stats["active"]
    assert scanned["bcsr"] < scanned["rcsr"] < scanned["csr"]


@pytest.mark.parametrize("method", METHODS)
def test_all_index_types(method):
    A = crowded(120, 5)
    for B, ids in of_every_index_type(A):
        m = konig.maximum_matching(B, method=method, threads=2)
        m.verify(A)
        assert m.col_of_row.dtype == ids

"""Hopcroft-Karp and Duff-Wiberg: the layers, the phases, and what tells the two apart."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

import konig


def random_square(n: int, per_col: int, seed: int) -> sp.csc_array:
    rng = np.random.default_rng(seed)
    at = (rng.integers(0, n, per_col * n), np.repeat(np.arange(n), per_col))
    return sp.csc_array((np.ones(per_col * n), at), shape=(n, n))


def permuted_grid(side: int, seed: int) -> sp.csc_array:
    line = sp.diags_array([np.ones(side - 1), np.ones(side - 1)], offsets=[-1, 1])
    grid = (sp.kron(line, sp.eye_array(side)) + sp.kron(sp.eye_array(side), line)).tocsr()
    rng = np.random.default_rng(seed)
    return grid[rng.permutation(side**2)][:, rng.permutation(side**2)].tocsc()


INSTANCES = [*(random_square(2000, d, d) for d in (2, 3, 4, 6)), *(permuted_grid(s, s) for s in (30, 50))]


@pytest.mark.parametrize("A", INSTANCES)
@pytest.mark.parametrize("init", ["none", "sgm", "ksm"])
def test_layers_grow_from_phase_to_phase(A, init):
    stats = konig.maximum_matching(A, method="hk", init=init).stats
    assert len(stats["levels"]) == stats["phases"]
    assert (np.diff(stats["levels"]) > 0).all()
    if stats["phases"]:
        assert stats["longest_path"] == 2 * stats["levels"][-1] - 1
    assert stats["phases"] <= 2 * np.sqrt(A.shape[0]) + 2


@pytest.mark.parametrize("lookahead", [True, False])
def test_row_searches_save_phases_on_most_instances(lookahead):
    fewer = 0
    for A in INSTANCES:
        hk = konig.maximum_matching(A, method="hk")
        hkdw = konig.maximum_matching(A, method="hkdw", lookahead=lookahead)
        hkdw.verify(A)
        fewer += hkdw.stats["phases"] <= hk.stats["phases"]
        assert hkdw.stats["search_arc_scans"] != hk.stats["search_arc_scans"]
        assert hkdw.stats["longest_path"] > hk.stats["longest_path"]
        assert (hkdw.stats["lookahead_arc_scans"] > 0) is lookahead
    assert fewer > len(INSTANCES) / 2


def test_lookahead_saves_phases_and_keeps_the_extra_paths_short():
    A = random_square(20_000, 5, 1)
    on, off = (konig.maximum_matching(A, method="hkdw", lookahead=k).stats for k in (True, False))
    assert on["phases"] < off["phases"]
    assert on["augmentations"] < off["augmentations"]


def test_a_phase_takes_all_disjoint_shortest_paths():
    # k disjoint paths of three edges: one phase, whatever k.
    k = 200
    lists = [[j] for j in range(k)] + [[j, k + j] for j in range(k)]
    A = konig.matching.inputs.Adjacency(
        np.cumsum([0, *map(len, lists)]).astype(np.int32), np.concatenate(lists).astype(np.int32)
    )
    graph = konig.matching.inputs.BipartiteGraph(2 * k, 2 * k, None, A)
    initial = np.array([*range(k, 2 * k), *[-1] * k])
    stats = konig.maximum_matching(graph, method="hk", init="none", initial=initial).stats
    assert (stats["phases"], stats["paths"], stats["augmentations"]) == (1, k, k)
    assert stats["levels"] == [2]


@pytest.mark.parametrize("method", ["hk", "hkdw"])
def test_a_search_that_cannot_improve_runs_no_phase(method):
    A = random_square(500, 3, 3)
    best = konig.maximum_matching(A)
    stats = konig.maximum_matching(A, method=method, init="none", initial=best).stats
    assert (stats["phases"], stats["levels"], stats["search_arc_scans"]) == (0, [], 0)


@pytest.mark.parametrize("method", ["hk", "hkdw"])
def test_wide_matrices_end_when_all_rows_are_matched(method):
    stats = konig.maximum_matching(sp.csc_array(np.ones((20, 5000))), method=method).stats
    assert stats["bfs_arc_scans"] == 0

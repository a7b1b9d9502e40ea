"""Duals from the order that suits rows and columns, where there is one."""

import numpy as np
import pytest
from cases.costs import machol_wien

import konig
from konig.assignment import lines, sorted_start, team
from konig.assignment.lines import lines_of
from konig.assignment.problem import DenseProblem
from konig.machine import on_threads


def monge(n, seed=3):
    """Costs that are best assigned in order, once rows and columns are, and that are not in order."""
    rng = np.random.default_rng(seed)
    some, others = rng.random(n), rng.random(n)
    yield "products", rng.permutation(n)[:, None] * rng.permutation(n)
    yield "Machol-Wien", machol_wien(n).astype(np.int32)
    yield "squares on a line", (some[:, None] - others) ** 2
    yield "rank one, float32", np.outer(some, others).astype(np.float32)
    yield "below zero", -np.outer(some, others) - 5


@pytest.mark.parametrize("maximize", [False, True])
def test_they_are_the_duals_of_the_answer_where_an_order_is_best(maximize):
    for name, C in monge(90):
        v = sorted_start.start(lines_of(C, maximize)).col_dual
        slack = C - v if not maximize else v - C
        bound = slack.min(axis=1).sum() + (v if not maximize else -v).sum()
        best = konig.linear_assignment(C, method="jv", maximize=maximize).cost
        assert (-bound if maximize else bound) == pytest.approx(best, rel=1e-6), name


def test_they_need_hardly_a_search(monkeypatch):
    for name, C in monge(90):
        start = np.zeros(90), sorted_start.start(lines_of(C, False)).col_dual
        a = konig.linear_assignment(C, method="core-paths", initial=start, threads=1)
        a.verify(C)
        assert a.stats["phases"] < 9, name
    monkeypatch.setattr(sorted_start, "start", lambda *_: None)
    cold = konig.linear_assignment(machol_wien(90), method="core-paths", threads=1)
    assert cold.stats["phases"] > 90


def test_costs_without_such_an_order_get_none():
    rng = np.random.default_rng(4)
    assert sorted_start.start(lines_of(rng.random((80, 80)), False)) is None
    assert sorted_start.start(lines_of(rng.integers(0, 800, (80, 80)), False)) is None
    away = rng.random((80, 1, 2)) - rng.random((1, 80, 2))
    assert sorted_start.start(lines_of(np.linalg.norm(away, axis=2), False)) is None


def test_blocks_of_rows_give_the_same(monkeypatch):
    C = machol_wien(50)
    whole = sorted_start.start(lines_of(C, False)).col_dual
    monkeypatch.setattr(lines, "BLOCK", 120)
    np.testing.assert_array_equal(sorted_start.start(lines_of(C, False)).col_dual, whole)


def start_for(alike):
    machine = on_threads({"team": "threads"}, threads=1)
    return team._another_start(machine, alike, None, None, True)


def test_a_range_that_leaves_no_bit_for_a_start_gets_none():
    C = machol_wien(64) * ((1 << 59) // 64**2 // 140)
    alike = DenseProblem(np, C, False, (C.min(), C.max()))
    assert start_for(alike) is None
    fewer = C // 4
    assert start_for(DenseProblem(np, fewer, False, (0, fewer.max()))).warm


def test_many_phases_are_left_for_an_order_that_proves_itself():
    rng = np.random.default_rng(6)
    some, others = rng.random(700), rng.random(700)
    for maximize in (False, True):
        C = (-1) ** maximize * np.abs(some[:, None] - others) ** 1.5
        a = konig.linear_assignment(C, method="core-paths", threads=1, maximize=maximize)
        a.verify(C)
        assert a.stats["phases"] == 40  # four for each bit of 700
        in_order = C[np.argsort(some), np.argsort(others)].sum()
        assert a.cost == pytest.approx(in_order, rel=1e-12)

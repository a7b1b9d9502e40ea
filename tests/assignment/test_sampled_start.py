"""Duals from a sample of rows and columns, where rows rank the columns alike."""

import numpy as np
import pytest

import konig
from konig.assignment import sampled_start, team
from konig.assignment.lines import lines_of

N = 600


def structured(seed=5):
    rng = np.random.default_rng(seed)
    corner = rng.random((N, 1, 2)) - 0.3 * rng.random((1, N, 2))
    yield "rank four", rng.random((N, 4)) @ rng.random((4, N))
    yield "products and noise", np.outer(rng.random(N), rng.random(N)) * (1 + 0.1 * rng.random((N, N)))
    yield "squares to a corner", (corner**2).sum(axis=2)
    yield "integers", (1e6 * rng.random((N, 4)) @ rng.random((4, N))).astype(np.int64)
    yield "float32", (rng.random((N, 4)) @ rng.random((4, N))).astype(np.float32)


@pytest.fixture
def samples(monkeypatch):
    """The sizes of the samples that were solved."""
    taken, sample = [], sampled_start.sample
    monkeypatch.setattr(sampled_start, "sample", lambda rows: taken.append(rows) or sample(rows))
    return taken


@pytest.mark.parametrize("maximize", [False, True])
def test_a_sample_saves_a_third_of_the_phases(samples, monkeypatch, maximize):
    for name, C in structured():
        C = -C if maximize else C
        started = konig.linear_assignment(C, method="core-paths", maximize=maximize, threads=1)
        assert samples.pop() == N, name
        started.verify(C)
        with monkeypatch.context() as without:
            without.setattr(team, "_another_start", lambda *_: None)
            cold = konig.linear_assignment(C, method="core-paths", maximize=maximize, threads=1)
        assert started.cost == cold.cost
        assert 3 * started.stats["phases"] < 2 * cold.stats["phases"], name


def test_large_samples_have_samples(samples, monkeypatch):
    monkeypatch.setattr(sampled_start, "LEAST_ROWS", 100)
    C = next(C for name, C in structured() if name == "rank four")
    konig.linear_assignment(C, method="core-paths", threads=1).verify(C)
    assert samples == [N, N // sampled_start.SHARE]


def test_uniform_costs_need_none(samples):
    C = np.random.default_rng(1).random((N, N))
    konig.linear_assignment(C, method="core-paths", threads=1)
    assert samples == []


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_duals_are_the_largest_that_the_rows_allow(dtype, monkeypatch):
    rng = np.random.default_rng(2)
    some, row_duals = rng.integers(0, 99, (12, 30)).astype(dtype), rng.integers(0, 9, 12).astype(dtype)
    least = (some - row_duals[:, None]).min(axis=0)
    monkeypatch.setattr("konig.assignment.lines.BLOCK", 90)
    np.testing.assert_array_equal(sampled_start.col_duals(lines_of(some, False), row_duals), least)
    np.testing.assert_array_equal(sampled_start.col_duals(lines_of(-some, True), -row_duals), -least)


def test_a_started_solve_that_stalls_is_left_to_another_method(monkeypatch):
    C = next(C for name, C in structured() if name == "rank four")
    run, statuses = team.Assigning.run, ["alike", "stalled"]

    def pretend(program, report, asks=False):
        outcome = run(program, report)
        return outcome._replace(status=statuses.pop(0)) if program.problem.rows == N and statuses else outcome

    monkeypatch.setattr(team.Assigning, "run", pretend)
    a = konig.linear_assignment(C, method="core-paths", threads=1)
    a.verify(C)
    assert not statuses

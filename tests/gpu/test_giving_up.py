"""What `auto` does with a graph of too many levels for a device; this one gives up when it is told to."""

import numpy as np
import pytest
from host_memory import HostCupy

import konig
from konig import registry
from konig.lab import generators
from konig.matching import gpu as device
from konig.matching.auto import most_steps
from konig.matching.inputs import Partial, as_graph

A = generators.hilo(600, 6, 5)
SPOILED = 77


def solved_by(monkeypatch, answers, initial=None):
    """Which methods tried, from what, and what `auto` answered when each did as ``answers`` says."""
    tried = []
    answers = iter(answers)

    def run_matching(self, method, partial, settings, report, either_side=False):
        col_of_row, row_of_col = partial.col_of_row, partial.row_of_col
        tried.append((method.name, settings, either_side, col_of_row.get()))
        answer = next(answers)
        if answer == "maximum":
            col_of_row[...] = row_of_col[...] = np.arange(len(col_of_row))
        else:
            col_of_row[...] = row_of_col[...] = SPOILED  # as a search that was cut
        if isinstance(answer, Exception):
            raise answer
        return {"verdict": answer, "seconds": {"kernel": 0.002}}

    monkeypatch.setattr(device.MatchingGpu, "run_matching", run_matching)
    gpu = device.MatchingGpu.__new__(device.MatchingGpu)
    gpu.cupy = HostCupy
    before = np.full(600, -1, np.int32) if initial is None else initial
    mates = [HostCupy.asarray(before.copy()) for _ in range(2)]
    method = registry.find("ms-bfs", "matching")
    ran, stats = gpu.run_auto(method, Partial(as_graph(A), *mates), None, initial is not None)
    np.testing.assert_array_equal(mates[0].get(), np.arange(600))
    return tried, ran, stats


DIAGONAL = np.where(np.arange(600) < 300, np.arange(600), -1).astype(np.int32)
on_every_start = pytest.mark.parametrize("initial", [None, DIAGONAL], ids=["cold", "warm"])


@on_every_start
def test_a_search_that_ends_is_the_answer(monkeypatch, initial):
    tried, ran, stats = solved_by(monkeypatch, ["maximum"], initial)
    assert [name for name, *_ in tried] == [ran] == ["ms-bfs"]
    assert "given_up" not in stats["seconds"]


@on_every_start
def test_push_relabel_is_next_and_starts_from_what_was_given(monkeypatch, initial):
    tried, ran, stats = solved_by(monkeypatch, ["narrow", "maximum"], initial)
    assert [name for name, *_ in tried] == ["ms-bfs", "g-pr-shr"]
    assert ran == "g-pr-shr"
    assert stats["seconds"]["given_up"] == 0.002
    np.testing.assert_array_equal(tried[1][3], tried[0][3])


@on_every_start
def test_without_memory_for_pushes_the_search_goes_on_to_its_end(monkeypatch, initial):
    tried, ran, stats = solved_by(monkeypatch, ["narrow", MemoryError(), "maximum"], initial)
    assert [name for name, *_ in tried] == ["ms-bfs", "g-pr-shr", "ms-bfs"]
    assert ran == "ms-bfs"
    assert "most_steps" not in tried[2][1]
    assert stats["seconds"]["given_up"] == 0.002
    np.testing.assert_array_equal(tried[2][3], tried[0][3])


def test_without_memory_for_the_search_there_is_no_answer(monkeypatch):
    with pytest.raises(MemoryError):
        solved_by(monkeypatch, [MemoryError()])


def test_the_search_is_told_how_many_supersteps_it_may_take(monkeypatch):
    (_, searching, *_), (_, pushing, *_) = solved_by(monkeypatch, ["narrow", "maximum"])[0]
    assert searching["most_steps"] == most_steps(600, 600) == 13
    assert "most_steps" not in pushing
    assert most_steps(9_000_000, 9_000_000) == 12 + 187


def test_a_method_that_is_named_never_gives_up():
    assert registry.find("ms-bfs", "matching").variant["most_steps"] == 0
    assert konig.maximum_matching(A, method="ms-bfs").size == 600

"""What `auto` does with a graph that keeps a device waiting; this one gives up when it is told to."""

from typing import ClassVar

import numpy as np
import pytest
from host_memory import HostCupy

import konig
from konig import registry
from konig.backends import cuda, device
from konig.graph import as_graph
from konig.lab import generators

A = generators.hilo(600, 6, 5)
SPOILED = 77


class Host:
    """A graph that is on the host already."""

    def __init__(self, graph):
        self.rows, self.cols, self.nonzeros = graph.rows, graph.cols, graph.nonzeros
        self.on_host = lambda: graph


def solved_by(monkeypatch, patient, initial=None, with_host=False):
    """Which methods tried, from what, and what `auto` answered if only ``patient`` comes to an end."""
    tried = []

    def run_matching(
        self, method, graph, col_of_row, row_of_col, settings, report, either_side, patience, rival
    ):
        tried.append((method.name, settings, patience, col_of_row.get()))
        if rival is not None and rival(np.zeros(1, np.int64)):
            col_of_row[...] = row_of_col[...] = SPOILED
            raise cuda.UnfinishedError(0.001)
        if method.name != patient:
            col_of_row[...] = row_of_col[...] = SPOILED  # as a search that was cut
            raise cuda.UnfinishedError(0.002)
        col_of_row[...] = row_of_col[...] = np.arange(len(col_of_row))
        return {"seconds": {}}

    monkeypatch.setattr(device.Gpu, "run_matching", run_matching)
    gpu = device.Gpu.__new__(device.Gpu)
    gpu.cupy = HostCupy
    before = np.full(600, -1, np.int32) if initial is None else initial
    mates = [HostCupy.asarray(before.copy()) for _ in range(2)]
    method = registry.find("ms-bfs", "matching")
    warm = initial is not None
    ran, stats = gpu.run_auto(method, Host(as_graph(A)), *mates, None, 2, warm, with_host)
    return tried, ran, stats, mates[0].get()


DIAGONAL = np.where(np.arange(600) < 300, np.arange(600), -1).astype(np.int32)
on_every_start = pytest.mark.parametrize("initial", [None, DIAGONAL], ids=["cold", "warm"])


@on_every_start
def test_a_search_that_ends_is_the_answer(monkeypatch, initial):
    tried, ran, stats, _ = solved_by(monkeypatch, "ms-bfs", initial)
    assert [name for name, *_ in tried] == [ran] == ["ms-bfs"]
    assert "given_up" not in stats["seconds"]


@on_every_start
def test_push_relabel_is_next_and_starts_from_what_was_given(monkeypatch, initial):
    tried, ran, stats, _ = solved_by(monkeypatch, "g-pr-shr", initial)
    assert [name for name, *_ in tried] == ["ms-bfs", "g-pr-shr"]
    assert ran == "g-pr-shr"
    assert stats["seconds"]["given_up"] == 0.002
    np.testing.assert_array_equal(tried[1][3], tried[0][3])


@on_every_start
def test_the_host_is_last_and_starts_from_what_was_given(monkeypatch, initial):
    tried, ran, stats, mates = solved_by(monkeypatch, None, initial)
    assert [name for name, *_ in tried] == ["ms-bfs", "g-pr-shr"]
    assert ran == "ms-bfs-graft"
    assert stats["seconds"]["given_up"] == 0.004
    np.testing.assert_array_equal(mates, np.arange(600))


class Rival:
    """A host that has the answer, and remembers from what and how it was asked."""

    asked: ClassVar[list] = []

    def __init__(self, cupy, graph, given, report):
        self.answer, self.given, self.early = None, given, False

    def begin_copy(self):
        self.early = True

    def close(self):
        self.asked.append("closed")

    def solve(self, threads, won):
        self.asked.append((self.given, self.early, threads))
        mates = np.arange(600, dtype=np.int32)
        self.answer = "by the rival", {"seconds": {}}, mates, mates
        return True


@on_every_start
@pytest.mark.parametrize("size", ["small", "middling", "large"])
def test_a_host_that_is_faster_has_the_answer(monkeypatch, initial, size):
    monkeypatch.setattr(device, "HostRival", Rival)
    monkeypatch.setattr(device, "RACE_ENTRIES", A.nnz - (size == "large"))
    monkeypatch.setattr(device, "RACE_ALONE", A.nnz - (size == "middling"))
    monkeypatch.setattr(Rival, "asked", [])
    tried, ran, stats, mates = solved_by(monkeypatch, None, initial, with_host=True)
    assert [name for name, *_ in tried] == (["ms-bfs", "g-pr-shr"] if size == "large" else ["ms-bfs"])
    assert ran == "by the rival"
    assert stats["seconds"]["given_up"] == pytest.approx(0.003 if size == "large" else 0.001)
    np.testing.assert_array_equal(mates, np.arange(600))
    (given, *asked), closed = Rival.asked
    assert closed == "closed"
    assert asked == {"small": [True, 1], "middling": [True, 2], "large": [False, 2]}[size]
    if initial is None:
        assert given is None
    else:
        np.testing.assert_array_equal(given[0], initial)


def test_both_are_told_how_long_they_may_take(monkeypatch):
    (_, searching, patience, _), (_, pushing, again, _) = solved_by(monkeypatch, None)[0]
    assert patience == again == device.PATIENCE + device.PATIENCE_PER_ENTRY * A.nnz
    assert searching["most_steps"] == device.most_steps(600, 600) == 13
    assert "most_steps" not in pushing
    assert device.most_steps(9_000_000, 9_000_000) == 12 + 187


def test_a_method_that_is_named_never_gives_up():
    assert registry.find("ms-bfs", "matching").variant["most_steps"] == 0
    assert konig.maximum_matching(A, method="ms-bfs").size == 600

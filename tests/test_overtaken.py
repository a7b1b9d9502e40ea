"""Solves on the host that end when a rival has the answer."""

from types import SimpleNamespace

import numpy as np
import pytest

from konig import _native, graph
from konig.backends import cpu
from konig.graph import as_graph
from konig.lab import generators

ROLLED = generators.hilo(20_480, 640, 5)[np.roll(np.arange(20_480), 1)]
WIDE = generators.grid(300, 300)[:60_000]  # fewer rows: the searches start from them
RANDOM = generators.sprand(70_000, degree=3.0, seed=1)  # wants Karp-Sipser, which reads both orientations


def solved(A, won, threads):
    graph = as_graph(A)
    mates = [np.full(extent, -1, graph.id_dtype) for extent in A.shape]
    ran, _ = cpu.run_auto(graph, *mates, None, threads, np.array([won]))
    return ran, int(np.count_nonzero(mates[0] >= 0))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("A", "size"), [(ROLLED, 20_480), (WIDE, 60_000), (RANDOM, 64_916)])
def test_a_rival_who_has_not_solved_it_changes_nothing(A, size, threads):
    for won in (0, -1, 2):
        ran, found = solved(A, won, threads)
        assert ran.endswith("ms-bfs-graft")
        assert found == size


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("A", [ROLLED, WIDE])
def test_a_rival_who_has_solved_it_ends_the_solve(A, threads):
    with pytest.raises(_native.OvertakenError, match="faster"):
        solved(A, 1, threads)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("step", ["transpose", "karp_sipser", "tree_grafting"])
def test_every_step_ends_when_the_rival_has_solved_it(monkeypatch, step, threads):
    won = np.array([0])
    solve, transpose = _native.solve, _native.transpose

    def solving(name, *rest):
        won[0] = name.removeprefix("parallel_") == step
        return solve(name, *rest)

    def transposing(*arguments):
        won[0] = step == "transpose"
        return transpose(*arguments)

    monkeypatch.setattr(cpu, "_native", SimpleNamespace(solve=solving))
    monkeypatch.setattr(graph, "_native", SimpleNamespace(transpose=transposing))
    A = as_graph(RANDOM)
    with pytest.raises(_native.OvertakenError):
        cpu.run_auto(A, *(np.full(70_000, -1, A.id_dtype) for _ in range(2)), None, threads, won)
    assert won[0] == 1


def test_a_race_starts_with_few_threads(monkeypatch):
    asked = []
    solve = _native.solve

    def solving(name, *rest):
        asked.append((name, rest[6].get("threads")))
        return solve(name, *rest)

    monkeypatch.setattr(cpu, "_native", SimpleNamespace(solve=solving))
    monkeypatch.setattr(cpu, "RACING_ENTRIES_PER_WORKER", RANDOM.nnz // 2)
    solved(RANDOM, 0, 4)
    assert asked[0] == ("parallel_greedy_and_survey", 3)
    assert {threads for _, threads in asked[1:]} == {4}


@pytest.mark.parametrize("threads", [1, 3])
def test_making_the_other_orientation_ends_too(threads):
    graph = as_graph(generators.sprand(100_000, degree=5.0, seed=1), threads=threads)
    with pytest.raises(_native.OvertakenError):
        graph.make_cols(np.array([1]))
    assert not graph.has_cols
    assert graph.make_cols(np.array([0])).vertices == 100_000

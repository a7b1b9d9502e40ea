"""The route of a program to a GPU, with the host's memory and the host's teams in place of a device's."""

from types import SimpleNamespace

import numpy as np
import pytest
from cases.costs import ragged
from cases.networks import random_network
from host_memory import HostCupy, HostKernel, host_driver

import konig
from konig import programs
from konig.assignment.batch import GROUPS, solve_batch
from konig.assignment.problem import DenseProblem
from konig.assignment.programs import Assigning
from konig.flow import push_relabel
from konig.flow.auto import How, Plan
from konig.flow.inputs import as_network
from konig.flow.papers import tlpns
from konig.gpu import commands, compile
from konig.gpu import program as device_program
from konig.gpu.program import DeviceSolve
from konig.lab import generators
from konig.machine import Machine, on_threads
from konig.matching import programs as matching_programs
from konig.matching.inputs import Partial, as_graph
from konig.programs import TeamSolve
from konig.registry import find

A = generators.sprand(300, 280, 3.0, seed=2)
SIZE = konig.structural_rank(A)
TIMED = {"launches": 0}  # they end by the clock
KNOBS = {
    "matching/ms_bfs": {"counters": True, "most_steps": 0},
    "papers/augmenting_paths": {
        "counters": True,
        "shortest_only": False,
        "with_roots": True,
        "width": "ct",
    },
    "papers/g_pr": {
        "counters": True,
        "lists": True,
        "shrink": True,
        "gap": True,
        "concurrent": True,
        "relabel": "adaptive",
        "k": 0.7,
    },
    "matching/greedy": {},
    "matching/karp_sipser": {},
}


def sources(program):
    return [device_program.source(program, group) for group in (GROUPS if program.for_groups else [None])]


@pytest.fixture
def kernels(monkeypatch):
    """The kernels that were asked for, as the host runs them."""
    asked = []

    def version_of(cupy, unit, hurry):
        (kernel,) = (HostKernel(p) for p in programs.every() if unit.code in sources(p))
        assert unit.cooperative != kernel.program.for_groups
        asked.append(kernel)
        return compile.Version(kernel)

    monkeypatch.setattr(commands, "driver", host_driver)
    monkeypatch.setattr(device_program, "_kernels", {})
    monkeypatch.setattr(compile, "version_of", version_of)
    monkeypatch.setattr(device_program.device, "resident_blocks", lambda cupy, kernel, threads: 4)
    return asked


def unmatched(graph):
    return [HostCupy.asarray(np.full(n, -1, graph.id_dtype)) for n in (graph.rows, graph.cols)]


def on_device(graph, task, report=None):
    seconds = {}
    solve = DeviceSolve(HostCupy, task, seconds, timed=True)
    outcome = solve.run(task, report)
    assert seconds["compile"] >= 0
    assert solve.kernel_seconds > 0
    return outcome


def view(graph):
    """The same graph with arrays as a device's."""
    for lists in (graph.of_row, graph.of_col):
        object.__setattr__(lists, "start", HostCupy.asarray(lists.start))
        object.__setattr__(lists, "neighbour", HostCupy.asarray(lists.neighbour))
    return graph


@pytest.mark.parametrize("name", KNOBS)
def test_a_program_runs_as_on_a_team(kernels, name):
    graph = as_graph(A.copy())
    here, there = unmatched(graph), unmatched(graph)
    workers = {"threads": 1, "team": "threads", "seed": 0}
    expected = programs.run_on_team(
        matching_programs.task(name, Partial(graph, *here), KNOBS[name]), workers, None
    )
    graph = view(graph)
    reports = []
    task = matching_programs.task(name, Partial(graph, *there), KNOBS[name])
    outcome = on_device(graph, task, lambda done, total: reports.append((done, total)))
    assert outcome.status == expected.status in ("maximum", "maximal")
    assert outcome.words == expected.words
    assert outcome.workers % device_program.BLOCK_THREADS == 0
    launches = kernels[0].launches
    assert outcome.statistics | TIMED == expected.statistics | TIMED
    np.testing.assert_array_equal(there[0], here[0])
    if outcome.status == "maximum":
        assert np.count_nonzero(there[0] >= 0) == SIZE
        assert outcome.statistics["launches"] == launches
        assert reports[-1] == (SIZE, 280)


def test_lists_are_checked_and_transposed(kernels):
    graph = view(as_graph(A.copy()))
    lists = graph.of_col
    task = matching_programs.check_lists(lists.start, lists.neighbour, graph.rows)
    outcome = on_device(graph, task)
    assert (outcome.status, outcome.words["end"]) == ("sound", graph.nonzeros)
    for where, value in ((5, -1), (7, graph.rows)):
        neighbour = HostCupy.asarray(lists.neighbour.copy())
        neighbour[where] = value
        wrong = matching_programs.check_lists(lists.start, neighbour, graph.rows)
        assert on_device(graph, wrong).status == "unsound"
    start = HostCupy.asarray(lists.start.copy())
    start[3] = start[4] + 1
    assert on_device(graph, matching_programs.check_lists(start, neighbour, graph.rows)).status == "unsound"
    row_start, row_cols = (HostCupy.asarray(np.zeros_like(a)) for a in (graph.of_row.start, lists.neighbour))
    assert on_device(graph, matching_programs.transpose(graph, row_start, row_cols)).status == "done"
    np.testing.assert_array_equal(row_start, graph.of_row.start)


class Shipped:
    """A solve whose arrays are seen as a device's; they stay where they are."""

    def __init__(self, task):
        self.solve = DeviceSolve(HostCupy, self._seen(task), {})

    def run(self, task, report):
        return self.solve.run(self._seen(task), report)

    @staticmethod
    def _seen(task):
        given = {
            name: a if a is None or isinstance(a, int) else HostCupy.asarray(a)
            for name, a in task.given.items()
        }
        return task._replace(given=given)


@pytest.mark.parametrize("variant", ["classical", "tree", "core"])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_an_assignment_is_found_as_on_a_team(kernels, variant, dtype):
    # Ties take more edges than there is room for at first.
    C = np.random.default_rng(1).integers(0, 3, (90, 100)).astype(dtype)
    outcomes, answers = [], []
    workers = {"threads": 1, "team": "threads", "seed": 0}
    for start in (lambda task: TeamSolve(task, workers), Shipped):
        task = DenseProblem(np, C, False, (0, 2))
        outcomes.append(Assigning(task, variant, start).run(None))
        answers.append(task)
    here, there = outcomes
    assert here.status == there.status == "optimal"
    assert here.statistics | TIMED == there.statistics | TIMED
    assert set(there.seconds) >= {"reduction"}
    np.testing.assert_array_equal(answers[0].col_of_row, answers[1].col_of_row)
    np.testing.assert_array_equal(answers[0].col_dual, answers[1].col_dual)
    assert sum(C[np.arange(90), answers[1].col_of_row]) == konig.linear_assignment(C).cost


@pytest.mark.parametrize("variant", ["classical", "tree", "core"])
def test_rows_without_enough_columns_are_marked(kernels, variant):
    C = np.ones((4, 5))
    C[:3, 2:] = np.inf
    run = Assigning(DenseProblem(np, C, False, (1, 1)), variant, Shipped)
    assert run.run(None).status == "infeasible"
    rows, cols = run.hall_violator()
    assert (np.flatnonzero(rows).tolist(), np.flatnonzero(cols).tolist()) == ([0, 1, 2], [0, 1])


def test_a_batch_is_dealt_to_groups_of_several_sizes(kernels):
    C, rows, cols = ragged((40, 90, 140), np.float64, seed=3)
    reports, seconds = [], {}
    there = HostCupy.asarray(C)
    solved = solve_batch(
        HostCupy, there, False, rows, cols, lambda done, total: reports.append((done, total)), seconds
    )
    assert len(kernels) > 1
    assert solved.stats["launches"] == sum(kernel.launches for kernel in kernels)
    assert reports[-1] == (40, 40)
    assert (solved.outcomes == 0).all()
    assert solved.cost.tolist() == konig.linear_assignment(C, row_counts=rows, col_counts=cols).cost.tolist()


# Whatever else a method asked of CuPy would be compiled on its first call.
MEMORY = SimpleNamespace(
    empty=HostCupy.empty,
    zeros=HostCupy.zeros,
    asarray=HostCupy.asarray,
    ascontiguousarray=HostCupy.asarray,
    cuda=HostCupy.cuda,
)
FLOWS = ["sync-pr", "async-pr", "lock-free-csr", "tlpns-rcsr", "tlpns-bcsr"]


@pytest.mark.parametrize("knobs", [{}, {"profile": True}], ids=["plain", "profile"])
@pytest.mark.parametrize("name", FLOWS)
def test_a_flow_is_pushed_as_on_a_team(kernels, name, knobs):
    method = find(name, "flow")
    if knobs.keys() - {knob.name for knob in method.options}:
        pytest.skip("has no such knob")
    net = random_network(np.random.default_rng(5))
    given = as_network(net.arcs, net.source, net.sink, num_vertices=net.num_vertices)
    settings = method.settings(knobs)
    seen, expected = [], []
    device = Machine(
        *(MEMORY, Shipped),
        gpu=True,
        processors=2,
        ticks=1.0,
        warp=32,
        facts={"headers": ""},
        expect=lambda program, options: expected.append(program),
    )
    solved = []
    for machine in (on_threads(settings, 1), device):
        how = How(Plan(name), settings, lambda *done: seen.append(done))
        run_flow = push_relabel.run_flow if method.solver in push_relabel.SOLVERS else tlpns.run_flow
        solved.append(run_flow(machine, how, given.arcs, given.role, given.undirected, None))
    here, there = solved
    assert here.value == there.value == konig.maximum_flow(net.arcs, net.source, net.sink).value
    differing = {"launches", "workers", "headers", "seconds", "profile"}
    assert {k: v for k, v in here.stats.items() if k not in differing} == {
        k: v for k, v in there.stats.items() if k not in differing
    }
    assert there.stats["workers"] % device_program.BLOCK_THREADS == 0
    assert ("profile" in there.stats) == bool(knobs)
    np.testing.assert_array_equal(here.flow, there.flow)
    np.testing.assert_array_equal(here.cut, there.cut)
    assert seen[-1][0] == here.value
    ran = {kernel.program for kernel in kernels}
    soon = "flow/sync_pr", f"papers/tlpns/{method.variant.get('layout')}"
    assert set(expected) == {program for program in ran if program.name in soon}

"""All ways to ask for a maximum flow, each judged."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.interop import scipy as like_scipy

from ..case import Call, Draw, Violation
from ..command import ask
from ..knobs import draw_how, draw_threads
from ..settings import Settings, shown_call
from .corrupted import judge_certificate
from .grids import draw_grid_call
from .judge import LARGEST, excused, judge
from .network import Network

FORMATS = ("csr", "csc", "coo", "lil", "dok")
TAKES_EXACT = "exact" in inspect.signature(konig.maximum_flow).parameters


def draw_calls(draw: Draw, network: Network, numbers: str, settings: Settings) -> list[Call]:
    """`auto` on arrays, and two or three other entry points; ``numbers`` is the family of the capacities."""
    solver = Solver(draw, network, settings)
    others: tuple[Callable[[], Call], ...] = (
        solver.named,
        solver.matrix,
        solver.warm,
        solver.like_scipy,
        solver.exactly,
        lambda: draw_grid_call(draw, numbers, settings),
        solver.command,
    )
    weights = [5, 3, 2, 2, 1 if TAKES_EXACT else 0, 0.7, 0.02 if settings.command_line else 0]
    return [way() for way in [solver.arrays, solver.named, *draw.choices(others, weights, k=2)]]


class Solver:
    """Makes calls for one network. Everything random is drawn here; a call itself draws nothing."""

    def __init__(self, draw: Draw, network: Network, settings: Settings) -> None:
        self.draw, self.network, self.settings = draw, network, settings

    def arrays(self) -> Call:
        return self._call("arrays", self._draw_how(0.0), self.draw.some((np.int64, np.int32, list)))

    def named(self) -> Call:
        return self._call("arrays", self._draw_how(1.0), np.int64)

    def exactly(self) -> Call:
        return self._call("arrays", self._draw_how(0.0) | {"exact": True}, np.int64)

    def warm(self) -> Call:
        """A start from the flow of other capacities, or from any numbers."""
        network, draw = self.network, self.draw
        how = self._draw_how(0.7)
        way = draw.some(("same", "less", "random", "zero"))
        capacity = np.where(network.infinite, 1, network.capacity)
        numbers = np.int64 if network.whole else np.float64
        if way == "random":
            start: Any = (capacity * draw.array.random(len(capacity)) * 0.99).astype(numbers)
        elif way == "zero":
            start = np.zeros(len(capacity), numbers)
        else:
            kept = draw.array.random(len(capacity)) < 0.7
            less = (
                np.where(kept, network.capacity, 0).astype(network.capacity.dtype) if way == "less" else None
            )

            def start() -> Any:
                given = network.capacity if less is None else less
                return self._solve((network.tail, network.head, given), {})

        luck = draw.luck()

        def run() -> Iterator[Violation]:
            try:
                begin = start() if callable(start) else start
            except ValueError:
                return
            yield from self._run(network.tail, network.head, how | {"initial": begin}, luck)

        return Call(shown_call(f"warm {way}", how), run)

    def matrix(self) -> Call:
        """The same as a matrix: parallel arcs become one, and a dense one has no arc of capacity 0."""
        draw = self.draw
        form = draw.some(("dense", *FORMATS))
        how = self._draw_how(0.5)
        network = _without_parallel(self.network)
        n = network.num_vertices
        if network.capacity.dtype == np.float16:
            form = "dense"
        if form == "dense":
            A: Any = np.zeros((n, n), network.capacity.dtype)
            A[network.tail, network.head] = network.capacity
        else:
            kind = draw.some((sp.coo_array, sp.coo_matrix))
            A = kind((network.capacity, (network.tail, network.head)), shape=(n, n)).asformat(form)
        run = partial(self._run_matrix, A, network, how, draw.luck())
        return Call(shown_call(f"matrix {form}", how), run)

    def like_scipy(self) -> Call:
        return Call(
            "scipy maximum_flow",
            partial(self._run_like_scipy, self.draw.some(("auto", "dinic", "edmonds_karp"))),
        )

    def command(self) -> Call:
        return Call("konig flow", self._run_command)

    def _draw_how(self, named: float) -> dict[str, Any]:
        """With this probability a method by its name, else `auto`."""
        if self.draw.chance(named):
            return draw_how(self.draw, "flow", self.settings.threads)
        return draw_threads(self.draw, self.settings.threads)

    def _call(self, name: str, how: dict[str, Any], kind: Any) -> Call:
        tail, head = self.network.tail, self.network.head
        ids = (tail.tolist(), head.tolist()) if kind is list else (tail.astype(kind), head.astype(kind))
        luck = self.draw.luck()
        again = partial(self._again, how, luck)
        return Call(shown_call(name, how), partial(self._run, *ids, how, luck), again)

    def _again(self, how: dict[str, Any], luck: int, network: Network) -> Iterator[Violation]:
        """The same call for another network."""
        other = Solver(self.draw, network, self.settings)
        yield from other._run(network.tail, network.head, how, luck)

    def _solve(self, given: Any, how: dict[str, Any]) -> Any:
        network = self.network
        sources = network.sources[0] if len(network.sources) == 1 else list(network.sources)
        sinks = network.sinks[0] if len(network.sinks) == 1 else list(network.sinks)
        if isinstance(given, tuple):
            how = how | {"num_vertices": network.num_vertices}
        return konig.maximum_flow(given, sources, sinks, device="cpu", undirected=network.undirected, **how)

    def _run(self, tail: Any, head: Any, how: dict[str, Any], luck: int) -> Iterator[Violation]:
        network = self.network
        given = (tail, head, network.capacity)
        answer = yield from self._answer(given, network, how)
        if answer is not None:
            yield from self._judge(answer, network, np.asarray(answer.flow), given, luck)

    def _answer(self, given: Any, network: Network, how: dict[str, Any]) -> Any:
        try:
            answer = self._solve(given, how)
        except ValueError as error:
            if not excused(network, how, error):
                yield Violation("raises ValueError", str(error))
            return None
        if network.whole and network.optimum is not None and network.optimum > LARGEST:
            return None  # beyond the documented range; right or wrong, a caller was warned
        return answer

    def _judge(
        self, answer: Any, network: Network, flow: np.ndarray, given: Any, luck: int
    ) -> Iterator[Violation]:
        gap = getattr(answer, "gap", None)
        grounds = list(
            judge(network, answer.value, flow, answer.cut, gap, gap_required=self.settings.gap_required)
        )
        yield from grounds
        yield from _judge_cut_edges(network, answer)
        yield from judge_certificate(Draw("flow", luck, 0), network, answer, given, grounds)

    def _run_matrix(self, A: Any, network: Network, how: dict[str, Any], luck: int) -> Iterator[Violation]:
        answer = yield from self._answer(A, network, how)
        if answer is None:
            return
        if not sp.issparse(answer.flow) or answer.flow.format != "csr" or answer.flow.shape != A.shape:
            yield Violation("shape", f"{type(answer.flow)}")
            return
        flow = _of_arcs(network, answer.flow)
        stored = A.nnz if sp.issparse(A) else np.count_nonzero(A)
        if flow is None or (sp.issparse(A) and answer.flow.nnz != stored):
            yield Violation("shape", f"{answer.flow.nnz} entries of {stored}, or at other places")
            return
        yield from self._judge(answer, network, flow, A, luck)

    def _run_like_scipy(self, method: str) -> Iterator[Violation]:
        network = _without_parallel(self.network)
        ends = network.sources + network.sinks
        if not network.whole or len(ends) > 2 or network.undirected or network.capacity.dtype == bool:
            return
        n = network.num_vertices
        A = sp.coo_array((network.capacity, (network.tail, network.head)), shape=(n, n)).tocsr()
        try:
            result = like_scipy.maximum_flow(A, *ends, method=method)
        except ValueError as error:
            if not excused(network, {}, error):
                yield Violation("raises ValueError", str(error))
            return
        if network.optimum is not None and network.optimum > LARGEST:
            return
        net = result.flow.toarray().astype(object)
        if (net + net.T).any():
            yield Violation("flow type", "the flow is not antisymmetric")
            return
        flow = np.array(
            [max(0, int(net[t, h])) for t, h in zip(network.tail, network.head, strict=True)], np.int64
        )
        carried = np.zeros((n, n), object)
        carried[network.tail, network.head] = flow
        if (carried < net).any():
            yield Violation("capacity exceeded", "flow where there is no arc")
        yield from judge(network, result.flow_value, flow, result.cut)

    def _run_command(self) -> Iterator[Violation]:
        network = _without_parallel(self.network)
        if network.capacity.dtype in (np.float16, np.bool_):
            return
        n = network.num_vertices
        A = sp.coo_array((network.capacity, (network.tail, network.head)), shape=(n, n))
        options = ["--undirected"] * network.undirected
        for option, vertices in (("--source", network.sources), ("--sink", network.sinks)):
            options += [word for v in vertices for word in (option, str(v))]
        done = ask("flow", ".npz", lambda file: sp.save_npz(file, A), options)
        answer = done.answer
        if done.status == 2 and excused(network, {}, ValueError(done.said)):
            return
        if done.status != 0 or done.proved != 0:
            yield Violation("exit status", f"{done.status}, then {done.proved} by verify: {done.said}")
        elif network.optimum is None or (network.whole and answer["value"] != network.optimum):
            yield Violation("not maximum", f"{answer['value']}, but {network.optimum} is possible")


def _without_parallel(network: Network) -> Network:
    """The first of parallel arcs stays."""
    _, first = np.unique(network.tail * network.num_vertices + network.head, return_index=True)
    keep = np.sort(first)
    ends = network.sources, network.sinks, network.undirected
    arcs = network.tail[keep], network.head[keep], network.capacity[keep]
    return Network(network.num_vertices, *arcs, *ends)


def _of_arcs(network: Network, flow: Any) -> np.ndarray | None:
    """The flow of each arc out of a matrix that has no others."""
    at = {(int(i), int(j)): k for k, (i, j) in enumerate(zip(network.tail, network.head, strict=True))}
    listed = flow.tocoo()
    arcs = np.zeros(len(network.tail), listed.dtype)
    for i, j, f in zip(listed.row.tolist(), listed.col.tolist(), listed.data, strict=True):
        if (i, j) not in at:
            return None
        arcs[at[i, j]] = f
    return arcs


def _judge_cut_edges(network: Network, answer: Any) -> Iterator[Violation]:
    edges, cut = answer.cut_edges, answer.cut
    listed = sorted(zip(edges.tail.tolist(), edges.head.tolist(), edges.capacity.tolist(), strict=True))
    expected = []
    for t, h, c in zip(network.tail.tolist(), network.head.tolist(), network.capacity.tolist(), strict=True):
        if cut[t] and not cut[h]:
            expected.append((t, h, c))
        elif network.undirected and cut[h] and not cut[t]:
            expected.append((h, t, c))
    # A dense matrix has no arcs of capacity 0.
    if [edge for edge in listed if edge[2]] != [edge for edge in sorted(expected) if edge[2]]:
        yield Violation("cut edges", f"{listed[:5]}, not {sorted(expected)[:5]}")

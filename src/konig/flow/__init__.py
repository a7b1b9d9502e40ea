"""Maximum flow and minimum cut: validate, choose, solve, return the proof."""

from __future__ import annotations

from contextlib import nullcontext
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

from konig import _native, registry
from konig.arguments import MOST_THREADS, checked_count, checked_flag
from konig.errors import UnboundedError
from konig.flow import cpu, push_relabel
from konig.flow.auto import SMALL, How, Plan, choose
from konig.flow.capacities import Scale, Solved, after_solve, in_finest_units, not_exact, solved_in_unit
from konig.flow.circulations import without_circulation
from konig.flow.gpu import run_flow as run_on_gpu
from konig.flow.inputs import SINK, SOURCE, FlowNetwork, arrays_of, as_network, network_bound
from konig.flow.papers import tlpns
from konig.flow.proof import crossing_arcs
from konig.flow.residual import bound_on_device
from konig.flow.result import Flow
from konig.gpu.device import Gpu
from konig.index_arrays import as_array, is_sparse
from konig.interop.arrays import HOST, Place, to_cupy, to_numpy
from konig.interop.networks import network_on_host, place_of_network
from konig.machine import on_threads
from konig.progress import Report, reporting


def maximum_flow(
    capacity: Any,
    source: Any,
    sink: Any,
    *,
    method: str = "auto",
    device: str = "auto",
    threads: int | None = None,
    seed: int | None = None,
    initial: Any = None,
    progress: bool | Report | None = None,
    num_vertices: int | None = None,
    undirected: bool = False,
    exact: bool = False,
    **knobs: Any,
) -> Flow:
    """Bring as much as possible from the sources to the sinks, and find the cut that allows no more.

    Parameters
    ----------
    capacity : sparse matrix, square array or (tail, head, capacity)
        Entry (u, v) of a matrix is the capacity of the arc from u to v; duplicates add up, real ones in
        float64, and ``gap`` is about the rounded sums. Arrays give an arc each, and may hold parallel arcs.
        A list is a matrix, a list of rows; arcs are a tuple.
        Antiparallel arcs and loops are fine. Integers are exact; real numbers too where float64 holds the
        answer, else ``gap`` bounds what rounding cost. ``inf`` is an arc without
        bound. Arrays may also be those of CuPy, PyTorch or JAX, and matrices CuPy's; on a GPU they stay
        there. It is never modified.
    source, sink : int or list of int
        A vertex, or several that act as one.
    method : str
        A name from ``konig.methods("flow")``, or "auto" for the best known choice.
    device : {"auto", "cpu", "cuda", "cuda:N"}
        Where to solve. "auto" is where the input is, if the method runs there.
    threads : int, optional
        How many workers a parallel method uses; if not given, as many as there are cores that nothing else
        uses. Sequential methods use one.
    seed : int, optional
        Seed for methods that draw random numbers.
    initial : Flow or array, optional
        A warm start: an earlier answer for the same arcs, or a flow of each arc. Capacities may have changed:
        what is too much is cut off.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (brought so far, upper bound).
    num_vertices : int, optional
        How many vertices arcs given as arrays connect; taken from the largest id if not given.
    undirected : bool
        Whether each arc may be used in either direction, up to its capacity. An entry and its mirror image
        are then two arcs: store each edge once.
    exact : bool
        Refuse real capacities where the answer is not exact in float64, instead of rounding them down.
    **knobs
        The method's own settings; ``konig.methods("flow")`` lists them.

    Returns
    -------
    Flow
        The value, the flow of each arc, the minimum cut that proves it, and what the method counted. ``gap``
        is 0, or how much more a flow may bring where real capacities had to be rounded.

    Raises
    ------
    UnboundedError
        If arcs of infinite capacity lead from a source to a sink; it is a ValueError.
    ValueError
        If the input is not a network, or if the value of integers is above 2**62.
    MemoryError
        If there are more vertices than memory for them.

    Examples
    --------
    >>> import konig
    >>> tail, head, capacity = [0, 0, 1, 1, 2], [1, 2, 2, 3, 3], [4, 2, 3, 1, 6]
    >>> f = konig.maximum_flow((tail, head, capacity), 0, 3)
    >>> f.value, f.flow.tolist(), f.cut.tolist()
    (6, [4, 2, 3, 1, 5], [True, False, False, False])
    >>> f.verify((tail, head, capacity), 0, 3)
    """
    if (
        method == "auto"
        and (device == "auto" or device == "cpu")
        and (threads is None or (threads == 1 and type(threads) is int))
        and seed is initial is progress is None
        and type(undirected) is bool
        and exact is False
        and not knobs
        and (given := arrays_of(capacity, num_vertices)) is not None
        and (small := _solved_small(given, source, sink, undirected)) is not None
    ):
        return small
    began = perf_counter()
    exact = checked_flag("exact", exact)
    place = place_of_network(capacity)
    plan = plan_for(method, device, place)
    chosen = registry.find(plan.method, "flow")
    kind, number = registry.choose_device(chosen, device, place.gpu)
    if method == "auto" and knobs:
        raise registry.unknown_argument(maximum_flow, knobs)
    settings = chosen.settings(knobs)
    workers = checked_count("threads", threads, most=MOST_THREADS)
    seed = checked_count("seed", seed, least=0)
    options: dict[str, Any] = {"num_vertices": num_vertices, "undirected": undirected}
    gpu = Gpu(number, place) if kind == "cuda" else None
    name = "auto" if plan.trees else chosen.name
    with gpu or nullcontext(), reporting(progress, f"flow ({name})") as report:
        how = How(plan, settings, report, workers, seed, gpu.cupy if gpu else None)
        cupy = None if place.gpu is None else how.cupy
        network = as_network(capacity, source, sink, cupy=cupy, **options)
        converted = perf_counter() - began
        network, solved, gap = solved_in_unit(
            network,
            exact,
            lambda: (network_bound if network.xp is np else bound_on_device)(network),
            lambda scaled: solve_network(scaled, initial, how),
            _capacities_across,
        )
        if solved.value is None:
            raise _overflow(network.on_host())
        value = network.capacities.scale.value(solved.value)
        flow, cut, stats = _given_back(network, solved.flow, place), place.give(solved.cut), solved.stats
    stats["seconds"] = {"convert": converted, **stats["seconds"], "total": perf_counter() - began}
    if place == HOST:
        cut.setflags(write=False)
    ran, where = stats.pop("method", chosen.name), str(gpu) if gpu else "cpu"
    return Flow(value, flow, cut, gap, ran, where, stats, network, place)


def _solved_small(
    given: tuple[bool, Any, Any, Any, int | None],
    source: Any,
    sink: Any,
    undirected: bool,
    exponent: int | None = None,
) -> Flow | None:
    """What the native call for small networks answers, which takes arrays and terminals as they are."""
    found: Any = _native.flow_small(
        Flow, cpu.default_plan(), SMALL, *given, source, sink, undirected, exponent
    )
    small: Flow | None = found
    if small is None or "value" in small.__dict__:
        return small
    # Rounded capacities are solved again where a finer unit fits.
    fields: dict[str, Any] = small.__dict__
    _, _, units, _, _, unit, across = fields["found"]
    scale = Scale(True, *unit)
    if across is None:
        cut = in_finest_units(scale, small.cut_edges.capacity)
    else:
        cut = (across[0] << (scale.exponent - scale.finest)) + (across[1] << 64) + across[2]
    gap, finer = after_solve(scale, units, cut)
    if finer is not None:
        return _solved_small(given, source, sink, undirected, finer)
    fields["value"], fields["gap"] = scale.value(units), gap
    return small


def plan_for(method: str, device: str, place: Place, grid: bool = False) -> Plan:
    """The plan of the method asked for, or of ``auto`` where the problem is to be solved."""
    if method != "auto":
        return Plan(method)
    return choose(registry.device_for_auto(device, place.gpu), grid)


def solve_network(network: FlowNetwork, initial: Any, how: How) -> Solved:
    """Solve a network in its unit; the flow is in the order of the input and goes around in no circle."""
    start = None if initial is None else starting_flow(initial, network)
    if not how.method.on_team:  # which takes circulation off by itself
        return cpu.run_flow(how, network, start)
    if how.cupy is not None:
        solved = run_on_gpu(how, network, start)
    else:
        run_flow = push_relabel.run_flow if how.method.solver in push_relabel.SOLVERS else tlpns.run_flow
        machine = on_threads(how.settings, how.threads, how.seed)
        solved = run_flow(machine, how, network.arcs, network.role, network.undirected, start)
    if solved.value is None:
        return solved
    return solved._replace(flow=without_circulation(network, solved.flow))


def _capacities_across(network: Any, cut: Any) -> np.ndarray:
    """The given capacities of the arcs of a cut."""
    crossing = crossing_arcs(network.tail, network.head, cut, network.undirected)
    return to_numpy(network.capacities.given[crossing])


def minimum_cut(capacity: Any, source: Any, sink: Any, **options: Any) -> Flow:
    """The cheapest set of arcs whose removal parts the sources from the sinks.

    Takes what `maximum_flow` takes and returns what it returns: the cut is ``cut`` and ``cut_edges``,
    and the flow is its proof.

    Examples
    --------
    >>> import konig
    >>> c = konig.minimum_cut(([0, 1, 2], [1, 2, 3], [4, 1, 3]), 0, 3)
    >>> c.value, c.cut.tolist(), c.cut_edges.tail.tolist(), c.cut_edges.head.tolist()
    (1, [True, True, False, False], [1], [2])
    """
    return maximum_flow(capacity, source, sink, **options)


def starting_flow(initial: Any, network: FlowNetwork) -> Any:
    """The flow to start from, in units per arc, where the network is; every number is checked."""
    xp = network.xp
    given = initial.flow if isinstance(initial, Flow) else initial
    if xp is np:
        given = network_on_host(initial.on_host().flow if isinstance(initial, Flow) else initial)

    def here(part: Any) -> Any:
        return as_array(part, "initial") if xp is np else to_cupy(xp, part, "initial")

    if is_sparse(given):
        matrix = given.tocsr()
        lists = (matrix.indptr, network.start), (matrix.indices, network.head)
        if network.shape != matrix.shape or not all(xp.array_equal(here(a), b) for a, b in lists):
            raise ValueError("initial: its entries are not those of capacity")
        given = matrix.data
    flow = here(given)
    if flow.shape != (network.num_arcs,):
        raise ValueError(
            f"initial must be a Flow or a flow for each of {network.num_arcs} arcs, not of shape {flow.shape}"
        )
    if flow.dtype.kind not in "iuf":
        raise TypeError(f"initial must hold real numbers, not {flow.dtype}")
    wrong = flow != flow if network.undirected else ~(flow >= 0)
    if bool(wrong.any()):
        arc = int(wrong.argmax())
        raise ValueError(f"initial: the flow of arc {arc} is {flow[arc]}, not a number from 0 up")
    return xp.asarray(network.scale.whole_units(flow))


def _given_back(network: FlowNetwork, units: Any, place: Place) -> Any:
    """A matrix of the input's entries, or one number per arc in the input's order, where the input is."""
    flow = network.scale.flows(units)
    if network.start is None:
        if place == HOST:
            flow.setflags(write=False)
        return place.give(flow)
    if place.gpu is None:
        return sp.csr_array((flow, network.head.copy(), network.start.copy()), shape=network.shape)
    from cupyx.scipy import sparse

    parts = flow.astype(np.float64), network.head, network.start  # CuPy has no sparse matrices of integers
    with place.entered() as cupy:
        there = tuple(to_cupy(cupy, part, "flow") for part in parts)
        return sparse.csr_matrix(there, shape=network.shape)


def reached_along(tail: np.ndarray, head: np.ndarray, reached: np.ndarray) -> np.ndarray:
    """The mask of the vertices that paths along these arcs reach, from one of where they begin."""
    while (found := reached[tail] & ~reached[head]).any():
        reached[head[found]] = True
    return reached


def _overflow(network: FlowNetwork) -> ValueError:
    """Why there is no value: an unbounded path, or a value that is too large."""
    if network.capacities.unbounded:
        unbounded = np.isinf(network.capacities.given)
        tail, head = network.tail[unbounded], network.head[unbounded]
        if network.undirected:
            tail, head = np.r_[tail, head], np.r_[head, tail]
        sinks = np.flatnonzero(reached_along(tail, head, network.role == SOURCE) & (network.role == SINK))
        if len(sinks):
            return UnboundedError(
                f"capacity: arcs of infinite capacity lead from a source to sink {sinks[0]}: "
                "no flow is maximum"
            )
    if network.scale.real:
        return not_exact(network.scale)
    return ValueError("capacity: the value of the flow is above 2**62; scale the capacities down")

"""A maximum flow, a minimum cut, and the proof that they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import scipy.sparse as sp

from konig.errors import CertificateError
from konig.flow.auto import choose
from konig.flow.capacities import Capacities, Scale
from konig.flow.inputs import FlowNetwork, as_network
from konig.flow.proof import check_gap, check_maximum_flow, crossing_arcs
from konig.interop import arrays
from konig.interop.networks import is_arcs
from konig.results import Result, statistics


class CutEdges(NamedTuple):
    """The arcs across a cut, from its source side to its sink side.

    ``arc`` is the position in the input of arcs given as arrays, and in ``flow.data`` for a matrix.
    """

    arc: np.ndarray
    tail: np.ndarray
    head: np.ndarray
    capacity: np.ndarray


class _Small(NamedTuple):
    """What the native call for small networks found, and what it is made into.

    ``value`` is in units. ``solved`` owns copies of the arcs and the residual network, of which the flow of
    each arc is made.
    """

    is_matrix: bool
    undirected: bool
    value: int
    solved: Any
    cut: np.ndarray
    unit: tuple[int, int] | None
    across: tuple[int, int, int] | None

    def stats(self) -> dict[str, Any]:
        parts = {"convert": 0.0, "build": 0.0, "start": 0.0, "solve": 0.0, "extract": 0.0}
        seconds = self.solved.seconds
        stats = statistics(self.solved.counts(), **parts, main=seconds, total=seconds)
        del stats["ended_by"]  # which is for what_ran alone
        return stats

    def method(self) -> str:
        return what_ran(statistics(self.solved.counts()), choose("cpu").method)

    def scale(self) -> Scale:
        return Scale() if self.unit is None else Scale(True, *self.unit)

    def flow(self, units: np.ndarray) -> Any:
        """The flow of each arc, as the caller has the arcs."""
        flow = self.scale().flows(units)
        if not self.is_matrix:
            flow.setflags(write=False)
            return flow
        start, head, _, _ = self.solved.arrays()
        matrix = np.array(flow), head.copy(), start.copy()
        return sp.csr_array(matrix, shape=(len(self.cut), len(self.cut)))

    def network(self) -> FlowNetwork:
        ends, head, capacity, role = self.solved.arrays()
        tail, start = (None, ends) if self.is_matrix else (ends, None)
        return FlowNetwork(tail, head, start, Capacities(capacity, self.scale()), role, self.undirected)


def _flow_of(result: Flow) -> Any:
    """The flow of each arc; the residual network is no longer needed then."""
    small = _Small(*result.__dict__["found"])
    if (units := small.solved.flow()) is not None:  # else another thread has just made it
        result.__dict__["flow"] = small.flow(units)
        small.solved.release()
    return result.__dict__["flow"]


def what_ran(stats: dict[str, Any], method: str) -> str:
    """The name of the stage of ``auto`` that ended the solve, ``method`` being the last one."""
    return ("dinic-two-sided", "bk", method)[stats.pop("ended_by", 2)]


@dataclass(frozen=True, eq=False, repr=False)
class Flow(Result):
    """A maximum flow and a minimum cut, which prove each other optimal.

    Attributes
    ----------
    value : int or float
        What the flow brings from the sources to the sinks; float for real capacities.
    flow : scipy.sparse.csr_array or array
        For a matrix, the flow of each of its entries, stored zeros included; for arcs given as arrays, one
        number per arc in their order. An undirected arc carries a negative flow against its direction.
    cut : array of bool
        True on the source side of a minimum cut.
    gap : int or float
        A proven bound on how much more a flow can bring: the capacity of the cut less the value. 0 for
        integers, and for real capacities unless they had to be rounded.
    method, device : str
        What actually ran.
    stats : dict
        What the method counted, and ``stats["seconds"]`` by part; the method's page lists the keys.
    """

    value: int | float
    flow: Any
    cut: np.ndarray
    gap: int | float
    method: str
    device: str
    stats: Mapping[str, Any]
    network: Any
    place: arrays.Place = arrays.HOST

    PLACED = ("flow", "cut", "network")
    LATER: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "stats": lambda result: _Small(*result.found).stats(),
        "method": lambda result: _Small(*result.found).method(),
        "flow": lambda result: _flow_of(result),
        "network": lambda result: _Small(*result.found).network(),
    }

    def __repr__(self) -> str:
        of = f"{len(self.cut)} vertices"
        return f"Flow(value={self.value}, {of}, method={self.method!r}, device={self.device!r})"

    def __getstate__(self) -> dict[str, Any]:
        fields = dict(self.__dict__)
        if "found" in fields:  # a residual network cannot be pickled
            fields |= {name: getattr(self, name) for name in self.LATER}
            del fields["found"]
        return fields

    @cached_property
    def cut_edges(self) -> CutEdges:
        """The arcs across the cut, whose capacities add up to the value and the gap; found on first use.

        Examples
        --------
        >>> import konig
        >>> f = konig.maximum_flow(([0, 0, 1, 2], [1, 2, 3, 3], [5, 1, 2, 3]), 0, 3)
        >>> f.value, f.cut_edges.arc.tolist(), f.cut_edges.capacity.tolist()
        (3, [1, 2], [1, 2])
        """
        answer = self.on_host()
        network, cut = answer.network, answer.cut
        arc = crossing_arcs(network.tail, network.head, cut, network.undirected)
        tail, head = network.tail[arc], network.head[arc]
        turned = ~cut[tail]
        tail, head = np.where(turned, head, tail), np.where(turned, tail, head)
        return CutEdges(arc, tail, head, network.capacities.given[arc])

    def verify(
        self,
        capacity: Any,
        source: Any,
        sink: Any,
        *,
        num_vertices: int | None = None,
        undirected: bool | None = None,
    ) -> None:
        """Prove the answer against the network, exactly and without any solver.

        Raises
        ------
        CertificateError
            Unless this is a flow of the network, and the capacity of the cut is its value and no more than
            the gap, which must be one that rounding can have caused.

        Examples
        --------
        >>> import scipy.sparse as sp, konig
        >>> capacity = sp.csr_array([[0, 3, 0], [0, 0, 2], [0, 0, 0]])
        >>> konig.maximum_flow(capacity, 0, 2).verify(capacity, 0, 2)
        """
        answer = self.on_host()
        if num_vertices is None and is_arcs(capacity):
            num_vertices = answer.network.num_vertices
        if undirected is None:
            undirected = answer.network.undirected
        network = as_network(capacity, source, sink, num_vertices=num_vertices, undirected=undirected)
        given, flow = network.capacities.given, answer._per_arc(network)
        value, across = check_maximum_flow(
            network.tail, network.head, given, flow, answer.cut, network.role, network.undirected
        )
        check_gap(self.value, self.gap, value, across, network.scale)

    def _per_arc(self, network: FlowNetwork) -> Any:
        """The flow as one number per arc in the order of the input, if it is one for this network."""
        if sp.issparse(self.flow) != (network.shape is not None):
            raise CertificateError("the answer is for a matrix and the network is not one, or the other way")
        solved, given = ((n.num_vertices, n.num_arcs) for n in (self.network, network))
        if solved != given:
            raise CertificateError(
                f"the answer is for {solved[0]} vertices and {solved[1]} arcs, the network has "
                f"{given[0]} and {given[1]}"
            )
        flow: Any = self.flow
        if network.shape is None:
            return flow  # an array, as the proof will see
        if flow.format != "csr" or not (
            np.array_equal(flow.indptr, network.start) and np.array_equal(flow.indices, network.head)
        ):
            raise CertificateError("the entries of the flow are not those of the matrix")
        return flow.data

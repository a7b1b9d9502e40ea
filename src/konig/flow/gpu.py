"""Brings a network to a GPU, if it is not there, and runs a flow method on it."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig import registry
from konig.flow import push_relabel
from konig.flow.auto import Plan
from konig.flow.capacities import Solved
from konig.flow.inputs import DeviceNetwork, FlowNetwork, device_network
from konig.flow.papers import tlpns
from konig.flow.programs import on_gpu
from konig.gpu import staging
from konig.gpu.device import Gpu
from konig.interop import arrays
from konig.interop.networks import is_arcs, require_dense
from konig.progress import Report


class FlowGpu(Gpu):
    """A GPU to push flow on; as a context it is the current device, with the caller's stream."""

    def network(
        self, capacity: Any, source: Any, sink: Any, num_vertices: int | None, undirected: bool
    ) -> DeviceNetwork:
        """The network of arrays that are on a GPU, on this one."""
        if is_arcs(capacity):
            tail, head, amounts = (arrays.to_cupy(self.cupy, part, "capacity") for part in capacity)
            return device_network(
                self.cupy, tail, head, amounts, source, sink, num_vertices=num_vertices, undirected=undirected
            )
        if num_vertices is not None:
            raise TypeError("num_vertices is only for (tail, head, capacity) arrays; a matrix has a shape")
        matrix = self._matrix(capacity)
        if matrix.shape[0] != matrix.shape[1]:
            raise ValueError(
                f"capacity must be square, a row and a column for each vertex, not {matrix.shape}"
            )
        owners = self.cupy.searchsorted(matrix.indptr, self.cupy.arange(matrix.nnz), side="right") - 1
        return device_network(
            self.cupy,
            owners.astype(matrix.indices.dtype),
            matrix.indices,
            matrix.data,
            source,
            sink,
            num_vertices=int(matrix.shape[0]),
            undirected=undirected,
            start=matrix.indptr,
        )

    def _matrix(self, capacity: Any) -> Any:
        """A CSR of the entries, duplicates added up, with real numbers as CuPy has them."""
        from cupyx.scipy import sparse

        if hasattr(capacity, "format"):
            matrix = capacity.tocsr(copy=True)
        else:
            require_dense(capacity)
            dense = arrays.to_cupy(self.cupy, capacity, "capacity")
            if dense.ndim != 2:
                raise ValueError(f"capacity must have two dimensions, not {dense.ndim}")
            if dense.dtype.kind != "f":
                raise TypeError(
                    f"capacity: CuPy has no sparse matrices of {dense.dtype}; pass (tail, head, capacity)"
                )
            matrix = sparse.csr_matrix(dense)
        if not matrix.has_canonical_format:
            matrix.sum_duplicates()
        return matrix

    def run_flow(
        self,
        plan: Plan,
        network: FlowNetwork | DeviceNetwork,
        start: Any,
        settings: Mapping[str, Any],
        report: Report | None,
    ) -> Solved:
        """The answer of the plan's method, where the network is."""
        seconds: dict[str, float] = {}
        arcs, role, on_host = network.arcs, network.role, isinstance(network, FlowNetwork)
        if on_host:
            began = perf_counter()
            arcs, role = tuple(self._sent(part) for part in arcs), self._sent(role)
            start = None if start is None else self._sent(start)
            seconds["network_to_device"] = perf_counter() - began
        else:
            role = self.cupy.asarray(role)
        method = registry.find(plan.method, "flow")
        problem = arcs, role, network.undirected, start, settings, report
        machine = on_gpu(self.cupy, settings)
        vertices, count = len(role), len(arcs[0])
        if method.solver in push_relabel.SOLVERS:
            self._require_free(bytes_needed(vertices, count), vertices, count)
            value, flow, cut, stats = push_relabel.run_flow(machine, plan, *problem)
        else:
            count *= 1 + network.undirected
            self._require_free(tlpns.bytes_needed(vertices, count), vertices, count)
            value, flow, cut, stats = tlpns.run_flow(machine, method, *problem)
        if on_host:
            began = perf_counter()
            flow, cut = flow.get(), cut.get()
            seconds["flow_to_host"] = perf_counter() - began
        stats["seconds"] = seconds | stats["seconds"]
        return Solved(value, flow, cut, stats)

    def _require_free(self, needed: int, vertices: int, arcs: int) -> None:
        staging.require_free(self.cupy, needed, f"a network of {vertices:,} vertices, {arcs:,} arcs")

    def _sent(self, part: Any) -> Any:
        return staging.to_device(self.cupy, part)

    def starting_flow(self, initial: Any, network: DeviceNetwork) -> Any:
        """The flow to start from, in units per arc, after a look at each number."""
        given = initial.flow if hasattr(initial, "cut_edges") else initial
        if hasattr(given, "format"):
            given = given.data
        flow = arrays.to_cupy(self.cupy, given, "initial")
        arcs = len(network.tail)
        if flow.shape != (arcs,):
            raise ValueError(
                f"initial must be a Flow or a flow for each of {arcs} arcs, not of shape {flow.shape}"
            )
        if flow.dtype.kind not in "iuf":
            raise TypeError(f"initial must hold real numbers, not {flow.dtype}")
        wrong = flow != flow if network.undirected else ~(flow >= 0)
        if bool(wrong.any()):
            arc = int(self.cupy.flatnonzero(wrong)[0])
            raise ValueError(f"initial: the flow of arc {arc} is {flow[arc]}, not a number from 0 up")
        if flow.dtype.kind == "i" and not network.scale.real:
            return flow.astype(np.int64, copy=False)
        return self.cupy.asarray(network.scale.whole_units(flow.get()))


def bytes_needed(vertices: int, arcs: int) -> int:
    """A bound on what a solve takes on the device: the network while it is built, the workspace, the flow."""
    return 170 * arcs + 250 * vertices

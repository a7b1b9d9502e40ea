"""Brings a network to a GPU, if it is not there, and runs a flow method on it."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

from konig.flow import paired_flow
from konig.flow.device_network import DeviceNetwork, device_network
from konig.flow.inputs import FlowNetwork
from konig.flow.papers import gpu as cuda_flow
from konig.gpu import staging
from konig.gpu.device import Gpu
from konig.interop import arrays
from konig.interop.networks import is_arcs, require_dense
from konig.progress import Report
from konig.registry import Method


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
        method: Method,
        network: FlowNetwork | DeviceNetwork,
        start: Any,
        settings: Mapping[str, Any],
        report: Report | None,
        choosing: bool = False,
    ) -> tuple[int | None, Any, Any, dict[str, Any]]:
        """Value, flow, source side and statistics, where the network is.

        ``choosing`` is that of :func:`konig.flow.paired_flow.run_on_gpu`.
        """
        seconds: dict[str, float] = {}
        if isinstance(network, DeviceNetwork):
            arcs, role = network.arcs, self.cupy.asarray(network.role)
        else:
            began = perf_counter()
            sent = (network.tail, network.head, network.capacity, network.role)
            *there, role = (staging.to_device(self.cupy, part) for part in sent)
            arcs = (there[0], there[1], there[2])
            start = None if start is None else staging.to_device(self.cupy, start)
            seconds["network_to_device"] = perf_counter() - began
        undirected = network.undirected
        problem = self.cupy, method, arcs, role, undirected, start, settings, report
        if method.solver in paired_flow.SOLVERS:
            value, flow, cut, stats = paired_flow.run_on_gpu(*problem, choosing)
        else:
            value, flow, cut, stats = cuda_flow.run_flow(*problem)
        if isinstance(network, FlowNetwork):
            began = perf_counter()
            flow, cut = flow.get(), cut.get()
            seconds["flow_to_host"] = perf_counter() - began
        stats["seconds"] = seconds | stats["seconds"]
        return value, flow, cut, stats

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

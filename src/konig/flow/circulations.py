"""Takes what goes around in circles off a flow, where the flow is."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import _native
from konig.flow import programs
from konig.flow.inputs import FlowNetwork, terminals
from konig.machine import Machine, on_gpu


def without_circulation(network: FlowNetwork, flow: Any) -> Any:
    """The flow of each arc, changed in place so that no flow goes around a cycle.

    On a GPU short cycles are cancelled there, if there are many; what lies on a cycle then, or between two,
    comes to the host.
    """
    if network.xp is np:
        _native.cancel_circulations(network.tail, network.head, network.role, network.undirected, flow)
        return flow
    machine = on_gpu(network.xp, {"team": "threads"})
    arcs = possibly_on_cycles(machine, network, flow)
    if len(arcs):
        tail, head, changed = (part[arcs].get() for part in (network.tail, network.head, flow))
        cancel_on_few(tail, head, network.role, network.undirected, changed)
        flow[arcs] = machine.xp.asarray(changed)
    return flow


def cancel_on_few(tail: Any, head: Any, role: np.ndarray, undirected: bool, flow: np.ndarray) -> None:
    """Take circulation off some arcs of a large network, in place, without a look at its other vertices."""
    ends = np.concatenate((tail, head))
    last: np.ndarray = np.empty(len(role), np.int64)  # the place of each of their ends; the rest stays unread
    last[ends] = np.arange(len(ends))
    chosen = last[ends] == np.arange(len(ends))
    number = (np.cumsum(chosen) - 1)[last[ends]].astype(tail.dtype)
    few = number[: len(tail)], number[len(tail) :]
    _native.cancel_circulations(*few, role[ends[chosen]], undirected, flow)


def possibly_on_cycles(machine: Machine, network: FlowNetwork, flow: Any) -> Any:
    """The numbers of the arcs on which flow may still go around a cycle, in order; short cycles may be gone.

    They are listed in the order of arrival, and sorted so that the same flow is always cancelled alike.
    """
    role = network.role
    source, sink = terminals(role)
    arcs = {"tail": network.tail, "head": network.head, "flow": flow, "role": machine.xp.asarray(role)}
    task = programs.cycles(machine, arcs, {"source": source, "sink": sink})
    words = machine.run(task, None).words
    kept = task.given["list"][words["list"]][: words["kept"]]
    return machine.xp.sort(kept) if len(kept) else kept

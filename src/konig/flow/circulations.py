"""Takes what goes around in circles off a flow, where the flow is."""

from __future__ import annotations

from typing import Any

import numpy as np

from konig import _native
from konig.flow import programs
from konig.flow.inputs import SINK, SOURCE, FlowNetwork
from konig.machine import Machine, on_gpu


def without_circulation(network: FlowNetwork, flow: Any) -> Any:
    """The flow of each arc, changed in place so that no flow goes around a cycle.

    On a GPU, what may be on a cycle comes to the host for it: nothing in shallow networks, in deep ones most
    arcs with flow.
    """
    if network.xp is np:
        _native.cancel_circulations(network.tail, network.head, network.role, network.undirected, flow)
        return flow
    machine = on_gpu(network.xp, {"team": "threads"})
    arcs = possibly_on_cycles(machine, network, flow)
    if len(arcs):
        tail, head, changed = (part[arcs].get() for part in (network.tail, network.head, flow))
        _native.cancel_circulations(tail, head, network.role, network.undirected, changed)
        flow[arcs] = machine.xp.asarray(changed)
    return flow


def possibly_on_cycles(machine: Machine, network: FlowNetwork, flow: Any) -> Any:
    """The numbers of the arcs on which flow may go around a cycle, in order, and of others in deep networks.

    They are listed in the order of arrival, and sorted so that the same flow is always cancelled alike.
    """
    role = network.role
    terminals = {"source": int(np.argmax(role == SOURCE)), "sink": int(np.argmax(role == SINK))}
    arcs = {"tail": network.tail, "head": network.head, "flow": flow, "role": machine.xp.asarray(role)}
    task = programs.cycles(machine, arcs, terminals)
    words = machine.run(task, None).words
    kept = task.given["list"][words["list"]][: words["kept"]]
    return machine.xp.sort(kept) if len(kept) else kept

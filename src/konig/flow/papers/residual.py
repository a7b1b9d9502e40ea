"""The residual network of a flow problem in the layouts of Hsieh, Lin and Kuo.

The layouts are those of ``konig/papers/tlpns/residual.h``. The program ``konig/papers/tlpns/layout.h`` makes
them where the arcs are, on a CPU team or on a GPU, and gives each arc its flow there. A layout has one source
and one sink, and its sums of excess fit a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from konig.flow import programs
from konig.flow.capacities import LARGEST_FLOW, TOO_LARGE
from konig.flow.inputs import index_type
from konig.flow.programs import sum_of
from konig.machine import Machine
from konig.programs import Task


@dataclass(frozen=True, eq=False)
class Residual:
    """A layout, which a solver works on in place; no arc need carry ``bound``.

    ``arrays`` are those of the layout by name, None where it has no such array. They may be longer than
    ``length``, the number of places with a residual capacity of their own; ``places`` counts those of all
    vertices. Where the source might send more than fits a word it is a virtual one, and the network ``fed``.
    """

    machine: Machine
    arrays: dict[str, Any]
    vertices: int
    source: int
    sink: int
    bound: int
    length: int
    places: int
    _task: Task

    @property
    def fed(self) -> bool:
        return bool(self._task.numbers["fed"])

    def send(self, flow: Any, excess: Any) -> None:
        """Put a flow of each given arc, within capacities, on a network without flow.

        What it brings is written to the excess of the sink.
        """
        self._run(programs.SEND, flow=flow, excess=excess)

    def answer(self, cut: Any) -> tuple[Any, Any]:
        """The flow of each given arc and the source side of the given vertices, after a solve.

        The flow may go both ways between two vertices.
        """
        xp, given = self.machine.xp, self._task.given
        flow, side = xp.empty(len(given["tail"]), np.int64), xp.empty(len(given["role"]), np.uint8)
        self._run(programs.DEAL, flow=flow, cut=cut, side=side)
        return flow, side.view(bool)

    def _run(self, step: int, **given: Any) -> None:
        self.machine.run(programs.layout_step(self._task, step, **given), None)


def id_type(vertices: int, arcs: int, undirected: bool) -> Any:
    """The type of ids for a layout: one more vertex and one more arc may feed the source."""
    return np.dtype(index_type(vertices + 1, (arcs + 1) * (1 + undirected)))


def residual(
    machine: Machine,
    layout: str,
    arcs: tuple[Any, Any, Any],
    role: Any,
    terminals: tuple[int, int],
    undirected: bool,
) -> Residual:
    """The residual network of arcs without flow, (tail, head, capacity).

    All arrays are the machine's. ``terminals`` are the vertices that stand for all sources and for all sinks.
    """
    xp, vertices, count = machine.xp, len(role), len(arcs[0])
    ids = id_type(vertices, count, undirected)
    tail, head = (xp.ascontiguousarray(end, ids) for end in arcs[:2])
    given = {"tail": tail, "head": head, "capacity": arcs[2], "role": role}
    task = programs.layout(given, terminals, undirected)
    leaving, entering = _weighed(machine, task)
    bound = task.numbers["bound"] = min(leaving, entering, LARGEST_FLOW) + 1
    fed = leaving > TOO_LARGE and _weighed(machine, task)[0] > TOO_LARGE
    merges = layout == "bcsr"
    vertices, entries = vertices + fed, (count + fed) * (2 if merges or undirected else 1)
    arrays = {
        "start": xp.empty(vertices + 1, ids),
        "head": xp.empty(entries, ids),
        "tail": xp.empty(entries, ids) if layout == "csr" else None,
        "in_start": xp.empty(vertices + 1, ids) if layout == "rcsr" else None,
        "in_tail": xp.empty(entries, ids) if layout == "rcsr" else None,
        "in_arc": xp.empty(entries, ids) if layout == "rcsr" else None,
        "forward": xp.empty(entries, np.int64),
        "backward": None if merges else xp.empty(entries, np.int64),
    }
    task.numbers["fed"] = int(fed)
    task.given.update(programs.laid_out(arrays), place=xp.empty(entries, ids))
    task.given.update(whole=xp.empty(entries, np.int64) if merges else None)
    words = machine.run(programs.layout_step(task, programs.LAY_OUT, entries), None).words
    length = words["listed"]
    source = vertices - 1 if fed else terminals[0]
    places = 2 * length if layout == "rcsr" else length
    return Residual(machine, arrays, vertices, source, terminals[1], bound, length, places, task)


def _weighed(machine: Machine, task: Task) -> tuple[int, int]:
    """What may leave the source, and what may enter the sink."""
    words = machine.run(task, None).words
    return sum_of(words, "leaving"), sum_of(words, "entering")

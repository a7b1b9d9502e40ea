"""What ``method="auto"`` runs: from where the problem is and how it comes to a plan.

Native code compares what it measures with the numbers of the plan and reports a verdict. Thresholds inside a
single method stay with that method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from konig.progress import Report
from konig.registry import Method, find

# Networks with at most so many vertices and arcs are solved by one native call at the top of maximum_flow. A
# few passes in NumPy over a million arcs take as long as the solve. Beyond it memory is checked first.
SMALL = 1 << 22


class Trees(NamedTuple):
    """When search trees (bk) are tried before push-relabel, and their step limit per vertex and residual arc.

    They mostly come after phases of searches from both terminals, whose limits are in
    ``native/flow/stages.h``.

    Where at least 1 / ``linked_of`` of the vertices are linked, trees took 0.45 to 0.7 of the time of
    push-relabel on images, closures, transport and scattered terminals, which all ended within 3 steps; in
    volumes, trees and stars, where they mend the same trees over and over, up to 40 times as long. So the
    limit is what push-relabel may take itself, which then goes on from their flow.

    Where as many residual arcs as 1 / ``first_of`` of all arcs and vertices leave those with supply, and as
    many those with demand,
    trees come before phases. Of 46 random draws with many linked vertices no phases ended one of these, and
    they ended all others but three; trees first saved a fifth of the time of images, transport, closures and
    open pits.
    """

    linked_of: int = 4
    steps: float = 2.5
    first_of: int = 16


class Deep(NamedTuple):
    """When asynchronous push-relabel takes over from synchronous on a GPU, by what its first search finds.

    It wins from so many ``levels`` of the search on, as each costs a barrier; not with more than ``thick``
    vertices a level, nor with adjacency lists longer than ``broad``, which one worker handles alone. Nor with
    more than ``each`` vertices for each thread of a block on every processor: a thread comes back to a vertex
    when it has been to all others that it has. On an H200 grids and meshes of 400,000 to 500,000 vertices
    took 0.4 to 1.4 times as long as by supersteps, those of 1.2 to 3.7 million 2.5 to 3.5 times.
    """

    levels: int = 48
    thick: int = 4096
    broad: int = 64
    each: int = 16
    next_method: str = "async-pr"


@dataclass(frozen=True)
class Plan:
    """A method, and rules by which it may leave the problem to another."""

    method: str
    trees: Trees | None = None
    deep: Deep | None = None


class How(NamedTuple):
    """How a network is solved: by a plan and the settings of its method, on CPU threads or with CuPy."""

    plan: Plan
    settings: Mapping[str, Any]
    report: Report | None = None
    threads: int | None = None
    seed: int | None = None
    cupy: Any = None

    @property
    def method(self) -> Method:
        return find(self.plan.method, "flow")


def choose(device: str, grid: bool = False) -> Plan:
    """What to run on "cpu" or "cuda", on arcs or on a grid of pixels.

    A grid needs no lists of arcs under search trees on the CPU, nor under synchronous push-relabel on a GPU.
    """
    if device == "cuda":
        return Plan("sync-pr", deep=None if grid else Deep())
    return Plan("hl-pr", trees=Trees())

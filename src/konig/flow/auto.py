"""What ``method="auto"`` runs: from a profile of the input to a plan, and from a verdict to the next plan.

The native code compares with the numbers of a plan where only it knows the facts, and says in its verdict
what it found; no threshold is written elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

# Networks of integers with at most so many vertices and arcs are solved by one native call at the top of
# maximum_flow. Beyond it what Python does around the solve does not show.
SMALL = 1 << 18


class Trees(NamedTuple):
    """Where search trees (bk) are tried before push-relabel, and how many steps per vertex and slot they get.

    Trees win where one of ``linked_of`` vertices is linked to a terminal, so that paths are short and many:
    images, 2 to 20 times. Where there can only be few paths they may win, unless those are long: then growing
    the trees once is about all they may do. In a ``small`` network no path is long. Trees have no useful
    bound, so push-relabel takes over after so many steps, from the flow that they have found.
    """

    linked_of: int = 8
    few_paths: int = 1000  # a bound on the value
    small: int = 4096  # vertices
    steps: float = 10.0  # where many are linked
    steps_if_few: float = 1.25
    steps_if_small: float = 4.0  # and few


class Deep(NamedTuple):
    """Where asynchronous push-relabel is faster on a GPU than synchronous: by the first search of the latter.

    From so many ``levels`` on a barrier for each of them decides. Not so with more than ``thick`` vertices a
    level: then levels do not take most of the time. Nor with lists of more than ``broad`` slots: they are too
    long for one worker.
    """

    levels: int = 48
    thick: int = 4096
    broad: int = 64


Verdict = Literal["maximum", "deep"]


@dataclass(frozen=True)
class Profile:
    """What the choice depends on: where the problem is to be solved, and whether it comes by pixels."""

    device: str
    grid: bool = False


@dataclass(frozen=True)
class Plan:
    """A method, and rules by which it may leave the problem to another."""

    method: str
    trees: Trees | None = None
    deep: Deep | None = None


def choose(profile: Profile) -> Plan:
    """What to run.

    A grid needs no lists of arcs under search trees on the CPU, nor under synchronous push-relabel on a GPU.
    """
    if profile.device == "cuda":
        return Plan("sync-pr", deep=None if profile.grid else Deep())
    return Plan("bk") if profile.grid else Plan("hl-pr", trees=Trees())


def after(plan: Plan, verdict: Verdict) -> Plan | None:
    """What goes on where a plan has ended; None if nothing has to."""
    return Plan("async-pr") if verdict == "deep" and plan.deep else None

"""Instances nobody tuned for: random parameters of many families, of any size.

A family is a function of the number of entries wanted and of a `Chance`, which draws its parameters and keeps
them by name. Most families are what users of such libraries bring, a few come from the literature on
hard instances. None was chosen for the times that konig takes.
"""

from __future__ import annotations

from konig.lab.wild import assignment, flow, matching
from konig.lab.wild.drawing import Draw, Families
from konig.lab.wild.drawing import Request as Request

# By problem, its families by name.
FAMILIES: dict[str, Families] = {
    "matching": matching.family,
    "assignment": assignment.family,
    "flow": flow.family,
}


def draw(request: Request) -> Draw:
    """The instance of a request: always the same, but for last bits of reals on another machine."""
    return FAMILIES[request.problem].draw(request)

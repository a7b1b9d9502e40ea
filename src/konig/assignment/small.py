"""Small dense problems with default options: one native call from the costs to the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from konig import _native
from konig.assignment.auto import SMALL_ENTRIES, SMALL_PLAN, SMALL_ROWS
from konig.assignment.result import Assignment

# Of costs and `maximize`, or of all arguments of linear_assignment (in the order that it calls this with);
# None for what it does not take.
assign_small = cast(
    "Callable[..., Assignment | None]",
    _native.small_assignments(Assignment, SMALL_PLAN, SMALL_ENTRIES, SMALL_ROWS),
)

"""Makes the input of a finding as small as it gets."""

from __future__ import annotations

from functools import partial
from typing import Any

from .case import Call, Case, violations

TRIES = 4000  # an input of 40 x 40 needs some hundred
REPEATS = 3  # what threads do differs from call to call


def shrink(case: Case, call: Call, kind: str) -> Any:
    """The smallest input found on which a call still fails in this way; None where it cannot repeat."""
    if call.again is None or not _still(call, case.given, kind):
        return None
    given, tries = case.given, 0
    while tries < TRIES:
        for candidate in case.smaller(given):
            tries += 1
            if _still(call, candidate, kind):
                given = candidate
                break
            if tries == TRIES:
                return given
        else:
            return given
    return given


def _still(call: Call, given: Any, kind: str) -> bool:
    assert call.again is not None
    return any(v.kind == kind for _ in range(REPEATS) for v in violations(partial(call.again, given)))

"""Checkers, in NumPy alone: short enough to be read and believed.

None of them trusts a solver. They take the entries of the matrix as two index arrays and the answer as it
was given, and raise :class:`konig.CertificateError` at the first thing that is wrong.
"""

from __future__ import annotations

from konig.certificates.assignment import (
    Blocks,
    check_hall_violator,
    check_optimal_assignment,
    dense_blocks,
    entry_blocks,
)
from konig.certificates.flow import check_cut, check_flow, check_gap, check_maximum_flow, crossing_arcs
from konig.certificates.matching import check_cover, check_matching, check_maximum_matching
from konig.certificates.triangular import check_block_triangular_form, check_dulmage_mendelsohn

__all__ = [
    "Blocks",
    "check_block_triangular_form",
    "check_cover",
    "check_cut",
    "check_dulmage_mendelsohn",
    "check_flow",
    "check_gap",
    "check_hall_violator",
    "check_matching",
    "check_maximum_flow",
    "check_maximum_matching",
    "check_optimal_assignment",
    "crossing_arcs",
    "dense_blocks",
    "entry_blocks",
]

"""Bipartite matching, linear assignment, maximum flow and block triangular forms; every answer is proved."""

from konig.assignment import linear_assignment
from konig.assignment.result import Assignment, AssignmentBatch
from konig.errors import CertificateError, DeviceError, FileFormatError, InfeasibleError
from konig.flow import maximum_flow, minimum_cut
from konig.flow.grid import GridCut, grid_cut, grid_offsets
from konig.flow.result import Flow
from konig.matching import maximum_matching, structural_rank
from konig.matching.result import Matching, VertexCover
from konig.matching.triangular import (
    BlockTriangularForm,
    DulmageMendelsohn,
    block_triangular_form,
    dulmage_mendelsohn,
)
from konig.registry import Method, methods

__version__ = "0.1.0"

__all__ = [
    "Assignment",
    "AssignmentBatch",
    "BlockTriangularForm",
    "CertificateError",
    "DeviceError",
    "DulmageMendelsohn",
    "FileFormatError",
    "Flow",
    "GridCut",
    "InfeasibleError",
    "Matching",
    "Method",
    "VertexCover",
    "block_triangular_form",
    "dulmage_mendelsohn",
    "grid_cut",
    "grid_offsets",
    "linear_assignment",
    "maximum_flow",
    "maximum_matching",
    "methods",
    "minimum_cut",
    "structural_rank",
]

"""Bipartite matching, linear assignment, maximum flow and block triangular forms; every answer is proved."""

from konig.assignment import linear_assignment
from konig.errors import CertificateError, DeviceError, FileFormatError, InfeasibleError
from konig.flow import maximum_flow, minimum_cut
from konig.matching import maximum_matching, structural_rank
from konig.registry import Method, methods
from konig.results import (
    Assignment,
    AssignmentBatch,
    BlockTriangularForm,
    DulmageMendelsohn,
    Flow,
    Matching,
    VertexCover,
)
from konig.triangular import block_triangular_form, dulmage_mendelsohn

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
    "InfeasibleError",
    "Matching",
    "Method",
    "VertexCover",
    "block_triangular_form",
    "dulmage_mendelsohn",
    "linear_assignment",
    "maximum_flow",
    "maximum_matching",
    "methods",
    "minimum_cut",
    "structural_rank",
]

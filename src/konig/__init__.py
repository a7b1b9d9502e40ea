"""Bipartite matching, linear assignment and block triangular forms; every answer carries its proof."""

from konig.assignment import linear_assignment
from konig.errors import CertificateError, DeviceError, FileFormatError, InfeasibleError
from konig.matching import maximum_matching, structural_rank
from konig.registry import Method, methods
from konig.results import Assignment, BlockTriangularForm, DulmageMendelsohn, Matching, VertexCover
from konig.triangular import block_triangular_form, dulmage_mendelsohn

__version__ = "0.1.0"

__all__ = [
    "Assignment",
    "BlockTriangularForm",
    "CertificateError",
    "DeviceError",
    "DulmageMendelsohn",
    "FileFormatError",
    "InfeasibleError",
    "Matching",
    "Method",
    "VertexCover",
    "block_triangular_form",
    "dulmage_mendelsohn",
    "linear_assignment",
    "maximum_matching",
    "methods",
    "structural_rank",
]

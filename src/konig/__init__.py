"""Maximum bipartite matching and block triangular forms; every answer carries its proof."""

from konig.errors import CertificateError, FileFormatError
from konig.matching import maximum_matching, structural_rank
from konig.registry import Method, methods
from konig.results import Matching, VertexCover

__version__ = "0.1.0"

__all__ = [
    "CertificateError",
    "FileFormatError",
    "Matching",
    "Method",
    "VertexCover",
    "maximum_matching",
    "methods",
    "structural_rank",
]

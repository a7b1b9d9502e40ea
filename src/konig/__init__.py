"""Bipartite matching, linear assignment, maximum flow and block triangular forms; every answer is proved.

A room is imported when one of its names is first used: ``import konig`` itself takes no time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from konig.assignment import linear_assignment
    from konig.assignment.bottleneck import BottleneckAssignment, bottleneck_assignment
    from konig.assignment.k_best import KBestAssignments, RankedAssignment, k_best_assignments
    from konig.assignment.points import point_assignment
    from konig.assignment.points.result import PointAssignment
    from konig.assignment.product_transversal import ProductTransversal, maximum_product_transversal
    from konig.assignment.result import Assignment, AssignmentBatch
    from konig.assignment.weight import maximum_weight_matching
    from konig.assignment.weight_result import WeightedMatching
    from konig.errors import (
        CardinalityError,
        CertificateError,
        DeviceError,
        FileFormatError,
        InfeasibleError,
        UnboundedError,
    )
    from konig.flow import maximum_flow, minimum_cut
    from konig.flow.grid import GridCut, grid_cut, grid_offsets
    from konig.flow.result import Flow
    from konig.interop.named import NamedGraph, from_frame, from_igraph, from_networkx
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
    "BottleneckAssignment",
    "CardinalityError",
    "CertificateError",
    "DeviceError",
    "DulmageMendelsohn",
    "FileFormatError",
    "Flow",
    "GridCut",
    "InfeasibleError",
    "KBestAssignments",
    "Matching",
    "Method",
    "NamedGraph",
    "PointAssignment",
    "ProductTransversal",
    "RankedAssignment",
    "UnboundedError",
    "VertexCover",
    "WeightedMatching",
    "block_triangular_form",
    "bottleneck_assignment",
    "dulmage_mendelsohn",
    "from_frame",
    "from_igraph",
    "from_networkx",
    "grid_cut",
    "grid_offsets",
    "k_best_assignments",
    "linear_assignment",
    "maximum_flow",
    "maximum_matching",
    "maximum_product_transversal",
    "maximum_weight_matching",
    "methods",
    "minimum_cut",
    "point_assignment",
    "structural_rank",
]

_HOMES = {
    "assignment": ("linear_assignment",),
    "assignment.bottleneck": ("BottleneckAssignment", "bottleneck_assignment"),
    "assignment.k_best": ("KBestAssignments", "RankedAssignment", "k_best_assignments"),
    "assignment.points": ("point_assignment",),
    "assignment.points.result": ("PointAssignment",),
    "assignment.product_transversal": ("ProductTransversal", "maximum_product_transversal"),
    "assignment.result": ("Assignment", "AssignmentBatch"),
    "assignment.weight": ("maximum_weight_matching",),
    "assignment.weight_result": ("WeightedMatching",),
    "errors": (
        "CardinalityError",
        "CertificateError",
        "DeviceError",
        "FileFormatError",
        "InfeasibleError",
        "UnboundedError",
    ),
    "flow": ("maximum_flow", "minimum_cut"),
    "flow.grid": ("GridCut", "grid_cut", "grid_offsets"),
    "flow.result": ("Flow",),
    "interop.named": ("NamedGraph", "from_frame", "from_igraph", "from_networkx"),
    "matching": ("maximum_matching", "structural_rank"),
    "matching.result": ("Matching", "VertexCover"),
    "matching.triangular": (
        "BlockTriangularForm",
        "DulmageMendelsohn",
        "block_triangular_form",
        "dulmage_mendelsohn",
    ),
    "registry": ("Method", "methods"),
}
_HOME_OF = {name: f"konig.{home}" for home, names in _HOMES.items() for name in names}
_ROOMS = ("assignment", "flow", "interop", "io", "matching")


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"konig.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'konig' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]

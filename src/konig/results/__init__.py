"""What solvers return: frozen answers that carry their certificate."""

from konig.results.assignment import Assignment
from konig.results.assignment_batch import AssignmentBatch
from konig.results.flow import CutEdges, Flow
from konig.results.grid import GridCut
from konig.results.matching import Matching, VertexCover
from konig.results.triangular import BlockTriangularForm, DulmageMendelsohn, Part

__all__ = [
    "Assignment",
    "AssignmentBatch",
    "BlockTriangularForm",
    "CutEdges",
    "DulmageMendelsohn",
    "Flow",
    "GridCut",
    "Matching",
    "Part",
    "VertexCover",
]

"""Problems too large for one process: assignment and matching over the ranks of MPI.

Every function is called by all ranks of a communicator together, each with its part of the rows.
"""

from importlib.util import find_spec
from typing import Any, NoReturn

from konig.distributed.assignment import DistributedAssignment, linear_assignment
from konig.distributed.matching import DistributedMatching, maximum_matching
from konig.distributed.parts import generate, rows_of
from konig.distributed.rows import even_share

if find_spec("mpi4py") is None:
    raise ImportError("konig.distributed needs mpi4py and an MPI library: pip install 'konig[mpi]'")

__all__ = [
    "DistributedAssignment",
    "DistributedMatching",
    "even_share",
    "generate",
    "linear_assignment",
    "maximum_flow",
    "maximum_matching",
    "rows_of",
]


def maximum_flow(*_: Any, **__: Any) -> NoReturn:
    """There is none over ranks."""
    raise NotImplementedError("maximum flows are found on one machine: konig.maximum_flow")

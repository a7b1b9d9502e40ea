"""Drop-ins for SciPy's functions: the same arguments, results and errors, solved and proved by konig.

>>> from konig.interop.scipy import maximum_flow  # instead of scipy.sparse.csgraph
"""

from konig.interop.scipy.assignment import linear_sum_assignment, min_weight_full_bipartite_matching
from konig.interop.scipy.flow import MaximumFlowResult, maximum_flow
from konig.interop.scipy.matching import maximum_bipartite_matching

__all__ = [
    "MaximumFlowResult",
    "linear_sum_assignment",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
]

"""What NetworkX loads as the backend ``konig``: how it asks whether and how to run, and the functions.

A graph is not converted beforehand: each function reads what it needs of it. NetworkX would keep a converted
graph, but cannot know when an attribute of an edge is written to, and then the copy would be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from konig.interop.networkx.flow import maximum_flow, maximum_flow_value, minimum_cut, minimum_cut_value
from konig.interop.networkx.info import FLOWS
from konig.interop.networkx.matching import (
    bipartite_min_edge_cover,
    eppstein_matching,
    hopcroft_karp_matching,
    minimum_weight_full_matching,
    to_vertex_cover,
)

__all__ = [
    "bipartite_min_edge_cover",
    "can_run",
    "convert_from_nx",
    "convert_to_nx",
    "eppstein_matching",
    "hopcroft_karp_matching",
    "maximum_flow",
    "maximum_flow_value",
    "minimum_cut",
    "minimum_cut_value",
    "minimum_weight_full_matching",
    "should_run",
    "to_vertex_cover",
]


def convert_from_nx(graph: Any, **_: Any) -> Any:
    """The graph itself. NetworkX puts it into a cache on return: that is taken off the graph here."""
    if cache := getattr(graph, "__networkx_cache__", None):
        cache.get("backends", {}).pop("konig", None)
    return graph


def convert_to_nx(result: Any, **_: Any) -> Any:
    """The result itself."""
    return result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """True, or why NetworkX is to run the function itself."""
    if name in FLOWS:
        flow_func = _argument(args, kwargs, 4, "flow_func")
        return "a flow_func is given" if callable(flow_func) else True
    if name == "bipartite_min_edge_cover":
        algorithm = _argument(args, kwargs, 1, "matching_algorithm")
        return True if algorithm is None else "a matching_algorithm is given"
    # What is read once is not there any more if NetworkX has to run after all.
    top_nodes = _argument(args, kwargs, 2 if name == "to_vertex_cover" else 1, "top_nodes")
    return "top_nodes can be read only once" if isinstance(top_nodes, Iterator) else True


# On graphs of fewer nodes NetworkX is done before arrays are made. Microseconds of NetworkX / konig on random
# graphs of 10, 60, 100 and 400 edges (7, 31, 40 and 80 nodes):
#   hopcroft_karp_matching 20/82, 37/91, 90/101, 418/168; eppstein_matching 46/81, 95/92, 183/99, 749/166;
#   min_edge_cover 58/93, 97/101, 167/114, 665/196;
# and of minimum_cut on grids of 10, 30 and 60 edges (6, 11 and 18 nodes): 154/234, 252/251, 465/259.
_SMALL = {
    "hopcroft_karp_matching": 40,
    "eppstein_matching": 24,
    "bipartite_min_edge_cover": 32,
    "minimum_cut": 12,
}


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """True, or why NetworkX is to run the function itself unless konig is asked for by name."""
    G = _argument(args, kwargs, 0, "flowG" if name in FLOWS else "G")
    return "the graph is small" if len(G) < _SMALL.get(name, 0) else True


def _argument(args: tuple[Any, ...], kwargs: dict[str, Any], position: int, name: str) -> Any:
    return args[position] if len(args) > position else kwargs.get(name)

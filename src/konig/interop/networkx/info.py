"""What the backend offers, as NetworkX asks for it when it is imported: this module imports nothing."""

from __future__ import annotations

from typing import Any

FLOWS = ("maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value")
MATCHINGS = (
    "hopcroft_karp_matching",
    "eppstein_matching",
    "to_vertex_cover",
    "minimum_weight_full_matching",
    "bipartite_min_edge_cover",
)

_FLOW_NOTE = "Only without `flow_func`. Capacities are integers or floats; the value is at most 2**62."
_NOTES = {
    **dict.fromkeys(FLOWS, _FLOW_NOTE),
    "minimum_weight_full_matching": "Weights are integers, without loss up to 2**62, or floats.",
    "bipartite_min_edge_cover": "Only without `matching_algorithm`.",
}


def get_info() -> dict[str, Any]:
    """The answer to NetworkX's entry point ``networkx.backend_info``."""
    return {
        "backend_name": "konig",
        "project": "konig",
        "package": "konig",
        "short_summary": "Bipartite matching, assignment and maximum flow in native code.",
        "functions": {
            name: {"additional_docs": _NOTES[name]} if name in _NOTES else {} for name in (*FLOWS, *MATCHINGS)
        },
    }

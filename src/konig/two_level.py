"""What flow and matching as a flow have in common of the methods of Hsieh, Lin and Kuo.

The first matching of a process reads this, and not the whole room of flow.
"""

from __future__ import annotations

from konig.registry import Knob

HSIEH = (
    "Hsieh, Lin, Kuo: Accelerating push-relabel algorithm on GPU via two-level parallelism paradigm and "
    "efficient CSR designs (2025)"
)

LAYOUTS = {
    "csr": "arcs by tail; entering ones are looked for among all",
    "rcsr": "arcs by tail, and lists of entering ones",
    "bcsr": "sorted neighbours both ways",
}
TILES = ("degree", "1", "2", "4", "8", "16", "32")


def team_knobs(tiles: bool) -> tuple[Knob, ...]:
    """The knobs of push-relabel on a team, with tiles or without."""
    knobs = (
        Knob(
            "relabel",
            "adaptive",
            "what the relabelling interval is k times: the levels of the latest one, the vertices, "
            "or one cycle",
            ("adaptive", "vertices", "fix"),
        ),
        Knob("k", 0.5, "the interval in cycles: see relabel", (), 0.0),
        Knob("profile", False, "time the searches, the workers and the model of their cost"),
    )
    tile = Knob("tile", "32", "workers of a GPU for an active vertex, or by its degree", TILES)
    return (tile, *knobs) if tiles else knobs

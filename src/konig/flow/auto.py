"""What ``method="auto"`` runs on a network, by the place of its data."""

from __future__ import annotations

from konig.flow.methods import AUTO_FLOW
from konig.registry import Method, find, parse_device

# Networks of integers with at most so many vertices and arcs are solved by one native call at the top of
# maximum_flow. Beyond it what Python does around the solve does not show.
SMALL = 1 << 18


def choose_flow(name: str, device: str, input_on: int | None = None) -> Method:
    """The flow method that runs: the one asked for, or ``auto``, which looks at the network first.

    ``input_on`` is the number of the GPU that holds the input.
    """
    if name != "auto":
        return find(name, "flow")
    kind = parse_device(device)[0]
    on_gpu = kind == "cuda" or (kind == "auto" and input_on is not None)
    return find("sync-pr", "flow") if on_gpu else AUTO_FLOW

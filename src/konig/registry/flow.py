"""The flow methods."""

from __future__ import annotations

from konig.registry.method import Knob, Method

GOLDBERG = "Goldberg, Tarjan: A new approach to the maximum-flow problem (1988)"
BOYKOV = (
    "Boykov, Kolmogorov: An experimental comparison of min-cut/max-flow algorithms for energy minimization "
    "in vision (2004)"
)
DINIC = "Dinic: Algorithm for solution of a problem of maximum flow in networks with power estimation (1970)"
CHERKASSKY = (
    "Cherkassky, Goldberg: On implementing the push-relabel method for the maximum flow problem (1997)"
)

_NEAREST = Knob(
    "nearest", False, "serve only the vertices nearest to the sink in each phase, as the paper does"
)
_GAP = Knob("gap", True, "give up every vertex above an empty label at once")


def _relabel(frequency: float) -> Knob:
    return Knob(
        "relabel",
        frequency,
        "global relabellings per vertices plus arcs of relabelling work; 0 for only one at the start",
        (),
        0.0,
    )


def _push_relabel(name: str, selection: str, frequency: float, summary: str) -> Method:
    return Method(
        name,
        "flow",
        ("cpu",),
        f"{GOLDBERG}; {CHERKASSKY}",
        summary,
        (_relabel(frequency), _GAP),
        "push_relabel_flow",
        {"selection": selection},
    )


def _flow(name: str, solver: str, paper: str, summary: str, *options: Knob) -> Method:
    return Method(name, "flow", ("cpu",), paper, summary, options, solver)


FLOW_METHODS = (
    _push_relabel("hl-pr", "highest", 0.5, "push-relabel that serves the active vertex of highest label"),
    _push_relabel("fifo-pr", "fifo", 1.0, "push-relabel that serves active vertices first in first out"),
    _flow("dinic", "dinic_flow", DINIC, "phases that saturate all shortest paths", _NEAREST),
    _flow(
        "bk", "search_tree_flow", BOYKOV, "search trees from both terminals that outlive each augmenting path"
    ),
)

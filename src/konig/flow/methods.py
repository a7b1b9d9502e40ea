"""The flow methods."""

from __future__ import annotations

from typing import Any

from konig.registry import Knob, Method
from konig.two_level import HSIEH, LAYOUTS, team_knobs

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


def _on_cpu(name: str, solver: str, paper: str, summary: str, *options: Knob, **variant: str) -> Method:
    return Method(name, "flow", ("cpu",), paper, summary, options, solver, variant)


def _push_relabel(name: str, selection: str, frequency: float, summary: str) -> Method:
    paper, knobs = f"{GOLDBERG}; {CHERKASSKY}", (_relabel(frequency), _GAP)
    return _on_cpu(name, "push_relabel_flow", paper, summary, *knobs, selection=selection)


def _on_team(name: str, solver: str, paper: str, summary: str, *options: Knob, **variant: Any) -> Method:
    return Method(name, "flow", ("cpu", "cuda"), paper, summary, options, solver, variant, on_team=True)


def _two_level(tiles: bool, layout: str) -> Method:
    """A configuration of Hsieh, Lin and Kuo: thread-centric or TLPNS, on one of three layouts."""
    workers = (
        "that queues active vertices, a tile of workers for each"
        if tiles
        else "with a worker for each vertex"
    )
    name = f"{'tlpns' if tiles else 'lock-free'}-{layout}"
    summary = f"parallel push-relabel {workers}; {LAYOUTS[layout]}"
    return _on_team(name, "flow_on_team", HSIEH, summary, *team_knobs(tiles), tiles=tiles, layout=layout)


BAUMSTARK = (
    "Baumstark, Blelloch, Shun: Efficient implementation of a synchronous parallel push-relabel "
    "algorithm (2015)"
)
_BLOCKS = Knob("blocks", 0, "blocks of threads on a GPU; 0 for as many as it holds", (), 0)
SYNCHRONOUS = _on_team(
    "sync-pr",
    "flow/sync_pr",
    BAUMSTARK,
    "parallel push-relabel in supersteps: active vertices push along all admissible arcs and rise",
    Knob("k", 0.75, "supersteps until the next search, for each level of the latest one", (), 0.0),
    Knob("least", 4, "the least number of supersteps between two searches", (), 1),
    Knob("rises", 4, "how often a vertex may rise in one superstep", (), 1),
    _BLOCKS,
    Knob("profile", False, "time the kinds of supersteps"),
)

HONG = (
    "Hong, He: An asynchronous multithreaded algorithm for the maximum network flow problem with "
    "nonblocking global relabeling heuristic (2011)"
)
ASYNCHRONOUS = _on_team(
    "async-pr",
    "flow/async_pr",
    HONG,
    "parallel push-relabel without supersteps: a vertex renews its label when a neighbour's changes",
    Knob("stretch", 200.0, "microseconds on a GPU until all workers meet; not more than 50,000", (), 1.0),
    Knob("waves", 2000, "waves until sync-pr goes on; not more than 2,000", (), 1),
    _BLOCKS,
)

FLOW_METHODS = (
    Method(
        "auto",
        "flow",
        ("cpu", "cuda"),
        f"{BOYKOV}; {CHERKASSKY}",
        "the default: dinic-two-sided where it is quick, bk where many vertices are linked to a terminal "
        "and it is quick, else hl-pr; on a GPU sync-pr",
    ),
    _push_relabel("hl-pr", "highest", 0.5, "push-relabel that serves the active vertex of highest label"),
    _push_relabel("fifo-pr", "fifo", 1.0, "push-relabel that serves active vertices first in first out"),
    _on_cpu("dinic", "dinic_flow", DINIC, "phases that saturate all shortest paths", _NEAREST),
    _on_cpu(
        "dinic-two-sided",
        "two_sided_flow",
        DINIC,
        "the same with searches from both terminals, which end where they meet",
    ),
    _on_cpu(
        "bk", "search_tree_flow", BOYKOV, "search trees from both terminals that outlive each augmenting path"
    ),
    *(_two_level(tiles, layout) for tiles in (False, True) for layout in LAYOUTS),
    SYNCHRONOUS,
    ASYNCHRONOUS,
)

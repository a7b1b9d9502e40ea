"""The matching methods and the matchings that they start from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from konig.registry import Knob, Method
from konig.two_level import HSIEH, LAYOUTS, team_knobs

KAYA = "Kaya, Langguth, Manne, Uçar: Push-relabel based algorithms for the maximum transversal problem (2013)"
DEVECI = "Deveci, Kaya, Uçar, Çatalyürek: GPU accelerated maximum cardinality matching algorithms (2013)"
DEVECI_PR = "Deveci, Kaya, Uçar, Çatalyürek: A push-relabel-based matching algorithm on GPUs (2013)"
HOPCROFT = "Hopcroft, Karp: An n^{5/2} algorithm for maximum matchings in bipartite graphs (1973)"
DUFF_WIBERG = "Duff, Wiberg: Remarks on implementation of O(n^{1/2} τ) assignment algorithms (1988)"
DUFF = "Duff, Kaya, Uçar: Design, implementation, and analysis of maximum transversal algorithms (2011)"
MC21 = "Duff: On algorithms for obtaining a maximum transversal (1981)"
POTHEN_FAN = "Pothen, Fan: Computing the block triangular form of a sparse matrix (1990)"
CHANDRAN = "Chandran, Hochbaum: Practical and theoretical improvements for bipartite matching (2011)"
AZAD2012 = (
    "Azad, Halappanavar, Rajamanickam, Boman, Khan, Pothen: Multithreaded algorithms for maximum matching in "
    "bipartite graphs (2012)"
)
AZAD = "Azad, Buluç, Pothen: Computing maximum cardinality matchings via tree-grafting (2017)"


def _init(default: str) -> Knob:
    return Knob("init", default, "the matching to start from", ("none", "sgm", "ksm"))


@dataclass(frozen=True)
class Start:
    """An initial matching: the native solver that makes it on CPU threads, and what that reads.

    ``on_team`` is the program that makes it on a GPU, and on a CPU in random order.
    """

    solver: str
    reads: tuple[str, ...]
    on_team: str = ""


STARTS = {
    "none": Start("", ()),
    "sgm": Start("greedy", ("cols",), on_team="matching/greedy"),
    "ksm": Start("karp_sipser", ("rows", "cols"), on_team="matching/karp_sipser"),
}

_GAP = Knob("gap", False, "retire every row above an empty label at once")
_ORDER = Knob("order", "fifo", "which active column is pushed next", ("fifo", "lifo", "lowest"))
_FAIRNESS = Knob(
    "fairness", "column", "what turns the direction of a scan around", ("column", "visit", "relabel")
)
_BUCKET = Knob("bucket", "lifo", "which active vertex of a label is served next", ("lifo", "fifo"))
_LOCAL = Knob("local", False, "first search from small batches of columns, bounded in what they visit")
_LOOKAHEAD = Knob("lookahead", True, "look for an unmatched row before going deeper")


def _relabel(frequency: float) -> Knob:
    return Knob(
        "relabel", frequency, "relabelling frequency RF: a BFS every (m+n)/RF counted pushes", (), 1e-6
    )


def _matching(
    name: str,
    solver: str,
    summary: str,
    paper: str,
    *options: Knob,
    devices: tuple[str, ...] = ("cpu",),
    reads: tuple[str, ...] = ("cols",),
    **rest: Any,
) -> Method:
    return Method(name, "matching", devices, paper, summary, options, solver, reads=reads, **rest)


_on_team = partial(_matching, devices=("cpu", "cuda"), on_team=True)
_parallel = partial(_matching, parallel=True)
_BOTH = ("rows", "cols")


def _push_relabel(name: str, frequency: float, fair: bool, spread: bool, summary: str) -> Method:
    knobs: tuple[Knob, ...] = (_init("sgm"), _relabel(frequency), _ORDER, _GAP)
    variant: dict[str, bool | int | float | str] = {"spread": spread}
    if fair:
        knobs += (_FAIRNESS,)
    else:
        variant["fairness"] = "none"
    return _matching(name, "push_relabel", summary, KAYA, *knobs, variant=variant, reads=_BOTH)


def _pseudoflow(name: str, label: str, bucket: str, summary: str) -> Method:
    """On trees, or with free arcs where ``bucket`` is empty: there it is a knob."""
    solver, variant = ("pseudoflow", {"bucket": bucket}) if bucket else ("pseudoflow_free_arcs", {})
    knobs = (_init("sgm"),) if bucket else (_init("sgm"), _BUCKET)
    paper = f"{KAYA}; {CHANDRAN}"
    return _matching(name, solver, summary, paper, *knobs, variant={"label": label, **variant})


_COUNTERS = Knob("counters", True, "count edges, walks, alternations and fixes")


def _augmenting_paths(search: str, kernel: str, width: str) -> Method:
    """A variant of Deveci et al.: apfb or apsb, gpubfs or gpubfs-wr, ct or mt."""
    reach = "all augmenting paths" if search == "apfb" else "the shortest augmenting paths"
    pruned = ", pruned by roots" if kernel == "gpubfs-wr" else ""
    workers = "a fixed number of workers" if width == "ct" else "a worker for each column"
    return _on_team(
        f"{search}-{kernel}-{width}",
        "papers/augmenting_paths",
        f"BFS for {reach}{pruned}, flipped speculatively; {workers}",
        DEVECI,
        _init("sgm"),
        _COUNTERS,
        variant={
            "shortest_only": search == "apsb",
            "with_roots": kernel == "gpubfs-wr",
            "width": width,
        },
        parallel=True,
    )


def _gpu_push_relabel(name: str, lists: bool, shrink: bool, summary: str) -> Method:
    """A variant of Deveci et al.: all columns scanned, lists of active ones, or lists that shrink."""
    return _on_team(
        name,
        "papers/g_pr",
        summary,
        DEVECI_PR,
        _init("sgm"),
        Knob("relabel", "adaptive", "what the relabelling interval depends on", ("adaptive", "fix")),
        Knob("k", 0.7, "the interval in iterations: k times maxLevel if adaptive, k if fix", (), 0.0),
        _GAP,
        Knob("concurrent", False, "relabel beside the pushes, one level a superstep"),
        Knob("counters", True, "count edges, pushes, conflicts and retired columns"),
        variant={"lists": lists, "shrink": shrink},
        reads=_BOTH,
        parallel=True,
    )


def _through_flow(tiles: bool, layout: str) -> Method:
    """A configuration of Hsieh, Lin and Kuo on their second task: a flow of units from rows to columns."""
    flow = f"{'tlpns' if tiles else 'lock-free'}-{layout}"
    return _on_team(
        f"flow-{flow}",
        "flow_on_team",
        f"a maximum flow of units, source to rows to columns to sink, by {flow}",
        HSIEH,
        _init("none"),
        *team_knobs(tiles),
        variant={"tiles": tiles, "layout": layout},
        reads=(),
    )


MATCHING_METHODS = (
    _matching(
        "auto",
        "",
        "the default: greedy, short paths, depth-first phases, Karp-Sipser and grafting, by counted work; "
        "p-ms-bfs-graft on many threads, ms-bfs on a GPU",
        AZAD,
        devices=("cpu", "cuda"),
        reads=_BOTH,
    ),
    _matching(
        "hk",
        "hopcroft_karp",
        "phases of disjoint shortest augmenting paths",
        HOPCROFT,
        _init("sgm"),
        variant={"threads": 1, "extra_row_searches": False},
    ),
    _matching(
        "hkdw",
        "hopcroft_karp",
        "hk with extra searches from unmatched rows after each phase",
        DUFF_WIBERG,
        _init("sgm"),
        _LOOKAHEAD,
        variant={"threads": 1, "extra_row_searches": True},
        reads=_BOTH,
    ),
    _push_relabel("pr", 4.0, False, False, "push-relabel with double pushes and periodic global relabelling"),
    _push_relabel("pr-fair", 2.0, True, False, "pr that turns the direction of its scans"),
    _push_relabel("pr-fair-spread", 1.0, True, True, "pr-fair that goes on where a column's last scan ended"),
    _matching(
        "pf",
        "pothen_fan",
        "phases of disjoint depth-first searches with lookahead",
        POTHEN_FAN,
        _init("ksm"),
        _LOOKAHEAD,
        variant={"threads": 1, "fairness": False},
    ),
    _matching(
        "pfp",
        "pothen_fan",
        "pf with fairness: the scan direction alternates from phase to phase",
        DUFF,
        _init("ksm"),
        _LOOKAHEAD,
        variant={"threads": 1, "fairness": True},
    ),
    _matching(
        "dfs",
        "depth_first",
        "one depth-first search with lookahead per unmatched column",
        MC21,
        _init("sgm"),
        _LOOKAHEAD,
    ),
    _matching(
        "bfs",
        "breadth_first",
        "one breadth-first search per unmatched column",
        DUFF,
        _init("sgm"),
    ),
    _matching(
        "ms-bfs-graft",
        "tree_grafting",
        "search from all unmatched columns at once; surviving trees take over the rows of finished ones",
        AZAD,
        _init("ksm"),
        _LOCAL,
        variant={"threads": 1, "bottom_up": False},
        reads=_BOTH,
    ),
    _pseudoflow("hi-wave", "highest", "lifo", "pseudoflow trees, highest label first, stacks"),
    _pseudoflow("hi-fifo", "highest", "fifo", "pseudoflow trees, highest label first, queues"),
    _pseudoflow("lo-lifo", "lowest", "lifo", "pseudoflow trees, lowest label first, stacks"),
    _pseudoflow("lo-fifo", "lowest", "fifo", "pseudoflow trees, lowest label first, queues"),
    _pseudoflow("lo-free", "lowest", "", "pseudoflow with free arcs, lowest label first"),
    _pseudoflow("hi-free", "highest", "", "pseudoflow with free arcs, highest label first"),
    _on_team(
        "ms-bfs",
        "matching/ms_bfs",
        "search from all unmatched columns at once, rows claimed atomically; symmetric start",
        AZAD,
        _init("none"),
        _COUNTERS,
        variant={"most_steps": 0},
        parallel=True,
    ),
    _parallel(
        "p-hk",
        "hopcroft_karp",
        "hk on several threads: levels expanded together, disjoint paths by atomic claims",
        AZAD2012,
        _init("sgm"),
        variant={"extra_row_searches": False},
    ),
    _parallel(
        "p-pfp",
        "pothen_fan",
        "pfp on several threads, which claim the rows they visit",
        AZAD2012,
        _init("sgm"),
        _LOOKAHEAD,
        variant={"fairness": True},
    ),
    _parallel(
        "p-dbfs",
        "disjoint_breadth_first",
        "phases of disjoint breadth-first trees, grown by several threads",
        AZAD2012,
        _init("sgm"),
    ),
    _parallel(
        "p-ms-bfs-graft",
        "tree_grafting",
        "ms-bfs-graft on several threads: levels grown together, rows claimed atomically",
        AZAD,
        _init("ksm"),
        _LOCAL,
        Knob("bottom_up", True, "on wide levels let unvisited rows look for the trees"),
        reads=_BOTH,
    ),
    *(
        _augmenting_paths(search, kernel, width)
        for search in ("apfb", "apsb")
        for kernel in ("gpubfs", "gpubfs-wr")
        for width in ("ct", "mt")
    ),
    _gpu_push_relabel("g-pr-first", False, False, "speculative push-relabel that looks at all columns"),
    _gpu_push_relabel("g-pr-noshr", True, False, "speculative push-relabel on a list of active columns"),
    _gpu_push_relabel("g-pr-shr", True, True, "g-pr-noshr whose list is compacted at global relabellings"),
    *(_through_flow(tiles, layout) for tiles in (False, True) for layout in LAYOUTS),
)

MATCHING_ALIASES = {"g-hk": "apsb-gpubfs-wr-ct", "g-hkdw": "apfb-gpubfs-wr-ct"}

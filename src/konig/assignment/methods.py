"""The assignment methods."""

from __future__ import annotations

from dataclasses import replace

from konig.registry import Method

JONKER = "Jonker, Volgenant: A shortest augmenting path algorithm for linear assignment problems (1987)"
BERTSEKAS = (
    "Bertsekas: The auction algorithm: a distributed relaxation method for the assignment problem (1988)"
)
VOLGENANT = "Volgenant: Linear and semi-assignment problems: a core oriented approach (1996)"

GABOW = (
    "Gabow: Scaling algorithms for network problems (1985); Volgenant: Linear and semi-assignment problems: "
    "a core oriented approach (1996)"
)

DATE = "Date, Nagi: GPU-accelerated Hungarian algorithms for the linear assignment problem (2016)"


def _hungarian(variant: str, summary: str) -> Method:
    return Method(
        f"hungarian-{variant}",
        "assignment",
        ("cpu", "cuda"),
        DATE,
        summary,
        solver="hungarian",
        on_team=True,
        variant={"variant": variant},
        reads=("dense",),
    )


# What `auto` runs on batches on a GPU. It takes nothing else.
CREW_PATHS = Method(
    "crew-paths",
    "assignment",
    ("cuda",),
    JONKER,
    "a warp or a block for each problem of a batch; reductions, then shortest augmenting paths",
    solver="group",
    reads=("batch",),
)

JV = Method(
    "jv",
    "assignment",
    ("cpu",),
    JONKER,
    "column and augmenting row reduction, then a shortest augmenting path for each row left",
    solver="jv",
    reads=("dense", "sparse"),
)
# What `auto` runs on small dense costs: jv, which turns to an auction where reductions leave most rows free.
ADAPTIVE = replace(JV, solver="adaptive")

ASSIGNMENT_METHODS: tuple[Method, ...] = (
    Method(
        "auto",
        "assignment",
        ("cpu", "cuda"),
        VOLGENANT,
        "the default: core on dense costs, jv on small and on sparse ones; on a GPU core-paths",
    ),
    JV,
    Method(
        "auction",
        "assignment",
        ("cpu",),
        BERTSEKAS,
        "an auction with epsilon scaling for the start, then shortest augmenting paths as in jv",
        solver="auction",
        reads=("dense",),
    ),
    Method(
        "core",
        "assignment",
        ("cpu",),
        VOLGENANT,
        "the smallest costs of each row as a sparse problem; pairs that undercut its duals join it",
        solver="core",
        reads=("dense",),
    ),
    _hungarian(
        "classical", "searches the compressed edges with zero slack from all unassigned rows at once; Munkres"
    ),
    _hungarian(
        "tree", "keeps the least slack of each column while trees grow from all unassigned rows; Lawler"
    ),
    Method(
        "core-paths",
        "assignment",
        ("cpu", "cuda"),
        GABOW,
        "a sparse core at finer and finer scales; shortest paths from all free rows at once; then prices",
        solver="hungarian",
        on_team=True,
        variant={"variant": "core"},
        reads=("dense",),
    ),
    CREW_PATHS,
)

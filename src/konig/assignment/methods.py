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


def _on_cpu(name: str, paper: str, summary: str, reads: tuple[str, ...] = ("dense",)) -> Method:
    return Method(name, "assignment", ("cpu",), paper, summary, solver=name, reads=reads)


def _on_team(name: str, variant: str, paper: str, summary: str) -> Method:
    return Method(
        name,
        "assignment",
        ("cpu", "cuda"),
        paper,
        summary,
        solver="hungarian",
        on_team=True,
        variant={"variant": variant},
        reads=("dense",),
    )


JV = _on_cpu(
    "jv",
    JONKER,
    "column and augmenting row reduction, then a shortest augmenting path for each row left",
    ("dense", "sparse"),
)
# What `auto` runs on small dense costs: jv, which turns to an auction where reductions leave most rows free.
ADAPTIVE = replace(JV, solver="adaptive")

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

ASSIGNMENT_METHODS: tuple[Method, ...] = (
    Method(
        "auto",
        "assignment",
        ("cpu", "cuda"),
        VOLGENANT,
        "the default: core on dense costs, jv on small and on sparse ones; on a GPU core-paths",
    ),
    JV,
    _on_cpu(
        "auction",
        BERTSEKAS,
        "an auction with epsilon scaling for the start, then shortest augmenting paths as in jv",
    ),
    _on_cpu(
        "core",
        VOLGENANT,
        "the smallest costs of each row as a sparse problem; pairs that undercut its duals join it",
    ),
    _on_team(
        "hungarian-classical",
        "classical",
        DATE,
        "searches the compressed edges with zero slack from all unassigned rows at once; Munkres",
    ),
    _on_team(
        "hungarian-tree",
        "tree",
        DATE,
        "keeps the least slack of each column while trees grow from all unassigned rows; Lawler",
    ),
    _on_team(
        "core-paths",
        "core",
        GABOW,
        "a sparse core at finer and finer scales; shortest paths from all free rows at once; then prices",
    ),
    CREW_PATHS,
)

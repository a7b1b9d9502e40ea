"""The assignment methods."""

from __future__ import annotations

from konig.registry.method import TEAM, Method

JONKER = "Jonker, Volgenant: A shortest augmenting path algorithm for linear assignment problems (1987)"

DATE = "Date, Nagi: GPU-accelerated Hungarian algorithms for the linear assignment problem (2016)"


def _hungarian(variant: str, summary: str) -> Method:
    return Method(
        f"hungarian-{variant}",
        "assignment",
        ("cpu", "cuda"),
        DATE,
        summary,
        (TEAM,),
        solver="hungarian",
        variant={"variant": variant},
        reads=("dense",),
    )


ASSIGNMENT_METHODS: tuple[Method, ...] = (
    Method(
        "jv",
        "assignment",
        ("cpu",),
        JONKER,
        "column and augmenting row reduction, then a shortest augmenting path for each row left",
        solver="jv",
        reads=("dense",),
    ),
    _hungarian(
        "classical", "searches the compressed edges with zero slack from all unassigned rows at once; Munkres"
    ),
    _hungarian(
        "tree", "keeps the least slack of each column while trees grow from all unassigned rows; Lawler"
    ),
)

"""The assignment methods."""

from __future__ import annotations

from konig.registry.method import Method

JONKER = "Jonker, Volgenant: A shortest augmenting path algorithm for linear assignment problems (1987)"

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
)

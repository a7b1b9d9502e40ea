"""What the tests share: small instances that are hard for someone, and the real data where it exists."""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from konig.lab import generators

DATA = Path(os.environ.get("KONIG_DATA", Path(__file__).parents[2] / "shared" / "data"))


@dataclass(frozen=True)
class RealMatrix:
    """A file of the data folder with what its index says about it."""

    path: Path
    rows: int
    cols: int
    entries: int
    answer: int
    answer_zeros_dropped: int
    blocks: int | None


def real_matrices() -> list[RealMatrix]:
    """Every matching instance of the data folder; empty where there is no such folder."""
    index = DATA / "MANIFEST.tsv"
    if not index.exists():
        return []
    with index.open(newline="") as file:
        listed = [row for row in csv.DictReader(file, delimiter="\t") if row["problem_kind"] == "mcm"]
    return [
        RealMatrix(
            DATA / row["file"],
            int(row["rows"]),
            int(row["cols"]),
            int(row["nnz_or_edges"]),
            int(row["answer"]),
            int(row["answer_explicit_zeros_dropped"] or row["answer"]),
            int(row["btf_blocks"]) if row["btf_blocks"] else None,
        )
        for row in listed
    ]


def needs_data():
    return pytest.mark.skipif(not real_matrices(), reason=f"no data folder at {DATA}")


def awkward_matrices() -> dict[str, sp.csr_array]:
    """Small matrices, each of a kind that has broken some matching code."""
    rng = np.random.default_rng(7)
    random = {
        f"random {rows}x{cols} d={degree}": generators.sprand(rows, cols, degree, seed=rows + cols)
        for rows, cols, degree in [(40, 40, 1.0), (60, 60, 2.5), (30, 80, 2.0), (90, 25, 1.5), (50, 50, 8.0)]
    }
    duplicated = sp.csr_array((np.ones(60), rng.integers(0, 12, 60), np.arange(0, 61, 5)), shape=(12, 12))
    return random | {
        "no rows": sp.csr_array((0, 5)),
        "no columns": sp.csr_array((5, 0)),
        "nothing": sp.csr_array((0, 0)),
        "empty": generators.empty(6, 4),
        "one entry": sp.csr_array(([1], ([2], [3])), shape=(4, 5)),
        "full": generators.full(7, 9),
        "star": generators.star(12),
        "chain": generators.chain(50, 3),
        "dumbbell": generators.dumbbell(10, 4),
        "hall violator": generators.hall_violator(40, 40, 6, sets=2, seed=3),
        "grid": generators.permute(generators.grid(9, 7), seed=1),
        "road": generators.permute(generators.road_grid(12, 12, 0.6, seed=2), seed=4),
        "kronecker": generators.kronecker(6, 4, seed=5),
        "hilo": generators.hilo(64, 4, 3),
        "planted blocks": generators.planted_btf((4, 3, 1, 1), 0.3, (3, 5), (6, 4), seed=6),
        "duplicates": duplicated,
    }

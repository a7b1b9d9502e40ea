"""The real instances and what their index says about them; none where there is no data folder."""

from __future__ import annotations

import csv
import lzma
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from .networks import Network

DATA = Path(os.environ.get("KONIG_DATA", Path(__file__).parents[3] / "shared" / "data"))
needs_data = pytest.mark.skipif(not (DATA / "MANIFEST.tsv").exists(), reason=f"no data folder at {DATA}")


@dataclass(frozen=True)
class RealMatrix:
    """A matrix for matching."""

    path: Path
    rows: int
    cols: int
    entries: int
    answer: int
    answer_zeros_dropped: int
    blocks: int | None


@dataclass(frozen=True)
class RealNetwork:
    path: Path
    answer: int


def listed(kind: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """The files of a kind of problem, each with its row of the index."""
    index = DATA / "MANIFEST.tsv"
    if not index.exists():
        return
    with index.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["problem_kind"] == kind:
                yield DATA / row["file"], row


def real_matrices() -> list[RealMatrix]:
    return [
        RealMatrix(
            path,
            int(row["rows"]),
            int(row["cols"]),
            int(row["nnz_or_edges"]),
            int(row["answer"]),
            int(row["answer_explicit_zeros_dropped"] or row["answer"]),
            int(row["btf_blocks"]) if row["btf_blocks"] else None,
        )
        for path, row in listed("mcm")
    ]


def real_networks() -> list[RealNetwork]:
    return [RealNetwork(path, int(float(row["answer"]))) for path, row in listed("maxflow")]


def real_costs() -> list[tuple[str, Path, float]]:
    """(name, file, known optimum)."""
    return [(path.name, path, float(row["answer"])) for path, row in listed("lap")]


def read_network(path: Path) -> Network:
    """A DIMACS max file, read in a few lines so that these tests do not depend on the library's reader."""
    arcs, terminal, n = [], {}, 0
    with lzma.open(path, "rt") as file:
        for line in file:
            if line.startswith("a"):
                arcs.append(line[1:])
            elif line.startswith("n"):
                _, vertex, which = line.split()
                terminal[which] = int(vertex) - 1
            elif line.startswith("p"):
                n = int(line.split()[2])
    table = np.array(" ".join(arcs).split(), np.int64).reshape(-1, 3)
    return Network(table[:, 0] - 1, table[:, 1] - 1, table[:, 2].copy(), terminal["s"], terminal["t"], n)


def read_costs(path: Path) -> np.ndarray:
    """A dense OR-Library file, in the same way."""
    with lzma.open(path, "rt") as text:
        numbers = np.array(text.read().split(), float)
    n = round((len(numbers) - 1) ** 0.5)
    return numbers[1:].reshape(n, n)

"""Times the GPU variants on a few generated graphs: ``python -m konig.lab.gpu_bench``.

The numbers are milliseconds of the search alone: the graph is on the device, the greedy start is made,
and the answer is not copied back. Every answer is proved maximum before its time is printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.backends import cuda


def graphs(scale: int) -> Iterator[tuple[str, sp.csc_array]]:
    """Graphs of about 2**scale rows: uniform, power-law, grid and a permuted grid."""
    rng = np.random.default_rng(1)
    n = 1 << scale
    yield f"uniform d=3, n=2^{scale}", _pattern(rng.integers(0, n, 3 * n), np.repeat(np.arange(n), 3), n)
    rows, cols = (_power_law(rng, 8 * n, scale) for _ in range(2))
    yield f"R-MAT-like d=8, n=2^{scale}", _pattern(rows, cols, n)
    side = 1 << (scale // 2)
    rows, cols = _grid(side)
    yield f"grid {side}x{side}", _pattern(rows, cols, side * side)
    order = rng.permutation(side * side)
    yield (
        f"grid {side}x{side}, permuted",
        _pattern(order[rows], rng.permutation(side * side)[cols], side * side),
    )


def _pattern(rows: np.ndarray, cols: np.ndarray, n: int) -> sp.csc_array:
    return sp.coo_array((np.ones(len(rows), np.int8), (rows, cols)), shape=(n, n)).tocsc()


def _power_law(rng: np.random.Generator, count: int, bits: int) -> np.ndarray:
    """Ids whose bits are 0 with probability 0.76, as in R-MAT."""
    ids = np.zeros(count, np.int64)
    for _ in range(bits):
        ids = 2 * ids + (rng.random(count) > 0.76)
    return ids


def _grid(side: int) -> tuple[np.ndarray, np.ndarray]:
    """Cells of a square, each joined with its four neighbours: rows and columns are the cells."""
    cell = np.arange(side * side).reshape(side, side)
    east = np.stack([cell[:, :-1].ravel(), cell[:, 1:].ravel()])
    south = np.stack([cell[:-1].ravel(), cell[1:].ravel()])
    one_way = np.concatenate([east, south], axis=1)
    rows, cols = np.concatenate([one_way, one_way[::-1]], axis=1)
    return rows, cols


def _levels(stats: Mapping[str, Any]) -> int:
    """BFS levels: of the searches, or of the global relabellings, which count two for each."""
    return sum(stats["bfs_levels"]) if "bfs_levels" in stats else sum(stats["relabel_levels"]) // 2


def main() -> None:
    parser = argparse.ArgumentParser(prog="konig.lab.gpu_bench", description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=20, help="graphs of about 2**scale rows")
    parser.add_argument("--repeats", type=int, default=3, help="the median of so many runs")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:N or cpu")
    arguments = parser.parse_args()
    names = [method.name for method in konig.methods("matching") if "cuda" in method.devices]
    print(f"headers {cuda.headers_digest()}, device {arguments.device}, median of {arguments.repeats}")
    print(f"{'graph':28}{'method':22}{'size':>10}{'ms':>10}{'iterations':>12}{'levels':>9}{'launches':>10}")
    for title, A in graphs(arguments.scale):
        for name in names:
            options = {"method": name, "device": arguments.device}
            konig.maximum_matching(A, **options).verify(A)  # compiles, too
            runs = [konig.maximum_matching(A, **options) for _ in range(arguments.repeats)]
            median = float(np.median([run.stats["seconds"]["main"] for run in runs]))
            stats = runs[-1].stats
            print(
                f"{title:28}{name:22}{runs[-1].size:>10}{1000 * median:>10.2f}{stats['iterations']:>12}"
                f"{_levels(stats):>9}{stats['launches']:>10}",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""Times every GPU method on a few generated graphs: ``python -m konig.lab.gpu_bench``.

"search" and "call" are those of `konig.lab.device_runs`, on a CuPy matrix. Every answer is proved maximum
before its time is printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.gpu import cuda
from konig.lab import generators
from konig.lab.device_runs import on_device, search_seconds, timed


def graphs(scale: int) -> Iterator[tuple[str, sp.csr_array]]:
    """Meshes, a power law, a road-like grid and a random graph of about 2**scale to 2**(scale + 1) rows."""
    mesh = generators.delaunay(1 << scale, seed=1)
    yield f"delaunay n{scale}", mesh
    yield f"delaunay n{scale}, permuted", generators.permute(mesh, seed=1)
    yield f"kronecker {scale}", generators.kronecker(scale, 16, seed=1)
    side = round(2 ** ((scale + 1) / 2) * 0.976)
    yield f"road-like {side}x{side}", generators.road_grid(side, side, 0.65, seed=1)
    yield f"uniform d=3, 2*2^{scale} rows", generators.sprand(2 << scale, 2 << scale, 3.0, seed=1)


def _levels(stats: Mapping[str, Any]) -> int:
    """BFS levels: of the searches, or of the global relabellings, which count two for each."""
    if "relabel_levels" in stats:
        return int(sum(stats["relabel_levels"])) // 2
    return int(sum(stats["bfs_levels"]) if "bfs_levels" in stats else stats["levels"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="konig.lab.gpu_bench", description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=int, default=20, help="graphs of about 2**scale rows")
    parser.add_argument("--repeats", type=int, default=5, help="the median of so many runs")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:N or cpu")
    parser.add_argument("--methods", default="", help="names, separated by commas; all of them by default")
    arguments = parser.parse_args()
    names = arguments.methods.split(",") if arguments.methods else []
    names = names or [method.name for method in konig.methods("matching") if "cuda" in method.devices]
    print(f"headers {cuda.headers_digest()}, device {arguments.device}, median of {arguments.repeats}, ms")
    print(f"{'graph':30}{'method':20}{'size':>9}{'search':>9}{'call':>9}{'levels':>8}{'launches':>9}")
    for title, matrix in graphs(arguments.scale):
        A = on_device(matrix, arguments.device)
        for name in names:
            options = {"method": name, "device": arguments.device, "counters": False}
            konig.maximum_matching(A, **options).verify(matrix)  # compiles, too
            runs = [timed(A, options) for _ in range(arguments.repeats)]
            search = 1000 * float(np.median([search_seconds(run.stats) for run, _ in runs]))
            call = 1000 * float(np.median([seconds for _, seconds in runs]))
            last = runs[-1][0]
            print(
                f"{title:30}{name:20}{last.size:>9}{search:>9.2f}{call:>9.2f}{_levels(last.stats):>8}"
                f"{last.stats['launches']:>9}",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""Times `auto` on graphs on which a GPU may lose to one core: ``python -m konig.lab.gpu_narrow``.

Long and narrow graphs, and small ones of every class, with the data on the device: the whole call of
``auto``; the same with ``device="cpu"``, on all cores and on one, which copies the data to the host and the
answer back; and one thread on data of the host. The ratio is that of the first two. Calls take turns, and
every answer is proved maximum before its times are printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.gpu import cuda
from konig.lab import generators
from konig.lab.device_runs import on_device


def graphs(entries: int) -> Iterator[tuple[str, sp.csr_array]]:
    """Graphs of about so many entries: HiLo in three orders, grids, and the other classes."""
    for groups, degree in ((32, 9.8), (entries // 200, 8.9)):
        n = round(entries / degree / groups) * groups
        hilo = generators.hilo(n, groups, 5)
        yield f"hilo, {groups} groups", hilo
        yield f"hilo, {groups} groups, rolled", hilo[np.roll(np.arange(n), 1)]
        yield f"hilo, {groups} groups, permuted", generators.permute(hilo, seed=1)
    side = round((entries / 4) ** 0.5)
    grid = generators.grid(side, side)
    yield f"grid {side}x{side}", grid
    yield f"grid {side}x{side}, permuted", generators.permute(grid, seed=1)
    yield f"grid 8x{entries // 30}", generators.grid(8, entries // 30)
    side = round((entries / 6) ** 0.5) + 2
    yield f"triangulated {side}x{side}", generators.triangulated_grid(side, side)
    yield "delaunay", generators.delaunay(entries // 6 + 100, seed=1)
    yield "uniform d=3", generators.sprand(entries // 3, degree=3.0, seed=1)
    side = round((entries / 2.6) ** 0.5)
    yield f"road-like {side}x{side}", generators.road_grid(side, side, 0.65, seed=1)


def medians_ms(
    solves: Sequence[Callable[[], konig.Matching]], repeats: int
) -> tuple[list[float], list[konig.Matching]]:
    """Of so many rounds, or of as many as fit into two seconds, after a first one; and the last answers."""
    times: list[list[float]] = []
    answers = [solve() for solve in solves]
    spent = 0.0
    while len(times) < repeats and spent < 2000:
        times.append([])
        for k, solve in enumerate(solves):
            began = perf_counter()
            answers[k] = solve()
            times[-1].append(1000 * (perf_counter() - began))
        spent += sum(times[-1])
    return np.median(times, axis=0).tolist(), answers


def main() -> None:
    parser = argparse.ArgumentParser(prog="konig.lab.gpu_narrow", description=__doc__.splitlines()[0])
    parser.add_argument("--entries", default="210000,1000000", help="of the graphs, separated by commas")
    parser.add_argument("--repeats", type=int, default=15, help="the median of so many calls")
    parser.add_argument("--device", default="cuda", help="where the data is: cuda or, to try it, cpu")
    arguments = parser.parse_args()
    print(f"headers {cuda.headers_digest()}, median of {arguments.repeats}, ms")
    print(
        f"{'graph':32}{'entries':>10}{'auto':>8}  {'what ran':16}{'given up':>8}{'cpu':>8}{'1 thread':>10}"
        f"{'ratio':>7}{'from host':>11}"
    )
    for entries in (int(text) for text in arguments.entries.split(",")):
        for title, matrix in graphs(entries):
            print(_row(title, matrix, arguments.device, arguments.repeats), flush=True)


def _row(title: str, matrix: sp.csr_array, device: str, repeats: int) -> str:
    there: Any = on_device(matrix, device)
    here = on_device(matrix, "cpu")
    calls: list[tuple[Any, dict[str, Any]]] = [
        (there, {}),
        (there, {"device": "cpu"}),
        (there, {"device": "cpu", "threads": 1}),
        (here, {"device": "cpu", "threads": 1}),
    ]
    solves = [partial(konig.maximum_matching, A, **options) for A, options in calls]
    (by_auto, by_cpu, by_one, from_host), answers = medians_ms(solves, repeats)
    answers[0].verify(matrix)
    if len({answer.size for answer in answers}) > 1:
        raise RuntimeError(f"{title}: sizes {[answer.size for answer in answers]}")
    given_up = 1000 * answers[0].stats["seconds"].get("given_up", 0.0)
    return (
        f"{title:32}{matrix.nnz:>10}{by_auto:>8.2f}  {answers[0].method:16}{given_up:>8.2f}{by_cpu:>8.2f}"
        f"{by_one:>10.2f}{by_cpu / by_auto:>7.2f}{from_host:>11.2f}"
    )


if __name__ == "__main__":
    main()

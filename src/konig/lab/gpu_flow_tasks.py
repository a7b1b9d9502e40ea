"""Times the other tasks of the flow methods on a GPU: ``python -m konig.lab.gpu_flow_tasks [FILE ...]``.

First grids through :func:`konig.grid_cut`, with their arrays on the device. Then bipartite matching as a
flow, with the configurations of the paper: its second task. Graphs are those of the files, or some that are
made here; they are on the device, and every answer is proved before its time is printed. Times are medians,
in milliseconds; inf stands for more than the limit.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import konig
from konig.gpu import cuda
from konig.io import read
from konig.lab.generators import generate, generate_network
from konig.lab.gpu_flow_bench import TooSlowError

GRIDS = {
    "512, random": ("vision_random", {"height": 512}),
    "512, blobs": ("vision_blobs", {"height": 512, "blobs": 60}),
    "2048, random": ("vision_random", {"height": 2048}),
    "2048, blobs": ("vision_blobs", {"height": 2048, "blobs": 200}),
}
GRAPHS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "kronecker 13": ("kronecker", {"scale": 13, "edge_factor": 8}),
    "kronecker 16": ("kronecker", {"scale": 16, "edge_factor": 8}),
}
FLOWS = [f"flow-{kind}-{layout}" for layout in ("rcsr", "bcsr") for kind in ("lock-free", "tlpns")]


def timed(solve: Any, repeats: int) -> tuple[Any, float]:
    """An answer, and the median of the milliseconds of some calls after one that compiles."""
    answer = solve()
    times = []
    for _ in range(repeats):
        began = perf_counter()
        answer = solve()
        times.append(1000 * (perf_counter() - began))
    return answer, float(np.median(times))


def grid_arrays(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A grid as grid_cut takes it: capacities from the source, to the sink and to four neighbours."""
    family, params = GRIDS[name]
    network = generate_network(family, seed=1, **params)
    height = int(params["height"])
    pixels = height * height
    source, sink = np.zeros(pixels, np.int64), np.zeros(pixels, np.int64)
    between = np.zeros((4, pixels), np.int64)
    tail, head, capacity = network.tail, network.head, network.capacity
    leaving, entering = tail == network.source, head == network.sink
    source[head[leaving]] = capacity[leaving]
    sink[tail[entering]] = capacity[entering]
    inner = ~leaving & ~entering
    tail, head, capacity = tail[inner], head[inner], capacity[inner]
    for direction, (down, right) in enumerate(konig.grid_offsets(4)):
        there = head - tail == down * height + right
        between[direction, tail[there]] = capacity[there]
    shape = height, height
    return source.reshape(shape), sink.reshape(shape), between.reshape(4, *shape)


def time_grids(cupy: Any, repeats: int) -> None:
    print(f"{'grid':18}{'value':>12}{'call':>9}{'pairs':>9}{'solve':>9}{'flow':>9}")
    for name in GRIDS:
        arrays = grid_arrays(name)
        there = [cupy.asarray(part) for part in arrays]
        cut, time = timed(partial(konig.grid_cut, *there), repeats)
        cut.verify(*arrays)
        parts = [1000 * cut.stats["seconds"][part] for part in ("build", "solve", "extract")]
        print(f"{name:18}{cut.value:>12}" + "".join(f"{part:>9.2f}" for part in (time, *parts)), flush=True)


def matched(A: Any, method: str, limit: float) -> konig.Matching:
    """A maximum matching; an error once it has taken longer than the limit."""
    began = perf_counter()

    def watch(done: int, total: int) -> None:
        if perf_counter() - began > limit:
            raise TooSlowError

    return konig.maximum_matching(A, method=method, progress=watch)


def time_matchings(files: list[Path], repeats: int, limit: float) -> None:
    """Each graph with each configuration, and with what `auto` chooses on a GPU."""
    from cupyx.scipy import sparse

    graphs = {path.name.split(".")[0]: read(path) for path in files}
    graphs = graphs or {name: generate(family, **params) for name, (family, params) in GRAPHS.items()}
    print(f"{'graph':34}{'rows':>8}{'columns':>8}{'entries':>9}{'size':>8}", end="")
    print("".join(f"{name.removeprefix('flow-'):>15}" for name in FLOWS) + f"{'ms-bfs':>9}")
    for name, graph in graphs.items():
        A = graph.tocsr()
        A.data = np.ones(A.nnz, np.float32)
        there = sparse.csr_matrix(A.astype(np.float32))
        m, times = None, []
        for method in (*FLOWS, "ms-bfs"):
            try:
                m, time = timed(partial(matched, there, method, limit), repeats)
                m.verify(A)
                times.append(time)
            except TooSlowError:
                times.append(np.inf)
        print(f"{name[:33]:34}{A.shape[0]:>8}{A.shape[1]:>8}{A.nnz:>9}{m.size if m else '':>8}", end="")
        print("".join(f"{time:>15.2f}" for time in times[:-1]) + f"{times[-1]:>9.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="konig.lab.gpu_flow_tasks", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="bipartite graphs in files that konig reads")
    parser.add_argument("--repeats", type=int, default=3, help="the median of so many runs")
    parser.add_argument("--limit", type=float, default=2.0, help="seconds after which a solve is given up")
    parser.add_argument("--skip-grids", action="store_true", help="only the matchings")
    arguments = parser.parse_args()
    cupy = cuda.cupy_or_error("the benchmark")
    print(f"headers {cuda.headers_digest()}, median of {arguments.repeats}, ms")
    if not arguments.skip_grids:
        time_grids(cupy, arguments.repeats)
    time_matchings(arguments.files, arguments.repeats, arguments.limit)


if __name__ == "__main__":
    main()

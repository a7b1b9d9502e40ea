"""Times the flow methods on a GPU: ``python -m konig.lab.gpu_flow_bench``.

"call" is the whole public call on arcs that are on the device, answer left there; "build", "solve" and
"extract" are its parts: the residual network, the launches, the flow of each arc. Every answer is proved
maximum before its time is printed.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from time import perf_counter
from typing import Any

import numpy as np

import konig
from konig.gpu import cuda
from konig.io import Network
from konig.lab.generators import generate_network

ROWS: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "rlg 256x256": ("washington_rlg", {"width": 256, "levels": 256}),
    "rlg 512x512": ("washington_rlg", {"width": 512, "levels": 512}),
    "rlg wide 2048x64": ("washington_rlg", {"width": 2048, "levels": 64}),
    "rlg long 64x2048": ("washington_rlg", {"width": 64, "levels": 2048}),
    "genrmf 16x256": ("genrmf", {"a": 16, "b": 256}),
    "genrmf 32x64": ("genrmf", {"a": 32, "b": 64}),
    "genrmf 64x64": ("genrmf", {"a": 64, "b": 64}),
    "vision 512": ("vision_random", {"height": 512}),
    "blobs 512": ("vision_blobs", {"height": 512, "blobs": 60}),
    "vision 2048": ("vision_random", {"height": 2048}),
    "blobs 2048": ("vision_blobs", {"height": 2048, "blobs": 200}),
    "rmat 17": ("rmat_flow", {"scale": 17}),
}
PARTS = ("build", "solve", "extract")


class TooSlowError(Exception):
    """A solve took longer than it was given."""


def on_device(network: Network, device: str) -> Any:
    """The arcs as CuPy's arrays with 32-bit ids, or NumPy's for the CPU."""
    tail, head = network.tail.astype(np.int32), network.head.astype(np.int32)
    arcs = tail, head, network.capacity.astype(np.int64)
    if device == "cpu":
        return arcs
    cupy = cuda.cupy_or_error("the benchmark")
    return tuple(cupy.asarray(part) for part in arcs)


def solved(network: Network, arcs: Any, limit: float, **options: Any) -> tuple[konig.Flow, float]:
    """The answer and the seconds of the call; an error once it has taken longer than the limit."""
    began = perf_counter()

    def watch(brought: int, bound: int) -> None:
        if perf_counter() - began > limit:
            raise TooSlowError

    ends = network.source, network.sink
    f = konig.maximum_flow(arcs, *ends, num_vertices=network.num_vertices, progress=watch, **options)
    return f, perf_counter() - began


def line(f: konig.Flow, runs: list[tuple[Mapping[str, Any], float]]) -> str:
    """Median times in milliseconds, and what was counted in the last run."""
    call = 1000 * float(np.median([seconds for _, seconds in runs]))
    parts = [
        1000 * float(np.median([stats["seconds"].get(part, 0.0) for stats, _ in runs])) for part in PARTS
    ]
    stats = runs[-1][0]
    steps = stats.get("push_steps", stats.get("cycles", 0))
    levels = stats.get("search_levels", sum(stats.get("relabel_levels", ())))
    relabels = stats.get("global_relabels", 0)
    times = "".join(f"{time:>9.2f}" for time in (call, *parts))
    return f"{f.value:>10}{times}{steps:>8}{levels:>8}{relabels:>6}{stats.get('supersteps', 0):>8}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="konig.lab.gpu_flow_bench", description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5, help="the median of so many runs")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:N or cpu")
    parser.add_argument("--methods", default="auto,sync-pr", help="names, separated by commas")
    parser.add_argument(
        "--rows", default="", help="parts of names of rows, separated by commas; all by default"
    )
    parser.add_argument("--limit", type=float, default=20.0, help="seconds after which a solve is given up")
    parser.add_argument("--unproved", action="store_true", help="do not check the certificates")
    arguments = parser.parse_args()
    print(f"headers {cuda.headers_digest()}, device {arguments.device}, median of {arguments.repeats}, ms")
    print(
        f"{'network':18}{'method':16}{'value':>10}{'call':>9}{'build':>9}{'solve':>9}{'extract':>9}"
        f"{'steps':>8}{'levels':>8}{'rel.':>6}{'meet':>8}"
    )
    wanted = [part for part in arguments.rows.split(",") if part]
    for title, (family, params) in ROWS.items():
        if wanted and not any(part in title for part in wanted):
            continue
        network = generate_network(family, seed=1, **params)
        arcs = on_device(network, arguments.device)
        for name in arguments.methods.split(","):
            options = {"method": name, "device": arguments.device}
            try:
                f, _ = solved(network, arcs, arguments.limit, **options)  # compiles, too
                if not arguments.unproved:
                    f.verify(arcs, network.source, network.sink)
                runs = []
                for _ in range(arguments.repeats):
                    g, seconds = solved(network, arcs, arguments.limit, **options)
                    runs.append((g.stats, seconds))
                print(f"{title:18}{name:16}{line(f, runs)}", flush=True)
            except TooSlowError:
                print(f"{title:18}{name:16}more than {arguments.limit:g} s", flush=True)


if __name__ == "__main__":
    main()

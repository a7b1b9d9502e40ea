"""Times assignment on a GPU by size and range of the costs: ``python -m konig.lab.gpu_assignment``.

Costs are made on the device and the answer stays there; times are of the whole call. Every answer is checked
on the device before its time is printed: no pair undercuts the duals, and assigned pairs attain them.
"""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import Any

import numpy as np

import konig
from konig.gpu import cuda

RANGES = ("0.1n", "n", "10n", "100n")
KINDS = (*RANGES, "real", "Euclidean")
STAGES = ("reduction", "selection", "search", "augmentation", "pricing")
BLOCK = 512  # rows that are made or checked at once


def device_costs(xp: Any, kind: str, n: int, seed: int = 1) -> Any:
    """Square costs: 32-bit integers from 0 to a multiple of n, uniform float32, or distances in the plane."""
    random = xp.random.default_rng(seed)
    if kind == "real":
        return random.random((n, n), dtype=np.float32)
    C = xp.empty((n, n), np.float32 if kind == "Euclidean" else np.int32)
    if kind == "Euclidean":
        P, Q = random.random((n, 2)), random.random((n, 2))
        for i in range(0, n, BLOCK):
            away = P[i : i + BLOCK, None] - Q[None]
            C[i : i + BLOCK] = xp.sqrt((away * away).sum(axis=2))
        return C
    top = round(float(kind.removesuffix("n") or 1) * n)
    for i in range(0, n, BLOCK):
        C[i : i + BLOCK] = random.integers(0, top + 1, C[i : i + BLOCK].shape)
    return C


def violation(xp: Any, C: Any, a: Any) -> float:
    """By how much the duals exceed a cost at most, or differ from that of an assigned pair."""
    rows, cols = xp.asarray(a.row_ind), xp.asarray(a.col_ind)
    u, v = xp.asarray(a.row_dual), xp.asarray(a.col_dual)
    if len(xp.unique(cols)) != len(C):
        raise AssertionError("a column is assigned twice")
    worst = float(abs(C[rows, cols].astype(u.dtype) - u[rows] - v[cols]).max())
    for i in range(0, len(C), BLOCK):
        slack = C[i : i + BLOCK].astype(u.dtype) - u[i : i + BLOCK, None] - v[None]
        worst = max(worst, -float(slack.min()))
    return worst


def timed(xp: Any, C: Any, method: str, repeats: int) -> tuple[Any, float]:
    """The answer and the least seconds of some calls."""
    device = "cpu" if xp is np else "cuda"
    konig.linear_assignment(C[:9, :9], method=method, device=device)  # compiles
    best = np.inf
    for _ in range(repeats):
        began = perf_counter()
        a = konig.linear_assignment(C, method=method, device=device)
        if xp is not np:
            xp.cuda.get_current_stream().synchronize()
        best = min(best, perf_counter() - began)
    return a, best


def main() -> None:
    parser = argparse.ArgumentParser(prog="konig.lab.gpu_assignment", description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="10000,20000", help="rows, separated by commas")
    parser.add_argument("--kinds", default=",".join(KINDS), help="costs, separated by commas")
    parser.add_argument("--methods", default="auto,core-paths", help="names, separated by commas")
    parser.add_argument("--repeats", type=int, default=2, help="the least of so many runs")
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    arguments = parser.parse_args()
    xp: Any = np if arguments.device == "cpu" else cuda.cupy_or_error("this bench")
    print(
        f"headers {cuda.headers_digest()}, device {arguments.device}, seconds, least of {arguments.repeats}"
    )
    print(f"| n | costs | method | seconds | phases | sweeps | supersteps | {' | '.join(STAGES)} |")
    print("|" + "---|" * (7 + len(STAGES)))
    for n in map(int, arguments.sizes.split(",")):
        for kind in arguments.kinds.split(","):
            C = device_costs(xp, kind, n)
            room = n * float(np.spacing(np.float32(2))) if C.dtype == np.float32 else 0.0
            for method in arguments.methods.split(","):
                a, seconds = timed(xp, C, method, arguments.repeats)
                if violation(xp, C, a) > room:
                    raise AssertionError(f"{method} on {kind}, n = {n}: the duals prove nothing")
                counts = [str(a.stats.get(key, "")) for key in ("phases", "sweeps", "supersteps")]
                stages = [f"{a.stats['seconds'].get(stage, 0.0):.4f}" for stage in STAGES]
                cells = (str(n), kind, a.method, f"{seconds:.4f}", *counts, *stages)
                print(f"| {' | '.join(cells)} |", flush=True)
            del C


if __name__ == "__main__":
    main()

"""How large problems on one GPU may be, and how long they take: uniform inputs, made on the GPU.

    python examples/scale.py                                 # what the README shows; needs a GPU of 140 GB
    python examples/scale.py --rows 22 --sizes 5000 10000    # smaller: 2^22 rows, two sizes of costs
    python examples/scale.py --cpu --rows 16 --sizes 1000    # the same on the CPU

A time is that of the whole call, with the input on the device and the answer left there: the least of three,
after a small problem of the same types for which the device code was compiled. ``--prove`` verifies every
answer, on the host, which takes memory for the input there and far longer than the solve.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import chain
from time import perf_counter
from typing import Any

import numpy as np
import scipy.sparse

import konig

CHUNK = 1 << 26


def arrays_of(cpu: bool) -> tuple[Any, Any]:
    """NumPy and scipy.sparse, or CuPy and its sparse matrices."""
    if cpu:
        return np, scipy.sparse
    try:
        import cupy
        import cupyx.scipy.sparse
    except ImportError:
        raise SystemExit("this needs CuPy and a GPU (pip install 'konig[cuda]'), or --cpu") from None
    return cupy, cupyx.scipy.sparse


def uniform_matrix(xp: Any, sparse: Any, rows: int, degree: int) -> Any:
    """A square pattern with `degree` entries in random places of each row: a place may be drawn twice."""
    entries = rows * degree
    cols = xp.empty(entries, np.int32)
    for begin in range(0, entries, CHUNK):
        part = cols[begin : begin + CHUNK]
        part[:] = xp.random.randint(0, rows, part.size, dtype=np.int32)
    A = sparse.csr_matrix((rows, rows), dtype=np.float32)
    # Set here since constructors check and convert: offsets have 64 bits where 32 are too few.
    A.indptr = xp.arange(0, entries + 1, degree, dtype=np.int64 if entries >= 2**31 else np.int32)
    A.indices = cols
    A.data = xp.broadcast_to(xp.ones(1, np.float32), (entries,))
    return A


def uniform_costs(xp: Any, n: int) -> Any:
    C = xp.empty((n, n), np.float32)
    rows = max(CHUNK // n, 1)
    for begin in range(0, n, rows):
        part = C[begin : begin + rows]
        part[:] = xp.random.random_sample(part.shape).astype(np.float32)
    return C


def shortest(xp: Any, call: Callable[[], Any]) -> tuple[float, Any]:
    """The least of three times, and the last answer."""
    best, answer = float("inf"), None
    for _ in range(3):
        answer = None  # its memory is needed for the next
        synchronize(xp)
        began = perf_counter()
        answer = call()
        synchronize(xp)
        best = min(best, perf_counter() - began)
    return best, answer


def synchronize(xp: Any) -> None:
    if xp is not np:
        xp.cuda.Device().synchronize()


def matchings(xp: Any, sparse: Any, rows: int, degrees: list[int], prove: bool) -> Iterator[str]:
    for degree in degrees:
        A = uniform_matrix(xp, sparse, rows, degree)
        small = uniform_matrix(xp, sparse, 1000, degree)
        small.indptr = small.indptr.astype(A.indptr.dtype)
        konig.maximum_matching(small)
        seconds, m = shortest(xp, lambda A=A: konig.maximum_matching(A))
        if prove:
            m.verify(A)
        problem = f"matching, {rows:,} rows, {rows * degree:,} entries"
        line = f"| {problem} | {seconds:.3g} s | {m.size:,} pairs by {m.method} |"
        del A, m  # before the next is made
        yield line


def assignments(xp: Any, sizes: list[int], prove: bool) -> Iterator[str]:
    konig.linear_assignment(uniform_costs(xp, 1000))
    for n in sizes:
        C = uniform_costs(xp, n)
        seconds, a = shortest(xp, lambda C=C: konig.linear_assignment(C))
        if prove:
            a.verify(C)
        answer = f"cost {float(a.cost):.6g} by {a.method}"
        del C, a
        yield f"| assignment, {n:,} × {n:,} float32 | {seconds:.3g} s | {answer} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=27, help="of the matrices: a power of two")
    parser.add_argument("--degrees", type=int, nargs="*", default=[8, 17], help="entries a row")
    parser.add_argument(
        "--sizes", type=int, nargs="*", default=[40_000, 80_000, 120_000], help="of the costs"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cpu", action="store_true", help="on the CPU")
    parser.add_argument("--prove", action="store_true", help="verify every answer on the host")
    given = parser.parse_args()
    xp, sparse = arrays_of(given.cpu)
    xp.random.seed(given.seed)
    print("| problem | time | answer |\n|---|--:|---|")
    lines = matchings(xp, sparse, 1 << given.rows, given.degrees, given.prove)
    for line in chain(lines, assignments(xp, given.sizes, given.prove)):
        print(line, flush=True)
        if xp is not np:
            xp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()

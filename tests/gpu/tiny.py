"""Every kernel once, on inputs small enough for compute-sanitizer: ``make gpu-sanitize``."""

from contextlib import suppress

import numpy as np
import scipy.sparse as sp

import konig
from konig.lab import generators
from konig.registry import named_methods


def on_cuda(problem):
    return [method.name for method in named_methods(problem) if "cuda" in method.devices]


def matchings():
    for A in (
        generators.delaunay(300, seed=1),
        generators.sprand(300, 250, 3.0, seed=1),
        generators.kronecker(8, 8, seed=1),
    ):
        size = konig.structural_rank(A)
        for name in on_cuda("matching"):
            if not name.endswith("-csr"):  # that layout is for the smallest networks only
                assert konig.maximum_matching(A, method=name, device="cuda").size == size, name
        for init in ("sgm", "ksm"):
            assert konig.maximum_matching(A, method="ms-bfs", init=init, device="cuda").size == size, init


def assignments():
    random = np.random.default_rng(1)
    strip = random.random((3, 2500))  # of which several warps read a row
    for C in (random.integers(0, 60, (60, 60)), random.random((40, 70)).astype(np.float32), strip):
        for name in on_cuda("assignment"):
            if name != "crew-paths":  # for batches
                konig.linear_assignment(C, method=name, device="cuda").verify(C)
    gated = random.random((50, 50))
    gated[gated > 0.3] = 1e12
    ties = np.round(random.random((40, 40)) * 3) / 10
    lonely = np.where(random.random((30, 30)) < 0.5, np.inf, 1.0)
    lonely[3] = np.inf
    for name in on_cuda("assignment"):
        if name != "crew-paths":
            for C in (gated, ties):
                konig.linear_assignment(C, method=name, device="cuda").verify(C)
            with suppress(konig.InfeasibleError):
                konig.linear_assignment(lonely, method=name, device="cuda")
    import cupy

    batches = random.random((20, 12, 17)).astype(np.float32), random.integers(0, 99, (3, 100, 100))
    for B in (*batches, np.where(random.random((9, 20, 20)) > 0.5, 1e15, 0.1)):
        konig.linear_assignment(cupy.asarray(B)).verify(B)


def points():
    random = np.random.default_rng(1)
    for metric in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine"):
        X, Y = random.normal(size=(50, 4)), random.normal(size=(60, 4))
        konig.point_assignment(X, Y, metric, device="cuda").verify(X, Y)
        konig.point_assignment(X[:, :2], Y[:50, :2], metric, device="cuda").verify(X[:, :2], Y[:50, :2])


def flows():
    network = sp.random_array((60, 60), density=0.1, rng=1, format="csr")
    network.data = np.round(network.data * 50).astype(np.int64) + 1
    for name in on_cuda("flow"):
        konig.maximum_flow(network, 0, 59, method=name, device="cuda").verify(network, 0, 59)


if __name__ == "__main__":
    matchings()
    assignments()
    points()
    flows()
    print("every kernel ran")

"""What the study solves: at ``scale`` 20 classes of the papers' sizes, and sets of about 2**18 rows."""

from __future__ import annotations

import math
from typing import Any

from konig.lab.suites import PLAIN, Instance


def _one(name: str, family: str, **params: Any) -> Instance:
    return Instance(name, family, params, PLAIN)


def permuted(instance: Instance) -> Instance:
    """The same with its rows and columns in random order."""
    return Instance(
        f"{instance.name}, permuted", instance.family, {**instance.params, "permute": "both"}, PLAIN
    )


def _grid(label: str, family: str, rows: float, **params: Any) -> Instance:
    side = max(2, round(math.sqrt(rows)))
    return _one(f"{label} {side}x{side}", family, nx=side, ny=side, **params)


def classes(scale: int) -> list[Instance]:
    """The classes of Table I that can be generated."""
    times = 2.0 ** (scale - 20)
    triangles = _grid("triangulated", "triangulated_grid", times * 4096**2)
    return [
        *(_one(f"delaunay n{s}", "delaunay", n=1 << s) for s in range(scale, scale + 3)),
        *(_one(f"kronecker {s}", "kronecker", scale=s, edge_factor=16) for s in (scale, scale + 1)),
        _one(f"rgg n{scale + 2}", "random_geometric", n=4 << scale),
        _grid("road-like", "road_grid", times * 1413**2, keep=0.65),
        _grid("road-like", "road_grid", times * 2800**2, keep=0.65),
        triangles,
        permuted(triangles),
        permuted(_grid("grid", "grid", times * 3000**2)),
        _one(f"uniform d=3, {2 << scale}", "sprand", rows=2 << scale, degree=3.0),
    ]


def original_set(scale: int) -> list[Instance]:
    """One graph of each family, the set of which the permuted one is made."""
    s = scale - 2
    n = 1 << s
    return [
        _one(f"delaunay n{s}", "delaunay", n=n),
        _one(f"rgg n{s}", "random_geometric", n=n),
        _grid("triangulated", "triangulated_grid", n),
        _grid("road-like", "road_grid", n, keep=0.65),
        _one(f"kronecker {s}", "kronecker", scale=s, edge_factor=16),
        _one(f"rmat {s}", "rmat", scale=s),
        _one(f"uniform d=3, {n}", "sprand", rows=n, degree=3.0),
        _one(f"hilo {n}", "hilo", n=n, groups=min(32, n >> 4)),
    ]


def by_entries(entries: int) -> list[Instance]:
    """One graph of each class, of about so many entries."""

    def rows(degree: float) -> int:
        return max(16, round(entries / degree))

    s = max(4, round(math.log2(entries / 26)))
    mesh = _one(f"delaunay {rows(6)}", "delaunay", n=rows(6))
    geometric = _one(f"rgg {rows(12)}", "random_geometric", n=rows(12))
    triangles = _grid("triangulated", "triangulated_grid", rows(6))
    return [
        mesh,
        permuted(mesh),
        geometric,
        triangles,
        permuted(triangles),
        _grid("road-like", "road_grid", rows(2.6), keep=0.65),
        _one(f"kronecker {s}", "kronecker", scale=s, edge_factor=16),
        _one(f"uniform d=3, {rows(3)}", "sprand", rows=rows(3), degree=3.0),
    ]

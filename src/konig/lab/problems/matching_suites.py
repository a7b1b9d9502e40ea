"""The matching suites."""

from __future__ import annotations

from typing import Any

from konig.lab.suites import ORDERS, PLAIN, TWIN, Instance, Suite


def _named(name: str, family: str, orders: tuple[str, ...] = TWIN, **params: Any) -> Instance:
    return Instance(name, family, params, orders)


# Permuting a uniform random matrix gives another one, so those have no twin.
_TINY = (
    *(_named(f"random 2k d={d}", "sprand", PLAIN, rows=2000, degree=float(d)) for d in (3, 5, 8)),
    _named("delaunay n11", "delaunay", n=2048),
    _named("kronecker 11", "kronecker", scale=11, edge_factor=16),
    _named("road grid 45", "road_grid", nx=45, keep=0.65),
)
_SMALL = (
    *(_named(f"random 1M d={d}", "sprand", PLAIN, rows=1_000_000, degree=float(d)) for d in (3, 5, 8)),
    _named("delaunay n18", "delaunay", n=2**18),
    _named("delaunay n20", "delaunay", n=2**20),
    _named("kronecker 18", "kronecker", scale=18, edge_factor=16),
    _named("road grid 1000", "road_grid", nx=1000, keep=0.65),
)
_PAPER = tuple(
    _named(f"{label} {size}", family, tuple(ORDERS), **params)
    for label, family, sizes in (
        (
            "random d=3",
            "sprand",
            {"64k": {"rows": 2**16, "degree": 3.0}, "256k": {"rows": 2**18, "degree": 3.0}},
        ),
        (
            "random d=5",
            "sprand",
            {"64k": {"rows": 2**16, "degree": 5.0}, "256k": {"rows": 2**18, "degree": 5.0}},
        ),
        ("delaunay", "delaunay", {"n14": {"n": 2**14}, "n16": {"n": 2**16}, "n18": {"n": 2**18}}),
        ("geometric", "random_geometric", {"n14": {"n": 2**14}, "n16": {"n": 2**16}}),
        ("kronecker", "kronecker", {"14": {"scale": 14}, "16": {"scale": 16}}),
        ("rmat", "rmat", {"14": {"scale": 14}, "16": {"scale": 16}, "18": {"scale": 18}}),
        ("road grid", "road_grid", {"128": {"nx": 128}, "256": {"nx": 256}, "512": {"nx": 512}}),
        ("triangulated grid", "triangulated_grid", {"128": {"nx": 128}, "512": {"nx": 512}}),
        ("hilo", "hilo", {"16k": {"n": 2**14, "groups": 32}, "64k": {"n": 2**16, "groups": 32}}),
        ("rbg", "rbg", {"16k": {"n": 2**14, "groups": 32}, "64k": {"n": 2**16, "groups": 32}}),
        ("hall violator", "hall_violator", {"64k": {"rows": 2**16, "deficiency": 500, "sets": 50}}),
    )
    for size, params in sizes.items()
)

SUITES = {
    "tiny": Suite(_TINY, 1, "all", "every family at about 2,000 rows: seconds"),
    "small": Suite(_SMALL, 1, "auto", "the rows on which auto is held against its peers: minutes"),
    "paper": Suite(_PAPER, 5, "paper", "families x sizes x orders for the papers' tables: an hour or more"),
}

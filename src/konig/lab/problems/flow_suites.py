"""The flow suites. Networks are solved as they come: their vertices have no twin in random order."""

from __future__ import annotations

from typing import Any

from konig.lab.suites import PLAIN, Instance, Suite


def _named(name: str, family: str, **params: Any) -> Instance:
    return Instance(name, family, params, PLAIN, "flow")


_TINY = (
    _named("rlg long 8 x 64", "washington_rlg", width=8, levels=64),
    _named("rlg wide 64 x 8", "washington_rlg", width=64, levels=8),
    _named("mesh 16 x 32", "washington_mesh", width=16, levels=32),
    _named("genrmf a=4 b=16", "genrmf", a=4, b=16),
    _named("genrmf a=8 b=4", "genrmf", a=8, b=4),
    _named("vision 24, random", "vision_random", height=24),
    _named("vision 24, blobs", "vision_blobs", height=24, blobs=5),
    _named("rmat 8", "rmat_flow", scale=8),
    _named("road 16", "road_flow", nx=16, pairs=4),
    _named("matching 200 d=4", "washington_matching", n=200, degree=4),
    _named("rmat matching 8", "rmat_matching", scale=8),
)
_SMALL = (
    _named("genrmf a=16 b=256", "genrmf", a=16, b=256),
    _named("genrmf a=24 b=128", "genrmf", a=24, b=128),
    _named("genrmf a=32 b=64", "genrmf", a=32, b=64),
    _named("rlg long 64 x 2048", "washington_rlg", width=64, levels=2048),
    _named("rlg wide 2048 x 64", "washington_rlg", width=2048, levels=64),
    _named("vision 512, random", "vision_random", height=512),
    _named("vision 512, blobs", "vision_blobs", height=512, blobs=60),
    _named("rmat 17", "rmat_flow", scale=17),
    _named("rmat matching 17", "rmat_matching", scale=17),
)
_LARGE = (
    _named("rlg 512 x 512", "washington_rlg", width=512, levels=512),
    _named("genrmf a=64 b=64", "genrmf", a=64, b=64),
    _named("vision 2048, random", "vision_random", height=2048),
    _named("vision 2048, blobs", "vision_blobs", height=2048, blobs=200),
    _named("rmat 20", "rmat_flow", scale=20),
)
# The synthetic networks of the paper's table I at its sizes; graphs of the same kinds for those of SNAP and
# KONECT, which have to be fetched: --data takes them.
_PAPER = (
    _named("rmat 12", "rmat_flow", scale=12),
    _named("rmat 14", "rmat_flow", scale=14),
    _named("rmat 16", "rmat_flow", scale=16),
    _named("road 256", "road_flow", nx=256),
    _named("road 512", "road_flow", nx=512),
    _named("washington rlg (S0)", "washington_rlg", width=512, levels=512),
    _named("genrmf (S1)", "genrmf", a=128, b=128),
    _named("rmat matching 8", "rmat_matching", scale=8),
    _named("rmat matching 12", "rmat_matching", scale=12),
    _named("rmat matching 14", "rmat_matching", scale=14),
    _named("rmat matching 16", "rmat_matching", scale=16),
    _named("matching 20000 d=4", "washington_matching", n=20_000, degree=4),
)

SUITES = {
    "tiny": Suite(_TINY, 1, "all", "every family at some hundred vertices: seconds"),
    "small": Suite(_SMALL, 1, "auto", "the rows on which auto is held against its peers: minutes"),
    "large": Suite(_LARGE, 1, "auto", "a million arcs and more"),
    "paper": Suite(
        _PAPER, 1, "paper", "networks and bipartite graphs of the paper's tables: an hour or more"
    ),
}

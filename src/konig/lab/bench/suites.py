"""Instances and the named lists of them, by problem."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

# What is put in random order, under the names of `konig generate --permute`, and the papers' headings.
ORDERS = {"none": "No perm", "rows": "Row perm", "cols": "Col perm", "both": "Row+Col perm"}
NATURAL = ("none",)
TWIN = ("none", "both")  # the natural order, and a random one beside it
FULL_SCALE = 20
# Part of the names of cached files: another number for another way to write them.
CACHE_FORMAT = 2


@dataclass(frozen=True)
class Instance:
    name: str  # what reports call it
    family: str  # a generator, "file", or "device" for costs that are made on a GPU
    params: Mapping[str, Any] = field(default_factory=dict)  # the generator's, or the file's path
    orders: tuple[str, ...] = TWIN  # keys of `ORDERS`
    problem: str = "matching"  # a key of `konig.lab.bench.problems.PROBLEMS`
    # "rolled" for a matrix whose last row comes first, "grid" for a network as `konig.grid_cut` takes it.
    form: str = ""

    def file_name(self) -> str:
        """The name under which a cache keeps it: another one for other parameters or another file."""
        key: list[Any] = [CACHE_FORMAT, self.family, dict(self.params), self.form]
        if self.family == "file":
            about = os.stat(self.params["path"])
            key += [about.st_size, about.st_mtime_ns]
        digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:10]
        return f"{self.name.replace('/', '_').replace(' ', '-')}-{digest}.npz"


Instances = tuple[Instance, ...]


@dataclass(frozen=True)
class Suite:
    # The instances, or what makes them of a scale: about ``2**scale`` rows, where 20 is the full size.
    made: Instances | Callable[[int], Instances]
    methods: str  # what is run unless the caller says otherwise
    summary: str
    draws: int = 1  # how many random permutations of each kind are averaged

    def instances(self, scale: int | None = None) -> Instances:
        if callable(self.made):
            if scale is not None and not 6 <= scale <= FULL_SCALE:
                raise ValueError(f"scale must be from 6 to {FULL_SCALE}, not {scale}")
            return self.made(FULL_SCALE if scale is None else scale)
        if scale is not None:
            raise ValueError("scale: the instances of this suite have sizes of their own")
        return self.made


NO_INSTANCES = Suite((), "auto", "nothing but the files of --data", 5)


def _matrix(name: str, family: str, orders: tuple[str, ...] = TWIN, **params: Any) -> Instance:
    return Instance(name, family, params, orders)


def _square(label: str, family: str, rows: float, orders: tuple[str, ...] = TWIN, **params: Any) -> Instance:
    side = max(2, round(math.sqrt(rows)))
    return _matrix(f"{label} {side}x{side}", family, orders, nx=side, ny=side, **params)


def _uniform(rows: int) -> Instance:
    # Permuting a uniform random matrix gives another one, so it has no twin.
    return _matrix(f"random {rows} d=3", "sprand", NATURAL, rows=rows, degree=3.0)


def _kronecker(scale: int, orders: tuple[str, ...] = TWIN) -> Instance:
    return _matrix(f"kronecker {scale}", "kronecker", orders, scale=scale, edge_factor=16)


def _hilo(n: int, groups: int) -> Instance:
    return _matrix(f"hilo {n}, {groups} groups", "hilo", n=n, groups=groups)


_TINY = (
    *(_matrix(f"random 2k d={d}", "sprand", NATURAL, rows=2000, degree=float(d)) for d in (3, 5, 8)),
    _matrix("delaunay n11", "delaunay", n=2048),
    _kronecker(11),
    _matrix("road grid 45", "road_grid", nx=45, keep=0.65),
)
_SMALL = (
    *(_matrix(f"random 1M d={d}", "sprand", NATURAL, rows=1_000_000, degree=float(d)) for d in (3, 5, 8)),
    _matrix("delaunay n18", "delaunay", n=2**18),
    _matrix("delaunay n20", "delaunay", n=2**20),
    _kronecker(18),
    _matrix("road grid 1000", "road_grid", nx=1000, keep=0.65),
)
_PAPER_SIZES: tuple[tuple[str, str, dict[str, dict[str, Any]]], ...] = (
    ("random d=3", "sprand", {f"{k}k": {"rows": k << 10, "degree": 3.0} for k in (64, 256)}),
    ("random d=5", "sprand", {f"{k}k": {"rows": k << 10, "degree": 5.0} for k in (64, 256)}),
    ("delaunay", "delaunay", {f"n{s}": {"n": 1 << s} for s in (14, 16, 18)}),
    ("geometric", "random_geometric", {f"n{s}": {"n": 1 << s} for s in (14, 16)}),
    ("kronecker", "kronecker", {str(s): {"scale": s} for s in (14, 16)}),
    ("rmat", "rmat", {str(s): {"scale": s} for s in (14, 16, 18)}),
    ("road grid", "road_grid", {str(n): {"nx": n} for n in (128, 256, 512)}),
    ("triangulated grid", "triangulated_grid", {str(n): {"nx": n} for n in (128, 512)}),
    ("hilo", "hilo", {f"{k}k": {"n": k << 10, "groups": 32} for k in (16, 64)}),
    ("rbg", "rbg", {f"{k}k": {"n": k << 10, "groups": 32} for k in (16, 64)}),
    ("hall violator", "hall_violator", {"64k": {"rows": 2**16, "deficiency": 500, "sets": 50}}),
)
_PAPER = tuple(
    _matrix(f"{label} {size}", family, tuple(ORDERS), **params)
    for label, family, sizes in _PAPER_SIZES
    for size, params in sizes.items()
)


def _gpu_graphs(scale: int) -> Instances:
    """Meshes, a power law, a road-like grid and a random graph of ``2**scale`` to twice as many rows."""
    return (
        _matrix(f"delaunay n{scale}", "delaunay", n=1 << scale),
        _kronecker(scale, NATURAL),
        _square("road-like", "road_grid", 1.905 * 2**scale, NATURAL, keep=0.65),
        _uniform(2 << scale),
    )


def _classes(scale: int) -> Instances:
    """The classes of table I of the push-relabel paper that can be generated."""
    times = 2.0 ** (scale - FULL_SCALE)
    return (
        *(_matrix(f"delaunay n{s}", "delaunay", NATURAL, n=1 << s) for s in range(scale, scale + 3)),
        *(_kronecker(s, NATURAL) for s in (scale, scale + 1)),
        _matrix(f"rgg n{scale + 2}", "random_geometric", NATURAL, n=4 << scale),
        *(_square("road-like", "road_grid", times * side**2, NATURAL, keep=0.65) for side in (1413, 2800)),
        _square("triangulated", "triangulated_grid", times * 4096**2),
        _square("grid", "grid", times * 3000**2, ("both",)),
        _uniform(2 << scale),
    )


def _sets(scale: int) -> Instances:
    """One graph of each family, of a quarter of the full size, as it is and permuted."""
    s = scale - 2
    n = 1 << s
    return (
        _matrix(f"delaunay n{s}", "delaunay", n=n),
        _matrix(f"rgg n{s}", "random_geometric", n=n),
        _square("triangulated", "triangulated_grid", n),
        _square("road-like", "road_grid", n, keep=0.65),
        _kronecker(s),
        _matrix(f"rmat {s}", "rmat", scale=s),
        _matrix(f"random {n} d=3", "sprand", rows=n, degree=3.0),
        _hilo(n, min(32, n >> 4)),
    )


def by_entries(entries: int) -> Instances:
    """One graph of each class, of about so many entries."""

    def rows(degree: float) -> int:
        return max(16, round(entries / degree))

    s = max(4, round(math.log2(entries / 26)))
    return (
        _matrix(f"delaunay {rows(6)}", "delaunay", n=rows(6)),
        _matrix(f"rgg {rows(12)}", "random_geometric", NATURAL, n=rows(12)),
        _square("triangulated", "triangulated_grid", rows(6)),
        _square("road-like", "road_grid", rows(2.6), NATURAL, keep=0.65),
        _kronecker(s, NATURAL),
        _uniform(rows(3)),
    )


def narrow(entries: int) -> Instances:
    """Long and narrow graphs of about so many entries, grids, and one of each class."""
    degrees = {32: 9.8, entries // 200: 8.9}  # by the number of groups
    hilo = [_hilo(round(entries / degree / groups) * groups, groups) for groups, degree in degrees.items()]
    return (
        *hilo,
        *(replace(i, name=f"{i.name}, rolled", orders=NATURAL, form="rolled") for i in hilo),
        _square("grid", "grid", entries / 4),
        _matrix(f"grid 8x{entries // 30}", "grid", NATURAL, nx=8, ny=entries // 30),
        *by_entries(entries),
    )


def _at_sizes(graphs: Callable[[int], Instances], *sizes: int) -> Callable[[int], Instances]:
    """Graphs of so many entries each, fewer at a smaller scale."""

    def made(scale: int) -> Instances:
        shrunk = (max(6400, int(size * 2.0 ** (scale - FULL_SCALE))) for size in sizes)
        return _once(instance for size in shrunk for instance in graphs(size))

    return made


def _once(instances: Iterable[Instance]) -> Instances:
    return tuple({instance.name: instance for instance in instances}.values())


# Eight variants of GPU augmenting paths.
VARIANTS = (
    "apfb-gpubfs-mt,apfb-gpubfs-ct,apfb-gpubfs-wr-mt,apfb-gpubfs-wr-ct,"
    "apsb-gpubfs-mt,apsb-gpubfs-ct,apsb-gpubfs-wr-mt,apsb-gpubfs-wr-ct"
)
PUSH_RELABEL = ("g-pr-first", "g-pr-noshr", "g-pr-shr")
_STRATEGIES = (
    *(f"relabel=adaptive:k={k}" for k in ("0.3", "0.7", "1", "1.5", "2")),
    *(f"relabel=fix:k={k}" for k in ("10", "50")),
)

MATCHING = {
    "tiny": Suite(_TINY, "all", "every family at about 2,000 rows: seconds"),
    "small": Suite(_SMALL, "auto", "the rows on which auto is held against its peers: minutes"),
    "paper": Suite(_PAPER, "paper", "families x sizes x orders for the papers' tables: an hour or more", 5),
    "gpu": Suite(
        _gpu_graphs,
        f"auto,{VARIANTS},{','.join(PUSH_RELABEL)}",
        "every method of a GPU on graphs of a million rows and more",
    ),
    "variants": Suite(
        _sets, VARIANTS, "eight variants of GPU augmenting paths, graphs as they are and permuted"
    ),
    "relabelling": Suite(
        lambda scale: tuple(replace(instance, orders=NATURAL) for instance in _sets(scale)),
        ",".join(f"{name}:{strategy}" for strategy in _STRATEGIES for name in PUSH_RELABEL),
        "GPU push-relabel: three variants x seven strategies of global relabelling",
    ),
    "profiles": Suite(
        _sets,
        "auto,apfb-gpubfs-wr-ct,apfb-gpubfs-wr-mt,g-pr-shr,"
        "pfp:device=cpu:threads=1:init=sgm,hkdw:device=cpu:threads=1:init=sgm,"
        "p-dbfs:device=cpu:init=sgm,p-pfp:device=cpu:init=sgm,p-hk:device=cpu:init=sgm",
        "the papers' GPU methods against the sequential and the multicore ones",
    ),
    "classes": Suite(
        _classes,
        "auto,apfb-gpubfs-wr-ct,g-pr-shr,auto:at=host,apfb-gpubfs-wr-ct:at=host,g-pr-shr:at=host,"
        "auto:device=cpu,auto:device=cpu:threads=1",
        "the classes of the GPU papers, up to 16.8M rows, with copies and without",
    ),
    "sizes": Suite(
        _at_sizes(by_entries, 200_000, 1_000_000, 4_000_000),
        "auto:device=auto:at=device,auto:device=cpu:threads=1",
        "from which size on a GPU is faster than one thread",
    ),
    "narrow": Suite(
        _at_sizes(narrow, 210_000, 1_000_000),
        "auto:device=auto:at=device,auto:device=cpu:at=device,"
        "auto:device=cpu:at=device:threads=1,auto:device=cpu:threads=1",
        "long and narrow graphs, on which a GPU may lose to one thread",
    ),
    "as-flow": Suite(
        tuple(_matrix(f"kronecker {s}", "kronecker", NATURAL, scale=s, edge_factor=8) for s in (13, 16)),
        "flow-lock-free-rcsr,flow-tlpns-rcsr,flow-lock-free-bcsr,flow-tlpns-bcsr,ms-bfs",
        "matching as a flow on a GPU, the second task of the flow paper",
    ),
}

# The largest cost as a multiple of n, under the names that the studies give to the ranges.
RANGES = {"[0, n/10]": 0.1, "[0, n]": 1.0, "[0, 10n]": 10.0, "[0, 100n]": 100.0}
# Distances are multiplied by this and rounded: one of the peers takes integers only.
DISTANCE_FACTOR = 1_000_000


def _costs(name: str, family: str, **params: Any) -> Instance:
    # Costs are solved as they come: in random order most of them are of the same kind.
    return Instance(name, family, params, NATURAL, "assignment")


def _integers(n: int, label: str) -> Instance:
    return _costs(f"{n} {label}", "uniform_costs", rows=n, spread=RANGES[label])


_TINY_COSTS = (
    *(_integers(200, label) for label in RANGES),
    _costs("real 200", "real_costs", rows=200),
    _costs("real 150 x 250", "real_costs", rows=150, cols=250),
    _costs("euclidean 200", "euclidean_costs", rows=200, scale=DISTANCE_FACTOR),
    _costs("machol-wien 100", "machol_wien", rows=100),
    _costs("two-cost 200", "two_cost", rows=200),
    _costs("tracking 300", "tracking", tracks=300),
    _costs("tracking 200, dense", "tracking", tracks=200, dense=True),
    _costs("sparse 2k d=10", "sparse_costs", rows=2000, degree=10),
)
_SMALL_COSTS = (
    *(_integers(n, label) for n in (1000, 2000, 5000) for label in list(RANGES)[:3]),
    _integers(10_000, "[0, n]"),
    *(_costs(f"euclidean {n}", "euclidean_costs", rows=n, scale=DISTANCE_FACTOR) for n in (1000, 2000)),
    *(_costs(f"machol-wien {n}", "machol_wien", rows=n) for n in (1000, 2000)),
    _costs("sparse 100k d=10", "sparse_costs", rows=100_000, degree=10),
    _costs("sparse 1M d=10", "sparse_costs", rows=1_000_000, degree=10),
)
_FAMILIES = (
    *(_costs(f"real {n}", "real_costs", rows=n) for n in (1000, 2000, 5000)),
    _costs("real 1000 x 3000", "real_costs", rows=1000, cols=3000),
    _costs("real 3000 x 1000", "real_costs", rows=3000, cols=1000),
    *(_integers(n, "[0, 100n]") for n in (1000, 2000, 5000)),
    *(_costs(f"euclidean {n}, real", "euclidean_costs", rows=n) for n in (1000, 2000)),
    *(_costs(f"two-cost {n}", "two_cost", rows=n) for n in (1000, 2000)),
    _costs("tracking 2000, dense", "tracking", tracks=2000, dense=True),
    *(_costs(f"tracking {n}", "tracking", tracks=n) for n in (2000, 100_000)),
    *(_costs(f"sparse 100k d={d}", "sparse_costs", rows=100_000, degree=d) for d in (5, 50)),
)
_LARGE_COSTS = (
    *(_integers(n, label) for n in (10_000, 20_000) for label in RANGES),
    *(_costs(f"real {n}", "real_costs", rows=n) for n in (10_000, 20_000)),
)


def _gpu_costs(scale: int) -> Instances:
    sizes = (max(16, int(n * 2.0 ** (scale - FULL_SCALE))) for n in (10_000, 20_000))
    kinds = (*RANGES, "real", "euclidean")
    return _once(_costs(f"{n} {kind}", "device", n=n, kind=kind) for n in sizes for kind in kinds)


# The sizes and ranges of Date and Nagi, sections 6.1 and 6.2.
_PAPER_COSTS = tuple(_integers(n, "[0, n]") for n in range(500, 5001, 500))
_PAPER_LARGE = tuple(
    _integers(n, label) for label in list(RANGES)[:3] for n in (5000, 10_000, 15_000, 20_000)
)

ASSIGNMENT = {
    "tiny": Suite(_TINY_COSTS, "all", "every family at some hundred rows: seconds"),
    "small": Suite(_SMALL_COSTS, "auto", "the rows on which auto is held against its peers: minutes"),
    "families": Suite(_FAMILIES, "auto", "what the small suite leaves out: real, tied, gated"),
    "large": Suite(_LARGE_COSTS, "auto", "dense, 10,000 and 20,000 rows, all ranges: for a GPU"),
    "gpu": Suite(_gpu_costs, "auto,core-paths", "the same sizes, and distances, made on the GPU"),
    "paper": Suite(_PAPER_COSTS, "paper", "tables 1 and 2 of the paper, n = 500 to 5,000: minutes"),
    "paper-large": Suite(_PAPER_LARGE, "paper", "table 3, n = 5,000 to 20,000: an hour or more"),
}


def _network(name: str, family: str, form: str = "", **params: Any) -> Instance:
    # Networks are solved as they come: their vertices have no twin in random order.
    return Instance(name, family, params, NATURAL, "flow", form)


_TINY_NETWORKS = (
    _network("rlg long 8 x 64", "washington_rlg", width=8, levels=64),
    _network("rlg wide 64 x 8", "washington_rlg", width=64, levels=8),
    _network("mesh 16 x 32", "washington_mesh", width=16, levels=32),
    _network("genrmf a=4 b=16", "genrmf", a=4, b=16),
    _network("genrmf a=8 b=4", "genrmf", a=8, b=4),
    _network("vision 24, random", "vision_random", height=24),
    _network("vision 24, blobs", "vision_blobs", height=24, blobs=5),
    _network("rmat 8", "rmat_flow", scale=8),
    _network("road 16", "road_flow", nx=16, pairs=4),
    _network("matching 200 d=4", "washington_matching", n=200, degree=4),
    _network("rmat matching 8", "rmat_matching", scale=8),
)
_LEVELS = (
    _network("rlg long 64 x 2048", "washington_rlg", width=64, levels=2048),
    _network("rlg wide 2048 x 64", "washington_rlg", width=2048, levels=64),
)
_VISION, _LARGE_VISION = (
    (
        _network(f"vision {n}, random", "vision_random", height=n),
        _network(f"vision {n}, blobs", "vision_blobs", height=n, blobs=blobs),
    )
    for n, blobs in ((512, 60), (2048, 200))
)
_SMALL_NETWORKS = (
    *(_network(f"genrmf a={a} b={b}", "genrmf", a=a, b=b) for a, b in ((16, 256), (24, 128), (32, 64))),
    *_LEVELS,
    *_VISION,
    _network("rmat 17", "rmat_flow", scale=17),
    _network("rmat matching 17", "rmat_matching", scale=17),
)
_LARGE_NETWORKS = (
    _network("rlg 512 x 512", "washington_rlg", width=512, levels=512),
    _network("genrmf a=64 b=64", "genrmf", a=64, b=64),
    *_LARGE_VISION,
    _network("rmat 20", "rmat_flow", scale=20),
)
_GPU_NETWORKS = (
    *(_network(f"rlg {n} x {n}", "washington_rlg", width=n, levels=n) for n in (256, 512)),
    *_LEVELS,
    *(_network(f"genrmf a={a} b={b}", "genrmf", a=a, b=b) for a, b in ((16, 256), (32, 64), (64, 64))),
    *_VISION,
    *_LARGE_VISION,
    _network("rmat 17", "rmat_flow", scale=17),
)
_GRIDS = tuple(
    _network(i.name.replace("vision", "grid"), i.family, "grid", **i.params)
    for i in (*_VISION, *_LARGE_VISION)
)
# The synthetic networks of the paper's table I at its sizes; graphs of the same kinds for those of SNAP and
# KONECT, which have to be fetched: --data takes them.
_PAPER_NETWORKS = (
    *(_network(f"rmat {s}", "rmat_flow", scale=s) for s in (12, 14, 16)),
    *(_network(f"road {n}", "road_flow", nx=n) for n in (256, 512)),
    _network("washington rlg (S0)", "washington_rlg", width=512, levels=512),
    _network("genrmf (S1)", "genrmf", a=128, b=128),
    *(_network(f"rmat matching {s}", "rmat_matching", scale=s) for s in (8, 12, 14, 16)),
    _network("matching 20000 d=4", "washington_matching", n=20_000, degree=4),
)

FLOW = {
    "tiny": Suite(_TINY_NETWORKS, "all", "every family at some hundred vertices: seconds"),
    "small": Suite(_SMALL_NETWORKS, "auto", "the rows on which auto is held against its peers: minutes"),
    "large": Suite(_LARGE_NETWORKS, "auto", "a million arcs and more"),
    "gpu": Suite(_GPU_NETWORKS, "auto,sync-pr", "networks for a GPU, up to 2,048 x 2,048 pixels"),
    "grids": Suite(_GRIDS, "auto", "images as the arrays of konig.grid_cut"),
    "paper": Suite(_PAPER_NETWORKS, "paper", "networks and bipartite graphs of the paper's tables: an hour"),
}

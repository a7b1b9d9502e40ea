"""Named lists of instances, and the cache that keeps each of them on disk once it has been made."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from konig import io
from konig.lab.generators import generate, permute

# What is put in random order, under the names of `konig generate --permute`, and the papers' headings.
ORDERS = {"none": "No perm", "rows": "Row perm", "cols": "Col perm", "both": "Row+Col perm"}
PLAIN = ("none",)
TWIN = ("none", "both")

DATA_SUFFIXES = (".mtx", ".mtx.gz", ".mtx.xz", ".mtx.bz2")


@dataclass(frozen=True)
class Instance:
    """One matrix: of a generator's family, or in a file.

    Attributes
    ----------
    name : str
        What reports call it.
    family : str
        A generator, or "file".
    params : mapping
        The generator's parameters, or the file's path.
    orders : tuple of str
        The orders (keys of `ORDERS`) in which it is solved.
    """

    name: str
    family: str
    params: Mapping[str, Any] = field(default_factory=dict)
    orders: tuple[str, ...] = TWIN

    def cached(self, folder: Path) -> Path:
        """The path of this matrix in the cache, made on first use."""
        path = folder / f"{self.name.replace('/', '_').replace(' ', '-')}-{self._digest()}.npz"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            save(path, self._make())
        return path

    def _digest(self) -> str:
        key: list[Any] = [self.family, dict(self.params)]
        if self.family == "file":
            about = os.stat(self.params["path"])
            key += [about.st_size, about.st_mtime_ns]
        return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:10]

    def _make(self) -> sparse.csr_array:
        if self.family == "file":
            return sparse.csr_array(io.read(self.params["path"]))
        return generate(self.family, seed=1, **self.params)


@dataclass(frozen=True)
class Suite:
    """Instances to be solved together.

    Attributes
    ----------
    instances : tuple of Instance
    draws : int
        How many random permutations of each kind are averaged.
    methods : str
        What is run unless the caller says otherwise.
    summary : str
    """

    instances: tuple[Instance, ...]
    draws: int
    methods: str
    summary: str


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
NO_INSTANCES = Suite((), 5, "auto", "nothing but the files of --data")


def files(folder: Path) -> tuple[Instance, ...]:
    """Every Matrix Market file of a folder, as instances in all four orders."""
    if not folder.is_dir():
        raise NotADirectoryError(20, "not a folder", str(folder))
    found = sorted(path for path in folder.iterdir() if path.name.lower().endswith(DATA_SUFFIXES))
    if not found:
        raise ValueError(f"{folder}: no .mtx files here")
    return tuple(
        Instance(path.name.partition(".mtx")[0], "file", {"path": str(path.resolve())}, tuple(ORDERS))
        for path in found
    )


def save(path: Path, matrix: sparse.csr_array) -> None:
    """Write a pattern in one step: whoever looks finds a whole file or none."""
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as file:
        np.savez(file, indptr=matrix.indptr, indices=matrix.indices, shape=np.array(matrix.shape))
    part.replace(path)


def load(path: Path, order: str = "none", seed: int = 0) -> sparse.csr_array:
    """A cached pattern, its rows and columns put in random order where `order` says so."""
    with np.load(path) as arrays:
        indptr, indices, shape = arrays["indptr"], arrays["indices"], tuple(arrays["shape"].tolist())
    matrix = sparse.csr_array((np.ones(len(indices), np.int8), indices, indptr), shape=shape)
    if order == "none":
        return matrix
    return permute(matrix, order in ("rows", "both"), order in ("cols", "both"), seed)

"""Instances and named lists of them; what is special to a problem stands in `konig.lab.problems`."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from konig.io.whole_files import whole_file

# What is put in random order, under the names of `konig generate --permute`, and the papers' headings.
ORDERS = {"none": "No perm", "rows": "Row perm", "cols": "Col perm", "both": "Row+Col perm"}
PLAIN = ("none",)
TWIN = ("none", "both")


@dataclass(frozen=True)
class Instance:
    """One instance of a problem: of a generator's family, or in a file.

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
    problem : str
        A key of `konig.lab.problems.PROBLEMS`.
    """

    name: str
    family: str
    params: Mapping[str, Any] = field(default_factory=dict)
    orders: tuple[str, ...] = TWIN
    problem: str = "matching"

    def file_name(self) -> str:
        """The name under which a cache keeps it: another one for other parameters or another file."""
        key: list[Any] = [self.family, dict(self.params)]
        if self.family == "file":
            about = os.stat(self.params["path"])
            key += [about.st_size, about.st_mtime_ns]
        digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:10]
        return f"{self.name.replace('/', '_').replace(' ', '-')}-{digest}.npz"


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


NO_INSTANCES = Suite((), 5, "auto", "nothing but the files of --data")


def files_of(
    folder: Path, suffixes: tuple[str, ...], problem: str, orders: tuple[str, ...]
) -> tuple[Instance, ...]:
    """Every file of a folder that ends in one of the suffixes, as instances; compressed ones too."""
    if not folder.is_dir():
        raise NotADirectoryError(20, "not a folder", str(folder))
    found = []
    for path in sorted(folder.iterdir()):
        plain = path.name.lower().removesuffix(".gz").removesuffix(".xz").removesuffix(".bz2")
        suffix = next((suffix for suffix in suffixes if plain.endswith(suffix)), None)
        if suffix:
            name = path.name[: len(plain) - len(suffix)]
            found.append(Instance(name, "file", {"path": str(path.resolve())}, orders, problem))
    if not found:
        raise ValueError(f"{folder}: no {' or '.join(suffixes)} files here")
    return tuple(found)


def write_whole(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays in one step: whoever looks finds a whole file or none."""
    with whole_file(path) as file:
        np.savez(file, **arrays)

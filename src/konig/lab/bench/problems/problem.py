"""What the bench needs of a problem. Its data is what the problem's instances are: a matrix, a network.

A race needs less than a suite: `Raced` is what problems and their relatives have in common.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from scipy import sparse

from konig.io.files import strip_suffix, whole_file
from konig.lab.bench.contenders import Peer
from konig.lab.bench.suites import NATURAL, ORDERS, Instance, Suite
from konig.lab.generators.pattern import PERMUTATIONS, permute


class Raced(ABC):
    """What is solved by several contenders, and how their answers are checked."""

    name: str
    counted: str  # the unit of the objective
    peers: Mapping[str, Peer]
    # Solved once before the clock starts: imports and the compilation of GPU kernels are not compared.
    warm_up: Any

    @abstractmethod
    def extent(self, data: Any) -> dict[str, Any]:
        """``rows``, ``cols`` and ``nonzeros``, and the ``group`` of instances that it belongs to."""

    def left_out(self, data: Any, contender: Mapping[str, Any]) -> str | None:
        """Why a contender is not asked to solve this; None if it is."""
        if contender["kind"] != "peer":
            return None
        refuses = self.peers[contender["name"]].refuses
        return None if refuses is None else refuses(data)

    def objection(self, size: float, proven: float) -> str | None:
        """What is wrong with a feasible answer of this size, where one is proved optimal; None if nothing."""
        return None if size == proven else f"{size} {self.counted}, but {proven} are proved maximum"

    def for_peers(self, data: Any) -> tuple[Any, float]:
        """The data as other libraries take it, and what one unit of their objective is in ours."""
        return data, 1.0

    @abstractmethod
    def placed(self, data: Any, at: str) -> Any:
        """The data on the host or on a GPU; moving it there is not timed."""

    @abstractmethod
    def solve(self, data: Any, method: str, options: Mapping[str, Any]) -> Any:
        """The whole public call."""

    def call(self, data: Any, method: str, options: Mapping[str, Any]) -> Callable[[], Any]:
        """The same, ready to be called: what the clock runs over."""
        return partial(self.solve, data, method, options)

    def read(self, answer: Any) -> None:  # noqa: B027
        """Read what our answer makes when it is first read, and a peer's whole call makes as well."""

    @abstractmethod
    def verify(self, data: Any, answer: Any) -> float:
        """Prove our answer, and return its size; `konig.errors.CertificateError` if it is refused."""

    @abstractmethod
    def check(self, data: Any, answer: Any) -> float:
        """Check what a peer's ``answer`` returned to be feasible, and return its size."""


class Problem(Raced):
    """One of the three problems, with suites of instances that are kept in files; its name has methods."""

    paper: tuple[str, ...]  # the methods, with settings, that the list of methods ``paper`` stands for
    suffixes: tuple[str, ...]  # of the files that it can read
    suites: Mapping[str, Suite]
    parts: tuple[str, ...]  # the parts of a call that are timed
    stages: tuple[str, ...]  # the parts of a solve that the table of a GPU shows
    counts: tuple[tuple[str, ...], ...]  # of each of these counters it shows the first that a method has
    permuted: bool = False  # whether instances are also solved in random orders of their rows and columns

    def cached(self, instance: Instance, folder: Path) -> Path:
        """The path of an instance in a cache, made on first use."""
        path = folder / instance.file_name()
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            data = self.make(instance)
            with whole_file(path) as file:
                self.save(file, data)
        return path

    def save(self, file: Any, data: Any) -> None:
        """Write an instance into a file of a cache: a sparse matrix, if the problem knows nothing else."""
        sparse.save_npz(file, data, compressed=False)

    def restore(self, path: Path) -> Any:
        """What `save` has written."""
        return sparse.load_npz(path)

    def load(self, path: Path, order: str = "none", seed: int = 0) -> Any:
        """The data of a file in a cache, in random order where `order` says so."""
        data = self.restore(path)
        if order == "none":
            return data
        if not self.permuted:
            raise ValueError(f"order={order!r}: {self.name} takes its instances as they come")
        return permute(data, *PERMUTATIONS[order], seed)

    def files(self, folder: Path) -> tuple[Instance, ...]:
        """Every file of a folder that the problem can read, as instances; compressed ones too."""
        if not folder.is_dir():
            raise NotADirectoryError(20, "not a folder", str(folder))
        orders = tuple(ORDERS) if self.permuted else NATURAL
        found = []
        for path in sorted(folder.iterdir()):
            bare = strip_suffix(path.name.lower())
            suffix = next((suffix for suffix in self.suffixes if bare.endswith(suffix)), None)
            if suffix:
                name = path.name[: len(bare) - len(suffix)]
                found.append(Instance(name, "file", {"path": str(path.resolve())}, orders, self.name))
        if not found:
            raise ValueError(f"{folder}: no {' or '.join(self.suffixes)} files here")
        return tuple(found)

    @abstractmethod
    def make(self, instance: Instance) -> Any:
        """Generate or read an instance."""

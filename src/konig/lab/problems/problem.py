"""A problem as the bench sees it. Its data is whatever the problem's instances are: a matrix, a network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from konig.lab.peers import Peer
from konig.lab.suites import Instance, Suite

if TYPE_CHECKING:
    from konig.lab.figures import Row
    from konig.lab.runner import Record


class Problem(ABC):
    """Everything that differs from one problem to another.

    Attributes
    ----------
    name : str
        As in ``konig.methods(name)``.
    counted : str
        What the number that is made largest or smallest counts.
    paper : tuple of str
        The methods that the list of methods ``paper`` stands for, with their settings.
    parts : tuple of str
        The parts of a call whose times are told apart.
    permuted : bool
        Whether instances are solved in random orders of their rows and columns, too.
    suites, peers : mapping
    warm_up : data
        Solved once before the clock starts: imports and the compilation of GPU kernels are not compared.
    """

    name: str
    counted: str
    paper: tuple[str, ...]
    suites: Mapping[str, Suite]
    peers: Mapping[str, Peer]
    warm_up: Any
    parts: tuple[str, ...]
    permuted: bool = False

    def cached(self, instance: Instance, folder: Path) -> Path:
        """The path of an instance in a cache, made on first use."""
        path = folder / instance.file_name()
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            self.save(path, self.make(instance))
        return path

    @abstractmethod
    def files(self, folder: Path) -> tuple[Instance, ...]:
        """The files of a folder as instances."""

    @abstractmethod
    def make(self, instance: Instance) -> Any:
        """Generate or read an instance."""

    @abstractmethod
    def save(self, path: Path, data: Any) -> None:
        """Keep data in a file."""

    @abstractmethod
    def load(self, path: Path, order: str = "none", seed: int = 0) -> Any:
        """The data of a file, in random order where `order` says so."""

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

    def placed(self, data: Any, options: Mapping[str, Any]) -> Any:
        """The data where a method with these options wants it; moving it there is not timed."""
        return data

    @abstractmethod
    def solve(self, data: Any, method: str, options: Mapping[str, Any]) -> Any:
        """The whole public call."""

    @abstractmethod
    def verify(self, data: Any, answer: Any) -> float:
        """Prove our answer, and return its size; `konig.errors.CertificateError` if it is refused."""

    @abstractmethod
    def check(self, data: Any, answer: Any) -> float:
        """Check what a peer's ``answer`` returned to be feasible, and return its size."""

    def tables(self, records: Sequence[Record]) -> Iterator[Table]:
        """Every table that these records can fill."""
        from konig.lab import contenders, figures, report

        rows = figures.averaged(records)
        if not rows:
            return
        methods = figures.solvers(rows, "method")
        yield report.running_times(rows)
        if methods:
            yield report.parts_of_time(rows, methods, self.parts)
            yield from self.method_tables(rows, methods)
        for method in methods:
            if (alone := method + contenders.ONE_THREAD) in methods:
                yield report.against_one_thread(rows, method, alone)
        yield report.slowest(rows)
        yield from self.paper_tables(records, rows)
        if methods and figures.solvers(rows, "peer"):
            yield report.against_peers(rows, methods[0])

    def method_tables(self, rows: Sequence[Row], methods: Sequence[str]) -> Iterator[Table]:
        """What only our methods tell, of records averaged over repeats."""
        return iter(())

    def paper_tables(self, records: Sequence[Record], rows: Sequence[Row]) -> Iterator[Table]:
        """The tables of the papers, of all records and of those averaged over repeats."""
        return iter(())

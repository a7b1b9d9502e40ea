"""Processes beside the one that measures: they make the instances and prove the answers."""

from __future__ import annotations

import multiprocessing
from functools import lru_cache
from multiprocessing.pool import AsyncResult
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.lab import pattern_files
from konig.lab.generators import generate
from konig.lab.suites import Instance
from konig.matching.inputs import as_graph


class Workshop:
    """A pool of processes and the folder through which matrices travel.

    It must be opened before CUDA is: a forked child cannot use the parent's context.
    """

    def __init__(self, folder: Path, workers: int):
        method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
        self._pool = multiprocessing.get_context(method).Pool(workers)
        self._folder = folder
        self._paths: dict[str, AsyncResult[Path]] = {}  # by the instance's name
        self._proofs: dict[str, AsyncResult[str]] = {}

    def order(self, instances: list[Instance]) -> None:
        """Begin to make these, first come first served; those ordered before are not made twice."""
        for instance in instances:
            if instance.name not in self._paths:
                self._paths[instance.name] = self._pool.apply_async(_made, (instance, self._folder))

    def next_ready(self, waiting: list[Instance], until: float) -> Instance | None:
        """The first of these that is made; None if none is at a time of `time.monotonic`."""
        while True:
            for instance in waiting:
                if self._paths[instance.name].ready():
                    return instance
            if monotonic() >= until:
                return None
            sleep(0.05)

    def take(self, instance: Instance, until: float) -> sp.csr_array | None:
        """The matrix, or None if it is not there at a time of `time.monotonic`."""
        try:
            return pattern_files.load(self._paths[instance.name].get(max(until - monotonic(), 0.0)))
        except multiprocessing.TimeoutError:
            return None

    def prove(self, instance: Instance, answer: konig.Matching, title: str) -> None:
        """Begin to verify an answer against the matrix on disk."""
        partners = _host(answer.col_of_row), _host(answer.row_of_col)
        path = self._paths[instance.name].get()
        self._proofs[title] = self._pool.apply_async(_refuted, (path, answer.size, *partners))

    def proofs(self, until: float) -> tuple[int, list[str]]:
        """How many of the answers given to `prove` are proved, and what is wrong with the others."""
        problems = []
        for title, proof in self._proofs.items():
            try:
                problem = proof.get(max(until - monotonic(), 0.0))
            except multiprocessing.TimeoutError:
                problem = "no time was left to prove it"
            except Exception as failed:  # in the process that proves
                problem = f"{type(failed).__name__}: {failed}"
            if problem:
                problems.append(f"{title}: {problem}")
        return len(self._proofs) - len(problems), problems

    def quiet(self, until: float) -> bool:
        """Wait until nothing runs here any more, so that the cores are free for who is timed on them."""
        work: list[AsyncResult[Any]] = [*self._paths.values(), *self._proofs.values()]
        for piece in work:
            piece.wait(max(until - monotonic(), 0.0))
        return all(piece.ready() for piece in work)

    def close(self) -> None:
        """Stop whatever still runs."""
        self._pool.terminate()
        self._pool.join()


def _host(array: Any) -> np.ndarray:
    """A NumPy array of a NumPy or CuPy one."""
    return np.asarray(array.get() if hasattr(array, "get") else array)


def _made(instance: Instance, folder: Path) -> Path:
    """The path of an instance, generated unless it is there."""
    path = folder / instance.file_name()
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        pattern_files.save(path, generate(instance.family, seed=1, **instance.params))
    return path


@lru_cache(maxsize=1)
def _matrix(path: Path) -> sp.csr_array:
    return pattern_files.load(path)


def _refuted(path: Path, size: int, col_of_row: np.ndarray, row_of_col: np.ndarray) -> str:
    """Why this is no maximum matching of the matrix in the file; empty if it is one."""
    A = _matrix(path)
    graph = as_graph(A)
    answer = konig.Matching(size, col_of_row, row_of_col, "", "", {}, graph.nonzeros, graph)
    try:
        answer.verify(A)
    except konig.CertificateError as problem:
        return str(problem)
    return ""

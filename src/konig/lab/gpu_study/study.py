"""The clock, the device and the workshop that all sections share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import scipy.sparse as sp

import konig
from konig.lab.device_runs import Measured, measure, on_device
from konig.lab.gpu_study.pages import Page
from konig.lab.gpu_study.workshop import Workshop
from konig.lab.suites import Instance

_SMALL = sp.csr_array(np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1]], np.int8))


@dataclass
class Study:
    """One study: where it runs, how long a section may take, and where its pages go.

    ``ends`` is the time of `time.monotonic` at which the section that runs must end.
    """

    out: Path
    device: str
    scale: int
    repeats: int
    cores: int
    workshop: Workshop
    ends: float = 0.0
    failures: list[str] = field(default_factory=list)
    _proved: set[tuple[str, str]] = field(default_factory=set)
    _compiled: set[str] = field(default_factory=set)
    _held: list[tuple[Instance, konig.Matching, str]] | None = None

    @property
    def left(self) -> float:
        return self.ends - monotonic()

    def take(self, instance: Instance) -> sp.csr_array | None:
        """The matrix, or None if it is not made before the section ends."""
        try:
            A = self.workshop.take(instance, self.ends)
        except Exception as problem:  # of the generator, in its own process
            self.failures.append(f"{instance.name}: {type(problem).__name__}: {problem}")
            return None
        if A is None:
            self.failures.append(f"{instance.name}: not generated in time")
        return A

    @contextmanager
    def undisturbed(self, page: Page) -> Iterator[None]:
        """Free cores for what is timed, waited for up to a third of the time left; proofs come after."""
        if not self.workshop.quiet(monotonic() + self.left / 3):
            page.notes.append("graphs were still being made, or answers proved, while the CPU was timed")
        self._held = []
        try:
            yield
        finally:
            held, self._held = self._held, None
            for proof in held:
                self.workshop.prove(*proof)

    def on_device(self, A: sp.csr_array) -> Any:
        return on_device(A, self.device)

    def run(
        self, instance: Instance, A: Any, options: dict[str, Any], limit: float, repeats: int | None = None
    ) -> Measured:
        """Measure a method on a matrix of the instance, and have its answer proved once."""
        if self.left <= 0:
            return Measured(status="cut")
        self._compile(options)
        limit = max(min(limit, self.left), 1e-3)
        measured = measure(A, options, self.repeats if repeats is None else repeats, limit)
        title = ", ".join(str(value) for name, value in options.items() if name != "counters")
        if measured.answer is not None and (instance.name, title) not in self._proved:
            self._proved.add((instance.name, title))
            proof = (instance, measured.answer, f"{instance.name}, {title}")
            if self._held is None:
                self.workshop.prove(*proof)
            else:
                self._held.append(proof)
        elif measured.status not in ("", "cut"):
            self.failures.append(f"{instance.name}, {title}: {measured.status}")
        measured.answer = None
        return measured

    def _compile(self, options: dict[str, Any]) -> None:
        """Solve something small first, so that what compiles is not stopped for it."""
        kind = f"{options['method']} on {options['device']}"
        if kind not in self._compiled:
            self._compiled.add(kind)
            with suppress(Exception):  # what fails here fails again where it is reported
                konig.maximum_matching(on_device(_SMALL, options["device"]), **options)

    def on_gpu(self, name: str, **knobs: Any) -> dict[str, Any]:
        """The options of a method on the device that is studied; its counters are off, as in `gpu_bench`."""
        counters = {} if name == "auto" else {"counters": False}
        team = {"threads": self.cores} if self.device == "cpu" else {}
        return {"method": name, "device": self.device, **team, **counters, **knobs}

    def on_cores(self, name: str, threads: int, **knobs: Any) -> dict[str, Any]:
        return {"method": name, "device": "cpu", "threads": threads, **knobs}

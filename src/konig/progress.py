"""Progress of a long solve: a bar on stderr, or the caller's own function."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int, int], object]


@contextmanager
def reporting(progress: bool | Report | None, title: str) -> Iterator[Report | None]:
    """A function (done, total) for the solver to call, or None without progress."""
    if not progress:
        yield None
    elif callable(progress):
        yield progress
    elif progress is True:
        with _bar(title) as report:
            yield report
    else:
        raise TypeError(f"progress must be True, a callable or None, not {progress!r}")


@contextmanager
def _bar(title: str, patience: float = 0.5) -> Iterator[Report]:
    """A bar that appears only once the work has taken longer than ``patience`` seconds."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} of {task.total:,}"),
    )
    bar = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    task = bar.add_task(title, total=0)
    began = time.perf_counter()
    started = False

    def report(done: int, total: int) -> None:
        nonlocal started
        if not started and time.perf_counter() - began > patience:
            bar.start()
            started = True
        bar.update(task, completed=done, total=total)

    try:
        yield report
    finally:
        if started:
            bar.stop()

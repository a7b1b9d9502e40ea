"""Progress of a long solve: a bar on stderr, or the caller's own function."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

Report = Callable[[int, int], object]


def reporting(progress: bool | Report | None, title: str) -> AbstractContextManager[Report | None]:
    """A function (done, total) for the solver to call, or None without progress."""
    if not progress:
        return nullcontext()
    if callable(progress):
        return nullcontext(progress)
    if progress is True:
        return bar(title)
    raise TypeError(f"progress must be True, a callable or None, not {progress!r}")


@contextmanager
def bar(title: str, patience: float = 0.5) -> Iterator[Callable[..., object]]:
    """A bar that appears only once the work has taken longer than ``patience`` seconds.

    Its function takes done, total and perhaps another title.
    """
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,} of {task.total:,}"),
    )
    shown = Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True), transient=True)
    task = shown.add_task(title, total=0)
    began = time.perf_counter()
    started = False

    def report(done: int, total: int, title: str = title) -> None:
        nonlocal started
        if not started and time.perf_counter() - began > patience:
            shown.start()
            started = True
        shown.update(task, completed=done, total=total, description=escape(title))

    try:
        yield report
    finally:
        if started:
            shown.stop()

"""The errors that konig raises, apart from plain ``ValueError`` and ``TypeError``."""

from __future__ import annotations

import os
from typing import Any


class CertificateError(Exception):
    """An answer was refused: it is not valid, or its certificate does not prove it optimal."""


class DeviceError(RuntimeError):
    """The device that was asked for is not here; the message says what to install."""


class FileFormatError(ValueError):
    """A file cannot be read; the message names the file and, where there is one, the line.

    Attributes
    ----------
    path : str
        The file as the caller named it.
    line : int or None
        The first offending line, counted from 1.
    """

    def __init__(self, path: str | os.PathLike[str], problem: str, line: int | None = None):
        self.path = os.fspath(path)
        self.line = line
        self.problem = problem
        where = self.path if line is None else f"{self.path}, line {line}"
        super().__init__(f"{where}: {problem}")

    def __reduce__(self) -> Any:
        return type(self), (self.path, self.problem, self.line)


class InfeasibleError(ValueError):
    """No assignment is full: a set of rows (or of columns) has too few partners, by Hall's theorem.

    Attributes
    ----------
    rows, cols : ndarray
        The Hall violator, both sorted. Where there are more rows than columns here, these rows have allowed
        pairs with these columns and no others; otherwise these columns with these rows and no others.
    problem : int or None
        Which problem of a batch it is about.
    """

    def __init__(self, rows: Any, cols: Any, problem: int | None = None):
        self.rows = rows
        self.cols = cols
        self.problem = problem
        many, few = (
            ((rows, "row"), (cols, "column")) if len(rows) > len(cols) else ((cols, "column"), (rows, "row"))
        )
        where = "" if problem is None else f"problem {problem}: "
        super().__init__(
            f"{where}no assignment is full: {_counted(*many)} "
            f"{f'has {_counted(*few)}' if len(many[0]) == 1 else f'have {_counted(*few)} between them'}"
        )

    def __reduce__(self) -> Any:
        return type(self), (self.rows, self.cols, self.problem)


class UnboundedError(ValueError):
    """Arcs of infinite capacity lead from a source to a sink: no flow is maximum."""


class CardinalityError(InfeasibleError):
    """No matching has as many pairs as were asked for: too few rows and columns meet every edge.

    Attributes
    ----------
    rows, cols : ndarray
        A cover, both sorted: every edge is in one of these rows or columns, which are fewer than the pairs
        asked for (Kőnig's theorem).
    cardinality : int
        How many pairs were asked for.
    """

    def __init__(self, rows: Any, cols: Any, cardinality: int):
        self.rows, self.cols, self.problem, self.cardinality = rows, cols, None, cardinality
        meet = f"{_counted(rows, 'row')} and {_counted(cols, 'column')} meet every edge"
        ValueError.__init__(self, f"no matching has {cardinality} pairs: {meet}")

    def __reduce__(self) -> Any:
        return type(self), (self.rows, self.cols, self.cardinality)


def _counted(ids: Any, name: str) -> str:
    shown = (
        f" ({', '.join(str(int(i)) for i in ids[:8])}{', ...' if len(ids) > 8 else ''})" if len(ids) else ""
    )
    return f"{len(ids) or 'no'} {name}{'' if len(ids) == 1 else 's'}{shown}"

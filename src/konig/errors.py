"""The errors that konig raises, apart from plain ``ValueError`` and ``TypeError``."""

from __future__ import annotations

import os


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

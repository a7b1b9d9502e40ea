"""Errors that end a command with one line on stderr; a failed write to stdout is one, too."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import Any

from konig.errors import CertificateError, DeviceError

REFUSED, BAD_INPUT = 1, 2

# How errors about the problem itself begin: the name of the argument that a command reads from its file.
_ABOUT_THE_FILE = re.compile(r"(A|C|capacity)\b")


class CommandError(Exception):
    """The command cannot go on; the message is for people, ``status`` for the shell."""

    def __init__(self, message: str, status: int = BAD_INPUT):
        super().__init__(message)
        self.status = status


@contextmanager
def refusals(file: Path | None = None) -> Iterator[None]:
    """Turn what the library raises about bad input, and refused certificates, into `CommandError`.

    ``file`` is where the problem came from; errors about the problem name it.

    Only calls into the library belong inside: an error of the command's own code is a bug and must look like
    one.
    """
    try:
        yield
    except CertificateError as refused:
        raise CommandError(f"certificate refused: {refused}", REFUSED) from refused
    except OSError as problem:
        named = f"{problem.filename}: {problem.strerror}" if problem.filename else str(problem)
        raise CommandError(named) from problem
    except (ValueError, TypeError, ImportError, OverflowError, DeviceError) as problem:
        named = f"{file}: " if file and _ABOUT_THE_FILE.match(str(problem)) else ""
        raise CommandError(f"{named}{problem}") from problem
    except MemoryError as problem:
        named = f"{file}: " if file else ""
        raise CommandError(f"{named}{str(problem) or 'not enough memory for this matrix'}") from problem


class StandardOutput:
    """A text stream whose failures are `CommandError`.

    Libraries on the way take an OSError for their own: rich and click end the process with status 1 when a
    pipe is closed.
    """

    def __init__(self, stream: Any):
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return int(self._do(self._stream.write, text))

    def flush(self) -> None:
        self._do(self._stream.flush)

    def _do(self, operation: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return operation(*arguments)
        except OSError as problem:
            raise CommandError(f"stdout: {problem.strerror}") from problem


@contextmanager
def checked_stdout() -> Iterator[None]:
    """Inside, what cannot be written to stdout is a `CommandError`, and so is a stdout that is closed."""
    stream = sys.stdout
    if stream is None:  # the process was started without one
        raise CommandError("stdout is closed")
    if isinstance(stream, io.TextIOWrapper):
        # A name of a file or a sign of ours that the terminal cannot show is spelled out.
        stream.reconfigure(errors="backslashreplace")
    checked: Any = StandardOutput(stream)
    try:
        with redirect_stdout(checked):
            yield
            sys.stdout.flush()
    except CommandError:
        _forget_what_is_left(stream)
        raise


def _forget_what_is_left(stream: Any) -> None:
    """Discard what a failed stream still buffers: Python would fail on it again at exit."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
        os.close(nowhere)

"""stdout, of which a failed write ends a command as any other bad target does: one line, status 2."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Any

from konig.cli.refusal import CommandError


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
        try:
            return int(self._stream.write(text))
        except OSError as problem:
            raise CommandError(f"stdout: {problem.strerror}") from problem

    def flush(self) -> None:
        try:
            self._stream.flush()
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
    try:
        with redirect_stdout(StandardOutput(stream)):  # type: ignore[type-var]
            yield
            sys.stdout.flush()
    except CommandError:
        _forget_what_is_left(stream)
        raise


def _forget_what_is_left(stream: Any) -> None:
    """Leave nothing in a stream that cannot be written: Python would complain again at the end."""
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
        os.close(nowhere)

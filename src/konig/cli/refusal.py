"""Errors that end a command with one line on stderr."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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

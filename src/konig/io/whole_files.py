"""Files that appear when all of them is written, and not before."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary stream into a file of this name, which is there as a whole afterwards, or as it was before.

    It is written aside, in the same folder, and renamed. A device or a pipe is written as it is.

    Raises
    ------
    OSError
        Whatever went wrong while it was written; it names the file.
    """
    target = os.path.realpath(path)
    try:
        if os.path.exists(target) and not os.path.isfile(target):
            with open(target, "wb") as stream:
                yield stream
            return
        aside = os.path.join(os.path.dirname(target), f".konig-{secrets.token_hex(8)}.part")
        try:
            with open(aside, "xb") as stream:
                yield stream
            if os.path.exists(target):
                shutil.copymode(target, aside)
            os.replace(aside, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(aside)
            raise
    except OSError as problem:
        reason = problem.strerror or str(problem)  # NumPy and zlib raise some without a number
        raise OSError(problem.errno, reason, os.fspath(path)) from problem

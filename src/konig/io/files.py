"""Opening files for reading and writing, compressed or not; one that is written appears as a whole.

What a file is compressed with is read off its first bytes, not off its name: files are renamed, and some
programs that fetch them unpack on the way. The same holds for archives of tar, as SuiteSparse has them; and a
mark that the text is UTF-8 is skipped.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import secrets
import shutil
import stat
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, Literal, cast

from konig.errors import FileFormatError

SUFFIXES = (".gz", ".xz", ".bz2")

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
_MAGIC = {b"\x1f\x8b": ".gz", b"\xfd7zXZ\x00": ".xz", b"BZh": ".bz2"}


def strip_suffix(name: str) -> str:
    """The file name without the suffix that says how it is compressed."""
    stem, suffix = os.path.splitext(name)
    return stem if suffix.lower() in SUFFIXES else name


class Source:
    """A file to read, which can be opened more than once, and may stand for its path.

    Finding the line of an error takes a second pass, so a pipe (``/dev/stdin``, a process substitution) is
    kept in memory.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = os.fsdecode(path)
        if "\0" in self.path:
            raise ValueError(f"path {self.path!r}: no name of a file holds a null character")
        status = os.stat(self.path)
        self.size = status.st_size  # in bytes, compressed or not
        if stat.S_ISDIR(status.st_mode):
            raise self.error("is a directory, not a file")
        self._content: bytes | None = None
        if not stat.S_ISREG(status.st_mode):
            with open(self.path, "rb") as pipe:
                self._content = pipe.read()
            self.size = len(self._content)

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """The bytes, unpacked; damage in the compressed data becomes a `FileFormatError`."""
        with open(self.path, "rb") if self._content is None else io.BytesIO(self._content) as raw:
            start = raw.read(8)
            raw.seek(0)
            kind = next((suffix for magic, suffix in _MAGIC.items() if start.startswith(magic)), "")
            try:
                with _packed(raw, kind, "rb") as stream, self._content_of(stream) as content:
                    yield content
            except (EOFError, zlib.error, lzma.LZMAError, tarfile.TarError, OSError) as error:
                # gzip and bz2 report damaged data as an OSError without an error number.
                if isinstance(error, OSError) and error.errno is not None:
                    raise
                raise self.error(f"the compressed data is damaged or cut short ({error})") from error

    @contextmanager
    def _content_of(self, stream: BinaryIO) -> Iterator[BinaryIO]:
        """The file that is meant in an archive, or all of it; behind the mark of UTF-8 if there is one."""
        start = stream.read(_TAR_MAGIC_AT + len(_TAR_MAGIC))
        stream.seek(0)
        if start[_TAR_MAGIC_AT:] != _TAR_MAGIC:
            yield _behind_mark(stream)
            return
        try:
            archive = tarfile.open(fileobj=stream, mode="r:")  # noqa: SIM115 (closed below)
            found = _matrices(archive)
        except (tarfile.TarError, ValueError, OverflowError) as error:
            raise self.error(f"the archive is damaged ({error})") from error
        if len(found) != 1:
            listed = ", ".join(repr(file.name) for file in found[:8]) or "none"
            raise self.error(f"the archive should hold one matrix; its files are {listed}")
        with archive:
            member = archive.extractfile(found[0])
            assert member is not None, "it is a file"
            yield _behind_mark(cast(BinaryIO, member))

    def __fspath__(self) -> str:
        return self.path

    def error(self, problem: str, line: int | None = None) -> FileFormatError:
        """The error that says what is wrong with the content."""
        return FileFormatError(self.path, problem, line)


def _behind_mark(stream: BinaryIO) -> BinaryIO:
    """The same stream at its start, or behind the mark that it is UTF-8."""
    if stream.read(len(_BYTE_ORDER_MARK)) != _BYTE_ORDER_MARK:
        stream.seek(0)
    return stream


def _matrices(archive: tarfile.TarFile) -> list[tarfile.TarInfo]:
    """What may be the matrix of an archive: ``name/name.mtx``, or all .mtx files, or all files.

    SuiteSparse puts right-hand sides and coordinates beside it.
    """
    files = []
    for member in archive:
        folder, file = os.path.split(member.name)
        stem, suffix = os.path.splitext(file)
        if member.isfile() and suffix.lower() == ".mtx" and stem == os.path.basename(folder):
            return [member]
        if member.isfile():
            files.append(member)
    return [file for file in files if file.name.lower().endswith(".mtx")] or files


def _packed(raw: BinaryIO, suffix: str, mode: Literal["rb", "wb"]) -> BinaryIO:
    """A stream that compresses or decompresses as the suffix says."""
    if suffix == ".gz":
        # Without a time and a name inside, the same matrix gives the same bytes.
        return cast(BinaryIO, gzip.GzipFile(filename="", mode=mode, fileobj=raw, mtime=0))
    if suffix == ".xz":
        return cast(BinaryIO, lzma.LZMAFile(raw, mode))
    if suffix == ".bz2":
        return cast(BinaryIO, bz2.BZ2File(raw, mode))
    return raw


@contextmanager
def open_for_writing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary stream into a file, compressed as the file's name says; see `whole_file`."""
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    with whole_file(path) as raw, _packed(raw, suffix, "wb") as stream:
        yield stream


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary stream into a file that is replaced as a whole at the end, or not at all.

    It is written aside, in the same folder, and renamed. A device or a pipe is written as it is. An OSError
    on the way names the file.
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

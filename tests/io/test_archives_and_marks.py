"""Archives of tar, as SuiteSparse has them, and the mark of UTF-8."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile

import numpy as np
import pytest

from konig.errors import FileFormatError
from konig.io import read, read_costs

MTX = b"%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n"
MARK = b"\xef\xbb\xbf"


def archive(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as packed:
        folder = tarfile.TarInfo("west")
        folder.type = tarfile.DIRTYPE
        packed.addfile(folder)
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))
    return stream.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress, bz2.compress])
@pytest.mark.parametrize("first", [b"", MARK])
def test_the_matrix_named_like_its_folder_is_read(saved, pack, first):
    files = {"west/west_b.mtx": b"right-hand side", "west/west.mtx": first + MTX, "west/README": b"words"}
    assert read(saved(pack(archive(files)), "west.tar.gz")).shape == (3, 4)


@pytest.mark.parametrize("name", ["a.mtx", "folder/b.mtx", "edges.txt"])
def test_the_only_matrix_is_read(saved, name):
    assert (
        read(saved(archive({"README": b"words", name: MTX} if "mtx" in name else {name: MTX}), "a.tar")).nnz
        == 1
    )


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (archive({"a.mtx": MTX, "b.mtx": MTX}), "one matrix; its files are 'a.mtx', 'b.mtx'"),
        (archive({}), "one matrix; its files are none"),
        (archive({"a.mtx": MTX})[:900], "its files are none"),
        (archive({"a.mtx": MTX})[: 1024 + 30], "the archive is damaged"),
        (archive({"a.mtx": MTX}).replace(b"west", b"east", 1), "the archive is damaged"),
        (gzip.compress(archive({"a.mtx": MTX * 100}))[:-40], "damaged or cut short"),
    ],
)
def test_archives_without_a_matrix_are_refused(saved, content, problem):
    with pytest.raises(FileFormatError, match=problem):
        read(saved(content, "a.tar.gz"))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
@pytest.mark.parametrize(
    ("content", "name"),
    [(MTX, "a.mtx"), (b"0 1\n", "a.txt"), (b"% bip unweighted\n1 2\n", "out.a"), (b"1,2.5\n", "a.csv")],
)
def test_a_mark_of_utf8_is_skipped(saved, content, name, pack):
    plain = read(saved(content, name))
    marked = read(saved(pack(MARK + content), name))
    assert marked.shape == plain.shape
    np.testing.assert_array_equal(marked.coords, plain.coords)


def test_lines_are_counted_in_marked_files(saved):
    with pytest.raises(FileFormatError, match="line 2: column 2 'x'"):
        read_costs(saved(MARK + b"1,2\n3,x\n", "a.csv"))

"""Which reader a file gets, and files that never get to one."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import threading

import numpy as np
import pytest

from konig.errors import FileFormatError
from konig.io import read, read_costs, read_network

MTX = b"%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n"
ASN = b"c a comment\np asn 5 1\nn 1\nn 2\na 1 4 7\n"
MAX = b"c a comment\n\np max 4 1\nn 1 s\nn 4 t\na 1 4 7\n"
PACK = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


def npy() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.eye(3, 4, k=1)[:1])
    return stream.getvalue()


def npz() -> bytes:
    stream = io.BytesIO()
    np.savez(stream, rows=[0], cols=[1], shape=[3, 4])
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "shape"),
    [
        (MTX, "a.mtx", (3, 4)),
        (MTX, "a.MTX", (3, 4)),
        (MTX, "a.txt", (3, 4)),
        (MTX, "a", (3, 4)),
        (b"0 1\n", "a", (2, 2)),
        (b"# c\n0 1\n", "a.tsv", (2, 2)),
        (b"\n 0 1\n", "a.txt", (2, 2)),
        (b"% bip unweighted\n1 2\n", "a.edges", (1, 2)),
        (b"% bip unweighted\n1 2\n", "out.a", (1, 2)),
        (MAX, "a.max", (4, 4)),
        (MAX, "a.dimacs", (4, 4)),
        (ASN, "a.asn", (2, 3)),
        (ASN, "a.dimacs", (2, 3)),
        (npy(), "a", (1, 4)),
        (npz(), "a", (3, 4)),
    ],
)
@pytest.mark.parametrize("packing", ["", ".gz", ".xz", ".bz2", "unnamed"])
def test_suffix_and_content_choose(saved, content, name, shape, packing):
    if packing == "unnamed":
        content, packing = gzip.compress(content), ""
    elif packing:
        content = PACK[packing](content)
    assert read(saved(content, name + packing)).shape == shape


def test_format_can_be_forced(saved):
    path = saved("% bip unweighted\n1 2\n", "strange.mtx")
    assert read(path, format="konect").shape == (1, 2)
    with pytest.raises(
        ValueError, match="format must be one of mtx, snap, konect, npz, npy, max, asn, text, not 'csv'"
    ):
        read(path, format="csv")


def test_path_objects_and_strings(saved):
    path = saved(MTX)
    assert read(path).shape == read(str(path)).shape == (3, 4)


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.mtx"):
        read(tmp_path / "nowhere.mtx")


def test_directory(tmp_path):
    with pytest.raises(FileFormatError, match="is a directory"):
        read(tmp_path)


@pytest.mark.parametrize("name", ["a.mtx", "a.txt", "a.konect", "a.npz", "a.npy", "a"])
@pytest.mark.parametrize("pack", [bytes, *PACK.values()])
def test_empty_file(refused, name, pack):
    assert "is empty" in str(refused(pack(b""), name, line=1))


def test_unknown_content(refused):
    error = str(refused(b"\x7fELF\x02\x01", "a", line=1))
    assert "no known format starts with '\\x7fELF" in error
    assert "mtx, snap, konect, npz, npy" in error


@pytest.mark.parametrize("suffix", PACK)
def test_damaged_compression(refused, suffix):
    content = PACK[suffix](MTX + b"%" + os.urandom(3000).hex().encode())
    assert "damaged or cut short" in str(refused(content[: len(content) // 2], "a.mtx" + suffix, line=None))
    changed = content[:1000] + bytes([content[1000] ^ 255]) + content[1001:]
    assert "damaged or cut short" in str(refused(changed, "a.mtx" + suffix, line=None))


def test_compressed_header_that_promises_too_much(refused):
    content = MTX.replace(b"3 4 1", b"3 4 10000000000000000")
    assert "ends after 1 of 10000000000000000" in str(refused(gzip.compress(content), "a.mtx.gz", line=3))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
@pytest.mark.parametrize("content", [MTX, MTX + b"1 1\n"])
def test_pipe(tmp_path, content):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(content,))
    writer.start()
    try:
        if content == MTX:
            assert read(path).shape == (3, 4)
        else:
            with pytest.raises(FileFormatError, match="line 4: more entries"):
                read(path)
    finally:
        writer.join()


@pytest.mark.parametrize("reader", [read, read_costs, read_network])
def test_an_error_about_edges_says_that_they_might_be_a_matrix(tmp_path, reader):
    path = tmp_path / "numbers.txt"
    path.write_text("1 2 3\n4.5 6 7\n")
    doubt = "source '4.5' is not a whole number; taken for edges: name the format text if this is a matrix"
    with pytest.raises(FileFormatError, match=re.escape(f"{path}, line 2: {doubt}")) as raised:
        reader(path)
    assert raised.value.line == 2
    with pytest.raises(FileFormatError, match=r"is not a whole number$"):
        reader(path, format="snap")

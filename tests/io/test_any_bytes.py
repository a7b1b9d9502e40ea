"""Any byte string gives a matrix or a clear error."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutated

from konig.errors import FileFormatError
from konig.io import number_tables, read

FORMATS = ("mtx", "snap", "konect", "npz", "npy", "max")
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def saved_npz(matrix: scipy.sparse.sparray, compressed: bool = False) -> bytes:
    stream = io.BytesIO()
    scipy.sparse.save_npz(stream, matrix, compressed=compressed)
    return stream.getvalue()


def saved_arrays(save: Callable[..., None], *arrays: object, **named: object) -> bytes:
    stream = io.BytesIO()
    save(stream, *arrays, **named)
    return stream.getvalue()


def market(banner: str, body: str) -> bytes:
    return f"%%MatrixMarket matrix {banner}\n% made for a test\n{body}\n".encode()


SMALL = scipy.sparse.random_array((6, 8), density=0.3, rng=np.random.default_rng(2))
TEXTS = {
    "mtx": [
        market("coordinate pattern general", "4 5 4\n1 1\n4 5\n2 3\n2 3"),
        market("coordinate real general", "4 5 3\n1 1 0.5\n4 5 -1.25e-3\n2 3 +7"),
        market("coordinate integer symmetric", "4 4 3\n1 1 5\n4 1 -2\n3 2 0"),
        market("coordinate complex hermitian", "4 4 2\n1 1 5 0\n4 1 -2 1.5"),
        market("coordinate real skew-symmetric", "3 3 2\n2 1 nan\n3 2 -inf"),
        market("array real general", "2 3\n1\n0\n2.5\n-3\n0\n6"),
        market("array complex hermitian", "2 2\n1 0\n2 3\n3 0"),
        market("array integer skew-symmetric", "3 3\n1\n2\n3"),
    ],
    "snap": [
        b"# Nodes: 7 Edges: 3\n# FromNodeId\tToNodeId\n0\t1\n6\t2\n3\t3\n",
        b"0 1 0.5\n1 2 -3\r\n\n# more\n2 0 1e3\n",
        b"0 1 5 1082040961\n1 2 6 1082040962\n",
    ],
    "konect": [
        b"% bip unweighted\n% 3 4 5\n1 1\n4 5\n2 3\n",
        b"% sym posweighted\n1 2 3.5\n2 2 1\n",
        b"% asym unweighted\n1 2\n3 1\n",
    ],
    "max": [
        b"c made for a test\np max 4 3\nn 1 s\nn 4 t\na 1 2 5\na 2 4 9223372036854775807\na 1 4 0\n",
        b"\nc\np  max\t3 2\r\nn 3 t\nc more\nn 1 s\n a 1 1 7\n\nc and more\na\t2 3 +8 \n",
        b"p max 2 0\nn 2 s\nn 1 t\n",
    ],
}
VALID = {
    **TEXTS,
    "npz": [
        *(saved_npz(SMALL.asformat(kind)) for kind in ("coo", "csr", "csc", "dia")),
        saved_npz(SMALL.tobsr((2, 2)), compressed=True),
        saved_arrays(np.savez, rows=np.array([0, 3]), cols=np.array([1, 1]), shape=np.array([4, 4])),
        saved_arrays(np.savez_compressed, matrix=np.eye(3)),
    ],
    "npy": [
        saved_arrays(np.save, np.eye(3)),
        saved_arrays(np.save, np.asfortranarray(np.ones((2, 3), dtype=">i4"))),
    ],
}

TOKENS = (b"0 1 -1 2 3 +4 1.5 .5 5. . - e 1e5 1e999 nan inf -Infinity x % # %% \0 \xff \r \n \t \v").split(
    b" "
)
TOKENS += [
    b" ",
    b"\r\n",
    b"2147483648",
    b"9007199254740992",
    b"9223372036854775807",
    b"1" * 25,
    b"%%MatrixMarket",
    b"a",
    b"c",
    b"n 1 s",
    b"p max 4 4",
]


def read_or_refuse(path: Path, content: bytes, format: str | None) -> FileFormatError | None:
    """Read; anything but a sound matrix or a `FileFormatError` fails the test."""
    path.write_bytes(content)
    try:
        matrix = read(path, format=format)
    except FileFormatError as refusal:
        return refusal
    assert matrix.ndim == 2
    for indices, size in ((matrix.row, matrix.shape[0]), (matrix.col, matrix.shape[1])):
        assert indices.dtype == (np.int32 if max(matrix.shape) < 2**31 else np.int64)
        assert indices.shape == matrix.data.shape
        assert indices.size == 0 or (indices.min() >= 0 and indices.max() < size)
    return None


@quick
@given(content=st.binary(max_size=300), format=st.sampled_from((*FORMATS, None)))
def test_arbitrary_bytes(tmp_path, content, format):
    read_or_refuse(tmp_path / "any", content, format)


@quick
@given(
    prefix=st.sampled_from([text for texts in TEXTS.values() for text in texts]),
    content=st.lists(st.sampled_from(TOKENS), max_size=30).map(b" ".join),
)
def test_arbitrary_tokens_after_a_valid_start(tmp_path, prefix, content):
    read_or_refuse(tmp_path / "any", prefix + content, None)


@pytest.mark.parametrize("format", FORMATS)
@quick
@given(seed=st.integers(0, 2**32))
def test_mutated_files(tmp_path, format, seed):
    check_mutation(tmp_path / "mutated", format, seed)


@pytest.mark.long
@pytest.mark.parametrize("format", FORMATS)
def test_thousands_of_mutated_files(tmp_path, format):
    for seed in range(2000):
        check_mutation(tmp_path / "mutated", format, seed)


def check_mutation(path: Path, format: str, seed: int) -> None:
    draw = random.Random(f"{format} {seed}")
    content = draw.choice(VALID[format])
    packed = draw.random() < 0.1
    if packed:
        content = draw.choice((gzip.compress, lzma.compress, bz2.compress))(content)
    content = mutated(content, draw, TOKENS)
    error = read_or_refuse(path, content, draw.choice((format, format, None)))
    assert error is None or str(error).startswith(str(path))
    if error is not None and format in TEXTS and not packed and not content.startswith((b"PK", b"\x93NUMPY")):
        assert error.line is not None, f"seed {seed}: {error}"
        assert 1 <= error.line <= content.count(b"\n") + 1


def mutated_arrays(arrays: dict[str, np.ndarray], draw: random.Random) -> dict[str, np.ndarray]:
    """The arrays of an archive with one or two changes; the archive's checksums will be right."""
    arrays = {key: array.copy() for key, array in arrays.items()}
    for _ in range(draw.randint(1, 2)):
        key = draw.choice(list(arrays))
        array = arrays[key]
        change = draw.randrange(6)
        if change < 2 and array.size and array.dtype.kind in "iuf":
            number = np.array(draw.choice((-1, 0, 1, 2, 5, 9, 100, 2**31 - 1, -(2**31))))
            array.flat[draw.randrange(array.size)] = number.astype(array.dtype)
        elif change == 2:
            arrays[key] = array.ravel()[draw.randrange(2) : draw.randrange(8)]
        elif change == 3 and array.dtype.kind in "iuf":
            arrays[key] = array.astype(draw.choice(("i1", "u8", "f4", "?", ">i4", "U5", "M8[s]", "f2", "g")))
        elif change == 4:
            arrays[key] = draw.choice(list(arrays.values()))
        elif change == 5:
            arrays[key] = (
                array[..., None] if draw.random() < 0.5 else np.array(draw.choice((b"csr", b"bsr", b"?")))
            )
    if draw.random() < 0.1:
        del arrays[draw.choice(list(arrays))]
    return arrays


def check_mutated_archive(path: Path, seed: int) -> bool:
    draw = random.Random(seed)
    with np.load(io.BytesIO(draw.choice(VALID["npz"]))) as archive:
        arrays = dict(archive)
    error = read_or_refuse(path, saved_arrays(np.savez, **mutated_arrays(arrays, draw)), "npz")
    return error is None


@quick
@given(seed=st.integers(0, 2**32))
def test_archives_of_mutated_arrays(tmp_path, seed):
    check_mutated_archive(tmp_path / "mutated", seed)


@pytest.mark.long
def test_thousands_of_archives_of_mutated_arrays(tmp_path):
    outcomes = {check_mutated_archive(tmp_path / "mutated", seed) for seed in range(3000)}
    assert outcomes == {True, False}


NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|nan|inf(?:inity)?)", re.IGNORECASE | re.ASCII)
PIECES = [
    "0",
    "7",
    "12",
    "+3",
    "-2",
    "1.5",
    ".5",
    "5.",
    "-1e-3",
    "2E+2",
    ".",
    "e3",
    "1e",
    "1.2.3",
    "--1",
    "nan",
]
PIECES += [
    "-INF",
    "infinity",
    "infin",
    "1-",
    "+-1",
    "+",
    "-",
    "+.5",
    "-0",
    "00",
    "5x",
    "1e5.0",
    "é",
    "\r",
    "\0",
]


def reference(lines: list[str]) -> list[list[float]] | None:
    """The rows of a table of two indices and a real, or None: the plainest reader there could be."""
    rows = []
    for line in lines:
        words = [word for word in re.split("[ \t]", line) if word]
        if not words:
            continue
        if len(words) != 3 or not all(re.fullmatch(r"\+?[0-9]+", word) for word in words[:2]):
            return None
        if not NUMBER.fullmatch(words[2]):
            return None
        rows.append([float(word) for word in words])
    return rows


@settings(quick, max_examples=400)
@given(
    lines=st.lists(
        st.lists(st.sampled_from(PIECES), min_size=3, max_size=3).map(" ".join)
        | st.tuples(st.sampled_from("059"), st.sampled_from("059"), st.sampled_from(PIECES)).map("\t ".join)
        | st.lists(st.sampled_from([*PIECES, "\t", ""]), max_size=5).map(" ".join),
        max_size=6,
    ),
    chunk=st.sampled_from([1, 20, 1 << 20]),
)
def test_exactly_the_well_formed_tables_are_read(tmp_path, lines, chunk):
    lines = ["0 0 0.5", *lines]
    expected = reference(lines)
    (tmp_path / "table.txt").write_text("\n".join(lines), encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(number_tables, "CHUNK_BYTES", chunk)
        if expected is None:
            with pytest.raises(FileFormatError):
                read(tmp_path / "table.txt")
        else:
            matrix = read(tmp_path / "table.txt")
            found = np.column_stack((matrix.row, matrix.col, matrix.data))
            np.testing.assert_array_equal(found, np.array(expected))

"""Matrix Market files: coordinate and array, all fields and symmetries.

The format: https://math.nist.gov/MatrixMarket/formats.html. Read a little more freely than it is defined:
the banner's words in any case, comments and blank lines anywhere, symmetric entries on either side of the
diagonal. An array's zeros are not entries.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from types import SimpleNamespace
from typing import IO, Any, BinaryIO

import numpy as np
from scipy.sparse import coo_array

from konig.io import number_tables as tables
from konig.io.entries import Array, mirrored, sparse
from konig.io.files import Source
from konig.io.number_tables import Column, Layout, Table

BANNER = b"%%matrixmarket"

# The columns of a value; "double" and "unsigned-integer" are what other programs write.
_REAL = (Column("value", "real"),)
_FIELDS: dict[str, tuple[Column, ...]] = {
    "pattern": (),
    "integer": (Column("value", "integer"),),
    "unsigned-integer": (Column("value", "unsigned", 0, 2**64 - 1),),
    "real": _REAL,
    "double": _REAL,
    "complex": (Column("real part", "real"), Column("imaginary part", "real")),
}
_SIZES = tuple(
    Column(f"the number of {what}", "index", 0, 2**63 - 2) for what in ("rows", "columns", "entries")
)
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
_MMWRITE_LOCK = threading.Lock()


@dataclass(frozen=True)
class Header:
    """The banner and the size line, and the table that follows them."""

    kind: str
    field: str
    symmetry: str
    shape: tuple[int, int]
    table: Table


def read(source: Source, expand: bool = True) -> coo_array:
    """The matrix as the file has it, a symmetric one expanded to its full pattern, unless asked not to."""
    with source.open() as stream:
        return _read_sparse(_read_header(source, stream), expand)


def read_costs(source: Source) -> Array | coo_array:
    """The matrix as `read` has it, but an array with its zeros, as a dense matrix."""
    with source.open() as stream:
        header = _read_header(source, stream)
        if header.field == "complex":
            raise source.error("costs must be real, and these are complex", 1)
        if header.kind == "coordinate":
            return _read_sparse(header)
        values = _joined(header.table.columns())
        _check_negatives(header, values)
    if not values.size:
        try:
            return np.zeros(header.shape, dtype=values.dtype)
        except ValueError as error:  # no entries at all, and still more rows or columns than NumPy counts
            raise source.error(
                f"an array of shape {header.shape} is too large", header.table.before
            ) from error
    if header.symmetry == "general":
        return values.reshape(header.shape, order="F")
    cols, rows = _array_place(np.arange(values.size), header)
    dense = np.zeros(header.shape, dtype=values.dtype)
    dense[cols, rows] = -values if header.symmetry == "skew-symmetric" else values
    dense[rows, cols] = values
    return dense


def _read_sparse(header: Header, expand: bool = True) -> coo_array:
    if header.kind == "coordinate":
        rows, cols, *parts = header.table.columns()
        values = _joined(parts) if parts else np.ones(rows.size, dtype=np.int8)
        _check_diagonal(header, rows, cols, values)
        _check_negatives(header, values)
    else:
        values = _joined(header.table.columns())
        _check_negatives(header, values)
        place = np.flatnonzero(values)
        cols, rows = _array_place(place, header)
        values = values[place]
    if header.symmetry != "general" and expand:
        reflection = "symmetric" if header.field == "pattern" else header.symmetry
        rows, cols, values = mirrored(rows, cols, values, reflection)
    return sparse(rows, cols, values, header.shape)


def _read_header(source: Source, stream: BinaryIO) -> Header:
    for number, line in tables.numbered_lines(source, stream):
        if number == 1:
            kind, field, symmetry = _parse_banner(source, line)
        elif line.strip() and not line.lstrip(b" \t").startswith(b"%"):
            break
    else:
        raise source.error("ends before the size line", number)
    rows, cols, *listed = _parse_sizes(source, line, number, 3 if kind == "coordinate" else 2)
    if symmetry != "general" and rows != cols:
        raise source.error(f"a {symmetry} matrix must be square, not {(rows, cols)}", number)
    columns = _FIELDS[field]
    if kind == "coordinate":
        (entries,) = listed
        columns = (Column("row", "index", 1, rows), Column("column", "index", 1, cols), *columns)
    elif symmetry == "general":
        entries = rows * cols
    else:
        entries = rows * (rows + (-1 if symmetry == "skew-symmetric" else 1)) // 2
    table = Table(source, stream, Layout(columns, b"%"), number, promised=entries)
    return Header(kind, field, symmetry, (rows, cols), table)


def _parse_banner(source: Source, banner: bytes) -> tuple[str, str, str]:
    words, found = banner.lower().split(), tables.shown(banner.strip())
    if not words or words[0] != BANNER:
        raise source.error(f"expected the banner '%%MatrixMarket matrix ...', found {found}", 1)
    if len(words) != 5:
        raise source.error(f"expected '%%MatrixMarket matrix FORMAT FIELD SYMMETRY', found {found}", 1)
    choices = (("matrix",), ("coordinate", "array"), tuple(_FIELDS), _SYMMETRIES)
    for word, allowed in zip(words[1:], choices, strict=True):
        if word.decode("latin-1") not in allowed:
            expected = " or ".join(allowed)
            raise source.error(f"expected {expected} in the banner, found {tables.shown(word)}", 1)
    kind, field, symmetry = (word.decode() for word in words[2:])
    if kind == "array" and field == "pattern":
        raise source.error("an array cannot have the field pattern", 1)
    if field == "unsigned-integer" and symmetry == "skew-symmetric":
        raise source.error("a skew-symmetric matrix cannot be unsigned", 1)
    return kind, "real" if field == "double" else field, symmetry


def _parse_sizes(source: Source, line: bytes, number: int, count: int) -> list[int]:
    words = line.split()
    if len(words) != count or not all(word.isdigit() for word in words):
        expected = "'rows columns entries'" if count == 3 else "'rows columns'"
        raise source.error(f"expected the size line {expected}, found {tables.shown(line.strip())}", number)
    return [tables.whole_number(source, *size, number) for size in zip(words, _SIZES[:count], strict=True)]


def _joined(parts: list[Array]) -> Array:
    """The values, from the column that holds them or from their real and their imaginary parts."""
    if len(parts) == 1:
        return parts[0]
    values = np.empty(parts[0].size, dtype=np.complex128)
    values.real, values.imag = parts
    return values


def _array_place(place: Array, header: Header) -> tuple[Array, Array]:
    """Column and row of positions in an array's column-major body, the lower triangle if symmetric."""
    n = header.shape[0]
    if header.symmetry == "general" or not place.size:
        return np.divmod(place, max(n, 1))
    first = 1 if header.symmetry == "skew-symmetric" else 0
    length = np.arange(n - first, 0, -1)
    starts = np.concatenate(([0], np.cumsum(length)[:-1]))
    cols = np.searchsorted(starts, place, side="right") - 1
    return cols, place - starts[cols] + cols + first


def _check_diagonal(header: Header, rows: Array, cols: Array, values: Array) -> None:
    if header.field == "pattern" or header.symmetry in ("general", "symmetric"):
        return
    part = values if header.symmetry == "skew-symmetric" else values.imag
    wrong = np.flatnonzero((rows == cols) & (part != 0))
    if wrong.size:
        needed = "zero" if header.symmetry == "skew-symmetric" else "real"
        problem = f"the diagonal of a {header.symmetry} matrix must be {needed}"
        raise header.table.source.error(problem, header.table.line_of(int(wrong[0])))


def _check_negatives(header: Header, values: Array) -> None:
    """Check that the entries of a skew-symmetric matrix have negatives: one integer has none in 64 bits."""
    if header.symmetry != "skew-symmetric" or values.dtype.kind != "i":
        return
    wrong = np.flatnonzero(values == np.iinfo(values.dtype).min)
    if wrong.size:
        problem = (
            f"value '{values[wrong[0]]}' has no negative of 64 bits, which a skew-symmetric matrix needs"
        )
        raise header.table.source.error(problem, header.table.line_of(int(wrong[0])))


def write(stream: IO[bytes], matrix: coo_array) -> None:
    """Write in coordinates, every entry as it is; a matrix of int8 or boolean ones becomes a pattern."""
    ones = matrix.dtype.char in "?b" and bool((matrix.data == 1).all())
    if matrix.dtype.char in "gG":
        # mmwrite cuts long doubles to six decimals, and the matrix's own astype would add up duplicates.
        shortened = matrix.data.astype(np.float64 if matrix.dtype.char == "g" else np.complex128)
        matrix = sparse(matrix.row, matrix.col, shortened, matrix.shape)
    mmwrite(stream, matrix, "pattern" if ones else None)


def mmwrite(stream: IO[bytes], matrix: Any, field: str | None = None) -> None:
    """Write a sparse matrix in coordinates, a dense one as an array."""
    import scipy.io  # not needed to read, and slow to import

    # SciPy's mmwrite seeks in every stream that has a seek, and compressing ones refuse.
    unseekable = SimpleNamespace(write=stream.write, flush=stream.flush)
    # It starts a thread per core of the machine for every call unless it is told not to.
    settings = getattr(scipy.io, "_fast_matrix_market", SimpleNamespace())
    with _MMWRITE_LOCK:
        threads = getattr(settings, "PARALLELISM", 0)
        settings.PARALLELISM = 1
        try:
            scipy.io.mmwrite(unseekable, matrix, field=field, symmetry="general")
        finally:
            settings.PARALLELISM = threads

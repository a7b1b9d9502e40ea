"""Reading matrices and graphs from files, and writing them.

`read` and `write` are all there is to call for matrices, `read_costs` and `write_costs` for the costs of
assignment problems, `read_network` and `write_network` for networks. Each format has a module of its own,
which turns a `konig.io.files.Source` into a sparse or a dense array or a network.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import IO, Any, TypeAlias

import numpy as np
from scipy.sparse import coo_array, issparse, save_npz

from konig.errors import FileFormatError
from konig.index_arrays import storable, unmasked
from konig.io import dimacs, edge_lists, matrix_market, numpy_files, orlib, text_matrices
from konig.io.edge_lists import has_nodes
from konig.io.entries import Array, Network, sparse
from konig.io.files import SUFFIXES, Source, open_for_writing, strip_suffix
from konig.io.number_tables import shown

__all__ = ["Network", "read", "read_costs", "read_network", "write", "write_costs", "write_network"]

PathLike: TypeAlias = str | os.PathLike[str]
Costs: TypeAlias = Array | coo_array

_READERS: dict[str, Callable[[Source], coo_array]] = {
    "mtx": matrix_market.read,
    "snap": edge_lists.read_snap,
    "konect": edge_lists.read_konect,
    "npz": numpy_files.read_npz,
    "npy": numpy_files.read_npy,
    "max": lambda source: dimacs.read_network(source).matrix(),
    "asn": dimacs.read_costs,
    "text": text_matrices.read,
}
_COST_READERS: dict[str, Callable[[Source], Costs]] = {
    "mtx": matrix_market.read_costs,
    "npz": partial(numpy_files.read_npz, costs=True),
    "npy": partial(numpy_files.read_npy, costs=True),
    "asn": dimacs.read_costs,
    "orlib": orlib.read,
    "snap": edge_lists.read_snap,
    "konect": edge_lists.read_konect,
    "text": text_matrices.read_costs,
}


def _packed(suffix: str) -> tuple[str, ...]:
    """The suffix, alone and of compressed files."""
    return tuple(suffix + packed for packed in ("", *SUFFIXES))


COST_SUFFIXES = (".npy", ".npz", *_packed(".mtx"), *_packed(".asn"))

_EDGE_SUFFIXES = (".edges", ".el")
_SNAP_SUFFIXES = (".txt", *_EDGE_SUFFIXES)
_SNIFFED_BYTES = 4096
_COST_TYPES = "?bhilqBHILQefd"


def read(path: PathLike, *, format: str | None = None) -> coo_array:
    """Read a matrix or a graph.

    Parameters
    ----------
    path : str or os.PathLike
        The file. It may be compressed with gzip, xz or bzip2, whatever its name, and be an archive of tar
        with one matrix in it, as SuiteSparse has them.
    format : {"mtx", "snap", "konect", "npz", "npy", "max", "asn", "text"}, optional
        What the file holds: Matrix Market, a SNAP edge list (one id space, from 0), a KONECT edge list (two
        id spaces or one, from 1), a sparse matrix or index arrays in an .npz archive, a dense matrix, the
        capacities of a DIMACS maximum flow problem, the costs of a DIMACS assignment problem, or a dense
        matrix as text, a row a line, with blanks or commas. By default the suffix and the first bytes decide.

    Returns
    -------
    scipy.sparse.coo_array
        The entries in file order: zeros and duplicates are kept, symmetric files are expanded to their full
        pattern. Entries without a value get the value one. Indices are 32-bit where the shape allows.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    konig.errors.FileFormatError
        When the content is not what the format asks for; the message names the file and the line.

    Notes
    -----
    Takes time linear in the size of the file, and memory for the entries, twice where they are symmetric or
    complex.

    Examples
    --------
    >>> from pathlib import Path
    >>> from konig import io
    >>> _ = Path("triangle.txt").write_text("# Nodes: 3 Edges: 3\\n0 1\\n1 2\\n2 0\\n")
    >>> graph = io.read("triangle.txt")
    >>> graph.shape, graph.row.tolist(), graph.col.tolist()
    ((3, 3), [0, 1, 2], [1, 2, 0])
    """
    source, kind, start = _opened(path, format, _READERS)
    with _doubted(format is None and _maybe_matrix(source, kind, start)):
        return _READERS[kind](source)


def read_network(path: PathLike, *, format: str | None = None, undirected: bool = False) -> Network:
    """Read a network: the arcs in file order, and the terminals where the file names them.

    Parameters
    ----------
    path : str or os.PathLike
        A DIMACS ``max`` file, or anything that `read` reads as a square matrix: entry (u, v) is then the
        capacity of the arc from u to v, one where the file has no values, and there are no terminals.
    format : str, optional
        As for `read`.
    undirected : bool
        Whether the arcs are for ``konig.maximum_flow(..., undirected=True)``. A file that says of itself that
        it is symmetric (Matrix Market's ``symmetric``, KONECT's ``sym``) has each edge once, and so has the
        network then; else it has an arc each way. Other files are read as they are.

    Raises
    ------
    konig.errors.FileFormatError
        As for `read`, and for a matrix that is not square.

    Examples
    --------
    >>> from pathlib import Path
    >>> from konig import io
    >>> _ = Path("small.max").write_text("p max 3 2\\nn 1 s\\nn 3 t\\na 1 2 5\\na 2 3 4\\n")
    >>> net = io.read_network("small.max")
    >>> net.tail.tolist(), net.head.tolist(), net.capacity.tolist(), net.source, net.sink
    ([0, 1], [1, 2], [5, 4], 0, 2)
    """
    source, kind, start = _opened(path, format, _READERS)
    if kind == "max":
        return dimacs.read_network(source)
    symmetric = {"mtx": matrix_market.read, "konect": edge_lists.read_konect}.get(kind)
    with _doubted(format is None and _maybe_matrix(source, kind, start)):
        matrix = symmetric(source, not undirected) if symmetric else _READERS[kind](source)
    rows, cols = matrix.shape
    if rows != cols:
        needed = "a network needs a square matrix, a row and a column for each vertex"
        raise source.error(f"{needed}, not {rows} x {cols}")
    return Network(matrix.row, matrix.col, matrix.data, rows)


def _opened(path: PathLike, format: str | None, known: Mapping[str, Any]) -> tuple[Source, str, bytes]:
    """The file, the format that was named or guessed, and the first bytes."""
    if format is not None and format not in known:
        raise ValueError(f"format must be one of {', '.join(known)}, not {format!r}")
    source = path if isinstance(path, Source) else Source(path)
    with source.open() as stream:
        start = stream.read(_SNIFFED_BYTES)
    if not start:
        raise source.error("is empty", 1)
    kind = format or _guess_format(source.path, start, known)
    if format is None and kind == "snap" and known is _COST_READERS:
        if orlib.FIRST_LINE.match(start):
            kind = "orlib"
        elif text_matrices.is_matrix(start, costs=True):
            kind = "text"
    return source, kind, start


def taken_for_edges(path: PathLike, format: str | None, *, costs: bool = False) -> bool:
    """Whether `read` or `read_costs` takes a file for edges that might as well be a matrix."""
    if format is not None:
        return False
    return _maybe_matrix(*_opened(path, None, _COST_READERS if costs else _READERS))


def _maybe_matrix(source: Source, kind: str, start: bytes) -> bool:
    """Whether a guess at edges is in doubt: two or three whole numbers a line, and no other sign of edges."""
    named = strip_suffix(source.path.lower()).endswith(_EDGE_SUFFIXES)
    return kind == "snap" and not named and text_matrices.may_be_edges(start) and not has_nodes(start)


@contextmanager
def _doubted(doubt: bool) -> Iterator[None]:
    """Errors of a reader; where its format is in doubt they say so."""
    try:
        yield
    except FileFormatError as error:
        if not doubt:
            raise
        problem = f"{error.problem}; taken for edges: name the format text if this is a matrix"
        raise FileFormatError(error.path, problem, error.line) from None


def write(path: PathLike, matrix: Any) -> None:
    """Write a matrix to a Matrix Market file or an .npz archive.

    Parameters
    ----------
    path : str or os.PathLike
        The file: ``.mtx`` (also ``.mtx.gz``, ``.mtx.xz``, ``.mtx.bz2``) or ``.npz``. It is overwritten.
    matrix : sparse array, sparse matrix or array_like
        Every stored entry is written, zeros and duplicates too. Of a dense matrix the nonzeros are. In a
        Matrix Market file, ones of type int8 or bool become a pattern without values.

    Raises
    ------
    ValueError
        When the suffix is none of these, or the matrix does not have two dimensions.

    Examples
    --------
    >>> from konig import io
    >>> io.write("small.mtx.gz", [[1, 0], [0, 2]])
    >>> io.read("small.mtx.gz").toarray().tolist()
    [[1, 0], [0, 2]]
    """
    name = os.fspath(path).lower()
    entries: Any = matrix.tocoo() if issparse(matrix) else np.asarray(unmasked(matrix, "matrix"))
    if not issparse(entries):
        if entries.dtype.kind not in "biufc":
            raise TypeError(f"matrix must hold numbers or booleans, not {entries.dtype}")
        entries = coo_array(storable(entries))
    if entries.ndim != 2:
        raise ValueError(f"matrix must have two dimensions, not {entries.ndim}")
    if not name.endswith((".npz", *_packed(".mtx"))):
        raise ValueError(f"path must end in .mtx, .mtx.gz, .mtx.xz, .mtx.bz2 or .npz: {os.fspath(path)!r}")
    with open_for_writing(path) as stream:
        _SPARSE_WRITERS[strip_suffix(name)[-4:]](stream, entries)


def write_network(path: PathLike, network: Network) -> None:
    """Write a network to a DIMACS ``max`` file.

    Parameters
    ----------
    path : str or os.PathLike
        The file: ``.max`` (also ``.max.gz``, ``.max.xz``, ``.max.bz2``). It is overwritten.
    network : Network
        With a source, a sink and whole capacities.

    Examples
    --------
    >>> import numpy as np
    >>> from konig import io
    >>> net = io.Network(np.array([0, 1]), np.array([1, 2]), np.array([5, 4]), 3, 0, 2)
    >>> io.write_network("small.max.gz", net)
    >>> io.read_network("small.max.gz").capacity.tolist()
    [5, 4]
    """
    if not isinstance(network, Network):
        raise TypeError(f"network must be a konig.io.Network, not {type(network).__name__}")
    if not strip_suffix(os.fspath(path).lower()).endswith(".max"):
        raise ValueError(f"path must end in .max, .max.gz, .max.xz or .max.bz2: {os.fspath(path)!r}")
    with open_for_writing(path) as stream:
        dimacs.write_network(stream, network)


def read_costs(path: PathLike, *, format: str | None = None) -> Costs:
    """Read the costs of an assignment problem.

    Parameters
    ----------
    path, format
        As for `read`; a format is also "orlib", an assignment problem of the OR-Library, and none is "max".

    Returns
    -------
    numpy.ndarray or scipy.sparse.coo_array
        Dense costs, with their zeros, from .npy files, text and CSV, Matrix Market arrays, OR-Library files
        that hold all costs and archives of one array; infinite ones are forbidden. An array of three
        dimensions is a batch. Sparse costs from all others; missing ones are forbidden.

    Examples
    --------
    >>> from pathlib import Path
    >>> from konig import io
    >>> _ = Path("small.asn").write_text("p asn 4 3\\nn 1\\nn 2\\na 1 3 5\\na 1 4 0\\na 2 4 7\\n")
    >>> costs = io.read_costs("small.asn")
    >>> costs.shape, costs.row.tolist(), costs.col.tolist(), costs.data.tolist()
    ((2, 2), [0, 0, 1], [0, 1, 1], [5, 0, 7])
    """
    source, kind, start = _opened(path, format, _COST_READERS)
    if kind not in _COST_READERS:
        raise source.error("is a network, and holds no costs", 1)
    with _doubted(format is None and _maybe_matrix(source, kind, start)):
        return _COST_READERS[kind](source)


def write_costs(path: PathLike, matrix: Any) -> None:
    """Write the costs of an assignment problem.

    Parameters
    ----------
    path : str or os.PathLike
        The file: ``.npy``, ``.npz``, ``.mtx`` or a DIMACS ``.asn``, the last two also with ``.gz``, ``.xz``
        or ``.bz2``. It is overwritten.
    matrix : array_like, sparse array or sparse matrix
        Costs. Dense ones stay dense except in a DIMACS file, where infinite ones are left out; sparse ones
        stay sparse except in an .npy file, where infinity stands for what is missing.

    Raises
    ------
    ValueError
        When the suffix is none of these, or the costs do not have two dimensions.
    TypeError
        When the costs are not real numbers.

    Examples
    --------
    >>> from konig import io
    >>> io.write_costs("small.mtx.gz", [[1, 0], [0, 2]])
    >>> io.read_costs("small.mtx.gz").tolist()
    [[1, 0], [0, 2]]
    """
    name = os.fspath(path).lower()
    if not name.endswith(COST_SUFFIXES):
        raise ValueError(f"path must end in {', '.join(COST_SUFFIXES)}: {os.fspath(path)!r}")
    kind = strip_suffix(name)[-4:]
    costs: Any = matrix.tocoo() if issparse(matrix) else np.asarray(matrix)
    if costs.ndim != 2:
        raise ValueError(f"costs must have two dimensions, not {costs.ndim}")
    if costs.dtype.char not in _COST_TYPES:
        raise TypeError(f"costs must be real numbers, not {costs.dtype}")
    if costs.dtype == np.bool_:
        # The sparse matrix's own astype would add up duplicates.
        ones = (costs.data if issparse(costs) else costs).astype(np.int8)
        costs = sparse(costs.row, costs.col, ones, costs.shape) if issparse(costs) else ones
    with open_for_writing(path) as stream:
        (_SPARSE_WRITERS if issparse(costs) else _DENSE_WRITERS)[kind](stream, costs)


def _save_with_infinity(stream: IO[bytes], costs: coo_array) -> None:
    whole = costs.tocsr().tocoo()
    dense = np.full(costs.shape, np.inf, dtype=np.result_type(costs.dtype, np.float32))
    dense[whole.row, whole.col] = whole.data
    np.save(stream, dense)


def _write_finite(stream: IO[bytes], costs: Array) -> None:
    rows, cols = np.nonzero(np.isfinite(costs))
    dimacs.write_costs(stream, coo_array((costs[rows, cols], (rows, cols)), shape=costs.shape))


_SPARSE_WRITERS: dict[str, Callable[[Any, Any], None]] = {
    ".npy": _save_with_infinity,
    ".npz": save_npz,
    ".mtx": matrix_market.write,
    ".asn": dimacs.write_costs,
}
_DENSE_WRITERS: dict[str, Callable[[Any, Any], None]] = {
    ".npy": np.save,
    ".npz": lambda stream, costs: np.savez(stream, costs=costs),
    ".mtx": matrix_market.mmwrite,
    ".asn": _write_finite,
}


def _guess_format(path: str, start: bytes, known: Iterable[str]) -> str:
    name = strip_suffix(os.path.basename(path).lower())
    suffix = os.path.splitext(name)[1]
    if suffix[1:] in ("mtx", "konect", "npz", "npy", "max", "asn"):
        return suffix[1:]
    text = start.lstrip()
    signs = {
        "npy": start.startswith(numpy_files.NPY_MAGIC),
        "npz": start.startswith(numpy_files.ZIP_MAGIC),
        "mtx": text[:14].lower() == matrix_market.BANNER,
        "max": dimacs.MAX_START.match(start),
        "asn": dimacs.ASN_START.match(start),
        "konect": edge_lists.KONECT_KIND.match(text) or name.startswith("out."),
        "text": suffix == ".csv" or text_matrices.is_matrix(start, costs=False),
        "snap": suffix in _SNAP_SUFFIXES or text.startswith(b"#") or text[:1].isdigit(),
    }
    for kind, found in signs.items():
        if kind == "text" and found and "max" in known and text_matrices.may_be_edges(start):
            matrix = "two or three whole numbers a line: name the format text if this is a matrix"
            raise FileFormatError(path, f"{matrix}; konig.from_frame reads tables of edges", 1)
        if found:
            return kind
    problem = f"no known format starts with {shown(start)}; name its format if it is one of "
    raise FileFormatError(path, problem + ", ".join(known), 1)

"""Maximum product transversals: the largest entries on the diagonal, and scales that make them 1."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from konig import _native
from konig.arguments import MOST_THREADS, checked_count, with_hints
from konig.assignment import cpu
from konig.assignment.auto import choose
from konig.assignment.inputs import MOST_IDS, SparseCosts
from konig.assignment.partial import solve_largest
from konig.assignment.product_proof import Moduli, Scales, check_product_transversal, proven_gap
from konig.errors import InfeasibleError
from konig.index_arrays import as_array, check_sparse
from konig.interop import arrays
from konig.interop.index_matrices import sparse_on_host
from konig.matching.result import VertexCover
from konig.progress import Report, reporting
from konig.results import Pairs, Result

# Lists of so many entries, and at least one in FULL_ENOUGH of all, are solved as a dense matrix.
DENSE_ENTRIES, FULL_ENOUGH = 1 << 12, 4
LARGEST_COST = 2.0**13  # logarithms of float64 numbers, and the exponents added to them, are far below
MOST_EXPONENT = 1000  # scales beyond it are moved from rows to columns, or back


@dataclass(frozen=True, eq=False, repr=False)
class ProductTransversal(Pairs, Result):
    """A maximum product transversal, its scales, and with them its proof.

    Attributes
    ----------
    row_ind, col_ind : array
        The chosen entries, no two in a row or column, rows ascending.
    log_product : float
        The natural logarithm of the product of their moduli.
    gap : float
        A proven bound on how far ``log_product`` is from the largest one, from the scales in exact
        arithmetic: what rounding leaves open.
    row_mantissa, row_exponent, col_mantissa, col_exponent : array
        The scales ``mantissa * 2.0**exponent`` of rows and columns, mantissas in [1/2, 1). With them no entry
        is above 1 in modulus, in exact arithmetic (complex ones by moduli rounded to float64), and the
        chosen ones are 1 but for rounding. On rows left
        over the scale is the largest of all rows; and so for columns.
    cover : VertexCover or None
        If the matrix is structurally singular: rows and columns, as many as chosen entries, that meet every
        entry. They prove that no transversal is larger.
    method, device : str
        What solved the assignment problem, and where.
    stats : dict
        What it counted, and ``stats["seconds"]`` by part: convert and main.
    """

    row_ind: Any
    col_ind: Any
    log_product: float
    gap: float
    row_mantissa: Any
    row_exponent: Any
    col_mantissa: Any
    col_exponent: Any
    method: str
    device: str
    stats: Mapping[str, Any]
    cover: VertexCover | None = None
    place: arrays.Place = arrays.HOST

    PLACED = ("row_ind", "col_ind", "row_mantissa", "row_exponent", "col_mantissa", "col_exponent", "cover")

    def __repr__(self) -> str:
        rows, cols = self.shape
        return f"ProductTransversal(size={self.size} of {rows} x {cols}, log_product={self.log_product})"

    @property
    def shape(self) -> tuple[int, int]:
        """The extent of the matrix."""
        return len(self.row_mantissa), len(self.col_mantissa)

    @property
    def size(self) -> int:
        """How many entries are chosen: the structural rank of the matrix."""
        return len(self.row_ind)

    @cached_property
    def row_scale(self) -> Any:
        """The scales of the rows as float64; an OverflowError if one is beyond that, which is rare."""
        return self._floats("row")

    @cached_property
    def col_scale(self) -> Any:
        """The scales of the columns as float64; an OverflowError if one is beyond that, which is rare."""
        return self._floats("col")

    @cached_property
    def row_log_scale(self) -> Any:
        """The natural logarithms of the scales of the rows."""
        return self._logs("row")

    @cached_property
    def col_log_scale(self) -> Any:
        """The natural logarithms of the scales of the columns."""
        return self._logs("col")

    @cached_property
    def row_perm(self) -> Any:
        """The order of the rows that puts the chosen entries on the diagonal of ``A[row_perm]``.

        Column j has its entry in place (j, j). Rows left over come where no column has an entry, and behind
        the last column. A matrix with fewer rows than columns has `col_perm` instead.
        """
        return self._order("row")

    @cached_property
    def col_perm(self) -> Any:
        """The order of the columns that puts the chosen entries on the diagonal of ``A[:, col_perm]``."""
        return self._order("col")

    def scaled(self, A: Any, *, powers_of_two: bool = False) -> Any:
        """The scaled matrix ``row_scale[i] * A[i, j] * col_scale[j]``, on the host.

        It is computed without overflow on the way, whatever the scales are.

        Parameters
        ----------
        A : sparse matrix or array
            The matrix that was solved.
        powers_of_two : bool
            Round the scales down to powers of two. Scaling then changes no digit of any entry; chosen
            entries are between 1/4 and 1 in modulus, and still none is above 1.

        Returns
        -------
        csr_array or ndarray
            Sparse if ``A`` is.

        Examples
        --------
        >>> import numpy as np, konig
        >>> A = np.array([[1e-9, 4.0], [2.0, 1e6]])
        >>> t = konig.maximum_product_transversal(A)
        >>> t.scaled(A)[t.row_perm].diagonal().round(12)
        array([1., 1.])
        """
        matrix = _matrix(A)
        if matrix.shape != self.shape:
            raise ValueError(
                f"A is {_extent(matrix.shape)}, but the scales are those of {_extent(self.shape)}"
            )
        on_host = self.on_host()
        of_rows = Scales(on_host.row_mantissa, on_host.row_exponent)
        of_cols = Scales(on_host.col_mantissa, on_host.col_exponent)
        if powers_of_two:
            of_rows, of_cols = (Scales(np.full_like(x.mantissa, 0.5), x.exponent) for x in (of_rows, of_cols))
        if not sp.issparse(matrix):
            rows, cols = (np.arange(extent) for extent in matrix.shape)
            return _scaled(matrix, of_rows.of(rows[:, None]), of_cols.of(cols[None, :]))
        rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        data = _scaled(matrix.data, of_rows.of(rows), of_cols.of(matrix.indices))
        return sp.csr_array((data, matrix.indices.copy(), matrix.indptr.copy()), shape=matrix.shape)

    def verify(self, A: Any) -> None:
        """Prove the answer against the matrix, on the host and without any solver.

        Raises
        ------
        CertificateError
            Unless these are entries of ``A``, no two in a line, as many as can be, and the scales prove that
            no others have a larger product.

        Examples
        --------
        >>> import konig
        >>> A = [[0, 3, 1], [2, 0, 1], [0, 1, 5]]
        >>> konig.maximum_product_transversal(A).verify(A)
        """
        check_product_transversal(_moduli(A), self.on_host())

    def _floats(self, side: str) -> Any:
        host = self.on_host()
        mantissa, exponent = getattr(host, f"{side}_mantissa"), getattr(host, f"{side}_exponent")
        beyond = np.flatnonzero((exponent > 1024) | (exponent < -1021))
        if len(beyond):
            k = int(beyond[0])
            raise OverflowError(
                f"the scale of {side} {k}, {mantissa[k]} * 2**{exponent[k]}, is beyond float64: "
                f"{side}_log_scale has its logarithm, and scaled(A) applies it"
            )
        return _given(self.place, np.ldexp(mantissa, exponent))

    def _logs(self, side: str) -> Any:
        host = self.on_host()
        mantissa, exponent = getattr(host, f"{side}_mantissa"), getattr(host, f"{side}_exponent")
        return _given(self.place, np.log(mantissa) + exponent * math.log(2))

    def _order(self, side: str) -> Any:
        host, (rows, cols) = self.on_host(), self.shape
        longer, shorter = (rows, cols) if side == "row" else (cols, rows)
        if longer < shorter:
            other = "col" if side == "row" else "row"
            raise ValueError(f"a {rows} x {cols} matrix has no {side}_perm: use {other}_perm")
        own, partner = (host.row_ind, host.col_ind) if side == "row" else (host.col_ind, host.row_ind)
        order = np.full(longer, -1, np.int64)
        order[partner] = own
        order[order < 0] = np.setdiff1d(np.arange(longer), own)
        return _given(self.place, order)


@with_hints
def maximum_product_transversal(
    A: Any, *, threads: int | None = None, progress: bool | Report | None = None
) -> ProductTransversal:
    """Choose entries, one in each row and column, with the largest product, and scale them to 1.

    Permuted to the diagonal of a sparse matrix and scaled, they make LU factorisation without, or with
    little, pivoting stable: job 5 of the HSL routine MC64 [1]_.

    Parameters
    ----------
    A : sparse matrix, array or path
        Real or complex, of any size. Zeros are no entries, stored or not; duplicates add up. Entries are
        taken as float64. It is never modified. Matrices on a GPU are copied to the host and solved on the
        CPU, and answers go back.
    threads : int, optional
        How many threads may solve a dense matrix; if not given, as many as there are idle cores.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (assigned so far, to be assigned).

    Returns
    -------
    ProductTransversal
        The entries, the permutation, the scales and ``verify``. A matrix that is structurally singular, or
        not square, has a transversal too: the best product among those with the most entries; its scales
        bound all entries by 1 all the same.

    Notes
    -----
    A linear assignment problem with the costs -log|a|, whose duals are the logarithms of the scales. Products
    that differ by less than rounding of logarithms, a factor of ``exp(gap)`` at most, count as equal.

    References
    ----------
    .. [1] I. S. Duff and J. Koster, On algorithms for permuting large entries to the diagonal of a sparse
       matrix, SIAM J. Matrix Anal. Appl. 22 (2001).

    Examples
    --------
    >>> import scipy.sparse as sp, konig
    >>> A = sp.csr_array([[0.0, 4.0, 1.0], [0.5, 1.0, 0.0], [2.0, 0.0, 3.0]])
    >>> t = konig.maximum_product_transversal(A)
    >>> t.row_ind.tolist(), t.col_ind.tolist(), t.row_perm.tolist()
    ([0, 1, 2], [1, 0, 2], [1, 0, 2])
    >>> abs(t.scaled(A)[t.row_perm].diagonal()).round(12).tolist()
    [1.0, 1.0, 1.0]
    >>> t.verify(A)
    """
    began = perf_counter()
    workers = checked_count("threads", threads, most=MOST_THREADS)
    place = arrays.HOST if sp.issparse(A) else arrays.place_of(A, "A") or arrays.HOST
    matrix = _moduli(A)
    converted = perf_counter()
    with nullcontext() if progress is None else reporting(progress, "product transversal") as report:
        found = _solve(matrix, workers, report)
    seconds = {"convert": converted - began, "main": perf_counter() - converted}
    arrays_there = {name: _given(place, array) for name, array in found.arrays.items()}
    cover = found.cover
    if cover is not None:
        cover = VertexCover(place.give(cover.rows), place.give(cover.cols))
    return ProductTransversal(
        **arrays_there,
        log_product=found.log_product,
        gap=found.gap,
        method=found.method,
        device="cpu",
        stats={**found.stats, "seconds": seconds},
        cover=cover,
        place=place,
    )


def _given(place: arrays.Place, array: np.ndarray) -> Any:
    """An array of the caller's library in the caller's place, frozen if it is NumPy's."""
    given = place.give(array)
    if isinstance(given, np.ndarray):
        given.setflags(write=False)
    return given


def _extent(shape: Any) -> str:
    return f"a {shape[0]} x {shape[1]} matrix"


def _matrix(A: Any) -> Any:
    """The matrix as one of scipy.sparse in CSR format without duplicates, or an array; values as given."""
    if isinstance(A, str | os.PathLike):
        from konig import io

        A = io.read(A)
    if not sp.issparse(A) and not isinstance(A, np.ndarray):
        place = arrays.place_of(A, "A") or arrays.HOST
        listed = sparse_on_host(A, place, "A")
        A = as_array(A, "A") if listed is None else listed
    if A.ndim != 2:
        raise ValueError(f"A must have two dimensions, not shape {A.shape}")
    wide = A.dtype.itemsize > (16 if A.dtype.kind == "c" else 8)
    if A.dtype.kind not in "biufc" or wide:
        if not (A.size == 0 and A.dtype == object):
            raise TypeError(f"A must hold real or complex numbers of up to 64 bits each, not {A.dtype}")
        A = A.astype(np.float64)
    if not sp.issparse(A):
        return as_array(A, "A")
    if max(A.shape) > MOST_IDS:
        raise ValueError(f"A must have fewer than 2**31 rows and columns, not shape {A.shape}")
    check_sparse(A, "A")
    if A.format == "csr" and A.has_canonical_format:
        return A
    # Duplicates are added up in the type that entries are taken in.
    A = A.astype(np.complex128 if A.dtype.kind == "c" else np.float64).tocsr()
    with np.errstate(over="ignore", invalid="ignore"):
        A.sum_duplicates()
    return A


def _moduli(A: Any) -> Moduli:
    matrix = _matrix(A)
    sparse = sp.issparse(matrix)
    values = matrix.data[: matrix.indptr[-1]] if sparse else np.ascontiguousarray(matrix).ravel()
    numbers = values.astype(np.complex128 if values.dtype.kind == "c" else np.float64, copy=False)
    if numbers.dtype.kind == "c":
        with np.errstate(over="ignore", invalid="ignore"):
            moduli = np.abs(numbers)
    else:
        moduli = np.abs(numbers)
    start, col = None, None
    if sparse:
        start = np.ascontiguousarray(matrix.indptr, np.int64)
        col = np.ascontiguousarray(matrix.indices[: len(values)], np.int32)
    rows, cols = matrix.shape
    found = Moduli((int(rows), int(cols)), start, col, moduli)
    bad = _native.first_not_finite(moduli)
    if bad >= 0:
        row, col_of_entry = found.place(bad)
        overflows = bool(np.isfinite(values[bad]))
        what = "its modulus is beyond float64" if overflows else "entries must be finite numbers"
        raise ValueError(f"A[{row}, {col_of_entry}] = {values[bad]}: {what}")
    if numbers.dtype.kind == "c":  # with one part alone the modulus is exact
        small = moduli < np.finfo(np.float64).tiny
        coarse = np.flatnonzero(small & (numbers.real != 0) & (numbers.imag != 0))
        if len(coarse):
            row, col_of_entry = found.place(int(coarse[0]))
            what = "its modulus is below 2.3e-308, where float64 has few digits; scale A up"
            raise ValueError(f"A[{row}, {col_of_entry}] = {values[coarse[0]]}: {what}")
    return found


def _scaled(values: Any, of_rows: Scales, of_cols: Scales) -> Any:
    """Products with mantissas first and exponents last: only what is itself too small underflows."""
    if np.iscomplexobj(values):
        parts = (_scaled(part, of_rows, of_cols) for part in (values.real, values.imag))
        return np.stack(tuple(parts), axis=-1).view(np.complex128)[..., 0]
    mantissa, exponent = np.frexp(np.asarray(values, np.float64))
    whole = exponent.astype(np.int64) + of_rows.exponent + of_cols.exponent
    scaled = mantissa * of_rows.mantissa * of_cols.mantissa
    return np.ldexp(scaled, np.clip(whole, -4096, 4096).astype(np.int32))


class Found(NamedTuple):
    """Pairs, scales and what is known of the product; rows ascend unless it is the transpose's."""

    row_ind: np.ndarray
    col_ind: np.ndarray
    of_rows: Scales
    of_cols: Scales
    log_product: float
    gap: float
    method: str
    stats: dict[str, Any]
    cover: VertexCover | None = None

    @property
    def arrays(self) -> dict[str, Any]:
        """Those that a result holds, by name."""
        pairs = {"row_ind": self.row_ind, "col_ind": self.col_ind}
        of_rows = {f"row_{name}": array for name, array in self.of_rows._asdict().items()}
        return pairs | of_rows | {f"col_{name}": array for name, array in self.of_cols._asdict().items()}

    def transposed(self) -> Found:
        """The answer to the transposed problem."""
        order = self.col_ind.argsort()
        cover = None if self.cover is None else VertexCover(self.cover.cols, self.cover.rows)
        return self._replace(
            row_ind=self.col_ind[order],
            col_ind=self.row_ind[order],
            of_rows=self.of_cols,
            of_cols=self.of_rows,
            cover=cover,
        )


def _solve(matrix: Moduli, workers: int | None, report: Report | None) -> Found:
    rows, cols = matrix.shape
    if rows > cols:
        return _solve(_transposed(matrix), workers, report).transposed()
    entries = len(matrix.modulus)
    if matrix.start is not None and entries >= DENSE_ENTRIES and entries * FULL_ENOUGH >= rows * cols:
        matrix = _filled(matrix)
    found = (_solve_array if matrix.start is None else _solve_lists)(matrix, workers, report)
    if found is None:
        found = _solve_largest(matrix, workers, report)
    exponents: tuple[Any, Any] = found.of_rows.exponent, found.of_cols.exponent
    _native.balance_exponents(*exponents, MOST_EXPONENT)
    return found


def _transposed(matrix: Moduli) -> Moduli:
    rows, cols = matrix.shape
    if matrix.start is None or matrix.col is None:
        turned = np.ascontiguousarray(matrix.modulus.reshape(rows, cols).T).ravel()
        return Moduli((cols, rows), None, None, turned)
    lists = sp.csr_array((matrix.modulus, matrix.col, matrix.start), shape=(rows, cols)).T.tocsr()
    return Moduli((cols, rows), lists.indptr.astype(np.int64), lists.indices.astype(np.int32), lists.data)


def _filled(matrix: Moduli) -> Moduli:
    rows, cols = matrix.shape
    full = np.zeros(rows * cols)
    full[matrix.rows * cols + matrix.cols] = matrix.modulus
    return Moduli(matrix.shape, None, None, full)


def _new_scales(shape: tuple[int, int]) -> tuple[Scales, Scales]:
    of_rows, of_cols = (Scales(np.empty(extent), np.empty(extent, np.int32)) for extent in shape)
    return of_rows, of_cols


def _solve_lists(matrix: Moduli, workers: int | None, report: Report | None) -> Found | None:
    """The transversal of lists, in one native call; None if it does not have all rows."""
    partner = np.empty(matrix.shape[0], np.int64)
    of_rows, of_cols = _new_scales(matrix.shape)
    lists: tuple[Any, Any, Any] = matrix[1:]
    scales: tuple[Any, Any, Any, Any] = (*of_rows, *of_cols)
    optimal, log_product, gap, stats = _native.product_of_lists(*lists, partner, *scales, report)
    if not optimal:
        return None
    return Found(np.arange(len(partner)), partner, of_rows, of_cols, log_product, gap, "jv", stats)


def _solve_array(matrix: Moduli, workers: int | None, report: Report | None) -> Found | None:
    """The same of a dense matrix."""
    rows, cols = matrix.shape
    how = _how(matrix, workers, report)
    costs, exponent = _costs(matrix, True, rows == cols)
    solved = cpu.solve(costs, how)
    if isinstance(solved, InfeasibleError):
        return None
    solved = cpu.required(solved)
    method = cpu.ran(how.method, solved.stats)
    of_rows, of_cols, log_product, gap = _scales(matrix, solved, exponent)
    pairs = solved.row_ind, solved.col_ind
    return Found(*pairs, of_rows, of_cols, log_product, gap, method, solved.stats)


def _solve_largest(matrix: Moduli, workers: int | None, report: Report | None) -> Found:
    """The best product among the largest transversals, where none has all rows."""
    how = _how(matrix, workers, report)
    costs, exponent = _costs(matrix, False, False)
    solved, cover = solve_largest(costs, False, lambda part: cpu.required(cpu.solve(part, how)))
    of_rows, of_cols, log_product, _ = _scales(matrix, solved, exponent)
    _level(of_rows, solved.row_ind)
    chosen = _chosen(matrix, solved)
    gap = proven_gap(chosen, of_rows.of(solved.row_ind), of_cols.of(solved.col_ind)) * (1 + 2.0**-30)
    method = cpu.ran(how.method, solved.stats)
    pairs = solved.row_ind, solved.col_ind
    return Found(*pairs, of_rows, of_cols, log_product, gap, method, solved.stats, cover)


def _how(matrix: Moduli, workers: int | None, report: Report | None) -> cpu.How:
    method = choose(*matrix.shape, sparse=matrix.start is not None)
    return cpu.How(method, {}, False, largest=LARGEST_COST, threads=workers, report=report)


def _costs(matrix: Moduli, split_rows: bool, split_cols: bool) -> tuple[Any, np.ndarray]:
    """Logarithmic costs, and the exponents that were split off the columns."""
    cost: Any = np.empty(len(matrix.modulus))
    row_exponent, col_exponent = (np.zeros(extent, np.int32) for extent in matrix.shape)
    lists: tuple[Any, Any, Any] = matrix[1:]
    _native.log_costs(*lists, split_rows, split_cols, row_exponent, col_exponent, cost)
    if matrix.start is None or matrix.col is None:
        return cost.reshape(matrix.shape), col_exponent
    return SparseCosts(matrix.shape, matrix.start, matrix.col, cost), col_exponent


def _scales(matrix: Moduli, solved: cpu.Solved, exponent: np.ndarray) -> tuple[Scales, Scales, float, float]:
    """Scales from the duals of the columns, the logarithm of the product and the gap."""
    partner = np.full(matrix.shape[0], -1, np.int64)
    partner[solved.row_ind] = solved.col_ind
    of_rows, of_cols = _new_scales(matrix.shape)
    lists: tuple[Any, Any, Any] = matrix[1:]
    duals: tuple[Any, Any] = solved.col_dual, exponent
    scales: tuple[Any, Any, Any, Any] = (*of_rows, *of_cols)
    log_product, gap = _native.scale_product(*lists, partner, *duals, *scales)
    return of_rows, of_cols, log_product, gap


def _level(of_rows: Scales, chosen: np.ndarray) -> None:
    """Give all rows left over one scale, the smallest that any of them can have, and no row a larger one."""
    left_over = np.ones(len(of_rows.mantissa), bool)
    left_over[chosen] = False
    bounded = left_over & (of_rows.exponent < _native.NO_BOUND)
    if bounded.any():
        of_bounded = of_rows.of(np.flatnonzero(bounded))
        exponent = of_bounded.exponent.min()
        level = float(of_bounded.mantissa[of_bounded.exponent == exponent].min()), int(exponent)
    else:
        level = of_rows.of(chosen).largest() if len(chosen) else (0.5, 1)
    lowered = left_over | of_rows.exceed(level)
    of_rows.mantissa[lowered], of_rows.exponent[lowered] = level


def _chosen(matrix: Moduli, solved: cpu.Solved) -> np.ndarray:
    """The moduli of the pairs."""
    rows, cols = matrix.shape
    if matrix.start is None or matrix.col is None:
        return np.asarray(matrix.modulus[solved.row_ind * cols + solved.col_ind])
    col_of_row = np.full(rows, -1, np.int64)
    col_of_row[solved.row_ind] = solved.col_ind
    partner = np.repeat(col_of_row, np.diff(matrix.start))
    return np.asarray(matrix.modulus[np.flatnonzero(partner == matrix.col)])

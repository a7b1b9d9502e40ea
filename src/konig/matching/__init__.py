"""Maximum cardinality bipartite matching: validate, choose, solve, return the proof."""

from __future__ import annotations

from contextlib import nullcontext
from time import perf_counter
from typing import Any

import numpy as np

from konig import _native, registry
from konig.arguments import MOST_THREADS, checked_count, checked_flag
from konig.errors import CertificateError
from konig.index_arrays import as_array, check_listed_integers
from konig.interop import arrays
from konig.matching import cpu
from konig.matching.auto import MOST_IN_ONE_CALL, choose_matching, workers_for_auto
from konig.matching.gpu import MatchingGpu
from konig.matching.inputs import BipartiteGraph, Partial, as_graph, count_matched, one_call_arrays
from konig.matching.proof import check_matching
from konig.matching.result import Matching, kept_graph, reached
from konig.progress import Report, reporting
from konig.threads import worth_sharing


def maximum_matching(
    A: Any,
    *,
    method: str = "auto",
    device: str = "auto",
    threads: int | None = None,
    seed: int | None = None,
    initial: Any = None,
    progress: bool | Report | None = None,
    shape: tuple[int, int] | None = None,
    drop_zeros: bool = False,
    **knobs: Any,
) -> Matching:
    """Match as many rows with columns as the entries of a matrix allow (a maximum transversal).

    Parameters
    ----------
    A : sparse matrix, array, tuple of arrays or path
        Anything from scipy.sparse; a dense 2-D array or list of lists, whose nonzeros count; a tuple of index
        arrays ``(rows, cols)``; or a file that `konig.io.read` knows. Arrays and sparse matrices may
        also be those of CuPy, PyTorch or JAX, or speak DLPack or the CUDA array interface; on a GPU they stay
        there. It is never modified, and may be changed once the call has returned. Stored zeros are entries
        unless `drop_zeros`; duplicates count once.
    method : str
        A name from ``konig.methods("matching")``, or "auto" for the best known choice.
    device : {"auto", "cpu", "cuda", "cuda:N"}
        Where to solve. "auto" is where the input is: the CPU, or the GPU that holds it if the method runs
        there. The answer goes back to where the input is in any case.
    threads : int, optional
        How many workers a parallel method uses; if not given, as many as there are cores that nothing else
        uses. Sequential methods use one.
    seed : int, optional
        Seed for methods that draw random numbers.
    initial : Matching or array, optional
        A warm start: an earlier result, or the partner of each row (-1 for none), wherever it is. It is
        checked.
    progress : bool or callable, optional
        True for a bar on stderr, or a function called with (matched so far, upper bound).
    shape : (int, int), optional
        The extent of a matrix given as pairs; taken from the largest ids if not given.
    drop_zeros : bool
        Whether stored zeros are no entries; in BSR those that fill up a block are stored, too.
    **knobs
        The method's own settings; ``konig.methods("matching")`` lists them.

    Returns
    -------
    Matching
        The partners, the size, the cover that proves it, and what the method counted. Its arrays are
        those of the input's library, on the input's device.

    Examples
    --------
    >>> import scipy.sparse as sp, konig
    >>> A = sp.csr_array([[1, 1, 0], [1, 0, 0], [0, 0, 0]])
    >>> m = konig.maximum_matching(A)
    >>> m.size, m.col_of_row.tolist()
    (2, [1, 0, -1])
    >>> len(m.cover)
    2
    >>> m.verify(A)
    """
    if (
        method == "auto"
        and (device == "auto" or device == "cpu")
        and (threads is None or (type(threads) is int and 1 <= threads <= MOST_THREADS))
        and seed is initial is progress is None
        and drop_zeros is False
        and not knobs
        and (given := one_call_arrays(A, shape)) is not None
        and (found := _in_one_call(given, threads)) is not None
    ):
        solved = object.__new__(Matching)
        fields = solved.__dict__
        fields["size"], fields["col_of_row"], fields["row_of_col"], fields["nonzeros"] = found[:4]
        fields["method"], fields["device"], fields["found"] = found[4], "cpu", found[5:]
        return solved
    began = perf_counter()
    place = arrays.place_of(A) or arrays.HOST
    chosen = choose_matching(method, device, place.gpu)
    kind, number = registry.choose_device(chosen, device, place.gpu)
    if chosen is None and knobs:
        raise registry.unknown_argument(maximum_matching, knobs)
    settings = chosen.settings(knobs) if chosen else {}
    workers = checked_count("threads", threads, most=MOST_THREADS)
    seed = checked_count("seed", seed, least=0)
    drop_zeros = checked_flag("drop_zeros", drop_zeros)
    converters = workers if chosen is None or chosen.parallel else 1
    gpu = MatchingGpu(number, place) if kind == "cuda" else None
    seconds: dict[str, float] = {}
    with gpu or nullcontext(), reporting(progress, f"matching ({method})") as report:
        graph = (
            gpu.graph(A, shape, drop_zeros, seconds)
            if gpu
            else as_graph(A, shape=shape, drop_zeros=drop_zeros, threads=converters)
        )
        col_of_row, row_of_col = starting_point(initial, graph, xp=gpu.cupy if gpu else np)
        convert_seconds = perf_counter() - began - seconds.get("graph_to_device", 0.0)
        partial = Partial(graph, col_of_row, row_of_col)
        found = None
        if chosen is None:
            ran, stats, found = cpu.run_auto(partial, report, workers)
        elif gpu and method == "auto":
            ran, stats = gpu.run_auto(chosen, partial, report, initial is not None)
        elif gpu:
            ran, stats = chosen.name, gpu.run_matching(chosen, partial, settings, report)
        else:
            ran = chosen.name
            stats = cpu.run_matching(chosen, partial, settings, report, threads=workers, seed=seed)
        stats.pop("verdict", None)
        size = stats.pop("size", None)
        if size is None:
            size = count_matched(row_of_col)
        kept = kept_graph(graph, size) if found is None else reached(*found)
        gave_began = perf_counter()
        col_of_row, row_of_col = place.give(col_of_row), place.give(row_of_col)
    if gpu and place.gpu is None:
        seconds["matching_to_host"] = perf_counter() - gave_began
    stats["seconds"] = {
        "convert": convert_seconds,
        **seconds,
        **stats["seconds"],
        "total": perf_counter() - began,
    }
    if place.library == "numpy":
        for partners in (col_of_row, row_of_col):
            partners.setflags(write=False)
    where = str(gpu) if gpu else "cpu"
    return Matching(size, col_of_row, row_of_col, ran, where, stats, graph.nonzeros, kept, drop_zeros, place)


def _in_one_call(given: tuple[str, Any, np.ndarray, int, int], threads: int | None) -> Any:
    return _native.match_arrays(*given, MOST_IN_ONE_CALL, workers_for_auto(given[2].size, threads))


def structural_rank(A: Any, **options: Any) -> int:
    """The size of a maximum matching: the largest rank that any values on this pattern can give.

    Takes what `maximum_matching` takes.

    Examples
    --------
    >>> import numpy as np, konig
    >>> konig.structural_rank(np.array([[1, 0], [1, 0]]))
    1
    """
    return maximum_matching(A, **options).size


def _unmatched(vertices: int, graph: BipartiteGraph) -> np.ndarray:
    mates = np.empty(vertices, graph.id_dtype)
    _native.fill(mates, -1, worth_sharing(vertices, graph.threads))
    return mates


def _unmatched_on_gpu(cupy: Any, graph: BipartiteGraph) -> tuple[Any, Any]:
    """Both in one piece of memory, filled at once; those of the columns begin at a multiple of 256 bytes."""
    apart = -(-graph.rows // 64) * 64
    mates = cupy.empty(apart + graph.cols, graph.id_dtype)
    mates.data.memset_async(0xFF, mates.nbytes)
    return mates[: graph.rows], mates[apart:]


def starting_point(
    initial: Any, graph: BipartiteGraph, name: str = "initial", xp: Any = np
) -> tuple[Any, Any]:
    """Partner arrays to be improved, where the graph is: empty, or the matching given once it is checked."""
    if initial is None and xp is np:
        return _unmatched(graph.rows, graph), _unmatched(graph.cols, graph)
    if initial is None:
        return _unmatched_on_gpu(xp, graph)
    given = initial.col_of_row if isinstance(initial, Matching) else initial
    listed = given
    given = as_array(given, name, "an array of integers") if xp is np else arrays.to_cupy(xp, given, name)
    check_listed_integers(listed, name, given.dtype)
    if given.shape != (graph.rows,) or given.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be a Matching or {graph.rows} integers (the partner of each row), "
            f"not {given.dtype} of shape {given.shape}"
        )
    if given.itemsize < 8:
        given = given.astype(np.int64)
    wrong = xp.flatnonzero((given < -1) | (given >= graph.cols))
    if len(wrong):
        row = int(wrong[0])
        raise ValueError(f"{name}: row {row} has partner {given[row]}, not in [-1, {graph.cols})")
    col_of_row = given.astype(graph.id_dtype)
    row_of_col = xp.full(graph.cols, -1, graph.id_dtype)
    matched = xp.flatnonzero(col_of_row >= 0)
    row_of_col[col_of_row[matched]] = matched
    if xp is np and _is_matching(graph, col_of_row, row_of_col):
        return col_of_row, row_of_col
    try:
        # It says what is wrong. The checker's calls go to CuPy by themselves where the arrays are CuPy's.
        check_matching(*graph.edges(), col_of_row, row_of_col)
    except CertificateError as refused:
        raise ValueError(f"{name} is not a matching of A: {refused}") from None
    return col_of_row, row_of_col


def _is_matching(graph: BipartiteGraph, col_of_row: np.ndarray, row_of_col: np.ndarray) -> bool:
    lists, near, far = (
        (graph.of_row, col_of_row, row_of_col) if graph.has_rows else (graph.of_col, row_of_col, col_of_row)
    )
    return bool(_native.is_matching(lists.start, lists.neighbour, near, far))

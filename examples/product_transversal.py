"""LU factorisation before and after a maximum product transversal: a table for a folder of .mtx files.

    python examples/product_transversal.py FOLDER [--most-rows 10000]

Each matrix is factorised by SuperLU twice, with a threshold so small that pivots leave the diagonal only
where it is (nearly) zero: as it is, and permuted and scaled so that the entries of largest product stand on
the diagonal with modulus 1. Without FOLDER a small matrix of its own shows the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

import konig
from konig import io

THRESHOLD = 1e-8


class Factored(NamedTuple):
    """What a factorisation is like.

    Pivots off the diagonal, entries of L + U, how much larger U has entries than the matrix, and the
    componentwise backward error of a solution (Oettli and Prager), without iterative refinement.
    """

    off_diagonal: int
    fill: int
    growth: float
    backward_error: float


def factored(A: Any, B: Any, b: np.ndarray, recover: Any) -> Factored | None:
    """Factorise ``B`` and solve ``A x = b`` with it; None if SuperLU finds it singular."""
    try:
        lu = splu(B.tocsc(), diag_pivot_thresh=THRESHOLD, options={"Equil": False})
    except RuntimeError:
        return None
    with np.errstate(all="ignore"):
        x = recover(lu)
        residual, size = np.abs(A @ x - b), abs(A) @ np.abs(x) + np.abs(b)
        error = (residual / np.where(size > 0, size, 1)).max()
        growth = np.abs(lu.U.data).max() / np.abs(B.data).max()
    moved = int(np.count_nonzero(lu.perm_r != lu.perm_c))
    return Factored(moved, lu.L.nnz + lu.U.nnz, float(growth), float(error))


def compare(A: Any) -> tuple[Factored | None, Factored | None]:
    """The same system factorised as it is, and after the transversal."""
    b = A @ np.ones(A.shape[0])
    t = konig.maximum_product_transversal(A)
    t.verify(A)
    # P R A C y = P R b and x = C y
    rows, cols = t.row_scale, t.col_scale
    scaled = t.scaled(A)[t.row_perm]
    return (
        factored(A, A, b, lambda lu: lu.solve(b)),
        factored(A, scaled, b, lambda lu: cols * lu.solve((rows * b)[t.row_perm])),
    )


def own_matrix(n: int = 300) -> Any:
    """A saddle point problem, half of its diagonal zero, with rows and columns of many scales."""
    rng = np.random.default_rng(0)
    H = sp.diags_array(rng.random(n) + 0.1)
    J = sp.random_array((n, n), density=0.01, rng=rng) + sp.eye_array(n)
    rows, cols = (sp.diags_array(10.0 ** rng.uniform(-4, 4, 2 * n)) for _ in range(2))
    return (rows @ sp.block_array([[H, J.T], [J, None]]) @ cols).tocsr()


def matrices(folder: Path | None, most_rows: int) -> Iterator[tuple[str, Any]]:
    """Square matrices with values and of full structural rank, by name."""
    if folder is None:
        yield "own", own_matrix()
        return
    for path in sorted(folder.rglob("*.mtx*")):
        A = sp.csr_array(io.read(path))
        if A.shape[0] != A.shape[1] or A.shape[0] > most_rows or A.dtype == bool:
            continue
        A = A.astype(np.complex128 if A.dtype.kind == "c" else np.float64)
        A.eliminate_zeros()
        if len(np.unique(np.abs(A.data))) > 1 and konig.structural_rank(A) == A.shape[0]:
            yield path.name.removesuffix(".xz").removesuffix(".gz").removesuffix(".mtx"), A


def shown(found: Factored | None) -> str:
    """A factorisation as cells of the table."""
    if found is None:
        return "singular | | |"
    return f"{found.off_diagonal:,} | {found.fill:,} | {found.growth:.0e} | {found.backward_error:.0e}"


def main() -> None:
    """Print the table, in Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--most-rows", type=int, default=10_000)
    given = parser.parse_args()
    print("| matrix | rows | off diagonal | L + U | growth | error | off diagonal | L + U | growth | error |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name, A in matrices(given.folder, given.most_rows):
        before, after = compare(A)
        print(f"| {name} | {A.shape[0]:,} | {shown(before)} | {shown(after)} |", flush=True)


if __name__ == "__main__":
    main()

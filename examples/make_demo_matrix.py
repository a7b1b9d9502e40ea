"""Writes demo.mtx: a matrix with a planted block triangular form, its rows and columns shuffled."""

from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse as sp

WIDE = (24, 40)  # rows and columns of the underdetermined part
SQUARE_BLOCKS = (38, 22, 14, 9, 7, 5, 4, 3, 2, 2, *[1] * 24)
TALL = (45, 39)  # rows and columns of the overdetermined part


def irreducible_block(rng: np.random.Generator, size: int) -> np.ndarray:
    """A diagonal, a cycle through all of it, and a few entries more."""
    block = np.eye(size, dtype=bool)
    order = rng.permutation(size)
    block[order, np.roll(order, 1)] = True
    extra = 2 * size if size > 3 else 0
    block[rng.integers(0, size, extra), rng.integers(0, size, extra)] = True
    return block


def underdetermined_part(rng: np.random.Generator, rows: int, cols: int) -> np.ndarray:
    """More columns than rows, and every column within reach of the spare ones."""
    part = rng.random((rows, cols)) < 2 / rows
    part[np.arange(rows), np.arange(rows) + cols - rows] = True
    spare = cols - rows
    part[np.arange(rows), rng.integers(0, spare, rows)] = True
    return part


def planted(rng: np.random.Generator) -> np.ndarray:
    parts = [underdetermined_part(rng, *WIDE)]
    parts += [irreducible_block(rng, size) for size in SQUARE_BLOCKS]
    parts += [underdetermined_part(rng, *TALL[::-1]).T]
    pattern = np.array(sp.block_diag(parts).toarray(), dtype=bool)
    # Entries above the blocks, more of them close by.
    row_end, col_end = 0, 0
    for part in parts:
        row_begin, row_end = row_end, row_end + part.shape[0]
        col_end += part.shape[1]
        right = pattern.shape[1] - col_end
        if right:
            count = rng.poisson(1.3 * part.shape[0])
            away = np.minimum(rng.exponential(right / 4, count).astype(int), right - 1)
            pattern[rng.integers(row_begin, row_end, count), col_end + away] = True
    return pattern


def main() -> None:
    rng = np.random.default_rng(1916)
    pattern = planted(rng)
    rows, cols = pattern.shape
    shuffled = sp.coo_array(pattern[rng.permutation(rows)][:, rng.permutation(cols)])
    comment = " A planted block triangular form, shuffled; written by make_demo_matrix.py"
    path = Path(__file__).with_name("demo.mtx")
    scipy.io.mmwrite(path, shuffled, comment=comment, field="pattern", symmetry="general")
    print(f"{path.name}: {rows} x {cols}, {shuffled.nnz} entries")


if __name__ == "__main__":
    main()

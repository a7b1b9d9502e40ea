"""A sparse system in blocks: product scaling and block triangular form before an LU factorisation.

    python examples/gallery/sparse_system.py [PICTURE]

The matrix couples many small subsystems in one direction, as models of plants and circuits do. Nobody wrote
its equations in that order, and their units differ by ten orders of magnitude.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import splu

import konig
from konig.plot import plot_block_triangular_form


def plant(rng, sizes):
    """Dense-ish diagonal blocks, few entries above them; then shuffled and badly scaled."""
    n = sum(sizes)
    blocks = [sp.random_array((k, k), density=min(1, 6 / k), rng=rng) + sp.eye_array(k) for k in sizes]
    coupling = sp.triu(sp.random_array((n, n), density=4 / n, rng=rng), k=1)
    A = sp.csr_array(sp.block_diag(blocks) + coupling)
    rows, cols = (sp.diags_array(10.0 ** rng.uniform(-5, 5, n)) for _ in range(2))
    return sp.csr_array(rows @ A @ cols)[rng.permutation(n)][:, rng.permutation(n)]


def in_blocks(A, b):
    """x of A x = b, last block first, and how many entries all factors have together."""
    t = konig.maximum_product_transversal(A)  # scales that make chosen entries 1 and all others at most 1
    form = konig.block_triangular_form(A, matching=t.col_ind)  # the chosen entries on its diagonal
    form.verify(A)
    U = form.permuted(t.scaled(A)).tocsr()
    c, y, fill = (t.row_scale * b)[form.row_perm], np.zeros(len(b)), 0
    for k in reversed(range(form.num_blocks)):
        block = slice(form.row_blocks[k], form.row_blocks[k + 1])
        lu = splu(U[block, block].tocsc())
        fill += lu.L.nnz + lu.U.nnz - lu.L.shape[0]
        y[block] = lu.solve(c[block] - U[block] @ y)
    x = np.empty_like(y)
    x[form.col_perm] = y
    return form, t.col_scale * x, fill


def at_once(A, b):
    lu = splu(A.tocsc())
    return lu.solve(b), lu.L.nnz + lu.U.nnz - lu.L.shape[0]


def backward_error(A, x, b):
    """How far the nearest system lies of which x is the solution (Oettli and Prager)."""
    return (np.abs(A @ x - b) / (abs(A) @ np.abs(x) + np.abs(b))).max()


def draw(A, form, fills, errors, picture):
    fig, axes = plt.subplots(1, 4, figsize=(11, 4), width_ratios=[4, 4, 1.2, 1.2], layout="constrained")
    plot_block_triangular_form(A, form, axes[:2])
    for ax, title, heights in (axes[2], "entries of L + U", fills), (axes[3], "backward error", errors):
        bars = ax.bar(["at once", "in blocks"], heights, color=["0.7", "tab:orange"], log=ax is axes[3])
        ax.bar_label(bars, [f"{h:,}" if isinstance(h, int) else f"{h:.0e}" for h in heights], fontsize=9)
        ax.set_title(title, fontsize=10)
        ax.margins(y=0.08)
        ax.set_yticks([], minor=True)
        ax.set_yticks([])
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.tick_params(length=0, labelsize=9)
    axes[3].set_ylim(1e-16, 20 * max(errors))  # no float64 is better than that
    fig.savefig(picture, dpi=100)


def main(picture="sparse_system.png"):
    rng = np.random.default_rng(0)
    A = plant(rng, sizes=rng.integers(5, 60, 30))
    b = A @ np.ones(A.shape[0])
    x, fill = at_once(A, b)
    form, y, fill_of_blocks = in_blocks(A, b)
    errors = backward_error(A, x, b), backward_error(A, y, b)
    print(f"{A.shape[0]} rows, {A.nnz} entries, {form.num_blocks} blocks")
    print(f"entries of L + U: {fill} at once, {fill_of_blocks} in blocks")
    print(f"backward error: {errors[0]:.1e} at once, {errors[1]:.1e} in blocks")
    draw(A, form, (fill, fill_of_blocks), errors, picture)


if __name__ == "__main__":
    main(*sys.argv[1:])

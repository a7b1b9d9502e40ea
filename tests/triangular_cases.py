"""What the tests of block triangular forms share."""

import numpy as np
import scipy.sparse as sp

import konig


def random_pattern(rng, rows, cols, degree):
    entries = int(degree * max(rows, cols))
    where = (rng.integers(0, rows, entries), rng.integers(0, cols, entries))
    return sp.csr_array((np.ones(entries), where), (rows, cols))


def checked_form(A, **options):
    form = konig.block_triangular_form(A, **options)
    form.verify(A)
    form.matching.verify(A)
    form.coarse.verify(A)
    return form


def blocks_as_sets(form):
    """The rows and columns of every block, in no order."""
    rows = np.split(form.row_perm, form.row_blocks[1:-1])
    cols = np.split(form.col_perm, form.col_blocks[1:-1])
    return {(frozenset(r.tolist()), frozenset(c.tolist())) for r, c in zip(rows, cols, strict=True)}

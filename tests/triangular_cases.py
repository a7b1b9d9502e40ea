"""What the tests of block triangular forms share."""

import numpy as np

import konig


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

"""The checker of coarse decompositions refuses parts that are not those of the matrix."""

from dataclasses import replace

import numpy as np
import pytest
from corruption import FORM, changed, refused

import konig
from konig.matching.triangular import Part


def moved(source, target, rows, cols):
    """The coarse decomposition with some rows and columns in another part."""
    rows, cols = np.array(rows, int), np.array(cols, int)
    coarse = konig.dulmage_mendelsohn(FORM)
    parts = {name: getattr(coarse, name) for name in ("horizontal", "square", "vertical")}
    parts[source] = Part(np.setdiff1d(parts[source].rows, rows), np.setdiff1d(parts[source].cols, cols))
    parts[target] = Part(np.union1d(parts[target].rows, rows), np.union1d(parts[target].cols, cols))
    return replace(coarse, **parts)


@pytest.mark.parametrize(
    ("source", "target", "rows", "cols", "message"),
    [
        ("horizontal", "square", [0], [], "lies below the parts"),
        ("horizontal", "square", [], [0], "lies below|different parts|unmatched but not"),
        ("horizontal", "square", [0, 1], [0, 1, 2], "unmatched but not in the horizontal part"),
        ("square", "horizontal", [2, 3], [3, 4], "row 2 is not connected"),
        ("square", "horizontal", [], [3], "lies below the parts"),
        ("square", "vertical", [5, 6], [6, 7], "column 6 is not connected"),
        ("square", "vertical", [5], [], "lies below the parts"),
        ("vertical", "square", [7, 8, 9], [8, 9], "unmatched but not in the vertical part"),
        ("horizontal", "vertical", [0], [], "lies below the parts"),
    ],
)
def test_wrong_coarse_parts_are_refused(source, target, rows, cols, message):
    with refused(message):
        moved(source, target, rows, cols).verify(FORM)


def test_coarse_parts_that_overlap_or_leave_something_out_are_refused():
    coarse = konig.dulmage_mendelsohn(FORM)
    with refused("the rows of the parts: 9 indices"):
        moved_out = Part(coarse.square.rows[1:], coarse.square.cols)
        replace(coarse, square=moved_out).verify(FORM)
    with refused("the columns of the parts: . does not occur exactly once"):
        repeated = Part(coarse.square.rows, changed(coarse.square.cols, 0, coarse.horizontal.cols[0]))
        replace(coarse, square=repeated).verify(FORM)


def test_parts_that_are_no_indices_are_refused():
    coarse = konig.dulmage_mendelsohn(FORM)
    with refused("the rows of a part: float64 .* no indices"):
        replace(coarse, square=Part(coarse.square.rows.astype(float), coarse.square.cols)).verify(FORM)

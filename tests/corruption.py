"""A block triangular form that has everything, and ways to corrupt an answer."""

import numpy as np
import pytest

import konig

# A form with both rectangular parts, blocks of size 2, 1 and 2, and entries above them. Rows and columns are
# already in order: a horizontal part of 2 x 3 and a vertical part of 3 x 2 around them.
FORM = np.array(
    [
        # horizontal | square        | vertical
        [1, 1, 0, 0, 0, 1, 0, 0, 0, 0],
        [0, 1, 1, 0, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 1, 1, 0, 1, 0, 0, 0],
        [0, 0, 0, 1, 1, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 1, 1, 1, 0],
        [0, 0, 0, 0, 0, 0, 1, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    ]
)


def changed(array, position, value):
    copy = np.array(array)
    copy[position] = value
    return copy


def refused(message):
    return pytest.raises(konig.CertificateError, match=message)

"""Any byte string gives costs or a clear error."""

from __future__ import annotations

import io
import random

import numpy as np
import pytest
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mutations import mutated

from konig.errors import FileFormatError
from konig.io import read_costs

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def saved(save, *arrays, **named) -> bytes:
    stream = io.BytesIO()
    save(stream, *arrays, **named)
    return stream.getvalue()


TEXTS = {
    "mtx": [
        b"%%MatrixMarket matrix coordinate integer general\n4 5 3\n1 1 5\n4 5 -1\n2 3 0\n",
        b"%%MatrixMarket matrix array real general\n2 3\n1\n0\n2.5\n-3\ninf\n6\n",
        b"%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n",
        b"%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n",
    ],
    "asn": [
        b"c three\np asn 5 4\nn 1\nn 3\nc others\na 1 2 7\n\na 1 4 -2\nc last\na 3 5 0\na 3 2 1\n",
        b"p asn 4 2\nn 4\nn 1\na 4 3 5\na 1 2 6\n",
        b"c x\n p asn 4 2\r\nn 1\r\nn 2\r\na 1 3 2.5\r\na 2 4 1e2",
    ],
    "orlib": [
        b"2\n1 2\n3 4\n",
        b" 3 \r\n 1 2 3 4 5\r\n 6 7 8 9\r\n",
        b"1\n-2.5e3",
        b"4\n1 2 5\n2 1 6\n3 4 0\n",
    ],
    "snap": [b"# weighted\n0 1 0.5\n1 2 -3\n"],
    "konect": [b"% bip posweighted\n% 2 4 5\n1 1 2.5\n4 5 3\n"],
}
VALID = {
    **TEXTS,
    "npy": [saved(np.save, np.eye(3)), saved(np.save, np.asfortranarray(np.ones((2, 3), dtype=">i4")))],
    "npz": [
        saved(scipy.sparse.save_npz, scipy.sparse.csr_array(np.eye(3)), compressed=False),
        saved(np.savez, costs=np.arange(6).reshape(2, 3)),
        saved(np.savez, rows=np.array([0, 3]), cols=np.array([1, 1]), data=np.array([2.5, 0.0])),
    ],
}
PACKED = (b"PK", b"\x93NUMPY", b"BZh", b"\x1f\x8b", b"\xfd7zXZ")
TOKENS = b"0 1 -1 2 3 +4 1.5 .5 . - 1e5 1e999 nan inf x % # \0 \xff \r \n \t \v a n p c a\0 n\0 asn".split(
    b" "
)
TOKENS += [b" ", b"\r\n", b"\na 1 2 3\n", b"\nn 2\n", b"\np asn 4 4\n", b"2147483648", b"9007199254740992"]


def check(path, content, format, text):
    """Read; anything but sound costs or a `FileFormatError` fails the test."""
    path.write_bytes(content)
    try:
        costs = read_costs(path, format=format)
    except FileFormatError as error:
        refusal = error
    else:
        assert costs.ndim == 2 or (costs.ndim == 3 and format in (None, "npy", "npz"))
        assert costs.dtype.kind in "biuf"
        if not isinstance(costs, np.ndarray):
            for indices, size in ((costs.row, costs.shape[0]), (costs.col, costs.shape[1])):
                assert indices.size == 0 or (indices.min() >= 0 and indices.max() < size)
        return
    assert str(refusal).startswith(str(path))
    if text and not content.startswith(PACKED):
        assert refusal.line is not None, str(refusal)
        assert 1 <= refusal.line <= content.count(b"\n") + 1


@quick
@given(content=st.binary(max_size=300), format=st.sampled_from([*VALID, None]))
def test_arbitrary_bytes_are_costs_or_refused(tmp_path, content, format):
    check(tmp_path / "any", content, format, format in TEXTS)


@quick
@given(
    prefix=st.sampled_from([text for texts in TEXTS.values() for text in texts]),
    content=st.lists(st.sampled_from(TOKENS), max_size=30).map(b" ".join),
)
def test_arbitrary_tokens_after_a_valid_start_are_costs_or_refused(tmp_path, prefix, content):
    check(tmp_path / "any", prefix + content, None, True)


@pytest.mark.parametrize("format", VALID)
@quick
@given(seed=st.integers(0, 2**32))
def test_mutated_files_are_costs_or_refused(tmp_path, format, seed):
    check_mutation(tmp_path / "mutated", format, seed)


@pytest.mark.long
@pytest.mark.parametrize("format", VALID)
def test_thousands_of_mutated_files_are_costs_or_refused(tmp_path, format):
    for seed in range(2000):
        check_mutation(tmp_path / "mutated", format, seed)


def check_mutation(path, format, seed):
    draw = random.Random(f"{format} {seed}")
    content = mutated(draw.choice(VALID[format]), draw, TOKENS)
    check(path, content, draw.choice((format, format, None)), format in TEXTS)

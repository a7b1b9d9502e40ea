"""Matrices in NumPy's arrays are answered by one native call, as the longer way answers them."""

import copy
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import konig
import konig.lab.generators
from konig import _native
from konig.matching import auto
from konig.matching.auto import MOST_IN_ONE_CALL
from konig.matching.inputs import one_call_arrays

MOST = 10_000


def taken(A, shape=None):
    """Whether the native call answers."""
    given = one_call_arrays(A, shape)
    return given is not None and _native.match_arrays(*given, MOST) is not None


def random_pattern(rng, ids=np.int32):
    rows, cols, entries = int(rng.integers(0, 40)), int(rng.integers(0, 40)), int(rng.integers(0, 120))
    if rows == 0 or cols == 0:
        entries = 0
    pairs = rng.integers(0, rows or 1, entries).astype(ids), rng.integers(0, cols or 1, entries).astype(ids)
    A = sp.coo_array((np.ones(entries), pairs), shape=(rows, cols))
    return pairs, (rows, cols), A


@pytest.mark.parametrize("ids", [np.int32, np.int64])
@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "pairs"])
def test_the_short_way_gives_the_answer_of_the_long_one(kind, ids):
    rng = np.random.default_rng(8)
    for _ in range(60):
        pairs, shape, A = random_pattern(rng, ids)
        given, options = (pairs, {"shape": shape}) if kind == "pairs" else (A.asformat(kind), {})
        if kind in ("csr", "csc"):
            given.indices, given.indptr = given.indices.astype(ids), given.indptr.astype(ids)
        a = konig.maximum_matching(given, **options)
        b = konig.maximum_matching(given, seed=0, **options)  # a seed: the longer way
        assert "found" in vars(a)
        assert "found" in vars(konig.maximum_matching(given, threads=1, **options))
        assert "found" not in vars(b)
        a.verify(given, **options)
        assert (a.size, a.method, a.device, a.drop_zeros) == (b.size, b.method, b.device, b.drop_zeros)
        for name in ("col_of_row", "row_of_col"):
            ours, theirs = getattr(a, name), getattr(b, name)
            assert ours.dtype == theirs.dtype
            assert (ours == theirs).all()
            assert not ours.flags.writeable
        assert len(a.cover) == a.size
        assert a.stats.keys() == b.stats.keys()
        assert a.stats["seconds"].keys() == b.stats["seconds"].keys()
        assert a.stats["start_size"] == b.stats["start_size"]


def test_an_answer_can_be_copied_and_pickled():
    A = sp.csr_array([[1, 1, 0], [1, 0, 0], [0, 0, 0]])
    for answer in (
        pickle.loads(pickle.dumps(konig.maximum_matching(A))),
        copy.deepcopy(konig.maximum_matching(A)),
    ):
        answer.verify(A)
    assert konig.maximum_matching(A, initial=konig.maximum_matching(A)).size == 2


def corrupted(part, values):
    A = sp.csr_array([[1, 1], [1, 0]])
    setattr(A, part, np.array(values, np.int32))
    return A


@pytest.mark.parametrize(
    "A",
    [
        corrupted("indices", [0, 2, 0]),
        corrupted("indices", [0, -1, 0]),
        corrupted("indptr", [0, 4, 4]),
        corrupted("indptr", [0, 2, 1]),
        corrupted("indptr", [1, 2, 3]),
        corrupted("indptr", [0, 3]),
        sp.csr_array(np.ones((101, 101))),
        sp.lil_array(np.ones((2, 2))),
        np.ones((2, 2)),
        [[0, 1], [1, 0]],
    ],
)
def test_what_it_does_not_take_is_left_to_the_longer_way(A):
    assert not taken(A)


@pytest.mark.parametrize(
    "shape", [None, (2,), (2.0, 2), (-1, 2), (1, 2), (2**40, 2), (2**70, 2), (MOST + 1, 2), [2, 2]]
)
def test_pairs_with_a_doubtful_shape_go_the_longer_way(shape):
    pairs = np.array([0, 1]), np.array([1, 0])
    assert not taken(pairs, shape)


def test_pairs_out_of_range_and_of_other_types_go_the_longer_way():
    good = np.array([0, 1])
    for pairs in (
        (good, np.array([0, 2])),
        (good, np.array([0, -1])),
        (good, good[:1]),
        (good, np.array([0.0, 1.0])),
    ):
        assert not taken(pairs, (2, 2))
    with pytest.raises(ValueError, match="column index 2 of pair 1"):
        konig.maximum_matching((good, np.array([0, 2])), shape=(2, 2))


def test_one_call_for_large_matrices_too(monkeypatch):
    A = konig.lab.generators.sprand(3000, degree=4.0, seed=5)
    for name, value in (("ENTRIES_FOR_THREADS", 1000), ("ENTRIES_PER_WORKER", 1000), ("FEWEST_THREADS", 2)):
        monkeypatch.setattr(auto, name, value)
    for threads in (1, 2, 4):
        answer = konig.maximum_matching(A, threads=threads)
        assert "found" in vars(answer)
        assert answer.stats.get("workers", 1) <= threads
        answer.verify(A)
    with pytest.raises(ValueError, match="threads"):
        konig.maximum_matching(A, threads=0)
    with pytest.raises(ValueError, match="threads"):
        konig.maximum_matching(A, threads=10**6)


def test_beyond_one_call_memory_is_asked_for_first():
    vast = sp.coo_array(([1], ([0], [0])), shape=(MOST_IN_ONE_CALL + 1, 1))
    assert _native.match_arrays(*one_call_arrays(vast, None), MOST_IN_ONE_CALL) is None


def test_many_ids_are_counted_before_they_are_read():
    # Ids of another width than the solver's would be converted.
    many = np.zeros(MOST + 1, np.int64)
    assert _native.match_arrays("coo", many, many, 1, 1, MOST) is None
    assert taken((many[1:], many[1:]), (1, 1))

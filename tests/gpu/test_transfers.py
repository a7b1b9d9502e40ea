"""What is copied between host and device, where, on which stream, and what it takes there."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from device_cases import SIZE, A, cupy, cupyx_sparse, matrix, on_cupy

import konig
from konig.gpu import staging
from konig.matching import gpu as device

pytestmark = pytest.mark.gpu


WORDS = 16_384  # bytes: words of state and scalars are not more


def test_nothing_large_comes_to_the_host(copies):
    big = matrix(60_000, 50_000, 5e-5, 4)
    for _, B in itertools.islice(on_cupy(big), 3):  # dense ones would be too large
        konig.maximum_matching(B, device="cuda")
        konig.maximum_matching(B, method="ms-bfs", init="ksm")
    assert max(copies) <= WORDS


def test_the_counter_of_copies_can_count(copies):
    B = cupyx_sparse.csr_matrix(matrix(60_000, 50_000, 5e-5, 4))
    m = konig.maximum_matching(B, device="cuda")
    m.cover  # noqa: B018 (found on the host)
    assert max(copies) > WORDS


def test_devices_and_methods():
    B = cupyx_sparse.csr_matrix(A)
    for asked in ("cuda", "cuda:0"):
        assert konig.maximum_matching(B, device=asked).device == "cuda:0"
    on_cpu = konig.maximum_matching(B, device="cpu")
    assert on_cpu.device == "cpu"
    assert on_cpu.size == SIZE
    assert isinstance(on_cpu.col_of_row, cupy.ndarray)
    on_cpu.verify(B)
    named = konig.maximum_matching(B, method="hk")  # which has no GPU version
    assert named.device == "cpu"
    assert isinstance(named.col_of_row, cupy.ndarray)
    with pytest.raises(ValueError, match="numbered from 0"):
        konig.maximum_matching(B, device="cuda:99")
    with pytest.raises(ValueError, match="'hk' runs on cpu only"):
        konig.maximum_matching(B, method="hk", device="cuda")


def test_the_callers_stream_is_used(streams):
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        B = cupyx_sparse.csr_matrix(A)
        assert konig.maximum_matching(B).size == SIZE
        assert konig.maximum_matching(A, device="cuda").size == SIZE
        assert cupy.cuda.get_current_stream().ptr == stream.ptr
    assert set(streams) == {stream.ptr}


def test_too_little_memory_is_said_before_it_is_asked_for(monkeypatch):
    coo = A.tocoo()
    inputs = [
        (A, {"device": "cuda"}),
        (cupyx_sparse.csr_matrix(A), {"method": "apfb-gpubfs-ct"}),
        ((cupy.asarray(coo.row), cupy.asarray(coo.col)), {"shape": A.shape}),
    ]
    message = r"device='cuda': 0\.0 GB needed for a 300 x 260 matrix with \d+ entries, 0\.0 GB free on cuda:0"
    with monkeypatch.context() as patched:
        patched.setattr(staging, "UNASKED_BYTES", 0)
        patched.setattr(cupy.cuda.runtime, "memGetInfo", lambda: (16, 1 << 30))
        pool = SimpleNamespace(free_bytes=lambda: 0)
        patched.setattr(cupy, "get_default_memory_pool", lambda: pool)
        patched.setattr(staging, "to_device", None)  # would be called too early
        patched.setattr(device.MatchingGpu, "_start", None)
        for B, options in inputs:
            with pytest.raises(MemoryError, match=message):
                konig.maximum_matching(B, **options)
    for B, options in inputs:
        assert konig.maximum_matching(B, **options).size == SIZE


@pytest.mark.parametrize("size", [0, 1, 1000, 5_000_000, 40_000_001, 150_000_003])
def test_staging_copies_every_byte(size):
    array = (np.arange(size, dtype=np.uint32) * 2654435761 % 251).astype(np.uint8)
    there = staging.to_device(cupy, array)
    assert there.dtype == np.uint8
    assert bool((there == cupy.asarray(array)).all())
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        there = staging.to_device(cupy, array[::2], stream)
        assert np.array_equal(there.get(), array[::2])


def test_a_large_host_matrix_goes_through_pinned_buffers():
    rng = np.random.default_rng(0)
    n = 1_500_000
    rows, cols = rng.integers(0, n, 12_000_000), rng.integers(0, n, 12_000_000)
    B = sp.csr_array((np.ones(len(rows), np.int8), (rows, cols)), shape=(n, n))
    m = konig.maximum_matching(B, device="cuda")
    m.verify(B)
    assert isinstance(m.col_of_row, np.ndarray)
    assert not m.col_of_row.flags.writeable
    assert {"graph_to_device", "matching_to_host"} <= m.stats["seconds"].keys()

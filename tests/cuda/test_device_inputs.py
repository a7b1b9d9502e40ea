"""Inputs that live on a GPU: solved there, answered there, and never taken through the host."""

import itertools
import os
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import certificates
from konig.backends import device, staging

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or JAX takes most of the device
cupy = pytest.importorskip("cupy")
cupyx_sparse = pytest.importorskip("cupyx.scipy.sparse")

pytestmark = pytest.mark.gpu


def matrix(rows=300, cols=260, density=0.01, seed=1):
    return sp.random_array((rows, cols), density=density, rng=np.random.default_rng(seed), format="csr")


A = matrix()
SIZE = konig.maximum_matching(A).size


def on_cupy(B):
    csr, csc, coo = B.tocsr(), B.tocsc(), B.tocoo()
    yield "csr", cupyx_sparse.csr_matrix(csr)
    yield "csc", cupyx_sparse.csc_matrix(csc)
    yield "coo", cupyx_sparse.coo_matrix(coo)
    yield "dense", cupy.asarray(B.toarray())
    yield "boolean", cupy.asarray(B.toarray() != 0)


@pytest.fixture
def large_copies(monkeypatch):
    """The sizes of the arrays that CuPy copies to the host; words of state and scalars are not counted."""
    seen = []
    real = cupy.ndarray.get

    def counting(self, *rest, **more):
        if self.nbytes > 16_384:
            seen.append(int(self.nbytes))
        return real(self, *rest, **more)

    monkeypatch.setattr(cupy.ndarray, "get", counting)
    return seen


def test_cupy_answers_stay_on_the_device():
    for name, B in on_cupy(A):
        m = konig.maximum_matching(B)
        assert m.size == SIZE, name
        assert m.device == "cuda:0"
        assert m.method == "ms-bfs"
        assert isinstance(m.col_of_row, cupy.ndarray)
        assert isinstance(m.row_of_col, cupy.ndarray)
        assert m.col_of_row.shape == (300,)
        assert m.row_of_col.shape == (260,)
        m.verify(B)
        m.verify(A)
        assert isinstance(m.cover.rows, cupy.ndarray)
        assert len(m.cover) == SIZE


@pytest.mark.parametrize("method", ["apfb-gpubfs-ct", "apsb-gpubfs-wr-mt"])
def test_named_methods_search_from_the_columns(method):
    for name, B in on_cupy(A):
        m = konig.maximum_matching(B, method=method)
        assert m.size == SIZE, name
        m.verify(A)


def test_nothing_large_comes_to_the_host(large_copies):
    big = matrix(60_000, 50_000, 5e-5, 4)
    for _, B in itertools.islice(on_cupy(big), 3):  # dense ones would be too large
        konig.maximum_matching(B)
    assert not large_copies


def test_the_counter_of_copies_can_count(large_copies):
    m = konig.maximum_matching(cupyx_sparse.csr_matrix(matrix(60_000, 50_000, 5e-5, 4)))
    m.cover  # noqa: B018 (found on the host)
    assert large_copies


@pytest.mark.parametrize("shape", [(0, 0), (0, 5), (5, 0), (4, 6)])
def test_empty_matrices(shape):
    empty = sp.csr_array(shape)
    for B in (cupy.zeros(shape), (cupy.zeros(0, np.int32), cupy.zeros(0, np.int32))):
        options = {"shape": shape} if isinstance(B, tuple) else {}
        m = konig.maximum_matching(B, **options)
        assert m.size == 0
        assert m.col_of_row.shape == (shape[0],)
        m.verify(empty)


@pytest.mark.parametrize("ids", [np.int32, np.int64, np.uint16])
def test_pairs_of_any_integers(ids):
    coo = A.tocoo()
    B = (cupy.asarray(coo.row.astype(ids)), cupy.asarray(coo.col.astype(ids)))
    m = konig.maximum_matching(B, shape=A.shape)
    assert m.size == SIZE
    m.verify(B)


def test_lists_of_64_bits_stay_as_they_come():
    from konig.device_graph import DeviceArrays
    from konig.graph import from_arrays
    from konig.interop.arrays import ArrayMatrix

    csc = A.tocsc()
    for id_type, offset_type in ((np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)):
        start, rows = cupy.asarray(csc.indptr.astype(offset_type)), cupy.asarray(csc.indices.astype(id_type))
        graph = from_arrays(ArrayMatrix("csc", start, rows, A.shape), False, "A", DeviceArrays(cupy))
        assert graph.of_col.neighbour is rows or graph.of_col.neighbour.data.ptr == rows.data.ptr
        for lists, expected in ((graph.of_row, A), (graph.of_col, csc)):
            assert lists.neighbour.dtype == id_type
            assert lists.start.dtype == offset_type
            assert np.array_equal(lists.start.get(), expected.indptr)


def test_transposition_agrees_with_the_host():
    from konig.device_graph import DeviceArrays
    from konig.graph import as_graph, from_arrays
    from konig.interop.arrays import ArrayMatrix

    big = matrix(20_000, 30_000, 2e-4, 5)
    start, cols = cupy.asarray(big.indptr), cupy.asarray(big.indices)
    graph = from_arrays(ArrayMatrix("csr", start, cols, big.shape), False, "A", DeviceArrays(cupy))
    host = as_graph(big)
    assert np.array_equal(graph.of_col.start.get(), host.of_col.start)
    assert np.array_equal(graph.of_col.neighbour.get(), host.of_col.neighbour)


def test_duplicates_and_stored_zeros():
    rows, cols = cupy.asarray([0, 0, 1, 1]), cupy.asarray([1, 1, 0, 1])
    assert konig.maximum_matching((rows, cols)).size == 2
    B = cupyx_sparse.csr_matrix(sp.csr_matrix(([1.0, 0.0, 2.0], ([0, 1, 1], [0, 1, 0])), (2, 2)))
    assert konig.maximum_matching(B).size == 2
    assert konig.maximum_matching(B, drop_zeros=True).size == 1
    konig.maximum_matching(B, drop_zeros=True).verify(B)


@pytest.mark.parametrize(
    ("rows", "cols", "shape"),
    [
        ([0, 1], [0], None),
        ([0, 5, 7], [0, 0, 0], (5, 1)),
        ([0, 1], [0, -3], (5, 1)),
        ([0.5], [0], None),
        ([[0]], [0], None),
    ],
)
def test_errors_are_those_of_the_host(rows, cols, shape):
    with pytest.raises((ValueError, TypeError)) as host:
        konig.maximum_matching((np.asarray(rows), np.asarray(cols)), shape=shape)
    with pytest.raises(type(host.value)) as there:
        konig.maximum_matching((cupy.asarray(rows), cupy.asarray(cols)), shape=shape)
    assert str(there.value) == str(host.value)


def test_errors_of_lists_name_the_entry():
    B = cupyx_sparse.csr_matrix(A)
    B.indices[7] = 999
    with pytest.raises(ValueError, match=r"A: column index 999 of entry 7 \(row \d+\) is out of range"):
        konig.maximum_matching(B)
    with pytest.raises(ValueError, match="A must have two dimensions, not 3"):
        konig.maximum_matching(cupy.ones((2, 2, 2)))
    with pytest.raises(ValueError, match="rows are on cuda:0 and cols on the host"):
        konig.maximum_matching((cupy.arange(3), np.arange(3)))


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


@pytest.mark.parametrize("init", ["none", "sgm", "ksm"])
def test_starts(init):
    B = cupyx_sparse.csc_matrix(A)
    m = konig.maximum_matching(B, method="apfb-gpubfs-wr-ct", init=init)
    m.verify(A)
    assert m.size == SIZE
    if init != "none":
        assert SIZE / 2 <= m.stats["start_size"] <= SIZE
        assert "start_arc_scans" in m.stats or init == "ksm"


def test_the_greedy_start_is_maximal():
    from konig.backends import greedy_start
    from konig.graph import as_graph
    from konig.interop.arrays import HOST

    for B in (matrix(40_000, 30_000, 1e-4, 6), matrix(1, 50, 1.0), matrix(50, 1, 1.0)):
        graph = as_graph(B)
        with device.Gpu(None, HOST) as gpu:
            there = gpu._shipped(graph, {})
            there.of_col  # noqa: B018 (made on first use)
            col_of_row = cupy.full(graph.rows, -1, graph.id_dtype)
            row_of_col = cupy.full(graph.cols, -1, graph.id_dtype)
            counted = greedy_start.run(cupy, there, col_of_row, row_of_col)
        rows, cols = graph.edges()
        host = col_of_row.get(), row_of_col.get()
        certificates.check_matching(rows, cols, *host)
        assert not np.any((host[0][rows] < 0) & (host[1][cols] < 0))
        assert 0 < counted["start_arc_scans"] <= graph.nonzeros


def test_a_long_list_takes_several_supersteps():
    rows = 200_000
    taken = np.arange(rows - 1)
    pairs = (np.r_[taken, np.arange(rows)], np.r_[taken, np.full(rows, rows - 1)])
    initial = np.r_[taken, -1]
    m = konig.maximum_matching(
        tuple(map(cupy.asarray, pairs)), initial=cupy.asarray(initial), method="apfb-gpubfs-wr-ct"
    )
    assert m.size == rows
    assert m.stats["start_arc_scans"] == rows
    assert m.stats["iterations"] == 0


def test_warm_starts_from_anywhere():
    B = cupyx_sparse.csc_matrix(A)
    m = konig.maximum_matching(B)
    host = konig.maximum_matching(A)
    for matrix_given in (A, B):
        for initial in (m, host, m.col_of_row, host.col_of_row, cupy.full(300, -1, np.int8)):
            again = konig.maximum_matching(matrix_given, method="apfb-gpubfs-ct", initial=initial)
            assert again.size == SIZE
            again.verify(A)
    bad = cupy.full(300, -1, np.int8)
    bad[17] = -5
    with pytest.raises(ValueError, match=r"initial: row 17 has partner -5, not in \[-1, 260\)"):
        konig.maximum_matching(B, initial=bad)
    with pytest.raises(ValueError, match="initial must be a Matching or 300 integers"):
        konig.maximum_matching(B, initial=cupy.zeros(4))
    twice = cupy.full(300, -1, np.int32)
    twice[[2, 3]] = 5
    with pytest.raises(ValueError, match=r"initial is not a matching of A: row \d claims column 5"):
        konig.maximum_matching(B, initial=twice)
    row = int(np.flatnonzero(A.toarray()[:, 0] == 0)[0])
    stranger = cupy.full(300, -1, np.int32)
    stranger[row] = 0
    with pytest.raises(ValueError, match=f"row {row} is matched to column 0, which is not an entry"):
        konig.maximum_matching(B, initial=stranger)


def test_the_callers_stream_is_used(monkeypatch):
    seen = []
    real = device.cuda.run_matching

    def watched(*arguments):
        seen.append(cupy.cuda.get_current_stream().ptr)
        return real(*arguments)

    monkeypatch.setattr(device.cuda, "run_matching", watched)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        B = cupyx_sparse.csr_matrix(A)
        assert konig.maximum_matching(B).size == SIZE
        assert konig.maximum_matching(A, device="cuda").size == SIZE
        assert cupy.cuda.get_current_stream().ptr == stream.ptr
    assert seen == [stream.ptr] * 2


def test_too_little_memory_is_said_before_it_is_asked_for(monkeypatch):
    coo = A.tocoo()
    inputs = [
        (A, {"device": "cuda"}),
        (cupyx_sparse.csr_matrix(A), {"method": "apfb-gpubfs-ct"}),
        ((cupy.asarray(coo.row), cupy.asarray(coo.col)), {"shape": A.shape}),
    ]
    message = r"device='cuda': 0\.0 GB needed for a 300 x 260 matrix with \d+ entries, 0\.0 GB free on cuda:0"
    with monkeypatch.context() as patched:
        patched.setattr(cupy.cuda.runtime, "memGetInfo", lambda: (16, 1 << 30))
        pool = SimpleNamespace(free_bytes=lambda: 0)
        patched.setattr(cupy, "get_default_memory_pool", lambda: pool)
        patched.setattr(staging, "to_device", None)  # would be called too early
        patched.setattr(device.greedy_start, "run", None)
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


def test_the_input_is_not_modified():
    for name, B in on_cupy(A):
        if name == "dense":
            before = B.copy()
            konig.maximum_matching(B)
            assert bool((before == B).all())
        elif name in ("csr", "csc"):
            before = B.indptr.copy(), B.indices.copy(), B.data.copy()
            konig.maximum_matching(B)
            konig.maximum_matching(B, drop_zeros=True, method="apfb-gpubfs-ct")
            after = B.indptr, B.indices, B.data
            assert all(bool((x == y).all()) for x, y in zip(before, after, strict=True))


def test_the_cuda_array_interface_alone():
    class Bare:
        def __init__(self, array):
            self.kept = array
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    coo = A.tocoo()
    B = (Bare(cupy.asarray(coo.row)), Bare(cupy.asarray(coo.col)))
    m = konig.maximum_matching(B, shape=A.shape)
    assert m.size == SIZE
    assert isinstance(m.col_of_row, cupy.ndarray)
    assert konig.maximum_matching(Bare(cupy.asarray(A.toarray()))).size == SIZE


def test_block_triangular_form_of_a_device_matrix():
    form = konig.block_triangular_form(cupyx_sparse.csr_matrix(A))
    form.verify(A)
    expected = konig.block_triangular_form(A)
    assert np.array_equal(form.row_blocks, expected.row_blocks)


def on_torch(torch):
    csr, csc, coo = A, A.tocsc(), A.tocoo()

    def tensor(array):
        return torch.from_numpy(np.ascontiguousarray(array)).to("cuda")

    yield "csr", torch.sparse_csr_tensor(tensor(csr.indptr), tensor(csr.indices), tensor(csr.data), A.shape)
    yield "csc", torch.sparse_csc_tensor(tensor(csc.indptr), tensor(csc.indices), tensor(csc.data), A.shape)
    pairs = np.stack([coo.row, coo.col]).astype(np.int64)
    yield "coo", torch.sparse_coo_tensor(tensor(pairs), tensor(coo.data), A.shape)
    yield "dense", tensor(A.toarray())
    yield "half", tensor(A.toarray()).to(torch.bfloat16)
    yield "with gradient", tensor(A.toarray()).requires_grad_()
    yield "pair", tuple(tensor(pairs))


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
def test_torch_in_torch_out():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    for name, B in on_torch(torch):
        options = {"shape": A.shape} if name == "pair" else {}
        m = konig.maximum_matching(B, **options)
        assert m.size == SIZE, name
        assert m.device == "cuda:0"
        for answer in (m.col_of_row, m.row_of_col, m.cover.rows, m.cover.cols):
            assert isinstance(answer, torch.Tensor)
            assert answer.device == torch.device("cuda:0")
        assert int((m.col_of_row >= 0).sum()) == SIZE
        m.verify(B)
        m.verify(A)
        assert konig.maximum_matching(B, initial=m, **options).size == SIZE
        assert isinstance(konig.maximum_matching(B, device="cpu", **options).col_of_row, torch.Tensor)
    empty = konig.maximum_matching(torch.zeros((0, 3), device="cuda"))
    assert empty.col_of_row.device == torch.device("cuda:0")
    assert empty.size == 0
    zeros = torch.sparse_coo_tensor([[0, 1, 1], [0, 1, 0]], [1.0, 0.0, 2.0], (2, 2), device="cuda")
    assert konig.maximum_matching(zeros).size == 2
    assert konig.maximum_matching(zeros, drop_zeros=True).size == 1


def test_torchs_stream_is_used(monkeypatch):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    seen = []
    real = device.cuda.run_matching

    def watched(*arguments):
        seen.append(cupy.cuda.get_current_stream().ptr)
        return real(*arguments)

    monkeypatch.setattr(device.cuda, "run_matching", watched)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        B = torch.from_numpy(A.toarray()).to("cuda")
        # Work that is still under way when the solve is asked for.
        slow = torch.ones((4000, 4000), device="cuda")
        for _ in range(20):
            slow = slow @ slow * 0
        B = B + slow[:300, :260]
        assert konig.maximum_matching(B).size == SIZE
    assert seen == [stream.cuda_stream]


def test_jax_in_jax_out():
    jax = pytest.importorskip("jax")
    from jax.experimental import sparse

    gpus = [d for d in jax.devices() if d.platform in ("gpu", "cuda")]
    if not gpus:
        pytest.skip("this JAX has no CUDA")
    dense = jax.device_put(A.toarray().astype(np.float32), gpus[0])
    coo = A.tocoo()
    pair = tuple(jax.device_put(ids.astype(np.int32), gpus[0]) for ids in (coo.row, coo.col))
    forms = {
        "dense": dense,
        "bcoo": sparse.BCOO.fromdense(dense),
        "padded bcoo": sparse.BCOO.fromdense(dense, nse=A.nnz + 5),
        "bcsr": sparse.BCSR.fromdense(dense),
        "pair": pair,
    }
    for name, B in forms.items():
        options = {"shape": A.shape} if name == "pair" else {}
        m = konig.maximum_matching(B, **options)
        assert m.size == SIZE, name
        assert m.device == "cuda:0"
        for answer in (m.col_of_row, m.row_of_col, m.cover.rows):
            assert isinstance(answer, jax.Array)
            assert answer.devices() == {gpus[0]}
        m.verify(B)
        m.verify(A)
        assert konig.maximum_matching(B, initial=m.col_of_row, **options).size == SIZE
    assert konig.maximum_matching(sparse.BCOO.fromdense(dense), drop_zeros=True).size == SIZE
    assert konig.maximum_matching(jax.device_put(np.zeros((0, 3), np.float32), gpus[0])).size == 0

"""Tensors of PyTorch and arrays of JAX on a GPU: answered in kind."""

import os

import numpy as np
import pytest
from device_cases import SIZE, A

import konig

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # or JAX takes most of the device

pytestmark = pytest.mark.gpu


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


def test_torchs_stream_is_used(streams):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        B = torch.from_numpy(A.toarray()).to("cuda")
        # Work that is still under way when the solve is asked for.
        slow = torch.ones((4000, 4000), device="cuda")
        for _ in range(20):
            slow = slow @ slow * 0
        B = B + slow[:300, :260]
        assert konig.maximum_matching(B).size == SIZE
    assert set(streams) == {stream.cuda_stream}


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

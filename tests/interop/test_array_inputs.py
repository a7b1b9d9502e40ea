"""Arrays of other libraries on the host, and what is said about arrays on a GPU where there is none."""

import builtins
import sys
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig.interop import arrays
from konig.interop.arrays import Place

A = sp.random_array((30, 40), density=0.06, rng=np.random.default_rng(2), format="csr")
SIZE = konig.maximum_matching(A).size


class OnHost:
    """Speaks DLPack and nothing else."""

    def __init__(self, array, device=(1, 0)):
        self.array, self.device = array, device
        self.shape, self.dtype = array.shape, array.dtype

    def __dlpack__(self, **options):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device


class OnGpu:
    """Claims to be on a GPU by the CUDA array interface."""

    def __init__(self, array):
        self.__cuda_array_interface__ = {
            "shape": array.shape,
            "typestr": array.dtype.str,
            "data": (0xDEAD0000, False),
            "version": 3,
        }


@pytest.fixture
def no_cupy(monkeypatch):
    real_import = builtins.__import__

    def without_cupy(name, *rest, **more):
        if name.split(".")[0] in ("cupy", "cupyx"):
            raise ImportError("No module named 'cupy'")
        return real_import(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_cupy)


def test_importing_konig_imports_no_array_library():
    import subprocess

    code = "import sys, konig; print([m for m in ('cupy', 'torch', 'jax') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_dlpack_on_the_host():
    coo = A.tocoo()
    m = konig.maximum_matching((OnHost(coo.row), OnHost(coo.col)), shape=A.shape)
    m.verify(A)
    assert m.size == SIZE
    assert isinstance(m.col_of_row, np.ndarray)
    dense = OnHost(A.toarray())
    m = konig.maximum_matching(dense)
    m.verify(dense)
    assert m.size == SIZE
    row = OnHost(coo.row)
    assert np.shares_memory(arrays.to_numpy(row), row.array)


def test_a_warm_start_that_speaks_dlpack():
    m = konig.maximum_matching(A)
    again = konig.maximum_matching(A, initial=OnHost(m.col_of_row.copy()), method="hk", init="none")
    assert again.size == SIZE
    with pytest.raises(ValueError, match="initial: row 0 has partner 99"):
        konig.maximum_matching(A, initial=OnHost(np.full(30, 99, np.int8)))


@pytest.mark.parametrize(
    "matrix",
    [
        OnGpu(np.eye(3)),
        (OnGpu(np.arange(3)), OnGpu(np.arange(3))),
        OnHost(np.eye(3), device=(2, 0)),
        (OnHost(np.arange(3), (2, 0)), OnHost(np.arange(3), (2, 0))),
    ],
    ids=["interface", "pair of interfaces", "dlpack", "pair of dlpack"],
)
@pytest.mark.parametrize("device", ["auto", "cpu"])
def test_an_input_on_a_gpu_without_cupy_says_what_to_install(no_cupy, matrix, device):
    with pytest.raises(RuntimeError, match=r"on (a GPU|cuda:0),? needs CuPy.*pip install"):
        konig.maximum_matching(matrix, device=device)


def test_a_pair_must_be_in_one_place():
    with pytest.raises(ValueError, match="A: rows and cols must be in one place, but rows are on cuda:1 and"):
        konig.maximum_matching((OnHost(np.arange(3), (2, 1)), np.arange(3)))


def test_other_devices_are_refused():
    with pytest.raises(TypeError, match="A must be on the CPU or on a CUDA device"):
        konig.maximum_matching(OnHost(np.eye(3), device=(8, 0)))


def test_three_dimensions_are_refused():
    with pytest.raises(ValueError, match="A must have two dimensions, not 3"):
        konig.maximum_matching(OnHost(np.ones((2, 2, 2))))
    with pytest.raises(TypeError, match="shape is only for"):
        konig.maximum_matching(OnHost(np.eye(2)), shape=(2, 2))


def forms_of_torch(torch):
    csr, csc, coo = A, A.tocsc(), A.tocoo()
    tensor = torch.from_numpy
    yield "csr", torch.sparse_csr_tensor(tensor(csr.indptr), tensor(csr.indices), tensor(csr.data), A.shape)
    yield "csc", torch.sparse_csc_tensor(tensor(csc.indptr), tensor(csc.indices), tensor(csc.data), A.shape)
    pairs = tensor(np.stack([coo.row, coo.col]).astype(np.int64))
    yield "coo", torch.sparse_coo_tensor(pairs, tensor(coo.data), A.shape)
    yield "dense", tensor(A.toarray())
    yield "half", tensor(A.toarray()).to(torch.bfloat16)
    yield "with gradient", tensor(A.toarray()).requires_grad_()


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")
def test_torch_on_the_host():
    torch = pytest.importorskip("torch")
    for name, matrix in forms_of_torch(torch):
        m = konig.maximum_matching(matrix)
        assert m.size == SIZE, name
        assert isinstance(m.col_of_row, torch.Tensor)
        assert m.col_of_row.device.type == "cpu"
        m.verify(matrix)
        m.verify(A)
        assert isinstance(m.cover.rows, torch.Tensor)
        assert len(m.cover) == SIZE
        again = konig.maximum_matching(matrix, initial=m.col_of_row)
        assert again.size == SIZE
    coo = A.tocoo()
    pair = (torch.from_numpy(coo.row.copy()), torch.from_numpy(coo.col.copy()))
    assert konig.maximum_matching(pair, shape=A.shape).size == SIZE
    rows = torch.arange(5)
    assert np.shares_memory(arrays.to_numpy(rows), rows.numpy())


def test_torch_stored_zeros():
    torch = pytest.importorskip("torch")
    matrix = torch.sparse_coo_tensor([[0, 1, 1], [0, 1, 0]], [1.0, 0.0, 2.0], (2, 2))
    assert konig.maximum_matching(matrix).size == 2
    assert konig.maximum_matching(matrix, drop_zeros=True).size == 1


def forms_of_jax(jax):
    from jax.experimental import sparse

    dense = jax.numpy.asarray(A.toarray(), dtype="float32")
    yield "dense", dense
    yield "bcoo", sparse.BCOO.fromdense(dense)
    yield "padded bcoo", sparse.BCOO.fromdense(dense, nse=A.nnz + 7)
    yield "bcsr", sparse.BCSR.fromdense(dense)
    yield "padded bcsr", sparse.BCSR.fromdense(dense, nse=A.nnz + 7)
    coo = A.tocoo()
    yield "pair", (jax.numpy.asarray(coo.row), jax.numpy.asarray(coo.col))


def test_jax_on_the_host():
    jax = pytest.importorskip("jax")
    with jax.default_device(jax.devices("cpu")[0]):
        for name, matrix in forms_of_jax(jax):
            options = {"shape": A.shape} if name == "pair" else {}
            m = konig.maximum_matching(matrix, **options)
            assert m.size == SIZE, name
            assert isinstance(m.col_of_row, jax.Array)
            m.verify(matrix)
            m.verify(A)
            assert isinstance(m.cover.cols, jax.Array)
            assert konig.maximum_matching(matrix, initial=m, **options).size == SIZE


def test_jax_stored_zeros():
    jax = pytest.importorskip("jax")
    from jax.experimental import sparse

    with jax.default_device(jax.devices("cpu")[0]):
        indices = jax.numpy.asarray([[0, 0], [1, 1], [1, 0]])
        matrix = sparse.BCOO((jax.numpy.asarray([1.0, 0.0, 2.0]), indices), shape=(2, 2))
        assert konig.maximum_matching(matrix).size == 2
        assert konig.maximum_matching(matrix, drop_zeros=True).size == 1


class FakeDevice:
    """As much of CuPy as an answer needs on its way to a device."""

    class cuda:  # noqa: N801 (CuPy's name)
        Device = staticmethod(lambda number: nullcontext())

    ndarray = SimpleNamespace
    asarray = staticmethod(lambda array: ("on the device", array))


def test_answers_of_the_host_go_to_a_cupy_input_s_device(monkeypatch):
    monkeypatch.setattr(arrays, "cupy_for", lambda asked: FakeDevice)
    found = np.arange(3)
    assert Place("cupy", 0).give(found) == ("on the device", found)
    there = SimpleNamespace(device=SimpleNamespace(id=0), size=3)
    assert Place("cupy", 0).give(there) is there


def tensor_on_gpu(array, dtype):
    """As much of a tensor of PyTorch on a GPU as its way to the host needs."""

    class Tensor:
        __module__ = "torch"
        device = SimpleNamespace(type="cuda", index=0)
        layout = "torch.strided"
        shape, ndim = array.shape, array.ndim

        def __init__(self, values, is_float, on_host=False):
            self.values, self.is_float, self.on_host = values, is_float, on_host
            self.dtype = f"torch.{'float32' if is_float else dtype}"

        def detach(self):
            return self

        def cpu(self):
            return Tensor(self.values, self.is_float, on_host=True)

        def float(self):
            return Tensor(self.values, True, self.on_host)

        def numpy(self):
            if not self.on_host or self.dtype == "torch.bfloat16":
                raise TypeError("can't convert it to numpy")
            return self.values

    return Tensor(array, is_float=dtype == "float32")


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("solve", [konig.maximum_product_transversal, konig.k_best_assignments])
def test_what_is_solved_on_the_host_takes_tensors_of_a_gpu(solve, dtype, monkeypatch):
    monkeypatch.setattr(Place, "give", lambda place, array: ("given back", array))
    costs = np.array([[3.0, 1.0, 2.0], [1.0, 2.0, 4.0], [2.0, 3.0, 1.0]], np.float32)
    found, expected = solve(tensor_on_gpu(costs, dtype)), solve(costs)
    if solve is konig.k_best_assignments:  # in arrays of NumPy, as its page says
        found, expected = next(found), next(expected)
        assert (found.col_ind == expected.col_ind).all()
    else:
        assert found.col_ind[0] == "given back"
        assert (found.col_ind[1] == expected.col_ind[1]).all()


def test_a_form_permutes_the_values_of_any_library():
    dense = A.toarray()
    form = konig.block_triangular_form(dense)
    assert (form.permuted(OnHost(dense)).toarray() == form.permuted(dense).toarray()).all()

"""Bottleneck assignments on a GPU: what the CPU says, proved, and answers where the costs are."""

import numpy as np
import pytest

import konig

cupy = pytest.importorskip("cupy")

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("shape", [(1, 1), (5, 9), (9, 5), (200, 200), (300, 450), (900, 900)])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("maximize", [False, True])
def test_answers_are_those_of_the_cpu(shape, dtype, maximize):
    C = (1000 * np.random.default_rng(shape[0]).random(shape)).astype(dtype)
    expected = konig.bottleneck_assignment(C, maximize=maximize)
    found = konig.bottleneck_assignment(cupy.asarray(C), maximize=maximize)
    assert found.device.startswith("cuda:")
    for array in (found.row_ind, found.col_ind, found.cover.rows, found.cover.cols):
        assert isinstance(array, cupy.ndarray)
    found.verify(C)
    assert found.bottleneck == expected.bottleneck


def test_costs_stay_on_the_device(copies):
    C = cupy.random.random((600, 600))
    konig.bottleneck_assignment(C)
    assert max(copies, default=0) < C.nbytes // 100


def test_costs_of_the_host_are_solved_on_a_gpu_that_is_asked_for():
    C = np.random.default_rng(3).random((100, 120))
    found = konig.bottleneck_assignment(C, device="cuda")
    assert found.device.startswith("cuda:")
    assert isinstance(found.col_ind, np.ndarray)
    found.verify(C)
    there = konig.bottleneck_assignment(cupy.asarray(C), device="cpu")
    assert there.device == "cpu"
    assert isinstance(there.col_ind, cupy.ndarray)


def test_forbidden_pairs():
    rng = np.random.default_rng(5)
    C = np.where(rng.random((80, 80)) < 0.9, np.inf, rng.random((80, 80)))
    C[3] = np.inf
    with pytest.raises(konig.InfeasibleError):
        konig.bottleneck_assignment(cupy.asarray(C))
    found = konig.bottleneck_assignment(cupy.asarray(C), full=False)
    found.verify(C)
    assert found.size == konig.bottleneck_assignment(C, full=False).size


def test_bad_costs_are_refused():
    C = cupy.asarray([[1.0, cupy.nan], [2.0, 3.0]])
    with pytest.raises(ValueError, match=r"C\[0, 1\] is NaN"):
        konig.bottleneck_assignment(C)
    with pytest.raises(ValueError, match=r"C\[0, 1\] = -inf"):
        konig.bottleneck_assignment(cupy.asarray([[1.0, -cupy.inf], [2.0, 3.0]]))


def test_no_costs():
    found = konig.bottleneck_assignment(cupy.zeros((0, 3)))
    assert found.bottleneck is None
    assert found.size == 0

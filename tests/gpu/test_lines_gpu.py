"""What starts read of costs on a GPU is what they read on the host."""

import numpy as np
import pytest
from device_cases import cupy

import konig
from konig.assignment.lines import DeviceLines, HostLines

pytestmark = pytest.mark.gpu
TYPES = [np.int32, np.int64, np.float32, np.float64]


def both(dtype, shape, maximize, seed=1):
    C = (1000 * np.random.default_rng(seed).standard_normal(shape)).astype(dtype)
    return HostLines(C, maximize), DeviceLines(cupy, cupy.asarray(C), maximize)


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("shape", [(1, 1), (7, 300), (300, 7), (65, 97), (512, 513)])
@pytest.mark.parametrize("dtype", TYPES)
def test_sums_minima_and_parts(dtype, shape, maximize):
    here, there = both(dtype, shape, maximize)
    rng = np.random.default_rng(2)
    of_row, of_col = rng.integers(-9, 9, shape[0]), rng.integers(-9, 9, shape[1])
    np.testing.assert_allclose(there.row_sums(of_col), here.row_sums(of_col), rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(there.col_sums(of_row), here.col_sums(of_row), rtol=1e-9, atol=1e-6)
    for name, dual in (("row_minima", of_col), ("col_minima", of_row)):
        found, expected = getattr(there, name)(dual), getattr(here, name)(dual)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
    rows, cols = rng.integers(0, shape[0], 40), rng.integers(0, shape[1], 40)
    np.testing.assert_array_equal(there.entries(rows, cols), here.entries(rows, cols))
    np.testing.assert_array_equal(there.part(rows, cols[:3]).get(), here.part(rows, cols[:3]))
    np.testing.assert_array_equal(there.transposed().get(), here.costs.T)
    assert there.row_sums(of_col).tobytes() == there.row_sums(of_col).tobytes()


@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_dear_costs_are_forbidden(dtype, maximize):
    here, there = both(dtype, (90, 110), maximize)
    np.testing.assert_array_equal(there.without(500.0).get(), here.without(500.0))
    assert np.isinf(here.without(500.0)).any()


def test_starts_compile_nothing_of_cupy_s(monkeypatch):
    def refused(*_, **__):
        raise AssertionError("CuPy compiles a kernel")

    rng = np.random.default_rng(3)
    n = 600
    cases = [
        np.outer(rng.random(n), rng.random(n)),
        rng.random((n, 4)) @ rng.random((4, n)),
        rng.random((200, 1)) + rng.random(n) + 1e-3 * rng.random((200, n)),
        (rng.random((n, 150)) * 1000).astype(np.int32),
        np.where(rng.random((200, 200)) < 0.5, 1e15, rng.random((200, 200))),
    ]
    there = [cupy.asarray(C) for C in cases]
    monkeypatch.setattr(cupy.cuda.compiler, "compile_using_nvrtc", refused)
    monkeypatch.setattr(cupy.cuda.compiler, "_compile_module_with_cache", refused, raising=False)
    for C, D in zip(cases, there, strict=True):
        a = konig.linear_assignment(D)
        assert a.cost == pytest.approx(konig.linear_assignment(C).cost, rel=1e-12)

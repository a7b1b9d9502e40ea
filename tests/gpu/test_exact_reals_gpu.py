"""Real costs on a GPU are exact: gates, ties, offsets, infinities, on every method and in batches."""

import numpy as np
import pytest
from assignment.test_exact_reals import euclidean

import konig

cupy = pytest.importorskip("cupy")

pytestmark = pytest.mark.gpu
METHODS = ("auto", "hungarian-classical", "hungarian-tree", "core-paths")


def same_as_host(C, **options):
    """The answer of the GPU, proved on the host and as cheap as the host's."""
    answer = konig.linear_assignment(cupy.asarray(C), **options)
    assert answer.device.startswith("cuda:")
    answer.verify(C)
    wanted = konig.linear_assignment(C, maximize=options.get("maximize", False))
    assert answer.cost == pytest.approx(wanted.cost, rel=1e-15)
    return answer


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("gate", [1e5, 1e9, 1e12, 1e15, 1e300])
def test_gates(method, gate):
    E = euclidean(400, 1)
    same_as_host(np.where(E > 0.3, gate, E), method=method)
    E[:9] = gate  # rows that must pay it
    same_as_host(np.where(E > 0.3, gate, E), method=method)
    wide = euclidean(150, 2, 260)
    same_as_host(np.where(wide > 0.3, gate, wide), method=method)
    same_as_host(np.where(wide > 0.3, -gate, wide).T.copy(), method=method, maximize=True)


@pytest.mark.parametrize("method", METHODS)
def test_offsets_scales_and_ties(method):
    rng = np.random.default_rng(3)
    for C in (
        euclidean(200, 4) + 1e9,
        euclidean(200, 5).astype(np.float32),
        rng.random((150, 150)) * 10.0 ** rng.uniform(-8, 8, (150, 1)),
        np.round(rng.random((150, 200)) * 3) / 10,
        10.0 ** rng.uniform(-300, 300, (60, 60)),
    ):
        same_as_host(C, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_a_row_and_a_block_of_infinities(method):
    C = np.random.default_rng(6).random((300, 300))
    C[0] = np.inf
    C[7:, :6] = np.inf
    with pytest.raises(konig.InfeasibleError):
        konig.linear_assignment(cupy.asarray(C), method=method)
    C[0] = 1.0
    same_as_host(C, method=method)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_batches(dtype):
    rng = np.random.default_rng(7)
    plain = rng.random((40, 30, 30))
    gated = np.where(plain > 0.3, 1e15, plain)
    spread = rng.normal(size=(20, 25, 40)) * 10.0 ** rng.integers(-6, 9, (20, 25, 40))
    for C in (plain, gated, spread, rng.random((5, 300, 300))):
        C = C.astype(dtype)
        batch = konig.linear_assignment(cupy.asarray(C))
        batch.verify(C)
        wanted = konig.linear_assignment(C)
        assert batch.cost.get() == pytest.approx(wanted.cost, rel=1e-15)

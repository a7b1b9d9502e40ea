"""A matrix that no memory holds is refused by name, before any of it is taken."""

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import memory

HUGE = 2**31 - 2


def huge(form):
    """Three entries in a matrix of very many rows and columns."""
    ids = np.array([0, 5, HUGE - 1])
    if form == "pairs":
        return (ids, ids), {"shape": (HUGE, HUGE)}
    coo = sp.coo_array((np.ones(3), (ids, ids)), shape=(HUGE, HUGE))
    if form == "coo":
        return coo, {}
    lists = np.array([0, 1, 2, 3], np.int32), ids.astype(np.int32)  # three rows only, so that they fit
    wide = sp.csr_array((np.ones(3), lists[1], lists[0]), shape=(3, HUGE))
    return (wide if form == "csr" else wide.T), {}


@pytest.mark.parametrize("form", ["pairs", "coo", "csr", "csc"])
@pytest.mark.parametrize(
    "solver",
    [konig.maximum_matching, konig.structural_rank, konig.dulmage_mendelsohn, konig.block_triangular_form],
)
def test_a_matrix_larger_than_memory_is_refused(monkeypatch, form, solver):
    monkeypatch.setattr(memory, "available_memory", lambda: 10**10)
    A, options = huge(form)
    with pytest.raises(MemoryError, match=r"A: not enough memory: .* GB needed .* 3 entries, 10\.0 GB free"):
        solver(A, **options)


def test_the_memory_of_this_machine_is_known():
    free = memory.available_memory()
    assert free is None or 0 < free < 2**60


def test_a_container_may_have_less_than_the_machine(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    machine = memory.available_memory()
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text("700\n")
    (tmp_path / "memory.stat").write_text("anon 600\ninactive_file 50\n")
    assert memory.available_memory() == pytest.approx(machine, rel=0.5)
    (tmp_path / "memory.max").write_text("1000\n")
    assert memory.available_memory() == 350


def test_small_matrices_do_not_ask(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: pytest.fail("it asked"))
    assert konig.maximum_matching(sp.eye_array(100_000, format="csr")).size == 100_000

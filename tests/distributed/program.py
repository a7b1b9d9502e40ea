"""What test_mpirun.py runs on real ranks: each step is called by all of them, and one that fails ends all."""

import itertools
import sys

import numpy as np
import scipy.sparse as sp
from mpi4py import MPI

import konig
import konig.distributed as kd

WORLD = MPI.COMM_WORLD
METHODS = ("core", "hungarian-classical", "hungarian-tree")


def part_of(C, comm):
    return C[kd.even_share(C.shape[0], comm.Get_size(), comm.Get_rank())]


def raised(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except Exception as error:
        return error
    return None


def solves():
    rng = np.random.default_rng(1)
    for C in (rng.integers(0, 500, (60, 60)), rng.random((40, 70)), rng.random((70, 40)).astype(np.float32)):
        for method, maximize in itertools.product(METHODS, (False, True)):
            expected = konig.linear_assignment(C, maximize=maximize)
            part = part_of(C, WORLD)
            a = kd.linear_assignment(part, method=method, maximize=maximize)
            a.verify(part)
            assert abs(a.cost - expected.cost) <= a.gap + expected.gap
            whole = a.gather(root=WORLD.Get_size() - 1)
            if whole is not None:
                whole.verify(C)


def shares_the_bidding():
    C = np.random.default_rng(2).integers(0, 20_000, (2_500, 2_500))
    part = part_of(C, WORLD)
    a = kd.linear_assignment(part)
    a.verify(part)
    assert a.cost == konig.linear_assignment(C).cost
    assert a.stats["bidding_rounds"] > 0


def works_on_parts_of_the_world():
    """Ranks of both halves solve at once, each half a problem of its own."""
    half = WORLD.Split(WORLD.Get_rank() % 2)
    C = np.random.default_rng(WORLD.Get_rank() % 2).random((30, 30))
    a = kd.linear_assignment(part_of(C, half), half)
    assert a.cost == konig.linear_assignment(C).cost
    half.Free()


def matches():
    for seed, (rows, cols) in enumerate(((500, 500), (300, 700), (1, 0))):
        A = sp.random_array((rows, cols), density=min(1, 3 / max(rows, 1)), rng=seed, format="csr")
        part = part_of(A, WORLD)
        m = kd.maximum_matching(part, A.shape)
        m.verify(part)
        assert m.size == konig.maximum_matching(A).size
        whole = m.gather()
        if whole is not None:
            whole.verify(A)
    error = raised(kd.maximum_matching, part, (rows, cols + (WORLD.Get_rank() == 0)))
    assert str(error) == "rank 0: local_csr has 0 columns, but shape says 1", error


def refuses_together():
    last = WORLD.Get_size() - 1
    C = np.ones((4 * WORLD.Get_size(), 50))
    if WORLD.Get_rank() == last:
        C[4 * last + 1, 7] = np.nan
    error = raised(kd.linear_assignment, part_of(C, WORLD))
    assert str(error) == f"rank {last}: C[{4 * last + 1}, 7] is NaN; costs must be numbers", error
    error = raised(kd.linear_assignment, np.full((2, 50), np.inf))
    assert isinstance(error, konig.InfeasibleError)
    assert WORLD.allgather(str(error)) == [str(error)] * WORLD.Get_size()


def maps_a_file(path):
    C = np.arange(21 * 30).reshape(21, 30) % 17
    if WORLD.Get_rank() == 0:
        np.save(path, C)
    WORLD.Barrier()
    part = kd.rows_of(path)
    assert isinstance(part, np.memmap)
    assert sum(WORLD.allgather(len(part))) == 21
    assert kd.linear_assignment(part).cost == konig.linear_assignment(C).cost
    error = raised(kd.rows_of, path + ".none")
    assert isinstance(error, FileNotFoundError), error


if __name__ == "__main__":
    solves()
    shares_the_bidding()
    matches()
    works_on_parts_of_the_world()
    refuses_together()
    maps_a_file(sys.argv[1])
    if WORLD.Get_rank() == 0:
        print(f"all is well on {WORLD.Get_size()}")

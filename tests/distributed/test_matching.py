"""Maximum matchings over ranks: as large as SciPy's, proven, on any blocks; errors end on all ranks."""

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp
from distributed.simulated import on_ranks
from scipy.sparse.csgraph import maximum_bipartite_matching

import konig
from konig.distributed import matching_choice, matching_levels, matching_rounds
from konig.distributed.comm import SoloComm
from konig.distributed.matching import maximum_matching
from konig.matching.result import VertexCover

WAYS = {"rounds": 0, "levels": 1 << 40}


@pytest.fixture(params=WAYS)
def way(request, monkeypatch):
    """One of the two ways; a graph whose entries all stay on their ranks goes by rounds in any case."""
    monkeypatch.setattr(matching_choice, "CROSSING", WAYS[request.param])
    monkeypatch.setattr(matching_choice, "DEGREE_ONE", 0)
    monkeypatch.setattr(matching_levels, "DEEPEST", 1 << 40)
    monkeypatch.setattr(matching_levels, "FEWEST_CLAIMS", 4)
    return request.param


def random_matrix(draw, rows, cols, entries):
    pairs = draw.integers(0, max(rows, 1), entries), draw.integers(0, max(cols, 1), entries)
    if rows == 0 or cols == 0:
        pairs = np.zeros(0, int), np.zeros(0, int)
    return sp.coo_array((np.ones(len(pairs[0]), bool), pairs), (rows, cols)).tocsr()


def mesh(side):
    """Five points of a square grid."""
    line = sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(side, side))
    eye = sp.eye_array(side)
    return sp.csr_array(sp.kron(line, eye) + sp.kron(eye, line))


def chain(n):
    """A path through all rows and columns, which only degree-one vertices lead along."""
    return sp.csr_array(sp.diags_array([1.0, 1.0], offsets=[0, 1], shape=(n, n)))


def long_path(n, draw):
    """A matrix of two diagonals without a degree-one vertex but in one corner, shuffled."""
    A = sp.lil_array((n, n))
    for i in range(n):
        A[i, i] = A[i, (i + 1) % n] = 1
    A[0, n - 1] = 1
    return sp.csr_array(A.tocsr()[draw.permutation(n)][:, draw.permutation(n)])


def deficient(draw, n):
    """Half of the rows share a few columns, and half of the columns a few rows."""
    A = sp.lil_array((n, n))
    half, few = n // 2, max(1, n // 8)
    for k in range(half):
        for j in draw.integers(0, few, 3):
            A[k, j] = 1
            A[half + j, half + k] = 1
    return sp.csr_array(A)


def blocks(A, bounds):
    return [A[first:last] for first, last in pairwise(bounds)]


def even(A, size):
    return blocks(A, [r * A.shape[0] // size for r in range(size + 1)])


def solved(A, parts, seed=0, late=0.0, **options):
    """The answers of the ranks, each proven by them and, gathered, by itself."""

    def program(comm):
        m = maximum_matching(parts[comm.rank], A.shape, comm, **options)
        m.verify(parts[comm.rank])
        return m, m.gather()

    outcomes = on_ranks(len(parts), program, seed, late)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    expected = int(np.count_nonzero(maximum_bipartite_matching(A, perm_type="column") >= 0)) if A.nnz else 0
    whole = outcomes[0][1]
    whole.verify(A)
    assert whole.size == expected
    assert all(later is None for _, later in outcomes[1:])
    answers = [m for m, _ in outcomes]
    assert {m.size for m in answers} == {expected}
    assert sum(len(m.cover) for m in answers) == expected
    return answers


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_random_matrices_of_any_shape(size, way):
    draw = np.random.default_rng(size)
    for case in range(60):
        rows, cols = draw.integers(0, 40, 2)
        A = random_matrix(draw, rows, cols, int(draw.integers(0, 1 + 4 * max(rows, cols))))
        bounds = np.sort(np.concatenate([[0, rows], draw.integers(0, rows + 1, size - 1)]))
        solved(A, blocks(A, bounds), seed=case, late=0.0005 if case % 20 == 0 else 0.0)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("patience", [1, 16])
def test_searches_that_have_much_to_do(size, patience, way, monkeypatch):
    """Ranks that hear of each other seldom, or after each choice, leave different work to the search."""
    monkeypatch.setattr(matching_rounds, "LEAST_RECORDS", patience)
    monkeypatch.setattr(matching_levels, "PATIENCE", patience)
    draw = np.random.default_rng(size)
    for n in (30, 200):
        for A in (
            mesh(int(n**0.5) + 1),
            mesh(int(n**0.5) + 1)[draw.permutation((int(n**0.5) + 1) ** 2)],
            deficient(draw, n),
            deficient(draw, n).T.tocsr(),
            chain(n),
            chain(n)[draw.permutation(n)],
            long_path(n, draw),
            random_matrix(draw, n, n, 3 * n),
        ):
            solved(A, even(A, size))


def test_ranks_without_rows(way):
    A = random_matrix(np.random.default_rng(1), 20, 25, 50)
    solved(A, blocks(A, [0, 0, 20, 20, 20]))
    solved(A[:0], blocks(A[:0], [0, 0, 0]))
    solved(A[:, :0], even(A[:, :0], 3))
    solved(A[:2], even(A[:2], 5))


def test_fewer_columns_than_ranks(way):
    A = sp.csr_array(np.ones((6, 2)))
    answers = solved(A, even(A, 4))
    assert [len(m.row_of_col) for m in answers] == [0, 1, 0, 1]


def test_blocks_in_another_order_than_their_ranks(way):
    A = random_matrix(np.random.default_rng(2), 30, 30, 70)
    places = [(20, 30), (0, 15), (15, 20)]

    def program(comm):
        first, last = places[comm.rank]
        m = maximum_matching(A[first:last], A.shape, comm, first_row=first)
        m.verify(A[first:last])
        return m.gather(root=1)

    found = on_ranks(3, program)
    assert found[0] is found[2] is None
    found[1].verify(A)


def test_degree_one_vertices_alone_solve_a_chain():
    """Across ranks as well: no free choice is made, so nothing is left to search."""
    A = chain(300)
    for m in solved(A, even(A, 3)):
        assert m.stats["start_size"] == 300
        assert m.stats["phases"] == 0


def test_one_rank_is_the_ordinary_call():
    A = mesh(20)[np.random.default_rng(3).permutation(400)]
    m = maximum_matching(A, A.shape, SoloComm())
    m.verify(A)
    m.gather().verify(A)
    assert (m.col_of_row == konig.maximum_matching(A, threads=1).col_of_row).all()
    assert m.stats["rounds"] == m.stats["bytes_sent"] == 0


def grid_in_random_order():
    draw, n = np.random.default_rng(2), 70 * 70
    A = sp.csr_array(mesh(70) - sp.diags_array([mesh(70).diagonal()], offsets=[0]))
    A.eliminate_zeros()
    return sp.csr_array(A[draw.permutation(n)][:, draw.permutation(n)])


def test_deep_levels_begin_again_by_rounds():
    A = grid_in_random_order()
    seen = []

    def program(comm):
        report = (lambda done, total: seen.append((done, total))) if comm.rank == 0 else None
        return maximum_matching(even(A, 2)[comm.rank], A.shape, comm, progress=report)

    for m in on_ranks(2, program):
        assert m.size == A.shape[0]
        assert "levels" not in m.stats
    assert seen == sorted(seen)


@pytest.mark.parametrize(("kind", "by_levels"), [("random", True), ("sparse", False), ("mesh", False)])
def test_entries_that_cross_are_matched_by_levels(kind, by_levels):
    """Unless many rows have one entry."""
    draw = np.random.default_rng(2)
    entries = {"random": 9000, "sparse": 1800, "mesh": 0}[kind]
    A = random_matrix(draw, 900, 900, entries) if entries else mesh(30)
    for m in solved(A, even(A, 2)):
        assert ("levels" in m.stats) == by_levels


def test_unmatched_rows_alone_scan_random_graphs():
    """Searches of all rows for each phase of paths took more than ten scans of every entry."""
    n, degree = 20_000, 10
    cols = np.random.default_rng(5).integers(0, n, n * degree)
    A = sp.csr_array((np.ones(len(cols), bool), cols, np.arange(0, len(cols) + 1, degree)), (n, n))
    answers = solved(A, even(A, 4))
    assert "levels" in answers[0].stats
    assert sum(m.stats["arc_scans"] for m in answers) < 7 * A.nnz


def test_entries_that_stay_on_a_rank_cost_no_rounds():
    """A path along the diagonal crosses between ranks as often as blocks meet, whatever its length."""
    n = 4000
    A = sp.csr_array(sp.diags_array([1.0, 1.0, 1.0], offsets=[-1, 0, 1], shape=(n, n)))
    for m in solved(A, even(A, 2)):
        assert m.stats["start_rounds"] < 10
        assert m.stats["rounds"] < 20 * max(1, m.stats["phases"])


def test_same_answer_each_time_however_late_ranks_are(way):
    A = random_matrix(np.random.default_rng(3), 100, 100, 260)
    answers = [solved(A, even(A, 3), seed=seed, late=late) for seed, late in ((0, 0.0), (1, 0.001))]
    for one, other in zip(*answers, strict=True):
        assert (one.col_of_row == other.col_of_row).all()
        assert one.stats["bytes_sent"] == other.stats["bytes_sent"]


def test_wide_ids(way, monkeypatch):
    monkeypatch.setattr(matching_choice, "INT32_MAX", 10)
    A = random_matrix(np.random.default_rng(4), 60, 60, 150)
    for m in solved(A, even(A, 3)):
        assert m.col_of_row.dtype == np.int64


def test_blocks_of_other_kinds():
    A = np.array([[1, 0, 1], [0, 0, 2], [1, 0, 0], [0, 3, 0]])
    explicit = sp.csr_array(([0, 1], ([0, 1], [1, 2])), (2, 3))
    for given in (A[:2], A[:2].tolist(), sp.csc_array(A[:2]), sp.coo_array(A[:2])):
        assert solved(sp.csr_array(A), [given, A[2:]])[0].size == 3
    assert solved(
        sp.csr_array([[0, 0, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0]]), [explicit, A[2:]], drop_zeros=True
    )


def test_progress_counts_pairs_of_all_ranks(way):
    A = random_matrix(np.random.default_rng(5), 100, 100, 300)
    seen = []

    def program(comm):
        report = (lambda done, total: seen.append((done, total))) if comm.rank == 1 else None
        return maximum_matching(even(A, 2)[comm.rank], A.shape, comm, progress=report).size

    size = on_ranks(2, program)[0]
    assert seen[-1] == (size, 100)
    assert seen == sorted(seen)


# ---- errors


@pytest.mark.parametrize(
    ("wrong", "options", "kind", "message"),
    [
        ({1: np.ones((2, 4))}, {}, ValueError, "rank 1: local_csr has 4 columns, but shape says 3"),
        ({2: np.ones((1, 3))}, {}, ValueError, "shape says 6 rows, but the ranks have 5 together"),
        ({0: "nowhere.mtx"}, {}, FileNotFoundError, "rank 0: .*nowhere.mtx"),
        ({1: (np.array([0]), np.array([1]))}, {}, TypeError, "rank 1: local_csr: index arrays do not say"),
        ({1: 3.5}, {}, TypeError, "rank 1: local_csr must be"),
        (
            {2: sp.csr_array((np.ones(2), np.array([0, 7]), np.array([0, 1, 2])), (2, 3), copy=False)},
            {},
            ValueError,
            "rank 2: local_csr.*7",
        ),
        ({}, {1: {"shape": (6, 4)}}, ValueError, "rank 1: local_csr has 3 columns, but shape says 4"),
        ({}, {1: {"shape": (7, 3)}}, ValueError, "shape: rank 1 gives"),
        ({}, {2: {"shape": (6,)}}, ValueError, "rank 2: shape"),
        ({}, {2: {"drop_zeros": "no"}}, TypeError, "rank 2: drop_zeros"),
        (
            {},
            {0: {"first_row": 0}, 1: {"first_row": 1}, 2: {"first_row": 4}},
            ValueError,
            "first_row: row 1 is in",
        ),
        ({}, {1: {"first_row": -2}}, ValueError, "rank 1: first_row"),
        ({}, {1: {"progress": 7}}, TypeError, "rank 1: progress"),
    ],
)
def test_bad_input_of_one_rank_ends_on_all(wrong, options, kind, message):
    def program(comm):
        block = wrong.get(comm.rank, np.ones((2, 3)))
        return maximum_matching(block, comm=comm, **{"shape": (6, 3), **options.get(comm.rank, {})})

    errors = on_ranks(3, program)
    assert len({(type(error), str(error)) for error in errors}) == 1
    with pytest.raises(kind, match=message):
        raise errors[0]


ONCE = ("subscribe", "start", "search", "plant", "label_taken", "answer")
NATIVE_STEPS = {
    "rounds": {*ONCE, "start_round", "begin_phase", "search_round"} - {"label_taken"},
    "levels": {
        "claim",
        "taken",
        "take",
        "label_taken",
        "push",
        "begin_search",
        "level",
        "end_search",
        "answer",
    },
}


@pytest.mark.parametrize("step", sorted({*NATIVE_STEPS["rounds"], *NATIVE_STEPS["levels"]}))
@pytest.mark.parametrize("failing", [0, 1, 2])
@pytest.mark.parametrize("calls", [1, 2])
def test_a_rank_that_fails_at_any_step_leaves_no_other_waiting(step, failing, calls, way, monkeypatch):
    if step not in NATIVE_STEPS[way]:
        pytest.skip("no such step")
    A = mesh(9)[np.random.default_rng(6).permutation(81)]
    name = "RankMatching32" if way == "rounds" else "LevelMatching32"
    native = getattr(matching_rounds._native, name)

    class Failing:
        """The native state, one of whose calls raises on one rank."""

        def __init__(self, rank, *arguments):
            self.rank, self.left = rank, calls
            self.inner = native(rank, *arguments)

        def __getattr__(self, name):
            if name == step and self.rank == failing:
                self.left -= 1
                if self.left == 0:
                    raise MemoryError(f"in {name}")
            return getattr(self.inner, name)

    monkeypatch.setattr(matching_rounds._native, name, Failing)
    outcomes = on_ranks(3, lambda comm: maximum_matching(even(A, 3)[comm.rank], A.shape, comm), late=0.0005)
    if calls == 2 and step in ONCE:
        assert all(m.size == 81 for m in outcomes)
    else:
        assert {(type(error), str(error)) for error in outcomes} == {
            (MemoryError, f"rank {failing}: in {step}")
        }


def test_an_interrupted_rank_ends_all(way):
    A = random_matrix(np.random.default_rng(7), 200, 200, 500)

    def program(comm):
        def interrupt(done, total):
            raise KeyboardInterrupt

        return maximum_matching(
            even(A, 3)[comm.rank], A.shape, comm, progress=interrupt if comm.rank == 1 else None
        )

    assert all(isinstance(error, KeyboardInterrupt) for error in on_ranks(3, program))


# ---- proofs


def spoiled(m, field, change):
    """The same answer with one array changed."""
    if field in ("rows", "cols"):
        parts = {"rows": m.cover.rows, "cols": m.cover.cols} | {field: change(getattr(m.cover, field).copy())}
        return dataclasses.replace(m, cover=VertexCover(**parts))
    value = getattr(m, field)
    return dataclasses.replace(m, **{field: change(value.copy() if isinstance(value, np.ndarray) else value)})


def unmatch(mates):
    mates[np.flatnonzero(mates >= 0)[0]] = -1
    return mates


def put(value):
    def change(mates):
        mates[0] = value
        return mates

    return change


@pytest.mark.parametrize(
    ("field", "change", "message"),
    [
        ("col_of_row", put(99), r"rank 1: col_of_row\[0\].* is 99"),
        ("col_of_row", put(-7), r"rank 1: col_of_row\[0\].* is -7"),
        ("col_of_row", lambda mates: mates.astype(float), "rank 1: col_of_row: float64"),
        ("col_of_row", lambda mates: mates[1:], "rank 1: the answer is for a block"),
        ("col_of_row", unmatch, "rank [0-2]: column .* claims row"),
        ("row_of_col", unmatch, "rank 1: column .* claims row -1"),
        ("row_of_col", lambda mates: mates[1:], "rank 1: row_of_col has"),
        ("rows", lambda rows: rows[1:], "(is not covered|pairs but its cover)"),
        ("cols", lambda cols: cols[1:], "rank 0: entry .* is not covered"),
        ("rows", lambda rows: np.append(rows, rows[:1]), "rank 1: the cover's rows repeat"),
        ("rows", lambda rows: rows + 1000, "rank 1: the cover's rows leave"),
        ("size", lambda size: size + 1, "rank 1: the answer claims size"),
    ],
)
def test_proofs_refuse_a_spoiled_answer_of_one_rank(field, change, message):
    draw = np.random.default_rng(8)
    A = sp.csr_array(sp.block_diag([deficient(draw, 24), random_matrix(draw, 30, 30, 60)]))
    parts = blocks(A, [0, 12, 40, 54])

    def program(comm):
        m = maximum_matching(parts[comm.rank], A.shape, comm)
        wrong = 0 if field == "cols" else 1  # a rank that has some
        bad = spoiled(m, field, change) if comm.rank == wrong else m
        bad.verify(parts[comm.rank])

    errors = on_ranks(3, program)
    assert len({str(error) for error in errors}) == 1
    with pytest.raises(konig.CertificateError, match=message):
        raise errors[0]


def test_proofs_refuse_another_matrix():
    A = random_matrix(np.random.default_rng(9), 40, 40, 200)
    less, more = A.copy().tolil(), A.copy().tolil()
    m = maximum_matching(A, A.shape, SoloComm())
    row = int(np.flatnonzero(m.col_of_row >= 0)[0])
    less[row, m.col_of_row[row]] = 0
    with pytest.raises(konig.CertificateError, match="is not an entry"):
        m.verify(sp.csr_array(less))
    with pytest.raises(konig.CertificateError, match="is for a block of shape"):
        m.verify(A[1:])
    m = maximum_matching(sp.csr_array((3, 3)), (3, 3), SoloComm())
    more = np.zeros((3, 3))
    more[1, 2] = 1
    with pytest.raises(konig.CertificateError, match=r"entry \(1, 2\) is not covered"):
        m.verify(more)

"""Maximum product transversals: against all transversals in exact arithmetic, and their scales."""

import runpy
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from cases.data import DATA, needs_data

import konig
from konig import io
from konig.assignment.product_proof import Scales, above_one


def best_product(A):
    """The size and the largest product of the largest transversals, by trying all."""
    best = {0: Fraction(1)}

    def extend(row, used, size, product):
        if row == len(A):
            best[size] = max(best.get(size, Fraction(0)), product)
            return
        extend(row + 1, used, size, product)
        for col in np.flatnonzero(A[row]):
            if col not in used:
                extend(row + 1, used | {col}, size + 1, product * Fraction(abs(float(A[row, col]))))

    extend(0, frozenset(), 0, Fraction(1))
    return max(best), best[max(best)]


def product_of(A, t):
    product = Fraction(1)
    for i, j in zip(t.row_ind, t.col_ind, strict=True):
        product *= Fraction(abs(float(A[i, j])))
    return product


def random_matrix(rng, kind, shape):
    A = rng.standard_normal(shape)
    if kind == "integers":
        A = rng.integers(-3, 4, shape).astype(float)
    if kind == "powers of two":
        A = 2.0 ** rng.integers(-5, 5, shape)
    if kind == "zeros and ones":
        A = rng.integers(0, 2, shape).astype(float)
    if kind == "all of float64":
        A = np.ldexp(A, rng.integers(-1074, 1000, shape))
    if kind == "dominant":
        A += 10 * np.eye(*shape)
    if kind == "nearly tied":
        A = 1 + rng.integers(0, 9, shape) * 2.0**-50
    A[rng.random(shape) < rng.random()] = 0
    return A


KINDS = ("normal", "integers", "powers of two", "zeros and ones", "all of float64", "dominant", "nearly tied")


def check(A, t, given):
    t.verify(given)
    size, best = best_product(A)
    assert t.size == size
    assert product_of(A, t) * (1 + Fraction(2 * t.gap)) >= best
    scaled = t.scaled(given)
    scaled = np.abs(scaled.toarray() if sp.issparse(scaled) else scaled)
    assert scaled.max(initial=0) <= 1 + 2.0**-51
    np.testing.assert_allclose(scaled[t.row_ind, t.col_ind], 1, rtol=1e-11)


@pytest.mark.parametrize("kind", KINDS)
def test_small_matrices_against_all_transversals(kind):
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(80):
        A = random_matrix(rng, kind, tuple(rng.integers(0, 6, 2)))
        for given in (A, sp.csr_array(A), sp.csc_array(A), np.asfortranarray(A)):
            check(A, konig.maximum_product_transversal(given), given)


def nearly_dominant(rng, shape, weak):
    """A dominant diagonal but for some entries, rows and columns in other units, rows permuted."""
    rows, cols = shape
    A = sp.random_array(shape, density=4 / cols, rng=rng, data_sampler=rng.standard_normal).tolil()
    A.setdiag(np.where(rng.random(min(shape)) < weak, 1e-9, 20.0))
    units = [sp.diags_array(10.0 ** rng.uniform(-9, 9, extent)) for extent in shape]
    scaled = [A, units[0] @ A, A @ units[1]][rng.integers(3)]
    return sp.csr_array(scaled.tocsr()[rng.permutation(rows)])


@pytest.mark.parametrize("shape", [(60, 60), (60, 75), (75, 60)])
def test_nearly_dominant_matrices_are_matched_by_few_paths(shape):
    rng = np.random.default_rng(shape)
    short = 0
    for weak in np.tile([0, 0.02, 0.1, 0.3], 12):
        A = nearly_dominant(rng, shape, weak)
        t = konig.maximum_product_transversal(A)
        t.verify(A)
        other = konig.maximum_product_transversal(A.toarray())  # by an assignment problem
        assert t.log_product == pytest.approx(other.log_product, abs=1e-9)
        if "largest_of_lines" in t.stats:
            short += 1
            assert t.stats["largest_of_lines"] + t.stats["paths"] <= min(shape)
    assert short >= 18


def test_entries_that_only_short_paths_reach_may_be_tiny():
    # The free row leads along a chain whose last entry is far below the largest.
    n = 40
    A = sp.diags_array([np.full(n, 1.0), np.full(n - 1, 0.5)], offsets=[0, 1]).tolil()
    A[n - 1, n - 1], A[n - 1, 0] = 0, 2.0**-1000
    for given in (sp.csr_array(A), sp.csr_array(A.T)):
        t = konig.maximum_product_transversal(given)
        t.verify(given)
        assert t.size == n
        assert t.log_product == pytest.approx(-(1000 + n - 1) * np.log(2))


@pytest.mark.parametrize("layout", ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"])
def test_every_format_and_type(layout):
    rng = np.random.default_rng(5)
    A = rng.integers(1, 9, (6, 6)) * (rng.random((6, 6)) < 0.6) + np.eye(6, dtype=int)
    for dtype in (np.int8, np.uint64, np.int64, np.float32, np.float64, np.complex64, np.complex128, bool):
        given = sp.csr_array(A.astype(dtype)).asformat(layout)
        t = konig.maximum_product_transversal(given)
        t.verify(given)
        t.verify(A.astype(dtype))
    assert konig.maximum_product_transversal(A.astype(np.float16)).size == 6
    assert konig.maximum_product_transversal(A.astype(">f4")).size == 6
    assert konig.maximum_product_transversal(A.tolist()).size == 6


def test_complex_entries_count_by_their_moduli():
    A = np.array([[3 + 4j, 4.9], [1, 1j]])
    t = konig.maximum_product_transversal(A)
    assert t.col_ind.tolist() == [0, 1]
    np.testing.assert_allclose(np.abs(np.diag(t.scaled(A))), 1)
    np.testing.assert_allclose(t.log_product, np.log(5))
    t.verify(A)


def test_stored_zeros_are_no_entries_and_duplicates_add_up():
    A = sp.coo_array(
        ([0.0, 2.0, 1.0, 3.0, 5.0, -5.0], ([0, 0, 1, 1, 1, 1], [0, 1, 0, 0, 1, 1])), shape=(2, 2)
    )
    t = konig.maximum_product_transversal(A)
    assert t.col_ind.tolist() == [1, 0]
    np.testing.assert_allclose(t.log_product, np.log(8))
    t.verify(A)


def test_entries_at_the_ends_of_float64():
    for A in (np.array([[5e-324]]), np.array([[1.7e308]]), np.diag([5e-324, 1.7e308, 1.0])):
        t = konig.maximum_product_transversal(A)
        t.verify(A)
        np.testing.assert_allclose(np.diag(t.scaled(A)), 1, rtol=1e-12)
        assert np.isfinite(t.row_scale).all()
        assert (t.col_scale > 0).all()


def test_scales_beyond_float64_have_logarithms_and_are_applied():
    n = 6
    A = np.eye(n) + np.diag([1e300] * (n - 1), -1)
    t = konig.maximum_product_transversal(A)
    t.verify(A)
    with pytest.raises(OverflowError, match=r"row_log_scale|col_log_scale"):
        t.row_scale, t.col_scale  # noqa: B018
    np.testing.assert_allclose(t.row_log_scale + t.col_log_scale, 0, atol=1e-9)
    scaled = t.scaled(A)
    assert scaled.max() <= 1
    np.testing.assert_allclose(np.diag(scaled), 1)


def test_powers_of_two_change_no_digit():
    A = np.random.default_rng(8).standard_normal((30, 30))
    t = konig.maximum_product_transversal(A)
    scaled = t.scaled(A, powers_of_two=True)
    assert (np.frexp(scaled)[0] == np.frexp(A)[0]).all()
    assert np.abs(scaled).max() <= 1
    assert np.abs(scaled[t.row_ind, t.col_ind]).min() > 0.25


def test_permutations_put_the_entries_on_the_diagonal():
    rng = np.random.default_rng(3)
    for shape in ((20, 20), (25, 20), (20, 25)):
        A = sp.random_array(shape, density=0.3, rng=rng, format="csr") + sp.eye_array(*shape) * 0.01
        t = konig.maximum_product_transversal(A)
        on_diagonal = (
            (A[t.row_perm]).diagonal() if shape[0] >= shape[1] else A.tocsc()[:, t.col_perm].diagonal()
        )
        assert np.log(np.abs(on_diagonal)).sum() == pytest.approx(t.log_product)
        shorter = "col_perm" if shape[0] > shape[1] else "row_perm"
        if shape[0] != shape[1]:
            with pytest.raises(ValueError, match=f"has no {shorter}"):
                getattr(t, shorter)


def test_a_singular_matrix_has_a_cover_and_a_permutation():
    A = np.array([[1.0, 2, 0], [0, 3, 0], [0, 4, 0]])
    t = konig.maximum_product_transversal(A)
    assert (t.size, len(t.cover), sorted(t.row_perm.tolist())) == (2, 2, [0, 1, 2])
    assert t.log_product == pytest.approx(np.log(4))
    t.verify(A)


def test_sparse_dense_and_transposed_agree():
    rng = np.random.default_rng(6)
    for density in (0.02, 0.3, 1.0):
        A = sp.random_array((200, 200), density=density, rng=rng, format="csr") + 1e-3 * sp.eye_array(200)
        products = [
            konig.maximum_product_transversal(form).log_product
            for form in (A, A.T, A.toarray(), A.T.toarray(), A * 1e200, A.toarray() * 2.0**-500)
        ]
        products[4] -= 200 * np.log(1e200)
        products[5] += 200 * 500 * np.log(2.0)
        np.testing.assert_allclose(products, products[0], rtol=1e-11, atol=2 * np.spacing(1e5))


def test_the_logarithm_of_a_product_is_right_to_the_last_digit():
    rng = np.random.default_rng(9)
    with localcontext(prec=50):
        for scale in (1.0, 1e200, 2.0**-500, 1e-310):
            A = sp.random_array((200, 200), density=0.1, rng=rng, format="csr") + sp.eye_array(200)
            A = A * scale
            t = konig.maximum_product_transversal(A)
            exact = sum(Decimal(float(x)).ln() for x in A.toarray()[t.row_ind, t.col_ind])
            assert abs(Decimal(t.log_product) - exact) <= Decimal(np.spacing(abs(t.log_product)))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, complex(0, np.nan)])
def test_what_is_not_finite_is_refused_by_place(form, bad):
    A = np.ones((3, 4), type(bad))
    A[1, 2] = bad
    with pytest.raises(ValueError, match=r"^A\[1, 2\] = .*: entries must be finite numbers"):
        konig.maximum_product_transversal(form(A))


def test_a_modulus_beyond_float64_is_refused():
    with pytest.raises(ValueError, match=r"^A\[0, 0\] = .*: its modulus is beyond float64"):
        konig.maximum_product_transversal(np.array([[1.7e308 + 1.7e308j]]))


@pytest.mark.parametrize(
    ("A", "error"),
    [
        (np.zeros(3), ValueError),
        (np.zeros((2, 2, 2)), ValueError),
        (np.zeros((2, 2), np.longdouble), TypeError),
        (np.array([["a"]]), TypeError),
        (np.array([[object()]]), TypeError),
        (np.ma.masked_equal([[1, 2], [3, 4]], 3), ValueError),
    ],
)
def test_what_is_no_matrix_is_refused(A, error):
    with pytest.raises(error, match=r"^A"):
        konig.maximum_product_transversal(A)


def test_broken_index_arrays_are_refused():
    A = sp.eye_array(4, format="csr")
    A.indices[1] = 7
    with pytest.raises(ValueError, match=r"^A: column index 7 of entry 1"):
        konig.maximum_product_transversal(A)


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_empty_matrices(shape):
    t = konig.maximum_product_transversal(np.zeros(shape))
    assert (t.size, t.log_product, t.gap) == (0, 0.0, 0.0)
    t.verify(np.zeros(shape))


def test_the_input_is_left_alone_and_results_own_their_memory():
    A = sp.random_array((50, 50), density=0.2, rng=np.random.default_rng(0), format="csr") + sp.eye_array(50)
    A = A.tocsr()
    before = A.copy()
    t = konig.maximum_product_transversal(A)
    assert (before != A).nnz == 0
    A.data[:], A.indices[:] = 7, 0
    t.verify(before)
    with pytest.raises(ValueError, match="read-only"):
        t.row_mantissa[0] = 1
    with pytest.raises(ValueError, match="3 x 3"):
        t.scaled(np.eye(3))


A = np.array([[1.0, 4.0, 0.0], [0.5, 1.0, 0.0], [2.0, 0.0, 3.0]])
WIDE = np.array([[1.0, 4.0, 0.0], [0.5, 1.0, 7.0]])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"log_product": 2.0}, "product's logarithm is 2.0"),
        ({"gap": 0.5}, "claims a gap of 0.5"),
        ({"gap": -1.0}, "claims a gap"),
        ({"col_ind": np.array([0, 1, 2])}, "product's logarithm|leave a gap"),
        ({"row_exponent": np.array([9, 9, 9])}, "is above 1 in modulus"),
        ({"row_exponent": np.array([-9, -9, -9])}, "leave a gap"),
        ({"row_mantissa": np.array([0.4, 0.5, 0.5])}, r"is not in \[0.5, 1\)"),
        ({"cover": konig.VertexCover(np.arange(3), np.arange(0))}, "full, and still"),
        ({"row_ind": np.array([0, 1]), "col_ind": np.array([1, 0])}, "left over|no cover|product's"),
    ],
)
def test_altered_answers_are_refused(changes, message):
    t = konig.maximum_product_transversal(A)
    t.verify(A)
    with pytest.raises(konig.CertificateError, match=message):
        replace(t, **changes).verify(A)


def test_every_other_transversal_is_refused():
    t = konig.maximum_product_transversal(WIDE)
    t.verify(WIDE)
    for i in range(3):
        for j in range(3):
            if i != j and [i, j] != t.col_ind.tolist() and WIDE[0, i] and WIDE[1, j]:
                log_product = float(np.log(WIDE[0, i] * WIDE[1, j]))
                with pytest.raises(konig.CertificateError):
                    replace(t, col_ind=np.array([i, j]), log_product=log_product).verify(WIDE)


def test_a_scale_of_a_column_left_over_is_the_largest():
    t = konig.maximum_product_transversal(WIDE)
    exponent = t.col_exponent.copy()
    exponent[0] -= 1
    with pytest.raises(konig.CertificateError, match="above that of col 0, which is left over"):
        replace(t, col_exponent=exponent).verify(WIDE)


def test_one_is_told_from_its_neighbours_exactly():
    rng = np.random.default_rng(12)
    for _ in range(300):
        a, r = 0.5 + rng.random(2) / 2
        c = 1 / (a * r)
        mantissa, exponent = np.frexp([c])
        for step in (-1, 0, 1):
            near = np.nextafter(mantissa, step * np.inf) if step else mantissa
            if not 0.5 <= near[0] < 1:
                continue
            scales = Scales(np.array([r]), np.array([0])), Scales(near, exponent)
            above = above_one(np.array([a]), *scales)[0]
            exact = Fraction(a) * Fraction(r) * Fraction(near[0]) * 2 ** int(exponent[0]) - 1
            assert np.sign(above) == np.sign(exact)
            assert abs(Fraction(above) - exact) <= abs(exact) / 10**9


MATRICES = ("Bai__cryg2500", "Hamm__add20", "HB__gemat12", "Bomhof__circuit_1", "VDOL__hangGlider_2")


@needs_data
@pytest.mark.parametrize("name", MATRICES)
def test_real_matrices(name):
    A = io.read(DATA / "matrices" / "suitesparse" / f"{name}.mtx.xz")
    t = konig.maximum_product_transversal(A)
    t.verify(A)
    assert t.size == konig.structural_rank(A, drop_zeros=True)
    scaled = t.scaled(A)
    assert np.abs(scaled.data).max() <= 1 + 2.0**-51
    if t.size == A.shape[0]:
        np.testing.assert_allclose(np.abs(scaled[t.row_perm].diagonal()), 1, rtol=1e-10)


@needs_data
def test_a_real_rectangle_that_is_singular():
    A = io.read(DATA / "matrices" / "suitesparse_small" / "LPnetlib" / "lp_cycle.mtx.xz")
    t = konig.maximum_product_transversal(A)
    assert t.size == 1875 == len(t.cover)
    t.verify(A)
    assert np.abs(t.scaled(A).data).max() <= 1 + 2.0**-51


def test_it_can_be_interrupted():
    def stop(done, total):
        raise KeyboardInterrupt

    rng = np.random.default_rng(2)
    A = (
        sp.random_array((100_000, 100_000), density=5e-5, rng=rng, format="csr")
        + sp.eye_array(100_000) * 1e-3
    )
    with pytest.raises(KeyboardInterrupt):
        konig.maximum_product_transversal(A.tocsr(), progress=stop)


def test_the_example_factorises_without_leaving_the_diagonal(capsys, monkeypatch):
    example = Path(__file__).parents[2] / "examples" / "product_transversal.py"
    monkeypatch.setattr("sys.argv", [str(example)])
    runpy.run_path(str(example), run_name="__main__")
    row = capsys.readouterr().out.splitlines()[-1].split("|")
    before, after = int(row[3]), int(row[7])
    assert before > 100
    assert after == 0
    assert int(row[8].replace(",", "")) < int(row[4].replace(",", ""))


def test_moduli_that_float64_cannot_tell_apart_are_refused():
    d = 5e-324
    A = np.array([[1.0, d], [d, complex(d, d)]])
    with pytest.raises(ValueError, match=r"A\[1, 1\] = .*its modulus is below 2.3e-308"):
        konig.maximum_product_transversal(A)
    exact = np.array([[1e-310j, 0], [1, -2e-309]])
    t = konig.maximum_product_transversal(exact)
    t.verify(exact)
    assert t.col_ind.tolist() == [0, 1]

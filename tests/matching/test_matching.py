"""The contract of maximum_matching that does not depend on the method."""

import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import scipy.sparse as sp
from around_a_solve import by_two_threads, forks, in_a_forked_child
from patience import quickest

import konig
from konig.lab import generators

A = generators.sprand(300, 300, 3.0, seed=1)


def test_the_result_says_what_ran_and_proves_it():
    m = konig.maximum_matching(A, method="hk", init="none")
    assert m.size == np.count_nonzero(m.col_of_row >= 0) == np.count_nonzero(m.row_of_col >= 0)
    assert m.method == "hk"
    assert m.device == "cpu"
    assert m.stats["phases"] > 1
    assert m.stats["seconds"]["total"] >= m.stats["seconds"]["main"] > 0
    assert len(m.cover) == m.size
    assert (np.diff(m.cover.rows) > 0).all()
    assert (np.diff(m.cover.cols) > 0).all()
    m.verify(A)


def test_auto_names_the_method_it_chose():
    m = konig.maximum_matching(A)
    assert m.method in [method.name for method in konig.methods("matching")]
    assert m.stats["init"] in ("sgm", "ksm")


def test_results_are_frozen():
    m = konig.maximum_matching(A)
    with pytest.raises(AttributeError):
        m.size = 3
    with pytest.raises(ValueError, match="read-only"):
        m.col_of_row[0] = 3


def test_results_survive_pickling():
    m = pickle.loads(pickle.dumps(konig.maximum_matching(A)))
    m.verify(A)


def test_structural_rank_is_the_size():
    assert konig.structural_rank(A) == konig.maximum_matching(A).size
    assert konig.structural_rank(A, method="hk") == konig.maximum_matching(A).size


@pytest.mark.parametrize("method", [m.name for m in konig.methods("matching")])
def test_warm_starts_are_kept_and_improved(method):
    half = konig.maximum_matching(A).col_of_row.copy()
    half[::2] = -1
    given = half.copy()
    m = konig.maximum_matching(A, method=method, initial=half)
    m.verify(A)
    np.testing.assert_array_equal(half, given)
    perfect = np.random.default_rng(1).permutation(50)
    kept = konig.maximum_matching(np.ones((50, 50)), method=method, initial=perfect)
    np.testing.assert_array_equal(kept.col_of_row, perfect)


@pytest.mark.parametrize(
    ("initial", "words"),
    [
        (np.full(300, -2), "row 0 has partner -2"),
        (np.full(300, 300), "row 0 has partner 300"),
        (np.zeros(300, int), "does not claim it"),
        (np.full(299, -1), "300 integers"),
        (np.full(300, -1.0), "300 integers"),
    ],
)
def test_bad_warm_starts_are_refused(initial, words):
    with pytest.raises(ValueError, match=words):
        konig.maximum_matching(A, initial=initial)


def test_a_warm_start_must_use_entries():
    initial = np.full(300, -1)
    initial[0] = next(j for j in range(300) if j not in A.indices[A.indptr[0] : A.indptr[1]])
    with pytest.raises(ValueError, match="which is not an entry"):
        konig.maximum_matching(A, initial=initial)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"method": "simplex"}, ValueError, "expected one of auto, hk"),
        ({"method": 3}, ValueError, "method=3"),
        ({"method": "hk", "initt": 3}, TypeError, "no knob 'initt'; its knobs are: init"),
        ({"method": "hk", "init": "best"}, ValueError, "one of none, sgm, ksm"),
        ({"init": "ksm"}, TypeError, "method 'auto' has no knob 'init'"),
        ({"device": "tpu"}, ValueError, "device='tpu'"),
        ({"threads": 0}, ValueError, "threads must be at least 1"),
        ({"threads": 1025}, ValueError, "threads must be at most 1024"),
        ({"threads": 1.5}, TypeError, "threads must be an integer"),
        ({"seed": -1}, ValueError, "seed must be at least 0"),
        ({"progress": 3}, TypeError, "progress must be"),
    ],
)
def test_bad_options_are_named(options, error, words):
    with pytest.raises(error, match=words):
        konig.maximum_matching(A, **options)


def test_methods_list_themselves():
    for method in konig.methods("matching"):
        assert method.problem == "matching"
        assert "cpu" in method.devices
        assert method.paper
        assert method.summary
    with pytest.raises(ValueError, match="problem='x'"):
        konig.methods("x")


def test_verify_refuses_another_matrix():
    m = konig.maximum_matching(A)
    with pytest.raises(konig.CertificateError, match="300 x 300 matrix, not 300 x 299"):
        m.verify(A[:, :299])
    richer = sp.csr_array(A + sp.eye_array(300))
    with pytest.raises(konig.CertificateError):
        m.verify(richer)


def test_progress_is_reported_to_a_callable():
    calls = []
    big = generators.sprand(150_000, 150_000, 3.0, seed=3)
    konig.maximum_matching(big, method="hk", init="none", progress=lambda *call: calls.append(call))
    assert calls
    assert all(0 <= done <= total for done, total in calls)


def test_two_threads_solve_at_once_without_the_gil():
    big = generators.sprand(100_000, 100_000, 3.0, seed=2)
    expected = konig.maximum_matching(big, method="hk").size
    assert set(by_two_threads(lambda: konig.maximum_matching(big).size, 1)) == {expected}


@forks
def test_a_forked_child_solves():
    expected = konig.maximum_matching(A).size
    assert in_a_forked_child(lambda: konig.maximum_matching(A).size == expected)


@pytest.mark.parametrize(
    "method",
    [
        m.name for m in konig.methods("matching") if m.options and not m.name.endswith("-csr")
    ],  # those take small ones
)
def test_ctrl_c_stops_a_solve_and_leaves_the_process_usable(method):
    """The signal comes while a long solve runs; what is timed is from the signal to the exception."""
    script = textwrap.dedent(
        f"""
        import os, signal, threading, time
        import konig
        from konig.lab import generators
        A = generators.permute(generators.triangulated_grid(600, 600), seed=1)
        sent = []
        def interrupt(done, total):
            if not sent:
                sent.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)
        try:
            for _ in range(1000):
                konig.maximum_matching(A, method={method!r}, init="none", progress=interrupt)
        except KeyboardInterrupt:
            waited = time.perf_counter() - sent[0]
            konig.maximum_matching(A[:500, :500], method={method!r}).verify(A[:500, :500])
            print(f"stopped after {{waited:.3f}}")
        """
    )

    def seconds_to_stop():
        run = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=True
        )
        assert run.stdout.startswith("stopped after "), run.stdout + run.stderr
        return float(run.stdout.split()[-1])

    assert quickest(seconds_to_stop, 0.2) < 0.2

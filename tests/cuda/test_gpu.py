"""The suite of the CPU teams on a GPU."""

import importlib.util
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import konig

CPU_SUITE = Path(__file__).parent.parent / "methods" / "test_augmenting_paths_bsp.py"
spec = importlib.util.spec_from_file_location("augmenting_paths_on_cpu", CPU_SUITE)
on_cpu = importlib.util.module_from_spec(spec)
spec.loader.exec_module(on_cpu)

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("method", on_cpu.VARIANTS)
def test_answers_carry_their_certificate(method):
    for name, A in on_cpu.INSTANCES:
        for init in ("none", "sgm"):
            m = konig.maximum_matching(A, method=method, init=init, device="cuda")
            m.verify(A)
            assert m.device.startswith("cuda:"), name


@pytest.mark.parametrize("method", on_cpu.VARIANTS)
def test_all_index_types(method):
    A = on_cpu.crowded(3000, 5)
    for ids, offsets in ((np.int32, np.int32), (np.int32, np.int64), (np.int64, np.int64)):
        B = A.copy()
        B.indices, B.indptr = A.indices.astype(ids), A.indptr.astype(offsets)
        m = konig.maximum_matching(B, method=method, init="none", device="cuda")
        m.verify(A)
        assert m.col_of_row.dtype == ids


@pytest.mark.parametrize("method", on_cpu.VARIANTS)
def test_large_and_racy(method):
    A = on_cpu.crowded(200_000, 1)
    konig.maximum_matching(A, method=method, init="none", device="cuda").verify(A)
    konig.maximum_matching(A, method=method, device="cuda").verify(A)


def test_two_hundred_races_end_the_same():
    A = on_cpu.crowded(2000, 11)
    expected = konig.maximum_matching(A, method="hk").size
    for method in ("apfb-gpubfs-ct", "apsb-gpubfs-wr-mt"):
        for _ in range(100):
            assert konig.maximum_matching(A, method=method, init="none", device="cuda").size == expected


@pytest.mark.parametrize("method", on_cpu.VARIANTS)
def test_a_long_path_is_counted_as_on_the_cpu(method):
    A, initial = on_cpu.chain(10_000)
    m = konig.maximum_matching(A, method=method, init="none", initial=initial, device="cuda")
    m.verify(A)
    assert m.stats["bfs_levels"] == [10_000]
    assert m.stats["alternations"] == 10_000
    assert m.stats["edges_scanned"] == A.nnz


def test_launches_end_in_time_and_the_next_one_goes_on():
    A, initial = on_cpu.chain(300_000)
    seen = []

    class EnoughError(Exception):
        pass

    def report(done, total):
        seen.append((time.monotonic(), done, total))
        if len(seen) == 5:
            raise EnoughError

    with pytest.raises(EnoughError):
        konig.maximum_matching(
            A, method="apfb-gpubfs-ct", init="none", initial=initial, device="cuda", progress=report
        )
    assert max(np.diff([moment for moment, *_ in seen])) < 0.15
    # And one that is long enough for several launches comes to its end.
    A, initial = on_cpu.chain(60_000)
    m = konig.maximum_matching(A, method="apfb-gpubfs-ct", init="none", initial=initial, device="cuda")
    m.verify(A)
    assert m.stats["launches"] > 1


def test_widths_differ():
    A = on_cpu.crowded(1000, 1)
    ct = konig.maximum_matching(A, method="apfb-gpubfs-ct", device="cuda").stats["workers"]
    mt = konig.maximum_matching(A, method="apfb-gpubfs-mt", device="cuda").stats["workers"]
    assert mt == 1024
    assert ct > mt


def test_an_interrupt_ends_the_solve_and_leaves_the_process_usable():
    konig.maximum_matching(np.eye(2), method="apfb-gpubfs-ct", device="cuda")  # fills the kernel cache
    warm = 'konig.maximum_matching(np.eye(2), method="apfb-gpubfs-ct", device="cuda")\nprint("ready"'
    code = on_cpu.INTERRUPTED.replace("{options}", repr({"device": "cuda"})).replace('print("ready"', warm)
    code = code.replace("n = 200_000", "n = 1_000_000")
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        stopped = float(child.stdout.readline())
        assert child.stdout.readline() == "usable\n"
        assert child.wait(60) == 0
    assert stopped - sent < 0.2


def test_two_python_threads_can_solve_at_once():
    A = on_cpu.crowded(20_000, 4)
    expected = konig.maximum_matching(A, method="hk").size
    sizes = []

    def solve():
        for _ in range(10):
            sizes.append(konig.maximum_matching(A, method="apfb-gpubfs-wr-ct", device="cuda").size)

    threads = [threading.Thread(target=solve) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sizes == [expected] * 20


def test_auto_method_on_cuda_and_numbered_devices():
    A = np.eye(4)
    assert konig.maximum_matching(A, device="cuda:0").device == "cuda:0"
    assert konig.maximum_matching(A, device="cuda").method == "apfb-gpubfs-wr-ct"
    with pytest.raises(ValueError, match="numbered from 0"):
        konig.maximum_matching(A, device="cuda:99")
    with pytest.raises(ValueError, match="device='cpu'"):
        konig.maximum_matching(A, method="apfb-gpubfs-ct", device="cuda", team="shuffled")

"""The command line: what it prints, what it writes, and how it fails."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import konig
from konig import io
from konig.cli import main
from konig.lab.generators import generate

needs_btf = pytest.mark.skipif(not hasattr(konig, "block_triangular_form"), reason="no block triangular form")


@pytest.fixture
def matrix(tmp_path):
    """A file with a matrix that has no perfect matching."""
    path = tmp_path / "mesh.mtx"
    io.write(path, generate("road_grid", seed=3, permute="both", nx=12, keep=0.6))
    return path


@pytest.fixture
def run(capsys):
    """Run a command; return its status, stdout and stderr."""

    def call(*arguments):
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def complaint(run, *arguments, status=2):
    """The one line that a failing command puts on stderr."""
    got, out, err = run(*arguments)
    assert got == status
    assert out == ""
    assert err.startswith("konig: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err


def test_match_prints_size_and_proof(run, matrix):
    status, out, err = run("match", matrix)
    size = konig.maximum_matching(matrix).size
    assert status == 0
    assert f"{size}" in out
    assert "cover of" in out
    assert err == ""


def test_match_json_is_the_whole_answer(run, matrix):
    status, out, _ = run("match", matrix, "--json", "--method", "hk", "--init", "ksm")
    answer = json.loads(out)
    assert status == 0
    assert answer["size"] == np.count_nonzero(np.array(answer["col_of_row"]) >= 0)
    assert answer["size"] == len(answer["cover_rows"]) + len(answer["cover_cols"])
    assert answer["method"] == "hk"
    assert answer["stats"]["start_size"] <= answer["size"]
    assert {"read", "main", "verify"} <= answer["seconds"].keys()


@pytest.mark.parametrize(
    "method", ["auto", *(m.name for m in konig.methods("matching") if "cpu" in m.devices)]
)
def test_every_method_can_be_asked_for(run, matrix, method):
    status, out, err = run("match", matrix, "--method", method, "--json")
    assert status == 0, err
    assert json.loads(out)["size"] == konig.structural_rank(matrix, method="hk")


def test_knobs_are_read_in_their_own_type(run, matrix):
    assert run("match", matrix, "--method", "hk", "--set", "init=none")[0] == 0
    names = {m.name for m in konig.methods("matching")}
    if "pr" in names:
        assert run("match", matrix, "--method", "pr", "--set", "relabel=2", "--set", "gap=yes")[0] == 0
        assert "relabel" in complaint(run, "match", matrix, "--method", "pr", "--set", "relabel=often")


def test_stored_zeros_are_entries_unless_dropped(run, tmp_path):
    path = tmp_path / "zero.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 0.0\n")
    assert json.loads(run("match", path, "--json")[1])["size"] == 2
    assert json.loads(run("match", path, "--json", "--drop-zeros")[1])["size"] == 1
    out = tmp_path / "dropped.json"
    run("match", path, "--drop-zeros", "--out", out)
    assert run("verify", path, out)[0] == 0
    assert run("verify", path, out, "--keep-zeros")[0] == 1


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_written_answers_are_proved(run, matrix, tmp_path, suffix):
    out = tmp_path / f"answer{suffix}"
    assert run("match", matrix, "--out", out)[0] == 0
    status, text, _ = run("verify", matrix, out)
    assert status == 0
    assert text.startswith("proved")
    assert json.loads(run("verify", matrix, out, "--json")[1])["proved"] is True


@needs_btf
@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_written_block_triangular_forms_are_proved(run, matrix, tmp_path, suffix):
    out = tmp_path / f"form{suffix}"
    status, text, _ = run("btf", matrix, "--out", out)
    assert status == 0
    assert "overdetermined part" in text
    status, text, _ = run("verify", matrix, out)
    assert status == 0
    assert "blocks" in text


@needs_btf
@pytest.mark.parametrize("key", ["row_perm", "col_perm", "row_blocks", "col_parts", "col_of_row"])
def test_a_corrupted_block_triangular_form_is_refused(run, matrix, tmp_path, key):
    out = tmp_path / "form.json"
    run("btf", matrix, "--out", out)
    answer = json.loads(out.read_text())
    answer[key][0], answer[key][1] = 10**6, -5
    out.write_text(json.dumps(answer))
    complaint(run, "verify", matrix, out, status=1)


@needs_btf
def test_btf_draws_before_and_after(run, matrix, tmp_path):
    assert run("btf", matrix, "--plot", tmp_path / "form.png")[0] == 0
    assert (tmp_path / "form.png").stat().st_size > 1000


def damaged(answer, how):
    answer = json.loads(json.dumps(answer))
    matched = next(i for i, j in enumerate(answer["col_of_row"]) if j >= 0)
    if how == "unmatched pair":
        answer["row_of_col"][answer["col_of_row"][matched]] = -1
        answer["col_of_row"][matched] = -1
    elif how == "out of range":
        answer["col_of_row"][matched] = 10**6
    elif how == "uncovered":
        side = "cover_rows" if answer["cover_rows"] else "cover_cols"
        answer[side] = answer[side][1:]
    elif how == "claimed size":
        answer["size"] += 1
    elif how == "other matrix":
        answer["col_of_row"].append(-1)
    return answer


@pytest.mark.parametrize(
    "how", ["unmatched pair", "out of range", "uncovered", "claimed size", "other matrix"]
)
def test_a_wrong_answer_is_refused(run, matrix, tmp_path, how):
    answer = json.loads(run("match", matrix, "--json")[1])
    result = tmp_path / "wrong.json"
    result.write_text(json.dumps(damaged(answer, how)))
    assert "certificate refused" in complaint(run, "verify", matrix, result, status=1)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1, 2]",
        b"PK\x03\x04 and no more",
        b'{"kind": "matching"}',
        b'{"kind": ["matching"]}',
        b'{"kind": "assignment", "size": 1}',
        b"\xff\xfe\x00",
    ],
)
def test_a_malformed_result_is_bad_input(run, matrix, tmp_path, content):
    result = tmp_path / "malformed.json"
    result.write_bytes(content)
    assert "malformed.json" in complaint(run, "verify", matrix, result)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("size", "many"),
        ("size", True),
        ("col_of_row", "abc"),
        ("col_of_row", [0.5]),
        ("row_of_col", [[1], [2, 3]]),
        ("cover_rows", {"a": 1}),
        ("cover_cols", None),
        ("drop_zeros", "no"),
    ],
)
def test_a_result_with_a_wrong_type_is_bad_input(run, matrix, tmp_path, key, value):
    answer = json.loads(run("match", matrix, "--json")[1])
    result = tmp_path / "typed.json"
    result.write_text(json.dumps(answer | {key: value}))
    assert key in complaint(run, "verify", matrix, result)


def test_a_cut_or_damaged_archive_is_bad_input(run, matrix, tmp_path):
    result = tmp_path / "answer.npz"
    run("match", matrix, "--out", result)
    content = result.read_bytes()
    for cut in (5, len(content) // 2, len(content) - 3):
        result.write_bytes(content[:cut])
        complaint(run, "verify", matrix, result)
    rng = np.random.default_rng(1)
    for _ in range(50):
        bytes_ = bytearray(content)
        for position in rng.integers(0, len(content), 8):
            bytes_[position] ^= int(rng.integers(1, 256))
        result.write_bytes(bytes(bytes_))
        status, _, err = run("verify", matrix, result)
        assert status in (0, 1, 2)
        assert "Traceback" not in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "missing.mtx"], "missing.mtx: No such file"),
        (["match", "."], "directory"),
        (["match", "{matrix}", "--method", "simplex"], "method='simplex'"),
        (["match", "{matrix}", "--method", "hk", "--set", "speed=1"], "no knob 'speed'"),
        (["match", "{matrix}", "--set", "threads=2"], "no knob 'threads'"),
        (["match", "{matrix}", "--method", "hk", "--set", "init"], "name=value"),
        (["match", "{matrix}", "--method", "hk", "--set", "init=best"], "init='best'"),
        (["match", "{matrix}", "--method", "hk", "--init", "sgm", "--set", "init=ksm"], "set twice"),
        (["match", "{matrix}", "--device", "abacus"], "device='abacus'"),
        (["match", "{matrix}", "--threads", "0"], "threads must be at least 1"),
        (["match", "{matrix}", "--threads", "two"], "--threads"),
        (["match", "{matrix}", "--format", "excel"], "format must be one of"),
        (["match", "{matrix}", "--format", "npz"], "mesh.mtx"),
        (["match", "{matrix}", "--out", "answer.txt"], ".npz or .json"),
        (["match", "{matrix}", "--out", "no/such/folder.npz"], "there is no folder"),
        (["match", "{matrix}", "--plot", "answer.doc"], ".png or .pdf or .svg"),
        (["match"], "FILE"),
        (["match", "{matrix}", "--quickly"], "--quickly"),
        (["verify", "{matrix}", "missing.npz"], "missing.npz: No such file"),
        (["methods", "knapsack"], "knapsack"),
        (["generate", "unicorn", "--out", "a.mtx"], "unicorn"),
        (["generate", "sprand"], "--out"),
        (["generate", "sprand", "rows=many", "--out", "a.mtx"], "rows"),
        (["generate", "sprand", "rows=5", "--permute", "all", "--out", "a.mtx"], "permute"),
        (["generate", "sprand", "seed=1", "--seed", "2", "--out", "a.mtx"], "twice"),
        (["generate", "sprand", "--out", "a.xlsx"], "must end in"),
        (["bench", "matching", "--suite", "huge"], "suite 'huge'"),
        (["bench", "matching", "--methods", "simplex"], "simplex"),
        (["bench", "matching", "--data", "no-such-folder"], "no-such-folder"),
        (["bench", "compare", "missing.json", "missing.json"], "missing.json"),
        (["dance"], "dance"),
    ],
)
def test_bad_input_is_one_clear_line(run, matrix, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    line = complaint(run, *(argument.format(matrix=matrix) for argument in arguments))
    assert message in line


def test_a_malformed_line_of_a_file_is_named(run, tmp_path):
    path = tmp_path / "broken.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 x\n")
    assert "broken.mtx, line 4" in complaint(run, "match", path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_without_permission_is_refused_before_solving(run, matrix, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    assert "permission" in complaint(run, "match", matrix, "--out", locked / "answer.npz")


def test_match_draws_the_pattern(run, matrix, tmp_path):
    pytest.importorskip("matplotlib")
    large = tmp_path / "large.npz"
    io.write(large, generate("sprand", seed=1, rows=20_000, cols=9_000, degree=2.0))
    for path in (matrix, large):
        assert run("match", path, "--plot", tmp_path / "picture.png")[0] == 0
        assert (tmp_path / "picture.png").stat().st_size > 1000


@pytest.mark.parametrize("text", ["0 0 0", "3 0 0", "0 4 0"])
def test_matrices_without_entries_work(run, tmp_path, text):
    path = tmp_path / "empty.mtx"
    path.write_text(f"%%MatrixMarket matrix coordinate pattern general\n{text}\n")
    out, plot = tmp_path / "answer.json", tmp_path / "empty.svg"
    assert run("match", path, "--out", out, "--plot", plot)[0] == 0
    assert run("verify", path, out)[0] == 0


def test_methods_lists_every_method(run):
    names = [method.name for method in konig.methods()]
    status, out, _ = run("methods")
    assert status == 0
    assert all(name in out for name in names)
    assert [entry["name"] for entry in json.loads(run("methods", "matching", "--json")[1])] == [
        method.name for method in konig.methods("matching")
    ]


def test_generate_writes_what_the_generator_makes(run, tmp_path):
    path = tmp_path / "made.mtx.gz"
    status, out, _ = run("generate", "delaunay", "n=100", "--seed", 5, "--permute", "rows", "--out", path)
    assert status == 0
    assert "100 x 100" in out
    expected = generate("delaunay", seed=5, permute="rows", n=100)
    assert (io.read(path).tocsr() != expected).nnz == 0


def test_generate_lists_the_families(run):
    assert "delaunay" in run("generate")[1]
    assert "delaunay" in {family["name"] for family in json.loads(run("generate", "--json")[1])}


def test_info_tells_versions_and_what_to_install(run):
    status, out, _ = run("info")
    assert status == 0
    assert konig.__version__ in out
    found = json.loads(run("info", "--json")[1])
    assert found["numpy"] == np.__version__
    assert found["gpu"]


def test_version_and_help(run):
    assert run("--version")[:2] == (0, f"konig {konig.__version__}\n")
    status, out, _ = run("match", "--help")
    assert status == 0
    assert "--drop-zeros" in out


def test_python_m_konig_is_the_same():
    done = subprocess.run(
        [sys.executable, "-m", "konig", "match", "missing.mtx"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "konig: missing.mtx: No such file or directory\n"


def test_a_reader_that_leaves_early_is_no_error():
    script = f"{sys.executable} -m konig generate --json | head -c 10"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


def test_interrupt_ends_quickly_with_one_line(tmp_path):
    path = tmp_path / "hard.npz"
    io.write(path, generate("sprand", seed=1, rows=600_000, degree=3.0))
    with subprocess.Popen(
        [sys.executable, "-m", "konig", "match", str(path), "--method", "hkdw", "--init", "none"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "konig: interrupted\n")
    assert time.monotonic() - sent < 3


def test_results_are_found_by_content_not_by_name(run, matrix, tmp_path):
    out = tmp_path / "answer.npz"
    run("match", matrix, "--out", out)
    renamed = Path(out).rename(tmp_path / "answer.result")
    assert run("verify", matrix, renamed)[0] == 0

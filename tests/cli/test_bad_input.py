"""Bad input ends a command with one clear line and status 2."""

import bz2
import gzip
import json
import lzma
import os
import sys

import numpy as np
import pytest


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
        (["match", "{matrix}", "--threads", "99999999999"], "threads must be at most 1024"),
        (["match", "{matrix}", "--method", "simplex", "--set", "speed=1"], "method='simplex'"),
        (["match", "{matrix}", "--init", "ksm"], "method 'auto' has no knob 'init'"),
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
        (["generate", "--out", "a.mtx"], "NAME is missing"),
        (["generate", "delaunay", "n=2^99", "--out", "a.mtx"], "n must be at most"),
        (["generate", "sprand", "rows=many", "--out", "a.mtx"], "rows"),
        (["generate", "sprand", "rows=5", "--permute", "all", "--out", "a.mtx"], "permute"),
        (["generate", "sprand", "seed=1", "--seed", "2", "--out", "a.mtx"], "twice"),
        (["generate", "sprand", "--out", "a.xlsx"], "must end in"),
        (["bench", "matching", "--suite", "huge"], "suite 'huge'"),
        (["bench", "matching", "--methods", "simplex"], "simplex"),
        (["bench", "matching", "--data", "no-such-folder"], "no-such-folder"),
        (["bench", "matching", "--device", "abacus"], "device='abacus'"),
        (["bench", "matching", "--methods", "hk:device=cuda"], "method 'hk' runs on cpu only"),
        (["bench", "flow", "--permutations", "2"], "--permutations is for matching"),
        (["bench", "flow", "--threads", "0"], "threads must be at least 1"),
        (["bench", "wild", "flow", "--family", "nothing"], "family 'nothing' is not one of"),
        (["bench", "wild", "flow", "--entries", "10"], "--entries 10"),
        (["bench", "wild", "flow", "--entries", "ten,20"], "'ten' is no number"),
        (["bench", "wild", "flow", "--methods", "simplex"], "simplex"),
        (["bench", "wild", "knapsack"], "knapsack"),
        (["bench", "compare", "missing.json", "missing.json"], "missing.json"),
        (["bench", "compare", "one.json"], "'NEW'"),
        (["dance"], "dance"),
    ],
)
def test_bad_input_is_one_clear_line(complaint, matrix, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    line = complaint(*(argument.format(matrix=matrix) for argument in arguments))
    assert message in line


def test_a_malformed_line_of_a_file_is_named(complaint, tmp_path):
    path = tmp_path / "broken.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 x\n")
    assert "broken.mtx, line 4" in complaint("match", path)


@pytest.mark.parametrize(
    ("command", "content", "message"),
    [
        (["assign"], "2 2 2\n1 1 1\n2 2 nan\n", "C[1, 1] is NaN"),
        (["assign"], "2 2 2\n1 1 1\n2 2 -inf\n", "C[1, 1] = -inf"),
        (["flow", "--source", "0", "--sink", "1"], "2 2 1\n1 2 -3\n", "capacity: arc 0 is negative"),
        (["flow", "--source", "0", "--sink", "1"], "2 2 1\n1 2 inf\n", "capacity: arcs of infinite capacity"),
    ],
)
def test_a_value_that_makes_no_sense_is_named_with_its_file(complaint, tmp_path, command, content, message):
    path = tmp_path / "odd.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n" + content)
    assert f"odd.mtx: {message}" in complaint(*command, path)


def test_a_file_of_no_known_format_is_told_which_there_are(complaint, tmp_path):
    path = tmp_path / "odd"
    path.write_text("once upon a time\n")
    assert "name its format if it is one of mtx, snap" in complaint("match", path)
    assert "orlib" in complaint("assign", path)


def test_an_archive_that_is_no_answer_is_named(complaint, matrix, tmp_path):
    np.savez(tmp_path / "other.npz", a=[1])
    assert "other.npz: not a result of konig: it has no array 'header'" in complaint(
        "verify", matrix, tmp_path / "other.npz"
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_place_without_permission_is_refused_before_solving(complaint, matrix, tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    assert "permission" in complaint("match", matrix, "--out", locked / "answer.npz")


def test_a_gpu_that_is_not_there_is_one_clear_line(complaint, matrix, monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    line = complaint("match", matrix, "--device", "cuda")
    assert "device='cuda' needs CuPy" in line
    assert "pip install" in line


def test_a_matrix_too_large_for_memory_is_named(complaint, tmp_path):
    path = tmp_path / "huge.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n9999999999999 3 1\n1 1\n")
    assert "huge.mtx: A: not enough memory" in complaint("match", path)


def test_without_a_command_the_help_is_shown(run):
    status, out, err = run()
    assert status == 2
    assert "match" in out
    assert err == "konig: a command is missing (see konig --help)\n"


def test_a_name_that_is_too_long_is_one_clear_line(complaint, matrix, tmp_path):
    name = "x" * 300
    assert "File name too long" in complaint("match", matrix, "--out", tmp_path / f"{name}.json")
    assert "File name too long" in complaint("match", tmp_path / f"{name}.mtx")


@pytest.mark.parametrize("ending", ["gz", "xz", "bz2"])
def test_compressed_files_that_are_cut_or_damaged_are_named(complaint, matrix, tmp_path, ending):
    packed = {"gz": gzip, "xz": lzma, "bz2": bz2}[ending].compress(matrix.read_bytes())
    path = tmp_path / f"größe mit blank.mtx.{ending}"
    for content in (packed[: len(packed) // 2], packed[:20] + b"\xff\xff" + packed[22:], packed[:12]):
        path.write_bytes(content)
        assert f"{path}: the compressed data is damaged or cut short" in complaint("match", path)


RECORD = {"instance": "a", "order": "none", "draw": 0, "solver": "hk", "kind": "method", "seconds": 1.5}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seconds": "long"}, "seconds is 'long'"),
        ({"seconds": 0}, "seconds is 0"),
        ({"seconds": True}, "seconds is True"),
        ({"seconds": float("nan")}, "seconds is nan"),
        ({"solver": ["hk"]}, "solver is ['hk']"),
        ({"order": "zigzag"}, "order is 'zigzag', not one of none"),
        ({"parts": {"main": "x"}}, "parts or counts are no numbers"),
        ({"counts": 3}, "counts is 3"),
        ({"rows": None}, "rows is None"),
    ],
)
def test_a_benchmark_file_with_a_wrong_record_is_named(complaint, tmp_path, change, message):
    path = tmp_path / "runs.json"
    path.write_text(json.dumps({"kind": "konig benchmark", "records": [RECORD | change]}))
    line = complaint("bench", "compare", path, path)
    assert "runs.json: a record is incomplete or wrong: " in line
    assert message in line

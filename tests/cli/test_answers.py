"""``konig match`` and ``konig btf``: what they print and draw."""

import json
import math

import numpy as np
import pytest
import scipy.sparse as sp

import konig
from konig import io
from konig.lab.generators import generate


def test_match_prints_size_and_proof(run, matrix):
    status, out, err = run("match", matrix)
    size = konig.maximum_matching(matrix).size
    assert status == 0
    assert f"{size}" in out
    assert "cover of" in out
    assert "sgm" in out, "which start auto chose"
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


@pytest.mark.parametrize("method", [m.name for m in konig.methods("matching") if "cpu" in m.devices])
def test_every_method_can_be_asked_for(run, matrix, method):
    status, out, err = run("match", matrix, "--method", method, "--json")
    assert status == 0, err
    assert json.loads(out)["size"] == konig.structural_rank(matrix, method="hk")


def test_knobs_are_read_in_their_own_type(run, complaint, matrix):
    assert run("match", matrix, "--method", "hk", "--set", "init=none")[0] == 0
    assert run("match", matrix, "--method", "pr", "--set", "relabel=2", "--set", "gap=yes")[0] == 0
    assert "relabel" in complaint("match", matrix, "--method", "pr", "--set", "relabel=often")
    assert run("match", matrix, "--method", "g-hk", "--set", "counters=no")[0] == 0


def test_stored_zeros_are_entries_unless_dropped(run, tmp_path):
    path = tmp_path / "zero.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 0.0\n")
    assert json.loads(run("match", path, "--json")[1])["size"] == 2
    assert json.loads(run("match", path, "--json", "--drop-zeros")[1])["size"] == 1
    out = tmp_path / "dropped.json"
    run("match", path, "--drop-zeros", "--out", out)
    assert run("verify", path, out)[0] == 0
    assert run("verify", path, out, "--keep-zeros")[0] == 1


def test_btf_draws_before_and_after(run, matrix, tmp_path):
    assert run("btf", matrix, "--plot", tmp_path / "form.png")[0] == 0
    assert (tmp_path / "form.png").stat().st_size > 1000


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


def test_btf_scales_the_entries_of_largest_product(run, tmp_path):
    A = sp.coo_array(np.array([[1e-9, 4.0, 0.0], [2.0, 1e6, 0.0], [5.0, 0.0, 1e-3]]))
    io.write(tmp_path / "a.mtx", A)
    status, text, _ = run("btf", tmp_path / "a.mtx", "--scale")
    assert status == 0
    assert "product on the diagonal" in text
    assert "at most 1 in modulus" in text
    found = json.loads(run("btf", tmp_path / "a.mtx", "--scale", "--json")[1])
    assert found["col_of_row"] == [1, 0, 2]
    assert found["log_product"] == pytest.approx(math.log(8e-3))
    scale = {side: np.ldexp(found[f"{side}_mantissa"], found[f"{side}_exponent"]) for side in ("row", "col")}
    scaled = scale["row"][:, None] * A.toarray() * scale["col"]
    assert scaled.max() <= 1 + 1e-15
    np.testing.assert_allclose(scaled[[0, 1, 2], [1, 0, 2]], 1)


def test_btf_that_scales_takes_no_options_of_a_matching(complaint, matrix):
    assert "--scale finds the matching itself" in complaint("btf", matrix, "--scale", "--method", "pr")

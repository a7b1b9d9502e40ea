"""``konig assign``: what it prints and writes, and what ``konig verify`` makes of it."""

import json

import numpy as np
import pytest
from cases.data import needs_data, real_costs
from scipy.optimize import linear_sum_assignment

import konig
from konig import io
from konig.lab.generators import generate


@pytest.fixture
def costs(tmp_path):
    """A file with dense costs of which one assignment is the cheapest."""
    path = tmp_path / "costs.npy"
    io.write_costs(path, generate("uniform_costs", seed=2, rows=20, cols=25, spread=100.0))
    return path


@pytest.fixture
def infeasible(tmp_path):
    """A file with costs of which two rows share one column, which is all that they have."""
    path = tmp_path / "infeasible.npy"
    inf = np.inf
    io.write_costs(path, [[1.0, inf, inf], [2.0, inf, inf], [3.0, 4.0, 5.0]])
    return path


def best(path, maximize=False):
    C = np.load(path)
    return C[linear_sum_assignment(C, maximize)].sum()


def test_assign_prints_cost_and_proof(run, costs):
    status, out, err = run("assign", costs)
    assert status == 0
    assert f"{best(costs):,}" in out
    assert "duals of all 20 rows and 25 columns, checked" in out
    assert err == ""


@pytest.mark.parametrize("maximize", [False, True])
def test_assign_json_is_the_whole_answer(run, costs, maximize):
    status, out, _ = run("assign", costs, "--json", *(["--maximize"] if maximize else []))
    answer = json.loads(out)
    C = np.load(costs)
    assert status == 0
    assert (answer["kind"], answer["maximize"], answer["size"]) == ("assignment", maximize, 20)
    assert answer["cost"] == best(costs, maximize) == C[answer["row_ind"], answer["col_ind"]].sum()
    slack = C - np.add.outer(answer["row_dual"], answer["col_dual"])
    assert (slack <= 0 if maximize else slack >= 0).all()
    assert not slack[answer["row_ind"], answer["col_ind"]].any()
    assert {"read", "main", "verify"} <= answer["seconds"].keys()


@pytest.mark.parametrize("method", [m.name for m in konig.methods("assignment") if "cpu" in m.devices])
def test_every_method_can_be_asked_for(run, tmp_path, method):
    path = tmp_path / "square.npy"
    io.write_costs(path, generate("uniform_costs", seed=2, rows=20))
    status, out, err = run("assign", path, "--method", method, "--json")
    assert status == 0, err
    assert json.loads(out)["cost"] == best(path)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
@pytest.mark.parametrize("kind", ["integers", "reals"])
def test_written_answers_are_proved(run, tmp_path, suffix, kind):
    path, out = tmp_path / "costs.npz", tmp_path / f"answer{suffix}"
    io.write_costs(path, generate("uniform_costs" if kind == "integers" else "real_costs", rows=15))
    assert run("assign", path, "--out", out)[0] == 0
    status, text, _ = run("verify", path, out)
    assert status == 0
    assert text.startswith("proved: 15 assigned pairs cost ")
    cost = konig.linear_assignment(io.read_costs(path)).cost
    assert json.loads(run("verify", path, out, "--json")[1])["cost"] == cost


def damaged(answer, how):
    answer = json.loads(json.dumps(answer))
    if how == "cost":
        answer["cost"] -= 1
    elif how == "other direction":
        answer["maximize"] = True
    elif how == "row dual":
        answer["row_dual"][3] += 1
    elif how == "free column":
        free = next(j for j in range(25) if j not in answer["col_ind"])
        answer["col_dual"][free] -= 1
    elif how == "swapped":
        answer["col_ind"][:2] = answer["col_ind"][1::-1]
    elif how == "fewer":
        answer["row_ind"], answer["col_ind"] = answer["row_ind"][1:], answer["col_ind"][1:]
    elif how == "twice":
        answer["col_ind"][0] = answer["col_ind"][1]
    elif how == "other size":
        answer["row_dual"].append(0)
    return answer


@pytest.mark.parametrize(
    "how", ["cost", "other direction", "row dual", "free column", "swapped", "fewer", "twice", "other size"]
)
def test_damaged_answers_are_refused(run, complaint, costs, tmp_path, how):
    answer = json.loads(run("assign", costs, "--json")[1])
    out = tmp_path / "damaged.json"
    out.write_text(json.dumps(damaged(answer, how)))
    assert "certificate refused" in complaint("verify", costs, out, status=1)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("row_dual", None, "'row_dual' is missing"),
        ("row_ind", [0.5], "'row_ind' must be a list of integers"),
        ("cost", "much", "'cost' must be a number, not 'much'"),
        ("maximize", 3, "'maximize' must be true or false"),
    ],
)
def test_incomplete_answers_are_named(run, complaint, costs, tmp_path, key, value, message):
    answer = json.loads(run("assign", costs, "--json")[1])
    answer[key] = value
    if value is None:
        del answer[key]
    out = tmp_path / "incomplete.json"
    out.write_text(json.dumps(answer))
    assert message in complaint("verify", costs, out)


def test_infeasible_costs_end_with_status_1_and_the_violator(run, complaint, infeasible):
    line = complaint("assign", infeasible, status=1)
    assert "no assignment is full: 2 rows (0, 1) have 1 column (0) between them" in line
    status, out, _ = run("assign", infeasible, "--json")
    answer = json.loads(out)
    assert status == 1
    assert (answer["violator_rows"], answer["violator_cols"], answer["missing"]) == ([0, 1], [0], 1)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_infeasibility_is_proved_from_its_file(run, complaint, infeasible, costs, tmp_path, suffix):
    out = tmp_path / f"none{suffix}"
    assert run("assign", infeasible, "--out", out)[0] == 1
    status, text, _ = run("verify", infeasible, out)
    assert status == 0
    assert "proved: no assignment is full: 2 rows (0, 1) have 1 column" in text
    assert "certificate refused" in complaint("verify", costs, out, status=1)


def test_what_can_be_assigned_is_assigned_on_request(run, infeasible, tmp_path):
    out = tmp_path / "partial.json"
    status, text, _ = run("assign", infeasible, "--partial", "--out", out)
    assert status == 0
    assert "2 of 3" in text
    assert "a cover of 1 rows and 1 columns" in text
    assert "at most 2 pairs can be assigned" in run("verify", infeasible, out)[1]
    answer = json.loads(out.read_text())
    assert (answer["size"], answer["cost"], answer["row_ind"]) == (2, 5.0, [0, 2])
    answer["cover_cols"] = []
    out.write_text(json.dumps(answer))
    assert run("verify", infeasible, out)[0] == 1


def test_a_file_with_a_bad_line_is_named(complaint, tmp_path):
    path = tmp_path / "broken.txt"
    path.write_text("2\n1 2\n3 x\n")
    assert "broken.txt, line 3: cost 'x' is not a number" in complaint("assign", path)
    path = tmp_path / "nan.npy"
    np.save(path, np.array([[1.0, np.nan]]))
    assert "[0, 1] is NaN" in complaint("assign", path)
    assert "no knob 'speed'" in complaint("assign", path, "--method", "jv", "--set", "speed=1")


def test_sums_that_a_method_cannot_hold_are_an_error_and_no_traceback(run, complaint, tmp_path):
    path = tmp_path / "large.npy"
    np.save(path, np.array([[2**62, -(2**62), 9], [3, 4, 9]]))
    for method in ("auto", "hungarian-tree"):
        found = json.loads(run("assign", path, "--json", "--method", method)[1])
        assert found["cost"] == 3 - 2**62
    most = 2**63 - 2
    np.save(path, np.array([[most, -most, most], [most, -most, most]]))  # all want one column
    for method in ("auto", "hungarian-tree"):
        assert "do not fit into int64" in complaint("assign", path, "--method", method)


def test_sparse_costs_are_solved_and_proved(run, tmp_path):
    path, out = tmp_path / "sparse.asn", tmp_path / "answer.npz"
    io.write_costs(path, generate("sparse_costs", seed=1, rows=80, degree=5))
    status, text, _ = run("assign", path, "--out", out)
    assert status == 0
    assert "400 pairs allowed" in text
    assert run("verify", path, out)[1].startswith("proved: 80 assigned pairs cost ")


def test_costs_of_no_rows_work(run, tmp_path):
    path, out = tmp_path / "none.npy", tmp_path / "answer.json"
    np.save(path, np.zeros((0, 3)))
    assert run("assign", path, "--out", out)[0] == 0
    assert run("verify", path, out)[0] == 0


def test_generated_costs_go_to_every_format(run, complaint, tmp_path):
    answers = set()
    for suffix in (".npy", ".npz", ".mtx", ".mtx.gz"):
        path = tmp_path / f"costs{suffix}"
        made = run("generate", "uniform_costs", "rows=12", "--seed", 4, "--permute", "both", "--out", path)
        assert made[:2] == (0, f"wrote {path}: 12 x 12, 144 costs\n")
        answers.add(json.loads(run("assign", path, "--json")[1])["cost"])
    assert len(answers) == 1
    assert "must end in .npy" in complaint("generate", "uniform_costs", "--out", tmp_path / "a.max")
    assert "must end in .npz" in complaint("generate", "grid", "--out", tmp_path / "a.asn")


@needs_data
def test_real_files_have_their_known_optimum(run):
    for _, path, optimum in real_costs():
        status, out, err = run("assign", path, "--json")
        assert status == 0, err
        assert json.loads(out)["cost"] == optimum


@pytest.fixture
def batch(tmp_path):
    """Three problems, the second of which has two rows with one column between them."""
    C = np.random.default_rng(1).integers(0, 50, (3, 3, 4)).astype(float)
    C[1, :2, 1:] = np.inf
    np.save(tmp_path / "batch.npy", C)
    return tmp_path / "batch.npy"


@pytest.mark.parametrize("suffix", [".json", ".npz"])
@pytest.mark.parametrize("maximize", [False, True])
def test_a_batch_is_solved_problem_by_problem_and_verified(run, tmp_path, suffix, maximize):
    C = np.random.default_rng(2).integers(0, 50, (5, 4, 6))
    costs, out = tmp_path / "batch.npz", tmp_path / f"answer{suffix}"
    np.savez(costs, C)
    options = ["--maximize"] if maximize else []
    status, printed, _ = run("assign", costs, "--out", out, *options)
    assert status == 0
    assert "5 problems, 4 x 6 of int64" in printed
    totals = [D[linear_sum_assignment(D, maximize)].sum() for D in C]
    rows = [line.split("│")[1:4] for line in printed.splitlines() if line.startswith("│")][:5]
    assert [[int(cell) for cell in row] for row in rows] == [[b, 4, total] for b, total in enumerate(totals)]
    status, printed, _ = run("verify", costs, out)
    assert (status, printed.startswith("proved: 5 assignments")) == (0, True)
    document = json.loads(run("assign", costs, "--json", *options)[1])
    assert (document["kind"], document["cost"], document["shape"]) == (
        "batch of assignments",
        totals,
        [5, 4, 6],
    )


def test_many_problems_are_summed_up(run, tmp_path):
    np.save(tmp_path / "many.npy", np.ones((100, 2, 2), np.int32))
    status, printed, _ = run("assign", tmp_path / "many.npy")
    assert status == 0
    assert "costs in all │ 200" in " ".join(printed.split())
    assert "assigned pairs" not in printed


def test_a_batch_without_full_assignments_is_refused_or_partial(run, batch, tmp_path):
    out = tmp_path / "answer.json"
    status, _, err = run("assign", batch, "--out", out)
    assert status == 1
    assert "problem 1: no assignment is full" in err
    assert run("verify", batch, out)[0] == 0
    refusal = json.loads(out.read_text())
    for wrong in (0, 3, None):
        out.write_text(json.dumps(refusal | {"problem": wrong}))
        assert run("verify", batch, out)[0] == 1
    status, printed, _ = run("assign", batch, "--partial", "--out", out)
    assert (status, "1 of 3" in printed) == (0, True)
    assert "1 of them" in run("verify", batch, out)[1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"row_ind": [0]}, "row_ind has 1 numbers"),
        ({"problems": 4}, "problems is 4, not 3"),
        ({"cover_problem": [7]}, "not in [0, 3)"),
        ({"cover_row_count": []}, "cover_row_count does not divide"),
        ({"cover_problem": [], "cover_row_count": [], "cover_col_count": []}, "cover_row_count does not"),
        ({"cost": [1, 2, 3]}, "problem 0"),
    ],
)
def test_corrupted_batches_are_refused(run, batch, tmp_path, change, message):
    out = tmp_path / "answer.json"
    assert run("assign", batch, "--partial", "--out", out)[0] == 0
    answer = json.loads(out.read_text())
    out.write_text(json.dumps(answer | change))
    status, _, err = run("verify", batch, out)
    assert status == 1
    assert message in err
    alone = tmp_path / "alone.npy"
    np.save(alone, np.load(batch)[0])
    out.write_text(json.dumps(answer))
    assert "are one problem" in run("verify", alone, out)[2]


@pytest.mark.parametrize("given", ["4", "1.5,2", "0,7"])
@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_rows_and_columns_left_alone_are_proved(run, costs, tmp_path, given, suffix):
    out = tmp_path / f"answer{suffix}"
    assert run("assign", costs, "--unassigned-cost", given, "--out", out)[0] == 0
    row, col = (*map(float, given.split(",")), 0.0)[:2]
    expected = konig.linear_assignment(np.load(costs), unassigned_cost=(row, col))
    assert expected.size < 20
    status, said, _ = run("verify", costs, out)
    assert status == 0
    assert f"{expected.size:,} assigned pairs, {20 - expected.size} rows left alone at" in said


def test_an_altered_cost_of_leaving_alone_is_refused(run, costs, tmp_path):
    out = tmp_path / "answer.json"
    run("assign", costs, "--unassigned-cost", "4,1", "--out", out)
    answer = json.loads(out.read_text())
    for other in ([4, 2], [3, 1], [4], None, ["4", 1], [True, 1], 4):
        out.write_text(json.dumps(answer | {"unassigned_cost": other}))
        status, _, error = run("verify", costs, out)
        assert status == 1, other
        assert error
    del answer["unassigned_cost"]
    out.write_text(json.dumps(answer))
    assert run("verify", costs, out)[0] == 1


def test_a_batch_with_rows_left_alone_is_proved(run, tmp_path):
    path, out = tmp_path / "batch.npy", tmp_path / "answer.npz"
    np.save(path, np.random.default_rng(3).random((5, 6, 7)))
    assert run("assign", path, "--unassigned-cost", "0.1", "--out", out)[0] == 0
    assert run("verify", path, out)[0] == 0


@pytest.mark.parametrize("given", ["much", "1,2,3", "nan", ""])
def test_bad_costs_of_leaving_alone_are_refused(run, costs, given):
    status, _, error = run("assign", costs, "--unassigned-cost", given)
    assert status == 2
    assert "unassigned" in error

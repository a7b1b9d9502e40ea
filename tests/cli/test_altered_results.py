"""``konig verify`` believes nothing: an answer of which any one field was altered is refused."""

import json
import math

import numpy as np
import pytest
import scipy.sparse as sp

from konig import io
from konig.cli import result_files

# Entry (0, 2) is a stored zero and entry (3, 1) is stored twice: both are entries, the second counts twice.
ROWS = [0, 0, 0, 1, 2, 2, 3, 3, 4, 5, 5]
COLS = [0, 1, 2, 0, 3, 4, 1, 1, 3, 5, 6]
VALUES = [1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1]
COSTS = [[4, 1, 3, 9], [2, 0, 5, 8], [3, 2, 2, 7]]
NETWORK = "p max 4 5\nn 1 s\nn 4 t\na 1 2 5\na 1 3 4\na 2 3 3\na 2 4 2\na 4 3 6\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("problems")
    io.write(where / "pattern.mtx", sp.coo_array((np.array(VALUES), (ROWS, COLS)), (7, 8)))
    io.write(where / "costs.mtx", sp.coo_array(np.array(COSTS) * 0.37))
    np.save(where / "costs.npy", np.array(COSTS))
    np.save(where / "real.npy", np.array(COSTS) * 0.1)
    np.save(where / "batch.npy", np.array([COSTS, COSTS[::-1]]))
    np.save(where / "gated.npy", np.where(np.array(COSTS) > 1, np.inf, COSTS))
    np.save(where / "gates.npy", np.where(np.array([COSTS] * 3) > [[[1]], [[9]], [[1]]], np.inf, [COSTS] * 3))
    (where / "network.max").write_text(NETWORK)
    return where


PROBLEMS = {
    "match": ("pattern.mtx", []),
    "btf": ("pattern.mtx", []),
    "btf scaled": ("pattern.mtx", ["--scale"]),
    "btf scaled square": ("costs.mtx", ["--scale"]),
    "assign": ("costs.npy", []),
    "assign real": ("real.npy", ["--maximize"]),
    "assign partial": ("gated.npy", ["--partial"]),
    "assign batch": ("batch.npy", []),
    "assign partial batch": ("gates.npy", ["--partial"]),
    "flow": ("network.max", ["--cut"]),
}


def altered(value):
    """A field in all the ways that one change can spoil it."""
    if isinstance(value, bool):
        yield from (not value, int(not value))
    elif isinstance(value, int | float):
        yield from (value + 1, value - 1, -value - 1, value + 0.5)
        yield from (math.nan, math.inf, 10**30, str(value), None)
    elif isinstance(value, list):
        for place in {0, len(value) // 2, len(value) - 1} if value else ():
            entry = value[place]
            for wrong in (entry + 1, entry - 1, 10**6):
                yield [*value[:place], wrong, *value[place + 1 :]]
        yield from ([*value[1:], 2**70], [*value[1:], math.nan])
        if value:
            yield from (value[:-1], value[1:], [*value, *value[-1:]])
        yield from ([*value, 0], [*value, -1], [value], None, "1")
    else:
        yield from (kind for kind in [*result_files.KINDS, "something else", None] if kind != value)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_an_answer_with_any_field_altered_is_refused(run, folder, tmp_path, problem):
    file, options = PROBLEMS[problem]
    status, out, _ = run(problem.split()[0], folder / file, *options, "--json")
    assert status == 0
    answer = json.loads(out)
    result = tmp_path / "answer.json"
    result.write_text(out)
    assert run("verify", folder / file, result)[0] == 0
    for name in answer.keys() - set(result_files.HOW):
        for wrong in altered(answer[name]):
            result.write_text(json.dumps(answer | {name: wrong}))
            status, out, err = run("verify", folder / file, result)
            assert status in (1, 2), f"{name} = {wrong} was proved: {out}"
            assert (out, err.count("\n"), "Traceback" in err) == ("", 1, False)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_no_field_of_an_answer_is_refused(run, complaint, folder, tmp_path, problem):
    file, options = PROBLEMS[problem]
    answer = json.loads(run(problem.split()[0], folder / file, *options, "--json")[1])
    result = tmp_path / "answer.json"
    result.write_text(json.dumps(answer | {"optimum": 1}))
    assert "'optimum' is nothing that an answer of kind" in complaint("verify", folder / file, result)


def test_what_an_answer_does_not_say_need_not_be_proved(run, folder, tmp_path):
    answer = json.loads(run("match", folder / "pattern.mtx", "--json")[1])
    needed = ("kind", "size", *result_files.MATCHING_ARRAYS)
    result = tmp_path / "answer.json"
    result.write_text(json.dumps({name: answer[name] for name in needed}))
    assert run("verify", folder / "pattern.mtx", result)[0] == 0

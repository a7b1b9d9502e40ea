"""What the results of all problems have in common."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import konig

ARCS = np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([4, 2, 3])
RESULTS = {
    "Matching(size=3 of 4 x 5, method='bfs', device='cpu')": lambda: konig.maximum_matching(
        sp.csr_array(np.eye(4, 5) * [1, 1, 0, 1, 1])
    ),
    "Assignment(size=3 of 3 x 4, cost=0.0, method='jv', device='cpu')": lambda: konig.linear_assignment(
        1 - np.eye(3, 4)
    ),
    "AssignmentBatch(2 problems of 3 x 3, method='jv', device='cpu')": lambda: konig.linear_assignment(
        np.stack([np.eye(3), 1 - np.eye(3)])
    ),
    "Flow(value=5, 3 vertices, method='dinic-two-sided', device='cpu')": lambda: konig.maximum_flow(
        ARCS, 0, 2
    ),
}


@pytest.mark.parametrize(("line", "solve"), RESULTS.items(), ids=lambda part: str(part)[:8])
def test_a_result_shows_itself_in_a_line(line, solve):
    assert repr(solve()) == line


@pytest.mark.parametrize("solve", RESULTS.values(), ids=[line.partition("(")[0] for line in RESULTS])
def test_nobody_writes_to_a_result(solve):
    result = solve()
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.method = "another"
    for name, part in vars(result).items():
        if isinstance(part, np.ndarray) and not name.endswith("counts"):
            assert not part.flags.writeable


def infeasible():
    konig.linear_assignment([[np.inf, 1.0], [np.inf, 2.0]])


def misread(tmp_path):
    path = tmp_path / "broken.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n2 2 1\n7 1 1.0\n")
    konig.maximum_matching(path)


@pytest.mark.parametrize("kind", [konig.InfeasibleError, konig.FileFormatError])
def test_an_error_travels_between_processes(kind, tmp_path):
    with pytest.raises(kind) as raised:
        infeasible() if kind is konig.InfeasibleError else misread(tmp_path)
    for error in (pickle.loads(pickle.dumps(raised.value)), copy.deepcopy(raised.value)):
        assert type(error) is kind
        assert str(error) == str(raised.value)
        assert repr(vars(error)) == repr(vars(raised.value))

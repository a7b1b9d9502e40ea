"""The bench of assignment on a GPU, run on the CPU."""

import numpy as np
import pytest

import konig
from konig.lab import gpu_assignment


def test_every_row_of_the_table_is_proved(capsys, monkeypatch):
    monkeypatch.setattr(
        "sys.argv",
        [
            "gpu_assignment",
            "--device",
            "cpu",
            "--sizes",
            "60",
            "--repeats",
            "1",
            "--methods",
            "core-paths,jv",
        ],
    )
    gpu_assignment.main()
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| 60 |")]
    assert len(rows) == 2 * len(gpu_assignment.KINDS)
    assert {row.split(" | ")[2] for row in rows} == {"core-paths", "jv"}


def test_an_answer_that_is_not_optimal_shows():
    C = gpu_assignment.device_costs(np, "10n", 40)
    a = konig.linear_assignment(C)
    assert gpu_assignment.violation(np, C, a) == 0
    assert gpu_assignment.violation(np, C.T.copy(), a) > 0


@pytest.mark.parametrize("kind", gpu_assignment.KINDS)
def test_costs_are_of_their_kind(kind):
    C = gpu_assignment.device_costs(np, kind, 700)
    assert C.shape == (700, 700)
    top = {"0.1n": 70, "n": 700, "10n": 7000, "100n": 70_000, "real": 1, "Euclidean": 2**0.5}[kind]
    assert 0.9 * top < C.max() <= top
    assert C.dtype == (np.float32 if kind in ("real", "Euclidean") else np.int32)

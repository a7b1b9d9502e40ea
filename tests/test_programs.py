"""What the native module knows of a parallel program from its header."""

import numpy as np
import pytest

from konig import programs
from konig.programs import Task, TeamSolve

G_PR = programs.find("papers/g_pr", ("int32", "int64"), (True, True))
NUMBERS = {"rows": 1000, "cols": 700, "capacity": 90}
RULES = {"shrink": 1, "gap": 1, "concurrent": 0, "adaptive": 1, "k": 0.7}
GIVEN = ("row_start", "row_cols", "col_start", "col_rows", "col_of_row", "row_of_col")
ADDRESSES = {name: 4096 * (k + 1) for k, name in enumerate(GIVEN)}


def test_a_workspace_moves_with_its_block():
    numbers = NUMBERS | RULES
    size, fills = G_PR.block(numbers)
    words = [np.frombuffer(G_PR.workspace(block, numbers, ADDRESSES), np.int64) for block in (0, 1 << 40)]
    moved = words[1] - words[0]
    assert set(moved) == {0, 1 << 40}
    for address in ADDRESSES.values():
        assert address in words[0][moved == 0]
    offsets = np.sort(words[0][moved != 0])
    assert (offsets % 256 == 0).all()
    assert offsets[0] == 0  # the state
    assert offsets[-1] <= size
    assert {byte for _, _, byte in fills} == {0, 0xFF}
    assert all(offset > 0 and offset + extent <= size for offset, extent, _ in fills)


def test_arrays_that_a_variant_does_not_use_take_no_room():
    lean = NUMBERS | RULES
    more = lean | {"concurrent": 1}
    assert G_PR.block(more)[0] - G_PR.block(lean)[0] >= 4 * 1700
    without_lists = programs.find("papers/g_pr", ("int32", "int64"), (False, True))
    assert G_PR.block(lean)[0] - without_lists.block(lean)[0] >= 4 * 700 + 3 * 4 * 90


def test_names_must_be_those_of_the_header():
    numbers = NUMBERS | RULES
    with pytest.raises(ValueError, match=r"papers/g_pr: gap is missing"):
        G_PR.block({name: x for name, x in numbers.items() if name != "gap"})
    with pytest.raises(ValueError, match=r"papers/g_pr: fancy is not one of its numbers"):
        G_PR.block(numbers | {"fancy": 1})
    with pytest.raises(ValueError, match=r"rows is not an integer"):
        G_PR.block(numbers | {"rows": 0.5})
    with pytest.raises(ValueError, match=r"row_cols is missing"):
        G_PR.workspace(0, numbers, {name: x for name, x in ADDRESSES.items() if name != "row_cols"})
    with pytest.raises(ValueError, match=r"papers/g_pr: fancy is not one of its given arrays"):
        G_PR.workspace(0, numbers, ADDRESSES | {"fancy": 0})
    with pytest.raises(KeyError):
        programs.find("papers/g_pr", ("int64", "int32"), (True, True))


def test_a_fresh_state_begins_as_its_header_says():
    fresh = np.frombuffer(G_PR.fresh_state, np.int64)
    assert np.count_nonzero(fresh == -1) == 3  # free_rows, gain_free, check_free
    assert np.count_nonzero(fresh) == 3
    assert fresh[G_PR.status_at // 8] == 0


@pytest.mark.parametrize("program", programs.every(), ids=lambda program: program.type)
def test_every_state_fits_and_says_that_it_runs(program):
    reading = programs._native.Reading()
    program.read(bytes(program.workspace_bytes), program.fresh_state, reading)
    assert reading.status == "running"
    assert reading.running
    assert 0 <= program.status_at < len(program.fresh_state)
    assert program.series_at < len(program.fresh_state)


def test_a_state_of_another_program_is_refused():
    with pytest.raises(ValueError, match="another program"):
        G_PR.read(bytes(G_PR.workspace_bytes), G_PR.fresh_state + b"\0", programs._native.Reading())


def test_an_array_that_is_not_contiguous_is_refused():
    program = programs.find("matching/transpose", ("int32", "int32"))
    some = np.zeros(8, np.int32)[::2]
    given = dict.fromkeys(("col_start", "col_rows", "row_start", "row_cols"), some)
    task = Task(program, {"rows": 1, "cols": 1}, given)
    with pytest.raises((BufferError, ValueError), match="contiguous"):
        TeamSolve(task, {"threads": 1, "team": "threads", "seed": 0}).run(task, None)

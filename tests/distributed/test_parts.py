"""Parts of files and of families: together they are the whole."""

import numpy as np
import pytest
from distributed.simulated import on_ranks

import konig
import konig.distributed as kd
from konig.lab.generators import generate
from konig.lab.generators.costs import ROWS_OF

PARAMETERS = {
    "uniform_costs": {"rows": 23, "cols": 31, "spread": 10.0},
    "real_costs": {"rows": 23},
    "euclidean_costs": {"rows": 9, "cols": 7, "dimensions": 3, "scale": 1000},
    "machol_wien": {"rows": 5},
}


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("name", ROWS_OF)
def test_ranks_draw_what_one_would(name, size):
    parts = on_ranks(size, lambda comm: kd.generate(name, comm, seed=7, **PARAMETERS[name]))
    whole = generate(name, seed=7, **PARAMETERS[name])
    assert (np.concatenate(parts) == whole).all()
    assert {part.dtype for part in parts} == {whole.dtype}


def test_what_cannot_be_drawn_is_an_error_on_all_ranks():
    for arguments, message in (
        ({"name": "tracking"}, "name must be one of uniform_costs"),
        ({"name": "real_costs", "spread": 2.0}, "real_costs has no parameter 'spread'"),
        ({"name": "real_costs", "rows": -1}, "rows"),
    ):
        errors = on_ranks(2, lambda comm, given=arguments: kd.generate(comm=comm, **given))
        assert all(isinstance(error, ValueError) and message in str(error) for error in errors)
    errors = on_ranks(2, lambda comm: kd.generate("real_costs", comm, rows=3, seed=comm.rank))
    assert "rank 1 gives" in str(errors[0])


def test_a_file_is_mapped_in_even_shares(tmp_path):
    path = tmp_path / "costs.npy"
    C = np.arange(77.0).reshape(11, 7)
    np.save(path, C)
    parts = on_ranks(4, lambda comm: kd.rows_of(path, comm))
    assert all(isinstance(part, np.memmap) for part in parts)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert (np.concatenate(parts) == C).all()


def test_files_that_hold_no_matrix(tmp_path):
    path = tmp_path / "costs.npy"
    np.save(path, np.arange(7))
    errors = on_ranks(2, lambda comm: kd.rows_of(path, comm))
    assert all("there is no array of two dimensions" in str(error) for error in errors)
    path.write_text("costs")
    errors = on_ranks(2, lambda comm: kd.rows_of(path, comm))
    assert all(isinstance(error, konig.FileFormatError) for error in errors), errors

"""What tests of commands share."""

import pytest

from konig import io
from konig.cli import main
from konig.lab.generators import generate


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


@pytest.fixture
def complaint(run):
    """Run a command that fails; return the one line that it puts on stderr."""

    def call(*arguments, status=2):
        got, out, err = run(*arguments)
        assert got == status
        assert out == ""
        assert err.startswith("konig: ")
        assert err.count("\n") == 1
        assert "Traceback" not in err
        return err

    return call

"""Examples in docstrings run in a folder of their own, in which they may write files."""

from importlib.util import find_spec

import pytest

# Without the extra `mpi` what needs it cannot even be imported.
collect_ignore = [] if find_spec("mpi4py") else ["src/konig/distributed", "tests/distributed"]


@pytest.fixture(autouse=True)
def _examples_have_a_folder(request: pytest.FixtureRequest) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))

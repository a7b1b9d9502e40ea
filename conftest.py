"""Examples in docstrings run in a folder of their own, in which they may write files."""

import pytest


@pytest.fixture(autouse=True)
def _examples_have_a_folder(request: pytest.FixtureRequest) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))

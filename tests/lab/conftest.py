"""What tests of the benches share."""

import pytest

from konig.lab.bench import runner


@pytest.fixture
def settings(tmp_path):
    return runner.Settings(draws=1, repeats=2, timeout=20.0, cache=tmp_path / "cache")

"""What tests of the benches share."""

import pytest
from rich.console import Console

from konig.lab import runner


@pytest.fixture
def settings(tmp_path):
    return runner.Settings(draws=1, repeats=2, timeout=20.0, cache=tmp_path / "cache")


@pytest.fixture
def shown():
    """The text of a table, wide enough for all of it."""

    def text(table):
        console = Console(width=250)
        with console.capture() as capture:
            console.print(table)
        return capture.get()

    return text

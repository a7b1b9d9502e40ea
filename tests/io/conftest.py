"""Fixtures for the file readers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from konig.errors import FileFormatError
from konig.io import number_tables, read


@pytest.fixture
def saved(tmp_path: Path) -> Callable[..., Path]:
    """Write content to a file of the given name."""

    def save(content: str | bytes, name: str = "matrix.mtx") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return save


@pytest.fixture
def refused(saved: Callable[..., Path]) -> Callable[..., FileFormatError]:
    """Read content that must be refused, and check that the error names the file and the line."""

    def refuse(content: str | bytes, name: str = "matrix.mtx", *, line: int | None) -> FileFormatError:
        path = saved(content, name)
        with pytest.raises(FileFormatError) as caught:
            read(path)
        error = caught.value
        assert error.path == str(path)
        assert error.line == line, str(error)
        where = str(path) if line is None else f"{path}, line {line}"
        assert str(error).startswith(f"{where}: ")
        return error

    return refuse


@pytest.fixture(params=[1, 7, 1 << 20], ids=lambda size: f"chunks-of-{size}")
def chunk_bytes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Read in chunks of several sizes, so that every line is once the first and once the last of a chunk."""
    monkeypatch.setattr(number_tables, "CHUNK_BYTES", request.param)
    return int(request.param)

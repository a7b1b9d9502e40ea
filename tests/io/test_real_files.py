"""Real matrices, where a folder with them is at hand: `KONIG_DATA`, or ``shared/data`` beside the project."""

from __future__ import annotations

import csv

import pytest
from instances import DATA

from konig.io import read

MANIFEST = DATA / "MANIFEST.tsv"

pytestmark = pytest.mark.skipif(not MANIFEST.exists(), reason=f"no real files: {MANIFEST} is missing")


def manifest() -> list[dict[str, str]]:
    with MANIFEST.open(encoding="utf-8") as lines:
        table = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row for row in table if row["file"].endswith(".mtx.xz")]


def assert_size_is_as_listed(row: dict[str, str]) -> None:
    matrix = read(DATA / row["file"])
    listed = tuple(int(row[key]) for key in ("rows", "cols", "nnz_or_edges"))
    assert (*matrix.shape, matrix.nnz) == listed, row["file"]


def test_small_files_have_their_listed_size():
    rows = sorted(manifest(), key=lambda row: int(row["nnz_or_edges"]))
    for row in rows[:: max(1, len(rows) // 20)][:12]:
        assert_size_is_as_listed(row)


@pytest.mark.long
def test_all_files_have_their_listed_size():
    for row in manifest():
        assert_size_is_as_listed(row)

"""Benchmark files: all records of a run, with the machine and the settings that they come from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from konig.errors import FileFormatError
from konig.io.whole_files import whole_file
from konig.lab import machine
from konig.lab.runner import Record, Settings


def document(records: Sequence[Record], settings: Settings, suite: str, problem: str) -> dict[str, Any]:
    """What a benchmark file holds."""
    how = {name: value for name, value in asdict(settings).items() if name != "cache"}
    return {
        "kind": "konig benchmark",
        "problem": problem,
        "suite": suite,
        "settings": how,
        "machine": machine.facts(),
        "records": [asdict(record) for record in records],
    }


def write(path: Path, content: Mapping[str, Any]) -> None:
    """Write a benchmark file, whose content is a `document`."""
    with whole_file(path) as file:
        file.write(json.dumps(content, indent=1).encode() + b"\n")


def read(path: Path) -> list[Record]:
    """The records of a benchmark file."""
    try:
        content = json.loads(path.read_bytes())
    except ValueError as problem:
        raise FileFormatError(path, f"not JSON: {problem}") from None
    if not isinstance(content, dict) or content.get("kind") != "konig benchmark":
        raise FileFormatError(path, "not written by konig bench --json")
    names = {field.name for field in fields(Record)}
    try:
        return [Record(**{n: v for n, v in entry.items() if n in names}) for entry in content["records"]]
    except (KeyError, TypeError, AttributeError) as problem:
        raise FileFormatError(path, f"a record is incomplete: {problem}") from None

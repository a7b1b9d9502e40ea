"""Benchmark files: all records of a run, with the machine and the settings that they come from."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from konig.errors import FileFormatError
from konig.io.whole_files import whole_file
from konig.lab import machine
from konig.lab.runner import Record, Settings
from konig.lab.suites import ORDERS


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
    try:
        return [_record(entry) for entry in content["records"]]
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FileFormatError(path, f"a record is incomplete or wrong: {problem}") from None


def _record(entry: Mapping[str, Any]) -> Record:
    """A record of which every part is what the reports take it for."""
    record = Record(**{name: value for name, value in entry.items() if name in _TYPES})
    for name, types in _TYPES.items():
        value = getattr(record, name)
        if not isinstance(value, types) or isinstance(value, bool):
            raise TypeError(f"{name} is {value!r}")
    if record.order not in ORDERS:
        raise ValueError(f"order is {record.order!r}, not one of {', '.join(ORDERS)}")
    numbers = [*record.parts.values(), *record.counts.values()]
    if not all(isinstance(number, int | float) for number in numbers):
        raise TypeError("parts or counts are no numbers")
    if record.seconds is not None and not 0 < record.seconds < math.inf:
        raise ValueError(f"seconds is {record.seconds}")
    return record


def _types(hint: Any) -> tuple[type, ...]:
    """The types of a value that is annotated so; whole numbers are real ones, too."""
    options = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    types = {get_origin(option) or option for option in options}
    return tuple(types | {int} if float in types else types)


_TYPES = {name: _types(hint) for name, hint in get_type_hints(Record).items()}

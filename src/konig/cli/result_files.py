"""Answers in files: what ``--out`` writes and ``konig verify`` reads back.

An answer is one document: a header of plain values, and arrays of integers. JSON holds both as they are; in
an .npz archive the arrays keep their names and the header is a JSON string named ``header``.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from konig.cli.refusal import CommandError
from konig.cli.screen import plain

SUFFIXES = (".npz", ".json")
MATCHING = "matching"
BLOCK_TRIANGULAR_FORM = "block triangular form"

MATCHING_ARRAYS = ("col_of_row", "row_of_col", "cover_rows", "cover_cols")
FORM_ARRAYS = ("row_perm", "col_perm", "row_blocks", "col_blocks", "row_parts", "col_parts")
# The arrays that an answer of each kind cannot do without.
ARRAYS = {MATCHING: MATCHING_ARRAYS, BLOCK_TRIANGULAR_FORM: (*MATCHING_ARRAYS, *FORM_ARRAYS)}


def write(path: Path, answer: Mapping[str, Any]) -> None:
    """Write an answer, whose arrays are NumPy arrays, as the suffix says."""
    if path.suffix.lower() == ".json":
        path.write_text(json.dumps(answer, default=plain) + "\n")
        return
    arrays: dict[str, Any] = {n: value for n, value in answer.items() if isinstance(value, np.ndarray)}
    header = {name: value for name, value in answer.items() if name not in arrays}
    with path.open("wb") as file:
        np.savez_compressed(file, header=np.array(json.dumps(header, default=plain)), **arrays)


def read(path: Path) -> dict[str, Any]:
    """An answer with every key and type that its kind needs, or an error that says what is missing."""
    content = path.read_bytes()
    try:
        answer = _from_npz(content) if content.startswith(b"PK") else json.loads(content)
    except Exception as problem:  # a damaged archive can raise nearly anything, in zipfile, zlib and NumPy
        raise CommandError(f"{path}: not a result of konig: {problem}") from problem
    if not isinstance(answer, dict):
        raise CommandError(f"{path}: not a result of konig: expected an object, not {type(answer).__name__}")
    return _checked(path, answer)


def _checked(path: Path, answer: dict[str, Any]) -> dict[str, Any]:
    kind = answer.get("kind")
    if not isinstance(kind, str) or kind not in ARRAYS:
        kinds = " or ".join(repr(known) for known in ARRAYS)
        raise CommandError(f"{path}: not a result of konig: kind is {kind!r}, not {kinds}")
    for name in ("size", *ARRAYS[kind]):
        if name not in answer:
            raise CommandError(f"{path}: {name!r} is missing")
    for name in ARRAYS[kind]:
        answer[name] = _integers(path, name, answer[name])
    if not isinstance(answer["size"], int) or isinstance(answer["size"], bool):
        raise CommandError(f"{path}: 'size' must be an integer, not {answer['size']!r}")
    if not isinstance(answer.setdefault("drop_zeros", False), bool):
        raise CommandError(f"{path}: 'drop_zeros' must be true or false, not {answer['drop_zeros']!r}")
    return answer


def _from_npz(content: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header = json.loads(str(arrays.pop("header")))
    if not isinstance(header, dict):
        raise ValueError("its header is not an object")
    return header | arrays


def _integers(path: Path, name: str, value: Any) -> np.ndarray:
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        array = np.array(None)
    if array.ndim == 1 and len(array) == 0:
        return np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise CommandError(f"{path}: {name!r} must be a list of integers")
    return array.astype(np.int64)

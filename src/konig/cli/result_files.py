"""Answers in files: what ``--out`` writes and ``konig verify`` reads back.

An answer is one document: a header of plain values, and arrays of numbers. JSON holds both as they are; in
an .npz archive the arrays keep their names and the header is a JSON string named ``header``.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from konig.cli.refusal import CommandError
from konig.cli.screen import plain
from konig.flow.result import CutEdges
from konig.io.files import whole_file

SUFFIXES = (".npz", ".json")
MATCHING = "matching"
BLOCK_TRIANGULAR_FORM = "block triangular form"
SCALED_FORM = "scaled block triangular form"
ASSIGNMENT = "assignment"
ASSIGNMENT_BATCH = "batch of assignments"
NO_ASSIGNMENT = "infeasible assignment"
MAXIMUM_FLOW = "maximum flow"

MATCHING_ARRAYS = ("col_of_row", "row_of_col", "cover_rows", "cover_cols")
FORM_ARRAYS = ("row_perm", "col_perm", "row_blocks", "col_blocks", "row_parts", "col_parts")
SCALE_ARRAYS = ("row_mantissa", "row_exponent", "col_mantissa", "col_exponent")
ASSIGNMENT_ARRAYS = ("row_ind", "col_ind", "row_dual", "col_dual", "cover_rows", "cover_cols")
VIOLATOR_ARRAYS = ("violator_rows", "violator_cols")


@dataclass(frozen=True)
class Kind:
    """What an answer of a kind holds, apart from what only says how it was found.

    ``number`` is what was made largest or smallest; the arrays and the number are whole unless they stand in
    ``real``. ``flag`` is true or false, and may be missing for false. All of ``optional`` may be missing.
    Every key is checked and unknown ones are refused, so that nothing unproved passes for proved.
    """

    number: str
    arrays: tuple[str, ...]
    flag: str
    optional: tuple[str, ...]
    real: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that an answer of this kind may hold."""
        return ("kind", *HOW, self.number, *self.arrays, self.flag, *self.optional)


# How an answer was found, by which method and from what: these are not proved.
HOW = ("konig", "file", "method", "device", "stats", "seconds")

KINDS = {
    MATCHING: Kind("size", MATCHING_ARRAYS, "drop_zeros", ("shape", "nonzeros")),
    BLOCK_TRIANGULAR_FORM: Kind(
        "size", (*MATCHING_ARRAYS, *FORM_ARRAYS), "drop_zeros", ("shape", "nonzeros", "blocks")
    ),
    SCALED_FORM: Kind(
        "log_product",
        (*MATCHING_ARRAYS, *FORM_ARRAYS, *SCALE_ARRAYS),
        "drop_zeros",
        ("shape", "nonzeros", "blocks", "size", "gap"),
        real=("log_product", "row_mantissa", "col_mantissa"),
    ),
    ASSIGNMENT: Kind(
        "cost",
        ASSIGNMENT_ARRAYS,
        "maximize",
        ("shape", "size", "gap", "unassigned_cost"),
        real=("cost", "row_dual", "col_dual"),
    ),
    ASSIGNMENT_BATCH: Kind(
        "problems",
        ("cost", "gap", *ASSIGNMENT_ARRAYS, "cover_problem", "cover_row_count", "cover_col_count"),
        "maximize",
        ("shape", "unassigned_cost"),
        real=("cost", "gap", "row_dual", "col_dual"),
    ),
    NO_ASSIGNMENT: Kind("missing", VIOLATOR_ARRAYS, "maximize", ("problem",)),
    MAXIMUM_FLOW: Kind(
        "value",
        ("source", "sink", "flow", "source_side"),
        "undirected",
        ("vertices", "arcs", *(f"cut_{name}" for name in CutEdges._fields), "gap"),
        real=("value", "flow"),
    ),
}


def write(path: Path, answer: Mapping[str, Any]) -> None:
    """Write an answer, whose arrays are NumPy arrays, as the suffix says."""
    with whole_file(path) as file:
        if path.suffix.lower() == ".json":
            file.write(json.dumps(answer, default=plain).encode() + b"\n")
            return
        arrays: dict[str, Any] = {n: value for n, value in answer.items() if isinstance(value, np.ndarray)}
        header = {name: value for name, value in answer.items() if name not in arrays}
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
    named = answer.get("kind")
    if not isinstance(named, str) or named not in KINDS:
        kinds = " or ".join(repr(known) for known in KINDS)
        raise CommandError(f"{path}: not a result of konig: kind is {named!r}, not {kinds}")
    kind = KINDS[named]
    for name in (kind.number, *kind.arrays):
        if name not in answer:
            raise CommandError(f"{path}: {name!r} is missing")
    for name in answer:
        if name not in kind.names:
            raise CommandError(f"{path}: {name!r} is nothing that an answer of kind {named!r} has")
    for name in kind.arrays:
        answer[name] = _numbers(path, name, answer[name], real=name in kind.real)
    number, real = answer[kind.number], kind.number in kind.real
    if not isinstance(number, (int, float) if real else int) or isinstance(number, bool):
        wanted = "a number" if real else "an integer"
        raise CommandError(f"{path}: {kind.number!r} must be {wanted}, not {number!r}")
    if not isinstance(answer.setdefault(kind.flag, False), bool):
        raise CommandError(f"{path}: {kind.flag!r} must be true or false, not {answer[kind.flag]!r}")
    return answer


def _from_npz(content: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    if "header" not in arrays:
        raise ValueError("it has no array 'header'")
    header = json.loads(str(arrays.pop("header")))
    if not isinstance(header, dict):
        raise ValueError("its header is not an object")
    return header | arrays


def _numbers(path: Path, name: str, value: Any, real: bool) -> np.ndarray:
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        array = np.array(None)
    if array.ndim == 1 and len(array) == 0:
        return np.zeros(0, np.int64)
    if real and array.ndim == 1 and array.dtype.kind == "f":
        return array.astype(np.float64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise CommandError(f"{path}: {name!r} must be a list of {'numbers' if real else 'integers'}")
    return array.astype(np.int64)

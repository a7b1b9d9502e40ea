"""What a run leaves: a record for each contender on each instance, and files of them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from konig.errors import FileFormatError
from konig.io.files import whole_file
from konig.lab.bench.suites import ORDERS


@dataclass
class Record:
    """One contender on one instance in one order."""

    instance: str
    order: str  # a key of `konig.lab.bench.suites.ORDERS`
    draw: int  # the number of the permutation
    solver: str  # the contender's label
    kind: str  # "method" or "peer"
    rows: int = 0
    cols: int = 0
    nonzeros: int = 0
    group: str = ""  # which kind of instance it is, where a problem's tables tell kinds apart
    # "ok", "timeout", "crashed", "error" (raised), "wrong" (refused by its certificate) or "left out".
    status: str = "ok"
    seconds: float | None = None  # the median over the repeats, or the timeout if it was stopped then
    # The standard deviation of the repeats over their mean, from three repeats on.
    deviation: float | None = None
    parts: dict[str, float] = field(default_factory=dict)  # median seconds of each part of our call
    counts: dict[str, float] = field(default_factory=dict)  # what the method counted
    series: dict[str, list[float]] = field(default_factory=dict)  # what it counted in each iteration
    build_seconds: float = 0.0  # what a peer's own graph took to build; not in `seconds`
    # The least seconds of a call with all of its answer, a peer's graph included; of wild draws.
    whole_seconds: float | None = None
    memory: float | None = None  # peak memory beyond what was there before, in bytes
    size: float | None = None
    ran: str | None = None  # the method that actually ran
    device: str | None = None
    repeats: int = 0
    message: str = ""  # what went wrong
    told: str = ""  # the parameters of a wild draw

    @property
    def name(self) -> str:
        """The method without its settings, or the peer."""
        return self.solver.partition(":")[0]

    @property
    def case(self) -> tuple[str, str]:
        """What was solved."""
        return self.instance, self.order

    @property
    def title(self) -> str:
        """What reports call it."""
        return self.instance if self.order == "none" else f"{self.instance}, {ORDERS[self.order].lower()}"

    @property
    def stopped(self) -> bool:
        """Whether the timeout ended it, so that its seconds are a lower bound."""
        return self.status == "timeout"

    @property
    def time(self) -> float:
        assert self.seconds is not None, "it neither ended nor was it stopped"
        return self.seconds

    @property
    def search(self) -> float:
        """The seconds of the solve alone, as the papers count: of the kernels, where a GPU has timed them."""
        return self.parts.get("kernel") or self.parts.get("main") or self.time


@dataclass
class Run:
    """All records of one command, with the machine and the settings that they come from."""

    problem: str
    suite: str
    settings: dict[str, Any]
    machine: dict[str, Any]
    records: list[Record]

    def document(self) -> dict[str, Any]:
        return {"kind": "konig benchmark", **asdict(self)}


def write(path: Path, run: Run) -> None:
    """Write a benchmark file: a record on each line, without what is empty."""
    head, empty = run.document(), asdict(Record("", "", -1, "", ""))
    told = ({k: value for k, value in record.items() if value or empty[k]} for record in head.pop("records"))
    records = ",\n".join(map(json.dumps, told))
    text = json.dumps(head, indent=1).removesuffix("\n}")
    with whole_file(path) as file:
        file.write(f'{text},\n "records": [\n{records}\n]}}\n'.encode())


def read(path: Path) -> Run:
    try:
        content = json.loads(path.read_bytes())
    except ValueError as problem:
        raise FileFormatError(path, f"not JSON: {problem}") from None
    if not isinstance(content, dict) or content.get("kind") != "konig benchmark":
        raise FileFormatError(path, "not written by konig bench --json")
    try:
        found = [_record(entry) for entry in content["records"]]
        about = {name: content[name] for name in ("problem", "suite", "settings", "machine")}
        return Run(**about, records=found)
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise FileFormatError(path, f"a record is incomplete or wrong: {problem}") from None


def _record(entry: Mapping[str, Any]) -> Record:
    """A record whose fields have the types and ranges that the reports rely on."""
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
    """The runtime types of an annotation; an int may stand for a float."""
    options = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    types = {get_origin(option) or option for option in options}
    return tuple(types | {int} if float in types else types)


_TYPES = {name: _types(hint) for name, hint in get_type_hints(Record).items()}

"""Runs contenders on draws of `konig.lab.wild`, in one process and by turns, and records what happened.

A peer cannot be interrupted: one that takes too long ends the process, which then makes the draw anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from time import monotonic
from typing import Any

from konig.lab.bench.contenders import Contender
from konig.lab.bench.problems import RACED
from konig.lab.bench.records import Record
from konig.lab.bench.runner import Report, compared
from konig.lab.bench.worker import Child, SolverError
from konig.lab.wild import Request
from konig.lab.wild.drawing import LEAST, MOST

SUITE = "wild"
# What our whole call is compared with.
PEERS = {
    "matching": ("scipy", "igraph"),
    "assignment": (
        *(f"lapx-{name}" for name in ("lapjvr", "lapjvh", "lapjv", "lapjvx", "lapjvs", "lapjvc", "lapmod")),
        "scipy",
        "ortools",
    ),
    "flow": ("ortools", "pymaxflow", "scipy"),
}
# Below so many rows a call of lapx takes microseconds: what is compared there is the interpreter.
LAPX, LAPX_FROM = "lapx-", 30
# A solver that has taken so many times what the best one took cannot become the best one; nor is it worth a
# new process before it has taken the seconds of `PATIENCE`.
TOO_SLOW, PATIENCE = 2.0, 1.0
# Another method of ours is of interest where it is faster than the first one, or takes less than this.
GRACE = 0.05
# As long as no peer has ended, the first one may take so many times our seconds.
HOPELESS = 30.0
# Repeats go on for about these seconds, and at least once unless a round takes longer than the last number.
REPEATING, MOST_REPEATS, LONGEST_ROUND = 0.5, 20, 3.0
# Draws of a minute go up to so many entries, longer ones further: that leaves time for many.
ENTRIES_OF_A_MINUTE = 10**6
# Seconds to build a peer's graph, and for our own answer, which is waited for longer than for a peer's.
PREPARING, OURS = 120.0, 60.0


@dataclass(frozen=True)
class Settings:
    """Which draws, and how long: minutes after which none is begun, seconds until a solve is stopped."""

    seed: int
    entries: tuple[int, int]
    minutes: float | None = 5.0
    family: str = ""
    device: str = "cpu"
    timeout: float = 10.0

    def request(self, problem: str, number: int) -> Request:
        on_device = self.device.startswith("cuda")
        return Request(problem, self.seed, number, *self.entries, self.family, on_device)

    def command(self, problem: str, number: int | str) -> str:
        """What repeats a draw."""
        words = [f"konig bench wild {problem} --seed {self.seed}"]
        words += [f"--family {self.family}"] if self.family else []
        words += [f"--entries {self.entries[0]},{self.entries[1]}"] if self.entries != (LEAST, MOST) else []
        words += [f"--device {self.device}"] if self.device != "cpu" else []
        return " ".join([*words, f"--draw {number}"])


def run(
    problem: str,
    ours: Sequence[Contender],
    peers: Sequence[Contender],
    settings: Settings,
    numbers: Iterable[int],
    report: Report | None = None,
) -> Iterator[list[Record]]:
    """The records of each draw, the first of them that of our first contender."""
    began = monotonic()
    limit = None if settings.minutes is None else 60 * settings.minutes
    with Child() as child:
        for number in numbers:
            spent = monotonic() - began
            if limit is not None and spent > limit:
                return
            if report:
                report(round(spent), round(limit or spent), f"seconds, draw {number}")
            yield Race(problem, settings, number, child).run(ours, peers)


@dataclass
class Race:
    """All contenders on one draw."""

    problem: str
    settings: Settings
    number: int
    child: Child
    about: dict[str, Any] = field(default_factory=dict)  # the family and the extent of the draw
    proven: float | None = None  # the size of the answer that is proved optimal
    ready: set[str] = field(default_factory=set)  # whom the present process has prepared

    def run(self, ours: Sequence[Contender], peers: Sequence[Contender]) -> list[Record]:
        self._drawn(again=True)
        about = dict(self.about)
        name, told = f"{about['group']} {self.number}", about.pop("told")
        records: list[Record] = []
        for contender in (*ours, *peers):
            kind = "method" if contender in ours else "peer"
            record = Record(name, "none", self.number, contender.label, kind, **about)
            if contender.name.startswith(LAPX) and min(record.rows, record.cols) < LAPX_FROM:
                continue
            self._first(record, contender, records)
            records.append(record)
            if records[0].status not in ("ok", "timeout"):
                break  # without our answer there is nothing to compare
        records[0].told = told
        contenders = {contender.label: contender for contender in (*ours, *peers)}
        self._repeat(records, contenders)
        known = RACED[self.problem].peers
        if any(peer.name in known and known[peer.name].whole for peer in peers):
            self._whole_calls(records, contenders)
        return records

    def _drawn(self, again: bool = False) -> None:
        """Make sure that the process has the draw."""
        if again or not self.child.alive:
            self.ready.clear()
            request = self.settings.request(self.problem, self.number)
            try:
                self.about = self.child.ask({"do": "draw", "request": asdict(request)})
            except SolverError as failed:
                command = self.settings.command(self.problem, self.number)
                raise ValueError(f"{command}: {failed}") from failed

    def _prepared(self, contender: Contender) -> dict[str, Any]:
        self._drawn()
        if contender.label in self.ready:
            return {}
        reply = self.child.ask({"do": "prepare", "contender": asdict(contender), "beside": True}, PREPARING)
        self.ready.add(contender.label)
        return reply

    def _first(self, record: Record, contender: Contender, before: Sequence[Record]) -> None:
        """Prepare, solve once and check."""
        limit = self._limit(record, before)
        try:
            prepared = self._prepared(contender)
            if "left_out" in prepared:
                record.status, record.message = "left out", prepared["left_out"]
                return
            record.build_seconds = prepared["seconds"]
            own = limit if record.kind == "method" and before else None
            hard = limit if own is None else PATIENCE + 10 * own
            reply = self.child.ask({"do": "solve", "label": contender.label, "limit": own}, hard)
            if (reply.get("device") or "cpu").startswith("cuda"):  # it compiled just now
                reply = self.child.ask({"do": "solve", "label": contender.label, "limit": own}, hard)
            if reply.get("stopped"):
                raise SolverError("timeout", f"stopped after {limit:g} s")
            checked = self.child.ask({"do": "verify", "label": contender.label})
        except SolverError as failed:
            record.status, record.message = failed.status, str(failed)
            record.seconds = limit if failed.status == "timeout" else None
            return
        record.seconds, record.repeats, record.size = reply["seconds"], 1, checked["size"]
        record.ran, record.device = reply.get("ran"), reply.get("device")
        if checked["problem"]:
            record.status, record.message = "wrong", checked["problem"]
        self.proven = compared(record, self.proven, RACED[self.problem])

    def _limit(self, record: Record, before: Sequence[Record]) -> float:
        """Seconds after which it is known that this one does not matter."""
        most = self.settings.timeout
        if not before:
            return max(most, OURS)
        ours = before[0].time
        if record.kind == "method":
            return min(most, max(ours, GRACE))
        ended = [
            charged(other, self.problem).time
            for other in before
            if other.kind == "peer" and other.status == "ok"
        ]
        return min(most, max(PATIENCE, TOO_SLOW * min(ended) if ended else HOPELESS * ours))

    def _repeat(self, records: Sequence[Record], contenders: dict[str, Contender]) -> None:
        """Solve again by turns with those that the result depends on; the least seconds of each count."""
        best = decisive([charged(record, self.problem) for record in records])
        matter = {record.solver for record in (*decisive(records), *best)}
        racing = {record.solver: record for record in records if record.solver in matter}
        once = sum(record.time for record in racing.values())
        with_building = once + sum(record.build_seconds for record in racing.values())
        if not racing or with_building > LONGEST_ROUND:
            return
        times = min(max(int(REPEATING / with_building), 1), MOST_REPEATS)
        try:
            for label in racing:
                self._prepared(contenders[label])
            request = {"do": "rounds", "labels": list(racing), "times": times}
            least = self.child.ask(request, PATIENCE + 10 * times * with_building)
        except SolverError:
            return  # the first round stands
        for label, record in racing.items():
            record.seconds, record.repeats = min(record.time, least[label]), 1 + times

    def _whole_calls(self, records: Sequence[Record], contenders: dict[str, Contender]) -> None:
        """Time whole calls by turns, ours and those of the peers that may be the best."""
        ended = [record for record in records if record.kind == "peer" and record.status == "ok"]
        least = min((record.time + record.build_seconds for record in ended), default=0.0)
        chosen = [record for record in ended if record.time + record.build_seconds <= TOO_SLOW * least]
        once = sum(record.time + record.build_seconds for record in (records[0], *chosen))
        if not chosen or records[0].status != "ok" or once > LONGEST_ROUND:
            return
        times = min(max(int(REPEATING / once), 1), MOST_REPEATS)
        labels = [records[0].solver, *(record.solver for record in chosen)]
        try:
            for label in labels:
                self._prepared(contenders[label])
            request = {"do": "wholes", "labels": labels, "times": times}
            seconds = self.child.ask(request, PATIENCE + 10 * times * once)
        except SolverError:
            return
        for record in (records[0], *chosen):
            record.whole_seconds = seconds[record.solver]


def charged(record: Record, problem: str) -> Record:
    """A record with the seconds that count against ours.

    A peer whose graph a solve uses up counts with its whole call, since who solves again has to build it
    again. Any other one counts with its solve: its graph is an object that users keep.
    """
    peer = RACED[problem].peers.get(record.name)
    if record.kind != "peer" or peer is None or not peer.used_up or record.status != "ok":
        return record
    return replace(record, seconds=record.whole_seconds or record.time + record.build_seconds)


def host_auto() -> Contender:
    """What draws on a GPU are compared with: our own call on the host, with the threads that it takes."""
    return Contender("auto on the host", "method", "auto", {"device": "cpu", "threads": None})


def decisive(records: Sequence[Record]) -> list[Record]:
    """Our first contender, and of each kind those that ended within a factor of the best."""
    if not records or records[0].status != "ok":
        return []
    chosen = [records[0]]
    for kind in ("method", "peer"):
        ended = [record for record in records[1:] if record.kind == kind and record.status == "ok"]
        best = min((record.time for record in ended), default=0.0)
        chosen += [record for record in ended if record.time <= TOO_SLOW * best]
    return chosen

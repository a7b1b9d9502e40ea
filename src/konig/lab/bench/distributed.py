"""Scaling over ranks, as Date and Nagi measure it: the time of each stage, and the efficiency.

A study runs mpirun once for each number of ranks. Each rank makes its own rows, all wait for each other, and
the clock runs until the last has its answer; answers are proved after that. With a device the rows are on a
GPU before the clock runs, one that ranks may share. Beside it stands the time in
which all ranks read their rows once, at the same time: no method can scale better than the memory does.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, NamedTuple

from konig.gpu import compile
from konig.lab.bench.tables import Table

SPREAD = 10.0  # costs are drawn from [0, 10 n], as in the paper's studies
METHODS = ("core", "hungarian-classical", "hungarian-tree")


class Published(NamedTuple):
    """What the paper has, on NVIDIA K20X GPUs of Blue Waters, one a rank."""

    seconds: float
    efficiency: float


# K. Date, R. Nagi, GPU-accelerated Hungarian algorithms for the linear assignment problem, Parallel Computing
# 57 (2016): Table 4 (weak) and Table 5 (strong), columns "Overall"; by study, method and n on one GPU the
# seconds on 1, 2, 4, 8 and 16 GPUs.
_SECONDS = {
    ("weak", "hungarian-classical", 10_000): (10.42, 12.48, 15.03, 18.58, 23.59),
    ("weak", "hungarian-tree", 10_000): (16.28, 20.26, 26.51, 37.03, 58.32),
    ("strong", "hungarian-classical", 10_000): (11.07, 8.15, 7.84, 7.39, 7.17),
    ("strong", "hungarian-classical", 20_000): (28.50, 19.47, 15.07, 13.00, 12.03),
    ("strong", "hungarian-tree", 10_000): (16.52, 15.12, 15.78, 16.61, 18.30),
    ("strong", "hungarian-tree", 20_000): (38.30, 29.21, 26.22, 27.47, 30.21),
}


def grown(study: str, size: int, ranks: int) -> int:
    """Weak: as many entries on each rank as one has of a square of that size. Strong: always that size."""
    return int(size * math.sqrt(ranks)) if study == "weak" else size


def efficiency(study: str, alone: float, seconds: float, ranks: int) -> float:
    """Of the time of one rank: t1 / tp where the problem grows with the ranks, else t1 / (p tp)."""
    return alone / (seconds if study == "weak" else ranks * seconds)


PUBLISHED = {
    (study, method, grown(study, size, p), p): Published(s, round(efficiency(study, seconds[0], s, p), 2))
    for (study, method, size), seconds in _SECONDS.items()
    for p, s in zip((1, 2, 4, 8, 16), seconds, strict=True)
}


@dataclass(frozen=True)
class Task:
    """One measurement."""

    method: str
    size: int
    ranks: int
    seed: int = 0
    repeats: int = 3
    device: str = "cpu"


@dataclass(frozen=True)
class Measured:
    """What came of it: times of the slowest rank, of the repeat with the median time."""

    task: Task
    seconds: float
    stages: dict[str, float]
    sent: int  # bytes, by the rank that sent most
    read: float  # seconds in which each rank reads its rows once
    cost: Any


def tasks(study: str, methods: Sequence[str], size: int, ranks: Sequence[int], **how: Any) -> list[Task]:
    return [Task(method, grown(study, size, p), p, **how) for method in methods for p in ranks]


def run(tasks: Sequence[Task], timeout: float = 600.0) -> Iterator[Measured]:
    """Measure one after the other, each in processes of its own."""
    for task in tasks:
        beside = shutil.which("mpirun", path=os.path.dirname(sys.executable))
        command = [beside or "mpirun", "-n", str(task.ranks), "--oversubscribe"]
        with subprocess.Popen(
            [*command, sys.executable, "-m", __name__, json.dumps(asdict(task))],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **ROOT_MAY_RUN},
            start_new_session=True,
        ) as running:
            try:
                printed, complaints = running.communicate(timeout=timeout)
            except BaseException as error:
                os.killpg(running.pid, signal.SIGTERM)  # mpirun ends its ranks
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                where = f"{task.method} with {task.size:,} rows on {task.ranks} ranks"
                raise RuntimeError(f"{where} was stopped after {timeout:g} s") from None
        if running.returncode:
            *_, last = complaints.strip().splitlines() or ["without a word"]
            raised = [line for line in complaints.splitlines() if line.partition(":")[0].endswith("Error")]
            raise RuntimeError(f"status {running.returncode}: {raised[0] if raised else last}")
        yield Measured(task, **json.loads(printed.splitlines()[-1]))


# Open MPI asks twice whether root means it, as root of a container does.
ROOT_MAY_RUN = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@dataclass(frozen=True)
class Row:
    """A line of a study: what was measured, the efficiency, and what the paper has there."""

    measured: Measured
    efficiency: float | None  # None without a measurement on one rank to compare with
    reading: float | None  # the same of reading each rank's rows once
    published: Published | None


def rows(study: str, results: Sequence[Measured]) -> list[Row]:
    alone = {result.task.method: result for result in results if result.task.ranks == 1}
    lines = []
    for result in results:
        task, one = result.task, alone.get(result.task.method)
        ours = efficiency(study, one.seconds, result.seconds, task.ranks) if one else None
        reading = efficiency(study, one.read, result.read, task.ranks) if one else None
        published = PUBLISHED.get((study, task.method, task.size, task.ranks))
        lines.append(Row(result, ours, reading, published))
    return lines


def table(study: str, lines: Sequence[Row]) -> Table:
    """A study as Tables 4 and 5 of the paper show it, with the paper's columns beside ours."""
    devices = {line.measured.task.device for line in lines} - {"cpu"}
    where = f", on {devices.pop()}" if devices else ""
    heads = ["method", "n", "ranks", "overall, s", "efficiency", "reading alone", "sent, MB"]
    heads += ["paper, s", "paper, efficiency", "stages, ms"]
    shown = Table(f"{study.capitalize()} scaling, costs in [0, 10 n]{where}", heads)
    for line in lines:
        task, result, paper = line.measured.task, line.measured, line.published
        # What takes less than a hundredth is not worth a line.
        stages = (
            f"{name.replace('_', ' ')} {1e3 * seconds:.3g}"
            for name, seconds in result.stages.items()
            if 100 * seconds >= result.seconds
        )
        ratios = (f"{ratio:.2f}" if ratio else "" for ratio in (line.efficiency, line.reading))
        theirs = (f"{paper.seconds:.2f}", f"{paper.efficiency:.2f}") if paper else ("", "")
        cells = [task.method, f"{task.size:,}", str(task.ranks), f"{result.seconds:.3g}", *ratios]
        shown.rows.append([*cells, f"{result.sent / 1e6:.3g}", *theirs, ", ".join(stages)])
    return shown


def measure(task: Task, comm: Any) -> dict[str, Any]:
    """What a rank finds out; all of them call it together."""
    import konig.distributed as kd
    from konig.distributed.ranks import all_ranks_of

    part: Any = kd.generate("uniform_costs", comm, rows=task.size, spread=SPREAD, seed=task.seed)
    if task.device != "cpu":
        compile.quick_first = False
        part = _on_gpu(task.device, part, comm.Get_rank())
        some = min(64, len(part))
        kd.linear_assignment(part[:some, : some * comm.Get_size()], comm, method=task.method)  # compiles
    int(part.max())  # so that its memory is there
    comm.Barrier()
    began = perf_counter()
    int(part.max())
    comm.Barrier()
    read = perf_counter() - began
    runs = []
    for _ in range(task.repeats):
        comm.Barrier()
        began = perf_counter()
        answer = kd.linear_assignment(part, comm, method=task.method, device=task.device)
        comm.Barrier()
        runs.append((perf_counter() - began, answer))
    order = sorted(range(len(runs)), key=lambda k: runs[k][0])
    seconds, answer = runs[comm.bcast(order[len(order) // 2])]  # the same run on all ranks
    answer.verify(part)
    with all_ranks_of(comm) as ranks:
        all_stages = ranks.allgather_objects((answer.stats["seconds"], answer.stats["bytes_sent"]))
    stages = {name: max(of[name] for of, _ in all_stages) for name in answer.stats["seconds"]}
    sent = max(sent for _, sent in all_stages)
    return {"seconds": seconds, "stages": stages, "sent": sent, "read": read, "cost": int(answer.cost)}


def _on_gpu(device: str, part: Any, rank: int) -> Any:
    """A rank's rows on a GPU, which it may share with others."""
    from konig.gpu.device import cupy_or_error
    from konig.registry import parse_device

    cupy = cupy_or_error(f"--device {device}")
    number = parse_device(device)[1]
    count = int(cupy.cuda.runtime.getDeviceCount())
    cupy.cuda.Device(rank % count if number is None else number).use()
    return cupy.asarray(part)


if __name__ == "__main__":
    from mpi4py.MPI import COMM_WORLD

    found = measure(Task(**json.loads(sys.argv[1])), COMM_WORLD)
    if COMM_WORLD.Get_rank() == 0:
        print(json.dumps(found))

"""The numbers and tables of wild draws: how many times faster we are, over all of them, and where least."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from konig.lab.bench import figures
from konig.lab.bench.figures import Ratio
from konig.lab.bench.records import Record, Run
from konig.lab.bench.report import number, seconds, shown
from konig.lab.bench.tables import Best, Table
from konig.lab.bench.wild import Settings, charged

WORST = 20
ENDED = ("ok", "timeout", "left out")
PERCENTILE = 5
# `auto` should not take more than so many times what our own best method takes.
OWN_BEST = 2.0


@dataclass(frozen=True)
class Outcome:
    """One draw."""

    ours: Record
    peer: Record  # the fastest
    ratio: Ratio  # how many times faster we are
    own: Record | None = None  # our fastest other method, where it was faster than ours

    @property
    def family(self) -> str:
        return self.ours.group

    @property
    def own_ratio(self) -> float:
        """How many times faster our best method is than what was chosen; 1 where none is."""
        return 1.0 if self.own is None else max(self.ours.time / self.own.time, 1.0)


@dataclass(frozen=True)
class Summary:
    draws: int
    geometric_mean: Ratio
    low: float  # the percentile: so many of a hundred draws are below
    slower: float  # the share of draws on which a peer is faster
    worst: float


def outcomes(records: Iterable[Record]) -> list[Outcome]:
    """The draws on which we and some peer can be compared."""
    found = []
    for case in figures.by_case(figures.timed(records)).values():
        methods = [record for record in case.values() if record.kind == "method"]
        peers = [record for record in case.values() if record.kind == "peer"]
        peer = figures.best(peers)
        if methods and peer is not None:
            ratio = figures.ratio(methods[0], peer)
            if ratio.bound != "?":
                others = [record for record in methods[1:] if not record.stopped]
                found.append(Outcome(methods[0], peer, ratio, figures.best(others)))
    return found


def against_peers(records: Sequence[Record], problem: str) -> tuple[list[Outcome], list[Outcome]]:
    """The draws by what peers are charged, and by their solves alone: empty where both are the same."""
    counted = [charged(record, problem) for record in records]
    return outcomes(counted), outcomes(records) if counted != list(records) else []


def settings_of(run: Run) -> Settings:
    """What a file of wild draws was made with."""
    known = {name: run.settings[name] for name in ("seed", "family", "device", "minutes", "timeout")}
    return Settings(entries=(run.settings["entries"][0], run.settings["entries"][1]), **known)


def summary(found: Sequence[Outcome]) -> Summary:
    """Of at least one draw; a mean of lower and upper bounds is marked as neither."""
    values = np.array([outcome.ratio.value for outcome in found])
    bounds = {outcome.ratio.bound for outcome in found} - {""}
    mean = Ratio(
        float(np.exp(np.mean(np.log(values)))), bounds.pop() if len(bounds) == 1 else "~"[: len(bounds)]
    )
    low = float(np.exp(np.percentile(np.log(values), PERCENTILE)))
    return Summary(len(found), mean, low, float(np.mean(values < 1)), float(values.min()))


HEADS = ["draws", "geometric\nmean", f"{PERCENTILE}th\npercentile", "a peer is\nfaster on", "worst"]


def _cells(found: Sequence[Outcome]) -> list[str]:
    s = summary(found)
    share = f"{100 * s.slower:.1f} %" if s.slower else "0 %"
    return [f"{s.draws:,}", shown(s.geometric_mean), number(s.low), share, number(s.worst)]


def tables(
    found: Sequence[Outcome], settings: Settings, problem: str, alone: Sequence[Outcome] = ()
) -> Iterator[Table]:
    """All tables of a run: in all and by size, the same of solves alone, by family, and the worst draws."""
    if not found:
        return
    yield by_size(found, settings, problem)
    if alone:
        yield by_size(alone, settings, problem, "than the best peer's solve alone")
    yield by_family(found)
    yield replace(worst(found), note=f"{settings.command(problem, 'K')} repeats draw K")


def by_size(
    found: Sequence[Outcome], settings: Settings, problem: str, against: str = "than the best peer"
) -> Table:
    title = f"Wild draws of {problem}, seed {settings.seed}: how many times faster {against}"
    table = Table(title, ["entries", *HEADS])
    decades = sorted({_decade(outcome) for outcome in found})
    for decade in decades:
        chosen = [outcome for outcome in found if _decade(outcome) == decade]
        table.rows.append([f"{10**decade:,} to {10 ** (decade + 1):,}", *_cells(chosen)])
    table.below.append(["all", *_cells(found)])
    notes = {
        ">": "> some peers were stopped and count with the seconds that they had taken: a lower bound",
        "<": "< some calls of ours were stopped: an upper bound",
    }
    table.note = "; ".join(notes[bound] for bound in notes if any(o.ratio.bound == bound for o in found))
    return table


def _decade(outcome: Outcome) -> int:
    return int(math.log10(max(outcome.ours.nonzeros, 1)))


def by_family(found: Sequence[Outcome]) -> Table:
    """The families, those first where we gain least."""
    table = Table("By family: how many times faster than the best peer", ["family", *HEADS])
    groups: dict[str, list[Outcome]] = {}
    for outcome in found:
        groups.setdefault(outcome.family, []).append(outcome)
    for family, chosen in sorted(groups.items(), key=lambda item: summary(item[1]).geometric_mean.value):
        table.rows.append([family, *_cells(chosen)])
    return table


def worst(found: Sequence[Outcome]) -> Table:
    """The draws where we gain least, then those where another method of ours is much faster."""
    heads = ["draw", "family", "entries", "ours\nms", "peer", "ms", "ratio"]
    table = Table(f"The {WORST} worst draws", [*heads, "own best", "times\nfaster", "made of"])
    for outcome in worst_draws(found):
        own = outcome.own if outcome.own_ratio > 1 else None
        made_of = (part for part in outcome.ours.told.split(" ") if not part.startswith("entries="))
        about = [str(outcome.ours.draw), outcome.family, f"{outcome.ours.nonzeros:,}"]
        times = [seconds(outcome.ours, 1000.0), outcome.peer.solver, seconds(outcome.peer, 1000.0)]
        faster = [own.solver, number(outcome.own_ratio)] if own else ["", ""]
        table.rows.append([*about, *times, Best(shown(outcome.ratio)), *faster, " ".join(made_of)])
    return table.without_empty_columns()


def worst_draws(found: Sequence[Outcome]) -> list[Outcome]:
    """The worst against the peers, and beside them those where ``auto`` missed our own best method."""
    ranked = sorted(found, key=lambda outcome: outcome.ratio.value)[:WORST]
    missed = sorted(
        (o for o in found if o.own_ratio > OWN_BEST and o not in ranked), key=lambda o: -o.own_ratio
    )
    return [*ranked, *missed[:WORST]]


def failures(records: Iterable[Record], settings: Settings, problem: str) -> list[str]:
    """A line for each answer of ours that was wrong or missing; a named method may refuse a draw."""
    return [
        f"{record.solver} on {record.instance}: {record.status}: {record.message}"
        f" ({settings.command(problem, record.draw)})"
        for record in records
        if record.kind == "method" and record.status not in ENDED
        if record.solver == "auto" or record.status != "error"
    ]


def left_out(records: Iterable[Record]) -> list[str]:
    """A line for each peer that gave no answer or a wrong one on some draws, which count without it."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if record.kind == "peer" and record.status not in ENDED:
            groups.setdefault((record.solver, record.status), []).append(record)
    return [
        f"{solver}: {status} on {len(some)} draws, the first is {some[0].draw}: {some[0].message}"
        for (solver, status), some in groups.items()
    ]

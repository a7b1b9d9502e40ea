"""Races of relatives: families and sizes of each, ours and the peers by turns in one process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic

from konig.lab.bench.contenders import Contender
from konig.lab.bench.records import Record
from konig.lab.bench.relative import Relative
from konig.lab.bench.runner import Report
from konig.lab.bench.wild import Race
from konig.lab.bench.wild import Settings as WildSettings
from konig.lab.bench.worker import Child

SUITE = "relatives"
OURS = "konig"


@dataclass(frozen=True)
class Settings(WildSettings):
    """Draws of one family and one size, and what repeats them."""

    def command(self, problem: str, number: int | str) -> str:
        """What repeats all draws of the family and the size."""
        least, _ = self.entries
        return f"konig bench relatives {problem} --seed {self.seed} --family {self.family} --size {least}"


@dataclass(frozen=True)
class Plan:
    """What is drawn: families and sizes (all where none is named), draws of each, and for how long."""

    seed: int
    families: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    draws: int = 1
    minutes: float | None = None  # after which no draw is begun
    timeout: float = 10.0  # seconds until a peer is stopped

    def cases(self, relative: Relative) -> Iterator[tuple[Settings, int]]:
        """Small sizes first, so that a run that ends early has something of every family."""
        for size in self.sizes or relative.sizes:
            for family in relative.families.by_name:
                if not self.families or family in self.families:
                    chosen = Settings(self.seed, (size, size), None, family, timeout=self.timeout)
                    yield from ((chosen, number) for number in range(self.draws))


@dataclass
class Bench:
    """All relatives asked for, one race after the other."""

    plan: Plan
    report: Report | None = None
    began: float = field(default_factory=monotonic)

    def run(self, relative: Relative, peers: Sequence[Contender]) -> Iterator[list[Record]]:
        """The records of each draw, the first of them ours."""
        limit = None if self.plan.minutes is None else 60 * self.plan.minutes
        ours = (Contender(OURS, "method", OURS),)
        cases = list(self.plan.cases(relative))
        with Child() as child:
            for done, (settings, number) in enumerate(cases):
                if limit is not None and monotonic() - self.began > limit:
                    return
                if self.report:
                    self.report(done, len(cases), _named(relative.name, settings, number))
                records = Race(relative.name, settings, number, child).run(ours, peers)
                for record in records:
                    record.instance = _named(relative.name, settings, number)
                yield records


def _named(relative: str, settings: Settings, number: int) -> str:
    drawn = f" #{number}" if number else ""
    return f"{relative}: {settings.family} {settings.entries[0]}{drawn}"

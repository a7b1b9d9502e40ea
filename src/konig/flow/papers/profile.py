"""What the clocks of a profiled flow say, in seconds, beside the paper's model of its cost."""

from __future__ import annotations

from typing import Any


def with_profile(stats: dict[str, Any], read: dict[str, int], workload: list[int]) -> dict[str, Any]:
    """The statistics with a ``profile`` of what the clocks read, and of the ticks of each warp."""
    tick = read["leader_ns"] / max(read["leader_ticks"], 1) * 1e-9
    moves = stats["pushes"] + stats["relabels"]
    # Equation (3): k per place looked at, one time for a push or a new height, l for the barrier.
    place = tick * read["mhns_lead_ticks"] / max(stats["places_scanned"], 1)
    move = tick * read["bes_ticks"] / max(moves, 1)
    barriers = stats["cycles"] * (2 if "tiles" in stats else 1)
    barrier = tick * read["barrier_ticks"]
    cycles = tick * read["cycle_ticks"]
    mhns, bes = tick * read["mhns_ticks"], tick * read["bes_ticks"]
    stats["profile"] = {
        "mhns": mhns,
        "bes": bes,
        "others": max(cycles * stats["workers"] - mhns - bes, 0.0),
        "idle": max(cycles * stats["workers"] - tick * read["worker_ticks"], 0.0),
        "workload": [tick * ticks for ticks in workload],
        "per_place": place,
        "per_move": move,
        "per_barrier": barrier,
        "critical_places": read["critical_scans"],
        "critical_moves": read["critical_moves"],
        "modelled": place * read["critical_scans"] + move * read["critical_moves"] + barrier * barriers,
        "measured": cycles,
    }
    return stats

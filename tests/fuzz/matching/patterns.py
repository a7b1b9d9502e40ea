"""Patterns of sparse matrices: what matching solvers get wrong."""

from __future__ import annotations

from collections.abc import Callable

from cases.matrices import awkward_matrices

from ..case import Draw

Entries = list[tuple[int, int]]


def random_entries(draw: Draw, n: int, m: int) -> Entries:
    count = draw.randint(0, draw.some((max(n, m), 3 * max(n, m), n * m)))
    return [(draw.randrange(n), draw.randrange(m)) for _ in range(min(count, 6 * (n + m)))]


def dense(draw: Draw, n: int, m: int) -> Entries:
    return [(i, j) for i in range(n) for j in range(m) if draw.chance(0.8)]


def hi_lo(draw: Draw, n: int, m: int) -> Entries:
    """Cherkassky, Goldberg, Martin, Setubal and Stolfi's HiLo: groups that make greedy choices wrong."""
    degree, width = draw.randint(1, 3), max(1, min(n, m) // 3)
    found = []
    for group in range(3):
        for i in range(width):
            for k in range(degree):
                row, low, high = group * width + i, group * width + i - k, (group + 1) * width + i - k
                found += [(row, low)] * (row < n and 0 <= low < m) + [(row, high)] * (
                    row < n and 0 <= high < m
                )
    return found


def stars(draw: Draw, n: int, m: int) -> Entries:
    """Few columns that all rows want, or few rows that all columns want."""
    hubs = draw.randint(1, 3)
    if draw.chance(0.5):
        return [(i, draw.randrange(min(hubs, m))) for i in range(n)] + random_entries(draw, n, m)[:hubs]
    return [(draw.randrange(min(hubs, n)), j) for j in range(m)] + random_entries(draw, n, m)[:hubs]


def path(draw: Draw, n: int, m: int) -> Entries:
    """A path whose greedy matching has to be turned over from one end to the other."""
    found = [(i, j) for i in range(n) for j in (i, i + 1) if j < m]
    return found[draw.randint(0, 1) : len(found) - draw.randint(0, 2)]


def bands(draw: Draw, n: int, m: int) -> Entries:
    width = draw.randint(1, 3)
    return [(i, j) for i in range(n) for j in range(max(0, i - width), min(m, i + width)) if draw.chance(0.7)]


def short_by_one(draw: Draw, n: int, m: int) -> Entries:
    """Some rows have one column too few between them."""
    rows = draw.randint(1, n)
    cols = max(0, min(m, rows - 1))
    inside = [(i, j) for i in range(rows) for j in range(cols) if draw.chance(0.6)]
    return inside + [(i, j) for i in range(rows, n) for j in range(m) if draw.chance(0.3)]


def blocks(draw: Draw, n: int, m: int) -> Entries:
    """Block triangular with a full diagonal, so that there is a form to be found."""
    found = [(i, i) for i in range(min(n, m)) if draw.chance(0.95)]
    size = draw.randint(1, 4)
    for i in range(n):
        for j in range(m):
            if (i // size == j // size and draw.chance(0.5)) or (i // size < j // size and draw.chance(0.1)):
                found.append((i, j))
    return found


def nothing(draw: Draw, n: int, m: int) -> Entries:
    return []


FAMILIES: dict[str, Callable[[Draw, int, int], Entries]] = {
    f.__name__: f for f in (random_entries, dense, hi_lo, stars, path, bands, short_by_one, blocks, nothing)
}
# The families, and the matrices that all tests share.
NAMES = (*FAMILIES, "of_the_catalogue")


def draw_pattern(
    draw: Draw, families: tuple[str, ...] = (), largest: int = 400
) -> tuple[str, int, int, Entries]:
    """A family's name, an extent and entries, duplicates among them; lines are shuffled half of the time."""
    low, high = draw.some(((1, 6), (1, 14), (15, 50), (51, 150), (151, 400)), (45, 46, 6, 0.8, 0.15))
    low, high = min(low, largest), min(high, largest)
    n = draw.randint(low, high)
    m = n if draw.chance(0.5) else draw.randint(low, high)
    name = draw.some(families or NAMES, None if families else [4, 1, 3, 2, 3, 2, 2, 4, 0.3, 0.3])
    if draw.chance(0.02):
        n, m = draw.some(((0, m), (n, 0), (0, 0)))
    if name == "of_the_catalogue":
        entries = draw.some([A for A in awkward_matrices().values() if max(A.shape) <= largest]).tocoo()
        (n, m), found = entries.shape, list(zip(entries.row.tolist(), entries.col.tolist(), strict=True))
    else:
        found = FAMILIES[name](draw, n, m) if n and m else []
    if found and draw.chance(0.3):
        found += draw.choices(found, k=draw.randint(1, 5))
    if draw.chance(0.5):
        rows, cols = draw.sample(range(n), n), draw.sample(range(m), m)
        found = [(rows[i], cols[j]) for i, j in found]
        draw.shuffle(found)
    return name, n, m, found

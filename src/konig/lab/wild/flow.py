"""Families of networks for maximum flow: images, roads, plans, schedules, and the studies' generators."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from konig.io.entries import Network
from konig.lab.generators import dimacs, far_pairs_network, from_graphs, generate, matching_network, vision
from konig.lab.generators.draws import Ints
from konig.lab.generators.lattices import neighbours, steps
from konig.lab.generators.pattern import network
from konig.lab.wild.drawing import Chance, Families
from konig.lab.wild.networks import (
    AMPLE,
    Arcs,
    Undirected,
    both_ways,
    capacities,
    from_to,
    joined,
    leaning,
    scattered,
    tied,
    two_sided,
    with_terminals,
)


def _finish(net: Network, c: Chance) -> Network:
    """Either way round, numbered naturally or at random, arcs in any order, of a type that callers have.

    Some networks have no directions.
    """
    tail, head, capacity, draws = net.tail, net.head, net.capacity, c.draws()
    source, sink = net.source, net.sink
    assert source is not None
    assert sink is not None
    if c.coin("reversed", 0.4):
        tail, head, source, sink = head, tail, sink, source
    if c.coin("renumbered", 0.4):
        name = draws.permutation(net.num_vertices)
        tail, head, source, sink = name[tail], name[head], int(name[source]), int(name[sink])
    if c.coin("shuffled", 0.3):
        order = draws.permutation(len(tail))
        tail, head, capacity = tail[order], head[order], capacity[order]
    if capacity.dtype.kind != "f":
        capacity = capacity.astype(c.pick("dtype", "int64", "int64", "int32", "float64"))
    ids = c.pick("ids", "int32", "int64")
    kind = Undirected if c.coin("undirected", 0.15) else Network
    return kind(tail.astype(ids), head.astype(ids), capacity, net.num_vertices, source, sink)


family = Families(_finish)


# Lattices.


@family.each(
    grid_faces="faces",
    grid_corners="corners",
    grid_scattered="anywhere",
    grid_to_the_middle="border and middle",
)
def grid(ends: str, entries: int, c: Chance) -> Network:
    return _between(ends, *_grid(entries, c), c)


@family.each(box_faces="faces", box_scattered="anywhere")
def box(ends: str, entries: int, c: Chance) -> Network:
    """A three-dimensional grid."""
    return _between(ends, *_lattice(_box(entries / 6, c)), c)


@family
def one_way_grid(entries: int, c: Chance) -> Network:
    """A grid of arcs to the right and down."""
    cells, tail, head = neighbours(_rectangle(entries / 2, c), steps(2)[::-1])
    return from_to(c, cells.size, (tail, head), 0, cells.size - 1)


@family
def torus(entries: int, c: Chance) -> Network:
    """A grid that wraps around, with terminals anywhere."""
    shape = _rectangle(entries / 4, c)
    cells = np.arange(math.prod(shape)).reshape(shape)
    there = joined(*((cells, np.roll(cells, -1, axis)) for axis in (0, 1)))
    return _between("anywhere", cells, both_ways(there), c)


@family
def long_band(entries: int, c: Chance) -> Network:
    """A grid a few cells wide and very long."""
    width = c.whole("width", 2, 12)
    return _between("faces", *_lattice((max(entries // (4 * width), 2), width)), c)


@family
def ladder(entries: int, c: Chance) -> Network:
    """Two rails with rungs, one way or both."""
    rungs = max(entries // 3, 3)
    left, right = 2 * np.arange(rungs), 2 * np.arange(rungs) + 1
    arcs = joined((left[:-1], left[1:]), (right[:-1], right[1:]), (left, right))
    return from_to(c, 2 * rungs, both_ways(arcs) if c.coin("both_ways") else arcs, 0, 2 * rungs - 1)


@family
def mesh_2d(entries: int, c: Chance) -> Network:
    """A triangulated grid, with terminals on opposite sides or anywhere."""
    nx, ny = _rectangle(entries / 6, c)
    arcs = _arcs_of(generate("triangulated_grid", c.seed(), nx=nx, ny=ny))
    return two_sided(c, nx * ny, arcs)


@family
def delaunay(entries: int, c: Chance) -> Network:
    n = max(min(entries, 3_000_000) // 6, 8)
    return two_sided(c, n, _arcs_of(generate("delaunay", c.seed(), n=n)))


@family
def geometric(entries: int, c: Chance) -> Network:
    degree = c.log("degree", 4.0, 20.0)
    n = max(round(entries / degree), 8)
    near = generate("random_geometric", c.seed(), n=n, radius=math.sqrt(degree / (math.pi * n)))
    return two_sided(c, n, _arcs_of(near))


@family
def roads(entries: int, c: Chance) -> Network:
    """A road-like grid of unit arcs between far pairs."""
    side = max(round(math.sqrt(entries / 2.6)), 4)
    A = generate("road_grid", c.seed(), nx=side, keep=c.real("keep", 0.6, 0.95))
    return far_pairs_network(A, c.whole("pairs", 1, 10), c.seed())


@family
def roads_with_capacities(entries: int, c: Chance) -> Network:
    nx, ny = _rectangle(entries / 2.6, c)
    return two_sided(c, nx * ny, _arcs_of(generate("road_grid", c.seed(), nx=nx, ny=ny, keep=0.65)))


# Images.


@family
def image_noise(entries: int, c: Chance) -> Network:
    neighbours = c.pick("neighbours", 4, 8)
    height, width = _rectangle(entries / (neighbours + 1), c)
    strength = c.whole("strength", 1, 300)
    return vision.vision_random(height, width, strength, neighbours, c.seed())


@family
def image_blobs(entries: int, c: Chance) -> Network:
    neighbours = c.pick("neighbours", 4, 8)
    height, width = _rectangle(entries / (neighbours + 1), c)
    blobs, noise, strength = c.whole("blobs", 1, 100), c.real("noise", 0.1, 2.0), c.whole("strength", 5, 300)
    return vision.vision_blobs(height, width, blobs, noise, strength, neighbours, c.seed())


@family
def image_seeds(entries: int, c: Chance) -> Network:
    """Interactive segmentation: brush strokes are the only terminals, and smooth edges cost more."""
    cells, (tail, head) = _grid(entries, c)
    level, sigma = _smooth(cells.shape, c), c.log("sigma", 0.005, 0.2)
    capacity = np.rint(1000 / (1 + ((level[tail] - level[head]) / sigma) ** 2)).astype(np.int64) + 1
    bright, dark = np.flatnonzero(level > 0.9), np.flatnonzero(level < 0.1)
    return tied(cells.size, (tail, head), capacity, bright, AMPLE, dark, AMPLE)


@family
def volume(entries: int, c: Chance) -> Network:
    """Segmentation of a three-dimensional picture."""
    cells, (tail, head) = _lattice(_box(entries / 7, c))
    lean = np.rint(200 * (_smooth(cells.shape, c) - 0.5)).astype(np.int64)
    lean += c.draws().integers(2 * c.whole("noise", 1, 200) + 1, cells.size) - 50
    return leaning(cells.size, (tail, head), np.full(len(tail), c.whole("strength", 1, 100)), lean)


@family
def stereo(entries: int, c: Chance) -> Network:
    """Depth by a cut through copies of a picture: ample arcs back, a price for each depth."""
    depths = c.whole("depths", 3, 20)
    nx, ny = _rectangle(entries / (7 * depths), c)
    cells = np.arange(depths * nx * ny).reshape(depths, nx, ny)
    onward = joined((cells[:-1], cells[1:]))
    beside = both_ways(joined((cells[:, :-1], cells[:, 1:]), (cells[:, :, :-1], cells[:, :, 1:])))
    price = 1 + c.draws().integers(c.whole("price", 2, 1000), len(onward[0]))
    smooth = np.full(len(beside[0]), c.whole("smooth", 1, 100))
    arcs = joined(onward, onward[::-1], beside)
    capacity = np.concatenate([price, np.full(len(price), AMPLE), smooth])
    return tied(cells.size, arcs, capacity, cells[0].ravel(), AMPLE, cells[-1].ravel(), AMPLE)


# The studies' generators.


@family
def genrmf(entries: int, c: Chance) -> Network:
    """Frames, from long rows of small ones to short rows of large ones."""
    frames = c.log("shape", 0.2, 5.0) * (entries / 5) ** (1 / 3)
    side = max(round(math.sqrt(entries / 5 / max(frames, 2))), 2)
    return dimacs.genrmf(side, max(round(frames), 2), 1, c.whole("largest", 2, 10**4), c.seed())


@family.each(washington_levels=dimacs.washington_rlg, washington_mesh=dimacs.washington_mesh)
def washington(made: Callable[..., Network], entries: int, c: Chance) -> Network:
    width, levels = _levels(entries / 3, c)
    return made(width, levels, c.whole("largest", 1, 10**5), c.seed())


@family
def rmat_pairs(entries: int, c: Chance) -> Network:
    scale = max(5, round(math.log2(entries / c.log("degree", 4.0, 32.0))))
    return from_graphs.rmat_flow(scale, max(entries >> scale, 1), c.whole("pairs", 1, 10), c.seed())


@family
def acyclic_dense(entries: int, c: Chance) -> Network:
    """Every arc from a vertex to a later one."""
    n = max(round(math.sqrt(2 * entries)), 4)
    return from_to(c, n, np.triu_indices(n, 1), 0, n - 1)


@family
def dense(entries: int, c: Chance) -> Network:
    """All arcs both ways between few vertices."""
    n = max(round(math.sqrt(entries)), 4)
    tail, head = np.divmod(np.arange(n * n), n)
    proper = tail != head
    return from_to(c, n, (tail[proper], head[proper]), 0, n - 1)


@family
def two_hard_ladders(entries: int, c: Chance) -> Network:
    """Cherkassky and Goldberg's hard case: paths whose lengths make every phase find one path only."""
    n = max(entries // 6, 4)
    rail, step = np.arange(n), np.arange(n - 1)
    arcs = joined((rail[:-1], rail[1:]), (n + step, n + step + 1), (rail, 2 * n - 1 - rail))
    capacity = np.concatenate([n - step, step + 2, np.ones(n, np.int64)])
    second = 2 * n + arcs[0], 2 * n + arcs[1]
    ends = (4 * n, np.array([0, 2 * n]), AMPLE), (np.array([2 * n - 1, 4 * n - 1]), 4 * n + 1, AMPLE)
    return network(((*arcs, capacity), (*second, capacity), *ends), 4 * n + 2, 4 * n, 4 * n + 1)


# Random graphs.


@family.each(random_pair=False, random_scattered=True)
def random(anywhere: bool, entries: int, c: Chance) -> Network:
    """Random arcs between one source and one sink, or many of each."""
    n, arcs = _random(entries, c)
    return with_terminals(c, n, arcs, *scattered(c, n)) if anywhere else from_to(c, n, arcs, 0, n - 1)


@family
def random_undirected(entries: int, c: Chance) -> Network:
    """Edges: the same capacity both ways."""
    n, (tail, head) = _random(entries // 2, c)
    capacity = capacities(c, len(tail))
    return network(((tail, head, capacity), (head, tail, capacity)), n, 0, n - 1)


@family
def parallel_arcs(entries: int, c: Chance) -> Network:
    """Some arcs between each pair of vertices, both ways, and loops among them."""
    draws, n = c.draws(), max(round(math.sqrt(entries / c.log("between", 0.5, 4.0))), 4)
    return from_to(c, n, (draws.integers(n, entries), draws.integers(n, entries)), 0, n - 1)


@family
def power_law(entries: int, c: Chance) -> Network:
    """Ends at popular vertices."""
    draws, power = c.draws(), c.real("power", 1.2, 4.0)
    n = max(round(entries / c.log("degree", 2.0, 20.0)), 8)
    tail, head = ((n * draws.uniform(entries) ** power).astype(np.int64) for _ in range(2))
    proper = tail != head
    return with_terminals(c, n, (tail[proper], head[proper]), *scattered(c, n))


@family
def small_world(entries: int, c: Chance) -> Network:
    reach, moved = c.whole("reach", 1, 6), c.log("moved", 0.0005, 0.5)
    n, draws = max(entries // (2 * reach), 8), c.draws()
    tail = np.repeat(np.arange(n), reach)
    head = (tail + np.tile(np.arange(1, reach + 1), n)) % n
    head = np.where(draws.uniform(len(head)) < moved, draws.integers(n, len(head)), head)
    return two_sided(c, n, both_ways((tail, head)))


@family
def communities(entries: int, c: Chance) -> Network:
    """Dense parts, few arcs between them: the cut is known to everybody but the solver."""
    parts, degree = c.whole("parts", 2, 20), c.whole("degree", 3, 20)
    n, draws = max(entries // degree, 8 * parts), c.draws()
    size = n // parts
    tail = draws.integers(size * parts, entries)
    head = tail // size * size + draws.integers(size, entries)
    bridge = draws.uniform(entries) < c.log("bridges", 1e-4, 0.05)
    head = np.where(bridge, np.minimum(tail + size, size * parts - 1), head)
    return from_to(c, size * parts, (tail, head), 0, size * parts - 1)


@family
def hubs(entries: int, c: Chance) -> Network:
    """Spokes: airports, servers; most vertices know a few hubs only."""
    hubs = c.whole("hubs", 1, max(2, int(math.sqrt(entries) / 4)))
    n, draws = hubs + max(entries // 4, 8), c.draws()
    spoke, hub = draws.integers(n - hubs, entries // 2) + hubs, draws.integers(hubs, entries // 2)
    return with_terminals(c, n, both_ways((spoke, hub)), *scattered(c, n))


# Trees, chains and levels.


@family
def tree(entries: int, c: Chance) -> Network:
    """From the leaves of a tree to its root."""
    n, draws, reach = max(entries * 2 // 3, 8), c.draws(), c.pick("reach", 2, 50, 0)
    child = np.arange(1, n)
    back = draws.integers(reach, n - 1) if reach else (draws.uniform(n - 1) * child).astype(np.int64)
    parent = np.maximum(child - 1 - back, 0)
    leaves = np.flatnonzero(np.bincount(parent, minlength=n) == 0)
    return with_terminals(c, n, (child, parent), leaves, np.array([0]))


@family
def supply_grid(entries: int, c: Chance) -> Network:
    """A grid of lines of which some are missing: few generators, many loads, all of different size."""
    cells, arcs = _grid(round(entries / 0.9), c)
    kept = c.draws().uniform(len(arcs[0])) < c.real("keep", 0.6, 0.95)
    places = c.draws().permutation(cells.size)
    few, many = max(1, cells.size // c.whole("cells_a_generator", 10, 100)), max(1, cells.size // 4)
    draws, at_loads = c.draws(), slice(few, few + many)
    supply, demand = 800 * draws.uniform(few), 80 * draws.uniform(many)
    capacity = 200 * draws.uniform(int(kept.sum()))
    inner = tuple(ends[kept] for ends in arcs)
    return tied(cells.size, inner, capacity, places[:few], supply, places[at_loads], demand)


@family
def chain(entries: int, c: Chance) -> Network:
    """A path, with a second arc here and there."""
    n, draws = max(entries * 4 // 5, 4), c.draws()
    step, again = np.arange(n - 1), draws.integers(n - 1, entries - n + 1)
    return from_to(c, n, joined((step, step + 1), (again, again + 1)), 0, n - 1)


@family
def many_chains(entries: int, c: Chance) -> Network:
    """Disjoint paths from the source to the sink."""
    length = c.whole("length", 2, max(3, entries // 3))
    number = max(entries // (length + 1), 1)
    cells = np.arange(length * number).reshape(length, number)
    return _between("faces", cells, joined((cells[:-1], cells[1:])), c)


@family
def levels(entries: int, c: Chance) -> Network:
    """Random arcs from each level to the next, or over some."""
    degree, over = c.whole("degree", 1, 10), c.whole("over", 1, 3)
    width, depth = _levels(entries / degree, c)
    draws, n = c.draws(), width * depth
    tail = np.repeat(np.arange(n - width), degree)
    onward = tail // width + 1 + draws.integers(over, len(tail))
    head = np.minimum(onward, depth - 1) * width + draws.integers(width, len(tail))
    return with_terminals(c, n, (tail, head), np.arange(width), np.arange(n - width, n))


@family
def bottlenecks(entries: int, c: Chance) -> Network:
    """Dense groups in a row, with few arcs from each to the next."""
    size, between = c.whole("size", 3, 60), c.whole("between", 1, 10)
    number, draws = max(entries // (size * size), 2), c.draws()
    tail, head = (part.ravel() for part in np.meshgrid(np.arange(size), np.arange(size), indexing="ij"))
    proper, start = tail != head, size * np.arange(number)[:, None]
    inside = (start + tail[proper]).ravel(), (start + head[proper]).ravel()
    group = np.repeat(np.arange(number - 1), between)
    onward = (
        group * size + draws.integers(size, len(group)),
        (group + 1) * size + draws.integers(size, len(group)),
    )
    return from_to(c, size * number, joined(inside, onward), 0, size * number - 1)


@family
def time_expanded(entries: int, c: Chance) -> Network:
    """Evacuation: a small road map copied for each minute, waiting allowed."""
    places, degree = c.whole("places", 5, max(6, int(math.sqrt(entries / 3)))), c.whole("degree", 1, 4)
    minutes, draws = max(entries // (places * (degree + 1)), 3), c.draws()
    road = np.repeat(np.arange(places), degree), draws.integers(places, places * degree)
    length = 1 + draws.integers(3, places * degree)
    start = np.arange(minutes)[:, None]
    tail, head = (start * places + road[0]).ravel(), ((start + length) * places + road[1]).ravel()
    wait, inside = np.arange(places * (minutes - 1)), head < places * minutes
    arcs = joined((tail[inside], head[inside]), (wait, wait + places))
    doors = np.arange(minutes) * places
    return with_terminals(c, places * minutes, arcs, np.arange(1, places), doors)


# Plans.


@family
def transport(entries: int, c: Chance) -> Network:
    """Supplies and demands, with capacities between some of them."""
    degree, aspect = c.whole("degree", 2, 30), c.log("aspect", 0.1, 10.0)
    plants, draws = max(entries // (degree + 2), 4), c.draws()
    shops = max(round(plants * aspect), 2)
    tail = np.repeat(np.arange(plants), degree)
    arcs = tail, plants + draws.integers(shops, len(tail))
    return with_terminals(c, plants + shops, arcs, np.arange(plants), plants + np.arange(shops), ample=False)


@family
def assignment_of_jobs(entries: int, c: Chance) -> Network:
    """Unit jobs to machines that take several."""
    degree, load = c.whole("degree", 1, 8), c.whole("load", 1, 50)
    jobs, draws = max(entries // (degree + 1), 4), c.draws()
    machines = max(jobs // load, 1)
    tail = np.repeat(np.arange(jobs), degree)
    arcs = tail, jobs + draws.integers(machines, len(tail))
    ends = np.arange(jobs), 1, jobs + np.arange(machines), load
    return tied(jobs + machines, arcs, np.ones(len(tail), np.int64), *ends)


@family
def matching(entries: int, c: Chance) -> Network:
    """Matching of a random bipartite graph as a flow."""
    degree = c.log("degree", 1.2, 10.0)
    rows = max(round(entries / (degree + 2)), 8)
    cols = round(rows * c.log("aspect", 0.5, 2.0))
    return matching_network(generate("sprand", c.seed(), rows=rows, cols=cols, degree=min(degree, cols)))


@family
def matching_of_a_mesh(entries: int, c: Chance) -> Network:
    nx, ny = _rectangle(entries / 8, c)
    return matching_network(generate("triangulated_grid", c.seed(), nx=nx, ny=ny))


@family
def closure(entries: int, c: Chance) -> Network:
    """Project selection: profits, costs, and ample arcs from a project to what it needs."""
    needs, reach = c.whole("needs", 1, 10), c.log("reach", 0.001, 1.0)
    n, draws = max(entries // (needs + 1), 8), c.draws()
    tail = np.repeat(np.arange(n), needs)
    head = tail - 1 - (draws.uniform(len(tail)) * np.maximum(reach * tail, 1)).astype(np.int64)
    tail, head = tail[head >= 0], head[head >= 0]
    worth = draws.integers(2001, n) - c.whole("cost", 500, 1500)
    ample = np.inf if c.coin("infinite") else AMPLE
    return leaning(n, (tail, head), np.full(len(tail), ample), worth)


@family
def open_pit(entries: int, c: Chance) -> Network:
    """A mine: to dig a block, the blocks above it must go first."""
    depth = c.whole("depth", 2, 30)
    nx, ny = _rectangle(entries / (10 * depth), c)
    cells = np.arange(depth * nx * ny).reshape(depth, nx, ny)
    below = cells[1:, 1:-1, 1:-1]
    above = [cells[:-1, i : nx - 2 + i, j : ny - 2 + j] for i in range(3) for j in range(3)]
    worth = np.rint(300 * (_smooth(cells.shape, c) - c.real("poor", 0.4, 0.7))).astype(np.int64)
    arcs = joined(*((below, part) for part in above)) if below.size else joined((cells[1:], cells[:-1]))
    return leaning(cells.size, arcs, np.full(len(arcs[0]), AMPLE), worth)


@family
def densest_subgraph(entries: int, c: Chance) -> Network:
    """Goldberg's test of a density: edges against vertices."""
    n, draws = max(entries // 8, 8), c.draws()
    edges = max(entries // 4, 8)
    ends = ((n * draws.uniform(edges) ** c.real("power", 1.0, 3.0)).astype(np.int64) for _ in range(2))
    edge, (u, v) = np.arange(edges), ends
    arcs = joined((n + edge, u), (n + edge, v))
    density = c.real("density", 0.5, 4.0)
    return tied(n + edges, arcs, np.full(2 * edges, AMPLE), n + edge, 100, np.arange(n), round(100 * density))


@family
def elimination(entries: int, c: Chance) -> Network:
    """Games left to play, and how many each team may still win."""
    teams = max(round(math.sqrt(entries / 2)), 4)
    first, second = np.triu_indices(teams, 1)
    game = teams + np.arange(len(first))
    arcs, draws = joined((game, first), (game, second)), c.draws()
    played = 1 + draws.integers(c.whole("games", 1, 10), len(game))
    wins = draws.integers(round(2 * played.sum() / teams * c.real("room", 0.5, 1.2)) + 1, teams)
    return tied(teams + len(game), arcs, np.tile(played, 2), game, played, np.arange(teams), wins)


@family
def vertex_disjoint_paths(entries: int, c: Chance) -> Network:
    """Every vertex may be passed once: an arc from its entry to its exit."""
    n, (tail, head) = _random(entries * 3 // 4, c)
    enter, leave = np.arange(n), n + np.arange(n)
    return tied(
        2 * n, joined((enter, leave), (leave[tail], enter[head])), np.ones(n + len(tail), np.int64),
        *(ends for side in scattered(c, n) for ends in (side, 1)),
    )  # fmt: skip


@family
def edge_disjoint_paths(entries: int, c: Chance) -> Network:
    """Unit edges between one source and one sink of high degree."""
    n, (tail, head) = _random(entries * 3 // 4, c)
    many = max(entries // 8, 1)
    draws = c.draws()
    arcs = (tail, head, 1), (n, draws.integers(n, many), 1), (draws.integers(n, many), n + 1, 1)
    return network(arcs, n + 2, n, n + 1)


@family
def rounds_of_a_schedule(entries: int, c: Chance) -> Network:
    """Jobs with a release and a deadline, slots, and machines that run in each."""
    longest = c.whole("longest", 2, 40)
    jobs, draws = max(2 * entries // (longest + 4), 4), c.draws()
    slots = max(round(jobs * c.real("slots", 0.5, 3.0)), longest)
    length, begin = 1 + draws.integers(longest, jobs), draws.integers(max(slots - longest, 1), jobs)
    tail = np.repeat(np.arange(jobs), length)
    first = np.repeat(np.cumsum(length) - length, length)
    head = jobs + begin[tail] + np.arange(len(tail)) - first
    work = 1 + draws.integers(longest, jobs)
    ends = np.arange(jobs), np.minimum(work, length), jobs + np.arange(slots), c.whole("machines", 1, 20)
    return tied(jobs + slots, (tail, head), np.ones(len(tail), np.int64), *ends)


@family
def out_of_reach(entries: int, c: Chance) -> Network:
    """A source that hardly reaches the sink, or not at all."""
    n, (tail, head) = _random(entries, c)
    half = n // 2
    kept = (tail < half) == (head < half)
    bridges = c.draws().uniform(len(tail)) < c.pick("bridges", 0.0, 2 / entries, 1e-3)
    return from_to(c, n, (tail[kept | bridges], head[kept | bridges]), 0, n - 1)


# What they are made of.


def _random(entries: int, c: Chance) -> tuple[int, Arcs]:
    draws = c.draws()
    n = max(round(entries / c.log("degree", 2.0, 30.0)), 8)
    tail, head = draws.integers(n, entries), draws.integers(n, entries)
    proper = tail != head
    return n, (tail[proper], head[proper])


def _rectangle(cells: float, c: Chance) -> tuple[int, int]:
    aspect = c.log("aspect", 0.5, 2.0) if c.coin("compact", 0.6) else c.log("aspect", 0.02, 50.0)
    nx = max(round(math.sqrt(max(cells, 9.0) * aspect)), 3)
    return nx, max(round(cells / nx), 3)


def _box(cells: float, c: Chance) -> tuple[int, ...]:
    depth = max(round(cells ** (1 / 3) * c.log("depth", 0.3, 3.0)), 3)
    return depth, *_rectangle(cells / depth, c)


def _levels(vertices: float, c: Chance) -> tuple[int, int]:
    depth = max(round(math.sqrt(vertices) * c.log("depth", 0.05, 10.0)), 2)
    return max(round(vertices / depth), 3), depth


def _grid(entries: int, c: Chance) -> tuple[Ints, Arcs]:
    return _lattice(_rectangle(entries / 4, c))


def _between(ends: str, cells: Ints, arcs: Arcs, c: Chance) -> Network:
    """Opposite faces or corners of a lattice, cells anywhere, or its border and its middle as terminals."""
    if ends == "corners":
        return from_to(c, cells.size, arcs, 0, cells.size - 1)
    if ends == "anywhere":
        return with_terminals(c, cells.size, arcs, *scattered(c, cells.size))
    if ends == "faces":
        return with_terminals(c, cells.size, arcs, cells[0].ravel(), cells[-1].ravel())
    border = np.concatenate([cells[0], cells[-1], cells[1:-1, 0], cells[1:-1, -1]])
    nx, ny = cells.shape
    middle = cells[nx // 2 : nx // 2 + 1 + nx // 20, ny // 2 : ny // 2 + 1 + ny // 20].ravel()
    return with_terminals(c, cells.size, arcs, border, np.setdiff1d(middle, border))


def _lattice(shape: tuple[int, ...]) -> tuple[Ints, Arcs]:
    """The numbers of the cells, and arcs both ways between neighbours."""
    cells, tail, head = neighbours(shape, steps(len(shape))[::-1])
    return cells, both_ways((tail, head))


def _arcs_of(A: sparse.csr_array) -> Arcs:
    entries = A.tocoo()
    return entries.row.astype(np.int64), entries.col.astype(np.int64)


def _smooth(shape: tuple[int, ...], c: Chance) -> Any:
    """A level from 0 to 1 for each cell that changes slowly: waves of random directions."""
    draws, waves = c.draws(), 6
    total: Any = 0.0
    for _ in range(waves):
        frequency = (draws.uniform(len(shape)) - 0.5) * 2 * c.log("frequency", 1.0, 30.0)
        phase = sum(
            np.arange(n).reshape([-1 if k == axis else 1 for k in range(len(shape))]) * (f / n)
            for axis, (n, f) in enumerate(zip(shape, frequency, strict=True))
        )
        # A triangular wave: the same on every machine, unlike a sine.
        total = total + np.abs((phase + draws.uniform(1)[0]) % 1.0 - 0.5) * 2.0
    level = (total / waves).ravel()
    return (level - level.min()) / max(float(np.ptp(level)), 1e-9)

"""``dinic`` with the knob ``nearest``: paths of one length before longer ones."""

import numpy as np
from flow_networks import awkward_networks, random_network

import konig


def test_short_paths_come_before_long_ones():
    """Source 0 can send its unit through 1 at once, or take the long way round that 2 needs as well."""
    tail = [0, 0, 1, 2, 3, 1, 4]
    head = [1, 2, 5, 3, 5, 4, 3]
    capacity = [9, 1, 5, 1, 5, 9, 9]
    near = konig.maximum_flow((tail, head, capacity), 0, 5, method="dinic", nearest=True)
    near.verify((tail, head, capacity), 0, 5)
    assert near.value == 10
    assert near.flow.tolist() == [9, 1, 5, 1, 5, 4, 4]


def test_nearest_needs_at_least_as_many_phases_and_finds_the_same_value():
    rng = np.random.default_rng(5)
    phases = np.zeros(2, np.int64)
    networks = [*awkward_networks().values(), *(random_network(rng) for _ in range(150))]
    for net in networks:
        answers = [
            konig.maximum_flow(
                net.arcs,
                net.source,
                net.sink,
                num_vertices=net.num_vertices,
                method="dinic",
                nearest=nearest,
            )
            for nearest in (False, True)
        ]
        for answer in answers:
            answer.verify(net.arcs, net.source, net.sink)
        assert answers[0].value == answers[1].value
        phases += [answer.stats["phases"] for answer in answers]
    assert phases[1] > phases[0]

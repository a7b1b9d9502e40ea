"""``dinic`` with the knob ``nearest``: paths of one length before longer ones."""

import numpy as np
from cases.networks import awkward_networks, random_network

import konig


def test_short_paths_come_before_long_ones():
    """Four units can reach vertex 2 through 1 or at once: at once, as longer paths wait for shorter ones."""
    tail = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    head = [1, 2, 2, 3, 1, 4, 2, 5, 3, 5]
    capacity = [16, 13, 10, 12, 4, 14, 9, 20, 7, 4]
    near = konig.maximum_flow((tail, head, capacity), 0, 5, method="dinic", nearest=True)
    near.verify((tail, head, capacity), 0, 5)
    assert near.value == 23
    assert near.flow.tolist() == [12, 11, 0, 12, 0, 11, 0, 19, 7, 4]


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

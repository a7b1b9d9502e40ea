"""A maximum flow in exact arithmetic, along shortest paths: slow, short, and no part of konig."""

from __future__ import annotations

import math
from collections import deque
from fractions import Fraction

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def exact_value(tail, head, capacity, sources, sinks, num_vertices, undirected=False):
    """The value as a Fraction; infinity if arcs without bound lead from a source to a sink."""
    residual = [{} for _ in range(num_vertices + 2)]

    def add(u, v, amount):
        residual[u][v] = residual[u].get(v, 0) + amount
        residual[v].setdefault(u, Fraction(0))

    numbers = [
        math.inf if amount == math.inf else Fraction(amount) for amount in np.asarray(capacity).tolist()
    ]
    for u, v, amount in zip(np.asarray(tail).tolist(), np.asarray(head).tolist(), numbers, strict=True):
        if u != v:
            add(u, v, amount)
            if undirected:
                add(v, u, amount)
    start, end = num_vertices, num_vertices + 1
    for s in np.atleast_1d(sources).tolist():
        add(start, s, math.inf)
    for t in np.atleast_1d(sinks).tolist():
        add(t, end, math.inf)
    value = Fraction(0)
    while True:
        parent, queue = {start: None}, deque([start])
        while queue and end not in parent:
            u = queue.popleft()
            for v, amount in residual[u].items():
                if amount > 0 and v not in parent:
                    parent[v] = u
                    queue.append(v)
        if end not in parent:
            return value
        path, v = [], end
        while parent[v] is not None:
            path.append((parent[v], v))
            v = parent[v]
        amount = min(residual[u][v] for u, v in path)
        if amount == math.inf:
            return math.inf
        for u, v in path:
            residual[u][v] -= amount
            residual[v][u] += amount
        value += amount


def circulates(tail, head, flow, role):
    """Whether arcs with flow form a directed cycle, all sources being one vertex and all sinks another."""
    vertex = np.arange(len(role))
    for part in (1, 2):
        vertex[role == part] = np.flatnonzero(role == part)[0]
    used = np.flatnonzero(flow != 0)
    ends = vertex[np.asarray(tail)[used]], vertex[np.asarray(head)[used]]
    forward = np.asarray(flow)[used] > 0
    u, v = np.where(forward, *ends), np.where(forward, *ends[::-1])
    if (u == v).any():
        return True
    graph = coo_array((np.ones(len(u)), (u, v)), shape=(len(role), len(role)))
    return connected_components(graph, connection="strong", return_labels=False) < len(role)

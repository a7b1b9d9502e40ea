"""A worker of the benches for tests."""

import json

from konig.lab.bench.worker import SolverError, Worker


class InThisProcess:
    """A worker without a process of its own, so that a test can plant what it likes."""

    alive = True

    def __init__(self, *_):
        self.worker = Worker()

    def ask(self, request, timeout=None):
        words = json.loads(json.dumps(request))
        try:
            return getattr(self.worker, words.pop("do"))(**words)
        except Exception as problem:
            raise SolverError("error", str(problem)) from problem

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

"""Ctrl-C while ranks work together ends between operations, never inside one."""

import os
import signal

import numpy as np
import pytest

from konig.distributed.comm import SoloComm
from konig.distributed.interrupts import Interrupts
from konig.distributed.ranks import Ranks


class InterruptedComm(SoloComm):
    """A Ctrl-C comes during the call of this number, and all calls are recorded when they end."""

    def __init__(self, at):
        self.at, self.ended = at, []

    def _interrupted(self, name, call, *arguments):
        if len(self.ended) == self.at:
            os.kill(os.getpid(), signal.SIGINT)
        found = call(*arguments)
        self.ended.append(name)
        return found

    def allreduce(self, values, how):
        return self._interrupted("allreduce", super().allreduce, values, how)

    def bcast(self, values, root):
        return self._interrupted("bcast", super().bcast, values, root)

    def gatherv(self, values, root):
        return self._interrupted("gatherv", super().gatherv, values, root)


def exchange(ranks):
    with ranks.together():
        ranks.bcast(np.zeros(1))
        ranks.gatherv(np.zeros(1))


OPERATIONS = ["allreduce", "bcast", "allreduce", "gatherv"]  # each after its agreement


@pytest.mark.parametrize("at", range(4))
def test_an_interrupt_waits_for_the_end_of_an_operation(at):
    comm = InterruptedComm(at)
    with pytest.raises(KeyboardInterrupt, match="rank 0"):
        exchange(Ranks(comm))
    # Then the rank tells the others why it leaves.
    assert comm.ended == [*OPERATIONS[: at + 2 - at % 2], "allreduce", "bcast", "bcast"]


def test_an_interrupt_after_the_last_agreement_is_raised_where_it_came():
    comm = InterruptedComm(len(OPERATIONS))
    with pytest.raises(KeyboardInterrupt):
        exchange(Ranks(comm))
    assert comm.ended == [*OPERATIONS, "allreduce"]  # nobody else is there any more


def test_interrupts_are_as_usual_between_operations_and_afterwards():
    usual = signal.getsignal(signal.SIGINT)
    reached = []

    def program(ranks):
        with ranks.together():
            ranks.total(1)
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("not here")

    with pytest.raises(KeyboardInterrupt, match="rank 0"):
        program(Ranks(SoloComm()))
    assert not reached
    assert signal.getsignal(signal.SIGINT) is usual


def test_an_error_of_the_operation_itself_is_raised():
    class FailingComm(SoloComm):
        def gatherv(self, values, root):
            os.kill(os.getpid(), signal.SIGINT)
            raise OSError("the network is down")

    ranks = Ranks(FailingComm())
    with pytest.raises(OSError, match="rank 0: the network is down"), ranks.together():
        ranks.gatherv(np.zeros(1))


def test_a_handler_of_the_callers_own_gets_what_was_held_back():
    heard = []

    class InterruptedComm(SoloComm):
        def gatherv(self, values, root):
            os.kill(os.getpid(), signal.SIGINT)
            return super().gatherv(values, root)

    usual = signal.signal(signal.SIGINT, lambda *_: heard.append("here"))
    try:
        ranks = Ranks(InterruptedComm())
        with ranks.together():
            ranks.gatherv(np.zeros(1))
            assert heard == ["here"]
    finally:
        signal.signal(signal.SIGINT, usual)


def test_an_interrupt_behind_an_error_waits_until_all_have_agreed_on_it():
    interrupts, reached = Interrupts(), []

    def program():
        with interrupts.heard():
            with pytest.raises(OSError, match="gone"), interrupts:
                raise OSError("gone")
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("the agreement")

    with pytest.raises(KeyboardInterrupt):
        program()
    assert reached == ["the agreement"]

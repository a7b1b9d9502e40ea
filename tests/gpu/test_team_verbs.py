"""The verbs of the team on a CUDA grid, by the checks that the CPU teams pass (tests/native/team_verbs.h)."""

from pathlib import Path

import numpy as np
import pytest

from konig.gpu import compile
from konig.gpu.program import BUDGET_NS, CONTROL_WORDS

SOURCES = Path(__file__).parent.parent / "native"
KERNEL = r"""
#include "team_verbs.h"
extern "C" __global__ void __launch_bounds__(256)
    team_verbs(long long items, int* visits, long long* queue, long long* counters, unsigned* broken,
               konig::bsp::Control* control, long long budget_ns) {
  konig::bsp::CudaTeam team(control, budget_ns);
  const konig::team_verbs::Sheet sheet{items, visits, queue, counters, broken};
  konig::team_verbs::Check<konig::bsp::CudaTeam>(team, sheet).run();
  team.leave();
}
"""


def options():
    return compile.options(f"-I{SOURCES}")


@pytest.mark.parametrize("architecture", ["sm_80", "sm_90"])
def test_the_checks_compile(nvrtc, architecture):
    ptx, log = nvrtc.ptx("team_verbs", KERNEL, options(), architecture)
    assert ".entry team_verbs(" in ptx
    assert "warning" not in log


@pytest.mark.gpu
@pytest.mark.parametrize("blocks", [1, 3, 64, 132])
@pytest.mark.parametrize("items", [1, 40, 3000, 100_003])
def test_every_verb_keeps_its_word(blocks, items):
    import cupy

    digest = f"-DTEAM_VERBS={hash((SOURCES / 'team_verbs.h').read_bytes()) & 0xFFFFFFFF}"
    module = cupy.RawModule(
        code=KERNEL, options=(*options(), digest), backend="nvrtc", enable_cooperative_groups=True
    )
    kernel = module.get_function("team_verbs")
    for _ in range(5):
        visits, queue = cupy.zeros(items, np.int32), cupy.zeros(2 * items, np.int64)
        counters, broken = cupy.zeros(8, np.int64), cupy.zeros(1, np.uint32)
        arguments = (np.int64(items), visits, queue, counters, broken)
        control = cupy.zeros(CONTROL_WORDS + 2 * blocks, np.int64)
        kernel((blocks,), (256,), (*arguments, control, np.int64(BUDGET_NS)))
        assert hex(int(broken[0])) == "0x0"

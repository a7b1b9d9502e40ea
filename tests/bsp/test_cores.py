"""How many cores a process may use: affinity, and the quota of its control groups."""

import os

import pytest

from konig import _native, threads

MANY = 2**31 - 1


@pytest.fixture
def quota(tmp_path):
    """The cores that files of control groups pay for."""

    def cores(groups, **files):
        for path, text in {"proc/self/cgroup": groups, **files}.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        return _native.cores_by_quota(str(tmp_path))

    return cores


def v2(**groups):
    return {f"sys/fs/cgroup/{group.replace('__', '/')}/cpu.max": text for group, text in groups.items()}


def test_affinity_counts():
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        assert threads.available_cores() == 1
    finally:
        os.sched_setaffinity(0, before)
    assert 1 <= threads.available_cores() <= len(before)


@pytest.mark.parametrize(
    ("text", "cores"),
    [
        ("400000 100000\n", 4),
        ("250000 100000\n", 2),
        ("50000 100000\n", 1),
        ("max 100000\n", MANY),
        ("", MANY),
        ("nonsense", MANY),
        ("400000 0\n", MANY),
    ],
)
def test_quota_of_version_two(quota, text, cores):
    assert quota("0::/job\n", **v2(job=text)) == cores


def test_the_least_of_nested_groups_holds(quota):
    files = v2(a="300000 100000\n", a__b="max 100000\n", a__b__c="800000 100000\n")
    assert quota("0::/a/b/c\n", **files) == 3


def test_a_container_that_does_not_see_its_path_has_its_group_at_the_top(quota):
    files = {"sys/fs/cgroup/cpu.max": "200000 100000\n"}
    assert quota("0::/system.slice/container.scope\n", **files) == 2


@pytest.mark.parametrize("mounted", ["cpu", "cpu,cpuacct"])
def test_quota_of_version_one(quota, mounted):
    folder = f"sys/fs/cgroup/{mounted}/job"
    files = {f"{folder}/cpu.cfs_quota_us": "600000\n", f"{folder}/cpu.cfs_period_us": "100000\n"}
    groups = "5:memory:/elsewhere\n4:cpu,cpuacct:/job\n1:name=systemd:/\n0::/\n"
    assert quota(groups, **files) == 6
    assert quota(groups, **(files | {f"{folder}/cpu.cfs_quota_us": "-1\n"})) == MANY


def test_what_cannot_be_read_says_nothing(quota, tmp_path):
    assert _native.cores_by_quota(str(tmp_path / "nowhere")) == MANY
    assert quota("garbage\n:\n::\n0::relative\n0::/gone\n") == MANY


@pytest.fixture
def unused(tmp_path):
    """Of all cores, those that are unused where so many threads run."""
    online = os.sysconf("SC_NPROCESSORS_ONLN")
    if len(os.sched_getaffinity(0)) < online:
        pytest.skip("confined to a part of the machine")

    def cores(text, available=online):
        (tmp_path / "proc").mkdir(exist_ok=True)
        (tmp_path / "proc/loadavg").write_text(text)
        return _native.unused_cores(available, str(tmp_path))

    return cores


def test_cores_on_which_others_run_are_not_idle(unused):
    online = os.sysconf("SC_NPROCESSORS_ONLN")
    assert unused("0.20 0.18 0.12 1/80 11206\n") == online
    assert unused("0.20 0.18 0.12 2/80 11206\n") == max(1, online - 1)
    assert unused("9.20 9.18 9.12 900/980 11206\n") == 1
    assert unused("0.20 0.18 0.12 2/80 11206\n", available=1) == 1


@pytest.mark.parametrize("text", ["", "nonsense", "0.20 0.18 0.12", "0.00 0.00 0.00 0/0 0\n"])
def test_all_cores_are_idle_where_the_load_is_not_known(unused, text):
    assert unused(text) == os.sysconf("SC_NPROCESSORS_ONLN")


def test_a_process_confined_to_some_cores_has_them(tmp_path):
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/loadavg").write_text("9.20 9.18 9.12 900/980 11206\n")
    before = os.sched_getaffinity(0)
    if len(before) < 2:
        pytest.skip("one core is no part of more")
    try:
        os.sched_setaffinity(0, {min(before)})
        assert _native.unused_cores(4, str(tmp_path)) == 4
    finally:
        os.sched_setaffinity(0, before)


def test_a_call_says_how_many_threads_it_takes():
    assert threads.chosen_threads(3) == 3
    assert 1 <= threads.chosen_threads(None) <= threads.available_cores()
    assert threads.worth_sharing(10, None) == threads.worth_sharing(10, 8) == 1
    assert threads.worth_sharing(10**9, 8) == 8
    assert threads.worth_sharing(3 << 16, 8) == 3

"""NetworkX's own tests pass with konig as its backend, and with konig's flow function in place of its own."""

from networkx_suite import run_with_backend, run_with_flow_func

from konig.interop.networkx.info import FLOWS, MATCHINGS

HOME = "networkx.algorithms"


def passed(outcome, least):
    assert outcome.status == 0, outcome.printed
    assert set(outcome.outcomes.values()) <= {"passed", "skipped"}, outcome.printed
    assert list(outcome.outcomes.values()).count("passed") >= least, outcome.printed


def test_networkxs_own_tests_pass_with_the_backend(tmp_path):
    packages = [f"{HOME}.flow", f"{HOME}.bipartite", f"{HOME}.connectivity"]
    packages += [f"{HOME}.tests.test_matching", f"{HOME}.tests.test_covering"]
    outcome = run_with_backend(packages, tmp_path)
    passed(outcome, 350)
    # NetworkX tests maximum_flow with a flow_func alone: see the next test.
    assert set(outcome.calls) == {*FLOWS, *MATCHINGS} - {"maximum_flow"}
    assert sum(outcome.calls.values()) > 100, outcome.calls


def test_networkxs_own_tests_of_flows_pass_with_the_backend(tmp_path):
    outcome = run_with_backend([f"{HOME}.flow.tests.test_maxflow"], tmp_path, ignore_flow_func=True)
    passed(outcome, 25)
    assert set(outcome.calls) == set(FLOWS)
    assert sum(outcome.calls.values()) > 50, outcome.calls


def test_networkxs_own_tests_of_flows_pass_with_the_flow_function(tmp_path):
    packages = [f"{HOME}.flow.tests.test_{name}" for name in ("maxflow", "gomory_hu")]
    packages += [f"{HOME}.connectivity.tests.test_{name}" for name in ("cuts", "disjoint_paths")]
    # The one that is left out is about a parameter of preflow_push.
    outcome = run_with_flow_func(packages, tmp_path, "-k", "not global_relabel_freq")
    passed(outcome, 60)
    assert len(outcome.calls) == 5
    assert min(outcome.calls.values()) > 100, outcome.calls

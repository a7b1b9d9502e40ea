"""The pictures of benchmarks: which contenders are drawn, and that the legend names all of them."""

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

from konig.lab.bench.figures import best_methods
from konig.lab.bench.records import Record
from konig.plot import bench

matplotlib.use("Agg")


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """The figure that is drawn of some records."""
    kept = []
    monkeypatch.setattr(bench, "save_figure", lambda figure, path, **how: kept.append(figure))

    def draw(records, parts=("main",)):
        bench.draw(tmp_path / "picture.png", records, parts)
        figure = kept.pop()
        figure.draw_without_rendering()
        return figure

    return draw


def contest(methods, peers=0, instances=3, **more):
    """Methods of which the first is the fastest, and peers that are slower than all."""
    names = [(f"method-{k:02}", "method") for k in range(methods)] + [
        (f"peer-{k}", "peer") for k in range(peers)
    ]
    return [
        Record(f"i{i}", "none", 0, name, kind, seconds=(1.0 + k) * (1 + i), parts={"main": 0.5}, **more)
        for i in range(instances)
        for k, (name, kind) in enumerate(names)
    ]


def test_the_best_methods_are_those_nearest_to_the_best_everywhere():
    assert best_methods(contest(42), 3) == ["method-00", "method-01", "method-02"]
    assert best_methods(contest(2), 8) == ["method-00", "method-01"]
    last = [Record("i0", "none", 0, "auto", "method", seconds=99.0)]
    assert best_methods(contest(42) + last, 2) == ["method-00", "auto"]
    stopped = [Record("i0", "none", 0, "method-00", "method", seconds=9.0, status="timeout")]
    assert best_methods(stopped + contest(3)[1:], 2) == ["method-00", "method-01"]


def test_of_many_methods_the_best_eight_and_all_peers_are_drawn_and_named(drawn):
    figure = drawn(contest(42, peers=7))
    (legend,) = figure.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert names == [f"method-{k:02}" for k in range(8)] + [f"peer-{k}" for k in range(7)]
    assert legend.get_title().get_text() == "the best 8 of 42 methods"
    assert len(figure.axes[0].get_lines()) == 15
    styles = {(str(line.get_color()), str(line._dash_pattern)) for line in legend.get_lines()}
    assert len(styles) == 15, "no two look alike"


@pytest.mark.parametrize("settings", ["", ":relabel=adaptive:k=0.7:device=cpu:threads=1:init=sgm"])
def test_the_legend_is_inside_the_picture(drawn, settings):
    records = contest(42, peers=7)
    for record in records:
        record.solver += settings
    figure = drawn(records)
    box = figure.legends[0].get_window_extent()
    width, height = figure.bbox.size
    assert box.x0 >= 0
    assert box.y0 >= 0
    assert box.x1 <= width
    assert box.y1 <= height


def test_parts_are_those_of_the_problem(drawn):
    records = [Record("a", "none", 0, "auto", "method", seconds=1.0, parts={"build": 0.25, "solve": 0.5})]
    figure = drawn(records, ("build", "solve"))
    bars = [patch.get_width() for patch in figure.axes[2].patches]
    np.testing.assert_allclose(bars, [250, 500, 250])


def test_levels_and_speedups_are_drawn_of_what_a_gpu_solved(drawn):
    levels = {"bfs_levels": [3, 5, 9]}
    on_gpu = contest(2, device="cuda:0", series=levels)
    sequential = [Record(f"i{i}", "none", 0, "pfp", "method", seconds=3.0) for i in range(3)]
    titles = [axes.get_title() for axes in drawn(on_gpu + sequential).axes]
    assert "Speed-up over the faster of pfp and hkdw" in titles
    assert "BFS levels" in titles
    assert len(drawn(contest(2, series=levels) + sequential).axes) == 3


def test_strategies_of_relabelling_are_bars(drawn):
    labels = [f"g-pr-shr:relabel=adaptive:k={k}" for k in ("0.3", "1")]
    records = [Record("a", "none", 0, label, "method", seconds=1.0, device="cuda:0") for label in labels]
    figure = drawn(records)
    assert isinstance(figure, Figure)
    (panel,) = [axes for axes in figure.axes if axes.get_title() == "Strategies of global relabelling"]
    assert [patch.get_height() for patch in panel.patches] == [1000.0, 1000.0]

"""The figure of an experiment: measured series with their quartiles, and dashed what the paper reports.

SPDX-License-Identifier: Apache-2.0
"""
import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "xta"  # the same figure has the same bytes
import matplotlib.pyplot as plot  # noqa: E402
from matplotlib import ticker  # noqa: E402

MARKS = "osD^vPX*"


def lines(axes, panel):
    for k, series in enumerate(panel.series):
        x = [point[0] for point in series.points]
        middle = [point[1].median for point in series.points]
        spread = [[m - s.quartiles[0] for m, (_, s) in zip(middle, series.points)],
                  [s.quartiles[1] - m for m, (_, s) in zip(middle, series.points)]]
        axes.errorbar(x, middle, yerr=spread, label=series.name, marker=MARKS[k % len(MARKS)], capsize=3, color=f"C{k}")
    for k, (name, points) in enumerate(panel.reported):
        axes.plot([p[0] for p in points], [p[1] for p in points], "--", label=f"{name} (paper)",
                  marker=MARKS[k % len(MARKS)], alpha=0.6, color=f"C{k}", markerfacecolor="none")


def bars(axes, panel):
    groups = list(dict.fromkeys(point[0] for series in panel.series for point in series.points))
    width = 0.8 / (len(panel.series) + len(panel.reported))
    for k, series in enumerate(panel.series):
        for x, sample in series.points:
            low, high = sample.quartiles
            axes.bar(groups.index(x) + k * width, sample.median, width, color=f"C{k}",
                     yerr=[[sample.median - low], [high - sample.median]], capsize=2,
                     label=series.name if x == series.points[0][0] else None)
    for k, (name, points) in enumerate(panel.reported):
        at = [(groups.index(x) + (len(panel.series) + k) * width, y) for x, y in points if x in groups]
        axes.bar([p[0] for p in at], [p[1] for p in at], width, label=f"{name} (paper)", color="white",
                 edgecolor=f"C{k}", hatch="//")
    axes.set_xticks([g + 0.4 - width / 2 for g in range(len(groups))], groups, rotation=20, ha="right", fontsize=8)


def draw(experiment, result, path):
    if not result.panels:
        return
    columns = min(2, len(result.panels))
    rows = -(-len(result.panels) // columns)
    shown, grid = plot.subplots(rows, columns, figsize=(6.2 * columns, 4.6 * rows), squeeze=False)
    for axes in grid.flat[len(result.panels):]:
        axes.remove()
    for axes, panel in zip(grid.flat, result.panels):
        text = any(isinstance(point[0], str) for series in panel.series for point in series.points)
        (bars if text else lines)(axes, panel)
        axes.set(title=panel.title, xlabel=panel.x, ylabel=panel.y)
        if panel.log_x and not text:
            axes.set_xscale("log")
        elif not text and all(isinstance(point[0], int) for series in panel.series for point in series.points):
            axes.xaxis.set_major_locator(ticker.MaxNLocator(integer=True))
        if panel.log_y:
            axes.set_yscale("log")
        axes.grid(True, alpha=0.3)
        axes.legend(fontsize=8)
    shown.suptitle(f"{experiment.title} ({experiment.source})")
    shown.tight_layout()
    shown.savefig(path, metadata={"Date": None})
    plot.close(shown)

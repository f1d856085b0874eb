# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of an array and of a data set: a table, and a map of the chunks."""
from __future__ import annotations

from html import escape
from typing import Any

MOST_LINES = 48  # of a map, on each axis
SIDE = 160  # pixels of the longer side


def _size_text(n: float) -> str:
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if n < 1024 or unit == "TiB":
            return f"{n:.0f} {unit}" if unit == "bytes" else f"{n:.1f} {unit}"
        n /= 1024
    return ""


def _lines(edges: tuple[int, ...]) -> tuple[int, ...]:
    """Edges to be drawn: all, or as many as can be seen."""
    if len(edges) <= MOST_LINES:
        return edges
    stride = -(-len(edges) // MOST_LINES)
    return (*edges[:-1:stride], edges[-1])


def chunk_map(array: Any) -> str:
    """SVG of the chunks of the last two axes (one: a bar), with coordinate 0 where the array has grown at its front."""
    axes = list(range(array.ndim))[-2:]
    lengths = [array.shape[axis] for axis in axes]
    if array.ndim == 1:
        axes, lengths = [None, 0], [1, array.shape[0]]
    if min(lengths) == 0:
        return ""
    longest = max(lengths)
    height, width = (max(SIDE * n / longest, 12) for n in lengths)
    drawn = [f'<rect x="0" y="0" width="{width:.1f}" height="{height:.1f}" fill="#e8f0f8" stroke="#246"/>']
    for axis, horizontal, extent in ((axes[0], True, height), (axes[1], False, width)):
        if axis is None:
            continue
        n, lo = array.shape[axis], array.bounds[axis][0]
        for edge in _lines(array.chunk_edges(axis)):
            at = edge * extent / n
            colour = "#c33" if lo < 0 and edge == -lo else "#8ab"
            ends = f'x1="0" x2="{width:.1f}" y1="{at:.1f}" y2="{at:.1f}"' if horizontal else \
                f'x1="{at:.1f}" x2="{at:.1f}" y1="0" y2="{height:.1f}"'
            drawn.append(f'<line {ends} stroke="{colour}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 2:.0f}" height="{height + 2:.0f}" '
        f'viewBox="-1 -1 {width + 2:.1f} {height + 2:.1f}">{"".join(drawn)}</svg>'
    )


def _table(rows: list[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>" for name, value in rows)
    return f"<table>{cells}</table>"


def array(a: Any) -> str:
    """HTML of an array."""
    if a.closed:
        return f"<pre>{escape(repr(a))}</pre>"
    bounds = ", ".join(f"{escape(name)} {lo}:{hi}" for name, (lo, hi) in zip(a.dims, a.bounds))
    rows = [
        ("path", escape(a.path)),
        ("cells", f"{escape(str(a.dtype))}, {' &times; '.join(map(str, a.shape))} ({_size_text(a.nbytes)})"),
        ("bounds", bounds),
        ("chunks", " &times; ".join(map(str, a.chunks))),
        ("step", str(a.step)),
    ]
    table = _table(rows)
    return f"<div style='display:flex;gap:1em;align-items:center'>{table}{chunk_map(a)}</div>"


def dataset(d: Any) -> str:
    """HTML of a data set."""
    if d.closed:
        return f"<pre>{escape(repr(d))}</pre>"
    rows = [("path", escape(d.path))]
    rows += [(escape(name), f"dimension {dim.lo}:{dim.hi} {escape(dim.unit)}") for name, dim in d.dims.items()]
    for name in d.members:
        a = d[name]
        axes = ", ".join(escape(dim) for dim in a.dims)
        rows.append((escape(name), f"{escape(str(a.dtype))} ({axes}) {' &times; '.join(map(str, a.shape))}"))
    rows += [(escape(name), "group") for name in d.groups]
    return _table(rows)

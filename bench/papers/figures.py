"""Figures that show addresses: what bench_figures made against what is printed.

SPDX-License-Identifier: Apache-2.0
"""
import growing
from experiment import Result, verdict_of


def found(context):
    """{figure: {coordinates, or the text of a record: address}} of bench_figures."""
    def measure():
        arrays = {}
        for (figure, series), sample in context.rows([context.program("bench_figures")], repetitions=1).items():
            key = series if figure.endswith("records") else tuple(map(int, series.split(";")))
            arrays.setdefault(figure, {})[key] = round(sample.median)
        return arrays
    return growing.once(context, "figures", measure)


def result(printed, made):
    """A row for each figure: how many of the printed addresses the library gives."""
    table = [["figure", "cells or records printed", "of these with the library's address", "largest address made"]]
    equal = {}
    wrong = []
    for name, expected in printed.items():
        same = [made[name].get(key) == address for key, address in expected.items()]
        equal[name] = all(same)
        wrong += [f"{name} {key}: {made[name].get(key)} instead of {address}"
                  for (key, address), right in zip(expected.items(), same) if not right]
        table.append([name, str(len(same)), str(sum(same)), str(max(made[name].values()))])
    said = f"{sum(equal.values())} of {len(equal)} are reproduced address by address."
    return Result(verdict_of(list(equal.values())), said + (" Others: " + "; ".join(wrong[:4]) + "." if wrong else ""),
                  table=table)

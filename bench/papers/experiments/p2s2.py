"""[P2S2]: the figures of the slides. They carry titles and no numbers in the text that we have; four of them are
figures of [CXA] 3.5 and 6.4, whose measurements are used again here.

SPDX-License-Identifier: Apache-2.0
"""
import dataclasses

import figures
from experiment import FAILS, HOLDS, NOT_RUN, PARTLY, Experiment, Result
from experiments import cxa_03_memory, cxa_06_files

CELLS_3_3_1 = {(1, 4, 0): 26, (2, 4, 1): 29, (3, 3, 1): 37}
RECORDS_3_3_2 = {"D0;0;6;2;1": 0, "D0;3;10;2;1": 30, "D1;3;2;6;1": 18, "D2;2;5;1;25": 50}
RECORDS_4_1_1 = {"D0;0;2;1": 0, "D1;2;1;2": 4}


def illustrations(context):
    made = figures.found(context)
    return figures.result(
        {"slides 13, 14 (Fig. 3.3.1)": CELLS_3_3_1, "slides 13, 14 (Fig. 3.3.2)": RECORDS_3_3_2,
         "slide 22 (Fig. 4.1.1)": RECORDS_4_1_1},
        {"slides 13, 14 (Fig. 3.3.1)": made["cxa 3.3.1"], "slides 13, 14 (Fig. 3.3.2)": made["cxa 3.3.1 records"],
         "slide 22 (Fig. 4.1.1)": made["cxa 4.1.1 records"]})


def results(context):
    """The verdicts of the experiments that the slides' titles name; the rows are measured once for both."""
    parts = {"slide 32, access without extensions": cxa_06_files.static, "slide 33, extensions in memory":
             cxa_06_files.interleaved, "slide 34, extensions on disk": cxa_06_files.on_disk,
             "slide 35, storage utilisation": cxa_06_files.utilisation}
    found = {name: run(context) for name, run in parts.items()}
    verdicts = [result.verdict for result in found.values()]
    verdict = (HOLDS if set(verdicts) == {HOLDS} else FAILS if set(verdicts) == {FAILS} else
               NOT_RUN if NOT_RUN in verdicts else PARTLY)
    same = cxa_03_memory.static(context).verdict
    said = "; ".join(f"{name}: {result.verdict}" for name, result in found.items())
    return Result(verdict, f"Of the slides' four figures, {said}. Without chunks, slide 32: {same}. The sections on "
                  "[CXA] 3.5 and 6.4 say why.", [
                      dataclasses.replace(result.panels[0], title=name) for name, result in found.items()])


EXPERIMENTS = [
    Experiment(
        "slides-illustrations", "[P2S2] slides 13, 14, 22", "The slides' illustrations of addresses",
        "The 3-dimensional array of slides 13 and 14 and the chunked one of slide 22 show addresses and axial vectors. "
        "The text of the slides has no labels; they are those of [CXA] Fig. 3.3.1, 3.3.2 and 4.1.1, whose text has "
        "some: A(1,4,0) at 26, A(2,4,1) at 29, A(3,3,1) at 37, and the records.",
        "A[3][3][2] grows by 2 on axis 1, by 2 on axis 0 and by 1 on axis 2; 2 x 2 chunks by one on axis 1. Addresses "
        "by the library, records by the axial vectors of the thesis, which must give the same address for every cell.",
        illustrations),
    Experiment(
        "slides-results", "[P2S2] slides 32 to 35", "The slides' results",
        "Average access cost without extensions, total access cost with interleaved extensions in memory and on disk, "
        "and storage utilisation. The text of the slides has the titles alone; the claims taken are those of [CXA] "
        "6.4, which has the same figures, and of slide 9: arrays grow in any dimension without reorganising what is "
        "there.",
        "The runs of the experiments on [CXA] 3.5 and 6.4; see there.",
        results),
]

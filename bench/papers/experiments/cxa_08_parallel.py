"""[CXA] 8.5: PEXTA, the stock Disk Resident Arrays of Global Arrays, and parallel HDF5.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import statistics

from experiment import FAILS, HOLDS, PARTLY, Experiment, Panel, Result, Sample, Series, series_of

PEXTA, DRA, CHUNKED, COPIED = "PEXTA", "DRA", "HDF5 chunked", "HDF5 copied"
ENV = {"OPENBLAS_NUM_THREADS": "1", "OMPI_MCA_mpi_yield_when_idle": "1"}
MANY, FEW = 0.75, 0.25  # the share of its cases in which a statement holds, or does not
PEERS = (f"{DRA}: stock Disk Resident Arrays, their own choice of files and I/O processes. {CHUNKED}: parallel HDF5, "
         "latest format, collective transfers and metadata, page-aligned, no fill values, chunks as ours, and "
         "unlimited axes where the array grows, which the thesis does not use (it says that HDF5 grows on one axis).")
GROWTH_PEERS = (f"{PEERS} {COPIED}: a contiguous dataset that is copied into a larger one, which is what the thesis "
                "describes; DRA grows in the same way. PEXTA and chunked HDF5 are extended by a program without MPI; "
                "HDF5 has to be closed meanwhile, PEXTA need not. That program makes its cells durable; a copy is not.")


def judge(statements):
    """The verdict for [(text, cases as booleans)], and the counts as text: it holds if every statement is true in many
    of its cases, it does not if none is in more than a few."""
    shares = [statistics.mean(cases) for _, cases in statements]
    verdict = HOLDS if min(shares) >= MANY else FAILS if max(shares) <= FEW else PARTLY
    return verdict, "; ".join(f"{text}: {sum(cases)} of {len(cases)}" for text, cases in statements)


def merged(context, program, ranks, arguments):
    """{(ranks, case, series): Sample} of one program, on several numbers of ranks."""
    found = {}
    for n in ranks:
        for (case, series), sample in context.rows([context.program(program), *arguments], n, env=ENV,
                                                     repetitions=min(3, context.repetitions)).items():
            found[n, case, series] = sample
    return found


@functools.cache
def transfers(context, side, ranks, buffers):
    """Both figures come from the same runs."""
    return merged(context, "paper_transfer", ranks, [side, *buffers])


def transfer(context, direction):
    ranks, buffers = (1, 2, 4), (1, 4, 16)
    side = 64 * max(1, round(3 * context.scale ** (1 / 3)))
    rows = transfers(context, side, ranks, buffers)
    names = [(library, aligned) for library in (PEXTA, DRA, CHUNKED) for aligned in ("aligned", "unaligned")]

    def rate(n, buffer, library, aligned, way=direction):
        return rows[n, f"{aligned};{way};{buffer}", library]

    by_ranks = [Series(f"{library}, {aligned}", [(n, rate(n, buffers[-1], library, aligned)) for n in ranks])
                for library, aligned in names]
    by_buffer = [Series(f"{library}, {aligned}", [(b, rate(ranks[1], b, library, aligned)) for b in buffers])
                 for library, aligned in names]
    cases = [(n, buffer) for n in ranks for buffer in buffers]
    statements = [
        ("DRA, aligned, is the fastest of all",
         [all(rate(*at, DRA, "aligned").median >= rate(*at, *name).median for name in names) for at in cases]),
        ("aligned is faster than unaligned, of each library",
         [rate(*at, library, "aligned").median > rate(*at, library, "unaligned").median
          for at in cases for library in (PEXTA, DRA, CHUNKED)])]
    if direction == "write":
        most = [(ranks[-1], buffer) for buffer in buffers]
        statements.append((f"on {ranks[-1]} processes writes are faster than reads",
                           [rate(*at, *name).median > rate(*at, *name, "read").median
                            for at in most for name in names]))
    verdict, why = judge(statements)
    ratio = statistics.median(rate(*at, PEXTA, "aligned").median / rate(*at, DRA, "aligned").median for at in cases)
    title = f"{direction}s of {side}^3 doubles"
    return Result(verdict, f"Cases in which it is so: {why}. Aligned, PEXTA has {ratio:.2f} times the rate of DRA in "
                  "the median.",
                  [Panel(f"{title}, buffer of {buffers[-1]} MiB", "processes", "GB/s", by_ranks),
                   Panel(f"{title}, {ranks[1]} processes", "buffer, MiB", "GB/s", by_buffer, log_x=True)])


def totals(rows, cases, library, parts):
    """For each case the sum over the parts, repetition by repetition."""
    return [(case, Sample([sum(values) for values in zip(*(rows[case, f"{library};{part}"].values for part in parts))],
                          rows[case, f"{library};{parts[0]}"].unit)) for case in cases]


def against(series, reference=PEXTA):
    """{library: the reference's time as shares of that library's, one for each case}."""
    ours = {x: sample.median for x, sample in next(s for s in series if s.name == reference).points}
    return {s.name: [ours[x] / sample.median for x, sample in s.points] for s in series if s.name != reference}


def growth(context):
    """Growth by an outside process, then the write of the session and the read of the next one."""
    side = 32 * max(1, round(4 * context.scale ** (1 / 3)))
    rows = context.rows([context.program("paper_growth"), side, 16, 3], 2, env=ENV,
                        repetitions=min(3, context.repetitions))
    libraries, parts = (PEXTA, DRA, CHUNKED, COPIED), ("growth", "write", "read")
    cases = list(dict.fromkeys(case for case, _ in rows))
    whole = [Series(library, [(int(case), sample) for case, sample in totals(rows, cases, library, parts)])
             for library in libraries]
    moved = [Series(library, [(int(case), sample) for case, sample in totals(rows, cases, library, parts[1:])])
             for library in libraries]
    shares = against(whole)
    verdict, why = judge([(f"at most half the time of {name}", [share <= 0.5 for share in values])
                          for name, values in shares.items()])
    medians = ", ".join(f"{statistics.median(values):.2f} of {name}" for name, values in shares.items())
    alone = ", ".join(f"{statistics.median(values):.2f} of {name}" for name, values in against(moved).items())
    return Result(verdict, f"\"Far less\" is read as at most half. PEXTA's time for growth, write and read together, "
                  f"cubes in which it is so: {why}. In the median it is {medians}; without the growth itself {alone}.",
                  [Panel("growth, write and read", "side of the cube", "ms", whole, log_y=True),
                   Panel("write and read alone", "side of the cube", "ms", moved, log_y=True)])


def application(context, name, steps, sizes):
    """An application in three sessions, its arrays growing in between; by the size of the first."""
    sizes = [max(64, round(size * context.scale ** 0.5)) for size in sizes]
    libraries, parts = (PEXTA, DRA, CHUNKED, COPIED), ("io", "compute", "growth")
    rows = context.rows([context.program("paper_applications"), name, 3, steps, *sizes], 2, env=ENV,
                        repetitions=min(3, context.repetitions))
    cases = [str(size) for size in sizes]
    whole = [Series(library, [(int(case), sample) for case, sample in totals(rows, cases, library, parts)])
             for library in libraries]
    largest = [Series(part if part != "growth" else "waiting for growth",
                      [(library, rows[cases[-1], f"{library};{part}"]) for library in libraries]) for part in parts]
    shares = against(whole)
    verdict, why = judge([(f"PEXTA is faster than {peer}", [share < 1 for share in values])
                          for peer, values in shares.items()])
    medians = ", ".join(f"{statistics.median(values):.2f} of {peer}" for peer, values in shares.items())
    return Result(verdict, f"Sizes in which it is so: {why}. In the median PEXTA's whole time is {medians}.",
                  [Panel("all sessions", "first size", "ms", whole, log_y=True),
                   Panel(f"where the time goes, first size {cases[-1]}", "library", "ms", largest)])


def session_cache(context):
    """Skewed and uniform reads of sections without and with the cache, files mapped and not."""
    side, reads = 128 * max(4, round(16 * context.scale ** 0.5)), 400
    panels, faster, said = [], {}, []
    for how, io in (("mapped", "auto"), ("by calls, as on several machines", "calls")):
        rows = context.rows([context.program("paper_cache"), side, reads, 8], 2, env={**ENV, "XTA_PEXTA_IO": io})
        panels.append(Panel(f"{reads} reads, files {how}", "reads", "ms", series_of(
            rows, ["without", "with"], ["skewed", "uniform"])))
        for kind in ("skewed", "uniform"):
            share = rows[kind, "with"].median / rows[kind, "without"].median
            faster[how, kind] = share < 1
            said.append(f"{kind}, {how}: {share:.2f} ({rows[kind, 'hits'].median:.0f} % hits)")
    skewed = [value for (_, kind), value in faster.items() if kind == "skewed"]
    verdict = HOLDS if all(faster.values()) else PARTLY if any(skewed) else FAILS
    return Result(verdict, f"Time with the cache as a share of that without: {'; '.join(said)}. It holds if all reads "
                  "are faster, partly if some skewed ones are.", panels)


TRANSFER_SETTING = (
    "Theirs: 5000^3 doubles (1 TB), up to 224 cores of a cluster, a parallel file system. Ours: 192^3 doubles (57 MB), "
    "chunks of 32x64x64, 1, 2 and 4 processes on 2 processors, so 4 share them; buffers of 1, 4 and 16 MiB for each "
    "process (PEXTA_Init and DRA_Init: max_memory; HDF5: cb_buffer_size). Unaligned sections begin 13 cells in and "
    "end 19 before the end. New files are written, reads come from the page cache; nothing is synced, and every cell "
    f"is compared. {PEERS}")

APPLICATION_SETTING = (
    "2 processes; three sessions, each of which reads its global arrays, computes while another program extends the "
    "arrays on disk on both axes by 1 to 100 cells (the same numbers for all), and writes the result; the next one "
    "works with the larger arrays. Counted is all of it but creating. The result is compared with a serial reference "
    f"(of the product: every 97th row). {GROWTH_PEERS}")

EXPERIMENTS = [
    Experiment(
        "pexta_read", "[CXA] 8.5.2, Fig. 8.5.1", "Transfer rate of aligned and unaligned reads",
        "DRA's aligned transfers are said to be the fastest; PEXTA's have the overhead of building the tree from the "
        "metadata, and unaligned ones are split up first. The figure is an image; the text prints no rates.",
        TRANSFER_SETTING, lambda context: transfer(context, "read")),
    Experiment(
        "pexta_write", "[CXA] 8.5.2, Fig. 8.5.2", "Transfer rate of aligned and unaligned writes",
        "As for reads; unaligned writes first read the chunks they change a part of. Writes \"appear to execute faster "
        "than read operations when more processes are used\".",
        TRANSFER_SETTING, lambda context: transfer(context, "write")),
    Experiment(
        "pexta_growth", "[CXA] 8.5.2, Fig. 8.5.3", "Aligned writes after growth by another process",
        "DRA and HDF5 have to reorganise their cells, PEXTA does not: its total time for reads and writes is \"far "
        "less\" than theirs. The figure is an image of logarithms without digits in the text.",
        "Theirs: a cube of doubles from 12 GB to 64 GB, extended on its axes in turn by 2 cells at a time. Ours: from "
        "128^3 to 176^3 (44 MB), by 16 cells on each axis in turn, chunks of 32^3, 2 processes; each time the session "
        "writes its cells and reads the whole grown array, and every cell is compared. The sums of three growths are "
        f"shown. {GROWTH_PEERS}", growth),
    Experiment(
        "matmul", "[CXA] 8.5.2, Fig. 8.5.4", "Matrix product while the matrices on disk grow",
        "DRA and HDF5 incur the reorganisation of the matrices, as in Fig. 8.5.3, PEXTA does not. The figure is an "
        "image of logarithms without digits in the text.",
        "Theirs: SRUMMA, square matrices of 1000 to 7000, extended by 1 to 100 cells during the product. Ours: "
        f"GA_Dgemm, whose algorithm is SRUMMA, matrices of 256 to 768 and chunks of 128x128. {APPLICATION_SETTING}",
        lambda context: application(context, "matmul", 0, (256, 512, 768))),
    Experiment(
        "lennard_jones", "[CXA] 8.5.2, Fig. 8.5.5", "Lennard-Jones system while its force matrix on disk grows",
        "With DRA and HDF5 there is the overhead of reorganisation; the extensions overlap the computation.",
        "Theirs: force matrices of 500 to 16000. Ours: of 128 to 512 atoms, four numbers (force, energy) for each "
        f"pair, 4 time steps in a session, chunks of 64x64 pairs. {APPLICATION_SETTING}",
        lambda context: application(context, "lennard_jones", 4, (128, 256, 512))),
    Experiment(
        "cavity", "[CXA] 8.5.2, Fig. 8.5.6", "Lattice Boltzmann cavity while its grid on disk grows",
        "With DRA and HDF5 there is the overhead of reorganisation; the extensions overlap the simulation.",
        "Theirs: grids of 500 to 16000. Ours: lid-driven, D2Q9, grids of 64 to 256, 16 time steps in a session, "
        f"chunks of 64x64 cells of nine numbers. {APPLICATION_SETTING}",
        lambda context: application(context, "cavity", 16, (64, 128, 256))),
    Experiment(
        "session_cache", "[CXA] 10.2", "Session cache of frequent chunks",
        "A cache in memory that holds frequently requested chunks \"will improve performance\"; intended there, not "
        "built.",
        "2048^2 doubles (34 MB) in chunks of 128x128, 2 processes, 400 blocking reads of 96x96 cells into a global "
        "array. Skewed: nine of ten reads are of one of eight places; uniform: anywhere. The cache has 8 MiB for "
        "each process, or none. The file is in the page cache in either case; every cell is compared.", session_cache),
]

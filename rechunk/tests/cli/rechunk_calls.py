# The promises of a plan, the report of the run, and the calls seen by strace: for row and column order on both sides,
# and limits from a part of the cells to all of them. Prints a line where they do not agree.
# SPDX-License-Identifier: Apache-2.0
import itertools, json, os, re, subprocess

import numpy

# LeakSanitizer does not work under strace.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
CALLS = "pread64,pwrite64,preadv,pwritev"
shape = (24, 25, 22, 15)
cells = numpy.arange(numpy.prod(shape), dtype="u2").reshape(shape)
numpy.save("row.npy", cells)
numpy.save("column.npy", numpy.asfortranarray(cells))


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def traced(*words):
    """Calls by file and kind, and the output of the tool."""
    out = run("strace", "-f", "-y", "-o", "strace.out", "-e", "trace=" + CALLS, *words)
    seen = {}
    for line in open("strace.out"):
        # Two threads: a call may be printed on two lines, of which the first names the file.
        found = re.match(r"\d+ +p(read|write)\w*\(\d+<([^>]*)>", line)
        if found:
            key = found[2], found[1]
            seen[key] = seen.get(key, 0) + 1
    return seen, out


def calls_on(seen, name, kind):
    return sum(n for (path, k), n in seen.items() if k == kind and os.path.basename(path).startswith(name))


for name, chunk in [("odd", "9,12,16,7"), ("flat", "24,25,1,2"), ("half", "16,16,16,8")]:
    for order in "row", "column":
        run("xta", "import", "row.npy", f"{name}_{order}", "--chunk", chunk, "--order", order)
ends = ["row.npy", "column.npy"] + [f"{n}_{o}" for n in ("odd", "flat", "half") for o in ("row", "column")]
cases = list(itertools.product(ends, ends, ("4MiB", "200KiB")))
for number, (source, target, memory) in enumerate(cases):
    words = ["--memory", memory]
    if source == target or number % (3 if "npy" in source + target else 7):
        continue
    name = "dst"
    if target.endswith(".npy"):
        name = "dst.npy"
        words += ["--order", target[:-4]]
    else:
        chunk = json.loads(run("xta", "info", target, "--json"))["chunk"]
        words += ["--chunk", ",".join(map(str, chunk)), "--order", target.split("_")[1]]
    try:
        plan = json.loads(run("xta", "rechunk", source, name, *words, "--plan", "--json"))["plans"][0]
    except subprocess.CalledProcessError as failure:
        if "bytes are enough" not in failure.stderr:
            print(source, target, memory, failure.stderr)
        continue
    seen, out = traced("xta", "rechunk", source, name, *words, "--json")
    done = json.loads(out)
    data = "" if source.endswith("npy") else ".xta"
    reads = calls_on(seen, source + data, "read")
    writes = calls_on(seen, "dst.npy.part" if name == "dst.npy" else "dst.xta", "write")
    head = 1  # one more, for the header
    heads = 3 if source.endswith("npy") else 1
    case = f"{source} to {target} within {memory}:"
    if not done["reads"] <= reads <= done["reads"] + heads:
        print(case, "reported", done["reads"], "reads, there were", reads)
    # Writes of an array through its mapping or cache are not reported, nor, if mapped, seen by strace.
    if not done["writes"] + head <= writes <= plan["most_write_calls"] + head:
        print(case, "reported", done["writes"], "writes, there were", writes - head)
    for kind in "read", "write":
        most = plan[f"most_{kind}_calls"]
        if done[kind + "s"] > most:
            print(case, f"planned {plan[kind + '_runs']} {kind} runs, at most {most} calls; there were", done[kind + "s"])
    back = name
    if name == "dst":
        back = "back.npy"
        run("xta", "export", name, back)
    if not (numpy.load(back) == cells).all():
        print(case, "cells differ")
    for left in "back.npy", "dst.npy", "dst.xta", "dst.xmd":
        if os.path.exists(left):
            os.remove(left)
print("compared")

"""Calls of the verbs that are compared with docs/JSON.md, and calls that fail. See json_fields.py.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import json
import math
import subprocess

LISTED = "x=[2,0]"
SHAPES = ("--bounds", "8,8", "--from", "2,2", "--chunk", "4,4", "--type", "f32")
CUBE = ("--measures", "sum,count", "--levels", "t:1>2")

# For each verb the rest of a command line that fails.
FAILS = {
    "create": ("a", "--type", "f32", "--bounds", "1"),
    "extend": ("none", "--axis", "0", "--by", "1"),
    "shrink": ("a", "--axis", "0", "--by", "99"),
    "add-axis": ("none", "--at", "0"),
    "info": ("none",),
    "address": ("a", "--chunk", "0,0", "--chunk", "99,0"),
    "read": ("a", "--box", "0:99,:"),
    "write": ("a", "--box", "0,0:2", "--from", "one"),
    "fill": ("a", "--box", "0:99,:", "--value", "1"),
    "tune": ("none", "--query", "1,:"),
    "attr": ("a", "none"),
    "ls": ("none",),
    "check": ("none",),  # of a damaged array the object is whole
    "compact": ("none",),
    "undo": ("a",),
    "upgrade": ("a", "none"),
    "diff": ("a", "none"),
    "copy": ("a", "b"),
    "concat": ("again", "a", "none", "--along", "t"),
    "rename": ("a", "--attribute", "none=other"),
    "history": ("none",),
    "help": ("none",),
    "version": ("more",),
    "cube": ("none", "more"),
    "draw": ("none", "--out", "none.png"),
    "export": ("none", "none.npy"),
    "extract": ("a", "--regions", "none"),
    "hyper pct": ("none", "more"),
    "hyper count": ("none",),
    "hyper endmembers": ("none", "more.csv", "--count", "2"),
    "hyper unmix": ("scene", "none.csv", "more"),
    "hyper classify": ("scene", "none.csv", "more"),
    "hyper score": ("none", "map"),
    "hyper follow": ("none", "more", "--count", "2", "--once"),
    "hyper report": ("none.html", "--scene", "none"),
    "hyper synth": ("none", "library.csv", "more"),
    "import": ("none", "more"),
    "mount": ("none", "more"),
    "query": ("none",),
    "rechunk": ("none", "more", "--chunk", "2,2"),
    "reduce": ("a", "--over", "none"),
    "serve": ("none", "--for", "0"),
    "stat": ("none",),
}


@functools.cache
def all_verbs():
    """What `xta help` lists; of a verb that has verbs, these: "read", "hyper pct"."""
    def out(*words):
        return subprocess.run(("xta",) + words, stdout=subprocess.PIPE, text=True, check=True).stdout
    names = []
    for command in json.loads(out("help", "--json"))["commands"]:
        text = json.loads(out("help", command["name"], "--json"))["text"]
        inner = text.partition("\nCommands:\n")[2].partition("\n\n")[0]
        names += [f"{command['name']} {line.split()[0]}" for line in inner.splitlines()] or [command["name"]]
    return names


def make(verb):
    """Files for the calls below, in the folder of json_fields.py."""
    with open("regions", "w", encoding="ascii") as handle:
        handle.write("box 0:2,0:2 one\n")
    with open("column", "w", encoding="ascii") as handle:
        handle.write("box 0:2\n")
    full = """netcdf s { dimensions: t = unlimited; x = 3; variables: byte a(t, x); double t(t); double x(x);
        t:units = "s";
        :title = "set"; data: t = 1, 2; x = 0, 0.5, 1; a = 1, 2, 3, 4, 5, 6; group: g { variables: byte b(x); } }"""
    subprocess.run(["ncgen", "-4", "-o", "full.nc"], input=full, text=True, check=True)
    subprocess.run(["nccopy", "-c", "t/1,x/2", "full.nc", "chunked.nc"], check=True)
    verb("import", "full.nc", "full/")
    for folder in ("one_set", "other_set"):
        verb("create", f"{folder}/y", "--type", "u8", "--bounds", "2", "--names", "y")
        verb("create", f"{folder}/x", "--type", "u8", "--bounds", "2", "--names", "x")
    with open("lost.cdl", "w", encoding="ascii") as handle:
        handle.write("netcdf s { types: int(*) v; dimensions: t = 2; variables: byte a(t); v r(t); }")
    subprocess.run(["ncgen", "-4", "-o", "lost.nc", "lost.cdl"], check=True)
    with open("plan.json", "w", encoding="ascii") as handle:
        handle.write(verb("rechunk", "--plan", "--json", *SHAPES))
    if "hyper pct" not in all_verbs():
        return
    verb("create", "map", "--type", "u8", "--bounds", "20,24", "--chunk", "20,24", "--names", "line,sample")
    with open("map.txt", "w", encoding="ascii") as handle:
        handle.write(" ".join(str((i // 5 + j // 6) % 4 + 1) for i in range(20) for j in range(24)))
    verb("write", "map", "--box", ":,:", "--from", "map.txt")
    write_library("library.csv", "", 1)
    write_library("percent.csv", "# Reflectance scale factor: 100\n", 100)


def write_library(path, head, scale):
    """Four spectra; with a scale there is a note on them."""
    with open(path, "w", encoding="ascii") as handle:
        handle.write(head + "wavelength (nm),soil,tree,water,roof\n")
        for i in range(12):
            values = (0.2 + 0.03 * i, 0.1 + 0.5 / (1 + math.exp(5 - i)), 0.3 * math.exp(-i / 3),
                      0.5 + 0.2 * math.sin(i / 2))
            handle.write(",".join([str(400 + 25 * i)] + [repr(scale * v) for v in values]) + "\n")


def hyper():
    """Calls of the verbs of `xta hyper`."""
    yield "hyper synth", ("map", "library.csv", "scene", "--noise", "30", "--mixing", "1", "--abundances", "truth")
    yield "hyper synth", ("map", "library.csv", "clean")
    yield "hyper count", ("scene",)
    yield "hyper pct", ("scene", "components", "--components", "3")
    yield "hyper pct", ("scene", "more", "--components", "2", "--mnf", "--basis", "basis")
    yield "hyper endmembers", ("scene", "found.csv", "--count", "4")
    yield "hyper endmembers", ("scene", "means.csv", "--count", "3", "--means")
    yield "hyper endmembers", ("scene", "ppi.csv", "--count", "3", "--method", "ppi", "--projections", "50")
    yield "hyper endmembers", ("scene", "amee.csv", "--count", "3", "--method", "amee")
    yield "hyper unmix", ("scene", "found.csv", "abundances", "--residual", "rest")
    yield "hyper unmix", ("scene", "percent.csv", "abundances2")
    yield "hyper classify", ("scene", "found.csv", "labels", "--by", "sad", "--truth", "map")
    yield "hyper classify", ("scene", "percent.csv", "labels2", "--by", "sad")
    yield "hyper classify", ("scene", "trained", "--supervised", "lda", "--truth", "map", "--train", "0.5")
    yield "hyper score", ("labels", "map")
    yield "hyper score --endmembers", ("--endmembers", "found.csv", "--reference", "library.csv", "--abundances",
                                       "abundances", "--truth-abundances", "truth", "--scene", "scene")
    yield "hyper score --endmembers", ("--endmembers", "found.csv", "--reference", "percent.csv")
    yield "hyper follow", ("scene", "followed", "--count", "3", "--once")
    yield "hyper follow", ("scene", "given", "--endmembers", "percent.csv", "--keep", "labels", "--once")
    yield "hyper report", ("out.html", "--scene", "scene", "--endmembers", "found.csv", "--data", "out.json")
    yield "hyper report", ("out2.html", "--scene", "scene")


def commands():
    """(section, arguments, exit code)."""
    yield "info DIR", ("info", "full"), 0
    yield "info --io", ("info", "a", "--io", "--box", "0,:"), 0
    yield "attr", ("attr", "a", "extra=1"), 0
    yield "attr", ("attr", "a", "--remove", "extra"), 0
    for options in ((), ("--order", "column"), ("--step", "1,2"), ("--sel", LISTED), ("--box", "0:0,:"),
                    ("--type", "f64", "--out", "-")):
        yield "read", ("read", "a", *options), 0
    for name in ("c2", "d2", "e2", "f2", "b"):
        yield "read", ("read", name), 0
    yield "read --out", ("read", "a", "--out", "a.npy"), 0
    yield "read --out", ("read", "a", "--out", "a.raw", "--step", "2,1", "--sel", LISTED), 0
    yield "write", ("write", "a", "--box", "0,0", "--from", "one"), 0
    yield "fill", ("fill", "a", "--box", "0,0", "--value", "nan"), 0
    yield "fill", ("fill", "d2", "--box", "0", "--value", "0x010203"), 0
    yield "copy", ("copy", "a", "copied"), 0
    yield "copy", ("copy", "set", "set3"), 0
    yield "concat", ("concat", "long", "one_set/y", "other_set/y", "--along", "y"), 0
    yield "concat", ("concat", "sets", "one_set", "other_set", "--along", "y"), 0
    yield "rename", ("rename", "copied", "renamed", "--axis", "t=time", "--attribute", "title=name"), 0
    yield "rename", ("rename", "set3", "--attribute", "title=name"), 0
    yield "mount", ("mount", "sets", "set", "--check"), 0
    yield "serve", ("serve", "a", "set", "--port", "0", "--for", "0"), 0
    yield "import", ("import", "a.npy", "imported"), 0
    yield "import", ("import", "a.npy", "imported", "--append", "0"), 0
    yield "import DIR", ("import", "lost.nc", "whole/"), 0
    yield "import --describe", ("import", "a.npy", "--describe"), 0
    yield "import --describe", ("import", "set.nc:a", "--describe"), 0
    yield "import --describe", ("import", "chunked.nc:a", "--describe"), 0
    yield "export", ("export", "imported", "out.npy"), 0
    yield "export", ("export", "b", "out.nc:v", "--box", "0:1,:"), 0
    yield "export DIR", ("export", "full", "whole.nc"), 0
    yield "draw", ("draw", "a", "--out", "a.png"), 0
    yield "draw", ("draw", "b", "--out", "b.svg", "--series", "t"), 0
    yield "draw", ("draw", "--plan", "plan.json", "--out", "plan.png"), 0
    yield "help", ("help",), 0
    for words in (("read",), ("rechunk",), ("help",)):
        yield "help COMMAND", ("help",) + words, 0
    yield "reduce", ("reduce", "a", "--over", "t", "--with", "mean,count"), 0
    yield "reduce", ("reduce", "e2"), 0
    yield "reduce --out", ("reduce", "b", "--over", "t", "--with", "mean,max", "--out", "reduced"), 0
    yield "cube", ("cube", "b", "cubed", *CUBE), 0
    yield "cube", ("cube", "cubed"), 0
    yield "query", ("query", "cubed", "--over", "x"), 0
    yield "query", ("query", "cubed", "--over", "t", "--explain"), 0
    yield "extract", ("extract", "a", "--regions", "regions"), 0
    yield "extract", ("extract", "a", "--regions", "column", "--axes", "x"), 0
    yield "extract --cells", ("extract", "a", "--regions", "regions", "--cells", "cells"), 0
    yield "rechunk", ("rechunk", "a", "rechunked", "--chunk", "3,3"), 0
    yield "rechunk --plan", ("rechunk", "--plan", *SHAPES), 0
    yield "rechunk --plan", ("rechunk", "--plan", *SHAPES, "--strategy", "all", "--memory", "64"), 0
    yield "rechunk --plan", ("rechunk", "--plan", *SHAPES, "--strategy", "all", "--memory", "4"), 0
    yield "rechunk --plan", ("rechunk", "--plan", *SHAPES, "--strategy", "keep", "--variants", "uneven"), 0
    yield "rechunk --plan", ("rechunk", "--plan", *SHAPES, "--strategy", "keep", "--read", "4,4"), 0
    yield "rechunk --plan", ("rechunk", "--plan", *SHAPES[:2], "--from", "3+5,2", *SHAPES[4:]), 0
    for section, words in hyper():
        yield section, ("hyper", section.split()[1], *words), 0

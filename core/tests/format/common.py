"""Shared by the format tests: paths of the programs, a folder, and error reports.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import io
import os
import subprocess
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

SOURCE = os.environ["XTA_SOURCE_DIR"]
PROGRAMS = os.path.join(os.environ["XTA_BUILD_DIR"], "core", "tests", "format")
LOOK, MAKE = os.path.join(PROGRAMS, "format_look"), os.path.join(PROGRAMS, "format_make")
TOOL = os.environ["XTA_TOOL"]
READER = os.path.join(SOURCE, "tools", "reference_reader")
GOLDEN = os.path.join(SOURCE, "core", "tests", "format", "golden")

problems = []


def check(condition, *words):
    """Record a failure and continue, so that one run shows all."""
    if not condition:
        problems.append(" ".join(map(str, words)))
        if len(problems) < 20:
            print(problems[-1], file=sys.stderr)


def run(*words, **options):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False,
                          **options)


def must(*words):
    """Run a program that must succeed; returns its output."""
    done = run(*words)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))[:300]}: {done.returncode}: {done.stderr[:600]}")
    return done.stdout


def library(path, *options):
    """(status, text or description) of the library."""
    lines = must(LOOK, path, *options).split("\n", 1)
    status, _, text = lines[0].partition("\t")
    return status, text if status != "XTA_OK" else lines[1]


@functools.cache
def reader_module():
    """The reference reader as a module: it has no suffix."""
    loader = SourceFileLoader("reference_reader", READER)
    module = module_from_spec(spec_from_loader("reference_reader", loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


def reader(path, *options):
    """(whether it was accepted, description or reason) of the reference reader, run in this process."""
    out, err, words = io.StringIO(), io.StringIO(), sys.argv
    sys.argv = [READER, str(path), *map(str, options)]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = reader_module().main()
    finally:
        sys.argv = words
    return code == 0, out.getvalue() if code == 0 else err.getvalue()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data, length=None):
    with open(path, "wb") as file:
        file.write(data)
        if length is not None:
            file.truncate(length)


def both_cells(path, scratch, *options):
    """The description on which both agree, and the cells; None if they do not."""
    ours, theirs = os.path.join(scratch, "cells.ours"), os.path.join(scratch, "cells.theirs")
    status, text = library(path, "--cells", ours, *options)
    good, words = reader(path, *options)
    check(status == "XTA_OK" and good, path, *options, "is refused:", status, text, words)
    if status != "XTA_OK" or not good:
        return None
    check(text == words, path, *options, "is described as\n", text, "\nand as\n", words)
    reader(path, "--cells", "--as", "raw", "--out", theirs, *options)
    cells = read(ours)
    check(cells == read(theirs), path, *options, "has two versions of its cells")
    return text, cells


def finish(what):
    print(f"{what}, {len(problems)} problems")
    sys.exit(1 if problems else 0)


def folder():
    return tempfile.TemporaryDirectory(dir=os.environ.get("XTA_TEST_DIR"))

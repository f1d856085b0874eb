"""What the readers share: where xta-nc and expected.py are.

SPDX-License-Identifier: Apache-2.0
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../tests/ways_in"))
import expected  # noqa: E402

XTA_NC = os.environ.get("XTA_NC", "xta-nc")


def run(*words):
    """What a program prints that is run on XTA's data sets; its failure ends this one."""
    done = subprocess.run([XTA_NC, *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: ended with {done.returncode}: {done.stderr}")
    return done.stdout


def check(variables):
    """Compares cells with what the coordinates beside them say, all arrays of one open."""
    axes = [variables[name] for name in ("time", "y", "x")]
    n = 0
    for name in ("temp", "flag"):
        expected.compare(name, variables[name], getattr(expected, name)(*axes))
        n += variables[name].size
    expected.found(axes[0], axes[1], n)

# SPDX-License-Identifier: Apache-2.0
"""The example prints what the page says (XARRAY.md)."""

from xarray_support import scratch  # exits where xarray is missing

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

folder = scratch()
done = subprocess.run(
    [sys.executable, os.path.join(HERE, "..", "examples", "ocean.py"), folder],
    stdout=subprocess.PIPE,
    text=True,
    check=True,
)
with open(os.path.join(HERE, "..", "XARRAY.md")) as page:
    text = page.read()
said = [line for line in done.stdout.splitlines() if line]
assert len(said) == 9, done.stdout
for line in said:
    assert line in text, f"the page lacks: {line}"
shutil.rmtree(folder)
print(f"{len(said)} lines as printed in XARRAY.md")

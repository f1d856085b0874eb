"""The layout of this repository, for the scripts of tools/ that read all of it.

A product is a folder of the root with a CMakeLists.txt and a src/; its public headers lie under include/. The other
folders with C files are those of SHARED. Nothing here depends on the names of the products or their folders.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re

SHARED = ("tests", "examples", "bench", "fuzz")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def products(root):
    """Names of the products, in alphabetical order."""
    return [name for name in sorted(os.listdir(root))
            if os.path.isdir(os.path.join(root, name, "src")) and
            os.path.exists(os.path.join(root, name, "CMakeLists.txt"))]


def trees(root):
    """All folders of the root with C files in them."""
    return products(root) + [name for name in SHARED if os.path.isdir(os.path.join(root, name))]


def files(root, folders, *endings):
    """Paths of the files under some folders of the root, in a stable order."""
    for folder in folders:
        for here, below, names in os.walk(os.path.join(root, folder)):
            below[:] = sorted(name for name in below if name != "__pycache__")
            for name in sorted(names):
                if not endings or name.endswith(endings):
                    yield os.path.join(here, name)


def public_headers(root):
    """Public headers by the name they are included by, each with its product: xta/box.h -> core."""
    headers = {}
    for product in products(root):
        base = os.path.join(root, product, "include")
        for path in files(root, [os.path.join(product, "include")], ".h"):
            headers[os.path.relpath(path, base)] = product
    return headers


def read(path):
    with open(path, encoding="utf-8", errors="replace") as handle:
        return handle.read()


def without_comments_and_strings(text):
    """The code alone, line for line; a literal leaves its quotes."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)

    def blank(match):
        found = match.group(0)
        if found[0] in "\"'":
            return found[0] * 2
        return "\n" * found.count("\n") or " "

    return pattern.sub(blank, text)

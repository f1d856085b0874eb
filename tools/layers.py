"""Reads tools/LAYERS and the objects of a build, for check_layers and check_symbols.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import re
import shlex
import subprocess
import sys

# Marks of folders that name foreign headers.
FOREIGN_MARKS = ("mpi", "ga")


class Folder:
    """The line of one folder: core/src/array, rechunk/tool."""

    def __init__(self, path, words, foreign):
        self.path = path
        self.pure = "pure" in words
        self.foreign = {word for word in words if word in FOREIGN_MARKS} | foreign
        self.shapes = [word[len("shape="):] for word in words if word.startswith("shape=")]
        self.names = [word for word in words
                      if word not in ("-", "pure", *FOREIGN_MARKS) and "=" not in word]
        self.may_use = []  # full paths of what the names mean

    def allows(self, other):
        """Whether the line names a folder, or one above it."""
        return any(other == name or other.startswith(name + "/") for name in self.may_use)


class Layers:
    """All of tools/LAYERS. `problems` has what is wrong with the file itself."""

    def __init__(self, root):
        self.uses = {}      # product -> products, and single headers, that it may include
        self.folders = {}   # path -> Folder
        self.problems = []
        with open(os.path.join(root, "tools", "LAYERS"), encoding="utf-8") as lines:
            rows = [row for row in (line.split("#")[0].split() for line in lines) if row]
        self.products = {row[1] for row in rows if row[0] == "product"}
        product = None
        for row in rows:
            if row[0] == "product":
                product = row[1]
                self._product(product, row[2:])
            elif product is None:
                self.problems.append(f"tools/LAYERS: '{row[0]}' stands before the first product")
            else:
                self._folder(product, row[0], row[1:])

    def _product(self, product, words):
        self.marks = {word for word in words if word in FOREIGN_MARKS}
        self.uses[product] = [word for word in words if word != "-" and word not in self.marks]
        for name in self.uses[product]:
            if name not in self.uses and not name.endswith(".h"):
                self.problems.append(f"tools/LAYERS: product {product} names {name}, which does not stand above it")

    def _folder(self, product, name, words):
        folder = Folder(path_of(product, name), words, self.marks)
        if folder.path in self.folders:
            self.problems.append(f"tools/LAYERS: {folder.path} has two lines")
        for other in folder.names:
            path = path_of(product, other)
            if other.split("/")[0] in self.products and ("/tool" in other or other.endswith("/src/private")):
                path = other  # of another product, whose line may stand below
            elif not any(known == path or known.startswith(path + "/") for known in self.folders):
                self.problems.append(f"tools/LAYERS: {folder.path} names {other}, which does not stand above it")
            folder.may_use.append(path)
        self.folders[folder.path] = folder

    def line_of(self, path):
        """The line of a folder: its own, or that of the nearest folder above; None if there is none."""
        while path:
            if path in self.folders:
                return self.folders[path]
            path = os.path.dirname(path)
        return None


def path_of(product, name):
    """A folder by the name it has in the lines of its product: `array` is core/src/array, `tool/kit` core/tool/kit, and
    `.` is core/src itself."""
    if name == "tool" or name.startswith("tool/"):
        return f"{product}/{name}"
    return f"{product}/src" if name == "." else f"{product}/src/{name}"


def objects(root, build):
    """Source file, relative to the root -> its object, one of several, for all that this build has compiled. A folder that
    is no build, or has no objects of this tree, ends the program."""
    found = {}
    commands = os.path.join(build, "compile_commands.json")
    try:
        with open(commands, encoding="utf-8") as handle:
            entries = json.load(handle)
    except OSError as error:
        sys.exit(f"{commands}: {error.strerror}; want a build by CMake with CMAKE_EXPORT_COMPILE_COMMANDS")
    root = os.path.realpath(root)
    for entry in entries:
        source = os.path.relpath(os.path.realpath(entry["file"]), root)
        words = shlex.split(entry["command"])
        target = os.path.join(entry["directory"], words[words.index("-o") + 1])
        if not source.startswith("..") and source not in found and os.path.exists(target):
            found[source] = target
    if not found:
        sys.exit(f"{build}: has no objects of {root}; build it first")
    return found


def symbols(paths):
    """Object -> (names it defines for others, names it needs), by nm, a few hundred objects at a time."""
    found = {path: (set(), set()) for path in paths}
    paths = sorted(found)
    for start in range(0, len(paths), 200):
        answer = subprocess.run(["nm", "-A", "-g", *paths[start:start + 200]], capture_output=True, text=True,
                                check=False).stdout
        for line in answer.splitlines():
            match = re.match(r"(.*\.o):\s*[0-9a-f]*\s+(\w) (\S+)$", line)
            if match:
                path, kind, name = match.groups()
                if kind in "TDBRCVWi":
                    found[path][0].add(name)
                elif kind in "Uwv":
                    found[path][1].add(name)
    return found

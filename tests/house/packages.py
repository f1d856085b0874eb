#!/usr/bin/python3
"""The packages of debian/ and the build agree, without building packages.

  1. Each file that `cmake --install` installs is in exactly one package (debian/*.install, debian/not-installed).
  2. Each package of debian/control has files, and each debian/PACKAGE.* names a package of it.
  3. debian/changelog begins with VERSION, and names of libraries carry XTA_ABI.
  4. A file that is installed by no package, or by two, is found.

SPDX-License-Identifier: Apache-2.0
"""
import fnmatch
import glob
import os
import re
import subprocess
import sys
import tempfile

SOURCE = os.environ["XTA_SOURCE_DIR"]
DEBIAN = os.path.join(SOURCE, "debian")


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as handle:
        return handle.read()


def staged():
    """Paths of what is installed, libraries in the folder of an architecture as in Debian."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cmake", "--install", os.environ["XTA_BUILD_DIR"], "--prefix", "/usr"], check=True,
                       stdout=subprocess.DEVNULL, env=dict(os.environ, DESTDIR=folder))
        paths = [os.path.relpath(os.path.join(here, name), folder)
                 for here, _, names in os.walk(folder) for name in names]
    return sorted(re.sub(r"^usr/lib/(?!\w+-linux-gnu\w*/|python3/)", "usr/lib/triplet/", path) for path in paths)


def patterns():
    """Package -> patterns of debian/PACKAGE.install; what is left out on purpose is that of no package."""
    found = {}
    for path in sorted(glob.glob(os.path.join(DEBIAN, "*.install")) + [os.path.join(DEBIAN, "not-installed")]):
        with open(path, encoding="utf-8") as handle:
            found[os.path.basename(path).removesuffix(".install")] = [line.split()[0] for line in handle if line.strip()]
    return found


def matches(path, pattern):
    """Whether a pattern of dh_install takes a file: * does not cross a slash, a folder takes all below it."""
    regex = "/".join(fnmatch.translate(part)[4:-3] for part in pattern.split("/")).replace(".*", "[^/]*")
    return re.fullmatch(regex + "(/.*)?", path) is not None


def check_owners(paths, packages):
    problems = []
    for path in paths:
        owners = [name for name, lines in packages.items() if any(matches(path, line) for line in lines)]
        if not owners:
            problems.append(f"{path} is in no package: add it to a debian/*.install, or to debian/not-installed")
        elif len(owners) > 1:
            problems.append(f"{path} is in several packages: {', '.join(owners)}")
    return problems


def check_names(packages):
    problems = []
    named = re.findall(r"^Package: (\S+)$", read("debian", "control"), re.M)
    for name in named:
        if name not in packages:
            problems.append(f"debian/control names {name}, which has no debian/{name}.install")
    for path in os.listdir(DEBIAN):
        name, _, kind = path.rpartition(".")
        if kind in ("install", "symbols", "links") and name not in named:
            problems.append(f"debian/{path}: debian/control has no package {name}")
    version = read("VERSION").split()[0]
    if not read("debian", "changelog").startswith(f"xta ({version})"):
        problems.append(f"VERSION is {version}, and debian/changelog does not begin with it")
    abi = re.search(r"^set\(XTA_ABI (\d+)\)$", read("cmake", "abi.cmake"), re.M)[1]
    for path in glob.glob(os.path.join(DEBIAN, "*.symbols")):
        name = os.path.basename(path).removesuffix(".symbols")
        if not name.endswith(abi) or f".so.{abi} {name} " not in read(path):
            problems.append(f"{name}: XTA_ABI is {abi}, and neither its name nor its list of symbols may have another")
    return problems


def main():
    paths, packages = staged(), patterns()
    problems = check_owners(paths, packages) + check_names(packages)
    # What this test is for.
    wrong = check_owners(["usr/bin/new-program", "usr/bin/xta"], dict(packages, again=["usr/bin/*"]))
    if [problem.partition(" is in ")[2] for problem in wrong] != ["several packages: xta-tools, again"]:
        problems.append(f"a file of two packages is not found: {wrong}")
    if not check_owners(["usr/bin/new-program"], packages):
        problems.append("a file of no package is not found")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"packages: {len(paths)} files in {len(packages) - 1} packages, {len(problems)} problems")
    return 1 if problems or len(paths) < 20 else 0


if __name__ == "__main__":
    sys.exit(main())

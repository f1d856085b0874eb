"""Peak memory of the commands behind `xta hyper` on a scene larger than their limit. See hyper_memory.sh.

SPDX-License-Identifier: Apache-2.0
"""
import os
import subprocess
import sys

LIMIT_MIB = 16
COMMANDS = (
    "count SCENE",
    "pct SCENE OUT/components --components 3",
    "endmembers SCENE OUT/nfindr.csv --count 4",
    "endmembers SCENE OUT/ppi.csv --count 4 --method ppi --projections 200 --image OUT/counts",
    "endmembers SCENE OUT/amee.csv --count 4 --method amee --iterations 1 --image OUT/mei",
    "unmix SCENE library.csv OUT/abundances --residual OUT/rest",
    "classify SCENE library.csv OUT/labels --by sad --truth map --truth-at 0,0",
    "classify SCENE OUT/trained --supervised lda --truth map --truth-at 0,0 --components 8",
)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def peak_mib(words):
    """Run a command; its peak of resident memory."""
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    if status != 0:
        sys.exit(f"failed: {' '.join(words)}")
    return usage.ru_maxrss / 1024


def main():
    # 200 bands of 16 bits: 64 MiB, and a scene of two strips.
    for name, lines in (("large", "0:640"), ("small", "0:64")):
        subprocess.run(["xta", "hyper", "synth", "map", "library.csv", name, "--lines", lines, "--samples", "0:262",
                        "--bands", "200", "--type", "u16", "--scale", "10000", "--noise", "40"],
                       check=True, stdout=subprocess.DEVNULL)
    for folder in ("small_out", "large_out", "free_out"):
        os.mkdir(folder)
    for command in COMMANDS:
        def words(scene, out):
            return ["xta", "hyper"] + command.replace("SCENE", scene).replace("OUT", out).split()

        least = peak_mib(words("small", "small_out") + ["--memory", f"{LIMIT_MIB}MiB"])
        most = peak_mib(words("large", "large_out") + ["--memory", f"{LIMIT_MIB}MiB"])
        peak_mib(words("large", "free_out"))
        print(command.split()[0], "within the limit" if most - least < LIMIT_MIB
              else f"takes {most:.1f} MiB, {least:.1f} for the small scene")
    names = sorted(name for name in os.listdir("free_out") if not name.endswith(".xmd"))
    for name in names:
        # The header of a data file holds the UUID of its array.
        begin = 64 if name.endswith(".xta") else 0
        if read(f"free_out/{name}")[begin:] != read(f"large_out/{name}")[begin:]:
            print(f"{name} depends on the limit")
    print(len(names), "results do not depend on the limit")


main()

# What the judges of the round trips share: running the bridge, and reading what NumPy, ncdump and GDAL say.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

BRIDGE = os.environ["XTA_BRIDGE_IO"]
STATUS = {name: code for code, name in enumerate(
    "OK EARG EBOX ETYPE ERANGE EOVERFLOW ENOMEM EIO ENOSPC ENOENT EEXIST EACCESS EFORMAT ECORRUPT "
    "ESTATE EUNSUPPORTED EFOREIGN ECANCELLED".split())}
n_checks = 0
n_skipped = 0


def check(good, *what):
    global n_checks
    n_checks += 1
    if not good:
        sys.exit("FAILED: " + " ".join(str(w) for w in what))


servers = {}  # request_server.h, for the programs that are called most


def call(*words):
    words = [str(w) for w in words]
    verbs = os.environ.get("XTA_VERBS_IO")
    if verbs and words[0] == os.environ.get("XTA_TOOL") and words[1] in ("import", "export"):
        words[0] = verbs
    served = words[0] in (BRIDGE, os.environ.get("XTA_BLOCKS_IO"), verbs)
    if served and not any(word.startswith("kill=") for word in words):
        code, out, err = call_served(words)
    else:
        done = subprocess.run(words, capture_output=True)
        code, out, err = done.returncode, done.stdout, done.stderr
    return code, out.decode(errors="replace"), err.decode(errors="replace")


def call_served(words):
    if words[0] not in servers:
        servers[words[0]] = subprocess.Popen([words[0], "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    server = servers[words[0]]
    server.stdin.write(b"".join(word.encode() + b"\0" for word in [os.getcwd(), *words]) + b"\0")
    server.stdin.flush()
    answer = server.stdout.readline().split()
    check(len(answer) == 3, words, "ended the server")
    code, n_out, n_err = map(int, answer)
    return code, server.stdout.read(n_out), server.stdout.read(n_err)


def run(*words):
    code, out, err = call(*words)
    check(code == 0, words, "answered", code, err)
    return out


def bridge_import(source, array, **options):
    return run(BRIDGE, "import", source, array, *[f"{k}={v}" for k, v in options.items()]).strip()


def bridge_export(array, target, **options):
    options.setdefault("overwrite", "any")  # most tests write one file over and over
    run(BRIDGE, "export", array, target, *[f"{k}={v}" for k, v in options.items()])


def refused(status, direction, source, target, text="", **options):
    """The call fails with this status and says `text`, in one line."""
    if direction == "export":
        options.setdefault("overwrite", "any")
    code, _, err = call(BRIDGE, direction, source, target,
                        *[f"{k}={v}" for k, v in options.items()])
    check(code == STATUS[status], direction, source, options, "answered", code, err)
    check(text in err and err.count("\n") == 1 and len(err) < 600, "text of", source, ":", err)
    if direction == "import":
        created = "append" not in options and "at" not in options
        check(not created or not os.path.exists(f"{target}.xmd"), target, "was left behind")
    else:
        left = [n for n in os.listdir(os.path.dirname(target)) if n.startswith(".xta-export")]
        check(not left, "left behind:", left)


def data_folder(part):
    base = os.environ.get("XTA_DATA") or os.path.join(os.environ["XTA_SOURCE_DIR"], "..", "shared",
                                                      "data")
    folder = os.path.join(base, part)
    if not os.path.isdir(folder) or not os.listdir(folder):
        skip(f"the public files of {part} are not there ({folder}); set XTA_DATA")
        return None
    return folder


def workplace():
    return tempfile.TemporaryDirectory(prefix="xta-bridge-")


def skip(what):
    """Say what is left out; the rest goes on, and done() ends with the code that means skipped."""
    global n_skipped
    n_skipped += 1
    print(f"SKIPPED: {what}")


def done(name):
    for program, server in servers.items():
        server.stdin.close()
        check(server.wait() == 0, program, "ended with", server.returncode)  # or it has leaked
    print(f"{name}: {n_checks} checks")
    if n_skipped:
        sys.exit(77)


# ---- NetCDF ----

def ncdump(path, *options):
    text = run("ncdump", "-p", "9,17", *options, path)
    return text.split("\n", 1)[1]  # the first line has the file's name


def parts_of(path, storage=True):
    """What ncdump says, taken apart: dimensions, and for each variable its lines and its data."""
    text = ncdump(path, *(["-s"] if storage else []))
    head, _, data = text.partition("\ndata:\n")
    variables = {}
    section = ""
    dimensions = {}
    globals_ = []
    for line in head.split("\n"):
        word = line.strip()
        if word in ("dimensions:", "variables:", "// global attributes:"):
            section = word
        elif section == "dimensions:" and "=" in word:
            dimensions[word.split(" =")[0]] = word
        elif section == "variables:" and word:
            plain = word.replace("\\ ", "_")
            found = re.match(r"(?:string )?([^:(= ]+):", plain)
            if found:
                variables[found.group(1)].append(word)
            else:
                found = re.match(r"\w+ ([^( ;]+)", plain)
                if found:
                    variables[found.group(1)] = [word]
        elif section.startswith("//") and word and word != "}":
            # What the library says of itself, and what it guesses, is not the file's.
            if not re.match(r":_(NCProperties|SuperblockVersion|IsNetcdf4)", word):
                globals_.append(word)
    values = dict(re.findall(r"\n ([^ =]+) =(.*?);\n", data, re.S))
    return dimensions, variables, values, globals_

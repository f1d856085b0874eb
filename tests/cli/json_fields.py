"""Real output of --json against docs/JSON.md: every field is there, with its type, and no other. See json.sh.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import re
import subprocess
import sys

import json_verbs

problems = []


def documented():
    """Section -> {field: (type, may be absent)}."""
    with open(os.path.join(os.environ["XTA_SOURCE_DIR"], "docs", "JSON.md"), encoding="utf-8") as handle:
        text = handle.read()
    sections, common = {}, {}
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        rows = re.findall(r"^\| `([^`]+)` \| (\w+) \|", body, re.M)
        fields = {name.rstrip("?"): (kind, name.endswith("?")) for name, kind in rows}
        if title.startswith("Common: "):
            common[title[len("Common: "):]] = fields
            continue
        for name in re.findall(r"`(a [a-z ]+)`", body.split("| field")[0]):
            fields |= common[name]
        sections[title] = fields
    return sections


def is_int(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_value(value):
    if isinstance(value, list):
        return len(value) == 2 and all(is_value(part) for part in value)
    return isinstance(value, (int, float, bool)) or value is None or value in ("nan", "inf", "-inf") or \
        isinstance(value, str) and value.startswith("0x")


def is_attribute(value):
    return isinstance(value, dict) and isinstance(value["type"], str) and (
        isinstance(value["value"], str) if value["type"] == "text" else all(is_value(v) for v in value["values"]))


CHECKS = {
    "string": lambda v: isinstance(v, str),
    "integer": is_int,
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "coords": lambda v: v is None or isinstance(v, list) and all(is_int(c) for c in v),
    "box": lambda v: isinstance(v, list) and all(len(pair) == 2 and is_int(pair[0]) and is_int(pair[1]) for pair in v),
    "text": lambda v: v is None or isinstance(v, str),
    "cells": lambda v: isinstance(v, list) and all(is_value(c) or CHECKS["cells"](c) for c in v),
    "value": is_value,
    "attributes": lambda v: isinstance(v, dict) and all(is_attribute(a) for a in v.values()),
    "any": lambda v: True,
}


def check_fields(name, value, fields, path, seen):
    """A value at a path; what is below a documented field is up to its type."""
    if path in fields and fields[path][0] != "entries":
        seen.add(path)
        if not CHECKS[fields[path][0]](value):
            problems.append(f"{name}: {path} is {value!r}, which is no {fields[path][0]}")
    elif isinstance(value, dict) and (path == "" or any(f.startswith(path + ".") for f in fields)):
        for key, inner in value.items():
            check_fields(name, inner, fields, f"{path}.{key}" if path else key, seen)
    elif path == "notes" and value == []:
        seen.add("notes[]")
    elif isinstance(value, list) and any(f.startswith(path + "[]") for f in fields):
        for inner in value:
            below = path + "[]"
            if path.endswith("[].entries"):
                seen.add(below)
                below = "entries[]"
            check_fields(name, inner, fields, below, seen)
            check_complete(name, inner, fields, below)
    elif f"{path.rpartition('.')[0]}.*" in fields:
        check_fields(name, value, fields, f"{path.rpartition('.')[0]}.*", seen)
    elif path != "score" or value is not None:
        problems.append(f"{name}: {path} is not in docs/JSON.md")


def check_complete(name, value, fields, path):
    """Whether an object has every field that may not be absent."""
    for field, (_, optional) in fields.items():
        head = f"{path}." if path else ""
        key = field[len(head):] if field.startswith(head) else ""
        key = re.split(r"\.|\[\]", key)[0]
        if key and not optional and isinstance(value, dict) and key not in value:
            problems.append(f"{name}: {head}{key} is missing")


def verb(*words, code=0):
    done = subprocess.run(("xta",) + words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode != code:
        problems.append(f"xta {' '.join(words)}: exit {done.returncode}, wanted {code}: {done.stderr}")
    return done.stdout


def failing(words):
    """A command that must fail: why is one line on standard error, and the output is no whole object."""
    done = subprocess.run(("xta",) + words + ("--json",), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode not in (1, 2) or done.stderr.count("\n") != 1 or not done.stderr.startswith("xta "):
        problems.append(f"xta {' '.join(words)}: exit {done.returncode}, said {done.stderr!r}")
    try:
        json.loads(done.stdout)
        problems.append(f"xta {' '.join(words)}: failed, and printed a whole object")
    except ValueError:
        pass


def check_verbs(asked):
    """Every command has a table, and a call that fails."""
    for name in json_verbs.all_verbs():
        if not any(name in re.split(r", | --| [A-Z]", title) for title in asked):
            problems.append(f"docs/JSON.md: no table of xta {name} has been compared")
        if name not in json_verbs.FAILS:
            problems.append(f"tests/cli/json_verbs.py: FAILS has no call of xta {name}")
        failing((*name.split(), "--no-such-option"))
    for name, words in json_verbs.FAILS.items():
        if name in json_verbs.all_verbs():
            failing((*name.split(), *words))


def make():
    verb("create", "a", "--type", "f32", "--bounds", "3,4", "--chunk", "2,2", "--names", "t,x", "--policy", "linear:2")
    verb("extend", "a", "--axis", "t", "--by", "1", "--front")
    verb("attr", "a", "title=one")
    verb("attr", "a", "values=1,2,nan,4", "--axis", "t", "--type", "f64")
    verb("attr", "a", "odd=0xff00", "--type", "bytes:2")
    verb("copy", "a", "b")
    verb("fill", "b", "--box", "0,:", "--value", "nan")
    verb("fill", "b", "--box", "1,:", "--value", "inf")
    verb("attr", "b", "title=two")
    verb("attr", "b", "more=3", "--type", "i8")
    verb("attr", "b", "--axis", "x", "--set-unit", "m")
    verb("copy", "b", "set/b") if os.path.isdir("set") else None
    for name, kind in (("c", "c64"), ("d", "bytes:3"), ("e", "u64"), ("f", "bool")):
        verb("create", name, "--type", kind, "--bounds", "2", "--chunk", "2")
        verb("copy", name, name + "2")
        verb("write", name + "2", "--box", "1", "--from", "one" if kind != "bytes:3" else "three")
    verb("copy", "b", "part", "--box", "0:1,1:2", "--type", "f64")
    verb("add-axis", "part", "--at", "0")
    os.mkdir("axes")
    verb("create", "axes/a", "--type", "u8", "--bounds", "2", "--names", "t")
    verb("attr", "axes/a", "values=1,3", "--axis", "t", "--type", "f64")


def commands():
    """(section, arguments, exit code)."""
    yield "create", ("create", "n", "--type", "u8", "--bounds", "4,4"), 0
    yield "extend, shrink, add-axis", ("extend", "n", "--axis", "0", "--by", "2"), 0
    yield "extend, shrink, add-axis", ("extend", "n", "m", "--axis", "0", "--by", "2"), 0
    yield "extend, shrink, add-axis", ("shrink", "n", "--axis", "0", "--by", "2"), 0
    yield "extend, shrink, add-axis", ("add-axis", "n", "--at", "0"), 0
    for name in ("a", "n", "c", "d", "e", "f", "cut"):
        yield "info", ("info", name), 0
        yield "attr", ("attr", name), 0
    yield "attr", ("attr", "a", "--axis", "t"), 0
    yield "attr NAME", ("attr", "a", "title"), 0
    yield "attr NAME", ("attr", "a", "values", "--axis", "t"), 0
    yield "address", ("address", "a", "--chunk", "0,0", "--cell=-1,2", "--address", "5", "--offset", "4096", "--all"), 0
    yield "ls", ("ls",), 1
    yield "ls", ("ls", "-R", "."), 1
    yield "history", ("history", "joined"), 0
    yield "history", ("history", "a"), 0
    yield "check", ("check", "a"), 0
    yield "check", ("check", "torn"), 0
    yield "check", ("check", "bad"), 1
    yield "check DIR", ("check", "damaged"), 1
    yield "check DIR", ("check", "set"), 0
    yield "compact", ("compact", "n"), 0
    yield "upgrade", ("upgrade", "n", "old", "axes"), 0
    yield "tune", ("tune", "a", "--query", "1,:@2", "--query", ":,1"), 0
    yield "tune", ("tune", "--bounds", "10,10", "--type", "f32", "--query", "1,:"), 0
    yield "tune", ("tune", "a", "--log", "log", "--placed"), 0
    yield "version", ("version",), 0
    yield "diff", ("diff", "a", "a"), 0
    for pair in (("a", "b"), ("a", "part"), ("c", "c2"), ("d", "d2"), ("e", "e2"), ("f", "f2"), ("a", "d")):
        yield "diff", ("diff",) + pair, 1
    yield "diff", ("diff", "set", "sub"), 1
    yield "stat", ("stat", "a"), 0
    yield "stat", ("stat", "b", "--over", "t", "--missing", "0"), 0
    yield "stat", ("stat", "e2"), 0
    yield "stat", ("stat", "set"), 0
    yield "undo", ("undo", "cut"), 0
    yield from json_verbs.commands()


def main():
    sections = documented()
    os.makedirs("set/inner")
    os.makedirs("sub")
    for folder in ("one_set", "other_set"):
        os.makedirs(folder)
    for name, text in (("one", "1"), ("three", "0x010203")):
        with open(name, "w", encoding="ascii") as handle:
            handle.write(text)
    make()
    verb("create", "m", "--type", "u8", "--bounds", "4,4", "--chunk", "2,2")
    verb("create", "old", "--type", "u8", "--bounds", "4", "--chunk", "2", "--headerless")
    verb("copy", "c", "set/c")
    verb("copy", "a", "set/inner/a")
    verb("copy", "a", "sub/a")
    verb("concat", "joined", "sub", "--along", "x")
    for name in ("torn", "bad"):
        verb("copy", "a", name)
    with open("torn.xmd", "ab") as handle:
        handle.write(b"half a record")
    os.truncate("bad.xta", 64)
    with open("set.cdl", "w", encoding="ascii") as handle:
        handle.write("netcdf s { dimensions: t = 2; variables: byte a(t); byte b(t); data: a = 1, 2; b = 3, 4; }")
    subprocess.run(["ncgen", "-o", "set.nc", "set.cdl"], check=True)
    verb("import", "set.nc", "damaged/")
    os.truncate("damaged/a.xta", 64)
    for suffix in (".xmd", ".xta"):
        os.unlink("damaged/b" + suffix)
    for name in ("broken", "damaged/broken"):
        with open(name + ".xmd", "w", encoding="ascii") as handle:
            handle.write("no journal")
    verb("read", "a", "--box", "0,1:3", "--log", "log")
    cut_copy()
    json_verbs.make(verb)
    missing = {"hyper", "draw"} - {name.split()[0] for name in json_verbs.all_verbs()}
    for title in [title for title in sections if title.split()[0] in missing]:
        del sections[title]
    asked, seen = set(), {name: set() for name in sections}
    for section, words, code in commands():
        if section.split()[0] in missing:
            continue
        asked.add(section)
        text = verb(*words, "--json", code=code)
        try:
            value = json.loads(text)
        except ValueError as why:
            problems.append(f"xta {' '.join(words)}: {why}: {text[:200]!r}")
            continue
        check_fields(" ".join(words), value, sections[section], "", seen[section])
        check_complete(" ".join(words), value, sections[section], "")
    check_verbs(asked)
    for section, fields in sections.items():
        if fields and section not in asked:
            problems.append(f"docs/JSON.md: {section} is not tested")
        for field in sorted(set(fields) - seen[section]):
            problems.append(f"docs/JSON.md: {section}: no output has {field}")
    for problem in problems:
        print(problem)
    print(f"{len([s for s in sections.values() if s])} sections, {len(problems)} problems")


def cut_copy():
    """A copy that was killed, and has its mark of unfinished work: by a limit on the length of its file."""
    verb("create", "large", "--type", "f64", "--bounds", "200000", "--chunk", "1000")
    verb("fill", "large", "--box", ":", "--value", "1")
    subprocess.run(["python3", "-c", KILLER], check=False)


# Killed as soon as the array is there, with its mark: again and again until it comes at the right time.
KILLER = """
import os, signal, subprocess, time
for attempt in range(200):
    child = subprocess.Popen(["xta", "copy", "large", "cut"])
    while not os.path.exists("cut.xmd") and child.poll() is None:
        pass
    child.send_signal(signal.SIGKILL)
    child.wait()
    if "interrupted" in subprocess.run(["xta", "info", "cut"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True).stdout:
        break
    for name in ("cut.xmd", "cut.xta"):
        if os.path.exists(name):
            os.unlink(name)
"""

sys.exit(main())

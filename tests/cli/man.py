"""Man pages against the tool: options, examples, and what the formatters say. See man.sh.

SPDX-License-Identifier: Apache-2.0
"""
import functools
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Name of a page -> its path; each product has its own.
PAGES = {os.path.basename(path): path
         for path in glob.glob(os.path.join(os.environ["XTA_SOURCE_DIR"], "*", "man", "*.1"))}
OF_MANY = "xta-mpi"
WRAPPER = "xta-nc"
problems = []


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


@functools.cache
def help_of(command):
    """What the tool prints for a command, and with which exit code."""
    return run("xta", "help", *command.split())


def listed(text):
    """What stands under Commands: in a help text."""
    if "\nCommands:\n" not in text:
        return []
    lines = text.split("\nCommands:\n")[1].split("\n\n")[0].splitlines()
    return [line.split()[0] for line in lines]


def commands():
    """All commands, those of commands as well: "read", "hyper pct"."""
    found = []
    for name in listed(run("xta", "--help").stdout):
        found.append(name)
        found += [f"{name} {inner}" for inner in listed(help_of(name).stdout)]
    return found


def there(command):
    """Whether this build has a command: some are in a library that may be left out."""
    return help_of(command).returncode == 0


def unescape(text):
    return text.replace("\\&", "").replace("\\-", "-").replace("\\e", "\\").replace("\\(aq", "'")


def page_options(text):
    """What stands at the head of the entries of OPTIONS: name and value."""
    section = re.search(r"^\.SH OPTIONS\n(.*?)^\.SH ", text, re.S | re.M)
    found = set()
    for line in (section.group(1) if section else "").splitlines():
        line = unescape(line)
        match = re.match(r'\.(?:BI?|BR|IR) +(?:"?)--([a-z-]+)"? *(?:"?([^"]*)"?)?$', line)
        if match:
            found.add((match.group(1), (match.group(2) or "").strip()))
    return found


def check_synopsis(command):
    """Every option that the line of usage names is one of the table."""
    text = help_of(command).stdout
    named = set(re.findall(r"--([a-z-]+)", text.split("\n\n")[0]))
    known = {name for name, _ in help_options(command)}
    for name in sorted(named - known):
        problems.append(f"xta {command}: its usage names --{name}, which is no option")


def help_options(command, *words):
    """The options that the tool prints for a command, asked by other words if there are any."""
    done = run(*words) if words else help_of(command)
    text = done.stdout.split("\nOptions:\n")[1]
    found = set()
    for line in text.split("\nExample:")[0].splitlines():
        match = re.match(r"  --([a-z-]+)(?: (\S+))?(?:  .*)?$", line)
        if match:
            found.add((match.group(1), match.group(2) or ""))
    return found


def examples(text):
    """[(command, what it prints)] of a page, continued lines joined."""
    found = []
    for block in re.findall(r"^\.EX\n(.*?)^\.EE", text, re.S | re.M):
        for line in unescape(block).splitlines():
            if line.startswith("$ "):
                found.append([line[2:], []])
            elif found and found[-1][0].endswith("\\"):
                found[-1][0] = found[-1][0][:-1] + line.strip()
            elif found:
                found[-1][1].append(line)
    return found


def can_mount():
    """Whether this machine has FUSE and lets us use it."""
    with tempfile.TemporaryDirectory() as folder:
        if not os.path.exists("/dev/fuse") or run("xta", "mount", folder, folder).returncode != 0:
            return False
        return run("fusermount3", "-u", folder).returncode == 0


def try_examples(name, text):
    """Run the lines of a page one after the other, in one empty folder."""
    lines = examples(text)
    if name == "xta-mount" and not can_mount():
        print("SKIPPED: the examples of xta-mount, no file system can be mounted here", file=sys.stderr)
        return 0
    if not lines:
        problems.append(f"{name}: has no example")
    if not any(line.startswith("xta") for line, _ in lines):
        problems.append(f"{name}: no example begins with xta")
    with tempfile.TemporaryDirectory() as folder:
        for line, wanted in lines:
            done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True,
                                  check=False)
            if done.stdout.splitlines() != wanted:
                problems.append(f"{name}: $ {line}\n  printed {done.stdout!r} {done.stderr!r}\n"
                                f"  wanted  {wanted!r}")
    return len(lines)


def lint(path, name):
    """Whatever a formatter that is here has to say. Gives how many have been asked."""
    n_asked = 0
    if shutil.which("groff"):
        n_asked += 1
        said = run("groff", "-man", "-Tutf8", "-ww", "-z", path).stderr
        if said:
            problems.append(f"{name}: groff: {said}")
    if shutil.which("mandoc"):
        n_asked += 1
        said = run("mandoc", "-Tlint", "-Wwarning", path).stdout
        if said:
            problems.append(f"{name}: mandoc: {said}")
    return n_asked


def look_at_mpi_page():
    """xta-mpi.1 and the tool of many processes, alone: as one process, without a launcher."""
    path = PAGES["xta-mpi.1"]
    with open(path, encoding="utf-8") as handle:
        text = handle.read()
    n_asked = lint(path, "xta-mpi")
    if not shutil.which(OF_MANY):
        print("SKIPPED: xta-mpi, this build has no MPI", file=sys.stderr)
        return n_asked
    for name in listed(run(OF_MANY, "--help").stdout):
        if f"\n.B {name}\n" not in text:
            problems.append(f"xta-mpi.1 does not name {name}")
    on_page, in_help = page_options(text), help_options("rechunk", OF_MANY, "rechunk", "--help")
    if on_page != in_help:
        problems.append(f"xta-mpi: options on the page alone {sorted(on_page - in_help)}, "
                        f"in the help alone {sorted(in_help - on_page)}")
    try_examples("xta-mpi", text)
    return n_asked


def look_at_nc_page():
    """xta-nc.1, of the wrapper for programs of NetCDF."""
    path = PAGES["xta-nc.1"]
    with open(path, encoding="utf-8") as handle:
        text = handle.read()
    if shutil.which(WRAPPER):
        try_examples("xta-nc", text)
    else:
        print("SKIPPED: xta-nc, this build has no format of NetCDF", file=sys.stderr)
    return lint(path, "xta-nc")


def main():
    known = commands()
    n_examples = n_asked = 0
    pages = ["xta"] + [f"xta-{command.replace(' ', '-')}" for command in known]
    for name, command in zip(pages, [""] + known):
        path = PAGES.get(name + ".1")
        if path is None:
            problems.append(f"{name}: has no page")
            continue
        with open(path, encoding="utf-8") as handle:
            text = handle.read()
        n_asked += lint(path, name)
        if name == "xta":
            for page, other in zip(pages[1:], known):
                if " " not in other and page.replace("-", "\\-") not in text:
                    problems.append(f"xta.1 does not name {page}")
        elif not there(command):
            print(f"SKIPPED: {name}, this build has not the command", file=sys.stderr)
            continue
        else:
            check_synopsis(command)
            on_page, in_help = page_options(text), help_options(command)
            if on_page != in_help:
                problems.append(f"{name}: options on the page alone {sorted(on_page - in_help)}, "
                                f"in the help alone {sorted(in_help - on_page)}")
        n_examples += try_examples(name, text)
    for name in sorted(PAGES):
        if name.endswith(".1") and name[:-2] not in pages + ["xta-mpi", "xta-nc"]:
            problems.append(f"{name}: there is no such command")
    n_asked += look_at_mpi_page() + look_at_nc_page()
    if n_asked == 0:
        print("SKIPPED: neither groff nor mandoc is here to look at the pages", file=sys.stderr)
    print(f"{len(pages) + 2} pages")
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems", file=sys.stderr if not problems else sys.stdout)
    return 1 if problems or n_examples < 30 else 0


sys.exit(main())

#!/usr/bin/env python3
"""Run a command under a memory limit and print its cost as one line of JSON on standard output.

usage: limited.py --memory BYTES --seconds LIMIT [--log FILE] -- COMMAND...

The limit is that of a separate control group (version 2 or 1), so the page cache counts as well. If no group can be
made the command runs without a limit, with a warning and a note in the result. The output of the command goes to the
log.

  outcome       "ok", "killed" (by the limit), "timeout", or "failed"
  seconds       from start to end
  synced        from start until its output is on the disk
  rss_bytes     largest resident set of the command or one of its children (mapped files count)
  anon_bytes    largest memory of the group that is no page cache, seen every 10 ms; null without a group
  group_bytes   largest memory of the group, page cache included; null without a group

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path("/sys/fs/cgroup")


class Group:
    """A control group of version 1 or 2, or none."""

    def __init__(self, limit):
        self.path = self.version = None
        name = f"xta-bench-{os.getpid()}"
        for version, parent in ((2, ROOT), (1, ROOT / "memory")):
            try:
                self.make(version, parent / name, limit)
                return
            except OSError as error:
                why = error
                if self.path is not None:
                    self.remove()
        print(f"limited.py: NO MEMORY LIMIT: no control group can be made ({why})", file=sys.stderr)

    def make(self, version, path, limit):
        if version == 2:
            if "memory" not in (path.parent / "cgroup.controllers").read_text().split():
                raise OSError("no memory controller of version 2")
            if "memory" not in (path.parent / "cgroup.subtree_control").read_text().split():
                (path.parent / "cgroup.subtree_control").write_text("+memory")
        elif not (path.parent / "memory.limit_in_bytes").exists():
            raise OSError("no memory controller of version 1")
        path.mkdir()
        self.path, self.version = path, version
        if version == 2:
            (path / "memory.max").write_text(str(limit))
            if (path / "memory.swap.max").exists():
                (path / "memory.swap.max").write_text("0")
        else:
            (path / "memory.limit_in_bytes").write_text(str(limit))
            if (path / "memory.memsw.limit_in_bytes").exists():
                (path / "memory.memsw.limit_in_bytes").write_text(str(limit))

    def enter(self):
        if self.path is not None:
            (self.path / "cgroup.procs").write_text(str(os.getpid()))

    def facts(self, name):
        """One of the files of `name value` lines."""
        lines = (self.path / name).read_text().split("\n")
        return {words[0]: int(words[1]) for words in map(str.split, lines) if len(words) == 2}

    def anonymous(self):
        if self.path is None:
            return None
        facts = self.facts("memory.stat")
        return facts["anon"] if self.version == 2 else facts.get("total_rss", facts["rss"])

    def peak(self):
        if self.path is None:
            return None
        name = "memory.peak" if self.version == 2 else "memory.max_usage_in_bytes"
        return int((self.path / name).read_text()) if (self.path / name).exists() else None

    def killed(self):
        if self.path is None:
            return False
        if self.version == 2:
            return self.facts("memory.events").get("oom_kill", 0) > 0
        return self.facts("memory.oom_control").get("oom_kill", 0) > 0

    def kill_all(self):
        for number in (self.path / "cgroup.procs").read_text().split() if self.path else []:
            try:
                os.kill(int(number), signal.SIGKILL)
            except ProcessLookupError:
                pass

    def remove(self):
        if self.path is None:
            return
        for _ in range(200):
            try:
                self.path.rmdir()
                break
            except OSError:
                self.kill_all()
                time.sleep(0.02)
        self.path = None


def run(arguments, group):
    log = open(arguments.log or os.devnull, "ab")
    begin = time.monotonic()
    child = subprocess.Popen(arguments.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                             preexec_fn=group.enter, start_new_session=True)
    anonymous, outcome, state = None, None, 0
    while True:
        number, state, usage = os.wait4(child.pid, os.WNOHANG)
        if number != 0:
            break
        anonymous = max(filter(None, (anonymous, group.anonymous())), default=None)
        if time.monotonic() - begin > arguments.seconds:
            outcome = "timeout"
            os.killpg(child.pid, signal.SIGKILL)
            group.kill_all()
        time.sleep(0.01)
    child.returncode = os.waitstatus_to_exitcode(state)
    seconds = time.monotonic() - begin
    os.sync()
    synced = time.monotonic() - begin
    if outcome is None and group.killed():
        outcome = "killed"
    if outcome is None:
        outcome = "ok" if child.returncode == 0 else "failed"
    return {"outcome": outcome, "seconds": seconds, "synced": synced,
            "rss_bytes": usage.ru_maxrss * 1024, "anon_bytes": anonymous, "group_bytes": group.peak(),
            "limit_bytes": arguments.memory if group.path else None}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--memory", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--log")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    group = Group(arguments.memory)
    try:
        print(json.dumps(run(arguments, group)))
    finally:
        group.remove()


if __name__ == "__main__":
    main()

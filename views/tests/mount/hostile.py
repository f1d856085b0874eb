"""Mounts of folders with damaged, deleted and strangely named things, and mounts that end under their readers.

SPDX-License-Identifier: Apache-2.0
"""
import errno
import os
import shutil
import signal
import subprocess
import time

import numpy

from mounted import PROGRAM, TOOL, Folder, check, tool, wait_for


def errno_of(action):
    """What an action fails with; 0: it succeeds."""
    try:
        action()
        return 0
    except OSError as error:
        return error.errno


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_damage(folder):
    folder.array("broken", numpy.arange(1000.0))
    with open(os.path.join(folder.data, "broken.xmd"), "r+b") as journal:
        journal.seek(30)
        journal.write(b"\xff" * 40)
    check("broken.npy" in os.listdir(folder.mnt), "a corrupt array is not listed")
    check(os.path.getsize(folder.view("broken.npy")) == 0, "it has a size")
    check(errno_of(lambda: read(folder.view("broken.npy"))) == errno.EIO, "a corrupt array was read")
    check("broken" in folder.said(), "no text in the log")
    with open(os.path.join(folder.data, "text.xmd"), "w", encoding="utf-8") as journal:
        journal.write("no journal\n")
    check(errno_of(lambda: read(folder.view("text.nc"))) == errno.EIO, "a text was read as an array")

    folder.array("alone", numpy.arange(1000.0))
    os.remove(os.path.join(folder.data, "alone.xta"))
    check(errno_of(lambda: read(folder.view("alone.npy"))) in (errno.ENOENT, errno.EIO), "without its cells")


def check_truncated(folder):
    """The data file is cut while a view is open: its reader gets an error, and all others go on."""
    values = numpy.arange(300000.0)
    folder.array("cut", values, "--chunk", "1000")
    with open(folder.view("cut.npy"), "rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)  # nothing is read ahead
        check(len(file.read(4096)) == 4096, "before")
        os.truncate(os.path.join(folder.data, "cut.xta"), 8192)
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        check(errno_of(lambda: os.pread(file.fileno(), 4096, 2000000)) == errno.EIO, "a part that has gone was read")
        check(errno_of(lambda: os.pread(file.fileno(), 4096, 1500000)) == errno.EIO, "a damaged file was read again")
    # Found by the mount in a mapped file, by the library in one that it reads through a cache.
    check("cut: its data file was truncated" in folder.said() or "cut.xta: offset 8192" in folder.said(),
          folder.said())
    check(folder.server.poll() is None, "the mount has ended")
    check(errno_of(lambda: read(folder.view("cut.npy"))) == errno.EIO, "a truncated array was opened")


def check_deleted(folder):
    values = numpy.arange(200000, dtype="i4")
    folder.array("gone", values)
    with open(folder.view("gone.raw"), "rb") as file:
        for suffix in (".xmd", ".xta"):
            os.remove(os.path.join(folder.data, "gone" + suffix))
        check((numpy.frombuffer(file.read(), dtype="i4") == values).all(), "cells of a deleted array")
    check(errno_of(lambda: read(folder.view("gone.raw"))) == errno.ENOENT, "a deleted array was opened")
    folder.array("gone", values[:10])
    check(os.path.getsize(folder.view("gone.raw")) == 40, "an array of the same name")


def check_shrunk(folder):
    """Cells that a shrink removes read as the fill value, and the size stays."""
    folder.array("shrunk", numpy.full(500000, 7, dtype="i8"), "--chunk", "1000")
    with open(folder.view("shrunk.raw"), "rb") as file:
        tool("shrink", os.path.join(folder.data, "shrunk"), "--axis", "0", "--by", "400000")
        cells = numpy.frombuffer(file.read(), dtype="i8")
    check(len(cells) == 500000 and (cells[:100000] == 7).all(), "cells that are left")
    check(numpy.isin(cells[100000:], (0, 7)).all(), "cells that were removed")
    time.sleep(0.1)  # a thread that opens a file again at once gets the same step
    check(os.path.getsize(folder.view("shrunk.raw")) == 800000, "the size of the next step")


def opened_size(path):
    with open(path, "rb") as file:
        return os.fstat(file.fileno()).st_size


def check_twice(folder):
    """A thread that opens a file twice, as NumPy does to map it, gets one step; later it gets the latest."""
    folder.array("twice", numpy.zeros(1000, dtype="i8"))
    path, journal = folder.view("twice.raw"), os.path.join(folder.data, "twice.xmd")
    words = ["extend", os.path.join(folder.data, "twice"), "--axis", "0", "--by", "10"]
    size, soon = 8000, False
    for _ in range(50):
        time.sleep(0.1)
        begin, before = time.monotonic(), os.path.getsize(journal)
        first = opened_size(path)
        check(first == size, "the latest step")
        # The start of the tool may take longer than a step is kept: only its growth has to fall between two opens.
        with subprocess.Popen([TOOL, *words]) as growth:
            while os.path.getsize(journal) == before and growth.poll() is None:
                if time.monotonic() - begin > 0.06:
                    begin, first = time.monotonic(), opened_size(path)
            after = os.path.getsize(journal)
            again = opened_size(path)
            soon = time.monotonic() - begin < 0.045
        check(again == first or not soon, "another step at once")
        # The array has grown between the two.
        soon = soon and first == size and after == os.path.getsize(journal)
        check(growth.returncode == 0, "xta extend")
        size += 80
        if soon:
            break
    check(soon, "xta extend is too slow for this test")
    time.sleep(0.1)
    check(opened_size(path) == size, "the latest step, after a while")


def check_rewritten(folder):
    """Cells that are written again show in a file that is opened again."""
    folder.array("again", numpy.zeros(100000, dtype="i8"))
    check(not numpy.load(folder.view("again.npy")).any(), "zeros")
    source = os.path.join(folder.path, "source.npy")
    numpy.save(source, numpy.ones(100000, dtype="i8"))
    tool("import", source, os.path.join(folder.data, "again"), "--at", "0")
    check(numpy.load(folder.view("again.npy")).all(), "old cells")


def check_inside():
    """A mount in the folder that it shows does not show itself, nor does a link to it."""
    with Folder() as folder:
        folder.array("one", numpy.arange(5))
        os.mkdir(os.path.join(folder.data, "inside"))
        folder.mnt = os.path.join(folder.data, "inside")
        os.symlink(folder.mnt, os.path.join(folder.data, "link"))
        folder.mount()
        # In a process that can be left behind if it waits for itself.
        walk = subprocess.run(["timeout", "-s", "KILL", "20", "find", folder.mnt], capture_output=True, text=True, check=False)
        check(walk.returncode == 0, f"a walk through the mount ended with {walk.returncode}")
        found = sorted(os.path.relpath(path, folder.mnt) for path in walk.stdout.splitlines())
        check(found == [".", "one.json", "one.nc", "one.npy", "one.raw"], found)
        check(errno_of(lambda: os.listdir(folder.view("inside"))) == errno.ENOENT, "the mount in the mount")
        check(errno_of(lambda: os.listdir(folder.view("link", "inside"))) == errno.ENOENT, "behind a link")
        folder.end()
        for mountpoint in (folder.data, folder.path):
            refused = subprocess.run([PROGRAM, folder.data, mountpoint, "--foreground"], capture_output=True, text=True,
                                     check=False, timeout=30)
            check(refused.returncode == 1 and "would cover the folder" in refused.stderr, refused)


def check_names(folder):
    values = numpy.arange(10)
    for name in ("with blank", "new\nline", "ümläut", "a.npy", "-dash", "per%cent"):
        folder.array(name, values)
        check(name + ".npy" in os.listdir(folder.mnt), name)
        check((numpy.load(folder.view(name + ".npy")) == values).all(), name)
        check(read(folder.view(name + ".nc"))[:4] == b"CDF\5", name)
    deep = "/".join(["folder"] * 60)
    os.makedirs(os.path.join(folder.data, deep))
    folder.array(deep + "/end", values)
    check((numpy.load(folder.view(deep, "end.npy")) == values).all(), "deep")


def check_links(folder):
    outside = os.path.join(folder.path, "outside")
    os.mkdir(outside)
    folder.array("../outside/linked", numpy.arange(5))
    with open(os.path.join(outside, "secret"), "w", encoding="utf-8") as file:
        file.write("no array\n")
    for suffix in (".xmd", ".xta"):
        os.symlink(os.path.join(outside, "linked" + suffix), os.path.join(folder.data, "link" + suffix))
    os.symlink("/nowhere", os.path.join(folder.data, "dangling.xmd"))
    os.symlink("loop", os.path.join(folder.data, "loop"))
    check(numpy.load(folder.view("link.npy")).sum() == 10, "a link to an array")
    check(errno_of(lambda: read(folder.view("dangling.npy"))) == errno.ENOENT, "a link to nothing")
    check("loop" not in os.listdir(folder.mnt), "a link to itself")
    # Files that are no arrays are not there, and nothing leads out of the folder.
    shutil.copy(os.path.join(outside, "secret"), os.path.join(folder.data, "secret"))
    for name in ("secret", "link.xta", "..", "../outside/secret"):
        check(name not in os.listdir(folder.mnt), name)
    check(errno_of(lambda: read(folder.view("secret"))) == errno.ENOENT, "a file that is no array")
    check(os.stat(folder.view("..")).st_ino == os.stat(folder.path).st_ino, "the folder above")


def check_ends(folder):
    """Signals and unmounting with files open."""
    folder.array("held", numpy.arange(100000))
    file = open(folder.view("held.npy"), "rb")  # pylint: disable=consider-using-with
    file.read(1)
    busy = subprocess.run(["fusermount3", "-u", folder.mnt], capture_output=True, check=False)
    check(busy.returncode != 0 and folder.server.poll() is None, "unmounted with a file open")
    folder.end(signal.SIGTERM)
    file.close()

    folder.mount()
    folder.server.kill()
    folder.server.wait()
    check(errno_of(lambda: os.listdir(folder.mnt)) == errno.ENOTCONN, "after a kill")
    subprocess.run(["fusermount3", "-u", folder.mnt], check=True)
    folder.mount()
    check((numpy.load(folder.view("held.npy")) == numpy.arange(100000)).all(), "mounted again")
    subprocess.run(["fusermount3", "-u", folder.mnt], check=True)
    check(folder.server.wait(30) == 0, "unmounted")

    # In the background, the command returns when files can be read.
    subprocess.run([PROGRAM, folder.data, folder.mnt], check=True)
    check(os.path.getsize(folder.view("held.npy")) > 800000, "in the background")
    subprocess.run(["fusermount3", "-u", folder.mnt], check=True)
    wait_for(lambda: not os.path.ismount(folder.mnt), "the unmount")


def check_refusals(folder):
    for words in ([folder.data], [folder.data + "x", folder.mnt], [folder.data, folder.mnt + "x"],
                  [folder.data, TOOL]):
        done = subprocess.run([PROGRAM, *words, "--foreground"], capture_output=True, text=True, check=False)
        check(done.returncode in (1, 2) and done.stderr.startswith("xta mount: "), done)


def main():
    with Folder() as folder:
        check_refusals(folder)
        folder.mount()
        for part in (check_damage, check_truncated, check_deleted, check_shrunk, check_twice, check_rewritten, check_names,
                     check_links, check_ends):
            part(folder)
            print(part.__name__[6:], flush=True)
    check_inside()
    print("inside", flush=True)


main()

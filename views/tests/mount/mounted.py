"""A folder mounted by `xta mount`, for the tests here.

SPDX-License-Identifier: Apache-2.0
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = os.environ.get("XTA_BUILD_DIR") or os.path.dirname(os.environ["XTA_TOOL"])
TOOL = os.environ["XTA_TOOL"]
PROGRAM = os.path.join(BUILD, "libexec/xta/xta-mount")


def check(condition, text):
    """Fail with the line of the caller."""
    if not condition:
        frame = sys._getframe(1)
        sys.exit(f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}: {text}")


def tool(*words):
    """Run `xta`, which must succeed."""
    return subprocess.run([TOOL, *words], check=True, capture_output=True, text=True).stdout


def wait_for(condition, text, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        check(time.monotonic() < end, f"waited {seconds} s in vain: {text}")
        time.sleep(0.02)


class Folder:
    """A folder for a test, with its data and a mount point."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="xta-mount.", dir=os.environ.get("XTA_TEST_DIR"))
        self.data = os.path.join(self.path, "data")
        self.mnt = os.path.join(self.path, "mnt")
        self.log = os.path.join(self.path, "log")
        os.mkdir(self.data)
        os.mkdir(self.mnt)
        self.server = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.server is not None and self.server.poll() is None:
            self.server.send_signal(signal.SIGTERM)
            self.server.wait()
        if os.path.ismount(self.mnt):
            subprocess.run(["fusermount3", "-u", "-z", self.mnt], check=False)
        shutil.rmtree(self.path, ignore_errors=True)

    def mount(self, *options):
        """Serve in the foreground of another process."""
        self.server = subprocess.Popen([PROGRAM, self.data, self.mnt, "--foreground", "--log", self.log, *options])
        wait_for(lambda: os.path.ismount(self.mnt) or self.server.poll() is not None, "the mount")
        check(self.server.poll() is None, "xta mount has ended")

    def end(self, number=signal.SIGTERM):
        """End it by a signal, and check that it ends well and leaves nothing mounted."""
        self.server.send_signal(number)
        check(self.server.wait(30) == 0, f"xta mount ended with {self.server.returncode}")
        check(not os.path.ismount(self.mnt), "it is still mounted")

    def said(self):
        with open(self.log, encoding="utf-8") as log:
            return log.read()

    def array(self, name, values, *options):
        """Make an array of the values of a NumPy array."""
        import numpy
        source = os.path.join(self.path, "source.npy")
        numpy.save(source, values)
        tool("import", source, os.path.join(self.data, name), *options)

    def view(self, *names):
        return os.path.join(self.mnt, *names)

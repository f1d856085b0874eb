# A server that a test starts, and requests to it.
# SPDX-License-Identifier: Apache-2.0
import http.client
import json
import os
import signal
import subprocess
import sys
import urllib.parse

from grown_arrays import TOOL, check


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([TOOL, "serve", "--port", "0", *map(str, words)], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip().rstrip("/")
        check(self.url.startswith("http://127.0.0.1:"), words, "did not start:", self.url)
        self.port = int(self.url.rsplit(":", 1)[1])

    def request(self, path, method="GET", **headers):
        """The status, the headers and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
            answer = connection.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException) as failure:
            self.process.poll()
            check(False, method, path, headers, "gave", failure, "and the server", self.process.returncode)
        connection.close()
        return answer.status, answer.headers, body

    def get(self, path, **headers):
        status, _, body = self.request(path, **headers)
        check(status == 200, path, "answered", status, body[:300])
        return body

    def getter(self, store):
        """The bytes of a key of a store; None: no such key."""
        def get(key):
            status, _, body = self.request(f"/{store}/{key}")
            check(status in (200, 404), store, key, "answered", status, body[:300])
            return body if status == 200 else None
        return get

    def steps(self, name):
        return json.loads(self.get(f"/{urllib.parse.quote(name)}/steps.json"))

    def alive(self):
        return self.process.poll() is None

    def stop(self):
        """Ends it as a shell does. It has not ended by itself, and ends well."""
        check(self.alive(), "the server has ended by itself with", self.process.poll())
        self.process.send_signal(signal.SIGTERM)
        check(self.process.wait(20) == 0, "the server ended with", self.process.returncode)


def need(*modules):
    """Skip the test if one of these modules is not there."""
    for module in modules:
        try:
            __import__(module)
        except ImportError as missing:
            print(f"SKIPPED: {missing}; tools/install-deps installs it")
            sys.exit(77)


def place_of(name):
    import tempfile
    return tempfile.TemporaryDirectory(prefix=f"xta-{name}-")


def source_dir():
    return os.environ["XTA_SOURCE_DIR"]

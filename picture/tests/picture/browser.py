# One headless Chromium for many pages, driven over a pipe by the DevTools protocol: it starts once, and a page can
# be as narrow as a phone.
# SPDX-License-Identifier: Apache-2.0
import json
import os
import select
import subprocess
import time


class Browser:
    """A context manager; `folder` receives the profile."""

    def __init__(self, folder, seconds=60):
        self.seconds = seconds
        self.serial, self.pending, self.events = 0, b"", []
        commands, self.to_browser = os.pipe()
        self.from_browser, answers = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec chromium "$@" 3<&%d 4>&%d' % (commands, answers), "bash", "--headless",
             "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-extensions", "--remote-debugging-pipe"],
            pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(self.seconds)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)

    def _message(self, deadline):
        """The next message; messages end with a zero byte."""
        while b"\0" not in self.pending:
            ready, _, _ = select.select([self.from_browser], [], [], max(0, deadline - time.monotonic()))
            more = os.read(self.from_browser, 1 << 20) if ready else b""
            if not more:
                raise RuntimeError("the browser does not answer" if not ready else "the browser has ended")
            self.pending += more
        text, _, self.pending = self.pending.partition(b"\0")
        return json.loads(text)

    def call(self, method, session=None, **parameters):
        """The result of a method; events on the way are kept."""
        self.serial += 1
        message = {"id": self.serial, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + self.seconds
        while True:
            answer = self._message(deadline)
            if answer.get("id") == self.serial:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def _wait(self, event, session):
        deadline = time.monotonic() + self.seconds
        while not any(e.get("method") == event and e.get("sessionId") == session for e in self.events):
            self.events.append(self._message(deadline))

    def _show(self, session, width, dark):
        self.call("Emulation.setDeviceMetricsOverride", session, width=width, height=900, deviceScaleFactor=1,
                  mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", session, features=[scheme])

    def visit(self, path, script, *screens):
        """Open a file, and run a script on each screen (width, whether it is dark) once the page is loaded.

        Returns the script's values and what the page has written to the console, as a list of texts."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Log", "Runtime"):
            self.call(f"{domain}.enable", session)
        self._show(session, *screens[0])
        self.events = []  # of about:blank
        self.call("Page.navigate", session, url=f"file://{os.path.abspath(path)}")
        self._wait("Page.loadEventFired", session)
        values = []
        for screen in screens:
            self._show(session, *screen)
            answer = self.call("Runtime.evaluate", session, expression=script, returnByValue=True)
            if "exceptionDetails" in answer:
                raise RuntimeError(f"{path}: {answer['exceptionDetails']}")
            values.append(answer["result"].get("value"))
        self.call("Target.closeTarget", targetId=target)
        return values, [_text(e) for e in self.events if _text(e)]


def _text(event):
    """What an event says on the console; None if it is another event."""
    if event.get("method") == "Log.entryAdded":
        return event["params"]["entry"]["text"]
    if event.get("method") == "Runtime.consoleAPICalled":
        return str([a.get("value") for a in event["params"]["args"]])
    if event.get("method") == "Runtime.exceptionThrown":
        return event["params"]["exceptionDetails"]["text"]
    return None

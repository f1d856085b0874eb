# Requests that no client means well with: paths that lead elsewhere in every spelling, broken requests, names of other
# hosts, bodies, ranges that overflow, headers without end, connections without requests, bytes at random. The server
# answers each with the status that it deserves or closes the connection, tells nothing of other files, and lives on.
# SPDX-License-Identifier: Apache-2.0
import os
import socket
import struct
import threading
import time

from server import Server, place_of

import grown_arrays
from grown_arrays import SCALE, TOOL, check, run, seed

SECRET = b"the words of another file"


def send(server, data, wait=20):
    """What comes back to bytes, until the server closes or has answered."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=wait) as connection:
        answer = b""
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(1 << 16):
                answer += piece
        except OSError as closed:  # the server has closed it already
            check(not isinstance(closed, TimeoutError), data[:200], "has no answer and no end")
    check(SECRET not in answer and b"root:" not in answer, data[:200], "told of another file")
    return answer


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def get(path, *lines):
    return b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + \
        b"".join(line + b"\r\n" for line in lines) + b"\r\n"


def paths(deep):
    """Paths, and the statuses that may answer them."""
    secret = f"{deep}/secret".encode()
    yield from ((p, (400,)) for p in (
        b"/../secret", b"/../../etc/passwd", b"/a.zarr/../secret", b"/a.zarr/../../etc/passwd", b"/a.zarr/a/../../secret",
        b"/%2e%2e/secret", b"/%2e%2e%2fsecret", b"/%2E%2E/secret", b"/.%2e/secret", b"/%2e./secret", b"/..%2fsecret",
        b"/a.zarr/%2e%2e/%2e%2e/etc/passwd", b"/a.zarr/..%2f..%2fetc%2fpasswd", b"/a.zarr/..%5c..%5csecret",
        b"/a.zarr/..\\..\\secret", b"/a.zarr/%c0%ae%c0%ae/secret", b"/a.zarr/%e0%80%ae%e0%80%ae/secret", b"/./secret",
        b"/a.zarr/./a/0", b"/a.zarr//a/0", b"//etc/passwd", b"//a.zarr/a/0", b"/a.zarr/%2f%2fetc/passwd",
        b"/a.zarr/a%00/0", b"/a.zarr/a/0%00.png", b"/%00", b"/a.zarr/%0d%0aX-Mine:%20yes", b"/a.zarr/%0a", b"/a.zarr/%7f",
        b"/a.zarr/%", b"/a.zarr/%4", b"/a.zarr/%g0", b"/a.zarr/%u002e", b"/a.zarr/\xff\xfe", b"/a.zarr/%ff",
        b"/a.zarr/%ed%a0%80", b"a.zarr/a/0", b"..", b"*", b"http://localhost/a.zarr/a/0"))
    yield from ((p, (404,)) for p in (
        b"/secret", b"/secret.xta", b"/a.zarr/secret", b"/set/linked.xta", b"/set/../x.xta"[:4] + b"/secret.xta",
        b"/a.zarr/%252e%252e/secret", b"/a.zarr/..;/secret", b"/a.zarr/...", b"/a.xmd", b"/a", b"/a/", b"/a.zarr3/a/0",
        b"/a.zarr/a/c/0", b"/a.zarr/a/-1", b"/a.zarr/a/00", b"/a.zarr/a/0.", b"/a.zarr/a/0.0", b"/a.zarr/a/1e3",
        b"/a.zarr/a/18446744073709551616", b"/a.zarr/a/9999999999999999999999999999", b"/a.zarr/a/n1", b"/a.zarr/a/0x0",
        b"/a.zarr/a/n999999999999", b"/a@.zarr/a/0", b"/@0.zarr/a/0", b"/a@x.zarr/a/0", b"/a@1e9.zarr/a/0",
        b"/a@18446744073709551616.zarr/a/0", b"/a@-0.zarr/a/0", b"/a@%20" b"0.zarr/a/0", b"/set@t=0:1,.zarr/a/0",
        b"/set@=0:1.zarr/a/0", b"/set@t=:.zarr/x", b"/set@t=1:99999999999999999999.zarr/x", b"/.zarr/x", b"/.json", b"/.png",
        b"/favicon.ico", b"/.git/config", b"/a.json/x", b"/a/steps.json/x", b"/a/latest/x",
        b"/%3Cscript%3Ealert(1)%3C/script%3E", secret))
    yield from ((p, (410,)) for p in (b"/a@7.zarr/a/0", b"/set@x=0:4.zarr/.zmetadata", b"/set@t=-9:4.zarr/.zmetadata",
                                      b"/set@t=0:4611686018427387904.zarr/.zmetadata"))
    yield b"/" + b"a" * 5000, (414,)
    yield b"/a.zarr/" + b"%41" * 3000, (414,)
    yield b"/a.zarr/" + b"a/" * 900, (404,)


def requests():
    """Whole requests, and the statuses that may answer them; 0: the connection is closed."""
    yield b"", (0,)
    yield b"\r\n\r\n", (0, 400)
    yield b"GET\r\n\r\n", (0, 400)
    yield b"GET /\r\n\r\n", (0, 200, 400, 505)
    yield b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n", (0, 200, 400, 505)
    yield b"GET / HTTP/1.1\r\n\r\n", (400,)  # without Host
    yield b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", (421,)
    # Requests that a proxy may take for others: the second one would be answered, too.
    second = b"GET /a.zarr/.zmetadata HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for lines in (b"Content-Length: 0\r\nContent-Length: %d" % len(second), b"Content-Length: %d\r\nContent-Length: 0" %
                  len(second), b"Content-Length: 0\r\ncontent-length: 0", b"Host: evil.example",
                  b"Transfer-Encoding : chunked", b"Content-Length : %d" % len(second)):
        yield b"GET / HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n\r\n" + second, (400, 413)
    yield b"GET / HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", (421,)
    yield b"GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n", (421,)
    yield b"GET / HTTP/1.1\r\nHost: 192.168.1.1\r\n\r\n", (421,)
    yield b"GET / HTTP/1.1\r\nHost: a b<script>\r\n\r\n", (400,)
    yield b"GET / HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n", (200,)
    yield b"GET /a.zarr/a/0 HTTP/1.0\r\n\r\n", (200,)
    for method in (b"POST", b"PUT", b"DELETE", b"PATCH", b"TRACE", b"CONNECT", b"PROPFIND", b"get", b"G\x01T", b"X" * 3000):
        yield method + b" /a.zarr/a/0 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", (0, 400, 405)
    yield get(b"/", b"Content-Length: 5") + b"12345", (413,)
    yield get(b"/", b"Content-Length: -1"), (0, 400, 413)
    yield get(b"/", b"Content-Length: 99999999999999999999999"), (0, 400, 413)
    yield get(b"/", b"Transfer-Encoding: chunked") + b"5\r\n12345\r\n0\r\n\r\n", (413,)
    yield get(b"/", b"Transfer-Encoding: chunked", b"Content-Length: 3") + b"0\r\n\r\n", (0, 400, 413)
    yield get(b"/", b"A" * 40000 + b": b"), (0, 400, 413, 431)
    yield get(b"/", *[b"A%d: b" % k for k in range(5000)]), (0, 400, 413, 431)
    yield get(b"/", b": no name"), (0, 200, 400)
    yield get(b"/", b"no colon"), (0, 200, 400)
    yield get(b"/", b"Nul: \0"), (0, 200, 400)
    yield get(b"/a.zarr/a/0?" + b"x" * 4000), (200, 414)
    yield get(b"/a.zarr/a/0", b"If-None-Match: " + b'"x", ' * 2000), (200,)
    for asked in (b"bytes=18446744073709551615-", b"bytes=18446744073709551616-18446744073709551617", b"bytes=-0", b"bytes=99-"):
        yield get(b"/a.zarr/a/0", b"Range: " + asked), (416,)
        yield get(b"/a.xta", b"Range: " + asked.replace(b"99-", b"999999-")), (416,)
    for asked in (b"bytes=0-0,1-1,2-2", b"bytes=" + b"0-0," * 1000 + b"0-0", b"bytes=5-1", b"bytes=a-", b"bytes=--1", b"bytes=",
                  b"bytes", b"=0-1", b"bytes=0-1-2", b"bytes=0x0-1", b"bytes= 0-1", b"cells=0-1", b"bytes=-", b"bytes=1-+2"):
        yield get(b"/a.zarr/a/0", b"Range: " + asked), (200,)
    yield get(b"/a.zarr/a/0", b"Range: bytes=0-1", b"Range: bytes=2-3"), (200, 206)
    yield get(b"/a.xta", b"Range: bytes=0-18446744073709551615"), (206,)


def memory_of(server):
    with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as status:
        return int(next(line for line in status if line.startswith("VmRSS")).split()[1]) << 10


def long_axis(deep):
    """Snapshots stay open, and the coordinates of a long axis, which are computed, must not fill the memory."""
    n = 4_000_000
    run(TOOL, "create", f"{deep}/long", "--type", "u8", "--bounds", str(n), "--names", "t")
    run(TOOL, "attr", f"{deep}/long", "values//regular=5,2,12", "--type", "f64", "--axis", "t")
    for _ in range(6):
        run(TOOL, "extend", f"{deep}/long", "--axis", "t", "--by", "1", "--front")
    server = Server(f"{deep}/long", "--memory", "1MiB")
    before = memory_of(server)
    for step in range(6):
        check(server.request(f"/long@{step}.zarr/.zmetadata")[0] == 200, "a step of a long axis")
        last = n + step - 1
        chunk = struct.unpack("<4096d", server.get(f"/long@{step}.zarr/t/{last // 4096}"))
        wanted = [5 + 2.0 * (cell - step) for cell in range(last - last % 4096, last + 1)]
        check(list(chunk[:len(wanted)]) == wanted and not any(chunk[len(wanted):]), "coordinates of a long axis")
    check(memory_of(server) - before < 8 * n, "snapshots of a long axis take", memory_of(server) - before, "bytes")
    server.stop()


def truncated(deep):
    """A data file that loses its end while it is served: an error, and no end of the server."""
    for name in ("short", "other"):
        run(TOOL, "create", f"{deep}/{name}", "--type", "u8", "--bounds", "300,1000", "--chunk", "10,1000", "--names", "y,x")
    server = Server(f"{deep}/short", f"{deep}/other")
    check(server.request("/short.zarr/short/0.0")[0] == 200, "a chunk")
    os.truncate(f"{deep}/short.xta", 8192)
    for path in ("/short.zarr/short/9.0", "/short.zarr/short/0.0", "/short@0.zarr3/short/c/29/0", "/short.png", "/short.xta"):
        status, _, body = server.request(path)
        check(status == 500 and b"short" in body and b"restore it" in body, path, status, body)
    check(server.request("/other.zarr/other/9.0")[0] == 200, "another array")
    server.stop()


def truncated_while_read(deep):
    """A data file that loses its end in the middle of answers: some are errors, and the server goes on."""
    name, n, seen = f"{deep}/cut", 32 << 20, set()
    run(TOOL, "create", name, "--type", "u8", "--bounds", f"2,{n}", "--chunk", f"1,{n}", "--names", "y,x")
    # Keys are counted from the front, so each chunk of the view is parts of two, which two threads could read.
    run(TOOL, "extend", name, "--axis", "x", "--by", n // 2, "--front")
    os.environ["XTA_THREADS"] = "4"  # threads that nobody guards: the server must do without
    server = Server(name, f"{deep}/other")
    del os.environ["XTA_THREADS"]
    whole, end = os.stat(f"{name}.xta").st_size, threading.Event()

    def cut():
        while not end.is_set():
            os.truncate(f"{name}.xta", 8192)
            os.truncate(f"{name}.xta", whole)
            time.sleep(0.002)

    cutter = threading.Thread(target=cut)
    cutter.start()
    until = time.monotonic() + 30
    while time.monotonic() < until and b"while it was read" not in seen:
        status, _, body = server.request("/cut.zarr/cut/1.0")
        if status == 200:
            check(len(body) == n and not any(body), "a chunk of zeros")
        else:
            check(status == 500 and b"truncated" in body, status, body)
            seen.add(b"while it was read" if b"while it was read" in body else b"before")
    end.set()
    cutter.join()
    check(b"while it was read" in seen, "no answer was cut in the middle of 30 seconds", seen)
    status, _, body = server.request("/cut.zarr/cut/1.0")
    check(status == 500 and b"start the server again" in body, "cells that nobody has any more", status, body[:300])
    check(server.request("/other.zarr/other/9.0")[0] == 200, "another array")
    server.stop()


def hold(server, n):
    """Connections that say nothing, or never end what they say, beside which others are served."""
    held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(n)]
    for k, connection in enumerate(held):
        connection.sendall([b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "][k % 3])
    check(server.request("/a.zarr/a/0")[0] == 200, "the server has no time for others")
    end = time.monotonic() + 20
    for connection in held:  # they are closed: nothing moves on them
        connection.settimeout(max(0.1, end - time.monotonic()))
        try:
            while connection.recv(4096):
                pass
        except OSError as closed:
            check(not isinstance(closed, TimeoutError), "a connection that says nothing stays open")
        connection.close()
    check(time.monotonic() < end, "connections that say nothing stay open")


with place_of("hostile") as place:
    deep = f"{place}/deep"
    os.makedirs(f"{deep}/set")
    open(f"{deep}/secret", "wb").write(SECRET)
    open(f"{deep}/secret.xta", "wb").write(SECRET)
    run(TOOL, "create", f"{deep}/a", "--type", "u8", "--bounds", "20", "--chunk", "16", "--names", "t")
    run(TOOL, "create", f"{deep}/set/m", "--type", "u8", "--bounds", "4", "--names", "t")
    server = Server(f"{deep}/a", f"{deep}/set", "--timeout", "2", "--connections", "64")
    rng = seed()
    n = 0
    for path, wanted in paths(deep):
        answer = send(server, get(path))
        check(status_of(answer) in wanted, path[:200], "answered", answer[:300])
        check(answer.count(b"X-Mine") == 0, path, "wrote a header")
        n += 1
    for request, wanted in requests():
        answer = send(server, request)
        check(status_of(answer) in wanted, request[:200], "answered", answer[:300])
        n += 1
    # A member that becomes a link to elsewhere after the start.
    os.rename(f"{deep}/set/m.xta", f"{deep}/outside.xta")
    os.symlink(f"{deep}/outside.xta", f"{deep}/set/m.xta")
    answer = send(server, get(b"/set/m.xta"))
    check(status_of(answer) in (403, 500), "a link to elsewhere", answer[:300])
    valid = get(b"/a.zarr/a/0", b"Range: bytes=1-3", b"If-None-Match: \"x\"")
    for _ in range(int(300 * SCALE)):
        data = bytearray(valid)
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(data))
            data[at:at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
        send(server, bytes(data))
        if rng.random() < 0.2:
            send(server, rng.randbytes(rng.randint(1, 2000)))
        if rng.random() < 0.1:  # goes away in the middle of its request
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(valid[:rng.randrange(1, len(valid))])
    check(server.alive(), "the server has ended")
    hold(server, 40)
    check(server.request("/a.zarr/a/0")[0] == 200, "the server does not answer any more")
    server.stop()
    long_axis(deep)
    truncated(deep)
    truncated_while_read(deep)
print(f"served_hostile: {n} requests with a wanted status, {grown_arrays.n_checks} checks")

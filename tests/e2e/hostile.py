"""A server of what the web throws at crawlers, one host name each, on 127.0.0.1; and a listener that nobody may
reach. A thread per connection: it is small on purpose, not fast.
"""

import collections
import gzip
import select
import socket
import threading

BOMB_BYTES = 128 << 20  # of the gzip bomb, unpacked
DEEP_ELEMENTS = 200_000


def answer(status, body=b"", fields=(), content_type="text/html"):
    head = ["HTTP/1.1 %s" % status, "Content-Type: %s" % content_type, "Content-Length: %d" % len(body),
            "Connection: close", *fields]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def page(*links):
    return answer("200 OK", ("<!DOCTYPE html><title>x</title>" +
                             "".join('<p><a href="%s">x</a>' % link for link in links)).encode())


class Server:
    """Routes by Host. `requests` lists (host, target) in order of arrival."""

    def __init__(self, forbidden_address="127.0.0.9"):
        # Made before anyone waits for it.
        self._packed = gzip.compress(b"<p>" + b" " * BOMB_BYTES, 6)
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self.requests = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self._listener.getsockname()[1]
        self._canary = socket.create_server((forbidden_address, 0))
        self.canary_url = "http://%s:%d/" % (forbidden_address, self._canary.getsockname()[1])
        self.canary_port = self._canary.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, host, target="/"):
        return "http://%s:%d%s" % (host, self.port, target)

    def stop(self):
        self._stopped.set()
        # Wakes the accept() that close() alone would leave waiting.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._canary.close()

    def canary_was_reached(self):
        return bool(select.select([self._canary], [], [], 0)[0])

    def count(self, host):
        return sum(1 for asked, target in self.requests if asked == host and target != "/robots.txt")

    def counts(self):
        return collections.Counter(self.requests)

    def wait_for(self, host, target, seconds=60):
        with self._changed:
            return self._changed.wait_for(lambda: (host, target) in self.requests, seconds)

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            try:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = connection.recv(4096)
                    if not piece:
                        return
                    head += piece
                lines = head.decode("latin-1").split("\r\n")
                target = lines[0].split(" ")[1]
                host = next(line[5:].strip() for line in lines if line.lower().startswith("host:")).split(":")[0]
                with self._changed:
                    self.requests.append((host, target))
                    self._changed.notify_all()
                self._answer(connection, host, target)
            except OSError:
                return  # the crawler had enough, as it should

    def _answer(self, connection, host, target):
        if target == "/robots.txt":
            return connection.sendall(answer("404 Not Found"))
        special = getattr(self, "_" + host.removesuffix(".test").replace("-", "_"), None)
        if special is None or target.startswith("/plain"):
            return connection.sendall(page())
        return special(connection, target)

    def _drip(self, connection, pieces):
        """A piece every 0.1 s until the peer or the test ends it."""
        for piece in pieces:
            connection.sendall(piece)
            if self._stopped.wait(0.1):
                return

    # One method per host name.
    def _hub(self, connection, target):
        hosts = ("bomb", "endless", "slow-head", "slow-body", "mute", "chain", "ssrf", "deep", "headers", "cut", "junk",
                 "bad-gzip", "bad-location", "no-location", "cycle")
        links = [self.url(host + ".test") for host in hosts] + ["/plain%d" % i for i in range(20)]
        links += [self.canary_url, "http://inside.test:%d/" % self.canary_port]
        # Other spellings of the forbidden address; all of them are 127.0.0.9.
        links += ["http://%s:%d/n" % (host, self.canary_port) for host in ("127.9", "0x7f000009", "2130706441",
                                                                           "[::ffff:127.0.0.9]")]
        connection.sendall(page(*links))

    def _bomb(self, connection, _):
        connection.sendall(answer("200 OK", self._packed, ["Content-Encoding: gzip"]))

    def _endless(self, connection, _):
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
        piece = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        while not self._stopped.is_set():
            connection.sendall(piece)

    def _slow_head(self, connection, _):
        self._drip(connection, [b"HTTP/1.1 200 OK\r\n"] + [b"X: y\r\n"] * 6000)

    def _slow_body(self, connection, _):
        self._drip(connection, [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n"]
                   + [b"x"] * 6000)

    def _mute(self, connection, _):
        select.select([connection], [], [], 120)  # until the peer goes away

    def _chain(self, connection, target):
        number = int(target[1:] or 0) + 1
        connection.sendall(answer("302 Found", fields=["Location: /%d" % number]))

    def _cycle(self, connection, target):
        connection.sendall(answer("302 Found", fields=["Location: %s" % ("/b" if target != "/b" else "/")]))

    def _ssrf(self, connection, _):
        connection.sendall(answer("302 Found", fields=["Location: %sx" % self.canary_url]))

    def _deep(self, connection, _):
        body = b"<!DOCTYPE html>" + b"<div>" * DEEP_ELEMENTS + b'<a href="/plain-inside">x</a>'
        connection.sendall(answer("200 OK", body))

    def _headers(self, connection, _):
        connection.sendall(answer("200 OK", b"x", ["X-Filler-%d: %s" % (i, "y" * 1000) for i in range(2000)]))

    def _cut(self, connection, _):
        connection.sendall(answer("200 OK", b"<p>" + b"x" * 5000)[:-2000])

    def _junk(self, connection, _):
        connection.sendall(b"\x00\x01SSH-2.0-OpenSSH_9\r\n\r\n")

    def _bad_gzip(self, connection, _):
        connection.sendall(answer("200 OK", gzip.compress(b"x" * 5000)[:12] + b"\xff" * 50, ["Content-Encoding: gzip"]))

    def _bad_location(self, connection, _):
        connection.sendall(answer("302 Found", fields=["Location: http://[bad/"]))

    def _no_location(self, connection, _):
        connection.sendall(answer("302 Found"))

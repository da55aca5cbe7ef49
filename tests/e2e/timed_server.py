"""A server of a few linked pages that notes when each request came: host, target, and time in microseconds."""

import http.server
import threading
import time


class TimedServer:
    """`robots` is the body of every robots.txt, or None for 404."""

    def __init__(self, pages, robots=None):
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.requests.append((self.headers["Host"], self.path, time.monotonic_ns() // 1000))
                if self.path == "/robots.txt":
                    self.answer(200 if robots is not None else 404, "text/plain", robots or "")
                else:
                    links = "".join('<a href="/%d">x</a>' % i for i in range(pages))
                    self.answer(200, "text/html", "<!DOCTYPE html><title>x</title>" + links)

            def answer(self, status, content_type, body):
                self.send_response(status)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    def smallest_gap(self, by_host):
        """Between two requests of one host, or of the address."""
        last, smallest = {}, None
        for host, _, moment in sorted(self.requests, key=lambda row: row[2]):
            key = host if by_host else "address"
            if key in last:
                gap = moment - last[key]
                smallest = gap if smallest is None else min(smallest, gap)
            last[key] = moment
        return smallest

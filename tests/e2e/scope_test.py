"""Scope from the outside: every refused link is a line of dropped.jsonl with the rule that refused it, and
`scope check` gives the same verdicts without a crawl."""

import http.server
import json
import os
import subprocess
import threading

import harness

PAGE = b"""<!doctype html><title>x</title>
<a href="/in">in</a> <a href="/private/1">denied</a> <a href="/a.zip">archive</a>
<a href="http://b.test/">elsewhere</a> <a href="mailto:x@a.test">mail</a> <a href="http://[bad/">bad</a>
<a rel="nofollow" href="/nofollowed">nofollow</a> <a href="/out">redirect</a>"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/out":
            self.send_response(302)
            self.send_header("Location", "http://b.test/landing")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        port = self.server.server_port
        body = {"/": PAGE,
                "/hub": b'<a href="http://b.test:%d/one">out</a>' % port,
                "/one": b'<a href="/two">further</a> <a href="http://a.test:%d/back">back</a>' % port,
                }.get(self.path, b"<p>leaf")
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Scope(harness.EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.origin = "http://a.test:%d" % self.server.server_port
        self.settings = {
            "scope.hosts": ["a.test"],
            "scope.deny": ["/never", "/private/"],
            "scope.nofollow": "obey",
            "output.kinds": ["jsonl", "dropped"],
        }

    def test_every_refusal_is_a_line_with_its_rule(self):
        summary = self.finish(self.start_crawl(self.origin + "/", "http://c.test/seed", settings=self.settings))
        with open(os.path.join(self.out, "dropped.jsonl"), encoding="utf-8") as file:
            rows = {row["url"]: row for row in map(json.loads, file)}
        page = self.origin + "/"
        expected = {
            self.origin + "/private/1": ("out_of_scope", "scope.deny[1] '/private/'", page),
            self.origin + "/a.zip": ("out_of_scope", "scope.suffixes_deny '.zip'", page),
            "http://b.test/": ("out_of_scope", "no scope rule matches", page),
            "mailto:x@a.test": ("not_http", "scope.schemes", page),
            "http://[bad/": ("invalid_url", rows["http://[bad/"]["rule"], page),
            self.origin + "/nofollowed": ("nofollow", "scope.nofollow 'obey'", page),
            "http://b.test/landing": ("redirect_out_of_scope", "no scope rule matches", self.origin + "/out"),
            "http://c.test/seed": ("out_of_scope", "no scope rule matches", None),
        }
        self.assertEqual({url: (row["reason"], row["rule"], row["parent"]) for url, row in rows.items()}, expected)
        fetched = {row["url"] for row in self.fetches() if not row["url"].endswith("/robots.txt")}
        self.assertEqual(fetched, {page, self.origin + "/in", self.origin + "/out"})
        self.assertEqual(summary["lines_lost"], 0)
        self.assertEqual(summary["out_of_scope"], 6)  # redirect and nofollow included, the bad URL and the seed not

    def test_lines_that_found_no_space_are_counted(self):
        os.makedirs(self.out)
        for name in ("fetch.jsonl", "dropped.jsonl"):
            os.symlink("/dev/full", os.path.join(self.out, name))
        crawl = self.start_crawl(self.origin + "/", settings=self.settings)
        summary = self.finish(crawl)
        self.assertEqual(summary["fetched"], 2)  # the crawl itself goes on
        self.assertGreaterEqual(summary["lines_lost"], 3 + 7)  # fetches, refusals
        self.assertIn("could not be written", crawl.stderr)

    def test_hops_lead_out_so_far_and_back(self):
        settings = {**self.settings, "scope.off_scope_hops": 1, "scope.hosts": ["a.test"]}
        self.finish(self.start_crawl(self.origin + "/hub", settings=settings))
        fetched = {row["url"] for row in self.fetches() if not row["url"].endswith("/robots.txt")}
        elsewhere = self.origin.replace("a.test", "b.test")
        self.assertIn(elsewhere + "/one", fetched)
        self.assertIn(self.origin + "/back", fetched)
        self.assertNotIn(elsewhere + "/two", fetched)

    def test_check_says_the_same_without_a_crawl(self):
        config = self.write("scope.toml", harness.to_toml(self.settings).encode())
        urls = [self.origin + path for path in ("/in", "/private/1", "/a.zip")]
        done = subprocess.run([harness.WEIR, "scope", "check", "--config", config, *urls], capture_output=True,
                              text=True, timeout=30)
        self.assertEqual(done.returncode, harness.EXIT_FAILED, done.stderr)
        self.assertEqual(done.stdout, "in\tscope.hosts 'a.test'\t%s\nout\tscope.deny[1] '/private/'\t%s\n"
                                      "out\tscope.suffixes_deny '.zip'\t%s\n" % tuple(urls))

    def test_diff_counts_what_a_change_would_do(self):
        old = self.write("old.toml", harness.to_toml(self.settings).encode())
        new = self.write("new.toml", harness.to_toml({**self.settings, "scope.suffixes_deny": []}).encode())
        urls = self.write("urls", b"http://a.test/x.zip\nhttp://a.test/y.zip\nhttp://a.test/\n")
        done = subprocess.run([harness.WEIR, "scope", "diff", old, new, "--urls", urls, "--json"],
                              capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, harness.EXIT_DONE, done.stderr)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([(row["change"], row["count"]) for row in rows], [("enter", 2), ("in", 1)])


if __name__ == "__main__":
    harness.main()

"""Key rules in a whole crawl: what is asked for, what a state refuses, and the way out with `weir rekey`."""

import http.server
import json
import threading

import harness

LINKS = ["/a", "/a/", "/b?x=1&y=2", "/b?y=2&x=1", "/c?utm_source=m", "/c", "/d", "/e?u=1&u=2", "/e?u=2&u=1",
         "/app#!/1", "/app#!/2", "/s?sid=1", "/s?sid=2", "/s?sid=3"]
RULES = ["sort-query", "strip-tracking", "strip-trailing-slash"]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):  # noqa: N802, the library's name
        self.server.asked.append(self.path)
        # A redirect to the one spelling of itself, which is its own key under strip-trailing-slash.
        status = 301 if self.path == "/d" else 404 if self.path == "/robots.txt" else 200
        links = LINKS if self.path == "/" else []
        path = self.path.split("?sid=")[0]
        body = (path + "".join('<a href="%s">x</a>' % link for link in links)).encode()
        self.send_response(status)
        if status == 301:
            self.send_header("Location", "/d/")
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Keys(harness.EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.asked = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = "http://127.0.0.1:%d/" % self.server.server_port

    def asked(self):
        pages = [path for path in self.server.asked if path != "/robots.txt"]
        self.assertEqual(len(pages), len(set(pages)), pages)
        return set(pages)

    def crawl(self, rules, *arguments):
        self.finish(self.start_crawl(*arguments, self.url, settings={"key.rules": rules}))

    def test_without_rules_every_spelling_is_a_page(self):
        self.crawl([])
        self.assertEqual(self.asked(), {"/", "/d/"} | {link.split("#")[0] for link in LINKS})

    def test_rules_merge_and_a_redirect_to_another_spelling_is_followed(self):
        self.crawl(RULES)
        self.assertEqual(self.asked(), {"/", "/a", "/b?x=1&y=2", "/c?utm_source=m", "/d", "/d/", "/e?u=1&u=2",
                                        "/e?u=2&u=1", "/app", "/s?sid=1", "/s?sid=2", "/s?sid=3"})
        keys = {line["url"]: line["key"] for line in self.fetches()}
        self.assertEqual(keys[self.url + "c?utm_source=m"], self.url + "c")
        self.assertEqual(keys[self.url + "d/"], self.url + "d")
        said = self.run_weir("explain", self.url + "d", "--state", self.state, "--json").stdout
        self.assertEqual(json.loads(said)["status"], "200")

    def test_hashbang_fetches_a_page_for_each_fragment_and_never_sends_it(self):
        self.crawl(["hashbang"])
        pages = [path for path in self.server.asked if path.startswith("/app")]
        self.assertEqual(pages, ["/app", "/app"])
        keys = sorted(line["key"] for line in self.fetches() if "/app" in line["url"])
        self.assertEqual(keys, [self.url + "app#!/1", self.url + "app#!/2"])

    def test_other_rules_are_refused_until_the_state_is_rekeyed(self):
        self.crawl([], "--limit-pages", "2")
        refused = self.start_crawl(self.url, settings={"key.rules": RULES})
        self.finish(refused, exit_code=harness.EXIT_USAGE)
        for text in ("rules = []", 'rules = ["strip-tracking", "sort-query", "strip-trailing-slash"]',
                     "weir rekey --state %s" % self.state):
            self.assertIn(text, refused.stderr)
        said = self.run_weir("explain", self.url + "a", "--state", self.state, "--set", "key.rules=sort-query").stdout
        self.assertIn("rules of the config: ", said)
        rekey = self.run_weir("rekey", "--state", self.state, "--config", refused.config, "--json")
        self.assertEqual(rekey.exit_code, harness.EXIT_DONE, rekey.stderr)
        report = json.loads(rekey.stdout)
        merged = report["queued_merged"] + report["queued_already_done"]
        self.assertEqual((report["changed"], merged), (True, 3))
        self.crawl(RULES)
        self.assertEqual(len(self.asked()), 12)

    def test_params_finds_what_the_site_ignores(self):
        self.crawl([])
        said = self.run_weir("params", "--state", self.state, "--min", "2").stdout
        self.assertIn('[[key.strip_params]]\nhost = "127.0.0.1"\nparams = ["sid"]\n', said)
        self.write("params.toml", said)
        same = self.run_weir("url", "same", self.url + "s?sid=1", self.url + "s", "--config",
                             self.path("params.toml"))
        self.assertEqual((same.exit_code, same.stdout), (harness.EXIT_DONE, "same\n"))


if __name__ == "__main__":
    harness.main()

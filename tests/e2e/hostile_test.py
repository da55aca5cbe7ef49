"""Hostile servers cost their own pages only: the crawl ends, says why each failed, and stays small."""

import harness
import hostile

MEBIBYTE = 1 << 20
RSS_MEBIBYTES_MAX = 300
REDIRECTS_MAX = 10

SETTINGS = {
    "fetch.allow_networks": ["127.0.0.1/32"],
    "dns.hosts": {"inside.test": "127.0.0.9", "*.test": "127.0.0.1"},
    "fetch.body_bytes_max": "1MiB",
    "fetch.connect_timeout": "2s",
    "fetch.first_byte_timeout": "3s",
    "fetch.total_timeout": "8s",
    "fetch.low_speed_time": "2s",
    "fetch.redirects_max": REDIRECTS_MAX,
    "fetch.retries": 0,
}

# host -> reasons that are right. What ends a dripping answer first is a matter of deadlines.
REASONS = {
    "slow-head.test": {"total_timeout", "too_slow", "first_byte_timeout"},
    "slow-body.test": {"total_timeout", "too_slow"},
    "mute.test": {"first_byte_timeout"},
    "headers.test": {"protocol_error"},
    "cut.test": {"connection_broken"},
    "junk.test": {"protocol_error"},
    "bad-gzip.test": {"decode_failed"},
    "bad-location.test": {"bad_redirect"},
    "no-location.test": {"bad_redirect"},
    "bomb.test": {"ok"},
    "endless.test": {"ok"},
    "deep.test": {"ok"},
}


class Hostile(harness.EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = hostile.Server()
        self.addCleanup(self.server.stop)

    def test_each_costs_its_own_page_only(self):
        self.check_engine("stream", limited=None)

    def test_by_gumbo_too_which_must_not_have_the_deep_page(self):
        self.check_engine("gumbo", limited=True)

    def check_engine(self, engine, limited):
        crawl = self.start_crawl(self.server.url("hub.test"), settings={**SETTINGS, "parse.engine": engine})
        self.finish(crawl, 120 * harness.SLOWDOWN)
        by_url = {}
        for row in self.fetches():
            by_url[row["url"]] = row
        for host, reasons in REASONS.items():
            with self.subTest(host):
                self.assertIn(by_url[self.server.url(host)]["reason"], reasons)
        for number in range(20):
            self.assertEqual(by_url[self.server.url("hub.test", "/plain%d" % number)]["reason"], "ok")
        self.check_caps(by_url)
        self.check_redirects(by_url)
        self.check_refused(by_url)
        self.assertTrue(self.server.wait_for("deep.test", "/plain-inside", 0), "the link below 200,000 elements")
        self.assertEqual(by_url[self.server.url("deep.test")].get("limited"), limited)
        print("resident at most %d MiB" % (crawl.rss_bytes_max // MEBIBYTE))
        if not harness.SANITIZED:
            self.assertLess(crawl.rss_bytes_max, RSS_MEBIBYTES_MAX * MEBIBYTE)

    def check_caps(self, by_url):
        for host in ("bomb.test", "endless.test"):
            row = by_url[self.server.url(host)]
            self.assertTrue(row.get("truncated"), row)
            self.assertLessEqual(row["bytes"], MEBIBYTE)

    def check_redirects(self, by_url):
        self.assertEqual(self.server.count("chain.test"), REDIRECTS_MAX + 1)
        last = by_url[self.server.url("chain.test", "/%d" % REDIRECTS_MAX)]
        self.assertEqual(last["reason"], "too_many_redirects")
        self.assertEqual(self.server.counts()[("cycle.test", "/")], 1)
        self.assertEqual(self.server.counts()[("cycle.test", "/b")], 1)

    def check_refused(self, by_url):
        self.assertFalse(self.server.canary_was_reached())
        urls = [self.server.canary_url, self.server.canary_url + "x",
                "http://inside.test:%d/" % self.server.canary_port]
        for url in urls:
            self.assertEqual(by_url[url]["reason"], "address_refused", url)

    def test_a_host_that_never_answers_does_not_slow_the_others(self):
        web = self.start_web(hosts=20, pages=500, features="robots")
        seeds = [self.server.url("mute.test", "/%d" % i) for i in range(3)]
        crawl = self.start_crawl(web.url, *seeds, settings={"fetch.first_byte_timeout": "20s"})
        self.assertTrue(crawl.wait_until(web, lambda: web.report()["missed"] == 0, 15 * harness.SLOWDOWN))
        self.assert_complete(web.report())


if __name__ == "__main__":
    harness.main()

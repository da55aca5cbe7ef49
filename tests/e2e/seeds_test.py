"""Seed files as people have them, plain, packed and piped."""

import gzip

import harness


class Seeds(harness.EndToEnd):
    def setUp(self):
        super().setUp()
        self.web = self.start_web(hosts=8, pages=80, features="none")

    def content(self):
        host = lambda number: "h%d.test:%d" % (number, self.web.port)
        lines = [
            "# the seeds of one test",
            "",
            "%s/\tdepth=0" % host(0),                                # no scheme
            "http://%s/\tdepth=0\ttag=news" % host(1),
            "  http://%s/\tdepth=0\tpriority=high  " % host(2),      # spaces around
            "http://[not-an-address/",                               # line 6: bad
            "HTTP://%s/#top\tdepth=0" % host(3).upper(),
            "mailto:someone@h4.test",                                # line 8: bad
            "http://%s/\tdepth=0" % host(1),                         # twice
            "http://%s/\tdepth=many" % host(5),                      # line 10: bad
            "http://%s/\tdepth=1\ttag=deep" % host(6),
        ]
        return b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n"

    def check(self, crawl, name):
        summary = self.finish(crawl)
        rows = {row["url"]: row for row in self.fetches() if not row["url"].endswith("/robots.txt")}
        url = lambda number: "http://h%d.test:%d/" % (number, self.web.port)
        for number in (0, 1, 2, 3, 6):
            self.assertEqual(rows[url(number)]["reason"], "ok")
            self.assertEqual(rows[url(number)]["depth"], 0)
        self.assertEqual(rows[url(1)]["tag"], "news")
        # Only the seed with depth=1 leads on, and its tag goes with its links.
        further = [row for row in rows.values() if row["depth"] > 0]
        self.assertTrue(further)
        self.assertEqual({(row["parent"], row.get("tag"), row["depth"]) for row in further}, {(url(6), "deep", 1)})
        self.assertNotEqual(rows.get(url(5), {}).get("depth"), 0)  # a link may lead there, the bad line must not
        self.assertEqual(summary["queued"], 0)
        for number in (6, 8, 10):
            self.assertRegex(crawl.stderr, r"%s:%d\b" % (name, number))
        self.assertRegex(crawl.stderr, r"(?m)^.*(\b3\b.*\bbad\b|\bbad\b.*\b3\b)")

    def test_byte_order_mark_line_ends_comments_and_options(self):
        path = self.write("seeds.txt", self.content())
        self.check(self.start_crawl("--seeds", path), r"seeds\.txt")

    def test_gzip(self):
        path = self.write("seeds.txt.gz", gzip.compress(self.content()))
        self.check(self.start_crawl("--seeds", path), r"seeds\.txt\.gz")

    def test_standard_input(self):
        with open(self.write("piped", self.content()), "rb") as file:
            crawl = self.start_crawl("--seeds", "-", stdin=file)
        self.check(crawl, r"(-|stdin|standard input)")

    def test_a_damaged_gzip_is_refused(self):
        path = self.write("seeds.txt.gz", gzip.compress(self.content())[:60])
        crawl = self.start_crawl("--seeds", path)
        self.finish(crawl, 60, harness.EXIT_USAGE)
        self.assertIn("seeds.txt.gz", crawl.stderr)


if __name__ == "__main__":
    harness.main()

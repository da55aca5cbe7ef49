"""A whole crawl of the synthetic web fetches exactly what its reference walk expects, each URL once."""

import harness


class WholeCrawl(harness.EndToEnd):
    def crawl_all(self, web, settings=None):
        summary = self.finish(self.start_crawl(web.url, settings=settings))
        report = web.report()
        print("expected %d, requests %d, %.1f s" % (report["expected"], report["requests"], summary["seconds"]))
        return summary, report

    def test_small_web_with_every_feature(self):
        web = self.start_web(hosts=20, pages=300, links=10, slow_ms=50)
        summary, report = self.crawl_all(web)
        self.assert_complete(report)
        self.assertEqual(report["robots_not_first"], 0)
        self.assertEqual(summary["queued"], 0)
        self.assertEqual(summary["fetched"], report["expected_pages"])
        rows = [row for row in self.fetches() if not row["url"].endswith("/robots.txt")]
        self.assertEqual(sum(row["reason"] == "ok" for row in rows), report["expected_pages"])
        self.assertEqual([row["url"] for row in rows if row["parent"] is None], [web.url])

    def test_explain_tells_what_became_of_each_kind_of_url(self):
        web = self.start_web(hosts=20, pages=300, links=10, features="redirects,errors,robots,aliases")
        self.crawl_all(web)
        wanted = {}
        for row in self.fetches():
            wanted.setdefault(row["reason"], row["url"])
        self.assertIn("ok", wanted)
        for reason, url in wanted.items():
            process = self.run_weir("explain", url, "--state", self.state)
            self.assertEqual(process.exit_code, 0, process.stderr)
            lines = process.stdout.splitlines()
            self.assertTrue(lines[0].startswith("verdict: "), lines[0])
            self.assertTrue(any(line.startswith("key: ") for line in lines), "%s %s" % (reason, lines))

    def test_many_addresses(self):
        web = self.start_web(hosts=40, pages=400, links=10, slow_ms=20, addresses="many", names=self.path("names.toml"))
        with open(self.path("names.toml"), encoding="utf-8") as file:
            pairs = (line.split(" = ") for line in file.read().splitlines()[1:])
            names = {name.strip('"'): address.strip('"') for name, address in pairs}
        _, report = self.crawl_all(web, {"dns.hosts": names})
        self.assert_complete(report)

    def test_twenty_thousand_pages_on_five_hundred_hosts_exact(self):
        web = self.start_web(hosts=500, pages=20000)
        _, report = self.crawl_all(web, {"dedup.backend": "exact"})
        self.assert_complete(report)

    def test_twenty_thousand_pages_on_five_hundred_hosts_bloom(self):
        web = self.start_web(hosts=500, pages=20000)
        summary, report = self.crawl_all(
            web, {"dedup.backend": "bloom", "dedup.capacity": 100000, "dedup.fpr": 1e-6})
        print("dedup: %s, missed %d" % (summary["dedup"], report["missed"]))
        # A filter may lose a page; then it must say that it could. 30,000 keys at 1e-6 lose one in 33 crawls.
        self.assert_complete(report, missed=None)
        if report["missed"] > 0:
            self.assertGreater(summary["dedup"]["expected_fpr"], 0)
            self.assertLessEqual(report["missed"], 3, report["missed_urls"])


if __name__ == "__main__":
    harness.main()

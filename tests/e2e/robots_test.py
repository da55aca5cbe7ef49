"""robots.txt comes first and is kept to; while it cannot be had, nothing of the host is fetched."""

import json
import signal

import harness


class Robots(harness.EndToEnd):
    def test_forbidden_pages_are_never_asked_for(self):
        web = self.start_web(hosts=40, pages=800, features="redirects,robots,sessions,calendar,aliases")
        summary = self.finish(self.start_crawl(web.url))
        report = web.report()
        self.assert_complete(report)
        self.assertEqual(report["robots_not_first"], 0)
        self.assertEqual(report["robots_requests"], report["hosts_asked"], "once per host")
        denied = [row["url"] for row in self.fetches() if row["reason"] == "robots_denied"]
        self.assertGreater(len(denied), 0)
        explained = json.loads(self.run_weir("explain", denied[0], "--state", self.state, "--json").stdout)
        self.assertRegex(explained["robots_verdict"], r"^denied by line \d+: Disallow: ")
        self.assertEqual(summary["queued"], 0)

    def test_a_server_error_on_robots_closes_the_host(self):
        web = self.start_web(hosts=60, pages=600, features="robots,robots-down")
        crawl = self.start_crawl(web.url, settings={"politeness.host_failures_max": 255, "robots.retry": "200ms"})
        done = lambda: web.report()["missed"] == 0 and any(
            host["robots_requests"] > 2 for host in web.report()["per_host"])
        self.assertTrue(crawl.wait_until(web, done), web.report()["missed_urls"])
        crawl.send(signal.SIGTERM)
        self.assertTrue(crawl.wait(30))
        report = web.report()
        self.assert_complete(report)
        down = {host for _, host, target, status in web.log() if target == "/robots.txt" and status == 503}
        self.assertGreater(len(down), 0)
        for _, host, target, _ in web.log():
            self.assertTrue(host not in down or target == "/robots.txt", host + target)

    def test_switched_off_means_off(self):
        web = self.start_web(hosts=10, pages=200, features="redirects,robots")
        self.finish(self.start_crawl(web.url, settings={"robots.obey": False}))
        report = web.report()
        self.assertEqual(report["robots_requests"], 0)
        self.assertGreater(report["forbidden"], 0)
        self.assert_complete(report, forbidden=None, unexpected=None)


if __name__ == "__main__":
    harness.main()

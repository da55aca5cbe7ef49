"""The gap between two requests of a host, measured by the server, is never below the delay: across restarts too."""

import collections
import signal

import harness
import timed_server

DELAY_MILLISECONDS = 200


class Politeness(harness.EndToEnd):
    def test_fifty_hosts_across_a_stop_and_a_kill(self):
        web = self.start_web(hosts=50, pages=200, links=5, features="redirects,robots,aliases",
                             polite_ms=DELAY_MILLISECONDS)
        config = self.write_config({"politeness.delay": "%dms" % DELAY_MILLISECONDS})
        for number, code in ((signal.SIGTERM, harness.EXIT_STOPPED), (signal.SIGKILL, -9)):
            crawl = self.start_crawl(web.url, config=config)
            goal = web.report()["requests"] + 60
            self.assertTrue(crawl.wait_until(web, lambda: web.report()["requests"] >= goal))
            crawl.send(number)
            self.assertTrue(crawl.wait(30))
            self.assertEqual(crawl.exit_code, code, crawl.stderr[-4000:])
        self.finish(self.start_crawl(web.url, config=config))
        report = web.report()
        print("hosts %d, smallest gap %d us" % (report["hosts_asked"], report["smallest_gap_us"]))
        self.assertEqual(report["hosts_asked"], 50)
        self.assertEqual(report["impolite"], 0)
        self.assertEqual(report["parallel_max"], 1)
        self.assert_complete(report, doubled=None, repeats=None)
        self.assertGreaterEqual(self.smallest_gap(web.log()), DELAY_MILLISECONDS * 1000)

    def start_timed_server(self, **options):
        server = timed_server.TimedServer(**options)
        self.addCleanup(server.stop)
        return server

    def test_crawl_delay_of_robots_is_kept(self):
        server = self.start_timed_server(pages=6, robots="User-agent: *\nCrawl-delay: 0.3\n")
        self.finish(self.start_crawl("http://a.test:%d/" % server.port))
        self.assertEqual(len(server.requests), 8, server.requests)  # robots.txt, the seed, six pages
        self.assertGreaterEqual(server.smallest_gap(by_host=True), 300_000)

    def test_hosts_behind_one_address_share_its_delay(self):
        """From the second request of each host on: the address of a host is known once it has been asked."""
        server = self.start_timed_server(pages=1)
        seeds = ["http://h%d.test:%d/" % (i, server.port) for i in range(12)]
        self.finish(self.start_crawl(*seeds, settings={"politeness.per_ip_delay": "50ms", "robots.obey": False}))
        self.assertEqual(len(server.requests), 24)
        server.requests = [row for row in server.requests if row[1] != "/"]
        self.assertEqual(len(server.requests), 12)
        self.assertGreaterEqual(server.smallest_gap(by_host=False), 50_000)

    def smallest_gap(self, rows):
        """From the log, in our own words: the server's own arithmetic is checked with it."""
        times = collections.defaultdict(list)
        for time, host, _, _ in rows:
            times[host].append(time)
        return min(after - before for each in times.values() for before, after in zip(each, each[1:]))


if __name__ == "__main__":
    harness.main()

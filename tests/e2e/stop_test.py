"""SIGTERM drains within its time, exits 10 and resumes exactly; a second one stops at once."""

import signal
import time

import harness
import hostile

DRAIN_SECONDS = 3


class Stop(harness.EndToEnd):
    def stop_and_time(self, crawl, limit):
        begun = time.monotonic()
        crawl.send(signal.SIGTERM)
        self.assertTrue(crawl.wait(limit + 30), "still running\n" + crawl.stderr[-4000:])
        taken = time.monotonic() - begun
        self.assertLessEqual(taken, limit * harness.SLOWDOWN)
        return taken

    def test_twenty_stops_then_nothing_missed_or_doubled(self):
        web = self.start_web(hosts=100, pages=3000, links=10, slow_ms=20)
        config = self.write_config({"crawl.drain_timeout": "%ds" % DRAIN_SECONDS})
        stops, slowest = 0, 0.0
        for left in range(20, 0, -1):
            crawl = self.start_crawl(web.url, config=config)
            before = web.report()
            step = self.random.randint(1, max(2, (before["expected"] - before["fetched"]) // (left + 5)))
            crawl.wait_until(web, lambda: web.report()["requests"] >= before["requests"] + step)
            slowest = max(slowest, self.stop_and_time(crawl, DRAIN_SECONDS + 1))
            if crawl.exit_code == harness.EXIT_DONE:
                break
            self.assertEqual(crawl.exit_code, harness.EXIT_STOPPED, crawl.stderr[-4000:])
            self.assertGreater(crawl.summary()["queued"], 0)
            stops += 1
        self.finish(self.start_crawl(web.url, config=config))
        print("stops %d, slowest %.2f s" % (stops, slowest))
        self.assertGreaterEqual(stops, 15, "the crawl ended too early to prove anything")
        self.assert_complete(web.report())

    def test_a_transfer_that_never_ends_does_not_hold_the_stop(self):
        server = hostile.Server()
        self.addCleanup(server.stop)
        crawl = self.start_crawl(server.url("mute.test"), settings={"crawl.drain_timeout": "1s"})
        self.assertTrue(server.wait_for("mute.test", "/"))
        self.stop_and_time(crawl, 2)
        self.assertEqual(crawl.exit_code, harness.EXIT_STOPPED, crawl.stderr[-4000:])
        self.assertEqual(crawl.summary()["queued"], 1)

    def test_a_second_signal_stops_at_once(self):
        server = hostile.Server()
        self.addCleanup(server.stop)
        crawl = self.start_crawl(server.url("mute.test"), settings={"crawl.drain_timeout": "60s"})
        self.assertTrue(server.wait_for("mute.test", "/"))
        crawl.send(signal.SIGINT)
        # Blocked until taken: two signals of different kinds are never merged into one.
        self.stop_and_time(crawl, 5)
        self.assertEqual(crawl.exit_code, harness.EXIT_STOPPED, crawl.stderr[-4000:])
        self.assertEqual(crawl.summary()["queued"], 1)


if __name__ == "__main__":
    harness.main()

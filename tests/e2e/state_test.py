"""The state directory: one process at a time, resume by the same command, and when nothing is left to do."""

import signal

import harness


class State(harness.EndToEnd):
    def test_a_second_process_is_refused_and_told_who_holds_it(self):
        web = self.start_web(hosts=4, pages=40)
        first = self.start_crawl(web.url, settings={"politeness.delay": "1h"})
        self.assertTrue(web.wait_requests(1, 30))
        second = self.start_crawl(web.url)
        self.finish(second, 30, harness.EXIT_STATE)
        self.assertRegex(second.stderr, r"\b%d\b" % first.pid)
        self.assertIsNone(first.exit_code)
        first.send(signal.SIGTERM)
        self.finish(first, 30, harness.EXIT_STOPPED)

    def test_a_lock_left_by_a_kill_is_no_lock(self):
        web = self.start_web(hosts=4, pages=40, features="robots")
        first = self.start_crawl(web.url, settings={"politeness.delay": "1h"})
        self.assertTrue(web.wait_requests(1, 30))
        first.kill()
        self.finish(self.start_crawl(web.url, settings={"politeness.delay": "0s"}))
        self.assert_complete(web.report(), doubled=None, repeats=None)

    def test_the_same_command_after_the_end_fetches_nothing(self):
        web = self.start_web(hosts=10, pages=100)
        self.finish(self.start_crawl(web.url))
        before = web.report()
        self.assert_complete(before)
        crawl = self.start_crawl(web.url)
        summary = self.finish(crawl)
        self.assertEqual(web.report()["requests"], before["requests"])
        self.assertEqual((summary["fetched"], summary["admitted"], summary["queued"]), (0, 0, 0))
        self.assertGreaterEqual(summary["duplicates"], 1)
        self.assertRegex(crawl.stderr, r"seed.*seen|seen.*seed")

    def test_a_page_limit_leaves_the_rest_for_the_next_run(self):
        web = self.start_web(hosts=10, pages=200, features="robots,aliases")
        crawl = self.start_crawl("--limit-pages", "50", web.url)
        self.assertTrue(crawl.wait(harness.CRAWL_SECONDS_MAX))
        # The limit was the operator's own: whether that is "done" or "work left" is no law.
        self.assertIn(crawl.exit_code, (harness.EXIT_DONE, harness.EXIT_STOPPED), crawl.stderr)
        summary = crawl.summary()
        self.assertEqual(summary["fetched"], 50)
        self.assertGreater(summary["queued"], 0)
        self.finish(self.start_crawl(web.url))
        self.assert_complete(web.report())


if __name__ == "__main__":
    harness.main()

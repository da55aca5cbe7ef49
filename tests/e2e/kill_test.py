"""kill -9 at any moment loses nothing and repeats at most what was on its way. WEIR_E2E_ROUNDS sets the rounds."""

import json
import os

import harness

THREADS, TRANSFERS = 2, 16
STARTUP_SECONDS = 0.15  # kills by the clock fall into the start: opening, replay, seeds


class KillLoop(harness.EndToEnd):
    def kill_somewhere(self, crawl, web, rounds_left):
        """Kills after a random number of further requests, or during the start. False: the crawl ended before."""
        report = web.report()
        if self.random.random() < 0.3:
            if crawl.wait(self.random.uniform(0, STARTUP_SECONDS)):
                return False
        else:
            left = report["expected"] - report["fetched"]
            step = self.random.randint(1, max(2, left // (rounds_left + 5)))
            if not crawl.wait_until(web, lambda: web.report()["requests"] >= report["requests"] + step):
                return False
        crawl.kill()
        return crawl.exit_code == -9

    def check_state(self, web):
        """What was asked for just before the kill was admitted: it is queued or finished, whatever else."""
        asked = ["http://%s:%d%s" % (host, web.port, target) for _, host, target, _ in web.log() if target != "/robots.txt"]
        for url in asked[-2:] + self.random.sample(asked, min(2, len(asked))):
            explained = self.run_weir("explain", url, "--state", self.state, "--json")
            if explained.exit_code != 0:
                continue  # killed before there was a state
            verdict = json.loads(explained.stdout)["verdict"]
            self.assertIn(verdict, ("queued", "done", "failed"), url)
            self.explained += 1

    def test_nothing_is_lost_and_little_repeated(self):
        rounds = int(os.environ.get("WEIR_E2E_ROUNDS") or 50)
        web = self.start_web(hosts=100, pages=5000, links=10, slow_ms=20)
        config = self.write_config({"crawl.fetcher_threads": THREADS, "fetch.transfers": TRANSFERS})
        kills = self.explained = 0
        for left in range(rounds, 0, -1):
            crawl = self.start_crawl(web.url, config=config)
            killed = self.kill_somewhere(crawl, web, left)
            if not killed:
                self.assertEqual(crawl.exit_code, harness.EXIT_DONE, crawl.stderr[-4000:])
                break
            kills += 1
            self.check_state(web)
            # Summed up: what one kill cost may show only runs later, when those between were killed early.
            self.assertLessEqual(web.report()["repeats"], kills * THREADS * TRANSFERS, "after kill %d" % kills)
        self.finish(self.start_crawl(web.url, config=config))
        report = web.report()
        print("kills %d, expected %d, repeats %d, explained %d" %
              (kills, report["expected"], report["repeats"], self.explained))
        self.assertGreater(self.explained, kills)
        self.assertGreaterEqual(kills, rounds * 9 // 10, "the crawl ended too early to prove anything")
        self.assert_complete(report, doubled=None, repeats=None)
        self.assertLessEqual(report["repeats"], kills * THREADS * TRANSFERS)
        self.check_fetch_log(report)

    def check_fetch_log(self, report):
        """Lines lost by a kill are at most those of the fetches on their way; none is torn or made up."""
        rows = self.fetches()
        pages = {row["url"] for row in rows if row["reason"] == "ok"}
        print("pages in fetch.jsonl %d of %d" % (len(pages), report["expected_pages"]))
        self.assertGreater(len(pages), report["expected_pages"] // 2)


if __name__ == "__main__":
    harness.main()

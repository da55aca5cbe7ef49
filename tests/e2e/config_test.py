"""What the operator wrote wrong is refused before anything is touched: exit 2, where it stands, what was meant."""

import os
import socket
import select

import harness


class Config(harness.EndToEnd):
    # file content, pattern on stderr
    FILES = [
        ("[crawl]\ndpeth = 3\n", r"weir\.toml:2:1\b.*dpeth.*depth"),
        ("[politeness]\n\n  dealy = \"1s\"\n", r"weir\.toml:3:3\b.*dealy.*delay"),
        ("[politness]\ndelay = \"1s\"\n", r"weir\.toml:1:\d+.*politness.*politeness"),
        ("[politeness]\ndelay = 5\n", r"weir\.toml:2:\d+.*delay"),
        ("[politeness]\ndelay = \"5 parsecs\"\n", r"weir\.toml:2:\d+.*delay"),
        ("[politeness]\ndelay = \"-1s\"\n", r"weir\.toml:2:\d+.*delay"),
        ("[crawl]\ndepth = \"three\"\n", r"weir\.toml:2:\d+.*depth"),
        ("[crawl]\ndepth = 1\ndepth = 2\n", r"weir\.toml:3:\d+"),
        ("[dedup]\nbackend = \"bloomy\"\n", r"bloomy.*bloom|bloom.*bloomy"),
        ("[fetch]\nallow_networks = [\"127.0.0.0/33\"]\n", r"127\.0\.0\.0/33"),
        ("[crawl\n", r"weir\.toml:1:\d+"),
    ]

    def assert_refused(self, process, pattern):
        self.assertEqual(process.exit_code, harness.EXIT_USAGE, process.stderr)
        self.assertRegex(process.stderr.replace("\n", " "), pattern)
        self.assertFalse(os.path.exists(self.state), "the state was touched")
        self.assertEqual(process.stdout, "")

    def crawl(self, *arguments, environment=None):
        return self.run_weir("crawl", "--state", self.state, *arguments, environment=environment)

    def test_files(self):
        for content, pattern in self.FILES:
            with self.subTest(content):
                path = self.write("weir.toml", content)
                self.assert_refused(self.crawl("--config", path, "http://127.0.0.1:1/"), pattern)
                checked = self.run_weir("config", "check", "--config", path)
                self.assertEqual(checked.exit_code, harness.EXIT_USAGE)
                self.assertRegex(checked.stderr.replace("\n", " "), pattern)

    def test_flags_and_environment(self):
        seed = "http://127.0.0.1:1/"
        self.assert_refused(self.crawl("--set", "politeness.dealy=1s", seed), r"dealy.*delay")
        self.assert_refused(self.crawl("--set", "politeness.delay=1", seed), r"delay")
        self.assert_refused(self.crawl("--set", "politeness.delay", seed), r"--set|politeness\.delay")
        self.assert_refused(self.crawl(seed, environment={"WEIR_CRAWL__DPETH": "1"}), r"WEIR_CRAWL__DPETH")
        self.assert_refused(self.crawl("--config", self.path("none.toml"), seed), r"none\.toml")
        self.assert_refused(self.crawl("--no-such-flag", seed), r"no-such-flag")
        self.assert_refused(self.crawl(), r"seed")
        self.assert_refused(self.crawl("--seeds", self.path("none.txt")), r"none\.txt")
        self.assertEqual(self.run_weir("no-such-verb").exit_code, harness.EXIT_USAGE)

    CONTACT = {"agent.contact": "https://example.org/crawler"}

    def test_print_shows_where_a_value_comes_from(self):
        path = self.write("weir.toml", "[crawl]\ndepth = 7\n" + harness.to_toml(self.CONTACT))
        shown = self.run_weir("config", "print", "--config", path, "--set", "politeness.delay=3s")
        self.assertEqual(shown.exit_code, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"depth\s*=\s*7\b.*weir\.toml")
        self.assertRegex(shown.stdout, r"delay\s*=\s*\"?3s")

    def test_a_good_file_passes(self):
        checked = self.run_weir("config", "check", "--config", self.write_config(self.CONTACT))
        self.assertEqual(checked.exit_code, 0, checked.stderr)

    def test_no_contact_means_no_request_to_anyone(self):
        with socket.create_server(("127.0.0.1", 0)) as canary:
            near = "http://127.0.0.1:%d/" % canary.getsockname()[1]
            config = self.write_config()
            for far in ("http://example.invalid/", "http://192.0.2.1/", "https://[2001:db8::1]/"):
                self.assert_refused(self.crawl("--config", config, near, far), r"agent\.contact")
            self.assertFalse(select.select([canary], [], [], 0)[0], "a connection was made")

    def test_settings_by_flag_reach_the_crawl(self):
        web = self.start_web(hosts=3, pages=60, features="none")
        base = {name: value for name, value in harness.FAST.items() if name != "crawl.drain_timeout"}
        config = self.write_config(base=base)
        crawl = self.start_crawl(web.url, "--set", "crawl.depth=1", "--set", 'scope.hosts=["h0.test"]', config=config)
        summary = self.finish(crawl)
        self.assertGreater(summary["out_of_scope"], 0)
        self.assertEqual({row["depth"] for row in self.fetches()} - {None}, {0, 1})
        self.assertEqual(web.report()["hosts_asked"], 1)


if __name__ == "__main__":
    harness.main()

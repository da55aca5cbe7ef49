"""The end-to-end tests' hands: run weir, run the synthetic web, read what both leave behind.

Programs come from the environment (WEIR, WEIR_TESTWEB; CMake sets them). Nothing here sleeps: every wait is for
an event (a process ends, the web has seen so many requests) with a deadline. Every test prints its seed first and
repeats a run with WEIR_E2E_SEED.
"""

import http.client
import json
import os
import random
import select
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

WEIR = os.environ.get("WEIR", "weir")
TESTWEB = os.environ.get("WEIR_TESTWEB", "weir-testweb")
SANITIZED = bool(os.environ.get("WEIR_SANITIZE"))
SLOWDOWN = 8 if SANITIZED else 1  # sanitized programs get more time, and no bound on memory

CRAWL_SECONDS_MAX = 240 * SLOWDOWN
EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_STATE, EXIT_STOPPED = 0, 1, 2, 3, 10

# A crawl of loopback at full speed: what a test of anything but politeness wants.
FAST = {
    "politeness.delay": "0s",
    "politeness.per_ip_delay": "0s",
    "politeness.hold_max": "1s",
    "fetch.retry_backoff": "10ms",
    "fetch.allow_networks": ["127.0.0.0/8"],
    "robots.retry": "100ms",
    "scope.hosts": ["*"],
    "dns.hosts": {"*.test": "127.0.0.1"},
    "crawl.drain_timeout": "5s",
}


def toml_value(value):
    if isinstance(value, dict):
        return "{ %s }" % ", ".join("%s = %s" % (json.dumps(k), toml_value(v)) for k, v in value.items())
    if isinstance(value, list):
        return "[%s]" % ", ".join(toml_value(item) for item in value)
    return json.dumps(value)  # strings, numbers and booleans are spelled alike


def to_toml(settings):
    """{"section.key": value} as a TOML text."""
    sections = {}
    for name, value in settings.items():
        section, key = name.split(".", 1)
        sections.setdefault(section, []).append("%s = %s" % (key, toml_value(value)))
    return "".join("[%s]\n%s\n\n" % (section, "\n".join(lines)) for section, lines in sections.items())


class Process:
    """A child whose end can be waited for with a deadline and whose memory is known afterwards."""

    def __init__(self, command, environment=None, stdin=None):
        self.command = command
        # Output goes to files: a pipe that nobody reads would stop the child.
        self._stdout, self._stderr = tempfile.TemporaryFile(), tempfile.TemporaryFile()
        self._child = subprocess.Popen(
            command, stdin=stdin or subprocess.DEVNULL, stdout=self._stdout, stderr=self._stderr,
            env=None if environment is None else {**os.environ, **environment})
        self.pid = self._child.pid
        self._pidfd = os.pidfd_open(self.pid)
        self.exit_code = None
        self.rss_bytes_max = 0

    def wait(self, seconds):
        """True: it has ended. False: it had not by the deadline."""
        if self.exit_code is not None:
            return True
        if not select.select([self._pidfd], [], [], seconds)[0]:
            return False
        _, status, usage = os.wait4(self.pid, 0)
        self.exit_code = os.waitstatus_to_exitcode(status)
        self._child.returncode = self.exit_code
        self.rss_bytes_max = usage.ru_maxrss * 1024
        os.close(self._pidfd)
        return True

    def send(self, number):
        if self.exit_code is None:
            signal.pidfd_send_signal(self._pidfd, number)

    def kill(self):
        self.send(signal.SIGKILL)
        self.wait(10)

    def discard(self):
        """Ends it in any case; its output is gone afterwards."""
        self.kill()
        self._stdout.close()
        self._stderr.close()

    @staticmethod
    def _read(file):
        # By position: the child writes through the same open file.
        return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0).decode("utf-8", "replace")

    @property
    def stdout(self):
        return self._read(self._stdout)

    @property
    def stderr(self):
        return self._read(self._stderr)


class Web:
    """A running weir-testweb."""

    def __init__(self, folder, **options):
        self.log_path = os.path.join(folder, "web.log")
        command = [TESTWEB, "--log", self.log_path]
        for name, value in options.items():
            command += ["--" + name.replace("_", "-"), str(value)]
        self._child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        words = self._child.stdout.readline().split()
        if not words or words[0] != "ready":
            raise RuntimeError("weir-testweb did not start: %s" % " ".join(command))
        self.url = words[1]
        self.port = int(words[2].removeprefix("port="))

    def ask(self, target, seconds=60 * SLOWDOWN):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            connection.request("GET", target)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def report(self):
        return self.ask("/__report")

    def wait_requests(self, count, seconds):
        """True once the web has seen `count` requests; False at the deadline."""
        try:
            self.ask("/__wait?requests=%d" % count, seconds)
            return True
        except TimeoutError:
            return False

    def log(self):
        """Every request so far: (microseconds, host, target, status)."""
        self.report()  # makes the log complete
        rows = []
        with open(self.log_path, encoding="utf-8", errors="replace") as file:
            for line in file:
                time, host, target, status, _ = line.rstrip("\n").split("\t")
                rows.append((int(time), host, target, int(status)))
        return rows

    def stop(self):
        self._child.terminate()
        self._child.wait(60)
        self._child.stdout.close()


class Crawl(Process):
    """A running `weir crawl`."""

    def __init__(self, config, *arguments, environment=None, stdin=None):
        self.config = config
        super().__init__([WEIR, "crawl", "--config", config, *arguments], environment, stdin)

    def summary(self):
        lines = self.stdout.strip().splitlines()
        return json.loads(lines[-1])

    def wait_until(self, web, condition, seconds=CRAWL_SECONDS_MAX):
        """Asks `condition` again whenever the web has seen more requests or a second has passed."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition():
                return True
            if self.exit_code is not None or self.wait(0):
                return condition()
            web.wait_requests(web.report()["requests"] + 20, 1)
        return condition()


def read_jsonl(path):
    """The whole lines of a file; a last one that a kill cut short is left out."""
    if not os.path.exists(path):
        return []
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                rows.append(json.loads(line))
            except json.JSONDecodeError:
                continue
    return rows


class EndToEnd(unittest.TestCase):
    """Gives each test a folder, a seed that is printed, and helpers that end what they start."""

    def setUp(self):
        self.seed = int(os.environ.get("WEIR_E2E_SEED") or random.SystemRandom().randrange(1, 10**6))
        self.random = random.Random(self.seed)
        print("%s: WEIR_E2E_SEED=%d" % (self.id(), self.seed), flush=True)
        self.folder = tempfile.mkdtemp(prefix="weir-e2e-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.state = os.path.join(self.folder, "state")
        self.out = os.path.join(self.folder, "out")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def start_web(self, **options):
        web = Web(self.folder, **{"seed": self.seed, **options})
        self.addCleanup(web.stop)
        return web

    def write_config(self, settings=None, base=None):
        return self.write("weir.toml", to_toml({**(FAST if base is None else base), **(settings or {})}))

    def start_crawl(self, *arguments, config=None, settings=None, environment=None, stdin=None):
        config = config or self.write_config(settings)
        crawl = Crawl(config, "--state", self.state, "--out", self.out, *arguments,
                      environment=environment, stdin=stdin)
        self.addCleanup(crawl.discard)
        return crawl

    def finish(self, crawl, seconds=CRAWL_SECONDS_MAX, exit_code=EXIT_DONE):
        """Waits for the end, checks the exit code, returns the summary."""
        if not crawl.wait(seconds):
            self.fail("still running after %d s\n%s" % (seconds, crawl.stderr[-4000:]))
        self.assertEqual(crawl.exit_code, exit_code, crawl.stderr[-4000:])
        return crawl.summary() if exit_code in (EXIT_DONE, EXIT_STOPPED) else None

    def run_weir(self, *arguments, environment=None, seconds=60 * SLOWDOWN):
        process = Process([WEIR, *arguments], environment)
        self.addCleanup(process.discard)
        self.assertTrue(process.wait(seconds), "weir %s: still running" % " ".join(arguments))
        return process

    def fetches(self):
        return read_jsonl(os.path.join(self.out, "fetch.jsonl"))

    def assert_complete(self, report, **expected):
        """The web's own verdict: nothing missed, doubled, forbidden or made up, but for what `expected` says."""
        wanted = {"missed": 0, "doubled": 0, "repeats": 0, "forbidden": 0, "strays": 0, "traps": 0, "unexpected": 0,
                  "strange_hosts": [], **expected}
        wrong = {name: report[name] for name, value in wanted.items() if value is not None and report[name] != value}
        samples = {name: report[name] for name in report if name.endswith("_urls") and report[name]}
        self.assertFalse(wrong, "of %d expected URLs: %s" % (report["expected"], samples))


def main():
    unittest.main(verbosity=2)

"""Sites that people wrote: the HTML of Debian documentation packages behind nginx on loopback. Every page that the
reference walk finds is fetched once. Packages are looked for under WEIR_E2E_ROOT (default: the system itself).
"""

import collections
import os
import shutil
import signal
import socket
import subprocess

import harness
import reference_walk

PACKAGES = {  # package: folder of its HTML, first page in it
    "python3.11-doc": ("usr/share/doc/python3.11/html", "index.html"),
    "postgresql-doc-15": ("usr/share/doc/postgresql-doc-15/html", "index.html"),
    "cppreference-doc-en-html": ("usr/share/cppreference/doc/html", "en/index.html"),
}

NGINX = """
user root; worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log crit;
events {{ worker_connections 4096; }}
http {{
  include /etc/nginx/mime.types; default_type application/octet-stream; charset off; gzip on;
  client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  log_format lines '$status $sent_http_content_type $request_uri';
  access_log {folder}/access.log lines;
  server {{ listen 127.0.0.1:{port}; root {folder}/root; absolute_redirect off; }}
}}
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class RealSite(harness.EndToEnd):
    def setUp(self):
        super().setUp()
        root = os.environ.get("WEIR_E2E_ROOT") or "/"
        self.folders = {name: os.path.join(root, folder) for name, (folder, _) in PACKAGES.items()
                        if os.path.isdir(os.path.join(root, folder))}
        self.nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not self.nginx:
            self.skipTest("nginx is not installed: apt-get install nginx-light")
        if not self.folders:
            self.skipTest("none of these is installed: " + " ".join(PACKAGES))
        print("packages: " + " ".join(self.folders), flush=True)

    def first_paths(self):
        return ["/%s/%s" % (name, PACKAGES[name][1]) for name in self.folders]

    def start_nginx(self):
        os.mkdir(self.path("root"))
        os.chmod(self.folder, 0o755)
        for name, folder in self.folders.items():
            os.symlink(os.path.realpath(folder), self.path("root/" + name))
        links = "".join('<p><a href="%s">x</a>' % path for path in self.first_paths())
        self.write("root/index.html", "<!DOCTYPE html><title>packages</title>" + links)
        port = free_port()
        config = self.write("nginx.conf", NGINX.format(folder=self.folder, port=port))
        child = subprocess.Popen([self.nginx, "-c", config, "-e", self.path("error.log")])
        self.addCleanup(child.wait)
        self.addCleanup(child.send_signal, signal.SIGTERM)
        self.await_listening(child, port)
        return port

    def await_listening(self, child, port):
        for _ in range(600):
            with socket.socket() as probe:
                probe.settimeout(1)
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            with self.assertRaises(subprocess.TimeoutExpired, msg="nginx ended early"):
                child.wait(0.1)
        self.fail("nginx does not listen")

    def asked(self):
        """How often each target was asked for, and the files of those answered with HTML."""
        counts, files = collections.Counter(), set()
        site = reference_walk.Site(self.folders)
        with open(self.path("access.log"), encoding="utf-8", errors="surrogateescape") as log:
            for line in log:
                status, kind, target = line.rstrip("\n").split(" ", 2)
                counts[target] += 1
                file = site.file(target.split("?")[0])
                if status == "200" and kind.startswith(("text/html", "application/xhtml")) and file:
                    files.add(os.path.realpath(file))
        return counts, files

    def test_every_page_of_the_reference_walk_is_fetched_once(self):
        port = self.start_nginx()
        origin = "http://127.0.0.1:%d" % port
        expected = reference_walk.walk(reference_walk.Site(self.folders), origin, self.first_paths())
        expected = {os.path.realpath(file) for file in expected}
        summary = self.finish(self.start_crawl(origin + "/", settings={"scope.hosts": ["127.0.0.1"]}), 800)
        counts, files = self.asked()
        print("pages %d of %d, requests %d, %.1f s" %
              (len(files & expected), len(expected), sum(counts.values()), summary["seconds"]))
        self.assertGreater(len(expected), 100)
        self.assertEqual(sorted(expected - files)[:20], [])
        self.assertEqual([target for target, count in counts.items() if count > 1][:20], [])
        # What weir found beyond the walk is a page of the site too, not one it made up.
        self.assertTrue(all(os.path.isfile(file) for file in files))


if __name__ == "__main__":
    harness.main()

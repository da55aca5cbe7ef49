"""Sitemaps that robots.txt names lead to pages that nobody links to; loops among them end; off means off."""

import gzip
import http.server
import threading

import harness


class SitemapServer:
    """Host a.test: a page without links, and an index that lists itself, a packed list and a feed."""

    def __init__(self):
        self.requests = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.requests.append(self.path)
                content_type, body = outer.pages().get(self.path, ("text/html", b"<p>page</p>"))
                self.send_response(200)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = "http://a.test:%d" % self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def pages(self):
        listed = "".join("<url><loc>%s/p%d?a=1&b=2</loc><priority>0.0</priority><lastmod>2999-01-01</lastmod></url>" %
                         (self.base, i) for i in range(5))
        index = "".join("<sitemap><loc>%s%s</loc></sitemap>" % (self.base, path)
                        for path in ("/index.xml", "/list.xml.gz", "/feed"))
        robots = "Sitemap: %s/index.xml\nSitemap: %s/robots.txt\nSitemap: http://b.test/x.xml\nSitemap: %s/urls.txt.gz\n"
        return {
            "/robots.txt": ("text/plain", (robots % (self.base, self.base, self.base)).encode()),
            "/index.xml": ("application/xml", ("<sitemapindex>%s</sitemapindex>" % index).encode()),
            "/list.xml.gz": ("application/octet-stream", gzip.compress(("<urlset>%s</urlset>" % listed).encode())),
            "/urls.txt.gz": ("gzip", gzip.compress(("%s/t1\n%s/t2\n" % (self.base, self.base)).encode())),
            "/feed": ("application/rss+xml", b"<rss><channel><item><link>/item</link></item></channel></rss>"),
        }

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


class Sitemaps(harness.EndToEnd):
    def crawl(self, sitemaps):
        server = SitemapServer()
        self.addCleanup(server.stop)
        self.finish(self.start_crawl(server.base + "/", settings={"scope.hosts": ["a.test"], "crawl.sitemaps": sitemaps}))
        return server.requests

    def test_each_listed_page_once(self):  # field cases 106, 107, 109, 110, 113
        asked = self.crawl(True)
        wanted = (["/", "/index.xml", "/list.xml.gz", "/urls.txt.gz", "/feed", "/item", "/t1", "/t2"] +
                  ["/p%d?a=1&b=2" % i for i in range(5)])
        # The second /robots.txt is the sitemap that the first one claims to be.
        self.assertEqual(sorted(asked), sorted(wanted + ["/robots.txt", "/robots.txt"]))

    def test_off_is_off(self):
        self.assertEqual(sorted(self.crawl(False)), ["/", "/robots.txt"])


if __name__ == "__main__":
    harness.main()

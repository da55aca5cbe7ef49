"""Which HTML files of a site on disk can be reached by links from its first page: the answer that a crawl of the same
site must match. Shares nothing with weir: Python's html.parser and urllib, files instead of HTTP.
"""

import html.parser
import os
import re
import urllib.parse

LINKS = {"a": "href", "area": "href", "link": "href", "iframe": "src", "frame": "src"}
HTML_ENDINGS = (".html", ".htm", ".xhtml")


class Links(html.parser.HTMLParser):
    """The references of one page and its base, as written."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.base, self.references = None, []

    def handle_starttag(self, tag, attributes):
        values = dict(reversed([(name, value or "") for name, value in attributes]))  # the first of two wins
        if tag == "base" and self.base is None:
            self.base = values.get("href")
        elif tag in LINKS and LINKS[tag] in values:
            self.references.append(values[LINKS[tag]])
        elif tag == "meta" and values.get("http-equiv", "").lower() == "refresh":
            found = re.match(r"\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?['\"]?([^'\"]*)", values.get("content", ""), re.I)
            if found:
                self.references.append(found.group(1))


class Site:
    """Folders of files as nginx shows them: {first path segment: folder}."""

    def __init__(self, folders):
        self.folders = {name: os.path.realpath(folder) for name, folder in folders.items()}

    def file(self, path):
        """The file behind a URL path, index.html for a folder; None: there is none."""
        parts = urllib.parse.unquote(path, errors="surrogateescape").split("/", 2)
        if len(parts) < 3 or parts[1] not in self.folders or "\0" in path:
            return None
        found = os.path.normpath(os.path.join(self.folders[parts[1]], parts[2]))
        if os.path.isdir(found):
            found = os.path.join(found, "index.html")
        return found if os.path.isfile(found) else None

    def references(self, path):
        with open(path, "rb") as file:
            parser = Links()
            parser.feed(file.read().decode("utf-8", "replace"))
        return parser.base, parser.references


def walk(site, origin, first_paths):
    """The set of reachable HTML files (real paths on disk)."""
    met, queue, files = set(), list(first_paths), set()
    while queue:
        path = queue.pop()
        if path in met:
            continue
        met.add(path)
        file = site.file(path)
        if file is None or not file.lower().endswith(HTML_ENDINGS):
            continue
        files.add(file)
        # A folder without its slash is redirected; what it links to is relative to the slash.
        if os.path.basename(file) == "index.html" and not path.endswith(("/", "index.html")):
            queue.append(path + "/")
            continue
        queue.extend(targets(origin + path, *site.references(file)))
    return files


def targets(page, base, references):
    for reference in references:
        try:
            url = urllib.parse.urlsplit(urllib.parse.urljoin(urllib.parse.urljoin(page, base or ""),
                                                             re.sub(r"[\t\r\n]", "", reference).strip()))
        except ValueError:
            continue
        if url.scheme == "http" and "http://" + url.netloc == urllib.parse.urljoin(page, "/")[:-1]:
            yield urllib.parse.quote(urllib.parse.unquote_to_bytes(url.path or "/"), safe="/~!$&'()*+,;=:@")

"""Rules about the docs: links and named paths exist, the journey of a URL is nine files, no local paths."""

import posixpath
import re

from tree import Violation

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
NAMED_PATH = re.compile(r"`((?:base|dedup|frontier|crawler|tests|docs|scripts|configs|examples)/[\w./-]*)`")
COMMENT_PATH = re.compile(r"\b(docs/[\w/-]+\.md)\b|\bdecisions/(\d{4})\b")
HEADING = re.compile(r"^#+\s+(.*?)\s*$", re.MULTILINE)
JOURNEY = re.compile(r"^## From a page to the next fetch\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
JOURNEY_STEP = re.compile(r"^\d+\. `([^`]+)`", re.MULTILINE)
JOURNEY_FILES_MAX = 9
# Split so that this file does not contain what it looks for.
FORBIDDEN = re.compile(
    r"(?<![\w.])/wo" r"rk/|deb\." r"debian\.org|registry\." r"npmjs|py" r"pi\.org|python" r"hosted|proxy\." r"golang|"
    r"crates\." r"io|static\.rust-"
)


def slug(heading):
    text = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def without_fences(text):
    return re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", "", m[0]), text, flags=re.MULTILINE | re.DOTALL)


def _documents(tree):
    return {p: without_fences(t) for p, t in tree.files.items() if p.endswith(".md")}


def _line(text, offset):
    return text.count("\n", 0, offset) + 1


def links_lead_somewhere(tree):
    documents = _documents(tree)
    for path, text in documents.items():
        for match in LINK.finditer(text):
            target, _, anchor = (match[1] or match[2]).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) if target else path
            line = _line(text, match.start())
            if not tree.exists(goal):
                yield Violation(path, line, "link", f"'{target}' leads nowhere")
            elif anchor and goal in documents and anchor not in {slug(h) for h in HEADING.findall(documents[goal])}:
                yield Violation(path, line, "link", f"'{goal}' has no heading '#{anchor}'")


def named_paths_exist(tree):
    for path, text in _documents(tree).items():
        for match in NAMED_PATH.finditer(text):
            if not tree.exists(match[1]):
                yield Violation(path, _line(text, match.start()), "path", f"there is no {match[1]}")
    for path, source in tree.sources.items():
        for match in COMMENT_PATH.finditer(source.text):
            goal = match[1] or f"docs/decisions/{match[2]}"
            if not any(p == goal or p.startswith(goal + "-") for p in tree.files):
                yield Violation(path, source.line_at(match.start()), "path", f"there is no {goal}")


def the_journey_is_nine_files(tree):
    path = "docs/architecture.md"
    found = JOURNEY.search(tree.files.get(path, ""))
    steps = JOURNEY_STEP.findall(found[1]) if found else []
    if not steps:
        yield Violation(path, 1, "journey", "no list of files under '## From a page to the next fetch'")
    if len(set(steps)) > JOURNEY_FILES_MAX:
        yield Violation(path, 1, "journey", f"{len(set(steps))} files; {JOURNEY_FILES_MAX} at most")
    for step in steps:
        if step not in tree.files:
            yield Violation(path, 1, "journey", f"there is no file {step}")


def nothing_local_is_named(tree):
    for path, text in tree.files.items():
        for match in FORBIDDEN.finditer(text):
            yield Violation(path, _line(text, match.start()), "local", f"'{match[0]}' means nothing to a reader elsewhere")


RULES = (links_lead_somewhere, named_paths_exist, the_journey_is_nine_files, nothing_local_is_named)

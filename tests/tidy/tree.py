"""The tree that the rules judge: all text files below a root, read once. Tests of the rules make trees from a
dictionary instead, so that no bad file ever lies in the repository."""

import os
from dataclasses import dataclass
from functools import cached_property

from source import Source

FLOORS = ("base", "dedup", "frontier", "crawler")  # includes go from the right to the left only
SKIPPED_NAMES = {"build", ".git", ".cache", "__pycache__"}
FILE_BYTES_MAX = 4 << 20


@dataclass(frozen=True)
class Violation:
    path: str
    line: int
    rule: str
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: [{self.rule}] {self.message}"


class Tree:
    def __init__(self, files):
        self.files = files  # path relative to the root -> text

    @cached_property
    def sources(self):
        return {p: Source(p, t) for p, t in sorted(self.files.items()) if p.endswith((".h", ".cc"))}

    @cached_property
    def product(self):
        return {p: s for p, s in self.sources.items() if s.floor in FLOORS}

    @cached_property
    def folders(self):
        return {p[: i + 1] for p in self.files for i, c in enumerate(p) if c == "/"}

    def exists(self, path):
        return path in self.files or path.rstrip("/") + "/" in self.folders


def load_tree(root):
    files = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_NAMES)
        for name in sorted(set(names) - SKIPPED_NAMES):
            path = os.path.join(folder, name)
            if os.path.islink(path) or os.path.getsize(path) > FILE_BYTES_MAX:
                continue
            with open(path, "rb") as stream:
                content = stream.read()
            files[os.path.relpath(path, root).replace(os.sep, "/")] = content.decode("utf-8", "replace")
    return Tree(files)

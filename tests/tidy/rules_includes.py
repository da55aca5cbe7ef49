"""Rules about who includes whom: floors, cycles, heavy headers, dead files."""

import re

from tree import FLOORS, Violation

# Headers that cost seconds to compile or tie us to a library: one .cc of the product each.
HEAVY = {
    "spdlog": r"spdlog/",
    "CLI11": r"CLI/",
    "toml++": r"toml\+\+/|toml\.hpp",
    "nlohmann": r"nlohmann/",
}
TEST_FLOOR_FILE = re.compile(r"tests/(?:base|dedup|frontier|crawler)/.*\.cc$")


def includes_go_down(tree):
    for source in tree.product.values():
        rank = FLOORS.index(source.floor)
        for include in source.includes:
            if not include.quoted:
                continue
            floor = include.target.split("/", 1)[0]
            if floor not in FLOORS:
                message = f'"{include.target}" is not named from the root of a floor'
            elif FLOORS.index(floor) > rank:
                message = f"{source.floor} may not include {floor}: includes go down only"
            else:
                continue
            yield Violation(source.path, include.line, "floors", message)


def _edges(tree, name):
    """Graph of quoted includes between the files (or their folders) of the tree."""
    graph = {}
    for source in tree.sources.values():
        for include in source.includes:
            if include.quoted and include.target in tree.sources:
                start, end = name(source.path), name(include.target)
                if start != end:
                    graph.setdefault(start, {})[end] = (source.path, include.line)
                    graph.setdefault(end, {})
    return graph


def _cycles(graph):
    """One path for each back edge of a depth-first walk; empty when the graph has no cycle."""
    state = {}
    for root in graph:
        if root in state:
            continue
        path, stack = [root], [iter(graph[root])]
        state[root] = "open"
        while stack:
            following = next(stack[-1], None)
            if following is None:
                state[path.pop()] = "closed"
                stack.pop()
            elif state.get(following) == "open":
                yield path[path.index(following):] + [following]
            elif following not in state:
                state[following] = "open"
                path.append(following)
                stack.append(iter(graph[following]))


def no_include_cycles(tree):
    for what, name in (("file", lambda p: p), ("folder", lambda p: p.rsplit("/", 1)[0])):
        graph = _edges(tree, name)
        for cycle in _cycles(graph):
            path, line = graph[cycle[-2]][cycle[-1]]
            yield Violation(path, line, "cycle", f"{what} cycle: " + " -> ".join(cycle))


def heavy_headers_have_one_home(tree):
    for library, pattern in HEAVY.items():
        homes = []
        for source in tree.product.values():
            lines = [i.line for i in source.includes if re.match(pattern, i.target)]
            if lines and source.is_header:
                yield Violation(source.path, lines[0], "heavy", f"{library} in a header reaches every includer")
            elif lines:
                homes.append((source.path, lines[0]))
        for path, line in homes[1:]:
            yield Violation(path, line, "heavy", f"{library} has its home in {homes[0][0]} already")


def no_dead_files(tree):
    yield from _dead_headers(tree)
    yield from _dead_implementations(tree)
    for path in tree.sources:
        if TEST_FLOOR_FILE.match(path) and not path.endswith("_test.cc"):
            yield Violation(path, 1, "dead", "tests/CMakeLists.txt compiles only *_test.cc here")


def _dead_headers(tree):
    included = {}
    for source in tree.sources.values():
        for include in source.includes:
            included.setdefault(include.target, set()).add(source.path)
    for path, source in tree.sources.items():
        if not source.is_header:
            continue
        stem = path[: -len(".h")]
        # Its own implementation and its own test do not make a header alive.
        others = {p for p in included.get(path, set()) if p != stem + ".cc" and p != f"tests/{stem}_test.cc"}
        if not others:
            yield Violation(path, 1, "dead", "no other file includes this header")


def _dead_implementations(tree):
    for path, source in tree.product.items():
        if source.is_header or path.endswith("/main.cc"):
            continue
        folder = path.rsplit("/", 1)[0] + "/"
        headers = [i.target for i in source.includes if i.target in tree.product]
        if not any(folder.startswith(header.rsplit("/", 1)[0] + "/") for header in headers):
            message = "it implements no header of its folder or a folder above: nothing can call it"
            yield Violation(path, 1, "dead", message)


RULES = (includes_go_down, no_include_cycles, heavy_headers_have_one_home, no_dead_files)

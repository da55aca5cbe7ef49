"""Rules about what the code may call, and where. Each ban names the one home in which the call is right.
Also: no Result is dropped, for std::expected of g++ 12 is not [[nodiscard]] and the compiler stays silent."""

import re
from dataclasses import dataclass

from tree import Violation


@dataclass(frozen=True)
class Ban:
    what: str
    pattern: str
    why: str
    homes: tuple = ()  # path prefixes in which the call is right
    files_max: int = 0  # at most so many product files inside the homes; 0: any number
    tests_too: bool = False


BANS = (
    Ban("sleep", r"\b(?:sleep_for|sleep_until|usleep|nanosleep|sleep)\s*\(", "wait on an event with a deadline",
        tests_too=True),
    Ban("rand", r"\b(?:rand|drand48)\s*\(\s*\)|\bsrand\s*\(", "chance is handed in as a seed", tests_too=True),
    Ban("random_device", r"\brandom_device\b", "chance is handed in; secrets come from base/hash"),
    Ban("clock", r"\b(?:steady_clock|system_clock|high_resolution_clock)::now\b|\b(?:clock_gettime|gettimeofday)\s*\("
        r"|\btime\s*\(\s*(?:nullptr|NULL|0)\s*\)", "time is handed in as Now or Clock&", homes=("base/clock.cc", "base/cpu_clock.cc")),
    Ban("thread", r"\bstd::j?thread\b(?!::)|\bpthread_create\s*\(|\bstd::async\b|\.detach\s*\(\s*\)",
        "threads start in crawler/ only", homes=("crawler/",)),
    Ban("getenv", r"\b(?:secure_)?getenv\s*\(|\benviron\b", "the environment has one reader", homes=("crawler/",),
        files_max=1),
    # Whoever hands us a va_list leaves no other way.
    Ban("vsnprintf", r"\bvsnprintf\s*\(", "fmt formats", homes=("base/",), files_max=1),
    Ban("printf", r"\b(?:[fsd]|sn|v|v[fsd])?printf\s*\(|\b(?:f?puts|putchar)\s*\(|\bstd::(?:cout|cerr|clog|print|println)\b"
        r"|\bfmt::print\b", "what the program prints has one home; base/log for the rest", homes=("crawler/",),
        files_max=1),
    Ban("exit", r"(?<![\w:.>])(?:std::|::)?(?:exit|_exit|quick_exit)\s*\(", "main returns the exit code",
        homes=("crawler/",), files_max=1),
    Ban("catch-all", r"\bcatch\s*\(\s*\.\.\.\s*\)", "catch what the library throws, at its wrapper", tests_too=True),
    Ban("default", r"\bdefault\s*:", "a switch without default lets the compiler find the missing case"),
    Ban("abort", r"(?:\bstd|(?<!\w))::(?:abort|terminate)\s*\(|\bassert\s*\(", "WEIR_CHECK is the one way to stop",
        homes=("base/check.cc",)),
)


def banned_calls(tree):
    for ban in BANS:
        pattern = re.compile(ban.pattern)
        sources = tree.sources if ban.tests_too else tree.product
        homes_used = []
        for source in sources.values():
            hits = [source.line_at(m.start()) for m in pattern.finditer(source.code)]
            if not hits:
                continue
            if not source.path.startswith(ban.homes or ("\0",)):
                for line in hits:
                    yield Violation(source.path, line, ban.what, ban.why)
            elif ban.files_max and source.path not in homes_used:
                homes_used.append(source.path)
                if len(homes_used) > ban.files_max:
                    yield Violation(source.path, hits[0], ban.what, f"{ban.why}; its home is {homes_used[0]} already")


RETURNS_RESULT = re.compile(r"\bResult<[^;{}()]*>\s+(?:\w+::)*(\w+)\s*\(")
RETURNS_OTHER = re.compile(r"\b(?!return\b|else\b|new\b|co_return\b)[\w:]+(?:<[^;{}()]*>)?[&*]?\s+(?:\w+::)*(\w+)\s*\(")
STATEMENT = re.compile(r"[;{})]\s*(?:[\w:]+(?:\(\)|\[\w+\])?(?:\.|->))*(?:\w+::)*(\w+)\s*\(")
STANDARD_NAMES = {"append", "insert", "erase", "clear", "flush", "close", "open", "reset", "write", "read"}


def no_result_is_dropped(tree):
    """Only names that return a Result wherever the product declares them, so that a name is enough to judge."""
    declared = {n for s in tree.product.values() for n in RETURNS_RESULT.findall(s.code)}
    other = {
        m[1]
        for s in tree.product.values()
        for m in RETURNS_OTHER.finditer(s.code)
        if not m[0].startswith(("Result<", "weir::Result<"))
    }
    judged = declared - other - STANDARD_NAMES
    for source in tree.product.values():
        for match in STATEMENT.finditer(source.code):
            if match[1] in judged and _ends_as_statement(source.code, match.end() - 1):
                message = f"what {match[1]} returns is dropped: an error would go unseen"
                yield Violation(source.path, source.line_at(match.start(1)), "dropped", message)


def _ends_as_statement(code, opening):
    depth = 0
    for offset in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[offset], 0)
        if depth == 0:
            return code[offset + 1 :].lstrip().startswith(";")
    return False


RULES = (banned_calls, no_result_is_dropped)

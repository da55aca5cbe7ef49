"""The style test: judges the tree under a root by every rule and prints statistics of its shape.
Usage: python3 tidy.py ROOT. Exit status 1 when a rule is broken, each place named as file:line."""

import sys

import rules_calls
import rules_docs
import rules_includes
import rules_shape
from tree import load_tree

RULES = rules_includes.RULES + rules_calls.RULES + rules_shape.RULES + rules_docs.RULES


def violations(tree):
    return [violation for rule in RULES for violation in rule(tree)]


def percentile(values, percent):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0


def print_statistics(tree):
    for title, sources in (
        ("product", tree.product.values()),
        ("tests", [s for s in tree.sources.values() if s.floor == "tests"]),
    ):
        functions = [f.length for s in sources for f in s.functions]
        lines = [s.line_count for s in sources]
        print(
            f"{title}: {len(functions)} functions p50/p90/p99/max "
            + "/".join(str(percentile(functions, p)) for p in (50, 90, 99, 100))
            + f"; {len(lines)} files p50/p90/max "
            + "/".join(str(percentile(lines, p)) for p in (50, 90, 100))
            + f"; {sum(lines)} lines"
        )


def main():
    tree = load_tree(sys.argv[1])
    found = violations(tree)
    for violation in found:
        print(violation)
    print_statistics(tree)
    print(f"{len(found)} violations of {len(RULES)} rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

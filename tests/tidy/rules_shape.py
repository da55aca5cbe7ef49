"""Rules about the shape of a file: length, opening comment, guards, words that promise, names of tests."""

import re

from tree import Violation

FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 70
OPENING_LETTERS_MIN = 15  # anything shorter repeats the file's name
OPENING_LINES_MAX = 30  # headers that draw their layout need more than the usual eight
PROMISE = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
TEST = re.compile(r"^TEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
TYPED_TEST = re.compile(r"^TYPED_TEST(?:_P)?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
# Law_Rule or Rule; suite and rule together are a sentence, so that the rule has two words or more.
RULE_NAME = re.compile(r"^(?:[A-Z][A-Za-z0-9]*_)?[A-Z][a-z0-9]*(?:[A-Z0-9][a-z0-9]*)+$")
SUITE_NAME = re.compile(r"^[A-Z][A-Za-z0-9]*$")


def lengths_are_bounded(tree):
    for source in tree.sources.values():
        if source.line_count > FILE_LINES_MAX:
            message = f"{source.line_count} lines; {FILE_LINES_MAX} at most: is there a second idea in it?"
            yield Violation(source.path, 1, "file-length", message)
        for function in source.functions:
            if function.length > FUNCTION_LINES_MAX:
                message = f"{function.name} has {function.length} lines; {FUNCTION_LINES_MAX} at most"
                yield Violation(source.path, function.line, "function-length", message)


def files_open_with_a_comment(tree):
    for source in tree.sources.values():
        if len("".join(source.opening_comment)) < OPENING_LETTERS_MIN:
            message = "opens without saying what it is for, what it is not, and its thread contract"
            yield Violation(source.path, 1, "opening", message)
        elif len(source.opening_comment) > OPENING_LINES_MAX:
            yield Violation(source.path, 1, "opening", f"opens with more than {OPENING_LINES_MAX} lines of comment")


def headers_are_guarded(tree):
    for source in tree.sources.values():
        if source.is_header and not re.search(r"^#pragma once$", source.text, re.MULTILINE):
            yield Violation(source.path, 1, "pragma", "header without #pragma once")
        if source.is_header and re.search(r"\busing\s+namespace\b", source.code):
            yield Violation(source.path, 1, "using", "a header opens a namespace for all who include it")


def nothing_is_promised(tree):
    for path, text in tree.files.items():
        for number, line in enumerate(text.split("\n"), 1):
            if PROMISE.search(line):
                yield Violation(path, number, "promise", "finish it, or say in the docs what is not done")


def test_names_state_a_rule(tree):
    for source in tree.sources.values():
        for pattern in (TEST, TYPED_TEST):
            for match in pattern.finditer(source.code):
                suite, name = match[1], match[2]
                if not SUITE_NAME.match(suite) or not RULE_NAME.match(name):
                    message = f"{suite}.{name}: a test is named by the rule it proves, in two words or more"
                    yield Violation(source.path, source.line_at(match.start()), "test-name", message)


RULES = (lengths_are_bounded, files_open_with_a_comment, headers_are_guarded, nothing_is_promised,
         test_names_state_a_rule)

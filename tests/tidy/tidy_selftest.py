"""Proof that the style test can fail: each rule is shown a bad snippet that it must name, and a small good tree
in which no rule may find anything. A rule or ban without a snippet here fails too."""

import unittest

import rules_calls
from source import Source
from tidy import violations
from tree import Tree

OPENING = "// What this file is for, what it is not, and which thread may use it.\n"
HEADER = OPENING + "#pragma once\n"
GOOD = {
    "README.md": "See [the way](docs/architecture.md#from-a-page-to-the-next-fetch) and `base/a.h`.\n",
    "docs/architecture.md": "# A\n\n## From a page to the next fetch\n\n1. `base/a.cc`: all of it\n\n## Next\n",
    "base/a.h": HEADER + "namespace weir {\nint a();\n}\n",
    "base/a.cc": OPENING + '#include "base/a.h"\n\nnamespace weir {\nint a() { return 1; }\n}\n',
    "crawler/main.cc": OPENING + '#include "base/a.h"\n\nint main() { return weir::a(); }\n',
    "tests/base/a_test.cc": OPENING + '#include "base/a.h"\n\nTEST(A, ReturnsAlwaysOne) { EXPECT_EQ(a(), 1); }\n',
}


def function(body, opening=OPENING):
    return opening + '#include "base/a.h"\n\nvoid f() {\n' + body + "\n}\n"


def promise():
    return "// TO" + "DO: later\n"


# Rule, files laid over the good tree, part of the message.
BAD = [
    ("floors", {"base/a.h": HEADER + '#include "crawler/b.h"\n', "crawler/b.h": HEADER}, "go down only"),
    ("floors", {"dedup/c.cc": OPENING + '#include "c.h"\n'}, "not named from the root"),
    ("floors", {"base/a.cc": OPENING + '#include "base/a.h"\n#include "tests/support/x.h"\n'}, "not named"),
    ("cycle", {"base/a.h": HEADER + '#include "base/b.h"\n', "base/b.h": HEADER + '#include "base/a.h"\n'}, "file cycle"),
    (
        "cycle",
        {
            "base/x/p.h": HEADER + '#include "base/y/q.h"\n',
            "base/y/q.h": HEADER,
            "base/y/r.h": HEADER + '#include "base/x/s.h"\n',
            "base/x/s.h": HEADER,
        },
        "folder cycle",
    ),
    ("heavy", {"base/a.h": HEADER + "#include <spdlog/spdlog.h>\n"}, "spdlog in a header"),
    ("heavy", {"base/a.h": HEADER + "#include <CLI/CLI.hpp>\n"}, "CLI11 in a header"),
    (
        "heavy",
        {
            "base/a.cc": OPENING + '#include "base/a.h"\n#include <toml++/toml.h>\n',
            "crawler/main.cc": OPENING + '#include "base/a.h"\n#include <toml++/toml.h>\n',
        },
        "toml++ has its home in base/a.cc already",
    ),
    (
        "heavy",
        {
            "base/a.cc": OPENING + '#include "base/a.h"\n#include <nlohmann/json.hpp>\n',
            "crawler/main.cc": OPENING + '#include "base/a.h"\n#include <nlohmann/json.hpp>\n',
        },
        "nlohmann has its home",
    ),
    ("dead", {"base/lonely.h": HEADER}, "no other file includes"),
    ("dead", {"base/b.h": HEADER, "base/b.cc": OPENING + '#include "base/b.h"\n'}, "no other file includes"),
    ("dead", {"crawler/b.cc": OPENING + '#include "base/a.h"\n'}, "implements no header"),
    ("dead", {"tests/base/helper.cc": OPENING}, "only *_test.cc"),
    ("sleep", {"base/a.cc": function("std::this_thread::sleep_for(1s);")}, "deadline"),
    ("sleep", {"tests/base/a_test.cc": function("usleep(10);")}, "deadline"),
    ("rand", {"base/a.cc": function("int x = rand();")}, "seed"),
    ("random_device", {"base/a.cc": function("std::random_device device;")}, "handed in"),
    ("clock", {"base/a.cc": function("auto t = std::chrono::steady_clock::now();")}, "handed in"),
    ("clock", {"base/a.cc": function("auto t = time(nullptr);")}, "handed in"),
    ("thread", {"base/a.cc": function("std::jthread worker(run);")}, "crawler/ only"),
    ("thread", {"base/a.cc": function("worker.detach();")}, "crawler/ only"),
    ("getenv", {"base/a.cc": function('getenv("HOME");')}, "one reader"),
    (
        "getenv",
        {"crawler/main.cc": function('getenv("A");'), "crawler/b.cc": function('getenv("B");')},
        "its home is crawler/b.cc already",
    ),
    ("printf", {"base/a.cc": function('std::cout << "x";')}, "one home"),
    ("printf", {"base/a.cc": function('snprintf(buffer, 4, "x");')}, "one home"),
    ("vsnprintf", {"crawler/b.cc": function("vsnprintf(buffer, 4, format, list);")}, "fmt formats"),
    ("exit", {"base/a.cc": function("std::exit(1);")}, "exit code"),
    ("exit", {"base/a.cc": function("::_exit(1);")}, "exit code"),
    ("catch-all", {"tests/base/a_test.cc": function("try { g(); } catch (...) {}")}, "wrapper"),
    ("default", {"base/a.cc": function("switch (x) { default: break; }")}, "missing case"),
    ("abort", {"base/a.cc": function("assert(x);")}, "WEIR_CHECK"),
    ("abort", {"base/a.cc": function("std::abort();")}, "WEIR_CHECK"),
    (
        "dropped",
        {
            "base/a.h": HEADER + "Result<void> sync_it(int x);\n",
            "base/a.cc": function("if (auto ok = sync_it(1); !ok) return;\nif (x) sync_it(2);"),
        },
        "what sync_it returns",
    ),
    ("dropped", {"base/a.h": HEADER + "Result<int> go();\n", "base/a.cc": function("x->go();")}, "what go returns"),
    ("file-length", {"base/a.cc": OPENING + '#include "base/a.h"\n' + "\n" * 600}, "second idea"),
    ("function-length", {"base/a.cc": function("g();\n" * 70)}, "f has 73 lines"),
    ("opening", {"base/a.cc": '#include "base/a.h"\n'}, "what it is for"),
    ("opening", {"base/a.cc": OPENING * 31 + '#include "base/a.h"\n'}, "more than 30"),
    ("pragma", {"base/a.h": OPENING}, "#pragma once"),
    ("using", {"base/a.h": HEADER + "using namespace std;\n"}, "opens a namespace"),
    ("promise", {"base/a.cc": OPENING + promise() + '#include "base/a.h"\n'}, "finish it"),
    ("promise", {"docs/architecture.md": GOOD["docs/architecture.md"] + promise()}, "finish it"),
    ("test-name", {"tests/base/a_test.cc": function("", OPENING + "TEST(A, Works) {}\n")}, "A.Works"),
    ("test-name", {"tests/base/a_test.cc": function("", OPENING + "TEST_F(A, returns_one_value) {}\n")}, "two words"),
    ("link", {"README.md": "[gone](docs/gone.md)\n"}, "leads nowhere"),
    ("link", {"README.md": "[gone](docs/architecture.md#elsewhere)\n"}, "no heading"),
    ("path", {"README.md": "Read `base/gone.h`.\n"}, "no base/gone.h"),
    ("path", {"base/a.h": HEADER + "// see decisions/0042\n"}, "no docs/decisions/0042"),
    ("journey", {"docs/architecture.md": "# A\n"}, "no list of files"),
    ("journey", {"docs/architecture.md": GOOD["docs/architecture.md"].replace("a.cc", "b.cc")}, "no file base/b.cc"),
    (
        "journey",
        {
            "docs/architecture.md": "## From a page to the next fetch\n"
            + "".join(f"{i}. `base/{i}.cc`\n" for i in range(10))
        },
        "10 files",
    ),
    ("local", {"README.md": "in /wo" + "rk/weir\n"}, "nothing to a reader"),
    ("local", {"scripts/x": "curl https://deb." + "debian.org/\n"}, "nothing to a reader"),
]

# Code of all shapes and the functions in it, with their lengths in lines.
SHAPES = [
    ("int f() { return 1; }", [("f", 1)]),
    ("class A {\n public:\n  A() : x_{1}, y_(2) {\n    g();\n  }\n  int x_;\n};", [("A", 3)]),
    ("A::A(int x)\n    : x_{x},\n      y_{x} {\n}", [("A::A", 4)]),
    ("template <typename T = int>\nT f(T x = {}) {\n  return x;\n}", [("f", 4)]),
    ("constexpr int kTable[] = {\n  1,\n  2,\n};\nint g() { return 1; }", [("g", 1)]),
    ("const auto kLess = [](int a, int b) {\n  return a < b;\n};", []),
    ("struct alignas(64) Block {\n  int f() const { return 1; }\n};", [("f", 1)]),
    ("enum class Kind : int { kA, kB };\nbool operator==(A a, B b) {\n  return true;\n}", [("operator==", 3)]),
    ('auto f() -> std::vector<int> {\n  return {1};  // } {\n  "}{";\n}', [("f", 4)]),
    ('void f() {\n  x = R"(}}}\n")";\n  c = \'}\';\n  n = 1\'000;\n}\nvoid g() {}', [("f", 6), ("g", 1)]),
    ("#define OPEN {\nvoid f() {\n  if (x) {\n  }\n}", [("f", 4)]),
    ("namespace a::b {\nnamespace {\nint f(std::function<int()> g = {}) {\n  return g();\n}\n}\n}", [("f", 3)]),
    ("TEST(A, B) {\n  EXPECT_TRUE(x);\n}", [("TEST", 3)]),
]


class TidySelfTest(unittest.TestCase):
    def test_the_good_tree_breaks_no_rule(self):
        self.assertEqual([], [str(v) for v in violations(Tree(GOOD))])

    def test_each_bad_snippet_is_named_by_its_rule(self):
        for rule, files, part in BAD:
            with self.subTest(rule=rule, part=part):
                found = [v for v in violations(Tree({**GOOD, **files})) if v.rule == rule]
                self.assertTrue(any(part in v.message for v in found), f"{rule} found {[str(v) for v in found]}")

    def test_each_rule_has_a_bad_snippet(self):
        shown = {rule for rule, _, _ in BAD}
        self.assertLessEqual({ban.what for ban in rules_calls.BANS}, shown)
        raised = {v.rule for _, files, _ in BAD for v in violations(Tree({**GOOD, **files}))}
        self.assertEqual(raised, shown)

    def test_words_in_comments_and_literals_are_not_calls(self):
        files = {"base/a.cc": function('// sleep_for(1s), std::thread\ng("rand() std::cout", R"(getenv("x"))");')}
        self.assertEqual([], [str(v) for v in violations(Tree({**GOOD, **files}))])

    def test_results_that_are_looked_at_are_not_dropped(self):
        body = "auto a = go();\nif (!go()) return;\nreturn go().value();\n"
        files = {"base/a.h": HEADER + "Result<int> go();\n", "base/a.cc": function(body)}
        self.assertEqual([], [str(v) for v in violations(Tree({**GOOD, **files}))])

    def test_functions_of_all_shapes_are_measured(self):
        for text, expected in SHAPES:
            with self.subTest(text=text):
                self.assertEqual(expected, [(f.name, f.length) for f in Source("base/x.cc", text).functions])


if __name__ == "__main__":
    unittest.main()

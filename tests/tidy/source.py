"""A C++ source file as the rules see it: its text, the same text with comments and literals blanked, its
includes and its functions. No C++ parser: braces, parentheses and the words before them are enough for code
that clang-format has laid out. Line numbers and offsets are those of the file."""

import re
from dataclasses import dataclass
from functools import cached_property

LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|R"(?P<delimiter>[^()\s\\]{0,16})\(.*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'",
    re.DOTALL,
)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
ACCESS = re.compile(r"^\s*(?:(?:public|private|protected)\s*:\s*)+")
SCOPE_HEAD = re.compile(r"\bnamespace\b|\bextern\s*$|\b(?:class|struct|union|enum)\b")
ATTRIBUTE = re.compile(r"\balignas\s*\(\)|\b__attribute__\s*\(\)|\[\[[^\]]*\]\]")
MEMBER_LIST = re.compile(r"\)[^()]*?(?<!:):(?!:)")
NAME = re.compile(r"([\w:~]+|operator[^\s(]+)\s*$")


def blank(text):
    return re.sub(r"[^\n]", " ", text)


@dataclass
class Include:
    line: int
    target: str
    quoted: bool


@dataclass
class Function:
    name: str
    line: int
    length: int


@dataclass
class Source:
    path: str  # relative to the root, with slashes
    text: str

    @property
    def is_header(self):
        return self.path.endswith(".h")

    @property
    def floor(self):
        return self.path.split("/", 1)[0]

    @property
    def line_count(self):
        return self.text.count("\n")

    @cached_property
    def without_comments(self):
        return LITERAL.sub(lambda m: blank(m[0]) if m[0].startswith("/") else m[0], self.text)

    @cached_property
    def code(self):
        """The text with comments and literals blanked."""
        return LITERAL.sub(lambda m: blank(m[0]), self.text)

    @cached_property
    def includes(self):
        return [
            Include(self.line_at(m.start(1)), m[2], m[1] == '"') for m in INCLUDE.finditer(self.without_comments)
        ]

    @cached_property
    def opening_comment(self):
        """The lines of comment that the file opens with."""
        lines = self.text.split("\n")
        first_code = next((i for i, line in enumerate(lines) if not line.startswith("//")), len(lines))
        return [line.lstrip("/ ") for line in lines[:first_code]]

    @cached_property
    def functions(self):
        return list(find_functions(self))

    def line_at(self, offset):
        return self.text.count("\n", 0, offset) + 1


def without_parentheses(head):
    """`head` with what stands in balanced parentheses removed, the outer parentheses kept."""
    kept, depth = [], 0
    for character in head:
        if character == ")":
            depth -= 1
        if depth == 0:
            kept.append(character)
        if character == "(":
            depth += 1
    return "".join(kept)


def without_template(head):
    """`head` without its leading template parameter lists, whose defaults look like assignments."""
    while re.match(r"\s*template\s*<", head):
        depth = 0
        for offset, character in enumerate(head):
            depth += {"<": 1, ">": -1}.get(character, 0)
            if character == ">" and depth == 0:
                break
        head = head[offset + 1 :]
    return head


def kind_of(head, before_brace):
    """What a brace opens at namespace or type scope: 'scope', 'function', 'member' (an initialiser inside a
    constructor's list, after which the head goes on) or 'value'."""
    flat = ATTRIBUTE.sub("", without_parentheses(without_template(head)))
    if "(" not in flat:
        return "scope" if SCOPE_HEAD.search(flat) else "value"
    if re.search(r"(?<![=!<>])=(?!=)", flat.split("(")[0]) and "operator" not in flat:
        return "value"
    if MEMBER_LIST.search(flat) and re.match(r"[\w>]", before_brace):
        return "member"
    return "function"


def function_name(head):
    found = NAME.search(without_template(head).split("(")[0])
    return found[1] if found else "?"


def matching_brace(code, start):
    depth = 0
    for offset in range(start, len(code)):
        if code[offset] == "{":
            depth += 1
        elif code[offset] == "}":
            depth -= 1
            if depth == 0:
                return offset
    return len(code) - 1


def find_functions(source):
    code = PREPROCESSOR.sub(lambda m: blank(m[0]), source.code)
    head_start, offset, parentheses = 0, 0, 0
    while offset < len(code):
        character = code[offset]
        if character in "()":
            parentheses += 1 if character == "(" else -1
        elif character in ";}" and parentheses == 0:
            head_start = offset + 1
        elif character == "{" and parentheses > 0:
            offset = matching_brace(code, offset)
        elif character == "{":
            head = ACCESS.sub("", code[head_start:offset])
            kind = kind_of(head, code[head_start:offset].rstrip()[-1:])
            if kind == "scope":
                head_start = offset + 1
            else:
                end = matching_brace(code, offset)
                if kind == "function":
                    text_start = offset - len(head) + (len(head) - len(head.lstrip()))
                    first, last = source.line_at(text_start), source.line_at(end)
                    yield Function(function_name(head.strip()), first, last - first + 1)
                if kind != "member":
                    head_start = end + 1
                offset = end
        offset += 1

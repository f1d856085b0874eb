"""The public headers as data, for the manual and the checks of both: what each declares, with its contract.

The headers keep to one form (CONTRIBUTING.md): a comment `/** ... */` before each declaration, with the commands
@param, @return, @retval, @par and @file, names in backquotes, lists with `- `, and indented examples.

SPDX-License-Identifier: Apache-2.0
"""
import os
import re

import source_tree

TOKEN = re.compile(r"/\*\*(?!<)(?P<doc>.*?)\*/|/\*.*?\*/|(?P<define>^[ \t]*#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*)|"
                   r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|(?P<extern>extern\s+\"C\"\s*\{)|(?P<code>[^\s/#])", re.S | re.M)
ATTRIBUTES = re.compile(r"\b(?:XTA_API|XTA_MUST_CHECK|static\s+inline)\b\s*|\bXTA_PRINTF\([^)]*\)")


class Declaration:
    """A function, type or constant: its C text, and the comment before it."""

    def __init__(self, text, doc):
        self.text = text
        self.doc = doc
        code = source_tree.without_comments_and_strings(text)
        function = re.match(r"(?P<type>[^(={]*?)(?P<name>\w+)\s*\((?P<rest>.*)$", code.strip(), re.S)
        self.is_define = code.lstrip().startswith("#")
        self.is_function = bool(function) and not self.is_define and not code.lstrip().startswith("typedef")
        if self.is_function:
            self.name = function["name"]
            self.type = ATTRIBUTES.sub("", function["type"]).strip()
            self.parameters = parameters_of(function["rest"])
        elif self.is_define:
            self.name = re.match(r"\s*#\s*define\s+(\w+)", code)[1]
        else:
            names = re.findall(r"\(\s*\*\s*(\w+)\s*\)\s*\(", code) if "{" not in code else []
            self.name = names[0] if names else (re.findall(r"(\w+)\s*(?:\([^{}]*\))?\s*;\s*$", code) or [""])[0]


class Header:
    """A header: its name as programs include it, the text of its @file comment, and its declarations in order."""

    def __init__(self, root, name, product):
        self.name = name
        self.product = product
        self.about = ""
        self.declarations = []
        text = source_tree.read(os.path.join(root, product, "include", name))
        self.includes = re.findall(r"#include <(xta/[\w/]+\.h)>", text)
        self.parse(text)

    def parse(self, text):
        doc, at = None, 0
        while True:
            token = TOKEN.search(text, at)
            if not token:
                return
            at = token.end()
            if token["doc"] is not None:
                lines = plain(token["doc"])
                if re.match(r"\s*@file\b", lines):
                    self.about = re.sub(r"\s*@file\b\s*", "", lines, count=1)
                else:
                    doc = lines
            elif token["define"]:
                self.add(token["define"], doc)
                doc = None
            elif token["code"]:
                if token["code"] == "}":
                    continue
                at = end_of(text, token.start())
                self.add(text[token.start():at], doc)
                doc = None

    def add(self, text, doc):
        # What exists for the message of a compiler only.
        if text.startswith("__attribute__"):
            return
        declaration = Declaration(text, doc or "")
        # Include guards, and what only compilers need.
        if declaration.is_define and (re.search(r"_H_?$", declaration.name) or not doc and
                                      not declaration.name.endswith("_INIT")):
            return
        self.declarations.append(declaration)

    def functions(self):
        return [one for one in self.declarations if one.is_function]


def parameters_of(rest):
    """The parameters of a prototype, split at the commas outside of parentheses."""
    found, depth, one = [], 0, ""
    for letter in rest:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            found.append(one)
            one = ""
        else:
            one += letter
    return [" ".join(parameter.split()) for parameter in found + [one]]


def end_of(text, at):
    """Where a declaration that begins at `at` ends: after its semicolon, or after the body of a function."""
    code = blanked(text, at)
    depth, body = 0, False
    for k in range(len(code)):
        letter = code[k]
        if letter == "{":
            body = body or depth == 0 and code[:k].rstrip().endswith(")")
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0 and body:
                return at + k + 1
        elif letter == ";" and depth == 0:
            return at + k + 1
    raise ValueError(f"a declaration without end: {text[at:at + 60]!r}")


def blanked(text, at):
    """The text from `at` on, comments replaced by as many blanks."""
    return re.sub(r"/\*.*?\*/|//[^\n]*", lambda match: re.sub(r"[^\n]", " ", match[0]), text[at:], flags=re.S)


def plain(comment):
    """A comment without its stars and its licence."""
    lines = [re.sub(r"^[ \t]*\*? ?", "", line) if k else line.strip() for k, line in enumerate(comment.split("\n"))]
    return re.sub(r"SPDX-License-Identifier:[^\n]*", "", "\n".join(line.rstrip() for line in lines)).strip("\n")


def read_all(root):
    """All public headers, in the order of their names."""
    return [Header(root, name, product) for name, product in sorted(source_tree.public_headers(root).items())
            if name.startswith("xta/") and name.endswith(".h")]

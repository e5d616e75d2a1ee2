#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds types of the same name and namespace in two files.

The compiler does not notice such types if no source includes both headers. The linker then uses one of the
two destructors, or one of the two std::vector instances, for both. Types in unnamed namespaces and nested
types are exempt. Exit status 1 and one line for each name; `--self-test` checks that one is found.
"""
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["app", "compute", "draw", "render", "ui"]
SOURCES = {".h", ".cpp", ".cu", ".cuh"}
OPENS = re.compile(r"(?:inline )?namespace(?: ([\w:]+))? \{")
CLOSES = re.compile(r"\}  // namespace")
# Forward declarations stand between braces without the comment.
DECLARED = re.compile(r"^namespace [\w:]+ \{\n(?:[^{}\n]*;\n)+\}$", re.MULTILINE)
TYPE = re.compile(r"(?:template <.*> )?(?:struct|class|union|enum(?: class)?) (?:[A-Z_]+\([^)]*\) )?(?:alignas\(.*?\) )?(\w+)"
                  r"(?: final)?(?: ?:[^:].*)? ?\{")


def types_in(text):
    """(namespace, name, line number) of each type outside unnamed namespaces and other types."""
    inside = []
    text = DECLARED.sub(lambda declared: "\n" * declared.group().count("\n"), text)
    for number, line in enumerate(text.splitlines(), 1):
        if opened := OPENS.match(line):
            inside.append(opened.group(1))
        elif CLOSES.match(line) and inside:
            inside.pop()
        elif (found := TYPE.match(line)) and None not in inside:
            yield "::".join(inside), found.group(1), number


def twice(root):
    places = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SOURCES:
                continue
            for space, name, number in types_in(path.read_text()):
                places.setdefault((space, name), []).append(f"{path.relative_to(root)}:{number}")
    return {key: found for key, found in places.items() if len(found) > 1}


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "ui").mkdir()
        (root / "ui/a.h").write_text("namespace n {\nstruct Twice {\n    struct Inner {};\n};\n"
                                     "class Once final : public Base {\n};\n}  // namespace n\n"
                                     "namespace n::o {\nclass Told;\n}\nnamespace n {\nstruct alignas(4 * sizeof(int)) Wide {\n"
                                     "};\n}  // namespace n\n")
        (root / "ui/b.cpp").write_text("namespace n {\nnamespace {\nstruct Once {\n};\n}  // namespace\n"
                                       "enum class Twice : int { A };\nstruct Wide {\n};\n}  // namespace n\n"
                                       "namespace other {\nstruct Twice {};\n}  // namespace other\n")
        assert twice(root) == {("n", "Twice"): ["ui/a.h:2", "ui/b.cpp:6"], ("n", "Wide"): ["ui/a.h:12", "ui/b.cpp:7"]}, twice(root)


if sys.argv[1:] == ["--self-test"]:
    self_test()
    sys.exit(0)
offences = twice(ROOT)
for (space, name), found in offences.items():
    print(f"{', '.join(found)}: expected one type {space}::{name}, found {len(found)}")
sys.exit(1 if offences else 0)

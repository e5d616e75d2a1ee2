#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the page of messages (resources/help/messages.md) against the sources.

- Every section says by which words its messages are known, and a text in the sources has these words.
- The table of kinds has each error class of the core, with the exit status and the class of Python that the sources
  give it.
Exit status 1 and a line for each difference; `--self-test` checks that each kind of difference is found.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = "resources/help/messages.md"
FOLDERS = ("app", "compute", "draw", "render", "ui")


def texts_of(source):
    """String literals of a C++ source; adjacent literals are one."""
    joined = re.sub(r'"\s*\n\s*"', "", source)
    return re.findall(r'"((?:[^"\\\n]|\\.)*)"', joined)


def sources():
    """All texts of the program, one a line."""
    texts = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".h", ".cu", ".cuh"):
                texts += texts_of(path.read_text(encoding="utf-8"))
    return "\n".join(texts)


def kinds():
    """Error classes of the core with their class in Python."""
    core = (ROOT / "compute/core/include/armilla/core/error.h").read_text(encoding="utf-8")
    call = (ROOT / "app/python/src/call.cpp").read_text(encoding="utf-8")
    codes = dict(re.findall(r"class (\w+) : public Error \{.*?ErrorCode::(\w+)", core, re.S))
    python = dict(re.findall(r'case ErrorCode::(\w+): return "(\w+)"', call))
    return {name: python.get(code, "InternalError") for name, code in codes.items()}


def differences(page, texts, classes):
    """Lines about what the page and the sources do not have in common."""
    lines = []
    for section in page.split("\n## ")[1:]:
        title, body = section.split("\n", 1)
        seen = re.search(r"^Seen as: (.*?)\n\n", body, re.M | re.S)
        words = re.findall(r"`([^`]+)`", seen[1]) if seen else []
        if not words:
            lines.append(f"{PAGE}: section '{title}': expected a paragraph 'Seen as: ...', found none")
        lines += [f"{PAGE}: section '{title}': expected words of a message, found '{word}', which no source has"
                  for word in words if word not in texts]
    for name, python in classes.items():
        row = re.search(rf"^\| {name} \| (\d) \| `armilla\.(\w+)`", page, re.M)
        if not row or row[1] != "1" or row[2] != python:
            lines.append(f"{PAGE}: expected a row '| {name} | 1 | `armilla.{python}` |', found another or none")
    return lines


def self_test():
    """Each kind of difference is found, and nothing else."""
    page = "# M\n\n| Bad | 1 | `armilla.Bad` | x |\n\n## A\n\nSeen as: `one two`,\n`three`\n\ntext\n"
    texts, classes = "\n".join(texts_of('f("one "\n  "two"); g("three");')), {"Bad": "Bad"}
    assert differences(page, texts, classes) == [], differences(page, texts, classes)
    for changed in (page.replace("three", "four"), page.replace("Seen as", "Known as"), page.replace("Bad`", "Other`"),
                    page.replace("| 1 |", "| 2 |"), page.replace("| Bad |", "| Good |")):
        assert len(differences(changed, texts, classes)) == 1, changed


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    lines = differences((ROOT / PAGE).read_text(encoding="utf-8"), sources(), kinds())
    print("\n".join(lines) if lines else f"{PAGE}: every quoted message exists")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

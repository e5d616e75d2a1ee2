#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks for every file, folder and function that ARCHITECTURE.md and CONTRIBUTING.md name.

`operations/smooth.cpp` matches any file whose path ends like this, `SmoothPlan::enqueue` matches words of the
sources, and a name with <name>, WORD or * is a pattern. Exit status 1 and one line for each name without a match; `--self-test` checks that such a name is found.
"""
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["ARCHITECTURE.md", "CONTRIBUTING.md"]
TOP = ["app", "ui", "draw", "render", "compute", "resources", "tests", "packaging"]
SUFFIX = r"\.(cpp|h|cu|cuh|glsl|md|py|txt|qrc|svg|in)"
FILE = re.compile(rf"[\w<>*./-]+{SUFFIX}|[\w<>*-]+(/[\w<>*.-]+)+/?")
WORD = re.compile(r"(\w+::)*\w+(\(\))?")
SOURCES = {".h", ".cpp", ".cu", ".cuh", ".py", ".glsl", ".cmake", ".txt"}


def paths():
    """Every file and folder of the project, as text from its top."""
    found = [path.name for path in ROOT.iterdir() if path.is_file()]
    for top in TOP:
        found.append(top)
        found += [path.relative_to(ROOT).as_posix() for path in (ROOT / top).rglob("*")]
    return found


def words():
    found = set()
    for top in TOP:
        for path in (ROOT / top).rglob("*"):
            if path.suffix in SOURCES and path.is_file():
                found.update(re.findall(r"\w+", path.read_text(errors="replace")))
    return found


def pattern_of(name):
    """The name with a star for each placeholder."""
    name = re.sub(r"<\w+>|\b[A-Z]{4,}\b|\bX\b|\bx_|\bname\b", "*", name.rstrip("/"))
    return name


def leads_somewhere(name, files, folder=""):
    pattern = pattern_of(name)
    if "*" in pattern:
        return any(fnmatch.fnmatch(each, pattern) or fnmatch.fnmatch(each, "*/" + pattern) for each in files)
    # A name without its suffix names the pair of header and source.
    return any(each == pattern or each.endswith("/" + pattern) or
               re.sub(SUFFIX + "$", "", each).endswith("/" + pattern) for each in files)


def names_in(text):
    """Names between backticks, and the folders of the tree of ARCHITECTURE.md."""
    text = re.sub(r"^\| Target \|.*\n(\|.*\n)*", "", text, flags=re.M)  # the include scan reads this table
    text = re.sub(r"^## Style\n.*?(?=^## )", "", text, flags=re.M | re.S)  # names made up as examples
    for match in re.finditer(r"`([^`\n]+)`", text):
        yield match[1]
    for match in re.finditer(r"^    ((?:[a-z_]+/)[\w/.]*(?: [\w/]+/)?) {2,}\S", text, flags=re.M):
        top = match[1].split()[0]
        yield top
        yield from (top.split("/")[0] + "/" + more for more in match[1].split()[1:])


def problems_of(text, files, known):
    for name in names_in(text):
        if FILE.fullmatch(name):
            if not name.startswith("cuda/") and not leads_somewhere(name, files):
                yield f"expected a file or folder of the project, found {name}"
        elif WORD.fullmatch(name) and ("::" in name or re.fullmatch(r"\w*[a-z][A-Z]\w*(\(\))?", name)):
            for part in name.removesuffix("()").split("::"):
                if part not in known:
                    yield f"expected a word of the sources, found {part} of {name}"


def self_test():
    files, known = ["app/operations/smooth.cpp", "ui/tools", "tests/cli/tst_cli.cpp"], {"SmoothPlan", "enqueue"}
    fine = "`operations/smooth.cpp` `operations/smooth` `ui/tools/` `tests/cli/tst_<name>.cpp` `SmoothPlan::enqueue`"
    wrong = "`operations/smoth.cpp` `ui/tool/` `tests/cli/xst_<name>.cpp` `SmoothPlan::enque`"
    found = [list(problems_of(name, files, known)) for name in wrong.split()]
    problems = [f"self test: {line}" for line in problems_of(fine, files, known)]
    problems += [f"self test: expected an offence in {name}" for name, each in zip(wrong.split(), found) if not each]
    return problems


def scan():
    files, known = paths(), words()
    return [f"{document}: {line}" for document in DOCUMENTS
            for line in problems_of((ROOT / document).read_text(), files, known)]


if __name__ == "__main__":
    problems = self_test() if "--self-test" in sys.argv else scan()
    print("\n".join(problems) if problems else "every name leads somewhere")
    sys.exit(1 if problems else 0)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds numeric limits of tests without a comment within four lines.

A limit is a number below 0.1 that an assertion compares an error with: `QVERIFY(error < 1e-12)`, or the last
argument of `QCOMPARE_LT`, `QCOMPARE_LE` and `ARMILLA_VERIFY_BELOW`. The comment gives the derivation: which errors
add up to the limit. A comment counts from four lines above the assertion to its last line. Limits that follow
each other without an empty line share the comment above the first one.
Exit status 1 and one line for each place; `--self-test` checks the rules, `--count` prints a line per file.
"""
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEAR = 4  # lines

ASSERTION = re.compile(r"\b(?:Q(?:TRY_)?(?:VERIFY2?|COMPARE_L[TE])(?:_WITH_TIMEOUT)?|ARMILLA_VERIFY_BELOW)(?=\()")
SMALL = r"(?:\d[\d']*\.?\d*e-\d+|0?\.0\d*[1-9]\d*)[fF]?\b"
COMPARED = re.compile(r"(?<![<\-])<=?(?!<)\s*(?:[\w:.()\[\]]+\s*\*\s*)*" + SMALL)
LAST = re.compile(r",\s*(?:[\w:.()\[\]]+\s*\*\s*)*" + SMALL + r"[^,]*$")
COMMENT = re.compile(r'(?<![:"])//')


def end_of(text, opening):
    """The place of the parenthesis that closes the one at `opening`."""
    depth, quoted, at = 0, False, opening
    while at < len(text):
        c = text[at]
        if quoted:
            at += c == "\\"
            quoted = c != '"'
        elif c == '"':
            quoted = True
        elif c in "()":
            depth += 1 if c == "(" else -1
            if depth == 0:
                return at
        at += 1
    return len(text)


def limits_in(text):
    """First and last line (from 0) of each assertion with a limit."""
    for found in ASSERTION.finditer(text):
        end = end_of(text, found.end())
        inner = re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*', "", text[found.end() + 1:end])
        last_counts = "COMPARE" in found.group() or "BELOW" in found.group()
        if COMPARED.search(inner) or (last_counts and LAST.search(inner)):
            yield text.count("\n", 0, found.start()), text.count("\n", 0, end)


def offences_in(text):
    lines = text.split("\n")
    previous_end, previous_good = -2, False
    for first, last in limits_in(text):
        if lines[first].lstrip().startswith("//"):
            continue
        shares = previous_good and all(line.strip() for line in lines[previous_end:first])
        near = any(COMMENT.search(line) for line in lines[max(0, first - NEAR):last + 1])
        previous_end, previous_good = last, near or shares
        if not previous_good:
            yield first + 1, lines[first].strip()


def files(root):
    for path in sorted((root / "tests").rglob("*")):
        name = path.relative_to(root / "tests").as_posix()
        if path.suffix in {".h", ".cpp"} and not name.startswith(("bench/", "fuzz/")):
            yield name, path.read_text()


def offences(root):
    for name, text in files(root):
        for number, words in offences_in(text):
            yield f"tests/{name}:{number}: expected a comment that derives the limit: {words}"


def self_test():
    far = "// The limit.\n" + "f();\n" * NEAR
    bad = ["QVERIFY(x < 1e-12);", "QVERIFY2(std::abs(f(a, b)) <= 3e-4 * size, words);", "QCOMPARE_LT(x, 1e-9);",
           "ARMILLA_VERIFY_BELOW(error(a,\n b), 2.0e-7);", "QVERIFY(x < 0.02);", "QVERIFY(x < 1e-3F);", "QVERIFY(x < size * 1e-3);",
           far + "QVERIFY(x < 1e-12);", "// The limit.\nQVERIFY(x < 1e-12);\n" + "\n" * NEAR + "QVERIFY(y < 1e-12);",
           'QVERIFY2(x < 1e-12, "see https://a.b");']
    good = ["// The limit.\nQVERIFY(x < 1e-12);", "QVERIFY(x < 1e-12);  // The limit.", "QVERIFY(x < 0.5);",
            "QVERIFY(x > 1e-12);", "// The limit.\n" + "QVERIFY(x < 1e-12);\n" * 9, "QVERIFY(f(1e-12));",
            'QVERIFY(text.contains("< 1e-12"));', "QCOMPARE_LE(x, limit);", "// QVERIFY(x < 1e-12);"]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "tests/ui").mkdir(parents=True)
        for text in bad + good:
            (root / "tests/ui/tst_a.cpp").write_text(text + "\n")
            found = list(offences(root))
            assert len(found) == (1 if text in bad else 0), (text, found)


if sys.argv[1:] == ["--self-test"]:
    self_test()
    sys.exit(0)
if sys.argv[1:] == ["--count"]:
    for name, text in files(ROOT):
        limits, without = len(list(limits_in(text))), len(list(offences_in(text)))
        if limits:
            print(f"{limits:4} limits, {without:4} without a comment: {name}")
    sys.exit(0)
found = list(offences(ROOT))
print("\n".join(found))
sys.exit(1 if found else 0)

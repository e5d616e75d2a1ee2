#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds sentences that begin as a fragment does, and documents past their length.

The check reads comments, docstrings of Python, and string literals of the folders that hold help lines.
A sentence never begins with `Of`, `Likewise`, `That of` or `Those of`. It begins with `Where` or `As` only
if a comma ends the clause that follows. A comment or literal begins with `What`, `Who` or `Which` only if it
is a question. Later sentences may: in these, main clauses are common and fragments rare.
Exit status 1 and one line for each place; `--self-test` checks that each kind is found.
"""
import ast
import io
import pathlib
import re
import sys
import tempfile
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["app", "compute", "draw", "packaging", "render", "resources", "tests", "ui"]
SLASHES = {".h", ".cpp", ".cu", ".cuh", ".glsl"}
HASHES = {".cmake", ".sh", ".txt"}
# Help lines are literals of these folders.
HELP = ("app/cli/", "app/bench/", "app/operations/")
# Words that each document may hold.
LENGTHS = {"README.md": 700, "ARCHITECTURE.md": 3500, "CONTRIBUTING.md": 1200, "DECISIONS.md": 5000, "CHANGELOG.md": 1500}

RAW = r'R"(?P<raw>[^()\s\\]*)\(.*?\)(?P=raw)"'
TOKEN = re.compile(RAW + r'|(?P<text>"(?:\\.|[^"\\\n])*")|(?<!\w)\'(?:\\.|[^\'\\\n])+\'|(?P<line>//[!/]?<?(?P<words>[^\n]*))|'
                   r'/\*[!*]?<?(?P<block>.*?)\*/', re.DOTALL)
BEGINNING = re.compile(r"(?P<never>of|likewise|that of|those of)\b|(?P<question>what|who|which)\b|(?P<clause>where|as)\b", re.I)
END = re.compile(r"(?<=[.!?])[\"')`]*\s+(?=[\"'(`]*[A-Z])")
# A file of CMake is text, other text files are data.
BUILD = "CMakeLists.txt"


def wrong_beginning(sentence, is_first):
    """The words that a sentence should not begin with, or None."""
    found = BEGINNING.match(sentence)
    if not found or sentence[found.end():found.end() + 1] not in (" ", ",", ""):
        return None
    if found["question"] and (not is_first or sentence.rstrip().endswith("?")):
        return None
    if found["clause"] and "," in sentence:
        return None
    return found.group()


def sentences(text):
    """Sentences of a comment. Items of a list and paragraphs begin one each, with a capital letter."""
    for paragraph in re.split(r"\n[ \t]*\n|\n[ \t]*- (?=[A-Z])", text):
        yield from END.split(" ".join(paragraph.split()))


def joined(lines):
    """(line, text) of comments, from (line, column, text, whether it is alone on its line) of their lines.

    A line without code continues the comment above it at the same column.
    """
    held = []
    for line, column, text, alone in lines:
        if held and (held[-1][0] + 1 != line or held[-1][1] != column or not alone):
            yield held[0][0], "\n".join(each[2] for each in held)
            held = []
        held.append((line, column, text))
    if held:
        yield held[0][0], "\n".join(each[2] for each in held)


def of_slashes(text):
    """Comments and literals of C++, CUDA and GLSL as two lists of (line, text). Literals that follow each other are one."""
    lines, blocks, literals, end = [], [], [], -1
    for found in TOKEN.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["line"]:
            before = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
            lines.append((line, len(before), found["words"].strip(), not before.strip()))
        elif found["block"] is not None:
            blocks.append((line, re.sub(r"\n\s*\* ?", "\n", found["block"]).strip()))
        elif found["text"]:
            if literals and not text[end:found.start()].strip():
                literals[-1] = (literals[-1][0], literals[-1][1] + found["text"][1:-1])
            else:
                literals.append((line, found["text"][1:-1]))
            end = found.end()
    return list(joined(lines)) + blocks, literals


def of_hashes(text):
    """Comments of CMake and shell that have a line of their own."""
    lines = [(number, line.index("#"), line.strip().lstrip("#").strip(), True)
             for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("#")]
    return list(joined(lines))


def of_python(text):
    lines = [(token.start[0], token.start[1], token.string.lstrip("#").strip(), token.line.lstrip().startswith("#"))
             for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type == tokenize.COMMENT]
    comments = list(joined(lines))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            comments.append((node.body[0].lineno, ast.get_docstring(node)))
    return comments


def offences_in(name, text):
    """(line, words) of each place in a file."""
    suffix, literals = pathlib.PurePath(name).suffix, []
    if suffix in SLASHES:
        comments, literals = of_slashes(text)
    elif suffix == ".py":
        comments = of_python(text)
    else:
        comments = of_hashes(text)
    if not name.startswith(HELP):
        literals = []
    # A literal that begins with a blank continues a message.
    for line, comment in comments + [each for each in literals if " " in each[1] and each[1][0] != " "]:
        for number, sentence in enumerate(sentences(comment)):
            if beginning := wrong_beginning(sentence, number == 0):
                yield line, f"expected a sentence or a noun phrase, found one that begins with '{beginning}': {sentence[:60]}"
                break


def is_read(path):
    if path.suffix == ".txt":
        return path.name == BUILD
    return path.suffix in SLASHES | HASHES | {".py"}


def offences(root):
    paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.is_file() and is_read(path)]
    for path in paths + [root / "dev", root / BUILD]:
        if path.exists():
            name = path.relative_to(root).as_posix()
            for line, words in sorted(offences_in(name, path.read_text())):
                yield f"{name}:{line}: {words}"
    for name, most in LENGTHS.items():
        if (root / name).exists():
            count = len((root / name).read_text().split())
            if count > most:
                yield f"{name}: expected at most {most} words, found {count}"


def self_test():
    bad = ["// Of files, between commas.", "int n;  // of the map", "/// Likewise for Q.", "// Sums. That of the belt is last.",
           "// What the caller gets.", "// Which ring is first.", "// Where the sky is.", "// As in healpy.",
           "/* Of the map. */", "// A list:\n// - Those of maps", "int f();  // the sum of a ring.\n          // As before.",
           'help("of the analysis, " "after it");', "# Who reads it.",
           "int a;  // rows\nint b;  // of a map"]
    good = ["// Where the map has no good pixel, the mean is 0.", "// Which ring is first?", "// The number of rings,\n// of a map.",
            "// As the map is full, no index is kept.", 'help("number of iterations");', 'auto s = "http://a/ of";',
            "// Sums. What is left is rounding.", "// The sum of a ring.\nint n;  // with weights", 'auto s = R"(// Of a map.)";', 'help("rows", "of");',
            "// Offsets of rows.", "// Asinh scale.", 'note(name + " of a map");', "int a;  // rows.\nint b;  // Columns",
            "const int a = 1'000;  // rows\nconst char b = '\"';  // a quote"]
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ("app/cli", "packaging"):
            (root / name).mkdir(parents=True)
        file, build = root / "app/cli/a.cpp", root / "packaging" / BUILD
        for text in bad + good:
            (build if text.startswith("#") else file).write_text(text + "\n")
            found = list(offences(root))
            assert len(found) == (1 if text in bad else 0), (text, found)
            (build if text.startswith("#") else file).unlink()
        file.write_text('help("As in healpy");')
        assert len(list(offences(root))) == 1
        (root / "ui").mkdir()
        file.rename(root / "ui/a.cpp")  # a folder without help lines
        assert not list(offences(root))
        (root / "tests").mkdir()
        (root / "tests/a.py").write_text('"""Rows.\n\nOf a table.\n"""\n# As before.\ntext = "Of a map"\n')
        assert len(list(offences(root))) == 2
        (root / "README.md").write_text("word " * LENGTHS["README.md"])
        assert len(list(offences(root))) == 2
        (root / "README.md").write_text("word " * (LENGTHS["README.md"] + 1))
        assert len(list(offences(root))) == 3


if sys.argv[1:] == ["--self-test"]:
    self_test()
    sys.exit(0)
found = list(offences(ROOT))
print("\n".join(found) if found else "every sentence begins as one")
sys.exit(1 if found else 0)

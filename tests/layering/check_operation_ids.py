#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds ids of operations in the session and the window.

An operation describes itself (operations/operation.h), and other layers name it by operations/known_operations.h.
In `ui` the table of tools alone holds ids. A string literal that equals an id, or "operation-" and an id, is refused,
except for the words of OTHER_MEANINGS. Literals in a call of findOperation() are always refused, and so are
comparisons with `.id` or `->id`. Exit status 1 and one line for each literal; `--self-test` checks the rules.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["app/session", "ui"]
TABLE = "ui/tools/tool_table.cpp"
# Words of a file that equal an id and mean another thing.
OTHER_MEANINGS = {
    "app/session/src/enum_names.h": {"smooth"},  # kind of a recipe in session files
    "app/session/src/live_preview_state.h": {"smooth"},  # slot of the job runner
    "app/session/src/live_spectrum.cpp": {"mask"},  # input of an operation, stage of the work
    "app/session/src/recipe.cpp": {"smooth"},  # key in session files
    "ui/panels/maps_panel.cpp": {"mask"},  # icon
    "ui/panels/spectrum_panel.cpp": {"mask", "remove"},  # name of a step, parameter
    "ui/panels/spectrum_panel_choices.cpp": {"mask", "remove"},  # key of the settings, parameter
    "ui/tools/mask_panel.cpp": {"mask"},  # name of a field
    "ui/window/main_window_start.cpp": {"sources"},  # kind of a sample sky
    "ui/window/start_page.cpp": {"grid", "sample", "sources"},  # icons
}

ID = re.compile(r'\.id\s*=\s*"([^"]+)"')
COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
BEFORE_LOOKUP = re.compile(r"findOperation\(\s*(?:\w+\()?\s*$")
BEFORE_COMPARISON = re.compile(r"\b(?:id|operation)\b\)?\s*[=!]=\s*(?:\w+\()?\s*$")
AFTER_COMPARISON = re.compile(r"^\)?\s*[=!]=\s*[\w.>()-]*\b(?:id|operation)\b")


def ids_of(texts):
    return {found for text in texts for found in ID.findall(text)}


def offences_in(text, ids, allowed):
    """(line number, literal) of each refused literal; and the allowed words that occur."""
    keep = lambda match: match.group(1) or "\n" * match.group().count("\n")
    text = COMMENT.sub(keep, text)
    offences, used = [], set()
    for match in LITERAL.finditer(text):
        word = match.group(1).removeprefix("operation-")
        if word not in ids:
            continue
        before, after = text[:match.start()][-120:], text[match.end():][:120]
        is_of_operation = (word != match.group(1) or BEFORE_LOOKUP.search(before) or BEFORE_COMPARISON.search(before)
                           or AFTER_COMPARISON.search(after))
        if word in allowed and not is_of_operation:
            used.add(word)
        else:
            offences.append((text.count("\n", 0, match.start()) + 1, match.group(1)))
    return offences, used


def self_test():
    ids = ids_of(['{.id = "mask",\n .title = "Mask"}', '.id = "grid"'])
    assert ids == {"mask", "grid"}, ids
    found = lambda text, allowed=frozenset(): [word for _, word in offences_in(text, ids, allowed)[0]]
    assert found('if (operation.id == "mask") {}') == ["mask"]
    assert found('if ("mask" == operation.id) {}', {"mask"}) == ["mask"]
    assert found('request.operation->id != QLatin1String("mask")', {"mask"}) == ["mask"]
    assert found('id != QLatin1String("mask")', {"mask"}) == ["mask"]
    assert found('findOperation("grid")', {"grid"}) == ["grid"]
    assert found('name == QLatin1String("operation-grid")', {"grid"}) == ["operation-grid"]
    assert found('icon("mask"); name("masks"); text("a \\"mask\\" b"); // "grid"\n', {"mask"}) == []
    assert found('icon("mask")') == ["mask"]
    assert offences_in('\n\nicon("mask")', ids, set())[0] == [(3, "mask")]
    assert offences_in('icon("mask")', ids, {"mask", "grid"})[1] == {"mask"}


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit(0)
    ids = ids_of(path.read_text() for path in (ROOT / "app/operations").rglob("*.cpp"))
    if not ids:
        sys.exit("app/operations: expected ids of operations, found none")
    count = 0
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in {".h", ".cpp"} or name == TABLE:
                continue
            allowed = OTHER_MEANINGS.get(name, set())
            offences, used = offences_in(path.read_text(), ids, allowed)
            for line, word in offences:
                print(f'{name}:{line}: expected no id of an operation, found "{word}": read the description of the '
                      f"operation, or name it by operations/known_operations.h")
            for word in sorted(allowed - used):
                print(f'{name}: expected "{word}" with another meaning than an id, found none: remove the exception')
            count += len(offences) + len(allowed - used)
    for name in OTHER_MEANINGS:
        if not (ROOT / name).exists():
            print(f"{name}: expected a file with exceptions, found none: remove the exceptions")
            count += 1
    sys.exit(1 if count else 0)

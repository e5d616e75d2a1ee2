#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that every file that names the version of the program names the one of CMakeLists.txt.

check_version.py [--program FILE --library FILE]: the pages of a release also name one date, the program prints the
version with what it was built with, and the shared library carries its first number. Exit status 1 and a line for each
file that disagrees; `--self-test` checks that a difference in any of them is found.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = "CMakeLists.txt"
METAINFO = "packaging/appstream/io.github.armilla.Armilla.metainfo.xml"
# file: patterns of its version and its date, one of each at least
VERSIONS = {
    SOURCE: r"project\(Armilla VERSION ([0-9.]+)",
    "CITATION.cff": r"^version: (\S+)$",
    "CHANGELOG.md": r"\A(?:.*\n)*?## (\d\S*)",
    METAINFO: r'\A(?:.*\n)*?.*<release version="([^"]+)"',
    "packaging/debian/changelog": r"\Aarmilla \(([^)]+)\)",
}
DATES = {
    "CITATION.cff": r'^date-released: "(\S+)"$',
    "CHANGELOG.md": r"\A(?:.*\n)*?## \S+ - (\d{4}-\d\d-\d\d)$",
    METAINFO: r'\A(?:.*\n)*?.*<release version="\S+ date="([^"]+)"',
}
BUILT_WITH = ("compiler", "CUDA", "MPI", "Parquet", "libraries")


def named(root, patterns):
    """The value that each file names, or None."""
    found = {}
    for name, pattern in patterns.items():
        match = re.search(pattern, (root / name).read_text(encoding="utf-8"), re.M)
        found[name] = match and match[1]
    return found


def differences(root):
    """Lines about files that disagree."""
    lines = []
    for kind, patterns, first in (("version", VERSIONS, SOURCE), ("date", DATES, "CITATION.cff")):
        found = named(root, patterns)
        lines += [f"{name}: expected {kind} {found[first]} of {first}, found {value}"
                  for name, value in found.items() if value is None or value != found[first]]
    # The build of the Python module reads the version of CMake.
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    pattern = re.search(r"^regex = '(.*)'$", project, re.M)
    source = (root / SOURCE).read_text(encoding="utf-8")
    value = pattern and re.search(pattern[1], source)
    if 'dynamic = ["version"]' not in project or not value or value["value"] != named(root, VERSIONS)[SOURCE]:
        lines.append(f"pyproject.toml: expected the version read from {SOURCE}, found another way")
    return lines


def differences_of_build(program, library):
    """Lines about a program and a library of another version."""
    version = named(ROOT, VERSIONS)[SOURCE]
    text = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    lines = []
    if text.splitlines()[0] != f"armilla {version}":
        lines.append(f"{program}: expected 'armilla {version}' first, found '{text.splitlines()[0]}'")
    lines += [f"{program}: expected a line '{word}' of --version, found none"
              for word in BUILT_WITH if not re.search(rf"^{word} +\S", text, re.M)]
    dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    name = f"libarmilla.so.{version.split('.')[0]}"
    if f"[{name}]" not in dynamic:
        lines.append(f"{library}: expected the name {name} inside, found none")
    return lines


def self_test():
    """A change of any one version or date is found, and found in that file alone."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        files = sorted({*VERSIONS, *DATES, "pyproject.toml"})
        for name in files:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
        assert differences(root) == [], differences(root)
        changes = [(name, named(root, VERSIONS)[name], "7.7.7") for name in VERSIONS if name != SOURCE]
        changes += [(name, named(root, DATES)[name], "1999-01-01") for name in DATES if name != "CITATION.cff"]
        changes += [("pyproject.toml", 'dynamic = ["version"]', 'version = "7.7.7"')]
        for name, old, new in changes:
            text = (root / name).read_text(encoding="utf-8")
            (root / name).write_text(text.replace(old, new, 1), encoding="utf-8")
            lines = differences(root)
            assert len(lines) == 1 and lines[0].startswith(name), (name, lines)
            (root / name).write_text(text, encoding="utf-8")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    lines = differences(ROOT)
    if len(sys.argv) == 5:
        lines += differences_of_build(sys.argv[2], sys.argv[4])
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())

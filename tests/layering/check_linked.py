#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks for OpenGL and Qt among the libraries that programs need.

`check_linked.py PROGRAM ... --modules MODULE ... --window WINDOW`: neither a PROGRAM nor any library that it needs may
need OpenGL or Qt. A MODULE itself may need Qt, but not OpenGL. WINDOW is the program that draws by OpenGL: both must be
found there, otherwise this check has missed them. Exit status 1 and one line for each offence.
"""
import argparse
import re
import subprocess
import sys

OPENGL = re.compile(r"lib(epoxy|GL|GLX|EGL|GLESv\d|OpenGL|GLdispatch)\.so")
QT = re.compile(r"libQt\d\w*\.so")


def all_needed(program):
    """Names of all libraries that the loader maps for a program."""
    text = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
    return re.findall(r"^\s+(\S+\.so\S*)", text, re.M)


def needed(module):
    """Names of the libraries that a file itself needs."""
    text = subprocess.run(["readelf", "-dW", module], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", text)


def offences(file, names, *refused):
    if not names:
        yield f"{file}: expected the libraries that it needs, found none"
    for name in names:
        if any(pattern.match(name) for pattern in refused):
            yield f"{file}: may not need {name}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--modules", nargs="+", required=True)
    parser.add_argument("--window", required=True)
    given = parser.parse_args()
    problems = []
    for program in given.programs:
        problems += offences(program, all_needed(program), OPENGL, QT)
    for module in given.modules:
        problems += offences(module, needed(module), OPENGL)
    for pattern in (OPENGL, QT):
        if not any(pattern.match(name) for name in all_needed(given.window)):
            problems.append(f"{given.window}: expected a library {pattern.pattern}, found none")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

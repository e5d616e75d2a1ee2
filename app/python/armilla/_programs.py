# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of the package: they replace this process by the program."""
import os
import sys

from ._figure import program


def command():
    """Run the command `armilla`."""
    path = program("armilla")
    os.execv(path, [path, *sys.argv[1:]])


def window():
    """Run the window `armilla-gui`."""
    path = program("armilla-gui")
    os.execv(path, [path, *sys.argv[1:]])

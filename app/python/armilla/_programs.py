# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of the package and the environment in which they run."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from . import _core
from ._errors import Unsupported

# The binding lies in the package that is built or installed; sources may be links to elsewhere.
_PACKAGE = pathlib.Path(_core.__file__).parent


def program(name):
    """The path of a program of the package: beside the module, else in PATH."""
    path = _PACKAGE / "bin" / name
    if path.is_file() and os.access(path, os.X_OK):
        return str(path)
    found = shutil.which(name)
    if found is None:
        raise Unsupported(f"expected the program {name}, a part of this package, found none beside the module or in PATH")
    return found


def _libraries_of_system():
    """The names of the shared libraries that the loader of this system finds."""
    try:
        listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return set()
    # Each line of a library of 64 bits: NAME (libc6,x86-64) => PATH.
    return set(re.findall(r"^\s*(\S+) \(libc6,\w", listed, flags=re.M))


def environment():
    """The environment of a program of the package.

    A wheel contains libraries of OpenGL, X11 and fonts, which the program uses only where the system has none, because
    the drivers of a system are made for its own libraries.
    """
    values = dict(os.environ)
    spare = _PACKAGE / "lib" / "spare"
    if spare.is_dir():
        present = _libraries_of_system()
        folders = [value for value in [values.get("LD_LIBRARY_PATH")] if value]
        folders += [str(folder) for folder in sorted(spare.iterdir()) if folder.name not in present]
        if folders:
            values["LD_LIBRARY_PATH"] = ":".join(folders)
        values.setdefault("FONTCONFIG_FILE", str(spare.parent / "fonts.conf"))
    return values


def _become(name):
    path = program(name)
    os.execve(path, [path, *sys.argv[1:]], environment())


def command():
    """Run the command `armilla`."""
    _become("armilla")


def window():
    """Run the window `armilla-gui`."""
    _become("armilla-gui")

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes armilla/__init__.pyi: type stubs of the functions that are made of the operations' descriptions.

make_stubs.py FOLDER, with the built package `armilla` in FOLDER.
"""
import pathlib
import sys

sys.path.insert(0, sys.argv[1])

import armilla  # noqa: E402
from armilla import _core, _operations  # noqa: E402

HEADER = '''# Made by make_stubs.py.
from os import PathLike
from typing import Any, Callable, Sequence, Union

import numpy as np

from . import healpy as healpy
from ._errors import (DeviceError as DeviceError, Error as Error, FileError as FileError,
                      InternalError as InternalError, InvalidArgument as InvalidArgument,
                      OutOfMemory as OutOfMemory, Unsupported as Unsupported)
from ._files import read as read, write as write
from ._figure import figure as figure, show as show
from ._settings import devices as devices, set_options as set_options
from ._sht import Sht as Sht
from ._values import Alm as Alm, Catalog as Catalog, Curve as Curve, Image as Image, Map as Map

__version__: str
_File = Union[str, PathLike[str]]
_Array = Union[np.ndarray, Sequence[Any]]
_Angle = Union[str, float, Any]
_Progress = Union[bool, Callable[[float, str], Any], None]
'''

INPUTS = {"map": "Union[_File, Map, Catalog, Image, _Array, dict[str, Any]]", "set of alm": "Union[_File, Alm, _Array]",
          "image": "Union[_File, Image, np.ndarray]", "curve": "Union[_File, Curve]"}
TYPES = {"angle": "_Angle", "number": "float", "integer": "int", "flag": "bool", "choice": "str", "frame": "str",
         "text": "str", "file": "_File"}
COMMON = {"nest": "bool", "device": "str | None", "threads": "int | None", "progress": "_Progress"}


def type_of(body, name):
    """The type of a parameter."""
    if name in body.inputs:
        slot = body.inputs[name]
        return INPUTS.get(slot["kind"], "Any") + ("" if not slot["is_optional"] else " | None")
    if name in body.parameters:
        row = body.parameters[name]
        return TYPES.get(row["kind"], "Any") + ("" if row["default"] is not None else " | None")
    if name in body.options:
        return "bool"
    return COMMON.get(name, "str | None" if name != "input_dl" else "bool | None")


def stub_of(entry):
    """The line of one function."""
    body = _operations._Function(entry)
    words, keywords = [], False
    for name, parameter in body.signature.parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            words.append("*")
            keywords = True
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        words.append(f"{name}: {type_of(body, name)}{default}")
    return f"def {_operations._python_name(entry['id'])}({', '.join(words)}) -> Any: ...\n"


def main():
    lines = [HEADER, *(stub_of(entry) for entry in _core.operations())]
    path = pathlib.Path(armilla._core.__file__).parent / "__init__.pyi"
    path.write_text("\n".join(lines))
    compile(path.read_text(), str(path), "exec")


main()

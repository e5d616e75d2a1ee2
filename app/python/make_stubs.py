#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes type stubs: armilla/__init__.pyi, of the functions that are made from the operations' descriptions, and
those of armilla/healpy. The other modules have annotations.

make_stubs.py FOLDER, with the built package `armilla` in FOLDER.
"""
import inspect
import pathlib
import sys

sys.path.insert(0, sys.argv[1])

import armilla  # noqa: E402
from armilla import _core, _operations  # noqa: E402

HEADER = '''# Made by make_stubs.py.
from typing import Any, Literal, overload

from . import healpy as healpy
from ._errors import (DeviceError as DeviceError, Error as Error, FileError as FileError,
                      InternalError as InternalError, InvalidArgument as InvalidArgument,
                      OutOfMemory as OutOfMemory, Unsupported as Unsupported)
from ._arrays import FiguredArray
from ._files import read as read, write as write
from ._figure import figure as figure, show as show
from ._operations import Figures
from ._settings import devices as devices, set_options as set_options
from ._sht import Sht as Sht
from ._types import Arrays, File, Progress
from ._curves import Alm as Alm, Curve as Curve
from ._values import Catalog as Catalog, Image as Image, Map as Map

__version__: str
'''

# Inputs whose bare arrays give bare arrays, and whose values give values of the library.
VALUES = {"map": "Map", "set of alm": "Alm"}
# Public modules in armilla.healpy.
MODULES = ("fitsfunc", "pixelfunc", "rotator", "sphtfunc")
RESULTS = {"map": "Map", "set of alm": "Alm", "image": "Image", "curve": "Curve", "spectrum": "Curve", "beam": "Curve",
           "kernel": "Curve", "catalog": "Catalog", "table": "Catalog"}
TYPES = {"angle": "Any", "number": "Any", "integer": "int", "flag": "bool", "choice": "str", "frame": "Any",
         "text": "Any", "file": "File"}
COMMON = {"nest": "bool", "frame": "Any", "field": "str | int | list[str] | None", "input_frame": "Any",
          "columns": "str | list[str] | None", "input_dl": "bool | None", "precision": "str | None",
          "device": "str | None", "threads": "int | None", "progress": "Progress"}


def type_of(body, name):
    """The type of a parameter."""
    if name in body.inputs:
        return "Any"
    if name in body.parameters:
        row = body.parameters[name]
        kind = TYPES.get(row["kind"], "Any")
        return kind if kind == "Any" or row["default"] is not None or row["required"] else kind + " | None"
    return "bool" if name in body.options else COMMON[name]


def stub_of(body, own, result):
    """A function: `own` are types in place of the usual ones, by the name of the parameter."""
    words, keywords = [], False
    for name, parameter in body.signature.parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            words.append("*")
            keywords = True
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        words.append(f"{name}: {own.get(name) or type_of(body, name)}{default}")
    return f"def {body.python_name(body.entry['id'])}({', '.join(words)}) -> {result}: ...\n"


def stubs_of(entry):
    """The overloads of one function, the precise ones first: without options that add outputs."""
    body = _operations._Function(entry)
    outputs = [slot for slot in entry["outputs"] if not slot["is_option"]]
    if len(outputs) > 1:
        return stub_of(body, {}, "Any")
    alone = {name: "Literal[False]" for name in body.options}
    first = next(iter(body.inputs), None)
    kind = body.inputs[first]["kind"] if first else None
    result = RESULTS[outputs[0]["kind"]] if outputs else "Figures"
    if result in ("Map", "Image", "Alm"):
        if kind is None:
            precise = [stub_of(body, alone, result)]
        else:
            # Files and tables give values of several kinds.
            needed = [name for name, slot in body.inputs.items() if not slot["is_optional"]]
            is_simple = kind in VALUES and needed == [first]
            precise = [stub_of(body, {**alone, first: VALUES[kind]}, result)] if is_simple else []
            # Arrays give a Map where the result may have a part of the pixels.
            if is_simple and result != "Image" and "sparse" not in body.parameters:
                precise.append(stub_of(body, {**alone, first: "Arrays"}, "FiguredArray"))
    else:
        precise = [stub_of(body, alone, result)]
    if not body.options and len(precise) == 1 and (first is None or result not in ("Map", "Image", "Alm")):
        return precise[0]
    general = stub_of(body, {}, "Any")
    return "\n".join("@overload\n" + each for each in [*precise, general]) if precise else general


def any_signature(function, is_method=False):
    """The parameters of a function, of type Any."""
    words, keywords = [], False
    for i, (name, parameter) in enumerate(inspect.signature(function).parameters.items()):
        if parameter.kind is parameter.KEYWORD_ONLY and not keywords:
            words.append("*")
            keywords = True
        if is_method and i == 0:
            words.append(name)
            continue
        star = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        keywords = keywords or star == "*"
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        words.append(f"{star}{name}: Any{default}")
    return ", ".join(words)


def class_stub(name, kind):
    """A class with methods of Any."""
    lines = [f"class {name}:"]
    for key, member in vars(kind).items():
        if key.startswith("_") and key not in ("__init__", "__call__", "__mul__", "__eq__"):
            continue
        if isinstance(member, staticmethod):
            lines += ["    @staticmethod", f"    def {key}({any_signature(member.__func__)}) -> Any: ..."]
        elif isinstance(member, property):
            lines += ["    @property", f"    def {key}(self) -> Any: ..."]
        elif inspect.isfunction(member):
            result = {"__init__": "None", "__eq__": "bool"}.get(key, "Any")
            text = any_signature(member, True)
            lines.append(f"    def {key}({'self, other: object, /' if key == '__eq__' else text}) -> {result}: ...")
    return "\n".join(lines) + "\n"


def module_stub(module, names):
    """The functions and classes of a module, with the parameters that they have."""
    lines = ["# Made by make_stubs.py.\nfrom typing import Any\n", f"__all__ = {module.__all__!r}\n"]
    for name in names:
        value = getattr(module, name)
        if inspect.isclass(value):
            lines.append(class_stub(name, value))
        elif inspect.ismodule(value):
            lines.append(f"from . import {name} as {name}\n")
        elif callable(value):
            lines.append(f"def {name}({any_signature(value)}) -> Any: ...\n")
        else:
            lines.append(f"{name}: {type(value).__name__}\n")
    return "\n".join(lines)


def write(path, text):
    path.write_text(text)
    compile(text, str(path), "exec")


def main():
    folder = pathlib.Path(armilla._core.__file__).parent
    write(folder / "__init__.pyi", "\n".join([HEADER, f"__all__ = {armilla.__all__!r}\n", *(stubs_of(entry) for entry in _core.operations())]))
    healpy = armilla.healpy
    write(folder / "healpy" / "__init__.pyi", module_stub(healpy, [*MODULES, *healpy.__all__]))
    for name in MODULES:
        module = getattr(healpy, name)
        own = [key for key, value in vars(module).items() if not key.startswith("_")
               and (isinstance(value, float) or getattr(value, "__module__", "").startswith(healpy.__name__))]
        write(folder / "healpy" / f"{name}.pyi", module_stub(module, own))


main()

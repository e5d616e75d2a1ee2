# SPDX-License-Identifier: GPL-3.0-or-later
"""Docstrings of the operations, from the descriptions of the library, in the words of Python."""
import re

from ._device_operations import DEVICE_DOCS

COMMON = {
    "nest": "bool\n    bare arrays of maps are in NESTED order; by default in RING order",
    "frame": "galactic (G), ecliptic (E) or equatorial (C)\n    frame of bare arrays and tables",
    "field": "str or int\n    fields of the input that count, by name or number from 1, between commas; the first by "
             "default",
    "input_frame": "G, E, C, FK4 or FK5\n    frame of inputs that name none; FK4 and FK5 only of files of catalogs and "
                   "images",
    "columns": "str or list of str\n    names of the columns of a file of spectra, in its order",
    "input_dl": "bool\n    True: the file of spectra holds D_l; False: C_l; by default as the file says",
    "precision": "single or double\n    of the result; by default that of the input",
    "device": "auto, cpu, cuda or cuda:N\n    see set_options",
    "threads": "int\n    processor threads; see set_options",
    "progress": "bool or function\n    True for a progress bar, or a function of (fraction, stage); see set_options",
}

_TYPES = {"angle": "angle: radians, a string with a unit, or a Quantity", "number": "number", "integer": "int",
          "flag": "bool", "text": "str", "file": "file name", "words": "str or list of str",
          "position": "position: a SkyCoord, (lon, lat) in radians, or a string",
          "frame": "galactic (G), ecliptic (E) or equatorial (C)",
          "angles": "list of angles: radians, strings with a unit, or Quantities", "numbers": "list of numbers",
          "size": "(width, height) in pixels", "bins": "(least, most, count), angles in radians, or a string"}

_INPUTS = {"map": "file, Map, or array of shape (pixels,) or (fields, pixels)",
           "set of alm": "file, Alm, or complex array of shape (n,) or (sets, n), in healpy's order",
           "spectrum": "file, Curve, or array of C_l of shape (lmax + 1,) or (spectra, lmax + 1): TT EE BB TE EB TB",
           "beam": "file, Curve, or array of B_l of shape (lmax + 1,) or (3, lmax + 1): T E B",
           "kernel": "file, Curve, or (angle in radians, profile)",
           "image": "file, Image, HDU, or array of shape (height, width) or (planes, height, width)",
           "curve": "file or Curve"}
_TABLE = "file, Catalog, dict of columns, Table or DataFrame"

_OUTPUTS = {"map": "Map; of bare arrays on the whole sky an array of shape (pixels,) or (fields, pixels)",
            "set of alm": "Alm; of bare arrays a complex128 array of shape (n,) or (sets, n)",
            "image": "Image", "curve": "Curve", "spectrum": "Curve", "beam": "Curve", "kernel": "Curve"}

_ENDING = """\
Raises
------
InvalidArgument
    an argument out of its range, or inputs that do not fit each other
FileError
    a file that cannot be read
Unsupported
    a request that this build, the device or the operation cannot serve
OutOfMemory, DeviceError
    memory is short, on the host or on the device, or the device fails

Several outputs are a named tuple; `.figures` holds what the command prints with --json. Arrays that are not \
contiguous, or in the other byte order, are copied first. Pixels that are NaN, infinite, UNSEEN or masked are bad.

The command `armilla {id}` is the same operation: `armilla {id} --help`, and its page in the manual, give methods, \
accuracy and sources."""


def _in_python(text, function):
    """A text of the command in the words of Python: `--pixel-window` is pixel_window, MAP is map."""
    names = set(function.signature.parameters)

    def option(match):
        name = function.python_name(match[1])
        return name if name in names else match[0]

    text = re.sub(r"--([a-z][a-z0-9-]*)", option, text)
    for name, slot in function.inputs.items():
        # MOC and ALM are words of the field, too.
        if slot["name"].isupper() and slot["name"] not in ("MOC", "ALM"):
            text = re.sub(rf"\b{re.escape(slot['name'])}\b", name, text)
    return text


def _range_text(row):
    parts = []
    unit = "rad" if row["kind"] in ("angle", "angles") else row["unit"].replace("none", "")
    unit = f" {unit}" if unit else ""
    if row["least"] is not None:
        parts.append(f"{'above' if row['above_least'] else 'at least'} {row['least']:g}{unit}")
    if row["most"] is not None:
        parts.append(f"{'below' if row['below_most'] else 'at most'} {row['most']:g}{unit}")
    return ", ".join(parts)


def _parameter_doc(name, row):
    kind = " | ".join(row["choices"]) if row["choices"] else _TYPES[row["kind"]]
    if name == "bins" and row["kind"] == "text":
        kind = "str, or (least, most, count) with angles in radians"
    if row["kind"] == "number" and row["unit"] not in ("", "none"):
        kind += f" in {row['unit']}"
    limits = _range_text(row)
    default = row["standard"] or (repr(row["default"]) if row["default"] not in (None, False) else "")
    more = "; ".join(part for part in (limits, f"default: {default}" if default else "",
                                       "required" if row["required"] else "") if part)
    return f"{name} : {kind}\n    {row['help']}{f' ({more})' if more else ''}"


def _slot_doc(name, slot):
    accepted = _INPUTS.get(slot["kind"], _TABLE)
    if slot["takes_number"]:
        accepted += ", or a number"
    if slot["or_alm"]:
        accepted += ", or an Alm or complex array"
    if slot["or_catalog"]:
        accepted += ", or a Catalog, Table or DataFrame"
    if slot["literals"]:
        accepted += ", or " + slot["literals"]
    if slot["is_named"]:
        accepted = "a dict of files, values, arrays and numbers by name, or texts NAME=FILE"
    elif slot["is_repeatable"]:
        accepted += "; or a list of them"
    return f"{name} : {accepted}\n    {slot['help']}"


def _result_doc(name, slot):
    # The help of an output of the command may begin with the file that it names.
    text = re.sub(r"^output file (of|with) ", "", slot["help"])
    return f"{name} : {_OUTPUTS.get(slot['kind'], 'Catalog')}\n    {text}"


def docstring(function):
    """The docstring of an operation, in the style of numpy."""
    entry = function.entry
    lines = [entry["help"][:1].upper() + entry["help"][1:] + ".", ""]
    if entry["manual"]:
        lines += [str(entry["manual"]), ""]
    lines += ["Parameters", "----------"]
    lines += [_slot_doc(name, slot) for name, slot in function.inputs.items()]
    lines += [_parameter_doc(name, row) for name, row in function.parameters.items()]
    lines += [f"{name} : bool\n    return {function.result_name(slot)}, too" for name, slot in function.options.items()]
    lines += [f"{name} : {COMMON[name]}" for name in function.common]
    lines += ["", "Returns", "-------"]
    lines += [_result_doc(function.result_name(slot), slot) for slot in entry["outputs"]]
    if entry["id"] in DEVICE_DOCS:
        lines += ["", DEVICE_DOCS[entry["id"]]]
    return _in_python("\n".join(lines), function) + "\n\n" + _ENDING.format(id=entry["id"])

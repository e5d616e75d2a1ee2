# SPDX-License-Identifier: GPL-3.0-or-later
"""Armilla: maps of the whole sky on HEALPix, catalogs, images and curves.

Each operation of the command `armilla` is a function here: `smooth`, `map2alm`, `sources`, `correlate`, ...
They take files, values (Map, Catalog, Image, Curve, Alm) or bare numpy arrays. `armilla.healpy` has the names,
signatures and return values of healpy.
"""
from . import _core
from ._errors import DeviceError, Error, FileError, InternalError, InvalidArgument, OutOfMemory, Unsupported
from ._files import read, write
from ._figure import figure, show
from ._operations import make_functions as _make_functions
from ._settings import devices, set_options
from ._sht import Sht
from ._values import Alm, Catalog, Curve, Image, Map

__version__ = _core.version
_functions = _make_functions()
globals().update(_functions)

__all__ = ["Alm", "Catalog", "Curve", "DeviceError", "Error", "FileError", "Image", "InternalError",
           "InvalidArgument", "Map", "OutOfMemory", "Sht", "Unsupported", "devices", "figure", "read",
           "set_options", "show", "write", *_functions]


def __getattr__(name):
    if name == "healpy":
        import importlib
        return importlib.import_module("armilla.healpy")
    raise AttributeError(f"module 'armilla' has no attribute '{name}'")


def __dir__():
    return sorted([*__all__, "healpy"])

# SPDX-License-Identifier: GPL-3.0-or-later
"""Files to values and back."""
import os

from . import _core, _settings
from ._values import Map, _Value, wrap


def read(path, *, field=None, threads=None, progress=None):
    """Read a file: a Map, Catalog, Image, Curve or Alm, by its content.

    path : the name of a file of any format that the program reads, optionally with an HDU, as "file.fits[2]".
    field : names or numbers from 1 of the columns of a map to read, between commas; all by default.
    threads, progress : see `set_options`.

    Raises FileError for a file that cannot be read, and OutOfMemory for one that does not fit.
    """
    name = os.fspath(path)
    value = _core.read(name, "" if field is None else str(field), _settings.checked_threads(threads),
                       _settings.progress_function(progress))
    return wrap(value)


def write(value, path, *, overwrite=False, precision=None, threads=None, progress=None):
    """Write a value to a file, by the suffix of its name; FITS by default.

    value : a Map, Catalog, Image, Curve, Alm, or an array of the pixels of a full map in RING order.
    overwrite : replace a file that exists; else it is an error.
    precision : "single" or "double"; by default maps keep theirs, and all else is double.
    threads, progress : see `set_options`.

    The file appears under its name only when it is complete. Raises FileError if it exists or cannot be written,
    and InvalidArgument for a value that has no place in the format.
    """
    if not isinstance(value, _Value):
        value = Map(value)
    _core.write(value._core_value(), os.fspath(path), bool(overwrite), precision or "",
                [f"armilla {_core.version}"] + list(getattr(value, "history", []) if value._value is None else []),
                _settings.checked_threads(threads), _settings.progress_function(progress))



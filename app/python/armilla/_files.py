# SPDX-License-Identifier: GPL-3.0-or-later
"""Files to values and back."""
import os

import numpy as np

from . import _core, _settings
from ._tables import has_columns
from ._values import Alm, Catalog, Map, _Value, wrap


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


def _value_of(given):
    if has_columns(given):
        return Catalog(given)
    first = given[0] if isinstance(given, (list, tuple)) and len(given) else given
    return Alm(given) if not isinstance(given, dict) and np.iscomplexobj(first) else Map(given)


def write(value, path, *, overwrite=False, precision=None, threads=None, progress=None):
    """Write a value to a file, by the suffix of its name; FITS by default.

    value : a Map, Catalog, Image, Curve, Alm; a table (of astropy, pandas or a structured array), which is written
        as a Catalog; complex arrays, as an Alm; other arrays are full maps in RING order.
    overwrite : replace a file that exists; else it is an error.
    precision : "single" or "double"; by default maps keep theirs, and all else is double.
    threads, progress : see `set_options`.

    The file appears under its name only when it is complete. Raises FileError if it exists or cannot be written,
    and InvalidArgument for a value that has no place in the format.
    """
    if not isinstance(value, _Value):
        value = _value_of(value)
    _core.write(value._core_value(), os.fspath(path), bool(overwrite), precision or "",
                [f"armilla {_core.version}"] + list(getattr(value, "history", []) if value._value is None else []),
                _settings.checked_threads(threads), _settings.progress_function(progress))



# SPDX-License-Identifier: GPL-3.0-or-later
"""Files to values and back."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _settings
from ._arrays import field_text, path_text, word
from ._tables import has_columns
from ._values import Alm, Catalog, Map, _Value, wrap

if TYPE_CHECKING:
    from ._types import File, Progress


def read(path: File, *, field: str | int | None = None, threads: int | None = None, progress: Progress = None) -> Any:
    """Read a file: a Map, Catalog, Image, Curve or Alm, by its content.

    path : the name of a file of any format that the program reads, optionally with an HDU, as "file.fits[2]".
    field : names or numbers from 1 of the columns of a map to read, between commas; all by default.
    threads, progress : see `set_options`.

    Raises FileError for a file that cannot be read, and OutOfMemory for one that does not fit.
    """
    value = _core.read(path_text(path), field_text(field), _settings.checked_threads(threads),
                       _settings.progress_function(progress))
    return wrap(value)


def _value_of(given):
    if has_columns(given):
        return Catalog(given)
    first = given[0] if isinstance(given, (list, tuple)) and len(given) else given
    return Alm(given) if not isinstance(given, dict) and np.iscomplexobj(first) else Map(given)


def write(value: Any, path: File, *, overwrite: bool = False, precision: str | None = None,
          threads: int | None = None, progress: Progress = None) -> None:
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
    _core.write(value._core_value(), path_text(path), bool(overwrite), word(precision, "precision"),
                [f"armilla {_core.version}"] + list(getattr(value, "history", []) if value._value is None else []),
                _settings.checked_threads(threads), _settings.progress_function(progress))



# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays as callers give them, made ready for the library."""
from __future__ import annotations

import copy
import os
from typing import Any

import numpy as np

from . import _device
from ._errors import InvalidArgument
from ._tables import has_columns, unit_of

UNSEEN = -1.6375e30  # the value of bad pixels in HEALPix files


def samples(array):
    """A contiguous array of float32 or float64 in native byte order with NaN at masked entries.

    The array itself where it is one already; else a copy. Integers and booleans become float64.
    """
    _device.refuse(array, "this call")
    values, mask = _unmasked(array)
    if values.dtype.kind == "f" and values.dtype.itemsize == 4:
        kind = np.float32
    elif values.dtype.kind in "fiub":
        kind = np.float64
    else:
        raise InvalidArgument(f"expected an array of real numbers, found one of {values.dtype}")
    values = np.ascontiguousarray(values, dtype=kind)
    if mask is not None and mask.any():
        if np.shares_memory(values, array):
            values = values.copy()
        values[mask] = np.nan
    return values


def doubles_in(unit, array, name):
    """The values of an array as float64 in a unit, with NaN at masked entries.

    An array without a unit is in that unit; where `unit` is empty, values keep theirs.
    """
    return converted(samples(array).astype(np.float64, copy=False), unit_of(array), unit, name)


def converted(values, found, unit, name):
    """Values of one unit in another, in their float type; themselves where either is empty.

    Kelvins without a scale become those of a scale, as in K to uK_CMB: the call states it.
    """
    if not unit or not found or found == unit:
        return values
    from astropy.units import Unit
    scale = next((word for word in ("_CMB", "_RJ") if unit.endswith(word) and not found.endswith(word)), "")
    try:
        before, after = Unit(found), Unit("" if unit == "dimensionless" else unit.removesuffix(scale))
        return values if before == after else before.to(after, values).astype(values.dtype, copy=False)
    except (ValueError, TypeError):
        raise InvalidArgument(f"{name}: expected values in a unit that converts to {unit}, found {found}") from None


def _unmasked(array):
    """The values of an array, and the mask of masked arrays of numpy and astropy; else None."""
    if isinstance(array, np.ma.MaskedArray):
        return np.asarray(array.data), np.ma.getmaskarray(array)
    if isinstance(array, np.ndarray) and hasattr(array, "unmasked"):
        return np.asarray(array.unmasked), np.broadcast_to(array.mask, array.shape)
    return np.asarray(array), None


def shown(value):
    """A value in an error message: one line of at most 80 characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:77] + "..."


def whole(value, name=""):
    """An integer of a number, for a C++ int. Raises InvalidArgument, with the name if there is one, for others."""
    try:
        if isinstance(value, (str, bytes)) or int(value) != value or not -2**31 <= int(value) < 2**31:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{name + ': ' if name else ''}expected an integer, found {shown(value)}") from None
    return int(value)


def number(value, name):
    """A float of a number. Raises InvalidArgument for another value."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{name}: expected a number, found {shown(value)}") from None


def word(value, name):
    """A text, empty for None. Raises InvalidArgument for another value."""
    if value is not None and not isinstance(value, str):
        raise InvalidArgument(f"{name}: expected a text, found {shown(value)}")
    return str(value or "")


def flag(value, name):
    """A boolean. Raises InvalidArgument for a value that is neither True nor False."""
    if not isinstance(value, (bool, np.bool_)) and not (isinstance(value, int) and value in (0, 1)):
        raise InvalidArgument(f"{name}: expected True or False, found {shown(value)}")
    return bool(value)


def members(value, name, kind=dict):
    """A dict (or a list) of parts that a caller may have replaced. Raises InvalidArgument for another value."""
    if not isinstance(value, kind):
        what = "a dict of parts by name" if kind is dict else "a list of arrays"
        raise InvalidArgument(f"{name}: expected {what}, found {shown(value)}")
    return value


def field_text(field):
    """Names or numbers of fields between commas. Raises InvalidArgument for others than texts and integers."""
    several = field if isinstance(field, (list, tuple)) else [] if field is None else [field]
    return ",".join(each if isinstance(each, str) else str(whole(each, "field")) for each in several)


def coefficients(array):
    """A contiguous array of complex128. Raises InvalidArgument for others than numbers."""
    try:
        return np.ascontiguousarray(array, dtype=np.complex128)
    except (TypeError, ValueError):
        raise InvalidArgument(f"expected an array of complex numbers, found {shown(array)}") from None


def path_text(path, name="path"):
    """The name of a file as text. Raises InvalidArgument for a value that is none."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise InvalidArgument(f"{name}: expected the name of a file, found {shown(path)}") from None


def pixel_numbers(pixels):
    """Numbers of pixels as int64. Raises InvalidArgument for others than integers."""
    try:
        given = np.asarray(pixels)
    except ValueError:  # rows of different lengths
        raise InvalidArgument(f"pixels: expected integers, found {shown(pixels)}") from None
    if given.dtype.kind in "iu":
        is_whole = given <= np.iinfo(np.int64).max
    elif given.dtype.kind == "f":
        is_whole = (np.abs(given) < 2.0**63) & (given == np.trunc(given))
    else:
        raise InvalidArgument(f"pixels: expected integers, found an array of {given.dtype}")
    if not is_whole.all():
        raise InvalidArgument(f"pixels: expected integers below 2^63, found {given[~is_whole].flat[0]}")
    return np.ascontiguousarray(given, dtype=np.int64)


def _is_one_array(value):
    """Whether a value is an array of numpy or of another library, and no table."""
    return isinstance(value, np.ndarray) or (hasattr(value, "__array__") and not has_columns(value))


def is_array(value):
    """Whether a value is a bare array, or a list of arrays or numbers."""
    if not isinstance(value, (list, tuple)):
        return _is_one_array(value) and not np.isscalar(value)
    return (len(value) > 0 and all(_is_one_array(each) or np.isscalar(each) for each in value)
            and not any(isinstance(each, str) for each in value))


def rows(array):
    """The rows of a 2-D array or of a list of arrays; a single row of a 1-D array."""
    _device.refuse(array, "this call")
    if isinstance(array, (list, tuple)) and len(array) and np.ndim(array[0]) > 0:
        return list(array)
    try:
        made = array if isinstance(array, np.ndarray) else np.asarray(array)
    except (TypeError, ValueError):  # rows of different lengths, or a value that is no array
        raise InvalidArgument(f"expected an array of numbers, found a {type(array).__name__} that is none") from None
    if made.ndim == 1:
        return [made]
    if made.ndim == 2:
        return list(made)
    found = str(made.ndim) if isinstance(array, np.ndarray) or made.ndim else f"a value of type {type(array).__name__}"
    raise InvalidArgument(f"expected an array of one or two dimensions, found {found}")


def nside_of(count):
    """nside of a full map of so many pixels. Raises InvalidArgument for a number that no map has."""
    nside = round((count / 12) ** 0.5)
    if count < 12 or 12 * nside * nside != count:
        raise InvalidArgument(f"expected the 12 nside^2 pixels of a full map, found {count} values")
    return nside


class FiguredArray(np.ndarray):
    """An array that an operation returned; `figures` holds what the command prints with --json."""

    figures: dict[str, Any] | None = None

    def __array_finalize__(self, other):
        self.figures = None

    def __reduce__(self):
        make, arguments, state = super().__reduce__()
        return make, arguments, (state, self.figures)

    def __setstate__(self, state):
        super().__setstate__(state[0])
        self.figures = state[1]

    def __copy__(self):
        made = super().__copy__()
        made.figures = self.figures
        return made

    def __deepcopy__(self, memo):
        made = super().__deepcopy__(memo)
        made.figures = copy.deepcopy(self.figures, memo)
        return made

# SPDX-License-Identifier: GPL-3.0-or-later
"""Columns of the tables of other libraries: dicts, astropy Tables, pandas DataFrames, structured arrays."""
import numpy as np

from . import _device
from ._errors import InvalidArgument


def is_places(data):
    """Whether a value is a SkyCoord; tables and their columns may have a member `icrs` too."""
    return hasattr(data, "icrs") and not hasattr(data, "items")


def has_columns(data):
    """Whether a value is a Table, a DataFrame or a structured array."""
    return (hasattr(type(data), "colnames") or hasattr(type(data), "to_records")
            or getattr(getattr(data, "dtype", None), "names", None) is not None)


def columns_of(data):
    """Names and columns. Raises InvalidArgument for a value without columns."""
    if isinstance(data, np.ndarray) and data.dtype.names:
        return [(name, data[name]) for name in data.dtype.names]
    if hasattr(type(data), "colnames"):
        return [(name, data[name]) for name in data.colnames]
    if is_places(data):
        return [("position", data)]
    if hasattr(data, "items"):
        return [(str(name), column) for name, column in data.items()]
    raise InvalidArgument(f"expected a dict, a Table, a DataFrame, a structured array or a SkyCoord, found {type(data).__name__}")


def unit_of(column):
    """The unit of a column or a Quantity; empty without one."""
    unit = getattr(column, "unit", None)
    return "" if unit is None else str(unit)


def pixels_of(column):
    """A column as the values of pixels, of which a row of a FITS file may hold 1024."""
    column = column.to_numpy() if hasattr(column, "to_numpy") else column
    return column.reshape(-1) if getattr(column, "ndim", 1) == 2 else column


def with_positions(columns):
    """The columns; those of SkyCoord as RA and DEC in degrees."""
    names = {str(name).upper() for name, _ in columns}
    for name, column in columns:
        if not is_places(column):
            yield name, column
        elif names & {"RA", "DEC"}:
            raise InvalidArgument(f"{name}: expected one column of SkyCoord and none of RA and DEC, found others")
        else:
            names |= {"RA", "DEC"}
            yield "RA", column.icrs.ra
            yield "DEC", column.icrs.dec


def column_values(column):
    """A column as an array in native byte order, masked where the column is. Dates become text."""
    if isinstance(column, np.ma.MaskedArray):
        return np.ma.MaskedArray(column.data.astype(column.dtype.newbyteorder("=")), column.mask)
    if isinstance(column, np.ndarray) and hasattr(column, "unmasked"):  # astropy's Masked
        values = np.asarray(column.unmasked)
        return np.ma.MaskedArray(values.astype(values.dtype.newbyteorder("=")), np.asarray(column.mask))
    _device.refuse(column, "Catalog")
    values = np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else getattr(column, "value", column))
    if values.dtype.kind == "M":
        values = np.datetime_as_string(values)
    return values.astype(values.dtype.newbyteorder("="), copy=False)

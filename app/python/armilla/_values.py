# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of the library: Map, Catalog, Image, Curve and Alm."""
from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import converted, members, nside_of, pixel_numbers, rows, samples, shown, whole, word
from ._curves import Alm, Curve
from ._errors import InvalidArgument
from ._frames import FRAMES, frame_letter
from ._tables import column_values, columns_of, has_columns, pixels_of, unit_of, with_positions
from ._value import _ByColumn, _Value

if TYPE_CHECKING:
    from ._types import NDArray


def is_nest(ordering):
    """True for "nested" or "nest", False for "ring"."""
    word = str(ordering).lower()
    if word not in ("ring", "nested", "nest"):
        raise InvalidArgument(f"ordering: expected ring or nested, found {shown(ordering)}")
    return word != "ring"


def is_moc(data):
    """Whether a value is a coverage map of mocpy."""
    return hasattr(data, "to_depth29_ranges") and hasattr(data, "max_order")


def _moc_value(moc):
    ranges = moc.to_depth29_ranges
    ranges = np.asarray(ranges() if callable(ranges) else ranges)
    return _core.make_moc(np.ascontiguousarray(ranges, dtype=np.int64).ravel(), int(moc.max_order))


class Map(_Value):
    """A HEALPix map: one or more fields on one set of pixels.

    data : an array of 12 nside^2 values, an array of shape (fields, pixels), a list of arrays, or arrays by name
        (a dict, an astropy Table, a pandas DataFrame or a structured array, as of a FITS file). Arrays of
        float32 and float64 that are contiguous and in native byte order are kept without a copy. Others are
        copied: integers, booleans and other floats to float64. An operation copies the fields that it takes,
        once, but stats and map2alm read a full map in RING order without bad pixels where it is. With iterations,
        a tolerance, pixel weights or a CUDA device map2alm copies its first field less the mean. Values must not
        change during a call. Several arrays without names are all taken, or refused where one is expected.
    nside : needed with `pixels`, else that of the number of values.
    ordering : "ring" or "nested".
    frame : "galactic", "ecliptic", "equatorial", or None for an unknown one.
    unit : of all fields, or a list with one for each; by default those of astropy Quantities and columns, which are
        converted to a given unit.
    pixels : numbers of the pixels of a partial map, in any order; None for a full one.

    NaN, infinities, UNSEEN (-1.6375e30) and masked entries are bad pixels. Results have NaN there.
    A coverage map of mocpy (MOC) as `data` becomes a map of its cells, and takes no other argument.
    """

    _kind = "map"
    _editable = ("fields", "units")

    fields: dict[str, NDArray]
    units: dict[str, str]
    nside: int
    history: list[str]

    def __init__(self, data: Any, nside: int | None = None, ordering: str = "ring", frame: Any = None, unit: Any = None,
                 pixels: Any = None) -> None:
        if is_moc(data):
            if any(each is not None for each in (nside, frame, unit, pixels)) or ordering != "ring":
                raise InvalidArgument("expected a MOC alone, found another argument beside it")
            self._set(_moc_value(data))
            return
        if isinstance(data, dict) or has_columns(data):
            columns = columns_of(data)
            names, arrays = [str(name) for name, _ in columns], [pixels_of(column) for _, column in columns]
            found_units = [unit_of(column) for _, column in columns]
        else:
            arrays = rows(data)
            found_units = [unit_of(array) or unit_of(data) for array in arrays]
            names = ["TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"] if len(arrays) == 3 else \
                ["SIGNAL"] if len(arrays) == 1 else [f"FIELD{i + 1}" for i in range(len(arrays))]
        if not arrays:
            raise InvalidArgument("expected a field at least, found none")
        arrays = [samples(array) for array in arrays]
        count = arrays[0].size
        for name, array in zip(names, arrays):
            if array.ndim != 1 or array.size != count:
                raise InvalidArgument(f"{name}: expected {count} values as the first field has, found "
                                      f"an array of shape {array.shape}")
        if unit is None:
            units = found_units
        else:
            several = unit if isinstance(unit, (list, tuple)) else [unit] * len(arrays)
            units = ["" if each is None else str(each) for each in several]
        if len(units) != len(arrays):
            raise InvalidArgument(f"unit: expected {len(arrays)} units, found {len(units)}")
        arrays = [converted(*each) for each in zip(arrays, found_units, units, names)]
        units = [own or found for own, found in zip(units, found_units)]
        self._nest = is_nest(ordering)
        if pixels is None:
            found = nside_of(count)
            if nside is not None and whole(nside, "nside") != found:
                raise InvalidArgument(f"nside: expected {found} for {count} values, found {nside}")
            self.nside = found
        else:
            if nside is None:
                raise InvalidArgument("expected nside with pixels, found none")
            self.nside = whole(nside, "nside")
            pixels = pixel_numbers(pixels)
            if pixels.shape != (count,):
                raise InvalidArgument(f"pixels: expected {count} numbers, one for each value, found {pixels.shape}")
            order = np.argsort(pixels, kind="stable")
            if not np.array_equal(order, np.arange(count)):
                pixels, arrays = pixels[order], [array[order] for array in arrays]
        self._pixels, self._orders = pixels, None
        self._letter = frame_letter(frame)
        self.fields = dict(zip(names, arrays))
        self.units = dict(zip(names, units))
        self.history = []
        self._value = None

    @classmethod
    def _wrap(cls, value):
        self = cls.__new__(cls)
        self._set(value)
        return self

    def _set(self, value):
        parts = value.parts()
        self._value = value
        self._nest, self._letter = parts["nest"], parts["frame"]
        self._pixels, self._orders = parts["pixels"], parts["orders"]
        self.nside, self.history = parts["nside"], parts["history"]
        self.fields, self.units, self._types = {}, {}, {}
        for name, unit, values, kind in parts["fields"]:
            name = name if name not in self.fields else f"{name}_{len(self.fields) + 1}"
            self.fields[name], self.units[name], self._types[name] = values, unit, (values, kind)
        self._remember()

    def _made(self):
        return self._made_by(_core.make_map)

    def _input_value(self):
        return self._made_by(_core.ArrayMap) if self._value is None else self._core_value()

    def _edit(self, parts):
        def type_of(name, values):
            """The type in files of a field that is as it was read; None takes that of the values."""
            before, kind = self._types.get(name, (None, None))
            return kind if values is before else None

        parts["fields"] = [(*field, type_of(name, self.fields[name])) for name, field in self._named_fields()]

    def _named_fields(self):
        fields, units = members(self.fields, "fields"), members(self.units, "units")
        count = 12 * self.nside**2 if self._pixels is None else len(self._pixels)
        named = [(name, (str(name), str(units.get(name) or ""), samples(values))) for name, values in fields.items()]
        if not named:
            raise InvalidArgument("fields: expected a field at least, found none")
        for name, (_, _, values) in named:
            if values.shape != (count,):
                found = f"found {values.size}" if values.ndim == 1 else f"found an array of shape {values.shape}"
                raise InvalidArgument(f"{name}: expected {count} values, one for each pixel, {found}")
        return named

    def _made_by(self, make):
        fields = [field for _, field in self._named_fields()]
        return make(self.nside, self._nest, self._letter, fields, self._pixels)

    @property
    def ordering(self) -> str:
        """"ring" or "nested"."""
        return "nested" if self._nest else "ring"

    @property
    def frame(self) -> str | None:
        """"galactic", "ecliptic", "equatorial", or None."""
        return FRAMES[self._letter]

    @property
    def pixels(self) -> range | NDArray:
        """Numbers of the pixels that have values: an array, or a range for a full map."""
        return range(12 * self.nside**2) if self._pixels is None else self._pixels

    @property
    def cell_orders(self) -> NDArray | None:
        """Orders of the cells of a multi-order map; None for others."""
        return self._orders

    @property
    def values(self) -> NDArray:
        """The values of the only field, or an array of shape (fields, pixels)."""
        arrays = list(self.fields.values())
        return arrays[0] if len(arrays) == 1 else np.stack(arrays)

    def __getitem__(self, name: str | int) -> NDArray:
        if isinstance(name, (int, np.integer)):
            return list(self.fields.values())[name]
        if isinstance(name, str):
            return self.fields[name]
        raise TypeError(f"expected the name or the number of a field, found {shown(name)}; `values` has the pixels")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __repr__(self):
        kind = "" if self._pixels is None else f", {len(self._pixels)} pixels"
        return (f"<armilla.Map nside {self.nside}, {self.ordering}, {self.frame or 'unknown frame'}{kind}: "
                f"{', '.join(self.fields)}>")


class Catalog(_ByColumn):
    """A table of rows; columns of positions are found by their UCDs or names.

    data : a dict of columns, an astropy Table, a pandas DataFrame, or a structured array. Arrays are copied. A
        column of SkyCoord becomes the columns RA and DEC; dates become text.
    frame : of the positions, where the names of the columns do not say it.
    lon, lat : names of the columns of positions, if they have no usual names.
    units : units of columns by name, to which those of an astropy Table are converted; else these are taken over.
    """

    _kind = "catalog"
    _editable = ("units",)

    units: dict[str, str]
    name: str
    history: list[str]

    def __init__(self, data: Any, frame: Any = None, lon: str | None = None, lat: str | None = None,
                 units: dict[str, Any] | None = None, name: str = "") -> None:
        self.units = {}
        self._columns: dict[str, Any] = {}
        self._letter, self.name, self.history = frame_letter(frame), name, []
        self._position = (word(lon, "lon"), word(lat, "lat")) if lon is not None and lat is not None else None
        if units is not None and not hasattr(units, "items"):
            raise InvalidArgument(f"units: expected a dict of units by column, found {shown(units)}")
        self._value = self._places = None
        for key, column in with_positions(columns_of(data)):
            self.units[key] = unit_of(column)
            self._columns[key] = column_values(column)
            given = str((units or {}).get(key) or "")
            if given and self.units[key] and self._columns[key].dtype.kind in "fiu":
                values = self._columns[key]
                values = values if values.dtype.kind == "f" else values.astype(np.float64)
                self._columns[key] = converted(values, self.units[key], given, key)
            if self._columns[key].ndim == 0:
                raise InvalidArgument(f"{key}: expected a column of values, found one value")
            if len(self._columns[key]) != len(self):
                raise InvalidArgument(f"{key}: expected {len(self)} values as the first column has, found "
                                      f"{len(self._columns[key])}")
        self.units.update({str(key): str(unit or "") for key, unit in (units or {}).items()})
        self._ucds: dict[str, str] = {}
        if self._letter or self._position:
            self._found()  # refuses a frame that the columns contradict, and unknown columns

    @classmethod
    def _wrap(cls, value):
        parts = value.parts()
        self = cls.__new__(cls)
        self._value = value
        self._letter, self.name, self.history = parts["frame"], parts["name"], parts["history"]
        self.units, self._columns, self._ucds = {}, {}, {}
        self._places = None
        names = []
        for column in parts["columns"]:
            values = column["values"]
            if isinstance(values, list):
                values = np.array(values, dtype=object).reshape(-1, column["width"])
                values = values[:, 0] if column["width"] == 1 else values
                values.flags.writeable = False  # a copy: a change would not reach the library's value
            elif column["null"] is not None:
                values = np.ma.masked_equal(values, column["null"])
                values.flags.writeable = False
            names.append(column["name"])
            self._columns[column["name"]] = values
            self.units[column["name"]] = column["unit"]
            self._ucds[column["name"]] = column["ucd"]
        place = parts["position"]
        self._position = (names[place[0]], names[place[1]]) if place else None
        self._remember()
        return self

    def _edit(self, parts):
        units = members(self.units, "units")
        for column in parts["columns"]:
            column["unit"] = str(units.get(column["name"]) or "")

    def _made(self, rows=slice(None)):
        """A value for the library, of some rows."""
        columns, units = [], members(self.units, "units")
        for name, values in self._columns.items():
            values, null = values[rows], None
            if isinstance(values, np.ma.MaskedArray):
                if values.dtype.kind in "iu":
                    null = int(np.iinfo(np.int64).min)
                    values = values.astype(np.int64).filled(null)
                elif values.dtype.kind in "OUS":
                    values = values.filled("")
                else:
                    values = values.astype(np.float64).filled(np.nan)
            width = values.shape[1] if values.ndim == 2 else 1
            if values.dtype.kind in "OUS":
                values = [v.decode() if isinstance(v, bytes) else str(v) for v in values.ravel()]
            elif values.dtype.kind in "iub":
                values = np.ascontiguousarray(values, dtype=np.int64)
            elif values.dtype.kind == "f":
                values = samples(values)
            else:
                raise InvalidArgument(f"{name}: expected a column of numbers or text, found one of {values.dtype}")
            columns.append({"name": name, "unit": str(units.get(name) or ""), "ucd": self._ucds.get(name, ""),
                            "description": "", "width": width, "null": null, "values": values})
        return _core.make_table(columns, self._letter, self.name, self._position)

    def _found(self):
        """The letter of the frame, and the names of the columns of positions, as an operation finds them."""
        if self._value is not None:
            return self._letter, self._position
        if self._places is None:
            parts = self._made(slice(0, 1)).parts()
            names, place = [column["name"] for column in parts["columns"]], parts["position"]
            self._places = parts["frame"], (names[place[0]], names[place[1]]) if place else None
        return self._places

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    @property
    def frame(self) -> str | None:
        """Frame of the positions: "galactic", "ecliptic", "equatorial", or None."""
        return FRAMES[self._found()[0]]

    @property
    def position_columns(self) -> tuple[str, str] | None:
        """Names of the columns of longitude and latitude, or None."""
        return self._found()[1]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def _by_name(self):
        return self._columns

    def to_astropy(self) -> Any:
        """An astropy Table with the units of the columns."""
        from astropy.table import Table
        from astropy.units import Unit
        table = Table()
        for name, values in self._columns.items():
            unit = Unit(self.units[name], parse_strict="silent") if self.units.get(name) else None
            text = values.astype(str) if values.dtype.kind == "O" else values
            table[name] = text
            table[name].unit = unit
        return table

    def to_pandas(self) -> Any:
        """A pandas DataFrame of the columns of one value a row."""
        import pandas
        return pandas.DataFrame({name: values for name, values in self._columns.items() if values.ndim == 1})

    def __repr__(self):
        return f"<armilla.Catalog {len(self)} rows, {self.frame or 'unknown frame'}: {', '.join(self._columns)}>"


class Image(_Value):
    """A FITS image or cube on the sky.

    data : an array of shape (height, width) or (planes, height, width), bottom row first as in FITS; also an image HDU
        or a CCDData of astropy, with its own header or WCS.
    header : an astropy Header, a WCS (its `to_header`), or a list of cards with the places of the pixels.
    unit : of the values; by default that of an astropy Quantity, which is converted to a given unit, else BUNIT.
    """

    _kind = "image"
    _editable = ("data", "unit")

    data: NDArray
    unit: str
    planes: list[tuple[str, float]]
    history: list[str]

    def __init__(self, data: Any, header: Any = None, unit: Any = None, frame: Any = None) -> None:
        if header is None:
            header = getattr(data, "wcs", None) or getattr(data, "header", None)
        if hasattr(data, "header") and getattr(data, "data", None) is not None and not hasattr(data, "unit"):
            data = data.data
        # A CCDData hides samples by its mask, which its array does not have.
        mask = None if isinstance(data, np.ndarray) else getattr(data, "mask", None)
        self.data = samples(data if mask is None else np.ma.masked_array(data.data, mask))
        if self.data.ndim not in (2, 3):
            raise InvalidArgument(f"expected an array of two or three dimensions, found {self.data.ndim}")
        if header is not None and hasattr(header, "to_header"):
            header = header.to_header()
        cards = [] if header is None else getattr(header, "cards", header)
        if not isinstance(cards, Iterable):
            raise InvalidArgument(f"header: expected a Header, a WCS or a list of cards, found {shown(header)}")
        cards = [str(card).ljust(80) for card in cards]
        self._wcs = [card for card in cards if not card.startswith(("END", "SIMPLE", "BITPIX", "NAXIS"))]
        self._cards: list[str] = []
        found = unit_of(data)
        self.data = converted(self.data, found, str(unit or ""), "unit")
        stated = header.get("BUNIT", "") if hasattr(header, "get") else ""
        self.unit = str(unit) if unit is not None else found or stated
        self._letter = frame_letter(frame) or _frame_of_cards(self._wcs)
        self.planes = [("", 0.0)] * (self.data.shape[0] if self.data.ndim == 3 else 1)
        self.history, self._value = [], None

    @classmethod
    def _wrap(cls, value):
        parts = value.parts()
        self = cls.__new__(cls)
        self._value = value
        self.planes = parts["planes"]
        self.data = parts["data"][0] if len(self.planes) == 1 else parts["data"]
        self._wcs, self._cards = parts["wcs_cards"], parts["cards"]
        self.unit, self._letter, self.history = parts["unit"], parts["frame"], parts["history"]
        self._remember()
        return self

    def _cube(self):
        data = samples(self.data)
        if data.ndim not in (2, 3):
            raise InvalidArgument(f"data: expected an array of two or three dimensions, found {data.ndim}")
        return data if data.ndim == 3 else data[None]

    def _edit(self, parts):
        parts["data"], parts["unit"] = self._cube(), str(self.unit or "")

    def _made(self):
        cube = self._cube()
        return _core.make_image(cube, list(cube.shape), self.planes, self.unit, self._letter, self._wcs, self._cards)

    @property
    def frame(self) -> str | None:
        """"galactic", "ecliptic", "equatorial", or None."""
        return FRAMES[self._letter]

    @property
    def header(self) -> Any:
        """The header as an astropy Header, which WCS takes."""
        from astropy.io import fits
        header = fits.Header.fromstring("".join(c.ljust(80) for c in self._wcs + self._cards))
        for axis, length in enumerate(reversed(self.data.shape), 1):
            header[f"NAXIS{axis}"] = length
        if self.unit:
            header["BUNIT"] = self.unit
        return header

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        return np.array(self.data, dtype=dtype) if copy else np.asarray(self.data, dtype=dtype)

    def __repr__(self):
        shape = " x ".join(str(n) for n in reversed(self.data.shape))
        return f"<armilla.Image {shape}, {self.frame or 'unknown frame'}, unit '{self.unit}'>"


def _frame_of_cards(cards):
    for card in cards:
        if card.startswith("CTYPE1"):
            for word, letter in (("GLON", "G"), ("ELON", "E"), ("RA--", "C"), ("GLAT", "G"), ("DEC-", "C")):
                if word in card:
                    return letter
    return ""


_CLASSES = {"map": Map, "catalog": Catalog, "table": Catalog, "image": Image, "curve": Curve, "spectra": Curve,
            "beam": Curve, "kernel": Curve, "alm": Alm}


def wrap(value):
    """The Python value of a value of the library."""
    made = _CLASSES[value.kind]._wrap(value)
    made.summary = value.summary
    return made

# SPDX-License-Identifier: GPL-3.0-or-later
"""Values over multipoles, angles and other abscissas: Curve and Alm."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import coefficients, converted, doubles_in, members, rows, samples, shown, whole, word
from ._errors import InvalidArgument
from ._frames import FRAMES, frame_letter
from ._tables import unit_of
from ._value import _ByColumn, _Value

if TYPE_CHECKING:
    from ._types import Coefficients, NDArray


def _doubles(values):
    return None if values is None else samples(values).astype(np.float64, copy=False)


class Curve(_ByColumn):
    """Columns of y over x: spectra, beams, correlations, profiles, histograms, kernels.

    x : ascending values, or None for 0, 1, 2, ... (multipoles).
    y : an array, or a dict of arrays by name.
    errors : standard deviations, likewise. Quantities are converted to the unit of y.
    x_unit, unit : of x and of all y; by default those of astropy Quantities, which are converted to a given unit.
        Numbers without a unit are in it. Masked entries become NaN.
    kind : plain, spectrum, correlation, profile, histogram, beam or kernel.
    """

    _kind = "curve"
    _editable = ("x", "x_low", "x_high", "x_name", "x_unit", "kind", "name", "covariance", "columns", "errors", "units")

    columns: dict[str, NDArray]
    errors: dict[str, NDArray]
    units: dict[str, str]
    x: NDArray
    x_low: NDArray | None
    x_high: NDArray | None
    covariance: NDArray | None
    kind: str
    name: str
    x_name: str
    x_unit: str
    history: list[str]

    def __init__(self, x: Any = None, y: Any = None, errors: Any = None, kind: str = "plain", x_name: str = "X",
                 x_unit: Any = "", unit: Any = "") -> None:
        if y is None:
            raise InvalidArgument("expected y, found none")
        columns = y if isinstance(y, dict) else {"Y": y}
        if not columns:
            raise InvalidArgument("y: expected a column at least, found none")
        errors = errors if isinstance(errors, dict) else {} if errors is None else {next(iter(columns)): errors}
        self.units = {str(name): str(unit or unit_of(values)) for name, values in columns.items()}
        self.columns = {str(name): doubles_in(str(unit), values, name) for name, values in columns.items()}
        self.errors = {str(name): doubles_in(self.units.get(str(name), ""), values, f"errors of {name}")
                       for name, values in errors.items()}
        count = len(next(iter(self.columns.values())))
        self.x = np.arange(count, dtype=np.float64) if x is None else doubles_in(str(x_unit), x, x_name)
        for name, values in [(x_name, self.x), *self.columns.items(), *self.errors.items()]:
            if values.shape != (count,):
                raise InvalidArgument(f"{name}: expected {count} values as the first column of y has, found an array "
                                      f"of shape {values.shape}")
        self.x_low = self.x_high = self.covariance = None
        self.kind, self.name = kind, ""
        self.x_name = "L" if x is None else x_name
        self.x_unit = str(x_unit or unit_of(x))
        self.history, self._value = [], None

    @classmethod
    def _wrap(cls, value):
        parts = value.parts()
        self = cls.__new__(cls)
        self._value = value
        for key in ("kind", "name", "x_name", "x_unit", "x", "x_low", "x_high", "covariance", "history"):
            setattr(self, key, parts[key])
        self.columns, self.errors, self.units = {}, {}, {}
        for name, unit, values, errors in parts["series"]:
            self.columns[name], self.units[name] = values, unit
            if errors is not None:
                self.errors[name] = errors
        self._remember()
        return self

    def _made(self):
        parts = {"history": []}
        self._edit(parts)
        return _core.make_value("curve", parts)

    def _edit(self, parts):
        columns, units, errors = (members(getattr(self, each), each) for each in ("columns", "units", "errors"))
        if not columns:
            raise InvalidArgument("columns: expected a column at least, found none")
        for name in errors:
            if name not in columns:
                raise InvalidArgument(f"errors: expected one of {', '.join(map(str, columns))}, found {shown(name)}")
        for key in ("x", "x_low", "x_high", "covariance"):
            parts[key] = _doubles(getattr(self, key))
        for key in ("name", "x_name", "x_unit"):
            parts[key] = str(getattr(self, key))
        parts["kind"] = word(self.kind, "kind")
        parts["series"] = [(str(name), str(units.get(name) or ""), _doubles(values), _doubles(errors.get(name)))
                           for name, values in columns.items()]

    @property
    def y(self) -> NDArray:
        """The first column."""
        return next(iter(self.columns.values()))

    def _by_name(self):
        return self.columns

    def __len__(self) -> int:
        return len(self.x)

    @property
    def values(self) -> NDArray:
        """The only column, or an array of shape (columns, values)."""
        arrays = list(self.columns.values())
        return arrays[0] if len(arrays) == 1 else np.stack(arrays)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def __repr__(self):
        return f"<armilla.Curve {self.kind}, {len(self)} values of {self.x_name}: {', '.join(self.columns)}>"


class Alm(_Value):
    """Spherical harmonic coefficients a_lm, m >= 0, in healpy's order: all l of m = 0, then m = 1, ...

    data : a complex array, an array of shape (3, n), or a list of three arrays (T, E, B); two arrays are the gradient
        and curl coefficients of a spin field.
    mmax : largest m; None takes lmax.
    unit : of the coefficients; by default that of astropy Quantities, which are converted to a given unit.
    spin : spin of the field of two arrays, 1 to 3; None if it is unknown.
    """

    _kind = "alm"
    _editable = ("arrays", "unit", "spin")

    arrays: list[Coefficients]
    lmax: int
    mmax: int
    unit: str
    spin: int

    def __init__(self, data: Any, mmax: int | None = None, frame: Any = None, unit: Any = None,
                 spin: int | None = None) -> None:
        self.arrays = [coefficients(array) for array in rows(data)]
        if not self.arrays:
            raise InvalidArgument("expected an array at least, found none")
        self.lmax, self.mmax = alm_shape(self.arrays[0].size, mmax)
        self._letter, self.unit = frame_letter(frame), str(unit or "")
        found = [unit_of(each) for each in (data if isinstance(data, (list, tuple)) else [data])]
        self.unit = self.unit or next((each for each in found if each), "")
        found = found if len(found) == len(self.arrays) else found * len(self.arrays)
        self.arrays = [converted(array, own, self.unit, "unit") for array, own in zip(self.arrays, found)]
        self.spin = _spin_of(spin)
        if self.spin and len(self.arrays) != 2:
            raise InvalidArgument(f"expected two arrays of spin {self.spin}, found {len(self.arrays)}")
        self._value = None

    @classmethod
    def _wrap(cls, value):
        parts = value.parts()
        self = cls.__new__(cls)
        self._value = value
        self.spin = parts["spin"]
        self.arrays = [array for _, _, array in parts["alm"]]
        self.lmax, self.mmax = parts["alm"][0][:2]
        self._letter, self.unit = parts["frame"], parts["unit"]
        self._remember()
        return self

    def _made(self):
        arrays = self._present()
        return _core.make_alm(arrays, self.lmax, self.mmax, self._letter, str(self.unit or ""),
                              _spin_of(self.spin))

    def _present(self):
        """The arrays as they are now."""
        arrays = [coefficients(array) for array in members(self.arrays, "arrays", (list, tuple))]
        count = (self.mmax + 1) * (2 * self.lmax + 2 - self.mmax) // 2
        if not arrays:
            raise InvalidArgument("arrays: expected an array at least, found none")
        for array in arrays:
            if array.shape != (count,):
                found = f"found {array.size}" if array.ndim == 1 else f"found an array of shape {array.shape}"
                raise InvalidArgument(f"arrays: expected {count} coefficients of lmax {self.lmax}, {found}")
        return arrays

    def _edit(self, parts):
        parts["alm"] = [(self.lmax, self.mmax, array) for array in self._present()]
        parts["unit"], parts["spin"] = str(self.unit or ""), _spin_of(self.spin)

    @property
    def frame(self) -> str | None:
        """"galactic", "ecliptic", "equatorial", or None."""
        return FRAMES[self._letter]

    @property
    def values(self) -> Coefficients:
        """The only array of coefficients, or an array of shape (3, n), or (2, n) of a spin field."""
        return self.arrays[0] if len(self.arrays) == 1 else np.stack(self.arrays)

    def __getitem__(self, index: int) -> Coefficients:
        return self.arrays[index]

    def __len__(self) -> int:
        return len(self.arrays)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)

    def _repr_png_(self):
        return None  # coefficients have no figure

    def __repr__(self):
        return f"<armilla.Alm lmax {self.lmax}, mmax {self.mmax}, {len(self.arrays)} of them>"


def _spin_of(spin):
    """The spin of two arrays; 0 for None. Raises InvalidArgument for others than integers from 0 to 3."""
    number = 0 if spin is None else whole(spin, "spin")
    if not 0 <= number <= 3:
        raise InvalidArgument(f"spin: expected an integer from 1 to 3, found {shown(spin)}")
    return number


def alm_shape(count, mmax=None):
    """lmax and mmax of so many coefficients. Raises InvalidArgument for a number that fits none."""
    if mmax is None:
        lmax = round((-3 + (1 + 8 * count) ** 0.5) / 2)
        if lmax < 0 or (lmax + 1) * (lmax + 2) // 2 != count:
            raise InvalidArgument(f"expected (lmax + 1) (lmax + 2) / 2 coefficients, found {count}; mmax states another shape")
        return lmax, lmax
    mmax = whole(mmax, "mmax")
    lmax = (2 * count + mmax * mmax - mmax - 2) / (2 * mmax + 2) if mmax >= 0 else -1
    if lmax < max(mmax, 0) or lmax != int(lmax):
        raise InvalidArgument(f"expected coefficients for mmax {mmax}, found {count}")
    return int(lmax), int(mmax)

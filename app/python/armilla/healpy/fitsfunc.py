# SPDX-License-Identifier: GPL-3.0-or-later
"""FITS files with the names, arguments and results of healpy.fitsfunc, by astropy, whose HDUs they take, too.

`armilla.read` and `armilla.write` are the program's own readers and writers and need no astropy.
"""
import contextlib
import os
import pathlib

import numpy as np

from ._alm import Alm
from ._arrays import UNSEEN, is_seq, is_seq_of_seq, ma_to_array, maptype
from .pixelfunc import get_nside, isnpixok, nest2ring, npix2nside, nside2npix, ring2nest

__all__ = ["Alm", "UNSEEN", "getformat", "read_alm", "read_cl", "read_map", "write_alm", "write_cl", "write_map"]

_MAP_COLUMNS = {
    1: ["TEMPERATURE"], 2: ["Q_POLARISATION", "U_POLARISATION"],
    3: ["TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"],
    6: ["II", "IQ", "IU", "QQ", "QU", "UU"]}
_CL_COLUMNS = ["TEMPERATURE", "GRADIENT", "CURL", "G-T", "C-T", "C-G"]
_FORMATS = {"bool": "L", "uint8": "B", "int8": "B", "int16": "I", "int32": "J", "int64": "K", "float32": "E",
            "float64": "D", "complex64": "C", "complex128": "M"}
# Values in a row of a map as the IDL routines of HEALPix write it.
_ROW = 1024
_COORDINATES = {"G", "E", "C"}


def getformat(t):
    """The letter of a FITS column for a type, a value, or a list of values."""
    if isinstance(t, (list, tuple)) and t:
        return f"A{max(len(each) for each in t)}" if isinstance(t[0], str) else getformat(t[0])
    if isinstance(t, str):
        return _FORMATS.get(t) or (f"A{len(t)}" if t else "A")
    if t is str:
        return "A"
    try:
        kind = np.dtype(t if isinstance(t, (type, np.dtype)) else type(t))
    except TypeError:
        return None
    return _FORMATS.get(kind.name)


@contextlib.contextmanager
def _opened(file, memmap=False):
    """The HDUs of a name, or of an HDU or a list of HDUs."""
    from astropy.io import fits
    if isinstance(file, (str, os.PathLike)):
        with fits.open(os.fspath(file), memmap=memmap) as hdus:
            yield hdus
    elif isinstance(file, (fits.HDUList, list)):
        yield file
    elif hasattr(file, "header"):
        yield [fits.PrimaryHDU(), file]
    else:
        raise TypeError("expected the name of a file, an HDU or a list of HDUs")


def _save(hdus, filename, overwrite):
    from astropy.io import fits
    path = pathlib.Path(os.fspath(filename))
    fits.HDUList([fits.PrimaryHDU(), *hdus]).writeto(path, overwrite=overwrite, checksum=False)


# Maps.

def _types_of(dtype, maps):
    if dtype is None:
        return [np.asarray(m).dtype for m in maps]
    kinds = list(dtype) if isinstance(dtype, (list, tuple)) else [dtype] * len(maps)
    if len(kinds) != len(maps):
        raise ValueError("expected a dtype, or one for each map")
    return [np.dtype(kind) for kind in kinds]


def _named(names, defaults, count, noun):
    """Names of columns, one for each."""
    if names is None:
        names = defaults.get(count) or [f"{noun}{i + 1}" for i in range(count)]
    names = [names] if isinstance(names, str) else list(names)
    if len(names) != count:
        raise ValueError(f"expected {count} column_names, found {len(names)}")
    return names


def _units(units, count):
    if units is None:
        return [None] * count
    if isinstance(units, str):
        return [units] * count
    if not is_seq(units):
        raise ValueError("column_units must be a string or a list of strings")
    units = list(units)
    if len(units) != count:
        raise ValueError(f"expected {count} column_units, found {len(units)}")
    if not all(each is None or isinstance(each, str) for each in units):
        raise ValueError("column_units must be strings or None")
    return units


def _column(name, values, kind, unit=None, wide=1):
    from astropy.io import fits
    values = np.asarray(values).astype(kind.newbyteorder("="), copy=False)
    form = getformat(kind)
    if wide > 1:
        values = values.reshape(-1, wide)
        form = f"{wide}{form}"
    return fits.Column(name=name, format=form, array=values, unit=unit)


def write_map(filename, m, nest=False, dtype=None, fits_IDL=True, coord=None, partial=False, column_names=None,
              column_units=None, extra_header=(), overwrite=False):
    """Write a map, or several; partial: only pixels that are not UNSEEN, with their numbers."""
    from astropy.io import fits
    plain = ma_to_array(m)
    maps = [plain] if maptype(plain) == 0 else list(plain)
    nside = get_nside(plain)
    kinds = _types_of(dtype, maps)
    names = _named(column_names, _MAP_COLUMNS, len(maps), "column")
    units = _units(column_units, len(maps))
    columns, wide = [], 1
    if partial:
        good = ~np.isclose(np.asarray(maps[0], dtype=np.float64), UNSEEN, rtol=1e-5)
        pixels = np.flatnonzero(good)
        columns.append(_column("PIXEL", pixels, np.dtype(np.int32 if nside2npix(nside) < 2**31 else np.int64)))
        maps = [np.asarray(each)[pixels] for each in maps]
    elif fits_IDL and len(maps[0]) % _ROW == 0:
        wide = _ROW
    columns += [_column(name, each, kind, unit, wide) for name, each, kind, unit in zip(names, maps, kinds, units)]
    hdu = fits.BinTableHDU.from_columns(columns)
    header = hdu.header
    header["PIXTYPE"] = ("HEALPIX", "HEALPIX pixelisation")
    header["ORDERING"] = ("NESTED" if nest else "RING", "Pixel ordering scheme, either RING or NESTED")
    if coord:
        header["COORDSYS"] = (coord, "Ecliptic, Galactic or Celestial (equatorial)")
    header["EXTNAME"] = ("xtension", "name of this binary table extension")
    header["NSIDE"] = (nside, "Resolution parameter of HEALPIX")
    if not partial:
        header["FIRSTPIX"], header["LASTPIX"] = 0, nside2npix(nside) - 1
    header["INDXSCHM"] = ("EXPLICIT" if partial else "IMPLICIT", "Indexing: IMPLICIT or EXPLICIT")
    header["OBJECT"] = ("PARTIAL" if partial else "FULLSKY", "Sky coverage, either FULLSKY or PARTIAL")
    for card in extra_header:
        header[card[0]] = tuple(card[1:])
    _save([hdu], filename, overwrite)


def _selected(hdu, field):
    names = hdu.columns.names
    if field is None:
        explicit = str(hdu.header.get("INDXSCHM", "")).strip() == "EXPLICIT"
        return list(range(1 if explicit else 0, len(names)))
    fields = list(field) if is_seq(field) else [field]
    first = 1 if str(hdu.header.get("INDXSCHM", "")).strip() == "EXPLICIT" else 0
    return [each + first if isinstance(each, (int, np.integer)) else names.index(each) for each in fields]


def _values_of(hdu, index, kind):
    values = hdu.data.field(index).ravel()
    kind = values.dtype.newbyteorder("=") if kind is None else np.dtype(kind)
    return values.astype(kind)


def read_map(filename, field=0, dtype=None, nest=False, partial=False, hdu=1, h=False, verbose=True, memmap=False):
    """Read fields of a map: a number, a name, several, or None for all. nest None keeps the order of the file;
    h also returns the header as a list of (keyword, value)."""
    with _opened(filename, memmap) as hdus:
        table = hdus[hdu]
        header = table.header
        indices = _selected(table, field)
        kinds = list(dtype) if isinstance(dtype, (list, tuple)) else [dtype] * len(indices)
        maps = [_values_of(table, index, kind) for index, kind in zip(indices, kinds)]
        explicit = str(header.get("INDXSCHM", "")).strip() == "EXPLICIT" or \
            str(header.get("OBJECT", "")).strip() == "PARTIAL"
        if explicit:
            nside = header["NSIDE"]
            pixels = table.data.field(0).ravel().astype(np.int64)
            maps = [_full(values, pixels, nside) for values in maps] if not partial else maps
        else:
            nside = header.get("NSIDE") or npix2nside(maps[0].size)
        if str(header.get("POLCCONV", "")).strip() == "IAU":
            for values, index in zip(maps, indices):
                if table.columns.names[index].upper().startswith("U"):
                    values[~np.isclose(values, UNSEEN)] *= -1
        is_nested = str(header.get("ORDERING", "UNDEF")).strip().startswith("NEST")
        if nest is not None and not partial and bool(nest) != is_nested:
            order = ring2nest(nside, np.arange(nside2npix(nside))) if is_nested else \
                nest2ring(nside, np.arange(nside2npix(nside)))
            maps = [values[order] for values in maps]
        cards = list(header.items())
    if not partial and not isnpixok(maps[0].size):
        raise ValueError(f"expected the 12 nside^2 pixels of a full map, found {maps[0].size}")
    several = field is None and len(maps) > 1 or is_seq(field) and not isinstance(field, str)
    same = len({values.dtype for values in maps}) == 1
    result = (np.array(maps) if same else maps) if several else maps[0]
    return (result, cards) if h else result


def _full(values, pixels, nside):
    kind = values.dtype if values.dtype.kind in "fc" else np.float64
    full = np.full(nside2npix(nside), UNSEEN, dtype=kind)
    full[pixels] = values
    return full


# Spectra.

def write_cl(filename, cl, dtype=None, overwrite=False, column_names=None, column_units=None, extra_header=()):
    """Write a power spectrum, or several."""
    from astropy.io import fits
    several = is_seq_of_seq(cl) if not isinstance(cl, np.ndarray) else cl.ndim == 2
    spectra = [np.asarray(each) for each in (cl if several else [cl])]
    count = len(spectra)
    defaults = {n: _CL_COLUMNS[:n] for n in range(1, 7)}
    names = _named(column_names, defaults, count, "CL")
    kind = np.dtype(np.float64 if dtype is None else dtype)
    hdu = fits.BinTableHDU.from_columns([_column(name, each, kind, unit) for name, each, unit in
                                         zip(names, spectra, _units(column_units, count))])
    hdu.header["CREATOR"] = "armilla"
    for card in extra_header:
        hdu.header[card[0]] = tuple(card[1:])
    _save([hdu], filename, overwrite)


def read_cl(filename):
    """Read a power spectrum, or all of several."""
    with _opened(filename) as hdus:
        data = hdus[1].data
        cls = [np.asarray(data.field(i)).astype(data.field(i).dtype.newbyteorder("="))
               for i in range(len(hdus[1].columns))]
    cls = [each.ravel() for each in cls]
    return cls[0] if len(cls) == 1 else np.array(cls)


# Coefficients.

def write_alm(filename, alms, out_dtype=None, lmax=-1, mmax=-1, mmax_in=-1, overwrite=False):
    """Write coefficients, or several, up to lmax and mmax; mmax_in is that of the arrays."""
    from astropy.io import fits
    arrays = [np.asarray(each) for each in (alms if is_seq_of_seq(alms) or np.ndim(alms) == 2 else [alms])]
    size = max(each.size for each in arrays)
    lmax_in = Alm.getlmax(size, mmax_in)
    if lmax_in < 0:
        raise ValueError("expected (lmax + 1) (lmax + 2) / 2 coefficients, or mmax_in")
    lmax = lmax_in if lmax < 0 else min(lmax, lmax_in)
    mmax = lmax_in if mmax < 0 and mmax_in < 0 else mmax_in if mmax < 0 else mmax
    mmax = min(mmax, lmax) if mmax_in < 0 else min(mmax, lmax, mmax_in)
    l, m = Alm.getlm(lmax)
    l, m = l[m <= mmax], m[m <= mmax]
    indices = Alm.getidx(lmax_in, l, m)
    hdus = []
    for each in arrays:
        kind = np.dtype(out_dtype) if out_dtype is not None else each.real.dtype
        hdu = fits.BinTableHDU.from_columns([
            _column("index", l * l + l + m + 1, np.dtype(np.int64 if lmax > 46339 else np.int32)),
            _column("real", each.real[indices], kind), _column("imag", each.imag[indices], kind)])
        hdu.header["MAX-LPOL"], hdu.header["MAX-MPOL"] = lmax, mmax
        hdus.append(hdu)
    _save(hdus, filename, overwrite)


def read_alm(filename, hdu=1, return_mmax=False):
    """Read coefficients of an HDU, or of several; with return_mmax also their mmax."""
    numbers = list(hdu) if is_seq(hdu) else [hdu]
    alms, last = [], None
    with _opened(filename) as hdus:
        for number in numbers:
            data = hdus[number].data
            index, real, imaginary = (np.asarray(data.field(i)) for i in range(3))
            l = np.floor(np.sqrt(index.astype(np.int64) - 1)).astype(np.int64)
            m = index.astype(np.int64) - l * l - l - 1
            if (m < 0).any():
                raise ValueError("Negative m values encountered!")
            lmax, mmax = int(l.max()), int(m.max())
            kind = np.result_type(real.dtype.newbyteorder("="), np.complex64)
            alm = np.zeros(Alm.getsize(lmax, mmax), dtype=kind)
            at = Alm.getidx(lmax, l, m)
            alm.real[at], alm.imag[at] = real, imaginary
            alms.append(alm)
            last = mmax
    result = alms[0] if len(numbers) == 1 and not is_seq(hdu) else np.array(alms)
    return (result, last) if return_mmax else result

# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of coefficients, as healpy numbers them."""
import numpy as np

from .. import _core


class Alm:
    """Numbers of coefficients: all l of m = 0, then of m = 1, ..."""

    @staticmethod
    def getsize(lmax, mmax=None):
        """Number of coefficients."""
        mmax = lmax if mmax is None or mmax < 0 or mmax > lmax else mmax
        return mmax * (2 * lmax + 1 - mmax) // 2 + lmax + 1

    @staticmethod
    def getlmax(s, mmax=None):
        """lmax of a number of coefficients; -1 for a number that fits none."""
        if mmax is not None and mmax >= 0:
            lmax = (2 * s + mmax * mmax - mmax - 2) / (2 * mmax + 2)
        else:
            lmax = (-3 + np.sqrt(1 + 8 * s)) / 2
        return int(lmax) if lmax == np.floor(lmax) else -1

    @staticmethod
    def getidx(lmax, l, m):
        """Index of (l, m)."""
        return m * (2 * lmax + 1 - m) // 2 + l

    @staticmethod
    def getlm(lmax, i=None):
        """l and m of indices, all by default."""
        size = Alm.getsize(lmax)
        if i is None:
            i = np.arange(size)
        assert np.all(np.asarray(i) < size), "expected indices below the number of coefficients"
        starts = Alm.getidx(lmax, np.arange(lmax + 1), np.arange(lmax + 1))
        m = np.searchsorted(starts, i, side="right") - 1
        m = m.astype(np.int64) if isinstance(m, np.ndarray) else int(m)
        return i - m * (2 * lmax + 1 - m) // 2, m


def limits(size, lmax=None, mmax=None):
    """lmax and mmax of so many coefficients; None and numbers below 0 stand for the largest.

    Raises TypeError for a size that fits none, as healpy.
    """
    if lmax is None or lmax < 0:
        lmax = Alm.getlmax(size, mmax)
    if lmax < 0:
        raise TypeError("Wrong alm size for the given mmax")
    return lmax, mmax_of(lmax, mmax)


def mmax_of(lmax, mmax):
    """mmax; lmax for None and numbers below 0."""
    return lmax if mmax is None or mmax < 0 else int(mmax)


def almxfl(alm, fl, mmax=None, inplace=False):
    """Coefficients times a function of l; zero beyond its end."""
    values = np.asarray(alm)
    lmax, mmax = limits(values.size, mmax=mmax)
    fl = np.asarray(fl)
    window = np.zeros(lmax + 1, dtype=np.result_type(fl.dtype, np.float64))
    window[:min(len(fl), lmax + 1)] = fl[:lmax + 1]
    target = alm if inplace and isinstance(alm, np.ndarray) and alm.dtype.kind == "c" else \
        np.array(values, dtype=np.complex128)
    for m in range(mmax + 1):
        first = Alm.getidx(lmax, m, m)
        target[first:first + lmax + 1 - m] *= window[m:]
    return target


def resize_alm(alm, lmax, mmax, lmax_out, mmax_out):
    """Coefficients, or a list of them, in arrays of other limits; new ones are zero."""
    if not isinstance(alm, np.ndarray) or alm.ndim == 2:
        return [resize_alm(each, lmax, mmax, lmax_out, mmax_out) for each in alm]
    result = np.zeros(Alm.getsize(lmax_out, mmax_out), dtype=alm.dtype)
    last = min(lmax, lmax_out)
    for m in range(min(mmax, mmax_out, last) + 1):
        at, to = Alm.getidx(lmax, m, m), Alm.getidx(lmax_out, m, m)
        result[to:to + last + 1 - m] = alm[at:at + last + 1 - m]
    return result


def _contiguous(alm):
    return np.ascontiguousarray(alm, dtype=np.complex128)


def alm2cl(alms1, alms2=None, lmax=None, mmax=None, lmax_out=None, nspec=None):
    """Power spectra: one of one alm; of n the n (n + 1) / 2, by diagonals: TT EE BB TE EB TB."""
    several = not (isinstance(alms1, np.ndarray) and alms1.ndim == 1) and np.ndim(alms1[0]) > 0
    first = [_contiguous(each) for each in (alms1 if several else [alms1])]
    second = first if alms2 is None else [_contiguous(each) for each in (alms2 if several else [alms2])]
    if len(first) != len(second):
        raise ValueError("expected as many alms2 as alms1")
    lmax, mmax = limits(first[0].size, lmax, mmax)
    last = lmax if lmax_out is None or lmax_out < 0 else min(lmax_out, lmax)
    pairs = [(m, m + offset) for offset in range(len(first)) for m in range(len(first) - offset)]
    pairs = pairs if nspec is None else pairs[:nspec]
    spectra = [_core.power_spectra([first[i]], lmax, mmax, [second[j]], lmax, mmax)[0][:last + 1]
               for i, j in pairs]
    return np.array(spectra) if several and len(spectra) > 1 else spectra[0]

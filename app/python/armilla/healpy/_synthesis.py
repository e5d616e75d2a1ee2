# SPDX-License-Identifier: GPL-3.0-or-later
"""Random coefficients, by numpy's global random numbers in the order in which healpy draws them."""
import numpy as np

from ._alm import Alm, mmax_of
from ._arrays import is_seq, is_seq_of_seq


def _count_of(spectra):
    """n of n (n + 1) / 2 spectra; 0 for another number."""
    n = int((-1 + np.sqrt(1 + 8 * spectra)) // 2)
    return n if n * (n + 1) // 2 == spectra else 0


def new_to_old_spectra_order(cls_new_order):
    """Spectra by diagonals (TT EE BB TE EB TB) in the order by rows (TT TE TB EE EB BB)."""
    n = _count_of(len(cls_new_order))
    if n == 0:
        raise ValueError("wrong number of spectra")
    pairs = [(m, m + offset) for offset in range(n) for m in range(n - offset)]
    return [cls_new_order[pairs.index((i, j))] for i in range(n) for j in range(i, n)]


def _draw(size):
    alm = np.zeros(size, dtype=np.complex128)
    alm.real = np.random.standard_normal(size)
    alm.imag = np.random.standard_normal(size)
    return alm


def _roots(spectra, n, lmax):
    """Lower Cholesky factors at each l, shape (n, n, lmax + 1); a variance that is not positive gives zeros."""
    covariance = np.zeros((n, n, lmax + 1))
    rows = iter(spectra)
    for i in range(n):
        for j in range(i, n):
            cl = next(rows)
            if cl is not None:
                cl = np.asarray(cl, dtype=np.float64)[:lmax + 1]
                covariance[i, j, :len(cl)] = covariance[j, i, :len(cl)] = cl
    roots = np.zeros_like(covariance)
    for j in range(n):
        left = covariance[j, j] - np.sum(roots[j, :j] ** 2, axis=0)
        roots[j, j] = np.sqrt(np.maximum(left, 0.0))
        for i in range(j + 1, n):
            left = covariance[i, j] - np.sum(roots[i, :j] * roots[j, :j], axis=0)
            np.divide(left, roots[j, j], out=roots[i, j], where=roots[j, j] != 0)
    return roots


def _mix(alms, roots, lmax, mmax):
    """Gives unit deviates the covariance of the roots; real at m = 0."""
    n = len(alms)
    for m in range(mmax + 1):
        first = Alm.getidx(lmax, m, m)
        part = np.stack([alm[first:first + lmax + 1 - m] for alm in alms])
        mixed = np.einsum("ikl,kl->il", roots[:, :, m:], part)
        mixed = mixed.real if m == 0 else mixed / np.sqrt(2.0)
        for i in range(n):
            alms[i][first:first + lmax + 1 - m] = mixed[i]


def synalm(cls, lmax=None, mmax=None, new=False, verbose=True):
    """Random coefficients of a spectrum, or of 4 (TT TE EE BB; new: TT EE BB TE) or n (n + 1) / 2 spectra.

    Spectra stand by rows (TT TE TB EE EB BB), with new=True by diagonals (TT EE BB TE EB TB).
    """
    if not is_seq(cls):
        raise TypeError("cls must be an array or a sequence of arrays")
    single = not is_seq_of_seq(cls, True)
    spectra = [cls] if single else list(cls)
    if lmax is None or lmax < 0:
        lmax = max(len(cl) for cl in spectra if cl is not None) - 1
    mmax = mmax_of(lmax, mmax)
    n = 1 if single else _count_of(len(spectra))
    if n == 0 and len(spectra) == 4:
        spectra = [*spectra, None, None] if new else [spectra[0], spectra[1], None, spectra[2], None, spectra[3]]
        n = 3
    if n == 0:
        raise TypeError("The sequence of arrays must have either 4 elements or n(n+1)/2 elements (some may be None)")
    if new and not single:
        spectra = new_to_old_spectra_order(spectra)
    alms = [_draw(Alm.getsize(lmax, mmax)) for _ in range(n)]
    _mix(alms, _roots(spectra, n, lmax), lmax, mmax)
    return alms[0] if single else np.array(alms)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Beams and pixel windows with the names, arguments and results of healpy."""
from urllib.error import URLError

import numpy as np

from .. import _core
from ._alm import Alm
from .pixelfunc import isnsideok

# healpy refuses larger maps in transforms with weights.
_MAX_NSIDE = 8192


def check_max_nside(nside):
    """0, or ValueError for an nside above 8192, as healpy has it."""
    if nside > _MAX_NSIDE:
        raise ValueError(f"nside {nside} of map cannot be larger than MAX_NSIDE {_MAX_NSIDE}")
    return 0


def gauss_beam(fwhm, lmax=512, pol=False):
    """B_l of a Gaussian beam; with pol columns for T, E, B and TE (A. Challinor et al. 2000, astro-ph/0008228)."""
    sigma = fwhm / np.sqrt(8.0 * np.log(2.0))
    ell = np.arange(lmax + 1)
    beam = np.exp(-0.5 * ell * (ell + 1) * sigma**2)
    if not pol:
        return beam
    return beam[:, np.newaxis] * np.exp([0.0, 2 * sigma**2, 2 * sigma**2, sigma**2])


def beam2bl(beam, theta, lmax):
    """B_l of a radial profile over theta (radians): 2 pi int b(theta) P_l(cos theta) sin(theta) dtheta."""
    theta, beam = np.asarray(theta, dtype=np.float64), np.asarray(beam, dtype=np.float64)
    if len(theta) < 2 or len(theta) != len(beam):
        raise ValueError("expected beam and theta of one length, 2 or more")
    x, weighted = np.cos(theta), beam * np.sin(theta)
    window = np.empty(lmax + 1)
    before, now = np.ones_like(x), x
    for ell in range(lmax + 1):
        window[ell] = 2 * np.pi * np.trapezoid(weighted * before, theta) if hasattr(np, "trapezoid") else \
            2 * np.pi * np.trapz(weighted * before, theta)
        before, now = now, ((2 * ell + 3) * x * now - (ell + 1) * before) / (ell + 2)
    return window


def bl2beam(bl, theta):
    """Radial profile at theta (radians) of B_l: sum_l (2 l + 1) / (4 pi) B_l P_l(cos theta)."""
    from numpy.polynomial.legendre import legval
    bl = np.asarray(bl, dtype=np.float64)
    return legval(np.cos(np.asarray(theta)), bl * (2 * np.arange(len(bl)) + 1) / (4 * np.pi))


def pixwin(nside, pol=False, lmax=None, datapath=None):
    """Pixel window of T, or of T and polarization, up to 3 nside - 1 or lmax.

    Computed where HEALPix's own data are not installed. A nside that is no power of two is an error, as in
    healpy, which looks for a file of it.
    """
    if not isnsideok(nside, nest=True):
        raise URLError(f"expected a power of two as nside, found {nside}")
    lmax = 3 * nside - 1 if lmax is None else int(lmax)
    temperature, polarization = _core.pixel_window(int(nside), lmax)[:2]
    return (temperature, polarization) if pol else temperature


def blm_gauss(fwhm, lmax, pol=False):
    """Coefficients of a Gaussian beam at the north pole: shape (1, n), or (3, n) for T, E, B."""
    fwhm, lmax = float(fwhm), int(lmax)
    sigma = fwhm / np.sqrt(8.0 * np.log(2.0))
    mmax = 2 if pol else 0
    blm = np.zeros((3 if pol else 1, Alm.getsize(lmax, mmax)), dtype=np.complex128)
    ell = np.arange(lmax + 1)
    blm[0, :lmax + 1] = np.sqrt((2 * ell + 1) / (4.0 * np.pi)) * np.exp(-0.5 * ell * (ell + 1) * sigma**2)
    if pol:
        ell = np.arange(2, lmax + 1)
        values = np.sqrt((2 * ell + 1) / (32 * np.pi)) * np.exp(-0.5 * ell * (ell + 1) * sigma**2)
        blm[1, Alm.getidx(lmax, ell, 2)] = values
        blm[2, Alm.getidx(lmax, ell, 2)] = 1j * values
    return blm



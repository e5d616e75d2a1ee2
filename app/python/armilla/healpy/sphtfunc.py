# SPDX-License-Identifier: GPL-3.0-or-later
"""Spherical harmonic transforms with the names, arguments and results of healpy.sphtfunc."""
import collections
import threading

import numpy as np

from .. import _settings
from .._sht import Sht
from ._alm import Alm, alm2cl, almxfl, limits, mmax_of, resize_alm
from ._arrays import accept_ma, is_seq_of_seq, ma_to_array, maptype, mask_bad
from ._beams import (beam2bl, bl2beam, blm_gauss, check_max_nside, gauss_beam, pixwin)
from ._synthesis import new_to_old_spectra_order, synalm
from .pixelfunc import UNSEEN, get_nside, npix2nside, pix2ang, reorder

__all__ = ["Alm", "alm2cl", "alm2map", "alm2map_der1", "alm2map_spin", "almxfl", "anafast", "beam2bl", "bl2beam",
           "blm_gauss", "check_max_nside", "gauss_beam", "map2alm", "map2alm_lsq", "map2alm_spin",
           "new_to_old_spectra_order", "pixwin", "resize_alm", "smoothalm", "smoothing", "synalm", "synfast"]

# Plans of the last calls: most programs alternate between an analysis and a synthesis of one shape.
_KEPT_PLANS = 3
_plans = collections.OrderedDict()
_plans_lock = threading.Lock()


def _plan(nside, lmax, mmax, weights="none", iterations=0, tolerance=0.0):
    key = (int(nside), int(lmax), int(mmax), weights, int(iterations), float(tolerance),
           _settings.checked_device(None))
    with _plans_lock:
        plan = _plans.pop(key, None)
        if plan is None:
            plan = Sht(key[0], key[1], key[2], weights=weights, iterations=key[4], tolerance=key[5])
        _plans[key] = plan
        while len(_plans) > _KEPT_PLANS:
            _plans.popitem(last=False)
    return plan


def _limits(nside, lmax, mmax):
    lmax = 3 * nside - 1 if lmax is None or lmax < 0 else int(lmax)
    return lmax, lmax if mmax is None or mmax < 0 or mmax > lmax else int(mmax)


def _weights(use_weights, use_pixel_weights):
    if use_weights and use_pixel_weights:
        raise RuntimeError("Either use pixel or ring weights")
    return "pixel" if use_pixel_weights else "ring" if use_weights else "none"


def _samples(m):
    m = np.asarray(m)
    return m if m.dtype == np.float32 else m.astype(np.float64, copy=False)


def _cut(m, gal_cut):
    """A copy with zeros within gal_cut degrees of the equator."""
    if gal_cut <= 0:
        return m
    latitude = pix2ang(npix2nside(len(m)), np.arange(len(m)), lonlat=True)[1]
    return np.where(np.abs(latitude) < gal_cut, 0.0, m)


def map2alm(maps, lmax=None, mmax=None, iter=3, pol=True, use_weights=False, datapath=None, gal_cut=0,
            use_pixel_weights=False, verbose=True):
    """Coefficients of a map, or of several; with pol three maps are T, Q, U and give T, E, B."""
    maps = ma_to_array(maps)
    kind = maptype(maps)
    nside = get_nside(maps)
    lmax, mmax = _limits(nside, lmax, mmax)
    plan = _plan(nside, lmax, mmax, _weights(use_weights, use_pixel_weights), iter)
    if kind == 0:
        return plan.map2alm(_cut(_samples(maps), gal_cut))
    arrays = [_cut(_samples(m), gal_cut) for m in maps]
    if pol and kind not in (1, 3):
        raise ValueError("Wrong input: map must be an array or a sequence of 1 or 3 maps with pol=True")
    if pol and kind == 3:
        return np.array(plan.map2alm(arrays, pol=True))
    return np.array([plan.map2alm(each) for each in arrays])


def map2alm_lsq(maps, lmax, mmax, pol=True, tol=1e-10, maxiter=20):
    """Least-squares coefficients, the relative residual of the map(s), and the number of steps."""
    maps = ma_to_array(maps)
    kind = maptype(maps)
    nside = get_nside(maps)
    lmax, mmax = _limits(nside, lmax, mmax)
    arrays = [_samples(maps)] if kind == 0 else [_samples(m) for m in maps]
    alm = _first_pass(nside, lmax, mmax, arrays, pol)
    norm = np.sqrt(sum(np.sum(np.square(m, dtype=np.float64)) for m in arrays))
    steps, residual = 0, np.inf
    while True:
        left = [m - again for m, again in zip(arrays, _maps_of(nside, lmax, mmax, alm, pol))]
        residual = np.sqrt(sum(np.sum(np.square(m, dtype=np.float64)) for m in left)) / norm if norm > 0 else 0.0
        if residual < tol or steps >= maxiter:
            break
        alm = [a + step for a, step in zip(alm, _first_pass(nside, lmax, mmax, left, pol))]
        steps += 1
    return (alm[0] if kind == 0 else np.array(alm)), residual, steps


def _first_pass(nside, lmax, mmax, arrays, pol):
    plan = _plan(nside, lmax, mmax, "none", 0)
    if len(arrays) == 3 and pol:
        return list(plan.map2alm(arrays, pol=True))
    return [plan.map2alm(each) for each in arrays]


def _maps_of(nside, lmax, mmax, alm, pol):
    plan = _plan(nside, lmax, mmax)
    if len(alm) == 3 and pol:
        return list(plan.alm2map(list(alm), pol=True))
    return [plan.alm2map(each) for each in alm]


def _beamed(alms, fwhm, sigma, pol, mmax, pixwin_of=None):
    """Copies of coefficients times a Gaussian beam and a pixel window."""
    arrays = [np.array(each, dtype=np.complex128) for each in alms]
    if fwhm or sigma:
        arrays = list(smoothalm(arrays if len(arrays) > 1 else arrays[0], fwhm=fwhm, sigma=sigma, pol=pol, mmax=mmax,
                                inplace=False)) if len(arrays) > 1 else \
            [smoothalm(arrays[0], fwhm=fwhm, sigma=sigma, pol=pol, mmax=mmax, inplace=False)]
    if pixwin_of:
        windows = pixwin(pixwin_of, pol=True)
        for i, each in enumerate(arrays):
            arrays[i] = almxfl(each, windows[1 if pol and i > 0 and len(arrays) == 3 else 0], mmax=mmax)
    return arrays


def alm2map(alms, nside, lmax=None, mmax=None, pixwin=False, fwhm=0.0, sigma=None, pol=True, inplace=False,
            verbose=True):
    """The map of coefficients, or several; with pol three are T, E, B and give T, Q, U."""
    several = is_seq_of_seq(alms) if not isinstance(alms, np.ndarray) else alms.ndim == 2
    arrays = list(alms) if several else [alms]
    lmax, mmax = limits(len(arrays[0]), lmax, mmax)
    mmax = min(mmax, lmax)
    made = _beamed(arrays, fwhm, sigma, pol, mmax, nside if pixwin else None)
    if inplace:
        for each, values in zip(arrays, made):
            each[:] = values
    if several and pol and len(arrays) not in (1, 3):
        raise TypeError(f"expected 1 or 3 alm with pol=True, found {len(arrays)}")
    maps = _maps_of(nside, lmax, mmax, made, pol and several)
    return np.array(maps) if several else maps[0]


def alm2map_der1(alm, nside, lmax=None, mmax=None):
    """The map, and its derivatives d/dtheta and 1/sin(theta) d/dphi."""
    alm = np.asarray(alm, dtype=np.complex128)
    lmax, mmax = limits(len(alm), lmax, mmax)
    return _plan(nside, lmax, mmax).alm2map_gradient(alm)


def alm2map_spin(alms, nside, spin, lmax, mmax=None):
    """The two components of a field of spin 1, 2, 3 of its gradient and curl coefficients."""
    mmax = mmax_of(lmax, mmax)
    return list(_plan(nside, lmax, mmax).alm2map(list(alms), spin=spin))


def map2alm_spin(maps, spin, lmax=None, mmax=None):
    """Gradient and curl coefficients of the two components of a field of spin 1, 2, 3."""
    arrays = [_samples(m) for m in ma_to_array(maps)]
    nside = npix2nside(len(arrays[0]))
    lmax, mmax = _limits(nside, lmax, mmax)
    return list(_plan(nside, lmax, mmax).map2alm(arrays, spin=spin))


def anafast(map1, map2=None, nspec=None, lmax=None, mmax=None, iter=3, alm=False, pol=True, use_weights=False,
            datapath=None, gal_cut=0, use_pixel_weights=False):
    """Power spectra of a map or of several, or cross spectra of two; with alm also the coefficients."""
    options = {"lmax": lmax, "mmax": mmax, "pol": pol, "iter": iter, "use_weights": use_weights,
               "gal_cut": gal_cut, "use_pixel_weights": use_pixel_weights}
    first = map2alm(map1, **options)
    second = None if map2 is None else map2alm(map2, **options)
    nside = get_nside(ma_to_array(map1))
    limits = _limits(nside, lmax, mmax)
    cls = alm2cl(first, alms2=second, lmax=limits[0], mmax=limits[1], lmax_out=limits[0], nspec=nspec)
    if not alm:
        return cls
    return (cls, first) if map2 is None else (cls, first, second)


def smoothalm(alms, fwhm=0.0, sigma=None, beam_window=None, pol=True, mmax=None, verbose=True, inplace=True):
    """Coefficients times a Gaussian beam, or `beam_window`: B_l, or columns for T, E, B."""
    several = is_seq_of_seq(alms) if not isinstance(alms, np.ndarray) else alms.ndim == 2
    arrays = list(alms) if several else [alms]
    lmax = Alm.getlmax(len(arrays[0]), mmax)
    if sigma is None:
        sigma = fwhm / np.sqrt(8.0 * np.log(2.0))
    made = []
    for i, each in enumerate(arrays):
        spin = 2.0 if pol and len(arrays) == 3 and i > 0 else 0.0
        if beam_window is None:
            ell = np.arange(lmax + 1.0)
            window = np.exp(-0.5 * (ell * (ell + 1) - spin**2) * sigma**2)
        else:
            window = np.asarray(beam_window)
            window = window[:, min(i, window.shape[1] - 1)] if window.ndim == 2 else window
        made.append(almxfl(each, window, mmax=mmax, inplace=inplace))
    if inplace:
        return alms
    return np.array(made) if several else made[0]


@accept_ma
def smoothing(map_in, fwhm=0.0, sigma=None, beam_window=None, pol=True, iter=3, lmax=None, mmax=None,
              use_weights=False, use_pixel_weights=False, datapath=None, verbose=True, nest=False):
    """A map, or several, convolved with a Gaussian beam or `beam_window`; masked pixels count as zero."""
    kind = maptype(map_in)
    nside = get_nside(map_in)
    maps = np.array(map_in, dtype=np.float64)
    if nest:
        maps = reorder(maps, n2r=True)
    bad = mask_bad(maps)
    options = {"lmax": lmax, "mmax": mmax, "iter": iter, "use_weights": use_weights,
               "use_pixel_weights": use_pixel_weights}
    if kind in (0, 1) or (pol and kind == 3):
        alms = map2alm(maps, pol=pol, **options)
        smoothalm(alms, fwhm=fwhm, sigma=sigma, beam_window=beam_window, pol=pol, mmax=mmax)
        result = alm2map(alms, nside, lmax=lmax, mmax=mmax, pol=pol)
    else:
        result = np.array([smoothing(m, fwhm, sigma, beam_window, False, iter, lmax, mmax, use_weights,
                                     use_pixel_weights) for m in maps])
    result[bad] = UNSEEN
    return reorder(result, r2n=True) if nest else result


def synfast(cls, nside, lmax=None, mmax=None, alm=False, pol=True, pixwin=False, fwhm=0.0, sigma=None, new=False,
            verbose=True):
    """A random map, or T, Q, U, of power spectra, by numpy's global random numbers; with alm also coefficients."""
    spectra = [cls] if not is_seq_of_seq(cls, True) else [cl for cl in cls if cl is not None]
    if lmax is None or lmax < 0:
        lmax = min(3 * nside - 1, max(len(cl) for cl in spectra) - 1)
    alms = synalm(cls, lmax=lmax, mmax=mmax, new=new)
    maps = alm2map(alms, nside, lmax=lmax, mmax=mmax, pixwin=pixwin, pol=pol, fwhm=fwhm, sigma=sigma)
    return (np.array(maps), alms) if alm else np.array(maps)



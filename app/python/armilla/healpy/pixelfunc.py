# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions of pixels and maps with the names, arguments and results of healpy.pixelfunc."""
import numpy as np

from .. import _core
from .._arrays import UNSEEN
from ._arrays import (accept_ma, integers, is_ma, ma, ma_to_array, maptype, mask_bad, mask_good,
                      nside_and, shaped)

__all__ = ["UNSEEN", "accept_ma", "ang2pix", "ang2vec", "check_nside", "check_theta_valid", "fit_dipole",
           "fit_monopole", "get_all_neighbours", "get_interp_val", "get_interp_weights", "get_map_size",
           "get_min_valid_nside", "get_nside", "is_ma", "isnpixok", "isnsideok", "lonlat2thetaphi", "ma",
           "ma_to_array", "maptype", "mask_bad", "mask_good", "max_pixrad", "nest2ring", "npix2nside", "npix2order",
           "nside2npix", "nside2order", "nside2pixarea", "nside2resol", "order2npix", "order2nside", "pix2ang",
           "pix2ring", "pix2vec", "pix2xyf", "remove_dipole", "remove_monopole", "reorder", "ring2nest", "ringinfo",
           "thetaphi2lonlat", "ud_grade", "vec2ang", "vec2pix", "xyf2pix"]

_MAX_NSIDE = 1 << 29


# Resolutions.

def isnsideok(nside, nest=False):
    """Whether nside is valid: 1 to 2^29, in NESTED order a power of two. Works on arrays."""
    nside = np.asarray(nside)
    whole = nside == np.floor(nside)
    valid = whole & (nside > 0) & (nside <= _MAX_NSIDE)
    if nest:
        number = np.where(valid, nside, 1).astype(np.int64)
        valid = valid & ((number & (number - 1)) == 0)
    return valid if valid.ndim else bool(valid)


def check_nside(nside, nest=False):
    """Raises ValueError for an nside that is not valid."""
    if not np.all(isnsideok(nside, nest=nest)):
        raise ValueError(f"{nside} is not a valid nside parameter (must be "
                         f"{'a power of 2, ' if nest else ''}from 1 to 2**29)")


def check_theta_valid(theta):
    """Raises ValueError for a colatitude outside [0, pi]."""
    theta = np.asarray(theta)
    if not ((theta >= 0).all() and (theta <= np.pi + 1e-5).all()):
        raise ValueError("THETA is out of range [0,pi]")


def nside2npix(nside):
    """Number of pixels of a map."""
    return 12 * nside * nside


def isnpixok(npix):
    """Whether a number of pixels is that of a map. Works on arrays."""
    nside = np.sqrt(np.asarray(npix) / 12.0)
    valid = (nside == np.floor(nside)) & (nside > 0)
    return valid if valid.ndim else bool(valid)


def npix2nside(npix):
    """nside of a number of pixels."""
    if not isnpixok(npix):
        raise ValueError("Wrong pixel number (it is not 12*nside**2)")
    return int(np.sqrt(npix / 12.0))


def nside2order(nside):
    """log2 of a valid nside of NESTED order."""
    check_nside(nside, nest=True)
    return int(nside).bit_length() - 1


def order2nside(order):
    """nside = 2^order."""
    nside = 1 << np.asarray(order) if np.ndim(order) else 1 << order
    check_nside(nside, nest=True)
    return nside


def order2npix(order):
    """Number of pixels of a map of this order."""
    return nside2npix(order2nside(order))


def npix2order(npix):
    """Order of a number of pixels."""
    return nside2order(npix2nside(npix))


def nside2pixarea(nside, degrees=False):
    """Area of a pixel in square radians, or square degrees."""
    area = 4 * np.pi / nside2npix(nside)
    return np.rad2deg(np.rad2deg(area)) if degrees else area


def nside2resol(nside, arcmin=False):
    """Square root of the area of a pixel in radians, or arc minutes."""
    resolution = np.sqrt(nside2pixarea(nside))
    return np.rad2deg(resolution) * 60 if arcmin else resolution


def max_pixrad(nside, degrees=False):
    """Largest distance between the center of a pixel and its corners, radians or degrees."""
    check_nside(nside)
    radius = _core.max_pixrad(int(nside))
    return np.rad2deg(radius) if degrees else radius


def get_map_size(m):
    """Number of pixels of a map, or of explicitly numbered pixels (a dict with pixel numbers as keys)."""
    if isinstance(m, dict):
        if "nside" in m:
            return nside2npix(m["nside"])
        return nside2npix(get_min_valid_nside(max(m.keys()) + 1))
    if isnpixok(len(m)):
        return len(m)
    raise ValueError("Wrong pixel number (it is not 12*nside**2)")


def get_min_valid_nside(npix):
    """Smallest power of two whose map has at least so many pixels."""
    order = 0.5 * np.log2(npix / 12.0)
    return 1 << max(0, int(np.ceil(order)))


def get_nside(m):
    """nside of a map, or of the maps of a sequence."""
    return npix2nside(len(m) if maptype(m) == 0 else len(m[0]))


# Directions.

def lonlat2thetaphi(lon, lat, latauto=False, latbounce=True):
    """Colatitude and longitude in radians of longitude and latitude in degrees.

    latauto : fold latitudes beyond the poles back; latbounce : keep the longitude then, else turn it by 180.
    """
    theta, phi = np.radians(lat), np.radians(lon)
    if not latauto:
        return np.pi / 2.0 - theta, phi
    kind, scalar = theta.dtype, np.ndim(lat) == 0 and np.ndim(lon) == 0
    turned = np.mod(np.asarray(lat, dtype=np.float64) + 90.0, 360.0)
    beyond = turned > 180.0
    folded = np.where(beyond, 360.0 - turned, turned)
    longitude = np.asarray(lon, dtype=np.float64)
    if not latbounce:
        longitude = np.where(beyond, longitude + 180.0, longitude)
    theta = np.radians(180.0 - folded).astype(kind)
    phi = np.radians(longitude).astype(np.radians(lon).dtype)
    return (theta[()], phi[()]) if scalar else (theta, phi)


def thetaphi2lonlat(theta, phi):
    """Longitude and latitude in degrees of colatitude and longitude in radians."""
    return np.degrees(phi), 90.0 - np.degrees(theta)


def ang2vec(theta, phi, lonlat=False):
    """Unit vectors of directions, in the last axis."""
    if lonlat:
        theta, phi = lonlat2thetaphi(theta, phi)
    check_theta_valid(theta)
    sin = np.sin(theta)
    return np.array([sin * np.cos(phi), sin * np.sin(phi), np.cos(theta) * np.ones_like(phi)]).T


def vec2ang(vectors, lonlat=False):
    """Colatitude and longitude of vectors, always as arrays."""
    vectors = np.asarray(vectors, dtype=np.float64).reshape(-1, 3)
    theta = np.arccos(vectors[:, 2] / np.sqrt(np.sum(np.square(vectors), axis=1)))
    phi = np.arctan2(vectors[:, 1], vectors[:, 0])
    phi[phi < 0] += 2 * np.pi
    return thetaphi2lonlat(theta, phi) if lonlat else (theta, phi)


def ang2pix(nside, theta, phi, nest=False, lonlat=False, latauto=False, latbounce=True):
    """Pixels that contain directions."""
    check_nside(nside, nest=nest)
    if lonlat:
        theta, phi = lonlat2thetaphi(theta, phi, latauto=latauto, latbounce=latbounce)
    check_theta_valid(theta)
    shape, nsides, (theta, phi) = nside_and(np.float64, nside, theta, phi)
    return shaped(_core.ang2pix(nsides, bool(nest), theta, phi), shape)


def pix2ang(nside, ipix, nest=False, lonlat=False):
    """Directions of the centers of pixels."""
    check_nside(nside, nest=nest)
    shape, nsides, (pixels,) = nside_and(np.int64, nside, integers(ipix))
    x, y, z = _core.pix2vec(nsides, bool(nest), pixels)
    # As HEALPix C++, so that pixels on a cut in latitude fall on the same side of it.
    theta = np.where(np.abs(z) > 0.99, np.arctan2(np.hypot(x, y), z), np.arccos(z))
    phi = np.arctan2(y, x)
    phi[phi < 0] += 2 * np.pi
    theta, phi = shaped(theta, shape), shaped(phi, shape)
    return thetaphi2lonlat(theta, phi) if lonlat else (theta, phi)


def vec2pix(nside, x, y, z, nest=False):
    """Pixels that contain the directions of vectors."""
    check_nside(nside, nest=nest)
    shape, nsides, (x, y, z) = nside_and(np.float64, nside, x, y, z)
    return shaped(_core.vec2pix(nsides, bool(nest), x, y, z), shape)


def pix2vec(nside, ipix, nest=False):
    """Unit vectors of the centers of pixels: x, y, z."""
    check_nside(nside, nest=nest)
    shape, nsides, (pixels,) = nside_and(np.int64, nside, integers(ipix))
    return tuple(shaped(each, shape) for each in _core.pix2vec(nsides, bool(nest), pixels))


# Orders of pixels.

def ring2nest(nside, ipix):
    """NESTED numbers of RING pixels."""
    check_nside(nside, nest=True)
    shape, nsides, (pixels,) = nside_and(np.int64, nside, integers(ipix))
    return shaped(_core.reorder_pixels(nsides, pixels, False), shape)


def nest2ring(nside, ipix):
    """RING numbers of NESTED pixels."""
    check_nside(nside, nest=True)
    shape, nsides, (pixels,) = nside_and(np.int64, nside, integers(ipix))
    return shaped(_core.reorder_pixels(nsides, pixels, True), shape)


def pix2xyf(nside, ipix, nest=False):
    """Places on the base pixels: x, y, face."""
    check_nside(nside, nest=nest)
    shape, nsides, (pixels,) = nside_and(np.int64, nside, integers(ipix))
    return tuple(shaped(each, shape) for each in _core.pix2xyf(nsides, bool(nest), pixels))


def xyf2pix(nside, x, y, face, nest=False):
    """Pixels of places on the base pixels."""
    check_nside(nside, nest=nest)
    shape, nsides, (x, y, face) = nside_and(np.int64, nside, integers(x), integers(y), integers(face))
    return shaped(_core.xyf2pix(nsides, bool(nest), x, y, face), shape)


def pix2ring(nside, pix, nest=False):
    """Numbers of the rings that pixels are in, from 1 at the north pole."""
    check_nside(nside, nest=nest)
    shape, nsides, (pixels,) = nside_and(np.int64, nside, integers(pix))
    return shaped(_core.pix2ring(nsides, bool(nest), pixels), shape)


def ringinfo(nside, ring):
    """First pixel, number of pixels, cos and sin of the colatitude, and shift of rings."""
    check_nside(nside)
    ring = np.asarray(ring, dtype=np.int64)
    north = np.where(ring > 2 * nside, 4 * nside - ring, ring)
    cap = north < nside
    share = north * north / (3.0 * nside * nside)
    cos = np.where(cap, 1 - share, (2 * nside - north) * 2.0 / (3.0 * nside))
    sin = np.where(cap, np.sqrt(share * (2 - share)), np.sqrt((1 - cos) * (1 + cos)))
    pixels = np.where(cap, 4 * north, 4 * nside)
    start = np.where(cap, 2 * north * (north - 1), 2 * nside * (nside - 1) + (north - nside) * 4 * nside)
    south = ring != north
    start = np.where(south, nside2npix(nside) - start - pixels, start)
    return start, pixels, np.where(south, -cos, cos), sin, np.where(cap, True, ((north - nside) & 1) == 0)


@accept_ma
def reorder(map_in, inp=None, out=None, r2n=None, n2r=None):
    """A map, or several, in the other order: r2n=True, n2r=True, or inp and out as "RING" or "NESTED"."""
    kind = maptype(map_in)
    if r2n:
        inp, out = "RING", "NEST"
    if n2r:
        inp, out = "NEST", "RING"
    inp, out = str(inp).upper()[:4], str(out).upper()[:4]
    if inp not in ("RING", "NEST") or out not in ("RING", "NEST"):
        raise ValueError("inp and out must be either RING or NEST")
    maps = np.asarray(map_in)
    if inp == out:
        return maps
    pixels = np.arange(maps.shape[-1])
    nside = npix2nside(maps.shape[-1])
    # Element p of the result is the input's pixel at the same place.
    order = nest2ring(nside, pixels) if out == "NEST" else ring2nest(nside, pixels)
    return maps[order] if kind == 0 else maps[:, order]


# Neighbors and interpolation.

def _directions(nside, theta, phi, nest, lonlat):
    if phi is None:
        return pix2ang(nside, theta, nest=nest)
    if lonlat:
        theta, phi = lonlat2thetaphi(theta, phi)
    return theta, phi


def get_all_neighbours(nside, theta, phi=None, nest=False, lonlat=False):
    """The neighbors SW, W, NW, N, NE, E, SE, S of pixels (or of those at directions); -1 where there is none."""
    check_nside(nside, nest=nest)
    pixels = integers(theta) if phi is None else ang2pix(nside, theta, phi, nest=nest, lonlat=lonlat)
    shape, nsides, (pixels,) = nside_and(np.int64, nside, pixels)
    return _core.neighbors(nsides, bool(nest), pixels).reshape((8, *shape))


def get_interp_weights(nside, theta, phi=None, nest=False, lonlat=False):
    """The four pixels and weights of bilinear interpolation at directions, or at the centers of pixels."""
    check_nside(nside, nest=nest)
    theta, phi = _directions(nside, theta, phi, nest, lonlat)
    check_theta_valid(theta)
    shape, nsides, (theta, phi) = nside_and(np.float64, nside, theta, phi)
    pixels, weights = _core.interpolation(nsides, bool(nest), theta, phi)
    return pixels.reshape((4, *shape)), weights.reshape((4, *shape))


def get_interp_val(m, theta, phi, nest=False, lonlat=False):
    """Values of a map, or of several, interpolated at directions."""
    m = ma_to_array(m)
    kind = maptype(m)
    nside = get_nside(m)
    pixels, weights = get_interp_weights(nside, theta, phi, nest=nest, lonlat=lonlat)
    if kind == 0:
        return np.sum(np.asarray(m)[pixels] * weights, axis=0)
    return np.array([np.sum(np.asarray(each)[pixels] * weights, axis=0) for each in m])


# Monopole and dipole.

def _good_pixels(m, bad, gal_cut, nest):
    nside = npix2nside(len(m))
    good = mask_good(m, badval=bad) & np.isfinite(m)
    x, y, z = pix2vec(nside, np.arange(len(m)), nest=nest)
    if gal_cut > 0:
        good &= np.abs(z) >= np.sin(np.radians(gal_cut))
    return good, (x, y, z)


def fit_dipole(m, nest=False, bad=UNSEEN, gal_cut=0):
    """Monopole and dipole vector fitted to the good pixels outside |latitude| < gal_cut degrees."""
    m = np.asarray(ma_to_array(m), dtype=np.float64)
    good, (x, y, z) = _good_pixels(m, bad, gal_cut, nest)
    design = np.stack([np.ones(good.sum()), x[good], y[good], z[good]])
    fit = np.linalg.solve(design @ design.T, design @ m[good])
    return fit[0], fit[1:4]


def fit_monopole(m, nest=False, bad=UNSEEN, gal_cut=0):
    """Mean of the good pixels outside |latitude| < gal_cut degrees."""
    m = np.asarray(ma_to_array(m), dtype=np.float64)
    good, _ = _good_pixels(m, bad, gal_cut, nest)
    return m[good].sum() / good.sum()


def _without(m, bad, copy, masked, removed):
    result = np.array(m, copy=True) if copy or not isinstance(m, np.ndarray) else m
    good = mask_good(result, badval=bad)
    result[good] -= removed[good] if np.ndim(removed) else removed
    return ma(result) if masked else result


def remove_monopole(m, nest=False, bad=UNSEEN, gal_cut=0, fitval=False, copy=True, verbose=True):
    """A map without the mean of its good pixels; with fitval also that mean."""
    masked = is_ma(m)
    plain = ma_to_array(m)
    mono = fit_monopole(plain, nest=nest, bad=bad, gal_cut=gal_cut)
    result = _without(plain, bad, copy, masked, mono)
    return (result, mono) if fitval else result


def remove_dipole(m, nest=False, bad=UNSEEN, gal_cut=0, fitval=False, copy=True, verbose=True):
    """A map without its monopole and dipole; with fitval also both."""
    masked = is_ma(m)
    plain = ma_to_array(m)
    mono, dipole = fit_dipole(plain, nest=nest, bad=bad, gal_cut=gal_cut)
    x, y, z = pix2vec(npix2nside(len(plain)), np.arange(len(plain)), nest=nest)
    result = _without(plain, bad, copy, masked, mono + dipole[0] * x + dipole[1] * y + dipole[2] * z)
    return (result, mono, dipole) if fitval else result


# Resolution.

@accept_ma
def ud_grade(map_in, nside_out, pess=False, order_in="RING", order_out=None, power=None, dtype=None):
    """A map, or several, at another nside: means of good children, or copies of the parent.

    pess : bad where any child is bad. power : values times (nside_out / nside_in)^power.
    """
    check_nside(nside_out, nest=str(order_in).upper() != "RING")
    kind = maptype(map_in)
    maps = [map_in] if kind == 0 else map_in
    order_out = order_in if order_out is None else order_out
    results = [_graded(np.asarray(m), nside_out, pess, order_in, order_out, power, dtype) for m in maps]
    return results[0] if kind == 0 else np.array(results)


def _graded(m, nside_out, pess, order_in, order_out, power, dtype):
    nside_in = npix2nside(len(m))
    # The type of the map, as healpy; means are truncated to integers.
    kind = np.dtype(dtype or (m.dtype.newbyteorder("=") if m.dtype.kind in "fiub" else np.float64))
    if nside_in == nside_out and power is None:
        result = reorder(m, inp=order_in, out="NEST")
    else:
        check_nside(nside_in, nest=True)
        check_nside(nside_out, nest=True)
        nested = reorder(m, inp=order_in, out="NEST")
        if nside_out > nside_in:
            result = np.repeat(nested.astype(np.float64 if power else kind), (nside_out // nside_in) ** 2)
            good = mask_good(result) if power else None
        else:
            children = nested.reshape(nside2npix(nside_out), -1)
            fine = mask_good(children) & np.isfinite(children)
            count = fine.sum(axis=1)
            good = count == children.shape[1] if pess else count > 0
            total = np.where(fine, children, 0).sum(axis=1, dtype=np.float64)
            result = np.where(good, total / np.maximum(count, 1), UNSEEN)
        if power:
            result[good] *= (nside_out / nside_in) ** power
    return reorder(result, inp="NEST", out=order_out).astype(kind, copy=False)



# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixels of regions, with the names, arguments and results of healpy."""
import numpy as np

from .. import _core
from .pixelfunc import check_nside, ring2nest, ringinfo

__all__ = ["boundaries", "query_disc", "query_polygon", "query_strip"]


def _pixels_of(ranges):
    """The numbers in half-open ranges."""
    return _core.pixels_of(np.ascontiguousarray(ranges, dtype=np.int64).ravel())


def _ranges_of(pixels):
    """Half-open ranges of numbers."""
    pixels = np.unique(pixels)
    if pixels.size == 0:
        return np.empty((0, 2), np.int64)
    breaks = np.flatnonzero(np.diff(pixels) != 1)
    return np.stack([pixels[np.concatenate([[0], breaks + 1])],
                     pixels[np.concatenate([breaks, [pixels.size - 1]])] + 1], axis=1)


def _check_buffer(buff, return_ranges):
    if buff is not None and return_ranges:
        raise ValueError("Cannot use both buff and return_ranges")
    if buff is not None and buff.dtype != np.int64:
        raise ValueError(f"expected a buffer of int64, found one of {buff.dtype}")


def _in_buffer(pixels, buff):
    if buff is None:
        return pixels
    if buff.size < pixels.size:
        raise ValueError(f"expected a buffer of {pixels.size} elements or more, found one of {buff.size}")
    result = buff[:pixels.size]
    result[:] = pixels
    return result


def _factor(inclusive, fact, nest):
    if not inclusive:
        return 0
    if fact < 1 or (nest and fact & (fact - 1)):
        raise ValueError(f"fact must be a positive integer{', a power of two in NESTED order' if nest else ''}")
    return int(fact)


def query_disc(nside, vec, radius, inclusive=False, fact=4, nest=False, buff=None, return_ranges=False):
    """Pixels whose centers lie within `radius` radians of `vec`; inclusive: all that overlap with the disc, and a
    few next to it, found at the resolution fact * nside."""
    _check_buffer(buff, return_ranges)
    check_nside(nside, nest=nest)
    ranges = _core.query_disc(int(nside), bool(nest), tuple(float(each) for each in vec), float(radius),
                              _factor(inclusive, fact, nest))
    return ranges if return_ranges else _in_buffer(_pixels_of(ranges), buff)


def query_polygon(nside, vertices, inclusive=False, fact=4, nest=False, buff=None, return_ranges=False):
    """Pixels whose centers lie in the convex polygon with these vertices; inclusive as in `query_disc`."""
    _check_buffer(buff, return_ranges)
    check_nside(nside, nest=nest)
    corners = np.ascontiguousarray(vertices, dtype=np.float64)
    ranges = _core.query_polygon(int(nside), bool(nest), corners.reshape(-1), _factor(inclusive, fact, nest))
    return ranges if return_ranges else _in_buffer(_pixels_of(ranges), buff)


def _strip(nside, theta1, theta2, inclusive):
    """Rings from theta1 to theta2 as a range of RING pixels."""
    rings = np.arange(1, 4 * nside)
    start, count, cos, sin, _ = ringinfo(nside, rings)
    theta = np.arctan2(sin, cos)
    inside = np.flatnonzero((theta >= theta1) & (theta <= theta2))
    first, last = (inside[0], inside[-1]) if inside.size else (np.searchsorted(theta, theta1),
                                                                np.searchsorted(theta, theta1) - 1)
    if inclusive:
        first, last = max(0, first - 1), min(len(rings) - 1, last + 1)
    if last < first:
        return np.empty((0, 2), np.int64)
    return np.array([[start[first], start[last] + count[last]]], dtype=np.int64)


def query_strip(nside, theta1, theta2, inclusive=False, nest=False, buff=None, return_ranges=False):
    """Pixels of colatitudes from theta1 to theta2; for theta1 > theta2 those outside of (theta2, theta1)."""
    _check_buffer(buff, return_ranges)
    check_nside(nside, nest=nest)
    if theta1 < theta2:
        ranges = _strip(nside, theta1, theta2, inclusive)
    else:
        ranges = np.concatenate([_strip(nside, 0.0, theta2, inclusive), _strip(nside, theta1, np.pi, inclusive)])
        ranges = _ranges_of(_pixels_of(ranges)) if len(ranges) == 2 and ranges[0, 1] >= ranges[1, 0] else ranges
    if not nest:
        return ranges if return_ranges else _in_buffer(_pixels_of(ranges), buff)
    pixels = _pixels_of(ranges)
    pixels = ring2nest(nside, pixels) if pixels.size else pixels
    return _ranges_of(pixels) if return_ranges else _in_buffer(pixels, buff)


def boundaries(nside, pix, step=1, nest=False):
    """Points on the sides of pixels from the north corner over west: shape (3, 4 step), or (n, 3, 4 step)."""
    check_nside(nside, nest=nest)
    pixels = np.asarray(pix)
    if pixels.dtype.kind not in "iu":
        raise ValueError("Array of pixels has to be integers")
    flat = np.ascontiguousarray(pixels, dtype=np.int64).reshape(-1)
    points = _core.boundaries(int(nside), bool(nest), flat, int(step))
    return points[0] if pixels.ndim == 0 else points

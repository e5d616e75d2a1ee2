# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays and maps as healpy has them: broadcasting, masks, UNSEEN."""
import functools

import numpy as np

from .._arrays import UNSEEN


def flat(kind, *arguments):
    """The shape that arguments broadcast to, and each as a flat contiguous array of `kind`."""
    arrays = np.broadcast_arrays(*(np.asarray(each) for each in arguments))
    return arrays[0].shape, [np.ascontiguousarray(each, dtype=kind).reshape(-1) for each in arrays]


def shaped(result, shape):
    """A flat result in the shape of the call; a scalar for scalars."""
    if result.dtype.char == "q":  # another type of scalar than int64, of the same size
        result = result.view(np.int64)
    return result.reshape(shape) if shape else result[0]


def integers(values, name="ipix"):
    """An array of whole numbers. Raises as numpy does for floating-point numbers that are not safe to cast."""
    array = np.asarray(values)
    if array.dtype.kind not in "iub":
        if array.dtype.kind == "f" and np.all(array == np.floor(array)):
            return array.astype(np.int64)
        raise TypeError(f"expected whole numbers as {name}, found {array.dtype}")
    return array.astype(np.int64, copy=False)


def nside_and(kind, nside, *arguments):
    """nside as one element where it is a scalar, else broadcast with the arguments."""
    if np.ndim(nside) == 0:
        shape, arrays = flat(kind, *arguments)
        return shape, np.array([nside], dtype=np.int64), arrays
    shape = np.broadcast_shapes(np.shape(nside), *(np.shape(each) for each in arguments))
    full = np.ascontiguousarray(np.broadcast_to(nside, shape), dtype=np.int64).reshape(-1)
    arrays = [np.ascontiguousarray(np.broadcast_to(each, shape), dtype=kind).reshape(-1) for each in arguments]
    return shape, full, arrays


def is_seq(value):
    """Whether a value has a length. The masked constant of numpy has none."""
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes, dict)) and getattr(value, "ndim", 1) > 0


def is_seq_of_seq(value, allow_none=False):
    """Whether a value is a sequence of sequences (or of None where that is allowed)."""
    if not is_seq(value) or len(value) == 0:
        return False
    return all(is_seq(each) or (allow_none and each is None) for each in value)


def is_ma(maps):
    """Whether a map, or a map of a sequence, is a masked array."""
    return isinstance(maps, np.ma.MaskedArray) or (
        is_seq(maps) and not isinstance(maps, np.ndarray) and any(isinstance(m, np.ma.MaskedArray) for m in maps))


def mask_bad(m, badval=UNSEEN, rtol=1.0e-5, atol=1.0e-8):
    """True where the values of a map are bad: within rtol * |badval| + atol of badval."""
    m = np.asarray(m)
    return np.abs(m - badval) <= atol + rtol * abs(badval)


def mask_good(m, badval=UNSEEN, rtol=1.0e-5, atol=1.0e-8):
    """True where the values of a map are good: not within rtol * |badval| + atol of badval."""
    return ~mask_bad(m, badval, rtol, atol)


def ma(m, badval=UNSEEN, rtol=1e-5, atol=1e-8, copy=True):
    """A map, or several, as a masked array with bad pixels masked and badval as fill value."""
    m = np.ma.MaskedArray(np.asarray(m), copy=copy)
    m.mask = mask_bad(m.data, badval, rtol, atol)
    m.set_fill_value(badval)
    return m


def ma_to_array(maps):
    """A plain array, or a list of them, with masked pixels UNSEEN."""
    if isinstance(maps, np.ma.MaskedArray):
        return maps.filled(UNSEEN)
    if is_seq(maps) and any(isinstance(m, np.ma.MaskedArray) for m in maps):
        return np.array([m.filled(UNSEEN) if isinstance(m, np.ma.MaskedArray) else m for m in maps])
    return maps


def accept_ma(function):
    """A function of a map that takes a masked one, too, and then returns masked ones."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        name = next((key for key in ("m", "maps", "map_in", "map1") if key in kwargs), None)
        given = kwargs[name] if name and not args else args[0]
        masked = is_ma(given)
        if masked:
            plain = ma_to_array(given)
            if args:
                args = (plain, *args[1:])
            else:
                kwargs[name] = plain
        result = function(*args, **kwargs)
        return ma(result) if masked else result

    return wrapper


def maptype(m):
    """0 for one map, n for a sequence of n maps. Raises TypeError for what is none."""
    if not is_seq(m) or len(m) == 0:
        raise TypeError("expected a map or a sequence of maps, found another kind of value")
    if is_seq(m[0]):
        count = len(m[0])
        if any(not is_seq(each) or len(each) != count for each in m):
            raise TypeError("expected maps of one size, found several")
        if not _is_map_size(count):
            raise TypeError(f"expected maps of 12 nside^2 pixels, found {count}")
        return len(m)
    if _is_map_size(len(m)):
        return 0
    raise TypeError(f"expected a map of 12 nside^2 pixels, found {len(m)}")


def _is_map_size(count):
    nside = round((count / 12.0) ** 0.5)
    return count > 0 and 12 * nside * nside == count


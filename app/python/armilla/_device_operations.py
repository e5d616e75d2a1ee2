# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations on arrays in the memory of a CUDA device."""
import logging
import threading
from typing import Any

import numpy as np

from . import _core, _device, _settings
from ._arrays import nside_of
from ._errors import InvalidArgument, Unsupported

_guard = threading.Lock()
_kept: dict[Any, Any] = {}  # the plan of the last smoothing, by its request


def _beam(given):
    """The beam of a file, an array of B_l or a Curve as a value of the library, and a key that tells it from others."""
    if given is None:
        return None, None
    from ._operations import value_of_beam
    value = _core.beam_of(value_of_beam(given))
    return value, tuple(values.tobytes() for _, _, values, _ in value.parts()["series"] if values is not None)


def _plan(nside, parameters, beam, device):
    """The plan of a smoothing, whose tables a later call with the same request uses again."""
    beam, beam_key = _beam(beam)
    key = (nside, repr(sorted(parameters.items())), beam_key, device)
    with _guard:
        if key not in _kept:
            _kept.clear()  # frees the memory of the last plan first
            _kept[key] = _core.DeviceSmooth(parameters, beam, nside, f"cuda:{device}", 0)
        return _kept[key]


def _check_device(name, device):
    if name in ("auto", "cuda"):
        return
    if name == "cpu" or str(device) not in name.removeprefix("cuda:").split(","):
        raise InvalidArgument(f"device: expected cuda:{device}, whose memory holds the array, found {name}")


def _smooth(arguments, parameters, _stated):
    """Smooth maps in device memory."""
    if arguments.get("kernel") is not None:
        raise Unsupported("kernel: expected fwhm or beam for maps in device memory, found kernel")
    beam = arguments.get("beam")
    if isinstance(beam, (list, tuple)) and any(not np.isscalar(each) for each in beam):
        raise Unsupported("beam: expected one beam for maps in device memory, found a list")
    if arguments.get("nest") or arguments.get("field"):
        raise Unsupported("expected maps in RING order without a choice of fields in device memory, found nest or "
                          "field")
    given = arguments["map"]
    arrays = list(given) if isinstance(given, (list, tuple)) else [given]
    exchange = _device.Exchange(_device.index_of(arrays[0]))
    _check_device(_settings.checked_device(arguments.get("device")), exchange.device)
    views = [exchange.take(array) for array in arrays]
    nside = nside_of(views[0].shape[-1])
    _device.check_rows(views, 12 * nside**2, "expected")
    kind = {None: views[0].dtype, "single": "float32", "double": "float64"}.get(arguments.get("precision"))
    if kind not in ("float32", "float64"):
        raise InvalidArgument(f"expected maps of float32 or float64 and precision single or double, found {kind}")
    count = sum(_device.row_count(view) for view in views)
    plan = _plan(nside, parameters, beam, exchange.device)
    is_flat = count == 1 and len(views[0].shape) == 1
    result, finish = exchange.new(arrays[0], (12 * nside**2,) if is_flat else (count, 12 * nside**2), kind)
    plan.smooth(views, [result], exchange.stream, _settings.checked_threads(arguments.get("threads")),
                _settings.progress_function(arguments.get("progress")))
    return finish()


def _stated_letter(letter, old_frame):
    """The letter of a stated frame. Raises Unsupported for FK4 and FK5, whose positions only the host converts."""
    if old_frame:
        raise Unsupported(f"input_frame: expected G, E or C for columns in device memory, found {old_frame}")
    return letter


def _grid(arguments, parameters, stated):
    """Grid columns in device memory."""
    given = arguments["samples"]
    if not isinstance(given, dict):
        raise Unsupported("samples: expected a dict of columns in device memory or a table in host memory, found an "
                          "array")
    for name in ("sightlines", "weights_out", "counts_out"):
        if arguments.get(name):
            raise Unsupported(f"{name}: expected an image or a map as the target of samples in device memory, and its "
                              f"values alone, found {name}")
    arrays = list(given.values())
    exchange = _device.Exchange(_device.index_of(arrays[0]))
    _check_device(_settings.checked_device(arguments.get("device")), exchange.device)
    views = [exchange.take(array) for array in arrays]
    threads = _settings.checked_threads(arguments.get("threads"))
    letter = _stated_letter(*stated)
    plan = _core.DeviceGrid(parameters, [str(name) for name in given], ["" for _ in given], letter,
                            f"cuda:{exchange.device}", threads)
    for note in plan.notes:
        logging.getLogger("armilla").info("grid: %s", note)
    first = plan.values[0]
    kind = {None: views[first].dtype, "single": "float32", "double": "float64"}.get(arguments.get("precision"))
    if kind not in ("float32", "float64"):
        raise InvalidArgument(f"expected columns of float32 or float64 and precision single or double, found {kind}")
    channels = len(plan.values)
    result, finish = exchange.new(arrays[first], (channels, plan.cells), kind)
    plan.grid(views, result, exchange.stream, threads, _settings.progress_function(arguments.get("progress")))
    shape = plan.image_shape or (plan.cells,)
    return finish().reshape(shape if channels == 1 else (channels, *shape))


class DeviceCatalogs:
    """The catalogs in device memory of one call."""

    def __init__(self, old_frame):
        self._old_frame = old_frame  # FK4, FK5 or empty
        self._exchange = None

    def add(self, columns, letter):
        """A dict of columns as a catalog of the library."""
        _stated_letter(letter, self._old_frame)
        arrays = list(columns.values())
        if self._exchange is None:
            self._exchange = _device.Exchange(_device.index_of(arrays[0]))
        views = [self._exchange.take(array) for array in arrays]
        return _core.device_catalog([str(name) for name in columns], views, self._exchange.stream, letter)

    def checked(self, device):
        """The device of the call, which is that of the catalogs."""
        if self._exchange is None:
            return device
        _check_device(device, self._exchange.device)
        return f"cuda:{self._exchange.device}"


DEVICE_CALLS = {"smooth": _smooth, "grid": _grid}
DEVICE_CATALOGS = ("correlate",)

DEVICE_DOCS = {
    "smooth": "Full maps in RING order in the memory of a CUDA device (CuPy, torch, JAX, or another library with "
              "DLPack) are smoothed there by method harmonic with a Gaussian beam (fwhm) or with B_l (beam: a file, an "
              "array or a Curve on the host), after the work in the current stream of their library. The result is an "
              "array of the same library. A list of maps gives an array of shape (maps, pixels).",
    "grid": "A dict of columns in the memory of a CUDA device (CuPy, torch, JAX, or another library with DLPack) is "
            "gridded there, after the work in the current stream of their library. The columns have one dimension and "
            "float32 or float64 values. Names of columns count as in a table; angles are in degrees. The result is an "
            "array of the same library, without weights and counts: of shape (height, width) for an image, (pixels,) "
            "for a map of all pixels in RING order; several value columns come first, as (columns, ...). NaN marks "
            "cells without samples. Positions are rotated to the frame of the target, Q and U are not. A position "
            "beyond the poles or a weight below 0 is an error.",
    "correlate": "Each catalog may be a dict of columns in the memory of one CUDA device (CuPy, torch, JAX, or another "
                 "library with DLPack). Its pairs are counted there, after the work in the current stream of that "
                 "library. The columns have one dimension and float32 or float64 values. Names of columns count as in a "
                 "table; angles are in degrees. The counts are those of the same catalogs on the host, and the result "
                 "is a Curve on the host. Other catalogs, and random_from, may be on the host. Catalogs in other "
                 "frames than that of the data are rotated on the device.",
}

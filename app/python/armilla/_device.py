# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in the memory of a CUDA device: of CuPy, torch, JAX and others with DLPack or the CUDA array interface.

A call imports such arrays without a copy, in the order of their library's current stream, and returns when its
work on the device is complete.
"""
import functools

import numpy as np

from . import _core
from ._errors import InvalidArgument, Unsupported

# Kinds of memory in DLPack: of the host (plain and page-locked), and of CUDA devices (plain and managed).
_HOST, _CUDA = (1, 3), (2, 13)
_LIBRARIES = ("torch", "cupy", "jax", "jaxlib", "numba", "numba_cuda")


def is_on_device(value):
    """Whether a value is an array in the memory of a device."""
    if value is None or isinstance(value, (np.ndarray, np.generic, str, bytes, int, float, complex)):
        return False
    if hasattr(value, "__dlpack_device__"):
        return value.__dlpack_device__()[0] not in _HOST
    return hasattr(value, "__cuda_array_interface__")


def index_of(array):
    """The number of the CUDA device that holds an array."""
    if hasattr(array, "__dlpack_device__"):
        return array.__dlpack_device__()[1]
    return _core.device_of_memory(array.__cuda_array_interface__["data"][0])


def find(value):
    """The device arrays of an argument: itself, or the members of a list or of a dict."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        arrays = [each for each in value if is_on_device(each)]
        if arrays and len(arrays) < len(value):
            raise InvalidArgument("expected arrays that are all in host memory or all in device memory, found both")
        return arrays
    return [value] if is_on_device(value) else []


def refuse(value, what):
    """Raise Unsupported for an array in device memory, where only arrays in host memory work."""
    for array in find(value):
        raise Unsupported(f"{what}: expected an array in host memory, found one of {_library(array) or 'a library'} "
                          "in device memory; Sht, smooth, grid and correlate take device arrays, other calls take a "
                          "copy on the host")


def _library(array):
    for base in type(array).__mro__:
        name = base.__module__.partition(".")[0]
        if name in _LIBRARIES:
            return {"jaxlib": "jax", "numba_cuda": "numba"}.get(name, name)
    return ""


@functools.cache
def _stream_of(device):
    return _core.DeviceStream(device)


class Exchange:
    """Arrays of one call on one CUDA device, in the order of a stream of the call."""

    def __init__(self, device):
        self.device = device
        self.stream = _stream_of(device)

    def take(self, array, is_ordered=False):
        """The library's view of an array. Later work of the stream begins after the work on the array.

        `is_ordered`: an earlier call has brought the stream after the current one of the array's library.
        """
        if not hasattr(array, "__dlpack_device__"):
            return self._take_interface(array)
        kind, device = array.__dlpack_device__()
        if kind not in _CUDA or device != self.device:
            raise InvalidArgument(f"expected arrays in the memory of cuda:{self.device}, found one in that of "
                                  f"{f'cuda:{device}' if kind in _CUDA else f'a device of DLPack kind {int(kind)}'}")
        try:
            capsule = array.__dlpack__(stream=-1 if is_ordered else self.stream.handle)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise InvalidArgument(f"expected an array that DLPack can export, found one of {type(array).__name__}: "
                                  f"{error}") from error
        return _core.device_array_of_capsule(capsule)

    def _take_interface(self, array):
        facts = array.__cuda_array_interface__
        if facts.get("strides") is not None:
            raise InvalidArgument("expected a contiguous device array, found one with strides")
        if facts.get("mask") is not None:
            raise InvalidArgument("expected a device array without a mask, found one with a mask")
        if facts.get("stream") is not None:
            self.stream.wait_for(facts["stream"])
        return _core.device_array_at(facts["data"][0], list(facts["shape"]), facts["typestr"], array)

    def new(self, like, shape, dtype):
        """A new array for a result: (view, function that returns it as an array of the library of `like`).

        `like`: an array that was taken before.
        """
        library = _library(like)
        if library == "torch":
            import torch
            array = torch.empty(shape, dtype=getattr(torch, dtype), device=f"cuda:{self.device}")
        elif library == "cupy":
            import cupy
            with cupy.cuda.Device(self.device):
                array = cupy.empty(shape, dtype=dtype)
        elif library == "numba":
            from numba import cuda
            array = cuda.device_array(shape, dtype=dtype)
        else:
            return self._new_exported(like, library, shape, dtype)
        return self.take(array, is_ordered=True), lambda: array

    def _new_exported(self, like, library, shape, dtype):
        """A result in memory of this module, which a library takes over without a copy."""
        if library == "jax":
            import jax
            if dtype in ("float64", "complex128") and not jax.config.jax_enable_x64:
                raise InvalidArgument(f"expected jax_enable_x64 for a result of {dtype}, found it off")
            from_dlpack = jax.dlpack.from_dlpack
        elif hasattr(like, "__array_namespace__"):
            from_dlpack = like.__array_namespace__().from_dlpack
        else:
            raise Unsupported(f"expected an array of a library with from_dlpack, or out, found {type(like).__name__}")
        memory = _core.new_device_array(list(shape), dtype, self.device)
        return self.take(memory, is_ordered=True), lambda: from_dlpack(memory)

    def take_out(self, out, like, count, size, dtypes):
        """Views of arrays that receive `count` rows of `size` values of one of some types.

        `like`: an input that was taken before.
        """
        arrays = list(out) if isinstance(out, (list, tuple)) else [out]
        views = []
        for array in arrays:
            if not is_on_device(array):
                raise InvalidArgument("out: expected arrays in device memory, as the input, found one on the host")
            if _library(array) == "jax":
                raise InvalidArgument("out: expected arrays that can be written, found one of JAX")
            views.append(self.take(array, is_ordered=bool(_library(like)) and _library(like) == _library(array)))
            if views[-1].dtype not in dtypes:
                raise InvalidArgument(f"out: expected {' or '.join(dtypes)}, found {views[-1].dtype}")
        check_rows(views, size, "out: expected")
        found = sum(row_count(view) for view in views)
        if found != count:
            raise InvalidArgument(f"out: expected {count} arrays, found {found}")
        return views


def row_count(view):
    """The number of rows of a view."""
    return view.shape[0] if len(view.shape) == 2 else 1


def check_rows(views, size, words):
    """Raise InvalidArgument unless all rows have `size` values."""
    for view in views:
        if view.shape[-1] != size:
            raise InvalidArgument(f"{words} arrays of {size} values, found one of shape {tuple(view.shape)}")

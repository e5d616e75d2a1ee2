# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of spherical harmonic transforms."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _device, _settings
from ._arrays import coefficients, flag, number, rows, samples, shown, whole, word
from ._errors import InvalidArgument, Unsupported
from ._values import Alm, Map

if TYPE_CHECKING:
    from ._types import NDArray, Progress


class Sht:
    """A plan of spherical harmonic transforms: tables once, many transforms.

    nside : resolution of the maps, in RING order.
    lmax, mmax : largest l (3 nside - 1) and m (lmax).
    weights : quadrature weights of `map2alm`: none, ring or pixel.
    iterations : Jacobi iterations of `map2alm` after the first pass.
    tolerance : above 0: `map2alm` is the least-squares solution to this relative residual, in place of iterations.
    device, threads : see `set_options`.

    Sums are in double precision; maps are float32 or float64 and are used without a copy. A plan runs one
    transform at a time; calls from several threads wait for each other. On a CUDA device it keeps host memory for the
    coefficients of its largest call, and for one freed result.

    `map2alm` and `alm2map` of a plan on a CUDA device take arrays in the memory of that device, from CuPy, torch,
    JAX or another library with `__dlpack__` or `__cuda_array_interface__`. The call follows the work in the
    library's current stream, copies nothing to the host, and returns an array of the same library when the result
    is complete. The tables for such arrays are made by the first such call. Least squares (`tolerance`) and
    `alm2map_gradient` take arrays in host memory only.

    Raises InvalidArgument for parameters out of range, Unsupported for a device that is not there, OutOfMemory, and
    DeviceError. Accuracy against a direct sum: lmax epsilon in the L2 norm, 1e-12 at lmax 4096. Conventions are those
    of HEALPix (K. M. Gorski et al. 2005, ApJ 622, 759); E and B are those of M. Zaldarriaga & U. Seljak 1997.
    """

    def __init__(self, nside: int, lmax: int | None = None, mmax: int | None = None, *, weights: str = "none",
                 iterations: int = 0, tolerance: float = 0.0, device: str | None = None,
                 threads: int | None = None) -> None:
        self._threads = threads
        self._plans: dict[Any, Any] = {}
        self._device_plans: dict[Any, Any] = {}
        self._shape = whole(nside, "nside"), _limit(lmax, "lmax"), _limit(mmax, "mmax")
        self._options = (whole(iterations, "iterations"), number(tolerance, "tolerance"),
                         _settings.checked_device(device))
        self._weights = word(weights, "weights")
        self._plan = self._plan_for(self._weights)

    def __reduce__(self):
        return _plan_of, (*self._shape, self._weights, *self._options, self._threads)

    def _plan_for(self, weights):
        if weights not in self._plans:
            iterations, tolerance, device = self._options
            self._plans[weights] = _core.Sht(*self._shape, weights, iterations, tolerance, device,
                                             _settings.checked_threads(self._threads))
        return self._plans[weights]

    def _device_plan_for(self, weights, device):
        if (weights, device) not in self._device_plans:
            indices = self.device.removeprefix("cuda:").split(",")
            if str(device) not in indices:
                raise InvalidArgument(f"expected a plan on cuda:{device} for arrays in its memory, found one on "
                                      f"{self.device}")
            iterations, tolerance, _ = self._options
            self._device_plans[weights, device] = _core.DeviceSht(
                self.nside, self.lmax, self.mmax, weights, iterations, tolerance, f"cuda:{device}",
                _settings.checked_threads(self._threads))
        return self._device_plans[weights, device]

    @property
    def nside(self) -> int:
        """Resolution of the maps."""
        return self._plan.nside

    @property
    def lmax(self) -> int:
        """Largest l."""
        return self._plan.lmax

    @property
    def mmax(self) -> int:
        """Largest m."""
        return self._plan.mmax

    @property
    def device(self) -> str:
        """The device that the plan runs on: cpu or cuda:N."""
        return self._plan.device

    @property
    def alm_size(self) -> int:
        """Number of coefficients of a map."""
        return (self.mmax + 1) * (self.mmax + 2) // 2 + (self.mmax + 1) * (self.lmax - self.mmax)

    @property
    def convergence(self) -> tuple[int, float]:
        """Steps and relative residual of the last least-squares analysis."""
        return self._plan.convergence

    def map2alm(self, maps: Any, *, spin: int = 0, pol: bool | None = None, weights: str | None = None,
                out: Any = None, threads: int | None = None, progress: Progress = None) -> Any:
        """Coefficients of a map, or of several.

        maps : an array of 12 nside^2 values in RING order, an array of shape (n, pixels), a list of arrays, or a
            Map. Bad pixels (NaN, UNSEEN, masked) count as zero; only then a copy is made. Also contiguous
            arrays in device memory.
        spin : 0, or s = 1, 2, 3 for the two components of a field of spin s.
        pol : three maps are T, Q, U (COSMO convention) and give T, E, B; by default so for three maps.
        weights : quadrature weights of this call: none, ring or pixel; by default those of the plan.
        out : complex128 arrays that receive the coefficients; in device memory complex64, too.
        threads, progress : see `set_options`.

        Returns complex128 arrays of `alm_size` values in healpy's order: of shape (alm_size,) for one map, (n,
        alm_size) for an array of n, a list for a list, an Alm for a Map; or `out`. Raises InvalidArgument for another
        number of pixels, Unsupported for iterations that diverge, and OutOfMemory.
        """
        spin = whole(spin, "spin")
        if _device.find(maps):
            return self._on_device("analysis", maps, self.alm_size, spin, pol,
                                   word(weights, "weights") or self._weights, out, ("complex128", "complex64"),
                                   threads, progress)
        is_value = isinstance(maps, Map)
        if is_value and (maps.ordering != "ring" or maps._pixels is not None):
            raise InvalidArgument("expected a full map in RING order, found another; convert() makes one")
        arrays = [samples(array) for array in (maps.fields.values() if is_value else rows(maps))]
        single = len(arrays) == 1
        polarized = _is_polarized(pol, spin, len(arrays))
        self._check(arrays, 12 * self.nside**2, "pixels")
        arrays = _alike(arrays)
        outs = _outputs(out, len(arrays), self.alm_size, np.complex128)
        plan = self._plan_for(word(weights, "weights") or self._weights)
        block = None
        if out is None and not is_value and self.device != "cpu":
            block = plan.new_coefficients(len(arrays), self._threads_of(threads))
            outs = list(block)
        made = plan.analysis(arrays, spin, polarized, outs, self._threads_of(threads),
                             _settings.progress_function(progress))
        if out is not None:
            return out
        if block is not None:
            return block[0] if single else block if isinstance(maps, np.ndarray) else list(block)
        if is_value:
            alm = Alm(made, mmax=self.mmax, spin=spin if len(made) == 2 else None)
            alm._letter = maps._letter
            return alm
        return made[0] if single else np.stack(made) if isinstance(maps, np.ndarray) else made

    def alm2map(self, alm: Any, *, spin: int = 0, pol: bool | None = None, out: Any = None, dtype: Any = np.float64,
                threads: int | None = None, progress: Progress = None) -> Any:
        """The map of coefficients, or several.

        alm : a complex array of `alm_size` values in healpy's order, an array of shape (n, alm_size), a list of
            arrays, or an Alm. Imaginary parts at m = 0 are taken as zero. Also contiguous arrays in device memory.
        spin, pol : as in `map2alm`.
        out : float32 or float64 arrays that receive the maps, else new ones of `dtype`.
        threads, progress : see `set_options`.

        Returns maps in RING order, in the unit of the coefficients: of shape (pixels,), or (n, pixels) of several, a
        Map of an Alm, or `out`. Raises InvalidArgument for another number of coefficients, and OutOfMemory.
        """
        spin = whole(spin, "spin")
        if _device.find(alm):
            return self._on_device("synthesis", alm, 12 * self.nside**2, spin, pol, self._weights, out,
                                   (_float_name(dtype), "float32", "float64"), threads, progress)
        is_value = isinstance(alm, Alm)
        arrays = [coefficients(array) for array in (alm.arrays if is_value else rows(alm))]
        single = len(arrays) == 1
        polarized = _is_polarized(pol, spin, len(arrays))
        self._check(arrays, self.alm_size, "coefficients")
        outs = _outputs(out, len(arrays), 12 * self.nside**2, None)
        block: Any = None
        if not outs:
            block = np.empty((len(arrays), 12 * self.nside**2), dtype=_float_name(dtype))
            outs = list(block)
        self._plan.synthesis(arrays, spin, polarized, outs, self._threads_of(threads),
                             _settings.progress_function(progress))
        if out is not None:
            return out
        if is_value:
            return Map(list(block), frame=alm.frame)
        return block[0] if single else block

    def alm2map_gradient(self, alm: Any, *, threads: int | None = None) -> NDArray:
        """The map, and its derivatives d/dtheta and 1/sin(theta) d/dphi, as an array of shape (3, pixels).

        alm : a complex array of `alm_size` values in healpy's order.
        threads : see `set_options`.

        The derivatives are per radian. Raises InvalidArgument for another number of coefficients.
        """
        _device.refuse(alm, "alm2map_gradient")
        alm = coefficients(alm)
        self._check([alm], self.alm_size, "coefficients")
        block = np.empty((3, 12 * self.nside**2))
        self._plan.gradient(alm, list(block), self._threads_of(threads))
        return block

    def _on_device(self, transform, given, size, spin, pol, weights, out, dtypes, threads, progress):
        """A transform of arrays in device memory to rows of `size` values; new results are of the first type."""
        if self.device == "cpu":
            raise Unsupported("expected a plan on a CUDA device for arrays in device memory, found one on cpu")
        arrays = list(given) if isinstance(given, (list, tuple)) else [given]
        exchange = _device.Exchange(_device.index_of(arrays[0]))
        plan = self._device_plan_for(weights, exchange.device)
        views = [exchange.take(array) for array in arrays]
        _device.check_rows(views, 12 * self.nside**2 if transform == "analysis" else self.alm_size, "expected")
        count = sum(_device.row_count(view) for view in views)
        polarized = _is_polarized(pol, spin, count)
        finish = None
        if out is not None:
            results = exchange.take_out(out, arrays[0], count, size, dtypes)
        elif isinstance(given, (list, tuple)) and transform == "analysis":
            made = [exchange.new(arrays[0], (size,), dtypes[0]) for _ in range(count)]
            results, finish = [view for view, _ in made], lambda: [end() for _, end in made]
        else:
            view, finish = exchange.new(arrays[0], (size,) if count == 1 else (count, size), dtypes[0])
            results = [view]
        getattr(plan, transform)(views, spin, polarized, results, exchange.stream, self._threads_of(threads),
                                 _settings.progress_function(progress))
        if finish is None:
            return out
        made = finish()
        return made[0] if isinstance(made, list) and count == 1 else made

    def _threads_of(self, threads):
        return _settings.checked_threads(self._threads if threads is None else threads)

    @staticmethod
    def _check(arrays, count, noun):
        for array in arrays:
            if array.shape != (count,):
                raise InvalidArgument(f"expected {count} {noun}, found an array of shape {array.shape}")

    def __repr__(self):
        return f"<armilla.Sht nside {self.nside}, lmax {self.lmax}, mmax {self.mmax}, on {self.device}>"


def _limit(value, name):
    """The largest l or m of a plan; -1 for None, which the library replaces by its default."""
    if value is None:
        return -1
    if whole(value, name) < 0:
        raise InvalidArgument(f"{name}: expected an integer from 0, found {shown(value)}")
    return int(value)


def _plan_of(nside, lmax, mmax, weights, iterations, tolerance, device, threads):
    """A plan that was pickled or copied: its tables are made again."""
    return Sht(nside, None if lmax < 0 else lmax, None if mmax < 0 else mmax, weights=weights, iterations=iterations,
               tolerance=tolerance, device=device, threads=threads)


def _is_polarized(pol, spin, count):
    if count == 0:
        raise InvalidArgument("expected an array at least, found none")
    pol = None if pol is None else flag(pol, "pol")
    if pol and count != 3:
        raise InvalidArgument(f"expected three arrays with pol, found {count}")
    if spin and count != 2:
        raise InvalidArgument(f"expected two arrays for spin {spin}, found {count}")
    return spin == 0 and count == 3 and pol is not False


def _float_name(dtype):
    """float32 or float64 for a type of numpy or of another library."""
    try:
        name = np.dtype(dtype if isinstance(dtype, (type, np.dtype)) else str(dtype).rpartition(".")[2]).name
    except TypeError:
        name = shown(dtype)
    if name not in ("float32", "float64"):
        raise InvalidArgument(f"dtype: expected float32 or float64, found {name}")
    return name


def _alike(arrays):
    """Arrays of one precision: of both, all become float64."""
    if len({array.dtype for array in arrays}) > 1:
        return [array.astype(np.float64, copy=False) for array in arrays]
    return arrays


def _outputs(out, count, size, dtype):
    if out is None:
        return []
    _device.refuse(out, "out")
    arrays = rows(out)
    for array in arrays:
        fits = array.dtype == dtype if dtype else array.dtype in (np.float32, np.float64)
        if array.shape != (size,) or not fits or not array.flags.c_contiguous or not array.flags.writeable:
            found = "" if array.flags.c_contiguous else ", not contiguous"
            found += "" if array.flags.writeable else ", read-only"
            raise InvalidArgument(f"out: expected a contiguous array of {size} values of "
                                  f"{np.dtype(dtype) if dtype else 'float32 or float64'}, found {array.dtype} "
                                  f"of shape {array.shape}{found}")
    if len(arrays) != count:
        raise InvalidArgument(f"out: expected {count} arrays, found {len(arrays)}")
    return arrays

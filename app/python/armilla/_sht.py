# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of spherical harmonic transforms."""
import numpy as np

from . import _core, _settings
from ._arrays import rows, samples
from ._errors import InvalidArgument
from ._values import Alm, Map


class Sht:
    """A plan of spherical harmonic transforms: tables once, many transforms.

    nside : resolution of the maps, in RING order.
    lmax, mmax : largest l (3 nside - 1) and m (lmax).
    weights : quadrature weights of `map2alm`: none, ring or pixel.
    iterations : Jacobi iterations of `map2alm` after the first pass.
    tolerance : above 0: `map2alm` is the least-squares solution to this relative residual, in place of iterations.
    device, threads : see `set_options`.

    Sums are in double precision; maps are float32 or float64 and are used without a copy. A plan runs one
    transform at a time; calls from several threads wait for each other.
    """

    def __init__(self, nside, lmax=None, mmax=None, *, weights="none", iterations=0, tolerance=0.0, device=None,
                 threads=None):
        self._threads = threads
        self._plans = {}
        self._shape = (int(nside), -1 if lmax is None else int(lmax), -1 if mmax is None else int(mmax))
        self._options = (int(iterations), float(tolerance), _settings.checked_device(device))
        self._weights = weights
        self._plan = self._plan_for(weights)

    def _plan_for(self, weights):
        if weights not in self._plans:
            iterations, tolerance, device = self._options
            self._plans[weights] = _core.Sht(*self._shape, weights, iterations, tolerance, device,
                                             _settings.checked_threads(self._threads))
        return self._plans[weights]

    @property
    def nside(self):
        """Resolution of the maps."""
        return self._plan.nside

    @property
    def lmax(self):
        """Largest l."""
        return self._plan.lmax

    @property
    def mmax(self):
        """Largest m."""
        return self._plan.mmax

    @property
    def device(self):
        """The device that the plan runs on: cpu or cuda:N."""
        return self._plan.device

    @property
    def alm_size(self):
        """Number of coefficients of a map."""
        return (self.mmax + 1) * (self.mmax + 2) // 2 + (self.mmax + 1) * (self.lmax - self.mmax)

    @property
    def convergence(self):
        """Steps and relative residual of the last least-squares analysis."""
        return self._plan.convergence

    def map2alm(self, maps, *, spin=0, pol=None, weights=None, out=None, threads=None, progress=None):
        """Coefficients of a map, or of several.

        maps : an array of 12 nside^2 values in RING order, an array of shape (n, pixels), a list of arrays, or a
            Map. Bad pixels (NaN, UNSEEN, masked) count as zero; only then a copy is made.
        spin : 0, or s = 1, 2, 3 for the two components of a field of spin s.
        pol : three maps are T, Q, U (COSMO convention) and give T, E, B; by default so for three maps.
        weights : quadrature weights of this call: none, ring or pixel; by default those of the plan.
        out : complex128 arrays that receive the coefficients.
        """
        is_value = isinstance(maps, Map)
        if is_value and (maps.ordering != "ring" or maps._pixels is not None):
            raise InvalidArgument("expected a full map in RING order, found another; convert() makes one")
        arrays = [samples(array) for array in (maps.fields.values() if is_value else rows(maps))]
        single = len(arrays) == 1
        polarized = _is_polarized(pol, spin, len(arrays))
        self._check(arrays, 12 * self.nside**2, "pixels")
        arrays = _alike(arrays)
        outs = _outputs(out, len(arrays), self.alm_size, np.complex128)
        plan = self._plan_for(weights or self._weights)
        made = plan.analysis(arrays, spin, polarized, outs, self._threads_of(threads),
                             _settings.progress_function(progress))
        if out is not None:
            return out
        if is_value:
            alm = Alm(made, mmax=self.mmax)
            alm._letter = maps._letter
            return alm
        return made[0] if single else np.stack(made) if isinstance(maps, np.ndarray) else made

    def alm2map(self, alm, *, spin=0, pol=None, out=None, dtype=np.float64, threads=None, progress=None):
        """The map of coefficients, or several.

        alm : a complex array of `alm_size` values in healpy's order, an array of shape (n, alm_size), a list of
            arrays, or an Alm. Imaginary parts at m = 0 are taken as zero.
        spin, pol : as in `map2alm`.
        out : float32 or float64 arrays that receive the maps, else new ones of `dtype`.
        """
        is_value = isinstance(alm, Alm)
        arrays = [np.ascontiguousarray(array, dtype=np.complex128)
                  for array in (alm.arrays if is_value else rows(alm))]
        single = len(arrays) == 1
        polarized = _is_polarized(pol, spin, len(arrays))
        self._check(arrays, self.alm_size, "coefficients")
        outs = _outputs(out, len(arrays), 12 * self.nside**2, None)
        block = None
        if not outs:
            block = np.empty((len(arrays), 12 * self.nside**2), dtype=dtype)
            outs = list(block)
        self._plan.synthesis(arrays, spin, polarized, outs, self._threads_of(threads),
                             _settings.progress_function(progress))
        if out is not None:
            return out
        if is_value:
            return Map(list(block), frame=alm.frame)
        return block[0] if single else block

    def alm2map_gradient(self, alm, *, threads=None):
        """The map, and its derivatives d/dtheta and 1/sin(theta) d/dphi, as an array of shape (3, pixels)."""
        alm = np.ascontiguousarray(alm, dtype=np.complex128)
        self._check([alm], self.alm_size, "coefficients")
        block = np.empty((3, 12 * self.nside**2))
        self._plan.gradient(alm, list(block), self._threads_of(threads))
        return block

    def _threads_of(self, threads):
        return _settings.checked_threads(self._threads if threads is None else threads)

    @staticmethod
    def _check(arrays, count, noun):
        for array in arrays:
            if array.shape != (count,):
                raise InvalidArgument(f"expected {count} {noun}, found an array of shape {array.shape}")

    def __repr__(self):
        return f"<armilla.Sht nside {self.nside}, lmax {self.lmax}, mmax {self.mmax}, on {self.device}>"


def _is_polarized(pol, spin, count):
    if pol and count != 3:
        raise InvalidArgument(f"expected three arrays with pol, found {count}")
    if spin and count != 2:
        raise InvalidArgument(f"expected two arrays for spin {spin}, found {count}")
    return spin == 0 and count == 3 and pol is not False


def _alike(arrays):
    """Arrays of one precision: of both, all become float64."""
    if len({array.dtype for array in arrays}) > 1:
        return [array.astype(np.float64, copy=False) for array in arrays]
    return arrays


def _outputs(out, count, size, dtype):
    if out is None:
        return []
    arrays = rows(out)
    for array in arrays:
        fits = array.dtype == dtype if dtype else array.dtype in (np.float32, np.float64)
        if array.shape != (size,) or not fits or not array.flags.c_contiguous or not array.flags.writeable:
            raise InvalidArgument(f"out: expected a contiguous array of {size} values of "
                                  f"{np.dtype(dtype) if dtype else 'float32 or float64'}, found {array.dtype} "
                                  f"of shape {array.shape}")
    if len(arrays) != count:
        raise InvalidArgument(f"out: expected {count} arrays, found {len(arrays)}")
    return arrays

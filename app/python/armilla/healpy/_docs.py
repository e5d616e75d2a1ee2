# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes, units and errors in the docstrings, which follow from the names of the arguments."""
import inspect

_NOTES = (
    (("maps", "map1", "map2", "map_in", "m"),
     "Maps: an array of 12 nside^2 values, or a sequence of them, or an array of shape (maps, pixels); UNSEEN and "
     "masked entries are bad."),
    (("alm", "alms", "alms1"),
     "Coefficients: complex arrays of Alm.getsize(lmax, mmax) values, all l of m = 0, then of m = 1, ..."),
    (("cl", "cls", "fl", "bl"), "Functions of l: arrays for l = 0, 1, 2, ..."),
    (("ipix", "pix"), "Pixels: a number or an array of numbers; results have its shape."),
    (("theta", "theta1", "vertices", "vec"),
     "Directions: colatitude theta and longitude phi in radians, or unit vectors (x, y, z)."),
    (("lonlat",), "lonlat: longitude and latitude in degrees in place of theta and phi."),
    (("nest",), "nest: pixels in NESTED order; by default in RING order."),
    (("fwhm",), "fwhm: FWHM of a Gaussian beam in radians."),
    (("sigma",), "sigma: its standard deviation in radians, in place of fwhm."),
    (("lmax",), "lmax: largest l; by default 3 nside - 1, or all that is given."),
    (("mmax",), "mmax: largest m; by default lmax."),
    (("iter",), "iter: Jacobi iterations of the analysis."),
    (("psi",), "psi, theta, phi: Euler angles in radians."),
    (("gal_cut",), "gal_cut: least latitude of the pixels that count, in degrees."),
)


def complete(functions):
    """Add the notes on its arguments to the docstring of each function, by name."""
    for name, function in functions.items():
        if inspect.isclass(function) or not inspect.isfunction(function):
            continue
        taken = set(inspect.signature(function).parameters)
        notes = [text for names, text in _NOTES if taken & set(names)]
        notes.append(f"Arguments, shapes and defaults are those of healpy.{name} (healpy 1.20). Raises ValueError, "
                     "TypeError or AssertionError as healpy, and armilla.Error where the library fails.")
        function.__doc__ = inspect.cleandoc(function.__doc__) + "\n\n" + "\n".join(notes)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Images whose rows are rings (CAR), and files of HDF5, through the module."""
import ctypes
import ctypes.util

import astropy.io.fits
import numpy as np
import pytest
from conftest import command

import armilla

LMAX = 12
STEP = 5.0  # degrees


def y_10(lat):
    """Y_10 sqrt(4 pi / 3) = cos(theta)."""
    return np.sin(np.radians(lat))


@pytest.fixture
def car():
    """cos(theta) on an image of the whole sky whose pixels lie on rings between the poles."""
    cards = {"CTYPE1": "GLON-CAR", "CTYPE2": "GLAT-CAR", "CUNIT1": "deg", "CUNIT2": "deg", "CRVAL1": 0.0,
             "CRVAL2": 0.0, "CRPIX1": 36.5, "CRPIX2": 18.5, "CDELT1": -STEP, "CDELT2": STEP, "BUNIT": "K"}
    lat = (np.arange(36) - 17.5) * STEP
    return armilla.Image(np.repeat(y_10(lat)[:, None], 72, axis=1), astropy.io.fits.Header(cards))


@pytest.mark.parametrize("name, options", [("map2alm", {"lmax": LMAX}), ("smooth", {"fwhm": "10deg", "lmax": LMAX}),
                                           ("anafast", {"lmax": LMAX})])
def test_car_images_have_the_bits_of_the_command(car, tmp_path, name, options):
    path, expected = tmp_path / "car.fits", tmp_path / "expected.fits"
    armilla.write(car, path)
    command(name, path, expected, *[word for key, value in options.items() for word in (f"--{key}", value)],
            "--device", "cpu")
    for given in (car, str(path), armilla.read(path)):
        armilla.write(getattr(armilla, name)(given, **options, device="cpu"), tmp_path / "made.fits", overwrite=True)
        made, wanted = armilla.read(tmp_path / "made.fits"), armilla.read(expected)
        assert type(made) is type(wanted)
        parts = {"map2alm": "values", "smooth": "data", "anafast": "y"}[name]
        np.testing.assert_array_equal(getattr(made, parts), getattr(wanted, parts))


def test_transforms_of_a_car_image(car, tmp_path):
    alm = armilla.map2alm(car, lmax=LMAX, device="cpu")
    expected = np.zeros(alm.values.size, complex)
    expected[1] = np.sqrt(4 * np.pi / 3)
    # Sums over 36 rings and 13 l round by less than 100 epsilon.
    np.testing.assert_allclose(alm.values, expected, atol=100 * np.finfo(float).eps)
    path = tmp_path / "car.fits"
    armilla.write(car, path)
    back = armilla.alm2map(alm, like=path, device="cpu")
    assert isinstance(back, armilla.Image)
    np.testing.assert_allclose(back.data, car.data, atol=100 * np.finfo(float).eps)
    # A Gaussian beam multiplies a_10 by B_1 = exp(-sigma^2).
    smoothed = armilla.smooth(car, fwhm="20deg", lmax=LMAX, device="cpu")
    factor = np.exp(-np.radians(20.0)**2 / (8 * np.log(2)))
    np.testing.assert_allclose(smoothed.data, factor * car.data, atol=1e-13)
    # A map of the pixels of HEALPix from the image.
    m = armilla.convert(car, nside=8)
    theta, _ = armilla.healpy.pix2ang(8, np.arange(768))
    # Linear interpolation over a step errs by its square over 8. The mean of cos(theta) over a square of side s is
    # less by the share s^2 / 12, and s^2 is the area of a pixel.
    limit = np.radians(STEP)**2 / 8 + 4 * np.pi / 768 / 12
    np.testing.assert_allclose(m.values, np.cos(theta), atol=limit)


class Hdf5:
    """The few functions of the HDF5 library that write data sets of doubles."""

    def __init__(self):
        name = ctypes.util.find_library("hdf5_serial") or ctypes.util.find_library("hdf5")
        if name is None:
            pytest.skip("no HDF5 library")
        self.hdf5 = ctypes.CDLL(name)
        for function in ("H5open", "H5Fcreate", "H5Screate_simple", "H5Dcreate2", "H5Dwrite", "H5Dclose", "H5Sclose",
                         "H5Fclose"):
            getattr(self.hdf5, function).restype = ctypes.c_int64
        self.hdf5.H5open()
        self.double = ctypes.c_int64(ctypes.c_int64.in_dll(self.hdf5, "H5T_NATIVE_DOUBLE_g").value)

    def write(self, path, columns):
        none, hdf5 = ctypes.c_int64(0), self.hdf5
        file = ctypes.c_int64(hdf5.H5Fcreate(str(path).encode(), ctypes.c_uint(2), none, none))  # 2: truncate
        assert file.value >= 0
        for name, values in columns.items():
            values = np.ascontiguousarray(values, np.float64)
            shape = (ctypes.c_uint64 * values.ndim)(*values.shape)
            space = ctypes.c_int64(hdf5.H5Screate_simple(ctypes.c_int(values.ndim), shape, None))
            data = ctypes.c_int64(hdf5.H5Dcreate2(file, name.encode(), self.double, space, none, none, none))
            assert hdf5.H5Dwrite(data, self.double, none, none, none, values.ctypes.data_as(ctypes.c_void_p)) >= 0
            hdf5.H5Dclose(data)
            hdf5.H5Sclose(space)
        hdf5.H5Fclose(file)


def test_samples_of_hdf5(tmp_path):
    rng = np.random.default_rng(2)
    columns = {"ra": rng.uniform(0, 10, 300), "dec": rng.uniform(-5, 5, 300), "ta": rng.standard_normal(300)}
    path = tmp_path / "samples.h5"
    Hdf5().write(path, columns)
    table = armilla.read(path)
    for name, values in columns.items():
        np.testing.assert_array_equal(table[name], values)
    options = {"value": "ta", "kernel_fwhm": "2deg", "nside": 32}
    command("grid", path, tmp_path / "g.fits", "--value", "ta", "--kernel-fwhm", "2deg", "--nside", 32, "--device", "cpu")
    expected = armilla.read(tmp_path / "g.fits")
    for given in (path, armilla.Catalog(columns, frame="equatorial")):
        made = armilla.grid(given, **options, device="cpu")
        made = made[0] if isinstance(made, tuple) else made
        armilla.write(made, tmp_path / "made.fits", overwrite=True)
        again = armilla.read(tmp_path / "made.fits")
        for name, values in expected.fields.items():
            np.testing.assert_array_equal(again[name], values)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Values, results and plans that are pickled, copied, sent to other processes, and edited."""
import copy
import multiprocessing
import pickle

import numpy as np
import pytest
from astropy.io import fits

import armilla

CPU = {"device": "cpu"}


@pytest.fixture(scope="module")
def sky():
    return armilla.sample(nside=32)


def cells(path):
    """A map of cells of orders 1 and 2 with cards of other programs, in a file."""
    header = fits.Header({"PIXTYPE": "HEALPIX", "ORDERING": "NUNIQ", "MOCORDER": 2, "INDXSCHM": "EXPLICIT",
                          "TELESCOP": "none"})
    numbers = np.array([4 * 4**1 + 3, 4 * 4**2 + 7 * 16 + 5], dtype=np.int64)
    columns = [fits.Column("UNIQ", "K", array=numbers), fits.Column("N", "J", array=np.array([2, 5]))]
    fits.HDUList([fits.PrimaryHDU(), fits.BinTableHDU.from_columns(columns, header)]).writeto(path)
    return armilla.read(path)


MAKERS = {
    "map": lambda sky, folder: sky,
    "map of an array": lambda sky, folder: armilla.Map(sky.values, frame="galactic", unit="K"),
    "partial map": lambda sky, folder: armilla.convert(armilla.Map(np.where(sky.values > 0, 1.0, np.nan)), sparse=True),
    "cells": lambda sky, folder: cells(folder / "cells.fits"),
    "catalog": lambda sky, folder: armilla.sources(sky, fwhm="3deg", **CPU),
    "table": lambda sky, folder: armilla.Catalog({"RA": [1.0], "DEC": [2.0], "NAME": ["a"], "N": [3]}),
    "statistics": lambda sky, folder: armilla.stats(sky, **CPU),
    "image": lambda sky, folder: armilla.Image(np.arange(12.0).reshape(3, 4)),
    "curve": lambda sky, folder: armilla.Curve([1, 2], {"A": [3, 4]}, errors={"A": [1, 1]}, x_unit="deg"),
    "spectrum": lambda sky, folder: armilla.anafast(sky, lmax=20, **CPU),
    "coefficients": lambda sky, folder: armilla.map2alm(sky, lmax=20, **CPU),
}


@pytest.mark.parametrize("name", list(MAKERS))
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))],
                         ids=["copy", "deepcopy", "pickle"])
def test_a_copy_is_written_as_the_value(sky, tmp_path, name, again):
    value = MAKERS[name](sky, tmp_path)
    made = again(value)
    assert type(made) is type(value) and repr(made) == repr(value)
    assert made.figures == value.figures and made.summary == value.summary
    value.write(tmp_path / "value.fits")
    made.write(tmp_path / "copy.fits")
    # The checksum of an HDU covers its date.
    difference = fits.FITSDiff(tmp_path / "value.fits", tmp_path / "copy.fits", ignore_keywords=["DATE", "CHECKSUM"])
    assert difference.identical, difference.report()


def test_a_deep_copy_has_memory_of_its_own(sky):
    for value in (sky, armilla.Map(sky.values.copy())):
        name = next(iter(value.fields))
        made = copy.deepcopy(value)
        assert not np.shares_memory(made[name], value[name])
        made[name][:] = 7
        assert armilla.stats(made)["MAX"][0] == 7 and armilla.stats(value)["MAX"][0] != 7


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))],
                         ids=["copy", "deepcopy", "pickle"])
def test_figures_go_with_copies_of_results(sky, again):
    array = armilla.smooth(sky.values, fwhm="10deg", **CPU)
    made = again(array)
    np.testing.assert_array_equal(made, array)
    assert made.figures == array.figures and made.figures["device"] == "cpu"
    several = armilla.sources(sky, fwhm="3deg", snr=True, **CPU)
    made = again(several)
    assert made._fields == ("catalog", "snr") and made.figures == several.figures
    np.testing.assert_array_equal(made.snr.values, several.snr.values)
    plan = armilla.Sht(16, 20, iterations=1, weights="ring", **CPU)
    made = again(plan)
    array = np.random.default_rng(1).standard_normal(12 * 16**2)
    assert repr(made) == repr(plan)
    np.testing.assert_array_equal(made.map2alm(array), plan.map2alm(array))


def test_errors_are_pickled():
    for kind in (armilla.InvalidArgument, armilla.FileError, armilla.OutOfMemory, armilla.Unsupported):
        made = pickle.loads(pickle.dumps(kind("expected this, found that")))
        assert type(made) is kind and str(made) == "expected this, found that"


def smoothed(value):
    return armilla.smooth(value, fwhm="10deg", threads=1, **CPU)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_values_go_to_other_processes_and_back(sky, method):
    expected = smoothed(sky)  # threads of this process have worked before the fork
    with multiprocessing.get_context(method).Pool(1) as pool:
        found = pool.map_async(smoothed, [sky, sky.values]).get(600)
    np.testing.assert_array_equal(found[0].values, expected.values)
    assert found[0].frame == expected.frame and found[0].units == expected.units
    assert found[0].figures == expected.figures
    np.testing.assert_array_equal(found[1], expected.values.astype(found[1].dtype))


def test_parts_that_are_replaced_count(sky, tmp_path):
    one = sky.values
    changed = copy.copy(sky)
    name = next(iter(changed.fields))
    changed.fields[name] = np.arange(one.size)
    changed.units[name] = "Jy"
    changed.write(tmp_path / "m.fits")
    found = armilla.read(tmp_path / "m.fits")
    np.testing.assert_array_equal(found[name], np.arange(one.size))
    assert found.units[name] == "Jy" and found.frame == sky.frame
    assert armilla.stats(changed)["MAX"][0] == one.size - 1
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(changed))[name], np.arange(one.size))
    image = armilla.project(sky, center="0deg,0deg", size=(8, 6), resolution="5deg", frame="galactic")
    image.data = np.full((6, 8), 7)
    assert armilla.stats(image)["MAX"][0] == 7
    spectrum = armilla.anafast(sky, lmax=8, **CPU)
    spectrum.columns["TT"] = np.ones(9)
    spectrum.write(tmp_path / "c.fits")
    np.testing.assert_array_equal(armilla.read(tmp_path / "c.fits")["TT"], np.ones(9))
    alm = armilla.map2alm(sky, lmax=8, **CPU)
    alm.arrays[0] = np.ones(45)
    np.testing.assert_array_equal(armilla.alm(alm, lmax=4)[0], np.ones(15))
    catalog = armilla.sources(sky, fwhm="3deg", **CPU)
    catalog.units["PEAK"] = "Jy"
    catalog.write(tmp_path / "t.fits")
    assert armilla.read(tmp_path / "t.fits").units["PEAK"] == "Jy"
    # Another number of values is an error, not the value before the change.
    for value, replace in ((copy.copy(sky), lambda value: value.fields.update({name: np.ones(5)})),
                           (armilla.map2alm(sky, lmax=8, **CPU), lambda value: value.arrays.append(np.ones(5)))):
        replace(value)
        with pytest.raises(armilla.InvalidArgument, match="found 5"):
            value.write(tmp_path / "wrong.fits")


def test_columns_that_are_copies_cannot_be_written(tmp_path):
    armilla.Catalog({"RA": [1.0, 2.0], "DEC": [3.0, 4.0], "NAME": ["a", "b"],
                     "N": np.ma.masked_array([5, 6], [False, True])}).write(tmp_path / "t.fits")
    catalog = armilla.read(tmp_path / "t.fits")
    for name, value in (("NAME", "c"), ("N", 7)):
        with pytest.raises(ValueError, match="read-only"):
            catalog[name][0] = value
    catalog["RA"][0] = 9.0
    catalog.write(tmp_path / "again.fits")
    assert list(armilla.read(tmp_path / "again.fits")["RA"]) == [9.0, 2.0]


def test_bad_pixels_written_into_a_map(sky):
    name = next(iter(sky.fields))
    for kind in (np.float32, np.float64):
        source = armilla.convert(armilla.Map(sky[name].astype(kind), frame="galactic"), ordering="ring")
        values = source.values
        expected = values.copy()
        values[:300], values[300] = armilla.healpy.UNSEEN, np.inf
        expected[:301] = np.nan
        for operation in (lambda value: armilla.smooth(value, fwhm="10deg", masked="normalize", **CPU),
                          lambda value: armilla.convert(value, nside=8)):
            np.testing.assert_array_equal(np.asarray(operation(source)), np.asarray(operation(expected)))
        assert armilla.stats(source)["GOOD"][0] == values.size - 301

# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of wrong types and shapes: one line that names the argument, as InvalidArgument."""
import decimal

import numpy as np
import pytest

import armilla

PIXELS = 768
WRONG = {"large": 2**70, "list": [1, 2], "dict": {}, "object": object(), "complex": 1j, "bytes": b"8",
         "nothing in a list": [None], "empty array": np.array([]), "long array": np.arange(1000),
         "decimal": decimal.Decimal("8.5")}


@pytest.fixture(scope="module")
def plan():
    return armilla.Sht(8, 16, device="cpu")


def edited(value, **parts):
    """The value for the library, after a caller has replaced parts."""
    for name, part in parts.items():
        setattr(value, name, part)
    return value._core_value()


M = np.random.default_rng(1).standard_normal(PIXELS)
ALM = np.zeros(153, complex)
POINTS = {"RA": [1.0, 2.0], "DEC": [3.0, 4.0]}
CALLS = {
    "nside": lambda wrong, plan: armilla.sample(nside=wrong),
    "fwhm": lambda wrong, plan: armilla.smooth(M, fwhm=wrong),
    "method": lambda wrong, plan: armilla.smooth(M, fwhm="3deg", method=wrong),
    "polarization": lambda wrong, plan: armilla.smooth(M, fwhm="3deg", polarization=wrong),
    "threads": lambda wrong, plan: armilla.smooth(M, fwhm="3deg", threads=wrong),
    "device": lambda wrong, plan: armilla.smooth(M, fwhm="3deg", device=wrong),
    "field": lambda wrong, plan: armilla.smooth(M, fwhm="3deg", field={"a": wrong}),
    "precision": lambda wrong, plan: armilla.smooth(M, fwhm="3deg", precision=wrong),
    "frame": lambda wrong, plan: armilla.smooth(M, fwhm="3deg", frame=wrong),
    "input_frame": lambda wrong, plan: armilla.smooth(M, fwhm="3deg", input_frame=wrong),
    "kernel": lambda wrong, plan: armilla.smooth(M, kernel=wrong),
    "center": lambda wrong, plan: armilla.project(M, center=wrong, size=(4, 4), resolution="1deg"),
    "input_dl": lambda wrong, plan: armilla.synfast(np.ones(9), nside=4, input_dl=wrong),
    "weights": lambda wrong, plan: armilla.Sht(8, 16, weights=wrong),
    "tolerance": lambda wrong, plan: armilla.Sht(8, 16, tolerance=[wrong]),
    "lmax": lambda wrong, plan: armilla.Sht(8, wrong),
    "spin": lambda wrong, plan: plan.map2alm([M, M], spin=wrong),
    "pol": lambda wrong, plan: plan.map2alm([M, M, M], pol=wrong),
    "weights of a call": lambda wrong, plan: plan.map2alm(M, weights=wrong),
    "maps": lambda wrong, plan: plan.map2alm(wrong),
    "no maps": lambda wrong, plan: plan.map2alm(np.zeros((0, PIXELS))),
    "out": lambda wrong, plan: plan.map2alm(M, out=wrong),
    "alm": lambda wrong, plan: plan.alm2map(wrong),
    "dtype": lambda wrong, plan: plan.alm2map(ALM, dtype=wrong),
    "gradient": lambda wrong, plan: plan.alm2map_gradient(wrong),
    "nside of a map": lambda wrong, plan: armilla.Map(M, nside=wrong),
    "ordering": lambda wrong, plan: armilla.Map(M, ordering=wrong),
    "frame of a map": lambda wrong, plan: armilla.Map(M, frame=wrong),
    "data": lambda wrong, plan: armilla.Map(wrong),
    "rows": lambda wrong, plan: armilla.Map(["a", M]),
    "lon": lambda wrong, plan: armilla.Catalog(POINTS, lon=wrong, lat="DEC"),
    "units": lambda wrong, plan: armilla.Catalog(POINTS, units=[wrong]),
    "header": lambda wrong, plan: armilla.Image(np.ones((3, 3)), header=3),
    "x": lambda wrong, plan: armilla.Curve([1, 2, 3], [1, 2]),
    "y": lambda wrong, plan: armilla.Curve(None, {}),
    "kind": lambda wrong, plan: armilla.Curve(None, [1, 2], kind=wrong)._core_value(),
    "mmax": lambda wrong, plan: armilla.Alm(ALM, mmax=wrong),
    "least mmax": lambda wrong, plan: armilla.Alm(ALM, mmax=-1),
    "spin of alm": lambda wrong, plan: armilla.Alm([ALM, ALM], spin=wrong),
    "field of a file": lambda wrong, plan: armilla.read("none.fits", field={"a": wrong}),
    "path": lambda wrong, plan: armilla.write(M, [wrong]),
    "path of a file": lambda wrong, plan: armilla.read([wrong]),
    "format": lambda wrong, plan: armilla.figure(M, format=wrong),
    "default device": lambda wrong, plan: armilla.set_options(device=wrong),
    "default progress": lambda wrong, plan: armilla.set_options(progress=[wrong]),
    "data of an image": lambda wrong, plan: edited(armilla.Image(np.ones((3, 3))), data=np.ones(3)),
    "data of no dimension": lambda wrong, plan: edited(armilla.Image(np.ones((3, 3))), data=3.0),
    "changed spin": lambda wrong, plan: edited(armilla.Alm([ALM, ALM], spin=2), spin=wrong),
    "errors of no column": lambda wrong, plan: armilla.Curve(None, {"A": [1, 2]}, {"B": [1, 2]})._core_value(),
    "fields of a map": lambda wrong, plan: edited(armilla.Map(M), fields=wrong),
    "values of a field": lambda wrong, plan: edited(armilla.Map(M), fields={"A": wrong}),
    "fields of a result": lambda wrong, plan: edited(armilla.convert(armilla.Map(M)), fields=wrong),
    "units of a map": lambda wrong, plan: edited(armilla.Map(M), units=[wrong]),
    "units of a catalog": lambda wrong, plan: edited(armilla.Catalog(POINTS), units=[wrong]),
    "units of a curve": lambda wrong, plan: edited(armilla.Curve(None, [1, 2]), units=[wrong]),
    "columns": lambda wrong, plan: edited(armilla.Curve(None, [1, 2]), columns=[wrong]),
    "errors": lambda wrong, plan: edited(armilla.Curve(None, [1, 2]), errors=[wrong]),
    "arrays": lambda wrong, plan: edited(armilla.Alm(ALM), arrays=wrong),
    "arrays of a result": lambda wrong, plan: edited(armilla.map2alm(armilla.Map(M), lmax=16), arrays=wrong),
    "no column": lambda wrong, plan: edited(armilla.Curve(None, [1, 2]), columns={}, errors={}),
    "value of a name": lambda wrong, plan: armilla.calc(let={"a": 1j}, expression="a"),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=list(WRONG))
@pytest.mark.parametrize("name", list(CALLS))
def test_one_line_says_what_was_expected(plan, name, wrong):
    with pytest.raises(armilla.InvalidArgument) as caught:
        CALLS[name](wrong, plan)
    line = str(caught.value)
    assert "\n" not in line and "expected" in line and len(line) < 300, line


@pytest.mark.parametrize("make", [lambda: armilla.Map(np.arange(12.0)),
                                  lambda: armilla.convert(armilla.Map(np.arange(12.0)))], ids=["map", "result"])
def test_a_field_has_one_value_for_each_pixel(make):
    """Twelve values in two rows are not the twelve pixels of nside 1."""
    with pytest.raises(armilla.InvalidArgument, match=r"A: expected 12 values.*shape \(2, 6\)"):
        edited(make(), fields={"A": np.arange(12.0).reshape(2, 6)})
    alm = armilla.map2alm(armilla.Map(M), lmax=2)
    with pytest.raises(armilla.InvalidArgument, match=r"expected 6 coefficients of lmax 2.*shape \(2, 3\)"):
        edited(alm, arrays=[np.ones((2, 3), complex)])


def test_values_of_other_types_that_are_meant(plan):
    """Numbers and texts of numpy, names of files as bytes, and columns in a list serve as those of Python."""
    expected = armilla.smooth(M, fwhm="3deg", field="1")
    for options in ({"field": 1}, {"field": np.int8(1)}, {"field": [1]}, {"field": np.str_("1"), "threads": np.int8(2)}):
        np.testing.assert_array_equal(armilla.smooth(M, fwhm="3deg", **options), expected)
    assert armilla.Alm(ALM, mmax=np.int8(16)).lmax == 16
    assert plan.map2alm([M, M, M], pol=np.False_)[0].shape == ALM.shape
    with pytest.raises(armilla.FileError, match="none.fits"):
        armilla.read(b"none.fits")


def test_a_message_is_short():
    with pytest.raises(armilla.InvalidArgument) as caught:
        armilla.Sht(np.arange(100000))
    assert str(caught.value).startswith("nside: expected an integer, found array([") and len(str(caught.value)) < 120

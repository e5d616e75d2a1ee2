# SPDX-License-Identifier: GPL-3.0-or-later
"""Values from and to numpy, and files."""
import astropy.io.fits
import astropy.table
import astropy.units as u
import numpy as np
import pytest

import armilla

UNSEEN = -1.6375e30


@pytest.fixture
def values():
    return np.random.default_rng(1).standard_normal(12 * 16**2)


def test_map_shares_memory(values):
    for array in (values, values.astype(np.float32)):
        assert np.shares_memory(armilla.Map(array).fields["SIGNAL"], array)


@pytest.mark.parametrize("kind", ["strided", "swapped", "integers"])
def test_map_copies_what_it_cannot_share(values, kind):
    array = {"strided": np.repeat(values, 2)[::2], "swapped": values.astype(">f8"),
             "integers": np.arange(values.size)}[kind]
    made = armilla.Map(array)["SIGNAL"]
    assert made.dtype == np.float64 and made.flags.c_contiguous
    np.testing.assert_array_equal(made, array)


def test_map_round_trip(values, tmp_path):
    m = armilla.Map({"A": values, "B": values.astype(np.float32)}, ordering="nested", frame="galactic", unit="K")
    armilla.write(m, tmp_path / "m.fits")
    again = armilla.read(tmp_path / "m.fits")
    assert (again.nside, again.ordering, again.frame) == (16, "nested", "galactic")
    assert again.units == {"A": "K", "B": "K"}
    np.testing.assert_array_equal(again["A"], values)
    assert again["B"].dtype == np.float32
    with pytest.raises(armilla.FileError):
        armilla.write(m, tmp_path / "m.fits")
    armilla.write(m, tmp_path / "m.fits", overwrite=True)


def test_bad_pixels(values, tmp_path):
    values[:3] = np.nan, UNSEEN, np.inf
    masked = np.ma.MaskedArray(values, mask=np.arange(values.size) == 3)
    armilla.write(armilla.Map(masked), tmp_path / "bad.fits")
    again = armilla.read(tmp_path / "bad.fits").values
    assert np.isnan(again[:4]).all() and np.isfinite(again[4:]).all()
    assert masked.data[3] == values[3]


def test_partial_map_sorts_pixels(tmp_path):
    m = armilla.Map(np.array([3.0, 1.0]), nside=4, pixels=[30, 10])
    armilla.write(m, tmp_path / "p.fits")
    again = armilla.read(tmp_path / "p.fits")
    assert list(again.pixels) == [10, 30] and list(again.values) == [1.0, 3.0]


@pytest.mark.parametrize("shape", [(13,), (2, 2, 12)])
def test_map_refuses_shapes(shape):
    with pytest.raises(armilla.InvalidArgument):
        armilla.Map(np.zeros(shape))


def test_catalog_round_trip(tmp_path):
    table = astropy.table.Table({"RA": [10.0, 20.0] * u.deg, "DEC": [-5.0, 5.0] * u.deg, "N": [1, 2],
                                 "NAME": ["a", "b"]})
    catalog = armilla.Catalog(table)
    for name in ("c.fits", "c.vot", "c.ecsv"):
        armilla.write(catalog, tmp_path / name)
        again = armilla.read(tmp_path / name)
        assert again.frame == "equatorial" and again.position_columns == ("RA", "DEC")
        back = again.to_astropy()
        np.testing.assert_array_equal(back["RA"], [10.0, 20.0])
        assert back["RA"].unit == u.deg and list(back["NAME"]) == ["a", "b"] and list(back["N"]) == [1, 2]


def test_columns_are_read_as_those_of_a_dict():
    values = np.arange(3.0)
    curve = armilla.Curve(y={"A": values, "B": 2 * values})
    catalog = armilla.Catalog({"A": values, "B": 2 * values})
    for each in (curve, catalog):
        assert list(each) == list(each.keys()) == ["A", "B"]
        assert "B" in each and "C" not in each
        assert dict(each)["B"].tolist() == [0.0, 2.0, 4.0]
        with pytest.raises(KeyError):
            each["C"]


def test_curve_and_alm_round_trips(tmp_path):
    curve = armilla.Curve(None, {"TT": np.arange(5.0)}, kind="spectrum")
    armilla.write(curve, tmp_path / "cl.fits")
    np.testing.assert_array_equal(armilla.read(tmp_path / "cl.fits")["TT"], np.arange(5.0))
    alm = np.arange(6) + 1j * np.array([0, 0, 0, 1, 2, 3])
    armilla.write(armilla.Alm(alm), tmp_path / "alm.fits")
    again = armilla.read(tmp_path / "alm.fits")
    assert again.lmax == again.mmax == 2
    np.testing.assert_array_equal(again.values, alm)


def test_image_round_trip(tmp_path):
    cards = {"CTYPE1": "GLON-TAN", "CTYPE2": "GLAT-TAN", "CRVAL1": 10.0, "CRVAL2": 5.0, "CRPIX1": 2.0,
             "CRPIX2": 1.5, "CDELT1": -0.1, "CDELT2": 0.1}
    data = np.arange(6.0).reshape(2, 3)
    image = armilla.Image(data, astropy.io.fits.Header(cards), unit="K")
    armilla.write(image, tmp_path / "i.fits")
    with astropy.io.fits.open(tmp_path / "i.fits") as hdus:
        np.testing.assert_array_equal(hdus[0].data, data)
    again = armilla.read(tmp_path / "i.fits")
    assert again.frame == "galactic" and again.unit == "K"
    assert again.header["CRVAL1"] == 10.0
    np.testing.assert_array_equal(again.data, data)


def test_errors_are_built_in_ones_too(tmp_path):
    with pytest.raises(OSError):
        armilla.read(tmp_path / "absent.fits")
    with pytest.raises(ValueError, match="fwhm"):
        armilla.smooth(np.zeros(12), fwhm="-1deg")
    assert issubclass(armilla.OutOfMemory, MemoryError) and issubclass(armilla.DeviceError, RuntimeError)

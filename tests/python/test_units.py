# SPDX-License-Identifier: GPL-3.0-or-later
"""Units of arrays: taken over, converted to a stated unit, or refused. Values by astropy's own conversion."""
import astropy.table
import astropy.units as u
import numpy as np
import pytest

import armilla

PIXELS = 768


def test_a_stated_unit_converts_a_quantity():
    given = np.arange(PIXELS, dtype=np.float32) * u.K
    made = armilla.Map(given, unit="mK")
    assert made.units == {"SIGNAL": "mK"} and made.values.dtype == np.float32
    np.testing.assert_allclose(made.values, given.to_value("mK"))
    assert np.shares_memory(armilla.Map(given, unit="K").values, given)
    fields = armilla.Map([given, given], unit=["mK", "K"])
    np.testing.assert_allclose(fields.fields["FIELD1"], 1000.0 * fields.fields["FIELD2"])
    column = armilla.Map(astropy.table.Table({"T": given}), unit="uK")
    np.testing.assert_allclose(column.fields["T"], given.to_value("uK"))


def test_a_stated_scale_names_plain_kelvins():
    made = armilla.Map(np.full(PIXELS, 2.5) * u.mK, unit="uK_CMB")
    assert made.units == {"SIGNAL": "uK_CMB"} and made.values[0] == pytest.approx(2500.0)


@pytest.mark.parametrize("make", [
    lambda: armilla.Map(np.ones(PIXELS) * u.K, unit="Jy"),
    lambda: armilla.Image(np.ones((2, 3)) * u.K, unit="Jy"),
    lambda: armilla.Alm(np.ones(6) * u.K, unit="Jy"),
    lambda: armilla.Catalog({"RA": [1.0], "DEC": [2.0], "F": [3.0] * u.K}, units={"F": "Jy"}),
    lambda: armilla.smooth(np.ones(PIXELS), beam=np.ones(4) * u.K),
    lambda: armilla.synfast([np.ones(4) * u.K**2, np.ones(4) * u.Jy], nside=4),
])
def test_another_quantity_is_refused(make):
    with pytest.raises(armilla.InvalidArgument, match="expected values in a unit that converts to"):
        make()


def test_images_alm_and_catalogs_keep_and_convert_units():
    flux = np.ones((2, 3)) * u.Jy
    assert armilla.Image(flux).unit == "Jy"
    image = armilla.Image(flux, unit="mJy")
    assert image.unit == "mJy" and image.data[0, 0] == pytest.approx(1000.0)
    assert armilla.Alm(np.ones(6) * u.K).unit == "K"
    assert armilla.Alm(np.ones(6) * u.K, unit="mK").arrays[0][0] == pytest.approx(1000.0)
    columns = {"RA": [1.0, 2.0] * u.deg, "DEC": [3.0, 4.0] * u.deg, "F": [5, 6] * u.Jy}
    catalog = armilla.Catalog(columns, units={"F": "mJy"})
    assert catalog.units["F"] == "mJy" and list(catalog["F"]) == pytest.approx([5000.0, 6000.0])


def test_rows_of_spectra_come_to_one_unit():
    cl = np.full(20, 1e-12) * u.K**2
    zero = np.zeros(20)
    plain = np.asarray(armilla.synfast([cl, cl, zero, zero], nside=8, seed=1))
    mixed = np.asarray(armilla.synfast([cl, cl.to(u.mK**2), zero, zero], nside=8, seed=1))
    np.testing.assert_allclose(mixed, plain, rtol=1e-12)


def test_b_l_in_percent():
    sky = np.random.default_rng(1).standard_normal(PIXELS)
    whole = armilla.smooth(sky, beam=np.full(8, 0.5), lmax=7)
    np.testing.assert_allclose(armilla.smooth(sky, beam=np.full(8, 50.0) * u.percent, lmax=7), whole, rtol=1e-12)


@pytest.mark.parametrize("size", [100.5, "1e2", [1, 2.5], float("nan"), float("inf")])
def test_sizes_are_integers(size):
    with pytest.raises(armilla.InvalidArgument, match="size: expected"):
        armilla.project(np.zeros(PIXELS), center="0deg,0deg", size=size)

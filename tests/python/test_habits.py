# SPDX-License-Identifier: GPL-3.0-or-later
"""Calls as users of healpy, numpy and astropy make them."""
import numpy as np
import pytest
from astropy.io import fits

import armilla


@pytest.mark.parametrize("call, error, words", [
    (lambda: armilla.smooth(np.ones(12), 0.1), TypeError, r"smooth\(\): expected map by position and all parameters by "
     "name, found 2 values by position"),
    (lambda: armilla.sample(4), TypeError, r"sample\(\): expected nothing by position .* found 1 "),
    (lambda: armilla.Map(np.ones(12))[0:3], TypeError, r"name or the number of a field, found slice\(0, 3, None\)"),
    (lambda: armilla.Catalog({"RA": [1.0], "DEC": [2.0]})[np.array([True])], TypeError,
     r"name of a column, found array\(\[ True\]\); columns are arrays, as value\['RA'\]\[rows\]"),
    (lambda: armilla.healpy.mollview, AttributeError, r"found mollview: armilla.figure\(m, projection='mollweide'\)"),
    (lambda: armilla.healpy.nothing, AttributeError, "has no attribute 'nothing'"),
])
def test_habits_from_other_modules_are_answered(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_projections_of_the_views_exist():
    for projection in armilla.healpy._VIEWS.values():
        assert armilla.figure(armilla.sample(nside=4), projection=projection, width=64)[:4] == b"\x89PNG"


def test_a_curve_as_an_array_has_its_values():
    """Names of columns are what iteration gives, and are no values."""
    made = armilla.anafast(armilla.sample(nside=8), lmax=8, device="cpu")
    np.testing.assert_array_equal(np.asarray(made), made["TT"])
    np.testing.assert_array_equal(armilla.healpy.synfast(made, 8, lmax=8).shape, (768,))
    two = armilla.Curve(None, {"A": [1.0, 2.0], "B": [3.0, 4.0]})
    np.testing.assert_array_equal(np.array(two), [[1.0, 2.0], [3.0, 4.0]])


def test_images_of_astropy_bring_their_places():
    from astropy.nddata import CCDData
    from astropy.wcs import WCS
    wcs = WCS(naxis=2)
    wcs.wcs.ctype, wcs.wcs.crval, wcs.wcs.crpix, wcs.wcs.cdelt = ["GLON-TAN", "GLAT-TAN"], [10, 20], [2, 2], [-1, 1]
    values = np.arange(12.0).reshape(3, 4)
    expected = armilla.Image(values, wcs, unit="Jy")
    header = wcs.to_header()
    header["BUNIT"] = "Jy"
    for given in (fits.ImageHDU(values, header), fits.PrimaryHDU(values, header), CCDData(values, unit="Jy", wcs=wcs)):
        made = armilla.Image(given)
        np.testing.assert_array_equal(made.data, values)
        assert made.frame == "galactic" and made.unit == "Jy"
        assert WCS(made.header).wcs_pix2world([[0, 0]], 0).tolist() == WCS(expected.header).wcs_pix2world(
            [[0, 0]], 0).tolist()
    hidden = armilla.Image(CCDData(values, unit="Jy", wcs=wcs, mask=values == 5))
    np.testing.assert_array_equal(hidden.data, np.where(values == 5, np.nan, values))

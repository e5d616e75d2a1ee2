# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans of transforms on numpy arrays."""
import numpy as np
import pytest

import armilla


def y_lm(theta, phi):
    """Re Y_21 + conjugate: 2 Re(Y_21) = -sqrt(15 / (8 pi)) sin(2 theta) cos(phi)."""
    return -np.sqrt(15 / (8 * np.pi)) * np.sin(2 * theta) * np.cos(phi)


@pytest.fixture
def plan():
    return armilla.Sht(nside=16, lmax=24, device="cpu")


def test_synthesis_against_a_closed_form(plan):
    alm = np.zeros(plan.alm_size, complex)
    alm[armilla.healpy.Alm.getidx(24, 2, 1)] = 1.0
    theta, phi = armilla.healpy.pix2ang(16, np.arange(12 * 16**2))
    for kind in (np.float64, np.float32):
        m = plan.alm2map(alm, dtype=kind)
        assert m.dtype == kind
        # Rounding of the result: a few epsilon of values of about 1.
        np.testing.assert_allclose(m, y_lm(theta, phi), atol=10 * np.finfo(kind).eps)


def test_out_receives_the_same_bits(plan):
    rng = np.random.default_rng(3)
    alm = rng.standard_normal(plan.alm_size) + 1j * rng.standard_normal(plan.alm_size)
    alm[:25].imag = 0
    m = plan.alm2map(alm)
    buffer = np.empty_like(m)
    assert plan.alm2map(alm, out=buffer) is buffer
    np.testing.assert_array_equal(buffer, m)
    again = np.empty(plan.alm_size, complex)
    assert plan.map2alm(m, out=again) is again
    np.testing.assert_array_equal(again, plan.map2alm(m))
    with pytest.raises(armilla.InvalidArgument, match="out"):
        plan.alm2map(alm, out=np.empty(5))


def test_iterations_recover_coefficients():
    plan = armilla.Sht(nside=16, lmax=24, iterations=10, device="cpu")
    rng = np.random.default_rng(4)
    alm = rng.standard_normal(plan.alm_size) + 1j * rng.standard_normal(plan.alm_size)
    alm[:25].imag = 0
    np.testing.assert_allclose(plan.map2alm(plan.alm2map(alm)), alm, atol=1e-9)


def test_polarization_and_batches(plan):
    rng = np.random.default_rng(5)
    alm = rng.standard_normal((3, plan.alm_size)) + 0j
    tqu = plan.alm2map(alm)
    assert tqu.shape == (3, 12 * 16**2)
    each = plan.alm2map(alm, pol=False)
    np.testing.assert_allclose(each[0], tqu[0], atol=1e-12)
    assert np.abs(each[1] - tqu[1]).max() > 0.1
    pair = plan.alm2map(alm[1:], spin=2)
    np.testing.assert_allclose(pair, tqu[1:], atol=1e-12)


def test_bad_pixels_count_as_zero(plan):
    m = np.random.default_rng(6).standard_normal(12 * 16**2)
    holes = m.copy()
    holes[100:200] = np.nan
    holes[200] = -1.6375e30
    zeros = m.copy()
    zeros[100:201] = 0.0
    np.testing.assert_array_equal(plan.map2alm(holes), plan.map2alm(zeros))
    assert np.isnan(holes[100])


def test_shapes_are_checked(plan):
    with pytest.raises(armilla.InvalidArgument):
        plan.map2alm(np.zeros(12))
    with pytest.raises(armilla.InvalidArgument):
        plan.alm2map(np.zeros(7, complex))
    with pytest.raises(armilla.InvalidArgument):
        armilla.Sht(nside=-1)


def test_results_are_not_overwritten_by_later_calls(plan):
    rng = np.random.default_rng(9)
    maps = rng.standard_normal((3, 12 * 16**2))
    first, out = plan.map2alm(maps, pol=False), np.empty((3, plan.alm_size), complex)
    expected = first.copy()
    assert plan.map2alm(2 * maps, pol=False, out=out) is out
    back = plan.alm2map(out, pol=False)
    np.testing.assert_array_equal(first, expected)
    np.testing.assert_array_equal(out, 2 * expected)
    np.testing.assert_array_equal(plan.alm2map(expected, pol=False), back / 2)
    polarized = plan.map2alm(maps)
    np.testing.assert_array_equal(plan.map2alm(maps, out=out), polarized)
    pair = plan.map2alm(maps[:2], spin=2)
    np.testing.assert_array_equal(plan.map2alm(maps[:2], spin=2, out=out[:2]), pair)

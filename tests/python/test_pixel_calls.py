# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixel functions of long arrays, which run as jobs, and numbers of pixels of regions."""
import numpy as np
import pytest

import armilla
import armilla.healpy as hp

LONG = 400_000  # calls run as jobs from 163,840 elements on


def test_long_arrays_have_the_bits_of_short_ones():
    random = np.random.default_rng(1)
    theta, phi = random.uniform(0, np.pi, LONG), random.uniform(0, 2 * np.pi, LONG)
    for nest in (False, True):
        pixels = hp.ang2pix(512, theta, phi, nest=nest)
        parts = [hp.ang2pix(512, t, p, nest=nest) for t, p in zip(np.split(theta, 4), np.split(phi, 4))]
        np.testing.assert_array_equal(pixels, np.concatenate(parts))
        whole = hp.pix2vec(512, pixels, nest=nest)
        for one, *pieces in zip(whole, *(hp.pix2vec(512, part, nest=nest) for part in parts)):
            np.testing.assert_array_equal(one, np.concatenate(pieces))


def test_a_wrong_pixel_of_a_long_array_is_named():
    pixels = np.zeros(LONG, np.int64)
    pixels[-1] = 12 * 512**2
    with pytest.raises((ValueError, armilla.InvalidArgument), match=str(pixels[-1])):
        hp.pix2ang(512, pixels)


@pytest.mark.parametrize("nest", [False, True])
@pytest.mark.parametrize("radius", [1e-9, 0.3, 1.5, 3.1])
def test_pixels_of_a_disc_are_those_of_a_direct_search(nest, radius):
    center = np.array([0.3, -0.5, 0.7]) / np.linalg.norm([0.3, -0.5, 0.7])
    vectors = np.array(hp.pix2vec(64, np.arange(12 * 64**2), nest=nest))
    distance = np.arctan2(np.linalg.norm(np.cross(vectors.T, center), axis=1), center @ vectors)
    found = hp.query_disc(64, center, radius, nest=nest)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, np.flatnonzero(distance <= radius))
    ranges = hp.query_disc(64, center, radius, nest=nest, return_ranges=True)
    np.testing.assert_array_equal(np.concatenate([np.arange(*each) for each in ranges] or [found]), found)
    buffer = np.zeros(12 * 64**2, np.int64)
    assert found.size == 0 or np.shares_memory(hp.query_disc(64, center, radius, nest=nest, buff=buffer), buffer)


def test_a_region_without_pixels():
    assert hp.query_disc(1, [0, 0, 1], 1e-9).shape == (0,)

# SPDX-License-Identifier: GPL-3.0-or-later
"""healpy's own tests on armilla.healpy, where its source distribution is at hand, and a few of our own."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import numpy as np
import pytest

import armilla.healpy as hp

FILES = ("test_pixelfunc.py", "test_query_disc.py", "test_sphtfunc.py", "test_rotator.py", "test_fitsfunc.py")
# The folder test/ of a source distribution of healpy, with its data.
FOLDER = os.environ.get("ARMILLA_HEALPY_TESTS")


@pytest.mark.skipif(not FOLDER, reason="ARMILLA_HEALPY_TESTS names no folder with healpy's tests")
@pytest.mark.parametrize("name", FILES)
def test_healpys_own_tests(tmp_path, name):
    target = tmp_path / "test"
    target.mkdir()
    for file in ("__init__.py", "helpers.py", name):
        text = (pathlib.Path(FOLDER) / file).read_text()
        text = re.sub(r"^import healpy( as \w+)?$",
                      lambda found: f"import armilla.healpy{found[1] or ' as healpy'}", text, flags=re.M)
        (target / file).write_text(re.sub(r"\bfrom healpy\b", "from armilla.healpy", text))
    shutil.copytree(pathlib.Path(FOLDER) / "data", target / "data")
    report = tmp_path / "report.xml"
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}", f"test/{name}"],
                          cwd=tmp_path, check=False, capture_output=True, text=True)
    suite = xml.etree.ElementTree.parse(report).getroot()[0]
    count = int(suite.get("tests"))
    failed = sum(int(suite.get(kind)) for kind in ("failures", "errors", "skipped"))
    assert failed <= 0.05 * count, done.stdout[-4000:]


@pytest.mark.parametrize("nside", [1, 8, 1 << 20])
@pytest.mark.parametrize("nest", [False, True])
def test_pixels_and_directions_are_inverse(nside, nest):
    pixels = np.unique(np.random.default_rng(nside).integers(0, 12 * nside**2, 1000))
    np.testing.assert_array_equal(hp.ang2pix(nside, *hp.pix2ang(nside, pixels, nest=nest), nest=nest), pixels)
    np.testing.assert_array_equal(hp.vec2pix(nside, *hp.pix2vec(nside, pixels, nest=nest), nest=nest), pixels)
    other = hp.nest2ring(nside, pixels) if nest else hp.ring2nest(nside, pixels)
    np.testing.assert_array_equal(hp.ring2nest(nside, other) if nest else hp.nest2ring(nside, other), pixels)


def test_values_of_healpy():
    # The same calls of healpy 1.20.1 print these numbers.
    assert hp.ang2pix(64, 1.0, 2.0) == 11217
    assert hp.ang2pix(64, 1.0, 2.0, nest=True) == 6341
    np.testing.assert_array_equal(hp.get_all_neighbours(4, 20), [34, 19, 9, 10, 21, 36, 35, 51])


def test_names_of_the_contract():
    for name in ("map2alm", "alm2map", "anafast", "synfast", "synalm", "smoothing", "smoothalm", "almxfl", "alm2cl",
                 "ud_grade", "rotate_alm", "Alm", "Rotator", "pixwin", "gauss_beam", "query_disc", "query_polygon",
                 "query_strip", "boundaries", "read_map", "write_map", "read_alm", "write_alm", "read_cl", "write_cl"):
        assert callable(getattr(hp, name))


def test_polygons_with_short_edges():
    # Corners on a circle of 6 degrees, some 1e-6 rad apart; pixels are within all edges or outside of one.
    normal, east = np.array([0.6, 0.0, 0.8]), np.array([0.8, 0.0, -0.6])
    angles = np.radians([0, 1e-3, 97, 97.0005, 99.5, 250])[:, None]
    radius = np.radians(6)
    around = np.cos(angles) * east + np.sin(angles) * np.cross(normal, east)
    corners = np.cos(radius) * normal + np.sin(radius) * around
    edges = np.cross(corners, np.roll(corners, -1, axis=0))
    centers = np.array(hp.pix2vec(64, np.arange(12 * 64**2)))
    np.testing.assert_array_equal(hp.query_polygon(64, corners), np.flatnonzero((edges @ centers > 0).all(axis=0)))
    with pytest.raises(ValueError, match="convex"):
        hp.query_polygon(64, corners[[0, 3, 2, 5]] + [[0, 0, 0], [0, 0, 0.1], [0, 0, 0], [0, 0, 0]])

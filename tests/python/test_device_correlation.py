# SPDX-License-Identifier: GPL-3.0-or-later
"""Correlations of catalogs in device memory, compared with the same catalogs on the host."""
import numpy as np
import pytest

import armilla
from device_libraries import host_bytes


def points(count, seed, kind=np.float64):
    """Columns of points within 20 degrees of (30, 40) degrees, with weights."""
    random = np.random.default_rng(seed)
    lat = np.degrees(np.arcsin(random.uniform(np.sin(np.radians(20)), np.sin(np.radians(60)), count)))
    return {name: each.astype(kind) for name, each in
            {"RA": 30 + random.uniform(-20, 20, count), "DEC": lat, "W": random.uniform(0.5, 2, count)}.items()}


def test_correlations(library):
    # Points on a grid are on edges of the bins, which only exact positions decide.
    grid = np.meshgrid(np.arange(10.0, 50.0, 2), np.arange(20.0, 60.0, 2))
    for kind in (np.float32, np.float64):
        data, random = points(3000, 1, kind), points(7000, 2, kind)
        data["RA"][:400], data["DEC"][:400] = grid[0].ravel(), grid[1].ravel()
        data["DEC"][7] = np.nan  # is skipped
        put = [{name: library.put(each) for name, each in columns.items()} for columns in (data, random)]
        for options in ({}, {"errors": "jackknife", "patches": 20}, {"weight": "W"}, {"pair_mean": True},
                        {"errors": "bootstrap", "patches": 9, "weight": "W", "estimator": "hamilton"}):
            call = {"bins": "1deg,17deg,8", "spacing": "linear", "device": "cuda:0", **options}
            expected = armilla.correlate(data, random=random, **call)
            for given in ((put[0], put[1]), (put[0], random), (data, put[1]), (put[0], [put[1]])):
                found = armilla.correlate(given[0], random=given[1], **call)
                for counts in ("dd", "dr", "rr"):
                    assert found.figures[counts]["pairs"] == expected.figures[counts]["pairs"]
                assert found.figures["data"] == 2999
                np.testing.assert_allclose(found["W"], expected["W"], rtol=1e-10, atol=1e-12)
                if "errors" in options:
                    np.testing.assert_allclose(found.covariance, expected.covariance, rtol=1e-8, atol=1e-14)
    cpu = armilla.correlate(data, random=random, bins="1deg,17deg,8", device="cpu")
    found = armilla.correlate(put[0], random=put[1], bins="1deg,17deg,8")
    assert found.figures["dd"]["pairs"] == cpu.figures["dd"]["pairs"]


def test_correlations_with_random_points_of_a_mask(library):
    mask = armilla.Map(np.ones(12 * 16**2), frame="equatorial")
    data = points(2000, 3)
    put = {name: library.put(each) for name, each in data.items()}
    call = {"random_from": mask, "bins": "1deg,17deg,8", "device": "cuda:0"}
    found, expected = armilla.correlate(put, **call), armilla.correlate(data, **call)
    np.testing.assert_array_equal(found["W"], expected["W"])


def test_correlations_of_catalogs_in_several_frames(library):
    coordinates = pytest.importorskip("astropy.coordinates")
    data, random = points(3000, 9), points(7000, 10)
    sky = coordinates.SkyCoord(data["RA"], data["DEC"], unit="deg").galactic
    galactic = {"GLON": sky.l.deg, "GLAT": sky.b.deg}
    put = {name: library.put(each) for name, each in galactic.items()}
    there = {name: library.put(each) for name, each in random.items()}
    call = {"bins": "1deg,17deg,8", "errors": "jackknife", "patches": 12, "device": "cuda:0"}
    for given in ((put, there), (put, random), (galactic, there)):
        found = armilla.correlate(given[0], random=given[1], **call)
        expected = armilla.correlate(galactic, random=random, **call)
        assert found.figures["dr"]["pairs"] == expected.figures["dr"]["pairs"]
        np.testing.assert_allclose(found.covariance, expected.covariance, rtol=1e-8, atol=1e-14)
    # The same sky in one frame. The Galactic frame of astropy is turned by 0.04 arcsec against ours, so that a share
    # 0.04 / 7200 of the pairs in bins of 2 degrees may cross either edge: once of DD and RR, twice of DR.
    same = armilla.correlate(data, random=random, **call)
    np.testing.assert_allclose(found["W"], same["W"], rtol=0, atol=4 * 2 * 0.04 / 7200)


def test_correlations_in_the_order_of_streams(library):
    data, random = points(20000, 4), points(30000, 5)
    call = {"random": random, "bins": "1deg,17deg,8", "device": "cuda:0"}
    expected = armilla.correlate(data, **call)
    put = {"RA": library.put(data["RA"]), "DEC": library.late(data["DEC"])}
    found = armilla.correlate(put, **call)
    assert found.figures["dd"]["pairs"] == expected.figures["dd"]["pairs"]


def test_refusals_of_correlations(library):
    data = points(100, 6)
    put = {name: library.put(each) for name, each in data.items()}
    call = {"random": put, "bins": "1deg,17deg,8"}
    with pytest.raises(armilla.Unsupported, match="host memory"):
        armilla.correlate(put["RA"], **call)
    with pytest.raises(armilla.InvalidArgument, match="both"):
        armilla.correlate({**put, "DEC": data["DEC"]}, **call)
    with pytest.raises(armilla.InvalidArgument, match="equal length"):
        armilla.correlate({**put, "DEC": library.put(data["DEC"][1:])}, **call)
    with pytest.raises(armilla.InvalidArgument, match="device"):
        armilla.correlate(put, **call, device="cpu")
    with pytest.raises(armilla.Unsupported, match="FK4"):
        armilla.correlate(put, **call, input_frame="FK4")
    with pytest.raises(armilla.Unsupported, match="equinox"):
        armilla.correlate({"RA1950": put["RA"], "DE1950": put["DEC"]}, **call)
    data["RA"][7] = np.inf
    with pytest.raises(armilla.InvalidArgument, match="inf in row 8 of column RA"):
        armilla.correlate({**put, "RA": library.put(data["RA"])}, **call)


def test_no_points_go_to_the_host(library, tmp_path):
    torch = pytest.importorskip("torch")
    path = tmp_path / "trace.json"
    tensor = torch.zeros(1 << 20, device="cuda:0")
    if host_bytes(torch, path, tensor.cpu) < 4 << 20:
        pytest.skip("the profiler counts no copies")

    def copied(count):
        data, random = ({name: library.put(each) for name, each in points(count, seed).items()} for seed in (7, 8))
        call = {"random": random, "bins": "0.1deg,1deg,4", "weight": "W", "errors": "jackknife", "patches": 8}
        armilla.correlate(data, **call)
        return host_bytes(torch, path, lambda: armilla.correlate(data, **call))

    # A column of the larger catalogs has 3 MB more. Points near edges of bins are copied, a few in a million pairs.
    assert copied(400000) - copied(20000) < 1 << 20

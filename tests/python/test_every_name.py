# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operation and every name of armilla.healpy is called, with values on the smallest data that serve."""
import numpy as np
import pytest

import armilla
import armilla.healpy as hp

NSIDE = 16
PIXELS = 12 * NSIDE**2


@pytest.fixture(scope="module")
def small():
    """Values that the calls take."""
    sky = armilla.sample(nside=NSIDE)
    rng = np.random.default_rng(5)
    places = {"RA": rng.uniform(0, 360, 200), "DEC": rng.uniform(-60, 60, 200), "FLUX": rng.uniform(1, 2, 200)}
    return {"sky": sky, "catalog": armilla.Catalog(places), "mask": armilla.mask(sky, latitude="20deg"),
            "alm": armilla.map2alm(sky, lmax=20), "cl": armilla.anafast(sky, lmax=20)}


OPERATIONS = {
    "alm": lambda s: armilla.alm(s["alm"], lmax=10),
    "alm2map": lambda s: armilla.alm2map(s["alm"], nside=8),
    "anafast": lambda s: armilla.anafast(s["sky"], lmax=20),
    "calc": lambda s: armilla.calc(let=["a=" + s["path"]], expression="2 * a"),
    "convert": lambda s: armilla.convert(s["sky"], nside=8),
    "correlate": lambda s: armilla.correlate(s["catalog"], random_from=s["mask"], bins="1deg,20deg,4"),
    "correlate_maps": lambda s: armilla.correlate_maps(s["sky"], bins="5deg,40deg,4"),
    "count": lambda s: armilla.count(s["catalog"], nside=4),
    "filter": lambda s: armilla.filter(s["sky"], fwhm="5deg"),
    "grid": lambda s: armilla.grid(s["catalog"], value="FLUX", kernel_fwhm="10deg", nside=8),
    "lookup": lambda s: armilla.lookup(s["sky"], s["catalog"]),
    "map2alm": lambda s: armilla.map2alm(s["sky"], lmax=20),
    "mask": lambda s: armilla.mask(s["sky"], latitude="20deg"),
    "match": lambda s: armilla.match(s["catalog"], s["catalog"], radius="1arcmin"),
    "moc": lambda s: armilla.moc(s["mask"], complement=True),
    "project": lambda s: armilla.project(s["sky"], projection="gnomonic", size="20x20", resolution="1deg"),
    "remove": lambda s: armilla.remove(s["sky"], s["catalog"], how="inpaint", fwhm="2deg"),
    "sample": lambda s: armilla.sample(nside=4),
    "select": lambda s: armilla.select(s["catalog"], where="FLUX > 1.5"),
    "smooth": lambda s: armilla.smooth(s["sky"], fwhm="10deg"),
    "sources": lambda s: armilla.sources(armilla.sample(nside=32), fwhm="4deg"),
    "stats": lambda s: armilla.stats(s["sky"]),
    "synfast": lambda s: armilla.synfast(s["cl"], nside=8),
}


def test_every_operation_has_a_call():
    assert set(OPERATIONS) == set(armilla._functions)


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_an_operation_is_called(small, tmp_path, name):
    small["path"] = str(tmp_path / "sky.fits")
    armilla.write(small["sky"], small["path"])
    made = OPERATIONS[name](small)
    assert made is not None
    assert isinstance(made.figures, dict) and made.figures


def test_values_of_operations(small):
    # The values of closed forms, from numpy and the definitions alone.
    catalog, sky = small["catalog"], small["sky"].values
    kept = armilla.select(catalog, where="FLUX > 1.5")
    np.testing.assert_array_equal(kept["FLUX"], catalog["FLUX"][catalog["FLUX"] > 1.5])
    assert np.nansum(armilla.count(catalog, nside=4).values) == 200
    seen = armilla.lookup(small["sky"], armilla.Catalog({"GLON": [10.0], "GLAT": [20.0]}))
    column = [name for name in seen if name not in ("GLON", "GLAT")][0]
    assert seen[column][0] == sky[hp.ang2pix(NSIDE, 10.0, 20.0, lonlat=True)]
    assert len(armilla.match(catalog, catalog, radius="1arcmin")) == 200


# The numbers of these calls follow from the definitions. healpy 1.20.1 gives the others, marked by its name.
ELL = np.arange(11)
ALM = np.arange(1, 67) * (1 + 0j)  # lmax 10
ONES = np.ones(PIXELS)
NORTH = (0.0, 0.0, 1.0)
THETA, PHI = hp.pix2ang(NSIDE, np.arange(PIXELS))
DIPOLE = 1.0 + 2.0 * np.cos(THETA)


def files(folder):
    """The map, coefficients and spectrum that the readers return for those of the writers."""
    hp.write_map(folder / "m.fits", DIPOLE, dtype=np.float64)
    hp.write_alm(folder / "a.fits", ALM)
    hp.write_cl(folder / "c.fits", ELL.astype(float))
    return hp.read_map(folder / "m.fits"), hp.read_alm(folder / "a.fits"), hp.read_cl(folder / "c.fits")


def near(found, expected, limit=1e-12):
    return np.allclose(found, expected, rtol=limit, atol=limit)


HEALPY = {
    "Alm": lambda: hp.Alm.getsize(10) == 66 and hp.Alm.getidx(10, 2, 1) == 12,
    # The Galactic center (IAU definition) in ICRS.
    "Rotator": lambda: near(np.degrees(hp.Rotator(coord=["G", "C"])(np.pi / 2, 0.0)), (118.9362, 266.4050 - 360), 1e-4),
    "alm2cl": lambda: near(hp.alm2cl(np.eye(1, 66, 2)[0] + 0j)[2], 1 / 5),
    "alm2map": lambda: near(hp.alm2map(np.eye(1, 66, 0)[0] + 0j, 8), 1 / np.sqrt(4 * np.pi)),
    "alm2map_der1": lambda: near(hp.alm2map_der1(np.eye(1, 66, 0)[0] + 0j, 8)[1:], 0),
    "alm2map_spin": lambda: np.shape(hp.alm2map_spin([ALM * 0, ALM * 0], 8, 2, 10)) == (2, 768),
    "almxfl": lambda: near(hp.almxfl(ALM, np.full(11, 2.0)), 2 * ALM),
    "anafast": lambda: near(hp.anafast(ONES, lmax=10), 4 * np.pi * (ELL == 0), 1e-3),
    "ang2pix": lambda: hp.ang2pix(64, 1.0, 2.0) == 11217,  # healpy
    "ang2vec": lambda: near(hp.ang2vec(0.0, 1.0), NORTH),
    "beam2bl": lambda: near(hp.beam2bl(hp.bl2beam(hp.gauss_beam(0.5, 10), np.linspace(0, np.pi, 20000)),
                                       np.linspace(0, np.pi, 20000), 10), hp.gauss_beam(0.5, 10), 1e-5),
    "bl2beam": lambda: near(hp.bl2beam(np.ones(3), np.zeros(1)), (1 + 3 + 5) / (4 * np.pi)),
    "blm_gauss": lambda: near(hp.blm_gauss(0.3, 10)[:11], np.sqrt((2 * ELL + 1) / (4 * np.pi)) *
                              hp.gauss_beam(0.3, 10)),
    "boundaries": lambda: hp.boundaries(NSIDE, 0, step=2).shape == (3, 8),
    "check_max_nside": lambda: hp.check_max_nside(NSIDE) == 0,
    "dir2vec": lambda: near(hp.dir2vec(0.0, 1.0), NORTH),
    "fit_dipole": lambda: near(hp.fit_dipole(DIPOLE)[1], (0, 0, 2), 1e-9),
    "fit_monopole": lambda: near(hp.fit_monopole(3 * ONES), 3),
    "gauss_beam": lambda: near(hp.gauss_beam(0.1, 10), np.exp(-ELL * (ELL + 1) * 0.01 / (16 * np.log(2)))),
    "get_all_neighbours": lambda: list(hp.get_all_neighbours(4, 20)) == [34, 19, 9, 10, 21, 36, 35, 51],  # healpy
    "get_interp_val": lambda: near(hp.get_interp_val(3 * ONES, 1.0, 2.0), 3),
    "get_interp_weights": lambda: near(hp.get_interp_weights(NSIDE, 1.0, 2.0)[1].sum(), 1),
    "get_map_size": lambda: hp.get_map_size(ONES) == PIXELS,
    "get_nside": lambda: hp.get_nside(ONES) == NSIDE,
    "isnpixok": lambda: hp.isnpixok(PIXELS) and not hp.isnpixok(13),
    "isnsideok": lambda: hp.isnsideok(3) and not hp.isnsideok(3, nest=True),
    "ma": lambda: list(hp.ma(np.where(np.arange(PIXELS) < 2, hp.UNSEEN, 1.0)).mask[:3]) == [True, True, False],
    "map2alm": lambda: near(hp.map2alm(ONES, lmax=10)[0], np.sqrt(4 * np.pi), 1e-6),
    "map2alm_lsq": lambda: near(hp.map2alm_lsq(ONES, 10, 10)[0][0], np.sqrt(4 * np.pi), 1e-6),
    "map2alm_spin": lambda: near(hp.map2alm_spin([0 * ONES, 0 * ONES], 2, 10), 0),
    "maptype": lambda: hp.maptype(ONES) == 0 and hp.maptype([ONES, ONES]) == 2,
    "mask_bad": lambda: list(hp.mask_bad(np.array([1.0, hp.UNSEEN]))) == [False, True],
    "mask_good": lambda: list(hp.mask_good(np.array([1.0, hp.UNSEEN]))) == [True, False],
    "max_pixrad": lambda: near(hp.max_pixrad(1), 0.8410686705679303),  # healpy
    "nest2ring": lambda: list(hp.nest2ring(1, np.arange(12))) == list(range(12)),
    "npix2nside": lambda: hp.npix2nside(PIXELS) == NSIDE,
    "npix2order": lambda: hp.npix2order(PIXELS) == 4,
    "nside2npix": lambda: hp.nside2npix(NSIDE) == PIXELS,
    "nside2order": lambda: hp.nside2order(NSIDE) == 4,
    "nside2pixarea": lambda: near(hp.nside2pixarea(NSIDE), 4 * np.pi / PIXELS),
    "nside2resol": lambda: near(hp.nside2resol(NSIDE), np.sqrt(4 * np.pi / PIXELS)),
    "order2npix": lambda: hp.order2npix(4) == PIXELS,
    "order2nside": lambda: hp.order2nside(4) == NSIDE,
    "pix2ang": lambda: near(np.cos(hp.pix2ang(1, 0)[0]), 2 / 3),
    "pix2ring": lambda: list(hp.pix2ring(1, np.array([0, 4, 11]))) == [1, 2, 3],
    "pix2vec": lambda: near(hp.pix2vec(1, 0)[2], 2 / 3),
    "pix2xyf": lambda: hp.pix2xyf(1, 7) == (0, 0, 7),
    "pixwin": lambda: near(hp.pixwin(8)[0], 1, 1e-6),
    "query_disc": lambda: len(hp.query_disc(NSIDE, NORTH, np.pi)) == PIXELS,
    "query_polygon": lambda: 0 in hp.query_polygon(NSIDE, hp.boundaries(1, 0).T, nest=True),
    "query_strip": lambda: list(hp.query_strip(1, 0.0, np.arccos(0.5))) == [0, 1, 2, 3],
    "remove_dipole": lambda: near(hp.remove_dipole(DIPOLE), 0, 1e-9),
    "remove_monopole": lambda: near(hp.remove_monopole(3 * ONES), 0),
    "reorder": lambda: near(hp.reorder(hp.reorder(DIPOLE, r2n=True), n2r=True), DIPOLE),
    "resize_alm": lambda: near(hp.resize_alm(ALM, 10, 10, 4, 0), ALM[:5]),
    "ring2nest": lambda: near(hp.nest2ring(NSIDE, hp.ring2nest(NSIDE, np.arange(PIXELS))), np.arange(PIXELS)),
    "ringinfo": lambda: [int(each[0]) for each in hp.ringinfo(NSIDE, np.array([1]))[:2]] == [0, 4],
    "rotate_alm": lambda: hp.rotate_alm(ALM.copy(), 0.1, 0.2, 0.3) is None,
    "smoothalm": lambda: near(hp.smoothalm(ALM.copy(), beam_window=np.full(11, 0.5), inplace=False), ALM / 2),
    "smoothing": lambda: near(hp.smoothing(ONES, fwhm=0.3).min(), 0.99943543619939, 1e-12),  # healpy
    "synalm": lambda: near(hp.synalm(np.zeros(11)), 0),
    "synfast": lambda: near(hp.synfast(np.zeros(11), 8), 0),
    "ud_grade": lambda: near(hp.ud_grade(ONES, 8), 1),
    "vec2ang": lambda: near(hp.vec2ang(np.array(NORTH))[0], 0),
    "vec2dir": lambda: near(hp.vec2dir(*NORTH)[0], 0),
    "vec2pix": lambda: hp.vec2pix(1, *hp.pix2vec(1, 7)) == 7,
    "xyf2pix": lambda: hp.xyf2pix(1, 0, 0, 7) == 7,
}
FILES = {"read_alm", "read_cl", "read_map", "write_alm", "write_cl", "write_map"}


def test_every_name_of_healpy_has_a_call():
    names = {name for name in dir(hp) if not name.startswith("_") and callable(getattr(hp, name))}
    assert set(HEALPY) | FILES == names


@pytest.mark.parametrize("name", sorted(HEALPY))
def test_a_name_of_healpy_is_called(name):
    assert np.all(HEALPY[name]())


def test_files_of_healpy(tmp_path):
    m, alm, cl = files(tmp_path)
    np.testing.assert_array_equal(m, DIPOLE)
    np.testing.assert_array_equal(alm, ALM)
    np.testing.assert_array_equal(cl, ELL)

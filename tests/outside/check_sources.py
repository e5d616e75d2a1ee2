# SPDX-License-Identifier: GPL-3.0-or-later
"""sources: skies made here, not by the program, with sources put in; what it finds of them."""
import warnings

import healpy as hp
import numpy as np
from astropy import units as u
from astropy.coordinates import SkyCoord
from astropy.table import Table

FWHM_PER_SIGMA = np.sqrt(8 * np.log(2))


def background(kind, lmax):
    """C_l of a sky in microkelvin: acoustic falls of the CMB, or dust as l^-2.6."""
    l = np.arange(lmax + 1.0)
    cl = np.zeros(lmax + 1)
    if kind == "cmb":
        # D_l of 1000 to 5600 with peaks, damped as the CMB is.
        d = 1000 * (1 + l / 60) / (1 + l / 400) * (1 + 0.4 * np.cos(2 * np.pi * (l - 220) / 300))
        d *= np.exp(-((l / 1400) ** 1.25))
        cl[2:] = d[2:] * 2 * np.pi / (l[2:] * (l[2:] + 1))
    elif kind == "dust":
        cl[2:] = 3e4 * (l[2:] / 10) ** -2.6 / 40
    return cl


def gaussians(nside, values, places, peaks, fwhm):
    """Adds exact Gaussians of the angle, out to where they are 1e-9 of the peak."""
    sigma = fwhm / FWHM_PER_SIGMA
    for place, peak in zip(places, peaks):
        pixels = hp.query_disc(nside, place, min(np.pi, 6.5 * sigma))
        at = np.array(hp.pix2vec(nside, pixels))
        angle = np.arctan2(np.linalg.norm(np.cross(at.T, place), axis=1), place @ at)
        values[pixels] += peak * np.exp(-0.5 * (angle / sigma) ** 2)


def apart(rng, count, least, good, nside):
    """Directions that are `least` from each other, on good pixels."""
    found = np.empty((0, 3))
    for _ in range(200 * count):
        v = rng.normal(size=3)
        v /= np.linalg.norm(v)
        if not good[hp.vec2pix(nside, *v)]:
            continue
        if len(found) and np.max(found @ v) > np.cos(least):
            continue
        found = np.vstack([found, v])
        if len(found) == count:
            break
    return found


def matched_noise(cl, fwhm, pixel_rms, nside):
    """rms of the matched filter for such a sky, with f_0 = f_1 = 0."""
    lmax = min(len(cl) - 1, 3 * nside - 1)
    l = np.arange(lmax + 1.0)
    b = np.exp(-0.5 * l * (l + 1) * (fwhm / FWHM_PER_SIGMA) ** 2)
    w = (2 * l + 1) / (4 * np.pi)
    total = cl[: lmax + 1] * b**2 + pixel_rms**2 * hp.nside2pixarea(nside)
    omega = 1 / np.sum(w * b)
    return 1 / (omega * np.sqrt(np.sum((w * b**2 / total)[2:])))


def angles(a, b):
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))


class Sky:
    def __init__(self, nside, fwhm_pixels, kind, uneven, masked, seed, count, depth=20.0, low=3.0, high=60.0):
        rng = np.random.default_rng(seed)
        self.nside = nside
        self.fwhm = fwhm_pixels * hp.nside2resol(nside)
        lmax = 3 * nside - 1
        cl = background(kind, lmax)
        np.random.seed(seed)
        values = hp.synfast(cl, nside, lmax=lmax, fwhm=self.fwhm, pol=False)
        z = hp.pix2vec(nside, np.arange(len(values)))
        noise = np.full(len(values), depth)
        if uneven:
            noise *= 1 + 1.5 * z[2] ** 2 + 0.8 * np.sin(3 * np.arctan2(z[1], z[0]))
        self.noise = noise
        values += noise * rng.normal(size=len(values))
        self.good = np.ones(len(values), bool)
        if masked:
            self.good &= np.abs(z[2]) > 0.2
            holes = rng.normal(size=(60, 3))
            for v in holes:
                self.good[hp.query_disc(nside, v, rng.uniform(0.3, 3) * self.fwhm)] = False
            self.good[hp.query_disc(nside, [0.3, 0.5, 0.8], 0.15)] = False
        self.places = apart(rng, count, 4 * self.fwhm, self.good, nside)
        snr = low * (high / low) ** rng.uniform(size=len(self.places))
        pixels = hp.vec2pix(nside, *self.places.T) if count else np.empty(0, int)
        levels = np.unique(np.round(noise, 0))
        table = np.interp(noise[pixels], levels, [matched_noise(cl, self.fwhm, n, nside) for n in levels])
        self.peaks = snr * table
        gaussians(nside, values, self.places, self.peaks, self.fwhm)
        self.values = values

    def write(self, path, masked_in_map):
        values = self.values.copy()
        if masked_in_map:
            values[~self.good] = hp.UNSEEN
        hp.write_map(path, values, coord="G", column_units="uK_CMB", dtype=np.float32, overwrite=True)


def read(c, path):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        table = Table.read(path)
    c.equal(f"{path.rsplit('.', 1)[1]} read by astropy without a warning", [str(w.message) for w in said], [])
    lon, lat = np.radians(table["GLON"]), np.radians(table["GLAT"])
    where = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)
    return table, np.asarray(where)


def judge(c, name, sky, table, where, snr_map):
    # Above 7 of the local noise that the program found: nearly all are found.
    pixels = hp.vec2pix(sky.nside, *sky.places.T)
    local = np.abs(snr_map[2][pixels])
    known = np.isfinite(local)
    bright = known & (sky.peaks > 7 * local)
    distance = angles(sky.places[:, None, :], where[None, :, :])
    best = np.argmin(distance, axis=1)
    hit = distance[np.arange(len(best)), best] < 0.7 * sky.fwhm
    share = np.mean(hit[bright])
    c.below(f"{name}: {bright.sum()} above 7 sigma, share missed", 1 - share, 0.02)
    real = np.min(distance, axis=0) < 0.7 * sky.fwhm
    c.below(f"{name}: {len(table)} found, share that is false", 1 - np.mean(real), 0.02)
    used = bright & hit
    peak, error = np.array(table["PEAK"])[best[used]], np.array(table["PEAK_ERR"])[best[used]]
    place = np.array(table["POS_ERR"])[best[used]] * np.pi / 648000
    off = distance[np.arange(len(best)), best][used]
    c.below(f"{name}: bias of the peak", abs(np.mean(peak / sky.peaks[used]) - 1), 0.02)
    pull = (peak - sky.peaks[used]) / error
    c.below(f"{name}: rms of peak errors less 1", abs(np.sqrt(np.mean(pull**2)) - 1), 0.2)
    c.below(f"{name}: rms of position errors less 1", abs(np.sqrt(np.mean(0.5 * (off / place) ** 2)) - 1), 0.2)


CASES = (  # nside, FWHM in pixels, background, uneven, masked, filter, mask as a file, sources
    ("CMB", 256, 4.0, "cmb", False, False, "matched", False, 500),
    ("CMB, uneven, holes", 256, 3.0, "cmb", True, True, "matched", False, 500),
    ("dust, uneven, mask file", 256, 4.0, "dust", True, True, "matched", True, 500),
    ("dust, Mexican hat", 256, 4.0, "dust", True, True, "mexican-hat", False, 500),
    ("CMB, top hats", 256, 4.0, "cmb", True, False, "top-hat-difference", False, 500),
    ("CMB at 512", 512, 2.6, "cmb", True, True, "matched", False, 900),
    ("dust at 1024", 1024, 4.0, "dust", True, True, "matched", True, 900),
)


def skies(c, only=None):
    for number, (name, nside, width, kind, uneven, masked, filter_type, as_file, count) in enumerate(CASES):
        if only is not None and number not in only:
            continue
        sky = Sky(nside, width, kind, uneven, masked, 40 + number, count)
        sky.write(c.path("sky.fits"), masked and not as_file)
        beam = ["--fwhm", f"{np.degrees(sky.fwhm) * 60:.10f}arcmin", "--type", filter_type]
        if as_file:
            hp.write_map(c.path("mask.fits"), sky.good.astype(np.float32), coord="G", overwrite=True)
            beam += ["--mask", c.path("mask.fits")]
        out = c.path("found.fits" if number % 2 else "found.vot")
        told = c.do("sources", c.path("sky.fits"), out, *beam, "--overwrite")
        c.do("filter", c.path("sky.fits"), c.path("f.fits"), *beam, "--overwrite", "--snr", c.path("s.fits"))
        filtered = hp.read_map(c.path("f.fits"), dtype=np.float64)
        snr = hp.read_map(c.path("s.fits"), dtype=np.float64)
        for m in (filtered, snr):
            m[m < -1e30] = np.nan
        with np.errstate(all="ignore"):
            local = filtered / snr
        table, where = read(c, out)
        judge(c, name, sky, table, where, (filtered, snr, local))
        c.below(f"{name}: expected false ones, share", told.get("expected_false", 1e9) / max(1, len(table)), 0.02)


def bright(c):
    """One source of 1000 sigma is one candidate, with every filter, beam a bit wrong or not, beside a hole or not."""
    for kind in ("cmb", "dust"):
        for filter_type in ("matched", "mexican-hat", "top-hat-difference"):
            sky = Sky(256, 4.0, kind, False, False, 90, 0)
            noise = matched_noise(background(kind, 767), sky.fwhm, 20.0, 256)
            at = np.array([np.cos(0.4), 0.0, np.sin(0.4)])
            values = sky.values.copy()
            gaussians(256, values, [at], [1000 * noise], sky.fwhm)
            values[hp.query_disc(256, [np.cos(0.4 + 3.2 * sky.fwhm), 0, np.sin(0.4 + 3.2 * sky.fwhm)], 2 * sky.fwhm)] = hp.UNSEEN
            hp.write_map(c.path("b.fits"), values, coord="G", column_units="uK_CMB", overwrite=True)
            c.do("sources", c.path("b.fits"), c.path("b.csv"), "--fwhm", f"{np.degrees(sky.fwhm) * 60}arcmin", "--type",
                 filter_type, "--overwrite")
            table, where = read(c, c.path("b.csv"))
            near = angles(where, at) < 25 * sky.fwhm if len(table) else np.zeros(0, bool)
            c.equal(f"{kind}, {filter_type}: candidates around 1000 sigma", int(near.sum()), 1)
            if near.any():
                i = np.argmax(table["SNR"])
                c.below(f"{kind}, {filter_type}: its peak", abs(table["PEAK"][i] / (1000 * noise) - 1), 0.01)


def matches(c):
    """Pairs as astropy finds them, in two frames."""
    rng = np.random.default_rng(12)
    v = rng.normal(size=(4000, 3))
    one = SkyCoord(*(v / np.linalg.norm(v, axis=1)[:, None]).T, representation_type="cartesian", frame="galactic")
    one = SkyCoord(one.spherical.lon, one.spherical.lat, frame="galactic")
    two = one[rng.permutation(4000)[:3000]].directional_offset_by(
        rng.uniform(0, 360, 3000) * u.deg, rng.exponential(20, 3000) * u.arcmin).icrs
    Table({"GLON": one.l.deg, "GLAT": one.b.deg}).write(c.path("one.csv"), overwrite=True)
    Table({"RA": two.ra.deg, "DEC": two.dec.deg}).write(c.path("two.fits"), overwrite=True)
    # Galactic from ICRS directly (Hipparcos) or by way of FK5 (astropy): 25 mas.
    limit = 0.03
    vectors = [np.array(place.galactic.cartesian.xyz.value).T for place in (one, two)]
    apart = np.degrees(angles(vectors[0][:, None, :], vectors[1][None, :, :])) * 3600
    for radius in (5, 60, 300):
        c.do("match", c.path("one.csv"), c.path("two.fits"), c.path("pairs.fits"), "--radius", f"{radius}arcmin",
             "--find", "all", "--overwrite")
        found = Table.read(c.path("pairs.fits"))
        near = np.sort(apart[apart <= radius * 60])
        c.equal(f"match within {radius} arcmin: pairs", len(found), len(near))
        if len(found) == len(near):
            c.below(f"match within {radius} arcmin: separations (arcsec)",
                    np.max(np.abs(np.sort(found["XSEP"]) - near)), limit)
    c.do("match", c.path("one.csv"), c.path("two.fits"), c.path("pairs.fits"), "--radius", "180deg", "--find", "best1",
         "--overwrite")
    found = Table.read(c.path("pairs.fits"))
    c.below("match best1: separations (arcsec)", np.max(np.abs(found["XSEP"] - apart.min(axis=1))), limit)


def regions(c):
    """stats of a circle and a polygon against healpy's queries."""
    rng = np.random.default_rng(5)
    nside = 128
    values = rng.normal(size=12 * nside**2)
    values[rng.uniform(size=values.size) < 0.1] = hp.UNSEEN
    hp.write_map(c.path("r.fits"), values, coord="C", dtype=np.float64, overwrite=True)
    values[values < -1e30] = np.nan
    for name, pixels, words in (
            ("circle", hp.query_disc(nside, hp.ang2vec(40, -20, lonlat=True), np.radians(7)), "circle(40,-20,7)"),
            ("polygon", hp.query_polygon(nside, hp.ang2vec([10, 30, 20], [0, 5, 25], lonlat=True)),
             "polygon(10,0,30,5,20,25)")):
        told = c.do("stats", c.path("r.fits"), c.path("r.ecsv"), "--region", words, "--overwrite")
        row = told["regions"][0]
        inside = values[pixels]
        c.equal(f"stats {name}: pixels", row["pixels"], len(pixels))
        for figure, truth in (("mean", np.nanmean(inside)), ("std", np.nanstd(inside)), ("median", np.nanmedian(inside)),
                              ("min", np.nanmin(inside)), ("max", np.nanmax(inside)), ("sum", np.nansum(inside))):
            c.below(f"stats {name}: {figure}", abs(row[figure] - truth), 1e-11)

# SPDX-License-Identifier: GPL-3.0-or-later
"""sources: detections on skies with added sources, made here independently of the program."""
import shutil
import subprocess
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
    # Above 7 times the local noise from the program: nearly all are detected.
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
    """One source of 1000 sigma is one candidate, for every filter, with exact or slightly wrong beam, with or without a hole nearby."""
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


def catalogs(c):
    """One search in every format: read by astropy and, if installed, by STILTS without warnings."""
    sky = Sky(64, 4.0, "cmb", True, True, 77, 60, low=6.0)
    sky.write(c.path("cat.fits"), True)
    beam = ("--fwhm", f"{np.degrees(sky.fwhm) * 60:.10f}arcmin", "--frequency", "100GHz")
    tables = {}
    for suffix in ("fits", "vot", "ecsv", "csv"):
        c.do("sources", c.path("cat.fits"), c.path(f"cat.{suffix}" if suffix != "fits" else "found.fits"), *beam,
             "--overwrite")
        tables[suffix] = c.path(f"cat.{suffix}" if suffix != "fits" else "found.fits")
    first, _ = read(c, tables["fits"])
    c.true(f"a catalog of {len(first)} sources", len(first) > 20)
    for suffix in ("vot", "ecsv", "csv"):
        table, _ = read(c, tables[suffix])
        c.equal(f"{suffix}: the columns of the FITS file", table.colnames, first.colnames)
        same = all(np.array_equal(np.asarray(table[name]), np.asarray(first[name]), equal_nan=first[name].dtype.kind == "f")
                   if first[name].dtype.kind != "S" and first[name].dtype.kind != "U"
                   else list(table[name]) == list(first[name]) for name in first.colnames)
        c.true(f"{suffix}: the numbers of the FITS file", same)
        if suffix != "csv":
            c.equal(f"{suffix}: its units", [str(table[name].unit) for name in table.colnames],
                    [str(first[name].unit) for name in first.colnames])
    if shutil.which("stilts") is None:
        print("skip STILTS is not installed")
        return
    lint = stilts("votlint", f"votable={tables['vot']}")
    c.equal("votlint of STILTS: what it says", (lint.stdout + lint.stderr).strip(), "")
    wanted = [name for name in first.colnames if first[name].dtype.kind == "f" and np.all(first[name] != 0)]
    for suffix, path in tables.items():
        done = stilts("tpipe", f"in={path}", f"ifmt={'votable' if suffix == 'vot' else suffix}", "ofmt=csv", "out=-")
        if "Unknown format" in done.stderr:
            print(f"skip this STILTS does not read {suffix}")
            continue
        c.equal(f"{suffix} read by STILTS without a warning", done.stderr.strip(), "")
        found = Table.read(done.stdout.splitlines(), format="ascii.csv")
        c.equal(f"{suffix} by STILTS: columns", found.colnames, first.colnames)
        if found.colnames != first.colnames:
            continue
        c.below(f"{suffix} by STILTS: numbers",
                max(np.max(np.abs(np.asarray(found[name], float) / first[name] - 1)) for name in wanted), 1e-14)


def stilts(*arguments):
    return subprocess.run(["stilts", *arguments], capture_output=True, text=True, timeout=300)


def matches(c):
    """Pairs as found by astropy, in two frames."""
    rng = np.random.default_rng(12)
    v = rng.normal(size=(4000, 3))
    one = SkyCoord(*(v / np.linalg.norm(v, axis=1)[:, None]).T, representation_type="cartesian", frame="galactic")
    one = SkyCoord(one.spherical.lon, one.spherical.lat, frame="galactic")
    two = one[rng.permutation(4000)[:3000]].directional_offset_by(
        rng.uniform(0, 360, 3000) * u.deg, rng.exponential(20, 3000) * u.arcmin).icrs
    Table({"GLON": one.l.deg, "GLAT": one.b.deg}).write(c.path("one.csv"), overwrite=True)
    Table({"RA": two.ra.deg, "DEC": two.dec.deg}).write(c.path("two.fits"), overwrite=True)
    # Galactic from ICRS directly (Hipparcos) or through FK5 (astropy): 25 mas.
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


def offsets(nside, lon, lat):
    """Arc lengths from a place to all pixels, east and north of it, in degrees."""
    at = SkyCoord(lon * u.deg, lat * u.deg)
    pixels = SkyCoord(*hp.pix2ang(nside, np.arange(12 * nside**2), lonlat=True) * u.deg)
    apart, angle = at.separation(pixels).deg, at.position_angle(pixels).rad
    return apart, apart * np.sin(angle), apart * np.cos(angle)


def regions(c):
    """stats of regions against healpy's queries, offsets by astropy, and numpy's figures."""
    rng = np.random.default_rng(5)
    nside = 128
    values = rng.normal(size=12 * nside**2)
    values[rng.uniform(size=values.size) < 0.1] = hp.UNSEEN
    hp.write_map(c.path("r.fits"), values, coord="C", dtype=np.float64, overwrite=True)
    values[values < -1e30] = np.nan
    lon, lat, turn = 200.0, 61.0, np.radians(35.0)
    apart, east, north = offsets(nside, lon, lat)
    # With east to the left, the first axis points to the right and turns counterclockwise.
    x, y = -np.cos(turn) * east + np.sin(turn) * north, -np.sin(turn) * east - np.cos(turn) * north
    inside = {
        "circle(40,-20,7)": hp.query_disc(nside, hp.ang2vec(40, -20, lonlat=True), np.radians(7)),
        "polygon(10,0,30,5,20,25)": hp.query_polygon(nside, hp.ang2vec([10, 30, 20], [0, 5, 25], lonlat=True)),
        f"annulus({lon},{lat},4,9)": np.flatnonzero((apart >= 4) & (apart <= 9)),
        f"ellipse({lon},{lat},12,5,35)": np.flatnonzero((x / 12) ** 2 + (y / 5) ** 2 <= 1),
        f"box({lon},{lat},20,8,35)": np.flatnonzero((abs(x) <= 10) & (abs(y) <= 4)),
    }
    for words, pixels in inside.items():
        name = words.split("(")[0]
        told = c.do("stats", c.path("r.fits"), c.path("r.ecsv"), "--region", words, "--histogram", c.path("h.ecsv"),
                    "--bins", 37, "--min", -2, "--max", 1.5, "--profile", c.path("p.ecsv"), "--step", "1.3deg",
                    "--overwrite")
        row = told["regions"][0]
        here = values[np.sort(pixels)]
        good = here[np.isfinite(here)]
        c.equal(f"stats {name}: pixels, good ones", [row["pixels"], row["good"]], [len(here), len(good)])
        table = Table.read(c.path("r.ecsv"))
        for figure, truth in (("mean", good.mean()), ("std", good.std()), ("median", np.median(good)),
                              ("min", good.min()), ("max", good.max()), ("sum", good.sum())):
            c.below(f"stats {name}: {figure}", abs(row[figure] - truth), 1e-11)
        for column, share in (("P16", 16), ("P84", 84)):
            c.below(f"stats {name}: {column}", abs(table[column][0] - np.percentile(good, share)), 1e-12)
        histogram = Table.read(c.path("h.ecsv"))
        edges = np.append(histogram["VALUE_MIN"], histogram["VALUE_MAX"][-1])
        c.below(f"stats {name}: edges of the histogram", np.max(abs(edges - np.linspace(-2, 1.5, 38))), 1e-14)
        c.equal(f"stats {name}: histogram", list(histogram["COUNT"]), list(np.histogram(good, edges)[0]))
        if name != "polygon":
            profile(c, name, Table.read(c.path("p.ecsv")), here,
                    (apart if name != "circle" else offsets(nside, 40, -20)[0])[np.sort(pixels)])


def profile(c, name, table, values, apart):
    good = np.isfinite(values)
    values, ring = values[good], np.minimum((apart[good] / 1.3).astype(int), len(table) - 1)
    count = np.bincount(ring, minlength=len(table))
    c.equal(f"stats {name}: pixels of the profile's rings", list(table["PIXELS"]), list(count))
    c.below(f"stats {name}: its rings", np.max(abs(table["THETA_MAX"] - 1.3 * np.arange(1, len(table) + 1))), 1e-12)
    for k in np.flatnonzero(count > 1):
        own = values[ring == k]
        found = [table[column][k] for column in ("MEAN", "STD", "MEAN_ERR")]
        truth = [own.mean(), own.std(ddof=1), own.std(ddof=1) / np.sqrt(len(own))]
        if np.max(abs(np.subtract(found, truth))) > 1e-13:
            c.true(f"stats {name}: ring {k}: {found}, not {truth}", False)


def local_means(cl):
    """Means of C_l, weighted by 2l + 1, over l (1 -+ 0.08) -+ 3, in long double."""
    lmax = len(cl) - 1
    l = np.arange(lmax + 1)
    w = np.where(l < 2, 0, 2 * l + 1).astype(np.longdouble)
    half = 3 + (0.08 * l).astype(int)
    low, high = np.maximum(0, l - half), np.minimum(lmax, l + half) + 1
    sums, weights = (np.concatenate([[0], np.cumsum(v)]) for v in (w * cl, w))
    return (sums[high] - sums[low]) / (weights[high] - weights[low])


def gaussian_window(fwhm):
    """B_l down to 1e-6, and the solid angle; long double."""
    sigma = np.longdouble(fwhm) / np.sqrt(8 * np.log(np.longdouble(2)))
    l = np.arange(int(np.ceil(np.sqrt(-2 * np.log(1e-6)) / float(sigma))) + 1, dtype=np.longdouble)
    b = np.exp(-0.5 * l * (l + 1) * sigma**2)
    b = b[: np.flatnonzero(b >= 1e-6)[-1] + 1]
    return b, 4 * np.longdouble(np.pi) / np.sum((2 * l[: len(b)] + 1) * b)


def kelvin_to_jansky(frequency):
    """dB/dT at 2.7255 K (D. J. Fixsen 2009, rounded as by astropy), in Jy/sr of a kelvin."""
    h, k, light, t = 6.62607015e-34, 1.380649e-23, 299792458.0, 2.7255
    x = h * frequency / (k * t)
    return 2 * k * frequency**2 / light**2 * x**2 * np.exp(x) / np.expm1(x) ** 2 * 1e26


def analyzed(values, lmax):
    return hp.map2alm(hp.remove_dipole(values), lmax=lmax, iter=0, use_weights=True)


def several(c):
    """filter --map2 of maps in microkelvin and MJy/sr: the formula, in long double between healpy's transforms."""
    nside, index = 64, -0.7
    fwhm, frequency = np.radians([4.6, 6.0, 4.0]), np.array([28.4e9, 44.1e9, 70.4e9])
    rng = np.random.default_rng(31)
    common = hp.synalm(1e5 / np.arange(2.0, 194.0) ** 2.4, lmax=191)
    units = ("uK_CMB", "MJy/sr", "K_CMB")
    scale = np.array([1e6, kelvin_to_jansky(frequency[1]) * 1e-6, 1.0])  # units per kelvin
    maps = []
    for width, factor, depth in zip(fwhm, scale, (80.0, 50.0, 60.0)):
        sky = hp.alm2map(hp.smoothalm(common, fwhm=width), nside, lmax=191)
        maps.append((sky + depth * rng.normal(size=12 * nside**2)) * 1e-6 * factor + 30e-6 * factor)
    for i, values in enumerate(maps):
        hp.write_map(c.path(f"m{i}.fits"), values, coord="G", column_units=units[i], dtype=np.float64, overwrite=True)
    angle = [f"{np.degrees(width):.17g}deg" for width in fwhm]
    windows = [gaussian_window(width) for width in fwhm]
    # The flux density of a source in janskys, of peak 1 in each map's unit.
    jansky = np.array([kelvin_to_jansky(frequency[0]) * 1e-6, 1e6, kelvin_to_jansky(frequency[2])]) * np.array(
        [float(solid) for _, solid in windows])
    response = (frequency / frequency[0]) ** index * jansky[0] / jansky
    for count in (2, 3):
        others = [word for i in range(1, count) for word in ("--map2", c.path(f"m{i}.fits"))]
        told = c.do("filter", c.path("m0.fits"), c.path("f.fits"), *others, "--fwhm", angle[0], "--fwhm2",
                    ",".join(angle[1:count]), "--frequency", "28.4GHz", "--frequency2",
                    ",".join(("44.1GHz", "70.4GHz")[: count - 1]), "--index", index, "--overwrite")
        found = hp.read_map(c.path("f.fits"), dtype=np.float64)
        c.below(f"filter of {count} maps: responses of sources",
                np.max(abs(np.array(told["response2"]) / response[1:count] - 1)), 1e-9)
        c.equal(f"filter of {count} maps: bright sources", told["bright_sources"], 0)
        truth, noise = matched(maps[:count], windows[:count], response[:count], nside)
        # A ridge of 1e-9 of the spectra changes the weights by some 1e-8.
        c.below(f"filter of {count} maps: in the first one's unit", np.std(found - truth) / np.std(truth), 1e-7)
        c.below(f"filter of {count} maps: noise of all", abs(told["noise_of_all"] / noise[0] - 1), 1e-7)
        c.below(f"filter of {count} maps: noise of the first", abs(told["noise_of_first_alone"] / noise[1] - 1), 1e-9)
        c.true(f"filter of {count} maps: less noise than of one", noise[0] < noise[1])


def matched(maps, windows, response, nside):
    """W = t_1 C^-1 t / (t^T C^-1 t), the sum, and its matched filter; the noise of all maps and of the first."""
    lmax = min(3 * nside - 1, len(windows[0][0]) - 1)
    lmaxes = [lmax] + [min(lmax, 2 * nside)] * (len(maps) - 1)
    alms = [analyzed(values, top) for values, top in zip(maps, lmaxes)]
    count = len(maps)
    cut = [[a if la <= lb else hp.resize_alm(a, la, la, lb, lb) for a, la in zip(alms, lmaxes)] for lb in lmaxes]
    spectra = [[local_means(hp.alm2cl(cut[j][i], cut[i][j])) for j in range(count)] for i in range(count)]
    sums = np.array(alms[0])
    alone = together = np.longdouble(0)
    for l in range(2, lmax + 1):
        used = [i for i in range(count) if l <= lmaxes[i] and l < len(windows[i][0])]
        t = np.array([response[i] * windows[i][1] * windows[i][0][l] for i in used])
        matrix = np.array([[spectra[i][j][l] for j in used] for i in used])
        x = solve(matrix, t)
        weights = t[0] * x / (t @ x)
        w = (2 * l + 1) / (4 * np.longdouble(np.pi))
        alone, together = alone + w * t[0] ** 2 / matrix[0, 0], together + w * (t @ x)
        for m in range(l + 1):
            sums[hp.Alm.getidx(lmax, l, m)] = sum(
                complex(weights[k]) * alms[i][hp.Alm.getidx(lmaxes[i], l, m)] for k, i in enumerate(used))
    one = analyzed(hp.alm2map(sums, nside, lmax=lmax), lmax)
    l = np.arange(lmax + 1)
    b, solid = windows[0][0][: lmax + 1], windows[0][1]
    f = np.where(l < 2, 0, b / local_means(hp.alm2cl(one)))
    f /= solid * np.sum((2 * l + 1) / (4 * np.longdouble(np.pi)) * b * f)
    return hp.alm2map(hp.almxfl(one, f.astype(float)), nside, lmax=lmax), (1 / np.sqrt(together), 1 / np.sqrt(alone))


def solve(matrix, right):
    """Gauss and Jordan in long double, in units of each row's own noise."""
    scale = np.sqrt(np.diag(matrix))
    a = np.column_stack([matrix / np.outer(scale, scale), right / scale])
    for i in range(len(right)):
        pivot = i + np.argmax(abs(a[i:, i]))
        a[[i, pivot]] = a[[pivot, i]]
        a[i] /= a[i, i]
        for j in range(len(right)):
            if j != i:
                a[j] -= a[j, i] * a[i]
    return a[:, -1] / scale

# SPDX-License-Identifier: GPL-3.0-or-later
"""project: each pixel holds the map's value in the direction that astropy's WCS gives it."""
import warnings

import healpy as hp
import numpy as np
from astropy.coordinates import BarycentricMeanEcliptic, Galactic, ICRS, SkyCoord
from astropy.io import fits
from astropy.wcs import WCS

PROJECTIONS = ("mollweide", "gnomonic", "orthographic", "cartesian", "lambert", "hammer")
FRAMES = {"G": Galactic(), "C": ICRS(), "E": BarycentricMeanEcliptic(equinox="J2000")}


def directions(path):
    """Longitude and latitude in degrees of every pixel center, NaN off the sky, and the values."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with fits.open(path) as hdus:
            values = hdus[0].data.astype(np.float64)
            wcs = WCS(hdus[0].header)
        rows, columns = np.indices(values.shape)
        lon, lat = wcs.all_pix2world(columns, rows, 0)
    return lon, lat, values, wcs


# astropy defines the Galactic frame in FK5, the program (as Hipparcos and SOFA) in ICRS: 23 mas.
FRAME_DIFFERENCE = 2e-7  # radians


def near_border(nside, theta, phi, step=FRAME_DIFFERENCE):
    """True if a step in some direction leaves the pixel, so that frame differences or rounding decide."""
    pixel = hp.ang2pix(nside, theta, phi)
    near = np.zeros(pixel.shape, bool)
    for dtheta, dphi in ((step, 0), (-step, 0), (0, step), (0, -step)):
        moved = np.clip(theta + dtheta, 0, np.pi)
        near |= hp.ang2pix(nside, moved, phi + dphi / np.maximum(np.sin(theta), 1e-6)) != pixel
    return near


def projections(c):
    nside = 64
    rng = np.random.default_rng(6)
    values = rng.normal(size=12 * nside**2).astype(np.float32)
    hp.write_map(c.path("v.fits"), values, coord="G", dtype=np.float32, overwrite=True)
    hp.write_map(c.path("v_nest.fits"), hp.reorder(values, r2n=True), nest=True, coord="G",
                 dtype=np.float32, overwrite=True)
    for projection in PROJECTIONS:
        for trial in range(4):
            lon = round(float(rng.uniform(0, 360)), 3)
            lat = round(float(rng.uniform(-90, 90)), 3) if trial else 0.0
            turn = round(float(rng.uniform(-180, 180)), 3) if trial else 0.0
            frame = "GGCE"[trial]
            view = ["--projection", projection, "--center", f"{lon}deg,{lat}deg", "--rotate",
                    f"{turn}deg", "--frame", frame, "--size", "121x83"]
            if projection == "gnomonic" or trial == 2:
                view += ["--resolution", "0.31deg"]
            path = c.path("view.fits")
            source = c.path("v_nest.fits" if trial % 2 else "v.fits")
            c.do("project", source, path, *view, "--overwrite")
            x, y, found, wcs = directions(path)
            name = f"project {projection} {frame} {lon},{lat} turn {turn}"
            on_sky = np.isfinite(x) & np.isfinite(y)
            # By rounding, a pixel of the edge may be on the sky for one program and off it for the other.
            off = np.mean(np.isfinite(found) != on_sky)
            c.below(f"{name}: pixels on and off the sky", off, 2e-3)
            both = on_sky & np.isfinite(found)
            galactic = SkyCoord(x[both], y[both], unit="deg", frame=FRAMES[frame]).transform_to(
                Galactic())
            theta, phi = np.pi / 2 - galactic.b.rad, galactic.l.rad
            truth = values[hp.ang2pix(nside, theta, phi)]
            sure = ~near_border(nside, theta, phi)
            c.equal(f"{name}: nearest", int(np.sum(found[both][sure] != truth[sure])), 0)
            c.do("project", source, path, *view, "--interpolation", "bilinear", "--overwrite")
            found = fits.getdata(path).astype(np.float64)
            truth = hp.get_interp_val(values.astype(np.float64), theta, phi)
            # Single precision; in other frames their difference, times a slope of at most 8 standard
            # deviations in half a pixel of 0.016 rad.
            limit = 1e-6 if frame == "G" else FRAME_DIFFERENCE * 8 / 0.008
            c.below(f"{name}: bilinear", float(np.max(np.abs(found[both] - truth))), limit)
            center = wcs.all_pix2world([[60.0, 41.0]], 0)[0]
            apart = SkyCoord(*center, unit="deg").separation(SkyCoord(lon, lat, unit="deg")).deg
            c.below(f"{name}: the middle is --center (deg)", float(apart), 1e-6)


def east_is_left(c):
    nside = 64
    lon = np.degrees(hp.pix2ang(nside, np.arange(12 * nside**2))[1])
    hp.write_map(c.path("lon.fits"), lon, coord="G", dtype=np.float64, overwrite=True)
    for flip, sign in ((False, -1), (True, 1)):
        c.do("project", c.path("lon.fits"), c.path("view.fits"), "--projection", "gnomonic",
             "--center", "100deg,0deg", "--size", "31x31", "--resolution", "1deg", "--overwrite",
             *(["--flip"] if flip else []))
        row = fits.getdata(c.path("view.fits"))[15]
        c.true(f"east to the {'right' if flip else 'left'}", sign * (row[-1] - row[0]) > 0)
        x = directions(c.path("view.fits"))[0][15]
        c.below("and the world coordinates say so", float(np.max(np.abs(x - row))), 1.0)

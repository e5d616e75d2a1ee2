# SPDX-License-Identifier: GPL-3.0-or-later
"""info and convert: content of the files, bit for bit, and responses to broken files."""
import gzip

import healpy as hp
import numpy as np
from astropy.io import fits

from harness import error, with_nan


def stored(path, column=0):
    """The values as stored in the file."""
    with fits.open(path) as hdus:
        return np.ravel(hdus[1].data.field(column))


def information(c):
    rng = np.random.default_rng(1)
    nside = 16
    for dtype in (np.float32, np.float64):
        for nest in (False, True):
            values = (rng.normal(size=12 * nside**2) * 3 + 1).astype(dtype)
            values[:100] = hp.UNSEEN
            hp.write_map(c.path("i.fits"), values, nest=nest, coord="E", dtype=dtype,
                         column_names=["SIGNAL"], column_units="mK", overwrite=True)
            found = c.do("info", c.path("i.fits"))
            good = values[100:].astype(np.float64)
            name = f"info {np.dtype(dtype).name} {'NESTED' if nest else 'RING'}"
            c.equal(f"{name}: header", [found.get(k) for k in ("kind", "nside", "ordering", "frame")],
                    ["map", nside, "NESTED" if nest else "RING", "E"])
            field = found["fields"][0]
            c.equal(f"{name}: field", [field["name"], field["unit"], field["min"], field["max"]],
                    ["SIGNAL", "mK", good.min(), good.max()])
            c.below(f"{name}: finite", abs(field["finite"] - good.size / values.size), 1e-15)
            c.below(f"{name}: mean", abs(field["mean"] - good.mean()), 1e-12)
            c.below(f"{name}: std", abs(field["std"] - good.std()), 1e-12)
    table = fits.BinTableHDU.from_columns([
        fits.Column("PIXEL", "J", array=np.arange(40, 90)),
        fits.Column("SIGNAL", "D", "K", array=np.arange(50.0))])
    table.header.update(PIXTYPE="HEALPIX", ORDERING="RING", NSIDE=nside, INDXSCHM="EXPLICIT",
                        COORDSYS="C", OBJECT="PARTIAL")
    table.writeto(c.path("p.fits"), overwrite=True)
    found = c.do("info", c.path("p.fits"))
    c.equal("info partial", [found.get("kind"), found.get("nside"), found.get("frame"),
                             found["fields"][0]["max"]], ["partial map", nside, "C", 49.0])
    hp.write_alm(c.path("alm.fits"), np.ones(hp.Alm.getsize(20), complex), overwrite=True)
    found = c.do("info", c.path("alm.fits"))
    c.equal("info alm", [found.get("kind"), found.get("lmax"), found.get("frame")], ["alm", 20, None])
    hp.write_cl(c.path("cl.fits"), np.ones(31), overwrite=True)
    found = c.do("info", c.path("cl.fits"))
    c.equal("info spectrum", [found.get("kind"), found.get("lmax")], ["spectrum", 30])
    table = fits.BinTableHDU.from_columns([
        fits.Column("RA", "D", "deg", array=[1.0, 2.0]), fits.Column("DEC", "D", "deg", array=[3.0, 4.0]),
        fits.Column("FLUX", "E", "Jy", array=[5.0, 6.0])])
    table.writeto(c.path("catalog.fits"), overwrite=True)
    found = c.do("info", c.path("catalog.fits"))
    c.true("info catalog", found.get("kind") in ("catalog", "samples") and found.get("frame") == "C")


def conversions(c):
    rng = np.random.default_rng(2)
    nside = 32
    npix = 12 * nside**2
    for dtype in (np.float32, np.float64, np.int16, np.int32):
        values = (rng.normal(size=npix) * 100).astype(dtype)
        if np.issubdtype(dtype, np.floating):
            values[7:77] = hp.UNSEEN
        hp.write_map(c.path("c.fits"), values, dtype=dtype, coord="G", overwrite=True)
        name = np.dtype(dtype).name
        c.do("convert", c.path("c.fits"), c.path("same.fits"), "--overwrite")
        c.equal(f"convert {name}: untouched", stored(c.path("same.fits")), stored(c.path("c.fits")))
        c.equal(f"convert {name}: type", stored(c.path("same.fits")).dtype.kind, np.dtype(dtype).kind)
        c.do("convert", c.path("c.fits"), c.path("n.fits"), "--ordering", "nested", "--overwrite")
        c.equal(f"convert {name}: to NESTED", stored(c.path("n.fits")),
                stored(c.path("c.fits"))[hp.nest2ring(nside, np.arange(npix))])
        c.do("convert", c.path("n.fits"), c.path("r.fits"), "--ordering", "ring", "--overwrite")
        c.equal(f"convert {name}: and back", stored(c.path("r.fits")), stored(c.path("c.fits")))
    floats = with_nan(rng.normal(size=npix))
    floats[100:400] = np.nan
    hp.write_map(c.path("c.fits"), np.where(np.isnan(floats), hp.UNSEEN, floats), dtype=np.float64,
                 coord="G", overwrite=True)
    c.do("convert", c.path("c.fits"), c.path("sparse.fits"), "--sparse", "--overwrite")
    c.equal("convert --sparse: kind", c.do("info", c.path("sparse.fits")).get("kind"), "partial map")
    with fits.open(c.path("sparse.fits")) as hdus:
        c.equal("convert --sparse: pixels", np.ravel(hdus[1].data.field(0)),
                np.flatnonzero(np.isfinite(floats)))
    c.do("convert", c.path("sparse.fits"), c.path("full.fits"), "--overwrite")
    c.equal("convert: partial to full", stored(c.path("full.fits")), stored(c.path("c.fits")))
    for other in (4, 16, 64):
        c.do("convert", c.path("c.fits"), c.path("u.fits"), "--nside", other, "--overwrite")
        truth = with_nan(hp.ud_grade(np.where(np.isnan(floats), hp.UNSEEN, floats), other))
        c.below(f"convert --nside {other}", error(with_nan(stored(c.path("u.fits"))), truth), 1e-14)


def turned_frames(c):
    nside, lmax = 128, 24
    rng = np.random.default_rng(3)
    size = hp.Alm.getsize(lmax)
    alms = [rng.normal(size=size) + 1j * rng.normal(size=size) for _ in range(3)]
    ls, ms = hp.Alm.getlm(lmax)
    for alm in alms:
        alm[ms == 0] = alm[ms == 0].real
        alm[ls < 2] = 0
    maps = hp.alm2map(alms, nside, lmax=lmax, pol=True)
    hp.write_map(c.path("f.fits"), maps, coord="G", dtype=np.float64, overwrite=True,
                 column_names=["TEMPERATURE", "Q_POLARISATION", "U_POLARISATION"])
    for letter in "EC":
        c.do("convert", c.path("f.fits"), c.path("t.fits"), "--frame", letter, "--overwrite")
        rotator = hp.Rotator(coord=["G", letter])
        turned = rotator.rotate_alm([alm.copy() for alm in alms], lmax=lmax)
        truth = hp.alm2map(turned, nside, lmax=lmax, pol=True)
        for i, name in enumerate("TQU"):
            found = hp.read_map(c.path("t.fits"), field=i, dtype=np.float64)
            # Bilinear interpolation: (lmax pixel)^2 / 8 = (24 * 0.008)^2 / 8 = 0.5 % at worst.
            c.below(f"convert --frame {letter}, {name}", error(found, truth[i]), 5e-3)
        c.equal(f"convert --frame {letter}: named", c.do("info", c.path("t.fits"))["frame"], letter)


def lone_pixels(c):
    """A catalog on the sky: after a change of frame, every source is within a pixel of its position."""
    nside = 256
    rng = np.random.default_rng(8)
    pixels = np.unique(hp.vec2pix(nside, *rng.normal(size=(3, 400))))
    around = hp.get_all_neighbours(nside, pixels)
    pixels = pixels[~np.isin(around, pixels).any(axis=0)]  # no two adjacent
    flux = rng.uniform(1, 2, size=pixels.size)
    table = fits.BinTableHDU.from_columns([fits.Column("PIXEL", "J", array=pixels),
                                           fits.Column("FLUX", "D", "Jy", array=flux)])
    table.header.update(PIXTYPE="HEALPIX", ORDERING="RING", NSIDE=nside, INDXSCHM="EXPLICIT",
                        COORDSYS="G", OBJECT="PARTIAL")
    table.writeto(c.path("sources.fits"), overwrite=True)
    c.do("convert", c.path("sources.fits"), c.path("moved.fits"), "--frame", "C", "--sparse",
         "--overwrite")
    with fits.open(c.path("moved.fits")) as hdus:
        found, value = (np.ravel(hdus[1].data.field(i)) for i in (0, 1))
    turned = np.array(hp.Rotator(coord=["G", "C"])(hp.pix2vec(nside, pixels)))
    distance = np.arccos(np.clip(turned.T @ np.array(hp.pix2vec(nside, found)), -1, 1))
    nearest = distance.argmin(axis=1)
    c.below("convert --frame of lone pixels: distance in pixels",
            distance.min(axis=1).max() / hp.max_pixrad(nside), 1.0)
    c.below("convert --frame of lone pixels: values", abs(value[nearest] - flux).max(), 1e-12)


def broken_files(c):
    """Every cut or changed file gets one line and status 1, or is read; nothing crashes."""
    hp.write_map(c.path("b.fits"), np.arange(12.0 * 8 * 8), coord="G", dtype=np.float32,
                 overwrite=True)
    whole = open(c.path("b.fits"), "rb").read()
    rng = np.random.default_rng(4)
    cases = [whole[:n] for n in (0, 1, 80, 2879, 2880, 5760, 5761, 8000, len(whole) - 2880)]
    for _ in range(150):
        changed = bytearray(whole)
        for position in rng.integers(0, 8640, size=rng.integers(1, 20)):
            changed[position] = rng.integers(0, 256)
        cases.append(bytes(changed))
    for old, new in (("NSIDE   =                    8", "NSIDE   =                    7"),
                     ("NSIDE   =                    8", "NSIDE   =                   -8"),
                     ("NSIDE   =                    8", "NSIDE   =            536870912"),
                     ("NAXIS2  =", "NAXIS2  = 9999999999999999999 /"),
                     ("RING", "DING"), ("HEALPIX", "HEALPOX")):
        cases.append(whole.replace(old.encode(), new.encode().ljust(len(old))[:max(len(old), 0)]
                                   if len(new) <= len(old) else new.encode()[:len(old)]))
    cases.append(gzip.compress(whole)[:500])
    crashes, lines = 0, 0
    for case in cases:
        with open(c.path("broken.fits"), "wb") as file:
            file.write(case)
        done = c.run("info", c.path("broken.fits"), "--json", timeout=60)
        if done.returncode not in (0, 1):
            crashes += 1
            print(f"     status {done.returncode}: {done.stderr[:200]}")
        if done.returncode == 1:
            good = done.stderr.count("\n") == 1 and done.stderr.startswith(
                f"armilla info: {c.path('broken.fits')}: ") and done.stdout == ""
            if not good:
                lines += 1
                print(f"     not one line: {done.stderr!r} {done.stdout!r}")
    c.equal(f"{len(cases)} broken files: crashes", crashes, 0)
    c.equal(f"{len(cases)} broken files: errors that are not one line", lines, 0)

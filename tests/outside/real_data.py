# SPDX-License-Identifier: GPL-3.0-or-later
"""Real and reference maps from a folder outside the project; absent files are skipped."""
import healpy as hp
import numpy as np

import check_transforms
from harness import error, rms, with_nan


def read(path, field=0):
    return with_nan(hp.read_map(path, field=field, dtype=np.float64))


def every_file(c, data):
    for path in sorted([*data.rglob("*.fits"), *data.rglob("*.fits.gz"), *data.rglob("*.fit")]):
        done = c.run("info", path, "--json")
        name = f"info {path.relative_to(data)}"
        c.true(f"{name}: {done.stdout[:100].strip() or done.stderr.strip()}",
               done.returncode == 0 or (done.returncode == 1 and done.stderr.count("\n") == 1))


def statistics(c, data):
    for name in ("healpix_f90/map.fits", "healpy_wmap/wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits",
                 "healpy_wmap/wmap_band_iqumap_r9_7yr_W_v4_udgraded32_masked.fits",
                 "pysm/check2synch_30p0_64.fits", "gw/GW150914_bayestar_gstlal_C01.fits.gz",
                 "fermi/fermi_lat_2-20GeV_nside128.fits", "gsm/gsm2016_components_nside64.fits"):
        if not (data / name).exists():
            continue
        found = c.do("info", data / name)
        values = with_nan(hp.read_map(data / name, dtype=np.float64, nest=None))
        good = values[np.isfinite(values)]
        field = found["fields"][0]
        c.equal(f"info {name}", [found["nside"], field["min"], field["max"]],
                [hp.npix2nside(values.size), good.min(), good.max()])
        c.below(f"info {name}: mean", abs(field["mean"] - good.mean()) / good.std(), 1e-10)
        c.below(f"info {name}: std", abs(field["std"] / good.std() - 1), 1e-10)


def references(c, data):
    f90 = data / "healpix_f90"
    if (f90 / "alm.fits").exists():
        c.do("alm2map", f90 / "alm.fits", c.path("r.fits"), "--nside", 128, "--overwrite")
        for i, name in enumerate("TQU"):
            truth = read(f90 / "map.fits", i)
            # The file is in single precision, and its values carry 1.5e-5 of 100 microkelvin.
            c.below(f"alm2map of HEALPix F90's alm, {name}", error(read(c.path("r.fits"), i), truth),
                    1e-6)
        c.do("map2alm", f90 / "map.fits", c.path("a.fits"), "--lmax", 256, "--weights", "ring",
             "--polarization", "--overwrite")
        truth = check_transforms.analyzed([read(f90 / "map.fits", i) for i in range(3)], lmax=256,
                                          iter=0, use_weights=True)
        for i, name in enumerate("TEB"):
            found = hp.read_alm(c.path("a.fits"), hdu=i + 1)
            c.below(f"map2alm of HEALPix F90's map, {name}",
                    rms(abs(found - truth[i])) / rms(abs(truth[i])), 1e-9)
        c.do("convert", f90 / "map.fits", c.path("lo.fits"), "--nside", 4, "--field", 1,
             "--overwrite")
        c.below("convert --nside 4 as HEALPix F90",
                error(read(c.path("lo.fits")), read(f90 / "map_LOres.fits")), 1e-6)
    wmap = data / "healpy_wmap" / "wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits"
    smoothed = wmap.with_name(wmap.stem + "_smoothed10deg_fortran.fits")
    if smoothed.exists():
        c.do("smooth", wmap, c.path("s.fits"), "--fwhm", "600arcmin", "--lmax", 64, "--iterations",
             3, "--weights", "none", "--polarization", "--overwrite")
        for i, name in enumerate("TQU"):
            c.below(f"smooth WMAP as HEALPix F90, {name}",
                    error(read(c.path("s.fits"), i), read(smoothed, i)), 1e-6)
    pysm = data / "pysm" / "check2synch_30p0_64.fits"
    if pysm.exists():
        c.do("smooth", pysm, c.path("s.fits"), "--fwhm", "1deg", "--iterations", 3, "--weights",
             "none", "--overwrite")
        truth = check_transforms.smoothed(read(pysm), fwhm=np.radians(1), iter=3, use_weights=False)
        c.below("smooth the synchrotron template", error(read(c.path("s.fits")), truth), 1e-6)


def pictures(c, data):
    for name in ("planck/planck_hfi143_R1_gc_nside512_nest_partA.fits",
                 "gw/GW200129_bayestar.multiorder.fits", "gw/GW150914_bayestar_gstlal_C01.fits.gz",
                 "masks/redmapper_dr8_depth_nside2048_explicit.fit"):
        if not (data / name).exists():
            continue
        for command, out in (("project", "v.fits"), ("render", "v.png")):
            done = c.run(command, data / name, c.path(out), "--overwrite", "--frame", "G", "--json")
            c.true(f"{command} {name}: {done.stderr.strip()[-120:]}", done.returncode == 0)


def check(c, data):
    every_file(c, data)
    statistics(c, data)
    references(c, data)
    pictures(c, data)

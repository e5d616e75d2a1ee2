#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs commands and the libraries that do the same work in turn, and prints the ratios of CPU time.

    command_peers.py ARMILLA [--nside N] [--rows N] [--rounds R] [--only NAME ...]

Both sides read the same files and write theirs. CPU time is user and system time of all threads; that of a
library leaves out the start of Python and the imports, that of a command is the whole process. A ratio above 1
means that armilla takes less. Rows whose library is not installed are named and left out.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

import numpy as np

# One row: name, modules of the library, words of the command, code of the library. {W} is the folder.
# Holes of dist2holes are the zeros of a mask up to healpy 1.18, its other pixels since healpy 1.19.
ROWS = [
    ("convert --nside", ["healpy"], "convert {W}/map.fits {W}/a.fits --nside {half} --overwrite",
     "m = healpy.read_map('{W}/map.fits', dtype=np.float32)\n"
     "healpy.write_map('{W}/b.fits', healpy.ud_grade(m, {half}), overwrite=True, dtype=np.float32)"),
    ("convert --frame", ["healpy"], "convert {W}/map.fits {W}/a.fits --frame C --overwrite",
     "m = healpy.read_map('{W}/map.fits', dtype=np.float64)\n"
     "r = healpy.Rotator(coord=['G', 'C']).rotate_map_pixel(m)\n"
     "healpy.write_map('{W}/b.fits', r, overwrite=True, dtype=np.float32)"),
    ("convert --frame --method harmonic", ["healpy"],
     "convert {W}/map.fits {W}/a.fits --frame C --method harmonic --overwrite",
     "m = healpy.read_map('{W}/map.fits', dtype=np.float64)\n"
     "alm = healpy.map2alm(m, iter=0)\n"
     "healpy.Rotator(coord=['G', 'C']).rotate_alm(alm, inplace=True)\n"
     "healpy.write_map('{W}/b.fits', healpy.alm2map(alm, {nside}), overwrite=True, dtype=np.float32)"),
    ("map2alm", ["healpy"], "map2alm {W}/map.fits {W}/a.fits --overwrite",
     "m = healpy.read_map('{W}/map.fits', dtype=np.float64)\n"
     "healpy.write_alm('{W}/b.fits', healpy.map2alm(m, iter=0), overwrite=True)"),
    ("alm2map", ["healpy"], "alm2map {W}/alm.fits {W}/a.fits --nside {nside} --overwrite",
     "alm = healpy.read_alm('{W}/alm.fits')\n"
     "healpy.write_map('{W}/b.fits', healpy.alm2map(alm, {nside}), overwrite=True, dtype=np.float64)"),
    ("anafast", ["healpy"], "anafast {W}/map.fits {W}/a.fits --overwrite",
     "m = healpy.read_map('{W}/map.fits', dtype=np.float64)\n"
     "healpy.write_cl('{W}/b.fits', healpy.anafast(m, iter=0), overwrite=True)"),
    ("synfast", ["healpy"], "synfast {W}/cl.fits {W}/a.fits --nside {nside} --overwrite",
     "cl = healpy.read_cl('{W}/cl.fits')\n"
     "m = healpy.synfast(cl, {nside}, lmax=len(cl) - 1)\n"
     "healpy.write_map('{W}/b.fits', m, overwrite=True, dtype=np.float64)"),
    ("smooth --fwhm 1deg", ["healpy"], "smooth {W}/map.fits {W}/a.fits --fwhm 1deg --overwrite",
     "m = healpy.read_map('{W}/map.fits', dtype=np.float64)\n"
     "s = healpy.smoothing(m, fwhm=np.radians(1.0), iter=0)\n"
     "healpy.write_map('{W}/b.fits', s, overwrite=True, dtype=np.float32)"),
    ("mask --grow 1deg", ["healpy"], "mask {W}/mask.fits {W}/a.fits --grow 1deg --overwrite",
     "m = healpy.read_map('{W}/mask.fits', dtype=np.int32)\n"
     "d = healpy.dist2holes(m if healpy.dist2holes(np.arange(12))[0] == 0 else m == 0)\n"
     "healpy.write_map('{W}/b.fits', (d > np.radians(1.0)).astype(np.float32), overwrite=True)"),
    ("mask --apodize 2deg", ["healpy"], "mask {W}/mask.fits {W}/a.fits --apodize 2deg --overwrite",
     "m = healpy.read_map('{W}/mask.fits', dtype=np.int32)\n"
     "d = healpy.dist2holes(m if healpy.dist2holes(np.arange(12))[0] == 0 else m == 0)\n"
     "x = np.minimum(1, np.sin(d / 2) / np.sin(np.radians(2.0) / 2))\n"
     "healpy.write_map('{W}/b.fits', 0.5 * (1 - np.cos(np.pi * x)), overwrite=True, dtype=np.float32)"),
    ("match --radius 10arcsec", ["scipy", "astropy"],
     "match {W}/one.fits {W}/two.fits {W}/a.fits --radius 10arcsec --find all --overwrite",
     "from astropy.table import Table, hstack\n"
     "from scipy.spatial import cKDTree\n"
     "def places(t):\n"
     "    a, d = np.radians(t['RA']), np.radians(t['DEC'])\n"
     "    return np.column_stack([np.cos(d) * np.cos(a), np.cos(d) * np.sin(a), np.sin(d)])\n"
     "t, u = Table.read('{W}/one.fits'), Table.read('{W}/two.fits')\n"
     "radius = 2 * np.sin(np.radians(10 / 3600) / 2)\n"
     "one, two = cKDTree(places(t)), cKDTree(places(u))\n"
     "pairs = one.sparse_distance_matrix(two, radius, output_type='coo_matrix')\n"
     "hstack([t[pairs.row], u[pairs.col]]).write('{W}/b.fits', overwrite=True)"),
    ("moc --operation union", ["mocpy"], "moc {W}/one.moc.fits {W}/a.fits --with {W}/two.moc.fits --overwrite",
     "one, two = mocpy.MOC.load('{W}/one.moc.fits', 'fits'), mocpy.MOC.load('{W}/two.moc.fits', 'fits')\n"
     "one.union(two).save('{W}/b.fits', format='fits', overwrite=True)"),
    ("render", ["healpy", "matplotlib"], "render {W}/map.fits {W}/a.png --overwrite",
     "import matplotlib\n"
     "matplotlib.use('agg')\n"
     "from matplotlib import pyplot\n"
     "m = healpy.read_map('{W}/map.fits', dtype=np.float32)\n"
     "healpy.mollview(m, xsize=3000)\n"
     "pyplot.gcf().set_size_inches(10, 6.4)\n"
     "pyplot.savefig('{W}/b.png', dpi=150)"),
    ("render CATALOG", ["healpy", "matplotlib", "astropy"], "render {W}/one.fits {W}/a.png --overwrite",
     "import matplotlib\n"
     "matplotlib.use('agg')\n"
     "from astropy.table import Table\n"
     "from matplotlib import pyplot\n"
     "t = Table.read('{W}/one.fits')\n"
     "healpy.mollview(np.full(12, healpy.UNSEEN), cbar=False)\n"
     "healpy.projplot(t['RA'], t['DEC'], 'o', lonlat=True, mfc='none', ms=4)\n"
     "pyplot.gcf().set_size_inches(10, 6.4)\n"
     "pyplot.savefig('{W}/b.png', dpi=150)"),
    ("project --size", ["reproject", "healpy"],
     "project {W}/map.fits {W}/a.fits --projection gnomonic --center 30deg,20deg --size 2000x2000 "
     "--resolution 1arcmin --overwrite",
     "from astropy.io import fits\n"
     "from astropy.wcs import WCS\n"
     "w = WCS(naxis=2)\n"
     "w.wcs.ctype, w.wcs.crval = ['GLON-TAN', 'GLAT-TAN'], [30, 20]\n"
     "w.wcs.cdelt, w.wcs.crpix = [-1 / 60, 1 / 60], [1000.5, 1000.5]\n"
     "m = healpy.read_map('{W}/map.fits', dtype=np.float32)\n"
     "image, _ = reproject.reproject_from_healpix((m, 'galactic'), w, shape_out=(2000, 2000), "
     "order='nearest-neighbor')\n"
     "fits.writeto('{W}/b.fits', image, overwrite=True)"),
]


def make_files(folder, options):
    """Inputs of all rows: a sky with power 1 / (l (l + 1)), a mask of caps, two catalogs, two MOCs."""
    import healpy
    from astropy.table import Table
    rng = np.random.default_rng(1)
    np.random.seed(1)
    l = np.arange(2 * options.nside + 1)
    cl = np.where(l > 0, 1.0 / (l * (l + 1.0) + 1e-9), 0.0)
    alm = healpy.synalm(cl, lmax=l[-1])
    healpy.write_cl(f"{folder}/cl.fits", cl, overwrite=True)
    healpy.write_alm(f"{folder}/alm.fits", alm, overwrite=True)
    sky = healpy.alm2map(alm, options.nside)
    healpy.write_map(f"{folder}/map.fits", sky, coord="G", dtype=np.float32)
    mask = np.ones(sky.size, dtype=np.float32)
    for center in rng.standard_normal((300, 3)):
        mask[healpy.query_disc(options.nside, center, np.radians(rng.uniform(0.1, 2.0)))] = 0.0
    healpy.write_map(f"{folder}/mask.fits", mask, coord="G", dtype=np.float32)
    for name in ("one", "two"):
        longitude = rng.uniform(0, 360, options.rows)
        latitude = np.degrees(np.arcsin(rng.uniform(-1, 1, options.rows)))
        Table({"RA": longitude, "DEC": latitude}).write(f"{folder}/{name}.fits")
    try:
        import mocpy
    except ImportError:
        return
    for name in ("one", "two"):
        pixels = rng.choice(12 * 4**8, 5000, replace=False)
        moc = mocpy.MOC.from_healpix_cells(pixels.astype(np.uint64), np.uint8(8), np.uint8(8))
        moc.save(f"{folder}/{name}.moc.fits", format="fits")


def command_seconds(words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def library_seconds(modules, code):
    """CPU seconds of the code in a Python of its own, after the imports."""
    whole = ("import json, time\nimport numpy as np\n" + "".join(f"import {module}\n" for module in modules) +
             "begin = time.process_time()\n" + code + "\nprint(json.dumps(time.process_time() - begin))\n")
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", whole], check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def is_installed(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("armilla")
    parser.add_argument("--nside", type=int, default=1024)
    parser.add_argument("--rows", type=int, default=1000000, help="of each catalog")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="*", help="names of rows")
    options = parser.parse_args()
    slower = []
    with tempfile.TemporaryDirectory() as folder:
        make_files(folder, options)
        values = {"W": folder, "nside": options.nside, "half": options.nside // 2}
        print(f"{'command':36s} {'library':22s} {'armilla':>9s} {'library':>9s}  ratio   (CPU seconds, median of "
              f"{options.rounds})")
        for name, modules, words, code in ROWS:
            if options.only and name not in options.only:
                continue
            missing = [module for module in modules if not is_installed(module)]
            if missing:
                print(f"{name:36s} left out: no {', '.join(missing)}")
                continue
            command = [options.armilla, *words.format(**values).split()]
            ours, theirs = [], []
            for _ in range(options.rounds):
                ours.append(command_seconds(command))
                theirs.append(library_seconds(modules, code.format(**values)))
            ratio = statistics.median(b / a for a, b in zip(ours, theirs))
            print(f"{name:36s} {modules[0]:22s} {statistics.median(ours):9.3f} {statistics.median(theirs):9.3f} "
                  f"{ratio:6.2f}", flush=True)
            if ratio < 1.0:
                slower.append(name)
    print("slower than the library: " + (", ".join(slower) if slower else "none"))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", str(len(os.sched_getaffinity(0))))
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the files of a release that later versions must open with the same values.

make_kept.py PROGRAMS FOLDER KEPT: PROGRAMS is the folder of the command armilla of the release, FOLDER an empty folder
for the files, KEPT the test program tst_kept, which writes the session and the preset. Needs healpy and astropy: the
expected values (values.json) are theirs, not those of Armilla. Run once for each release; the files of a release are
never made again.
"""
import json
import pathlib
import subprocess
import sys

import healpy
import numpy as np
from astropy.io import fits
from astropy.table import Table


def run(programs, folder, *words):
    """Runs the command in the folder."""
    subprocess.run([str(programs / "armilla"), *words], cwd=folder, check=True)


def numbers(values):
    """A list for JSON; blanks are null."""
    return [None if not np.isfinite(value) or value < -1e30 else float(value) for value in values]


def make(programs, folder, kept):
    folder.mkdir(parents=True, exist_ok=True)
    rows = "\n".join(f"{l},{0 if l < 2 else 1000 / (l * (l + 1))}" for l in range(9))
    (folder / "cl.csv").write_text(f"# C_l\nl,TT\n{rows}\n")
    run(programs, folder, "synfast", "cl.csv", "map.fits", "--nside", "4", "--seed", "7",
        "--frame", "G")
    run(programs, folder, "smooth", "map.fits", "smoothed.fits", "--fwhm", "20deg")
    run(programs, folder, "map2alm", "map.fits", "alm.fits", "--lmax", "6")
    run(programs, folder, "anafast", "map.fits", "spectrum.fits", "--lmax", "6")
    run(programs, folder, "mask", "map.fits", "mask.fits", "--latitude", "20deg")
    run(programs, folder, "moc", "mask.fits", "moc.fits")
    (folder / "catalog.csv").write_text("NAME,RA,DEC,FLUX\na b,10.5,-20.25,1.5\nc,359.75,89.5,\n\"d,e\",180,0,-3e-7\n")
    for suffix in ("fits", "vot", "ecsv", "parquet"):
        run(programs, folder, "convert", "catalog.csv", f"catalog.{suffix}")
    for name in ("cl.csv", "catalog.csv"):
        (folder / name).unlink()
    subprocess.run([str(kept), "--make", str(folder)], check=True)


def values(folder):
    """The values of all files, as healpy and astropy read them."""
    found = {}
    for name in ("map", "smoothed", "mask"):
        header = fits.getheader(folder / f"{name}.fits", 1)
        field = healpy.read_map(folder / f"{name}.fits", dtype=None)
        found[name] = {"nside": int(healpy.get_nside(field)), "ordering": header["ORDERING"], "frame": header["COORDSYS"][0],
                       "unit": header.get("TUNIT1", ""), "field": header["TTYPE1"], "values": numbers(field)}
    alm, mmax = healpy.read_alm(folder / "alm.fits", return_mmax=True)
    found["alm"] = {"mmax": int(mmax), "lmax": int(healpy.Alm.getlmax(len(alm))),
                    "real": numbers(alm.real), "imaginary": numbers(alm.imag)}
    found["spectrum"] = {"TT": numbers(fits.getdata(folder / "spectrum.fits", 1).field(0))}
    table = Table.read(folder / "catalog.fits")
    found["catalog"] = {"NAME": [str(text).strip() for text in table["NAME"]],
                        **{name: numbers(np.ma.filled(table[name].astype(float), np.nan))
                           for name in ("RA", "DEC", "FLUX")}}
    # Cells of the MOC (NUNIQ or ranges) as pixels of the mask's order that are covered.
    data = fits.getdata(folder / "moc.fits", 1).field(0).astype(np.int64)
    if fits.getheader(folder / "moc.fits", 1).get("ORDERING") == "NUNIQ":
        order = (np.log2(data / 4) / 2).astype(int)
        pixels = [p for o, u in zip(order, data)
                  for p in range((u - 4 * 4**o) << 2 * (2 - o), (u - 4 * 4**o + 1) << 2 * (2 - o))]
    else:
        shift = 2 * (29 - 2)
        pixels = [p for first, last in data.reshape(-1, 2) for p in range(first >> shift, last >> shift)]
    found["moc"] = {"nested": sorted(int(p) for p in pixels)}
    return found


def main():
    programs, folder, kept = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    make(programs, folder, kept)
    (folder / "values.json").write_text(json.dumps(values(folder), indent=1) + "\n")


if __name__ == "__main__":
    main()

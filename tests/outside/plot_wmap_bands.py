#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Band powers of WMAP's W band outside a mask, beside those that WMAP published.

    plot_wmap_bands.py BINARY FOLDER PICTURE

FOLDER has two files of healpy's test data: wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits (7 years, in mK) and
wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits. Needs matplotlib. Prints both spectra.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# l_min, l_max, mean of D_l and its error in uK^2: the combined TT spectrum of nine years, C. L. Bennett et al. 2013,
# doi:10.1088/0067-0049/208/2/20 (wmap_binned_tt_spectrum_9yr_v5.txt).
PUBLISHED = [
    (2, 2, 150.6398, 708.3154), (3, 3, 902.1805, 565.3141), (4, 5, 1099.1072, 312.4955),
    (6, 8, 855.1115, 196.0931), (9, 11, 832.0033, 164.2599), (12, 15, 883.9303, 127.8851),
    (16, 19, 835.6765, 119.8922), (20, 24, 721.2550, 103.8160), (25, 30, 981.0045, 93.5466),
    (31, 36, 1095.1852, 94.0505), (37, 44, 1418.5316, 83.2131), (45, 52, 1322.0673, 86.1606)]
W_BEAM = "13.2arcmin"


def measured(binary, data, folder):
    """D_l and errors in the published bins."""
    def armilla(*arguments):
        subprocess.run([binary, *map(str, arguments), "--overwrite", "--quiet"], check=True)

    bins = folder / "bins.txt"
    bins.write_text("".join(f"{first} {last}\n" for first, last, _, _ in PUBLISHED))
    armilla("calc", "1000 * A", folder / "sky.fits", "--let",
            f"A={data / 'wmap_band_iqumap_r9_7yr_W_v4_udgraded32.fits'}", "--unit", "uK_CMB")
    armilla("anafast", folder / "sky.fits", folder / "bands.csv", "--mask",
            data / "wmap_temperature_analysis_mask_r9_7yr_v4_udgraded32.fits", "--input-frame", "G",
            "--remove", "dipole", "--lmax", 95, "--iterations", 3, "--decouple", "--bins", bins,
            "--bin-as", "dl", "--fwhm", W_BEAM, "--pixel-window", "--errors", "gaussian")
    with open(folder / "bands.csv", encoding="utf-8") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        next(rows)
        return [(float(row[3]), float(row[4])) for row in rows]


def main():
    binary, data, picture = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as folder:
        found = measured(binary, data, pathlib.Path(folder))
    figure, axes = plt.subplots(figsize=(7, 4), dpi=110)
    at = [0.5 * (first + last) for first, last, _, _ in PUBLISHED]
    axes.errorbar(at, [row[2] for row in PUBLISHED], [row[3] for row in PUBLISHED], fmt="s", color="0.55",
                  capsize=2, label="WMAP, combined spectrum of 9 years")
    axes.errorbar([x * 1.03 for x in at], [one[0] for one in found], [one[1] for one in found], fmt="o",
                  color="C0", capsize=2, label="armilla anafast, W band of 7 years, nside 32")
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.set_xticks([2, 3, 5, 10, 20, 30, 50], ["2", "3", "5", "10", "20", "30", "50"])
    axes.set_ylim(0, None)
    axes.set_xlabel(r"multipole $\ell$")
    axes.set_ylabel(r"$\ell\,(\ell + 1)\,C_\ell / 2\pi$, $\mu$K$^2$")
    axes.legend(loc="upper left")
    figure.tight_layout()
    figure.savefig(picture)
    for (first, last, power, error), (own, own_error) in zip(PUBLISHED, found):
        print(f"l {first:2} to {last:2}: WMAP {power:7.1f} +- {error:5.1f}, armilla {own:7.1f} +- {own_error:5.1f}")


if __name__ == "__main__":
    main()

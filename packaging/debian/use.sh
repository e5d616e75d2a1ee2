#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# use.sh SOURCE: runs what a new user tries after the installation of the packages, then every example of the manual.
# Ends at the first failure.
set -euo pipefail
mkdir try
cd try
armilla --version
armilla sample sky.fits --nside 128
armilla info sky.fits
armilla smooth sky.fits smooth.fits --fwhm 3deg
armilla sources sky.fits sources.parquet --fwhm 2deg
armilla render smooth.fits figure.png --graticule 30deg --title "A sky"
armilla render smooth.fits figure.pdf
QT_QPA_PLATFORM=offscreen armilla-gui smooth.fits --screenshot window.png
for file in figure.png figure.pdf window.png; do
    [ -s "$file" ] || { echo "use.sh: expected a picture $file, found none" >&2; exit 1; }
done
python3 - <<'PYTHON'
import armilla
import numpy as np

sky = armilla.sample(nside=64)
smoothed = armilla.smooth(sky, fwhm="3deg")
alm = armilla.Sht(nside=64, lmax=128, device="cpu").map2alm(np.ones(12 * 64**2))
np.testing.assert_allclose(alm[0], np.sqrt(4 * np.pi), rtol=1e-6)
open("module.png", "wb").write(armilla.figure(smoothed, graticule="30deg"))
print("module", armilla.__version__)
PYTHON
python3 "$1/packaging/manual/make_manual.py" --examples --programs /usr/bin --out manual
# `./dev manual` makes the pages of the package armilla-doc.
if dpkg -s armilla-doc >/dev/null 2>&1; then
    grep -q 'A first hour' /usr/share/doc/armilla/html/first-hour.html
else
    echo "use.sh: without armilla-doc, which is not among the packages"
fi

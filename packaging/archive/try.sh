#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# try.sh FOLDER: runs the programs of an unpacked archive in an empty folder.
set -euo pipefail
folder=$1
cd "$(mktemp -d)"
"$folder/armilla" --version
printf 'l,TT\n0,0\n1,0\n2,1\n3,1\n' >cl.csv
"$folder/armilla" synfast cl.csv sky.fits --nside 32 --frame G
"$folder/armilla" smooth sky.fits smooth.fits --fwhm 5deg
"$folder/armilla" render smooth.fits figure.png
"$folder/armilla" render smooth.fits figure.pdf
QT_QPA_PLATFORM=offscreen "$folder/armilla-gui" smooth.fits --screenshot window.png
test -s figure.png -a -s figure.pdf -a -s window.png
echo "try.sh: all programs ran"

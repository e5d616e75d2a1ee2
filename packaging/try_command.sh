#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# try_command.sh ARMILLA: a first hour with the command alone, in an empty folder; ends at the first failure.
set -euo pipefail
armilla=$(command -v "$1") && armilla=$(readlink -f "$armilla")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$armilla" --version
printf 'l,TT\n' >cl.csv
for l in $(seq 0 64); do printf '%d,%s\n' "$l" "$([ "$l" -lt 2 ] && echo 0 || echo 1)"; done >>cl.csv
"$armilla" synfast cl.csv sky.fits --nside 32 --seed 5
"$armilla" smooth sky.fits smooth.fits --fwhm 5deg
"$armilla" anafast smooth.fits spectrum.fits --lmax 64
"$armilla" convert sky.fits sky.fits.gz
"$armilla" stats sky.fits.gz statistics.csv
"$armilla" sources sky.fits sources.xml --fwhm 5deg --input-frame G
for suffix in fits csv ecsv parquet; do
    "$armilla" convert sources.xml "sources.$suffix"
    "$armilla" info "sources.$suffix"
done
"$armilla" project sky.fits view.fits --size 200x100 --input-frame G
"$armilla" convert view.fits again.fits --nside 32
if "$armilla" render sky.fits sky.png 2>refusal.txt; then
    echo "try_command.sh: expected no command render in a build without figures, found one" >&2
    exit 1
fi
cat refusal.txt
echo "try_command.sh: all commands ran"

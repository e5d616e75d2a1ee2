#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares masked spectra of `armilla anafast` with NaMaster (pymaster of PyPI).

    check_against_namaster.py BINARY

Needs healpy and pymaster. Both programs take the same lmax, the mask's multipoles to 3 nside - 1,
the same bins and the same iterations. NaMaster's Toeplitz approximation is off.
"""
import sys
import tempfile

import healpy as hp
import numpy as np
import pymaster as nmt
from astropy.io import fits

from harness import Checker

NSIDE, LMAX, WIDTH, ITERATIONS = 32, 64, 6, 3
# Both sum the same terms in double precision; condition numbers of these matrices are below 10.
LIMIT = 1e-10


def sky():
    """T, Q and U of a random sky, and two masks that fall to 0 over 80 degrees."""
    l = np.arange(2, 3 * NSIDE)
    cl = np.zeros((4, 3 * NSIDE))
    for row, level in zip(cl, (1.0, 0.1, 0.02, 0.02)):
        row[2:] = level / (l * (l + 1.0))
    np.random.seed(1)
    maps = np.array(hp.synfast(cl, NSIDE, new=True, lmax=3 * NSIDE - 1))
    vectors = np.array(hp.pix2vec(NSIDE, np.arange(hp.nside2npix(NSIDE))))
    masks = []
    for axis in ((0.0, 0.0, 1.0), (0.3, 0.0, 0.95)):
        theta = np.arccos(np.clip(np.dot(axis / np.linalg.norm(axis), vectors), -1, 1))
        x = np.clip((1.9 - theta) / 1.4, 0, 1)
        masks.append(x - np.sin(2 * np.pi * x) / (2 * np.pi))
    return maps, masks


def lmax_of(purify):
    """NaMaster purifies only where the lmax of maps and mask is the same."""
    return 3 * NSIDE - 1 if purify else LMAX


def band_powers(maps, masks, purify):
    """The nine spectra by NaMaster."""
    lmax = lmax_of(purify)
    bins = nmt.NmtBin.from_lmax_linear(lmax, WIDTH)
    options = {"n_iter": ITERATIONS, "n_iter_mask": ITERATIONS, "lmax": lmax,
               "lmax_mask": 3 * NSIDE - 1}
    scalars = [nmt.NmtField(mask, [maps[0]], **options) for mask in masks]
    # The derivatives of a band-limited mask are not 0 outside it. Armilla takes no data from there.
    spins = [nmt.NmtField(mask, maps[1:] * (mask > 0), purify_b=purify, **options)
             for mask in masks]

    def powers(a, b):
        workspace = nmt.NmtWorkspace.from_fields(a, b, bins)
        return workspace.decouple_cell(nmt.compute_coupled_cell(a, b))

    result = {"TT": powers(scalars[0], scalars[1])[0]}
    result["TE"], result["TB"] = powers(scalars[0], spins[1])
    result["ET"], result["BT"] = powers(spins[0], scalars[1])
    result["EE"], result["EB"], result["BE"], result["BB"] = powers(spins[0], spins[1])
    return result


def check(checker, name, maps, masks, purify):
    arguments = [checker.path("sky.fits")]
    cross = masks[0] is not masks[1]
    if cross:
        arguments.append(checker.path("sky.fits"))
    arguments += [checker.path("cl.fits"), "--mask", checker.path("mask0.fits")]
    if cross:
        arguments += ["--mask2", checker.path("mask1.fits")]
    if purify:
        arguments += ["--purify", "b"]
    checker.do("anafast", *arguments, "--polarization", "--decouple", "--bins", WIDTH, "--lmax",
               lmax_of(purify), "--iterations", ITERATIONS, "--all-pairs", "--overwrite")
    with fits.open(checker.path("cl.fits")) as file:
        found = file[1].data
        for pair, expected in band_powers(maps, masks, purify).items():
            scale = np.abs(found["TT" if pair == "TT" else "EE"]).max()
            checker.below(f"{name} {pair}", np.abs(found[pair] - expected).max() / scale, LIMIT)


def main():
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(sys.argv[1], folder)
        maps, masks = sky()
        hp.write_map(checker.path("sky.fits"), maps, dtype=np.float64, coord="G")
        for i, mask in enumerate(masks):
            hp.write_map(checker.path(f"mask{i}.fits"), mask, dtype=np.float64, coord="G")
        check(checker, "auto", maps, [masks[0], masks[0]], False)
        check(checker, "two masks", maps, masks, False)
        check(checker, "auto, pure B", maps, [masks[0], masks[0]], True)
        check(checker, "two masks, pure B", maps, masks, True)
        return checker.finish()


if __name__ == "__main__":
    sys.exit(main())

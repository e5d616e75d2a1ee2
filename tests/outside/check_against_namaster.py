#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares masked spectra of `armilla anafast` with NaMaster (pymaster of PyPI): band powers, bandpower
windows, and the Gaussian variance of TT and TB.

    check_against_namaster.py BINARY

Needs healpy and pymaster. Both programs take the same lmax, the mask's multipoles to 3 nside - 1,
the same bins and the same iterations. NaMaster's Toeplitz approximation is off.

The Gaussian covariances differ by design for two fields of spin 2: NaMaster adds a term for modes
that the mask moves between E and B. Armilla counts these modes by the coupled spectra alone.
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


def check_windows(checker, file, workspaces, bins, lmax, name):
    """The response of each spectrum to itself, and of the four of spin 2 to their partners."""
    names = ["TT", "EE", "BB", "TE", "TB", "EB", "ET", "BT", "BE"]
    shape = (9, bins.get_n_bands(), lmax + 1)
    own = file["WINDOWS"].data.reshape(shape)
    partner = file["WINDOWS_PARTNER"].data.reshape(shape)
    of_spin = {"scalar": ["TT"], "mixed": ["TE", "TB"], "spin": ["EE", "EB", "BE", "BB"]}
    for kind, pairs in of_spin.items():
        expected = workspaces[kind].get_bandpower_windows()
        for i, pair in enumerate(pairs):
            scale = np.abs(expected).max()
            found = own[names.index(pair)]
            checker.below(f"{name} window {pair}", np.abs(found - expected[i, :, i]).max() / scale,
                          LIMIT)
            if kind == "spin":
                found = partner[names.index(pair)]
                checker.below(f"{name} window {pair} of its partner",
                              np.abs(found - expected[i, :, 3 - i]).max() / scale, LIMIT)


def check_errors(checker, maps, mask, purify):
    """Windows, and the variance of TT and TB with the spectra that the mask couples."""
    lmax = lmax_of(purify)
    l = np.arange(2, lmax + 1)
    cl = np.zeros((4, lmax + 1))
    for row, level in zip(cl, (1.0, 0.1, 0.02, 0.03)):
        row[2:] = level / (l * (l + 1.0))
    hp.write_cl(checker.path("fiducial.fits"), cl, overwrite=True)
    checker.do("anafast", checker.path("sky.fits"), checker.path("cl.fits"), "--mask",
               checker.path("mask0.fits"), "--polarization", "--decouple", "--bins", WIDTH,
               "--lmax", lmax, "--iterations", ITERATIONS, "--all-pairs", "--errors", "gaussian",
               "--fiducial", checker.path("fiducial.fits"), "--overwrite",
               *(["--purify", "b"] if purify else []))
    bins = nmt.NmtBin.from_lmax_linear(lmax, WIDTH)
    options = {"n_iter": ITERATIONS, "n_iter_mask": ITERATIONS, "lmax": lmax,
               "lmax_mask": 3 * NSIDE - 1}
    t = nmt.NmtField(mask, [maps[0]], **options)
    p = nmt.NmtField(mask, maps[1:] * (mask > 0), purify_b=purify, **options)
    workspaces = {"scalar": nmt.NmtWorkspace.from_fields(t, t, bins),
                  "mixed": nmt.NmtWorkspace.from_fields(t, p, bins),
                  "spin": nmt.NmtWorkspace.from_fields(p, p, bins)}
    name = "pure B" if purify else "standard"
    tt, ee, bb, te = cl
    none = np.zeros_like(tt)
    mean = np.mean(mask**2)
    coupled = {"TT": workspaces["scalar"].couple_cell([tt]) / mean,
               "TP": workspaces["mixed"].couple_cell([te, none]) / mean,
               "PP": workspaces["spin"].couple_cell([ee, none, none, bb]) / mean}
    with fits.open(checker.path("cl.fits")) as file:
        check_windows(checker, file, workspaces, bins, lmax, name)
        errors = file[1].data
        of_t = nmt.NmtCovarianceWorkspace.from_fields(t, t, t, t)
        variance = np.diag(nmt.gaussian_covariance(
            of_t, 0, 0, 0, 0, *[coupled["TT"]] * 4, workspaces["scalar"]))
        checker.below(f"{name} error TT", np.abs(errors["TT_ERR"] / np.sqrt(variance) - 1).max(),
                      LIMIT)
        of_tp = nmt.NmtCovarianceWorkspace.from_fields(t, p, t, p)
        covariance = nmt.gaussian_covariance(
            of_tp, 0, 2, 0, 2, coupled["TT"], coupled["TP"], coupled["TP"], coupled["PP"],
            workspaces["mixed"])
        variance = np.diag(covariance)[1::2]
        checker.below(f"{name} error TB", np.abs(errors["TB_ERR"] / np.sqrt(variance) - 1).max(),
                      LIMIT)


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
        for purify in (False, True):
            check_errors(checker, maps, masks[0], purify)
        return checker.finish()


if __name__ == "__main__":
    sys.exit(main())

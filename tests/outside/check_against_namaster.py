#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares masked spectra of `armilla anafast` with NaMaster (pymaster of PyPI): band powers, bandpower
windows, and Gaussian covariances.

    check_against_namaster.py BINARY

Needs healpy and pymaster. Both programs take the same lmax, the mask's multipoles to 3 nside - 1,
the same bins and the same iterations. NaMaster's Toeplitz approximation is off.

Covariances of two fields of spin 2 have terms for modes that the mask moves between E and B. For
white noise of E and B of power C, a masked sky has <E_lm conj(B_l'm')> = i C W-, and sum_mm' |W-|^2
is (2l + 1) (2l' + 1) X-_ll', where W- and X- belong to the square of the mask. So cov(EE, BB) is
2 C^2 X- and cov(EB, EB) is C^2 (X+ - X-). NaMaster 3.0.1 has -8 C^2 X- and C^2 (X+ + 4 X-): it adds
C_EE and C_BB where their mean belongs, and the sign of its term is turned. Its variances of BB and EB
can be negative. So its terms of X- are multiplied by -1/4 here, and X+ and X- are compared with exact
sums of 3j symbols. For purified fields Armilla has no such term, since what it describes is removed.
"""
import sys
import tempfile

import ducc0
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


def three_j_sums(mask, lmax):
    """X+ and X- of spin 2 of the squared mask, by exact 3j symbols."""
    limit = 3 * NSIDE - 1
    alm = hp.map2alm(mask**2, lmax=limit, iter=ITERATIONS)
    weights = hp.alm2cl(alm) * (2 * np.arange(limit + 1) + 1) / (4 * np.pi)
    plus, minus = np.zeros((2, lmax + 1, lmax + 1))
    for l in range(2, lmax + 1):
        for other in range(2, l + 1):
            first, symbols = ducc0.misc.wigner3j_int(l, other, -2, 2)
            k = np.arange(first, min(first + len(symbols), limit + 1))
            terms = weights[k] * symbols[:len(k)] ** 2
            even = (l + other + k) % 2 == 0
            plus[l, other] = plus[other, l] = terms[even].sum()
            minus[l, other] = minus[other, l] = terms[~even].sum()
    return plus, minus


def check_white_noise(checker):
    """The terms of X- for white noise, by the linear map from all E and B to those of a masked sky.

    Its columns are transforms of single harmonics, so that neither 3j symbols nor a narrow kernel
    are assumed. Spectra end at lmax, above which the sky has no power: l is compared far below.
    """
    nside, lmax, most = 16, 26, 14
    vectors = np.array(hp.pix2vec(nside, np.arange(hp.nside2npix(nside))))
    x = np.clip((1.9 - np.arccos(vectors[2])) / 1.4, 0, 1)
    mask = x - np.sin(2 * np.pi * x) / (2 * np.pi)
    l, m = hp.Alm.getlm(lmax)
    # Real unknowns of equal variance: a_l0, and sqrt(2) times the parts of a_lm.
    of_l = np.concatenate([l[m == 0], l[m > 0], l[m > 0]])
    e_of_e, b_of_e = np.zeros((2, of_l.size, of_l.size))

    def unknowns(alm):
        return np.concatenate([alm[m == 0].real, np.sqrt(2) * alm[m > 0].real,
                               np.sqrt(2) * alm[m > 0].imag])

    places = np.concatenate([np.flatnonzero(m == 0), np.flatnonzero(m > 0), np.flatnonzero(m > 0)])
    for column, place in enumerate(places):
        e = np.zeros(l.size, complex)
        e[place] = 1.0 if m[place] == 0 else np.sqrt(0.5)
        if column >= l.size:
            e *= 1j
        sky = hp.alm2map_spin([e, 0 * e], nside, 2, lmax)
        found = hp.map2alm_spin(np.array(sky) * mask, 2, lmax)
        e_of_e[:, column], b_of_e[:, column] = unknowns(found[0]), unknowns(found[1])
    # B turns into E with the opposite sign.
    kernel = e_of_e @ b_of_e.T - b_of_e @ e_of_e.T
    rows = (of_l == np.arange(lmax + 1)[:, None]) / (2 * np.arange(lmax + 1)[:, None] + 1.0)
    exact = 2.0 * rows @ kernel**2 @ rows.T

    field = nmt.NmtField(mask, np.zeros((2, mask.size)), n_iter=0, n_iter_mask=0, lmax=lmax,
                         lmax_mask=3 * nside - 1)
    workspace = nmt.NmtWorkspace.from_fields(field, field, nmt.NmtBin.from_lmax_linear(lmax, 1))
    one, none = np.ones(lmax + 1), np.zeros(lmax + 1)
    spectra = [[one, none, none, one]] * 4
    theirs = nmt.NmtCovarianceWorkspace.from_fields(field, field, field, field).gaussian_covariance(
        *spectra, workspace, workspace, coupled=True).reshape(lmax + 1, 4, lmax + 1, 4)[:, 0, :, 3]
    near = slice(2, most + 1)
    diagonal = [np.diag(of)[near] for of in (exact, theirs)]
    # The mask is smooth: quadrature without iterations is good to 1e-3.
    checker.below("white noise, NaMaster's cov(EE, BB) over the exact one, from -4",
                  np.abs(diagonal[1] / diagonal[0] + 4.0).max(), 0.01)


def spin_covariance(mask, ee, bb, sums, purify, workspace):
    """Covariance of the band powers EE, EB, BE, BB, from the sums of 3j symbols."""
    plus, minus = sums
    leak = np.zeros_like(ee) if purify else 0.5 * (ee + bb)
    auto = {"EE": ee, "BB": bb, "EB": 0 * ee, "BE": 0 * ee}

    def product(a, b):
        return 0.5 * (np.outer(a, b) + np.outer(b, a))

    def pseudo(x, y):
        total = 0.0
        for one, other in ((x[0] + y[0], x[1] + y[1]), (x[0] + y[1], x[1] + y[0])):
            total = total + plus * product(auto[one], auto[other])
            if one[0] != one[1] and other[0] != other[1]:
                total = total + (1 if one == other else -1) * minus * product(leak, leak)
        return total

    names = ("EE", "EB", "BE", "BB")
    return decoupled([[pseudo(x, y) for y in names] for x in names], workspace)


def decoupled(blocks, workspace):
    """Band powers' covariance by that of pseudo-spectra; `blocks`: matrices over l for each pair."""
    size = blocks[0][0].shape[0]
    count = (size - 2) // WIDTH
    mean = np.zeros((count, size))
    for q in range(count):
        mean[q, 2 + q * WIDTH:2 + (q + 1) * WIDTH] = 1.0 / WIDTH
    spectra = len(blocks)
    # l is the slower index of NaMaster's matrices.
    coupling = workspace.get_coupling_matrix().reshape(size, spectra, size, spectra)
    coupling = coupling.transpose(1, 0, 3, 2)
    inverse = np.linalg.inv(np.block([[mean @ coupling[i, :, k] @ (mean.T > 0) for k in
                                       range(spectra)] for i in range(spectra)]))
    binned = np.block([[mean @ block @ mean.T for block in row] for row in blocks])
    return inverse @ binned @ inverse.T


def mended_covariance(workspace, covariances, ee, bb, purify):
    """NaMaster's covariance of EE, EB, BE, BB with the factor -1/4 of the terms of X-."""
    none = np.zeros_like(ee)
    names = ("EE", "EB", "BE", "BB")
    size = ee.size

    def of(first, second):
        """Terms with the two fields' spectra with each other, and those across."""
        return covariances.gaussian_covariance(first, second, second, first, workspace, workspace,
                                               coupled=True).reshape(size, 4, size, 4)

    spectra, empty = [ee, none, none, bb], [none] * 4
    total = 0.0
    for across, found in ((False, of(spectra, empty)), (True, of(empty, spectra))):
        for i, x in enumerate(names):
            for k, y in enumerate(names):
                pair = x[0] + (y[1] if across else y[0])
                if pair[0] != pair[1]:
                    found[:, i, :, k] *= 0.0 if purify else -0.25
        total = total + found
    return decoupled([[total[:, i, :, k] for k in range(4)] for i in range(4)], workspace)


def check_errors(checker, maps, mask, purify):
    """Windows, and covariances with the spectra that the mask couples."""
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
    fields = {"scalar": (t, t), "mixed": (t, p), "spin": (p, p)}
    workspaces = {kind: nmt.NmtWorkspace.from_fields(*pair, bins)
                  for kind, pair in fields.items()}
    name = "pure B" if purify else "standard"
    tt, ee, bb, te = cl
    none = np.zeros_like(tt)
    mean = np.mean(mask**2)
    coupled = {"TT": workspaces["scalar"].couple_cell([tt]) / mean,
               "TP": workspaces["mixed"].couple_cell([te, none]) / mean,
               "PP": workspaces["spin"].couple_cell([ee, none, none, bb]) / mean}
    with fits.open(checker.path("cl.fits")) as file:
        check_windows(checker, file, workspaces, bins, lmax, name)
        count = bins.get_n_bands()
        order = ["TT", "EE", "BB", "TE", "TB", "EB", "ET", "BT", "BE"]
        all_covariances = file["COVARIANCE"].data.reshape(9, count, 9, count)

    def compare(what, names, other_names, expected):
        """`expected`: band powers in the order of NaMaster, which has l as the slower index."""
        expected = expected.reshape(count, len(names), count, len(other_names))
        for i, x in enumerate(names):
            for k, y in enumerate(other_names):
                a, b = order.index(x), order.index(y)
                deviations = [np.sqrt(np.diag(all_covariances[s, :, s, :])) for s in (a, b)]
                difference = all_covariances[a, :, b, :] - expected[:, i, :, k]
                checker.below(f"{name} covariance of {x} and {y}, {what}",
                              np.abs(difference / np.outer(*deviations)).max(), LIMIT)

    spectra = {(0, 0): coupled["TT"], (0, 2): coupled["TP"], (2, 0): coupled["TP"],
               (2, 2): coupled["PP"]}
    kinds = {"scalar": (0, 0), "mixed": (0, 2), "spin": (2, 2)}
    names_of = {"scalar": ["TT"], "mixed": ["TE", "TB"], "spin": ["EE", "EB", "BE", "BB"]}
    for kind, (a, b) in kinds.items():
        for other, (c, d) in kinds.items():
            if kind == other == "spin":
                continue
            workspace = nmt.NmtCovarianceWorkspace.from_fields(*fields[kind], *fields[other])
            compare("NaMaster", names_of[kind], names_of[other], nmt.gaussian_covariance(
                workspace, a, b, c, d, spectra[a, c], spectra[a, d], spectra[b, c], spectra[b, d],
                workspaces[kind], workspaces[other]))
    unbinned = nmt.NmtWorkspace.from_fields(p, p, nmt.NmtBin.from_lmax_linear(lmax, 1))
    pp = coupled["PP"]
    sums = three_j_sums(mask, lmax)
    for what, expected in (
            ("exact 3j symbols", spin_covariance(mask, pp[0], pp[3], sums, purify, unbinned)),
            ("NaMaster with its terms of X- mended", mended_covariance(
                unbinned, nmt.NmtCovarianceWorkspace.from_fields(p, p, p, p), pp[0], pp[3],
                purify))):
        by_spectrum = expected.reshape(4, count, 4, count).transpose(1, 0, 3, 2)
        compare(what, names_of["spin"], names_of["spin"], by_spectrum)


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
        check_white_noise(checker)
        for purify in (False, True):
            check_errors(checker, maps, masks[0], purify)
        return checker.finish()


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots the accuracy of radial convolutions: compared with the exact result on a band-limited sky, and around points.

    plot_convolution_truth.py ARMILLA FOLDER [--nside N] [--points-nside N] [--device cpu|cuda]

The sky is Gaussian with power 1 / (l (l+1)) up to l = 2 nside and known coefficients. The reference is
alm2map of B_l a_lm (healpy). Writes, after F. Elsner & B. D. Wandelt 2011:
  convolution-kernels.png  figure 3: profiles and B_l of two beams
  convolution-error.png    figure 4: differences at the pole and on the equator, and rms by latitude
  convolution-spectra.png  figure 5: spectra of result and of its error
  convolution-points.png   figure 6: point sources at a pole, in a cap and on the equator, by each method
  convolution-truth.json   rms outside 3 degrees of the poles and on the sphere, for each width and method
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import healpy
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

METHODS = ("direct", "ring", "harmonic")
COLORS = {"direct": "#d97706", "ring": "#2563eb", "harmonic": "#16a34a"}


def beam(fwhm, lmax):
    """B_l of a Gaussian of `fwhm` radians."""
    sigma = fwhm / np.sqrt(8 * np.log(2))
    degree = np.arange(lmax + 1)
    return np.exp(-0.5 * degree * (degree + 1) * sigma**2)


class Program:
    def __init__(self, armilla, device, folder):
        self.armilla, self.device, self.folder = armilla, device, folder

    def smooth(self, name, fwhm, method):
        """The smoothed map in NAME, and the output of the command."""
        out = self.folder / f"{method}.fits"
        command = [self.armilla, "smooth", self.folder / name, out, "--fwhm", f"{np.degrees(fwhm)}deg", "--method",
                   method, "--device", self.device, "--overwrite", "--json"]
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return healpy.read_map(out, dtype=np.float64), told

    def write(self, name, sky):
        healpy.write_map(self.folder / name, sky, dtype=np.float64, overwrite=True)


def sky_of(nside):
    np.random.seed(1)
    degree = np.arange(2 * nside + 1)
    power = np.zeros(len(degree))
    power[2:] = 1 / (degree[2:] * (degree[2:] + 1.0))
    return healpy.synalm(power, lmax=2 * nside, new=True), power


def patch(sky, lat, size, pixels=240):
    return healpy.gnomview(sky, rot=(0, lat), xsize=pixels, reso=size * 60 / pixels, no_plot=True,
                           return_projected_map=True)


def draw_kernels(path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), constrained_layout=True)
    for arcmin, style in ((6, "-"), (60, "--")):
        fwhm = np.radians(arcmin / 60)
        sigma = fwhm / np.sqrt(8 * np.log(2))
        angle = np.linspace(0, 5 * sigma, 200)
        left.semilogx(np.degrees(angle[1:]) * 60, np.exp(-0.5 * (angle[1:] / sigma)**2), style, color="#2563eb",
                      label=f"FWHM {arcmin}'")
        right.loglog(np.arange(1, 6001), np.maximum(beam(fwhm, 6000)[1:], 1e-16), style, color="#2563eb")
    left.set(xlabel="angle, arcmin", ylabel="K / K(0)")
    right.set(xlabel="l", ylabel=r"$B_l$", ylim=(1e-12, 2))
    left.legend(fontsize=8)
    for axis in (left, right):
        axis.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def draw_error(maps, truth, nside, arcmin, path):
    figure, axes = plt.subplots(2, 3, figsize=(11, 6.4), constrained_layout=True)
    rms = np.std(truth)
    for row, (lat, where) in zip(axes, ((90, "north pole"), (0, "equator"))):
        for axis, method in zip(row, ("direct", "ring")):
            shown = patch((maps[method] - truth) / rms, lat, 10)
            most = np.nanmax(np.abs(shown))
            picture = axis.imshow(shown, origin="lower", cmap="RdBu_r", vmin=-most, vmax=most, extent=(-5, 5, -5, 5))
            axis.set_title(f"{method}, {where}", fontsize=9)
            figure.colorbar(picture, ax=axis, shrink=0.8)
    theta, _ = healpy.pix2ang(nside, np.arange(len(truth)))
    edges = np.linspace(0, 90, 61)
    place = np.digitize(np.degrees(np.minimum(theta, np.pi - theta)), edges) - 1
    for method in METHODS:
        square = np.bincount(place, (maps[method] - truth)**2, 60)[:60] / np.bincount(place, minlength=60)[:60]
        axes[0, 2].semilogy(0.5 * (edges[1:] + edges[:-1]), np.sqrt(square) / rms, color=COLORS[method], label=method)
    axes[0, 2].axvline(3, color="gray", linewidth=0.6)
    axes[0, 2].set(xlabel="degrees from the pole", ylabel="rms of the error / rms of the map")
    axes[0, 2].legend(fontsize=8)
    axes[0, 2].grid(alpha=0.3)
    axes[1, 2].axis("off")
    figure.suptitle(f"(found - truth) / rms, nside {nside}, FWHM {arcmin:g}'", fontsize=10)
    figure.savefig(path, dpi=110)


def draw_spectra(maps, truth, exact, nside, arcmin, path):
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.8), constrained_layout=True)
    degree = np.arange(2 * nside + 1)
    scale = degree * (degree + 1) / (2 * np.pi)
    for axis in (left, right):
        axis.loglog(degree[2:], (scale * exact)[2:], "k--", label="exact convolution")
        axis.set(xlabel="l", ylim=(1e-22 * np.max(scale * exact), 3 * np.max(scale * exact)))
        axis.grid(alpha=0.3)
    for method in METHODS:
        found = healpy.anafast(maps[method], lmax=2 * nside, iter=3)
        error = healpy.anafast(maps[method] - truth, lmax=2 * nside, iter=0)
        left.loglog(degree[2:], np.abs(scale * (found - exact))[2:], color=COLORS[method], linewidth=0.8, label=method)
        right.loglog(degree[2:], (scale * error)[2:], color=COLORS[method], linewidth=0.8, label=method)
    left.set(ylabel=r"$l(l+1)/2\pi\ |C_l - C_l^{exact}|$")
    right.set(ylabel=r"$l(l+1)/2\pi\ C_l$ of the difference map")
    left.legend(fontsize=7)
    figure.suptitle(f"nside {nside}, FWHM {arcmin:g}'", fontsize=10)
    figure.savefig(path, dpi=110)


def draw_points(program, nside, fwhm, path):
    """Plots point sources: the residual beyond the kernel's radius, relative to the peak."""
    sky = np.zeros(12 * nside * nside)
    places = {"pole": 90.0, "cap": 60.0, "equator": 0.0}
    sources = [healpy.ang2pix(nside, 0.0, lat, lonlat=True) for lat in places.values()]
    sky[sources] = 1.0
    program.write("points.fits", sky)
    figure, axes = plt.subplots(len(METHODS), 3, figsize=(9, 8.4), constrained_layout=True)
    beyond = {}
    for row, method in zip(axes, METHODS):
        found, _ = program.smooth("points.fits", fwhm, method)
        directions = np.array(healpy.pix2vec(nside, np.arange(len(sky))))
        near = np.zeros(len(sky), dtype=bool)
        for source in sources:
            near |= directions.T @ np.array(healpy.pix2vec(nside, source)) > np.cos(3.0 * fwhm)
        # The ring beyond all kernels: 3 FWHM are 7 sigma.
        beyond[method] = float(np.max(np.abs(found[~near])) / np.max(found))
        for axis, (where, lat) in zip(row, places.items()):
            shown = np.log10(np.maximum(np.abs(patch(found, lat, 13)) / np.max(found), 1e-20))
            picture = axis.imshow(shown, origin="lower", cmap="inferno", vmin=-16, vmax=0,
                                  extent=(-6.5, 6.5, -6.5, 6.5))
            axis.set_title(f"{method}, {where}", fontsize=9)
    figure.colorbar(picture, ax=axes, shrink=0.6, label="log10 of the share of the peak")
    figure.suptitle(f"point sources, nside {nside}, FWHM {np.degrees(fwhm) * 60:.3g}'", fontsize=10)
    figure.savefig(path, dpi=110)
    return beyond


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("armilla")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--nside", type=int, default=512)
    parser.add_argument("--points-nside", type=int, default=512)
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    nside = options.nside
    alm, power = sky_of(nside)
    figures = {"nside": nside, "rows": []}
    draw_kernels(options.folder / "convolution-kernels.png")
    with tempfile.TemporaryDirectory() as scratch:
        program = Program(options.armilla, options.device, pathlib.Path(scratch))
        program.write("sky.fits", healpy.alm2map(alm, nside, lmax=2 * nside))
        theta, _ = healpy.pix2ang(nside, np.arange(12 * nside * nside))
        inner = np.degrees(np.minimum(theta, np.pi - theta)) > 3
        # Widths in arcmin at nside 2048, scaled to the pixels of this nside; 60 and 300 are not scaled.
        for arcmin in [4.7 * 2048 / nside, 10 * 2048 / nside, 20 * 2048 / nside, 300.0]:
            fwhm = np.radians(arcmin / 60)
            window = beam(fwhm, 2 * nside)
            truth = healpy.alm2map(healpy.almxfl(alm, window), nside, lmax=2 * nside)
            maps = {}
            for method in METHODS:
                maps[method], told = program.smooth("sky.fits", fwhm, method)
                error = (maps[method] - truth) / np.std(truth)
                figures["rows"].append({"fwhm_arcmin": arcmin, "method": method,
                                        "rms_outside_3deg": float(np.sqrt(np.mean(error[inner]**2))),
                                        "rms": float(np.sqrt(np.mean(error**2))), "most": float(np.max(np.abs(error))),
                                        "estimated_error": told.get("estimated_error")})
                print(figures["rows"][-1], flush=True)
            if arcmin == 10 * 2048 / nside:
                draw_error(maps, truth, nside, arcmin, options.folder / "convolution-error.png")
            if arcmin == 4.7 * 2048 / nside:
                exact = healpy.alm2cl(healpy.almxfl(alm, window))
                draw_spectra(maps, truth, exact, nside, arcmin, options.folder / "convolution-spectra.png")
        points = options.points_nside
        figures["beyond_the_kernel"] = draw_points(program, points, np.radians(4.7 / 60 * 2048 / points),
                                                   options.folder / "convolution-points.png")
        print(figures["beyond_the_kernel"])
    (options.folder / "convolution-truth.json").write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()

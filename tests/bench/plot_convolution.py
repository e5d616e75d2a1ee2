#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots the time of radial convolutions by each method, and their residuals around point sources.

    plot_convolution.py ARMILLA FOLDER [--device cpu|cuda] [--nside N ...] [--fwhm ARCMIN ...] [--healpy]
    plot_convolution.py FOLDER --figures FILE ...   (plots earlier measurements: rows of `bench convolve --json`)

Writes to FOLDER, after F. Elsner & B. D. Wandelt 2011:
  convolution-DEVICE.json        all rows
  convolution-times-DEVICE.png   figure 2: seconds against the beam's FWHM for each nside and method, and with --healpy
                                 the gain over healpy's smoothing; on devices also live pictures and the gain over harmonics
  convolution-steps-DEVICE.png   table 1: shares of the steps
"""
import argparse
import json
import pathlib
import subprocess
import time

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import LogLocator, NullFormatter

COLORS = {"direct": "#d97706", "ring": "#2563eb", "harmonic": "#16a34a"}
# Rows of live pictures; the map stays on the device.
LIVE = {"live.direct": "direct", "live.ring": "ring", "live": "harmonic"}



def bench(armilla, nside, fwhm, device, repeat):
    command = [armilla, "bench", "convolve", "--nside", str(nside), "--fwhm", f"{fwhm}arcmin", "--device", device,
               "--repeat", str(repeat), "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def healpy_seconds(nside, fwhm):
    import healpy
    import numpy as np
    sky = np.random.default_rng(1).standard_normal(12 * nside * nside).astype(np.float32)
    start = time.perf_counter()
    healpy.smoothing(sky, fwhm=np.radians(fwhm / 60), iter=0)
    return time.perf_counter() - start


def method_of(row):
    return row["name"].removeprefix("convolve.")


def support(fwhm):
    """Diameter in degrees of a Gaussian that ends 2.3 FWHM to both sides."""
    return 4.6 * fwhm / 60


def times_of(rows, nside, method):
    return {row["fwhm_arcmin"]: row["seconds"]["median"] for row in rows
            if row["nside"] == nside and method_of(row) == method}


def label_plainly(axis):
    """Labels x by 1, 2 and 5 of each decade as plain numbers, which do not overlap."""
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.xaxis.set_major_formatter("{x:g}")
    axis.xaxis.set_minor_formatter(NullFormatter())


def draw_gains(axis, rows, nside, healpy):
    """Plots, over the kernel's support, healpy's time relative to that of `armilla`; for live pictures, the time by harmonics."""
    methods = {method: method for method in COLORS} if healpy else LIVE
    for method, color in ((row, COLORS[name]) for row, name in methods.items()):
        base = dict.fromkeys(times_of(rows, nside, method), healpy) if healpy else times_of(rows, nside, "live")
        chosen = sorted((support(fwhm), base[fwhm] / seconds)
                        for fwhm, seconds in times_of(rows, nside, method).items() if fwhm in base)
        if chosen:
            axis.loglog(*zip(*chosen), "-o", color=color)
    axis.axhline(1, color="black", linestyle=":")
    axis.set(xlabel="support of the kernel, degrees",
             ylabel="healpy's time / ours" if healpy else "time by harmonics / time")
    label_plainly(axis)
    axis.grid(alpha=0.3, which="both")


def draw_times(rows, healpy, path):
    nsides = sorted({row["nside"] for row in rows})
    live = any(method_of(row) in LIVE for row in rows)
    gains = bool(healpy) or live
    figure, axes = plt.subplots(2 if gains else 1, len(nsides), figsize=(4.2 * len(nsides), 7 if gains else 4),
                                squeeze=False, constrained_layout=True)
    for axis, nside in zip(axes[-1] if gains else (), nsides):
        draw_gains(axis, rows, nside, healpy.get(str(nside)))
    for axis, nside in zip(axes[0], nsides):
        for method, color in COLORS.items():
            chosen = sorted(times_of(rows, nside, method).items())
            if chosen:
                axis.loglog(*zip(*chosen), "--" if live else "-o", color=color, alpha=0.5 if live else 1,
                            label=f"{method}, host to host" if live else method)
        for method, name in LIVE.items():
            chosen = sorted(times_of(rows, nside, method).items())
            if chosen:
                axis.loglog(*zip(*chosen), "-o", color=COLORS[name], label=f"{name}, live")
        if str(nside) in healpy:
            axis.axhline(healpy[str(nside)], color="black", linestyle=":", label="healpy.smoothing")
        axis.set(title=f"nside {nside}", xlabel="FWHM, arcmin", ylabel="seconds")
        label_plainly(axis)
        axis.grid(alpha=0.3, which="both")
        axis.legend(fontsize=7)
    figure.savefig(path, dpi=110)


def draw_steps(rows, path):
    nside = max(row["nside"] for row in rows)
    chosen = [row for row in rows if row["nside"] == nside and row["steps"] and method_of(row) in COLORS]
    figure, axis = plt.subplots(figsize=(9, 0.4 * len(chosen) + 1.5), constrained_layout=True)
    colors, seen = {}, set()
    for place, row in enumerate(chosen):
        left, total = 0.0, sum(row["steps"].values()) or 1.0
        for step, seconds in sorted(row["steps"].items()):
            colors.setdefault(step, f"C{len(colors)}")
            axis.barh(place, seconds / total, left=left, color=colors[step], label=None if step in seen else step)
            seen.add(step)
            left += seconds / total
    axis.set_yticks(range(len(chosen)), [f"{method_of(row)} {row['fwhm_arcmin']:g}'" for row in chosen])
    axis.set(xlabel=f"share of the time, nside {nside}")
    axis.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("armilla", nargs="?")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--figures", type=pathlib.Path, nargs="+")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--nside", type=int, nargs="+", default=[512, 1024, 2048])
    parser.add_argument("--fwhm", type=float, nargs="+", default=[4.7, 10, 20, 60])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--healpy", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rows, healpy = [], {}
    for path in options.figures or ():
        rows += json.loads(path.read_text())
    for nside in () if options.figures else options.nside:
        if options.healpy:
            healpy[str(nside)] = min(healpy_seconds(nside, 20) for _ in range(options.repeat))
        # Below 2.5 pixels the pixel methods keep aliased power.
        for fwhm in (f for f in options.fwhm if f / 60 > 2.5 * 58.6 / nside):
            rows += bench(options.armilla, nside, fwhm, options.device, options.repeat)
    name = "cpu" if options.device == "cpu" else "cuda"
    figures = {"rows": rows, "healpy": healpy}
    (options.folder / f"convolution-{name}.json").write_text(json.dumps(figures, indent=1) + "\n")
    draw_times(rows, healpy, options.folder / f"convolution-times-{name}.png")
    draw_steps(rows, options.folder / f"convolution-steps-{name}.png")


if __name__ == "__main__":
    main()

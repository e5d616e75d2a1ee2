#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots time and accuracy of the transforms, from `armilla bench`.

    plot_transforms.py ARMILLA FOLDER [--device cpu|cuda] [--nside N ...]
    plot_transforms.py --figures FOLDER/transforms-cuda.json FOLDER

Writes to FOLDER, after M. Szydlarski et al. 2014:
  transforms-DEVICE.json        all figures
  transforms-times-DEVICE.png   figures 9 to 13: time against size, by step, and the gain of threads
  transforms-error.png          figure 8: D_err of equation 19 against lmax at nside 1024, and against size

--figures plots measurements of another machine: {"times": rows of `armilla bench sht --json`, "errors": rows of
`armilla bench roundtrip --json`, "errors_by_lmax": those at nside 1024 with --lmax}.
"""
import argparse
import json
import os
import pathlib
import subprocess

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

STEPS = {"legendre": ("Legendre sums", "#d97706"), "fft": ("ring FFTs", "#2563eb")}
WAYS = {"roundtrip.none": "no weights", "roundtrip.ring": "ring weights", "roundtrip.pixel": "pixel weights",
        "roundtrip.none+3": "3 iterations", "roundtrip.ring+3": "ring weights, 3 iterations",
        "roundtrip.lsq": "least squares, 1e-13"}


ERROR_NSIDE, ERROR_LMAX = 1024, [64, 128, 256, 512, 1024, 2048, 3071]


def bench(armilla, name, nsides, device, threads, repeat, *more):
    command = [armilla, "bench", name, "--nside", ",".join(map(str, nsides)), "--repeat", str(repeat),
               "--device", device, "--threads", str(threads), "--json", *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def finish(axis, ticks, columns=1):
    axis.set_xticks(ticks, [str(tick) for tick in ticks], minor=False)
    axis.set_xticks([], minor=True)
    axis.grid(alpha=0.3)
    axis.legend(fontsize=7, ncols=columns, loc="upper center", bbox_to_anchor=(0.5, -0.18))


def device_of(rows):
    return "cpu" if rows[0]["device"] == "cpu" else "cuda"


def draw_times(rows, single, threads, path):
    on_device = device_of(rows) == "cuda"
    figure, axes = plt.subplots(1, 3 if single else 2, figsize=(13 if single else 9, 5), constrained_layout=True)
    for axis, spin in ((axes[0], 0), (axes[1], 2)):
        for name, style in (("sht.alm2map", "-o"), ("sht.map2alm", "--s")):
            wanted = name + ".resident" if on_device else name
            chosen = [row for row in rows if row["name"] == wanted and row["spin"] == spin]
            nsides = [row["nside"] for row in chosen]
            axis.loglog(nsides, [row["seconds"]["median"] for row in chosen], style, color="black",
                        label=name.split(".")[1])
            for step, (label, color) in STEPS.items():
                axis.loglog(nsides, [row["steps"].get(step, float("nan")) for row in chosen], style,
                            color=color, lw=1, ms=3, label=f"{name.split('.')[1]}: {label}")
        axis.loglog(nsides, [row["limit"]["seconds"] for row in chosen], ":", color="gray",
                    label="arithmetic limit, all rings")
        axis.set_title("spin 0" if spin == 0 else "spin 2 (Q, U)" if on_device else "T, Q, U (spin 0 and 2)")
        axis.set_xlabel("nside (lmax = 2 nside)")
        axis.set_ylabel("seconds, maps resident" if on_device else "seconds")
        finish(axis, nsides, 2)
    if single:
        draw_gain(axes[2], rows, single, threads)
    figure.savefig(path, dpi=110)


def draw_gain(axis, rows, single, threads):
    for spin, color in ((0, "black"), (2, "#2563eb")):
        for name, style in (("sht.alm2map", "-o"), ("sht.map2alm", "--s")):
            pairs = [(a["nside"], b["seconds"]["median"] / a["seconds"]["median"]) for a in rows for b in single
                     if a["name"] == b["name"] == name and a["nside"] == b["nside"] and a["spin"] == b["spin"] == spin]
            if pairs:
                axis.semilogx(*zip(*pairs), style, color=color, label=f"{name.split('.')[1]}, spin {spin}")
    axis.set_title(f"gain of {threads} threads over one")
    axis.set_xlabel("nside")
    axis.set_ylim(bottom=0)
    finish(axis, sorted({row["nside"] for row in single}), 2)


def draw_errors(by_lmax, by_nside, path):
    panels = [panel for panel in ((by_lmax, "lmax", f"lmax, at nside {ERROR_NSIDE}"),
                                  (by_nside, "nside", "nside, lmax = 2 nside")) if panel[0]]
    figure, axes = plt.subplots(1, len(panels), figsize=(6 * len(panels), 5), squeeze=False, sharey=True,
                                constrained_layout=True)
    for axis, (rows, key, title) in zip(axes[0], panels):
        for number, (name, label) in enumerate(WAYS.items()):
            chosen = [row for row in rows if row["name"] == name]
            if chosen:
                axis.loglog([row[key] for row in chosen], [row["error"] for row in chosen], "-o", ms=4,
                            color=f"C{number}", label=label)
        axis.set_xlabel(title)
        finish(axis, sorted({row[key] for row in rows}), 3)
    axes[0][0].set_ylabel(r"$D_{err}$")
    figure.savefig(path, dpi=110)


def measure(options, threads):
    def rows(name, nsides, threads, repeat):
        return bench(options.armilla, name, nsides, options.device, threads, repeat)
    on_cpu = options.device == "cpu"
    return {"times": rows("sht", options.nside, threads, options.repeat),
            "errors": rows("roundtrip", options.nside, threads, 1),
            "errors_by_lmax": [row for lmax in ERROR_LMAX
                               for row in bench(options.armilla, "roundtrip", [ERROR_NSIDE], options.device,
                                                threads, 1, "--lmax", str(lmax))],
            "single": rows("sht", options.nside[:-1] or options.nside, 1, options.repeat) if on_cpu else []}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("armilla", nargs="?")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--figures", type=pathlib.Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--nside", type=int, nargs="+", default=[64, 128, 256, 512, 1024, 2048])
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    if not (options.armilla or options.figures):
        parser.error("expected ARMILLA, or --figures")
    threads = len(os.sched_getaffinity(0))
    figures = json.loads(options.figures.read_text()) if options.figures else measure(options, threads)
    device = device_of(figures["times"])
    (options.folder / f"transforms-{device}.json").write_text(json.dumps(figures, indent=1))
    draw_times(figures["times"], figures.get("single"), threads, options.folder / f"transforms-times-{device}.png")
    if figures.get("errors"):
        draw_errors(figures.get("errors_by_lmax"), figures["errors"], options.folder / "transforms-error.png")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws how long gridding takes, from `armilla bench grid`, as H. Wang et al. 2021 (HCGrid), figures 9 to 11.

    plot_gridding.py ARMILLA FOLDER [--device cpu|cuda] [--samples N ...]
    plot_gridding.py --figures FOLDER/gridding-cuda.json FOLDER

Writes FOLDER/gridding-DEVICE.json (all rows) and FOLDER/gridding-times-DEVICE.png: time against the number
of samples, by step, and its share of the limit. With --figures it draws what another machine measured.
"""
import argparse
import json
import pathlib
import subprocess

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

SAMPLES = {"cpu": [1000, 10000, 100000, 1000000, 10000000],
           "cuda": [1000, 10000, 100000, 1000000, 10000000, 100000000]}


def bench(armilla, device, samples):
    command = [armilla, "bench", "grid", "--samples", ",".join(map(str, samples)), "--device", device, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def draw(rows, path):
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), constrained_layout=True)
    whole = [row for row in rows if row["name"] == "grid"]
    samples = [row["samples"] for row in whole]
    axes[0].loglog(samples, [row["seconds"]["median"] for row in whole], "-o", color="black", label="host to host")
    resident = [row for row in rows if row["name"] == "grid.resident"]
    if resident:
        axes[0].loglog([row["samples"] for row in resident], [row["seconds"]["median"] for row in resident], "--s",
                       color="#7c3aed", label="on the device alone")
    for step, color in (("order", "#d97706"), ("gather", "#2563eb")):
        axes[0].loglog(samples, [row["steps"][step] for row in whole], ":", color=color, label=step)
    axes[0].loglog(samples, [row["limit"]["seconds"] for row in whole], color="gray", label="limit (memory)")
    axes[0].set_ylabel("seconds")
    axes[1].loglog(samples, [row["seconds"]["median"] / row["samples"] * 1e9 for row in whole], "-o", color="black",
                   label="ns a sample")
    axes[1].loglog(samples, [row["error"] for row in whole], "--", color="#dc2626", label="error of exact sums")
    for axis in axes:
        axis.set_xlabel("samples in 5 x 5 degrees")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("armilla", nargs="?")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--samples", type=int, nargs="+")
    parser.add_argument("--figures", type=pathlib.Path)
    options = parser.parse_args()
    if options.figures:
        rows = json.loads(options.figures.read_text())
        device = "cpu" if rows[0]["device"] == "cpu" else "cuda"
    else:
        device = options.device
        rows = bench(options.armilla, device, options.samples or SAMPLES[device])
        (options.folder / f"gridding-{device}.json").write_text(json.dumps(rows, indent=1))
    draw(rows, options.folder / f"gridding-times-{device}.png")


if __name__ == "__main__":
    main()

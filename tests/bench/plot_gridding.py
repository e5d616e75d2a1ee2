#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws how long gridding takes, from `armilla bench grid`, as H. Wang et al. 2021 (HCGrid), figures 7 to 11.

    plot_gridding.py ARMILLA FOLDER [--device cpu|cuda] [--samples N ...]
    plot_gridding.py --figures FOLDER/gridding-cuda.json FOLDER

Writes FOLDER/gridding-DEVICE.json (all rows) and FOLDER/gridding-DEVICE.png: time against the number of samples,
by step, with its limit (figures 9 and 11); the share of the sums in the whole (figure 9); fields of other sizes
(figure 10); and of a device how long the sums take with blocks of so many threads and cells (figures 7 and 8).
With --figures it draws what another machine measured. Without --samples all figures are made.
"""
import argparse
import json
import pathlib
import re
import subprocess

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt


def bench(armilla, device, samples):
    command = [armilla, "bench", "grid"] + (["grid-shapes"] if device == "cuda" and not samples else [])
    command += ["--device", device, "--json"]
    if samples:
        command += ["--samples", ",".join(map(str, samples))]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def medians(rows):
    return [row["samples"] for row in rows], [row["seconds"]["median"] for row in rows]


def draw_times(axis, rows):
    whole = [row for row in rows if row["name"] == "grid"]
    resident = [row for row in rows if row["name"] == "grid.resident"]
    axis.loglog(*medians(whole), "-o", color="black", label="host to host")
    if resident:
        axis.loglog(*medians(resident), "--s", color="#7c3aed", label="on the device alone")
    steps = resident or whole
    colors = ["#d97706", "#2563eb", "#059669", "#dc2626", "#64748b"]
    for step, color in zip(steps[0]["steps"], colors):
        axis.loglog([row["samples"] for row in steps], [max(row["steps"][step], 1e-7) for row in steps], ":",
                    color=color, label=step)
    axis.loglog([row["samples"] for row in whole], [row["limit"]["seconds"] for row in whole], color="gray",
                label="limit (memory of the host)")
    axis.set(xlabel="samples in 5 x 5 degrees", ylabel="seconds")


def draw_share(axis, rows):
    steps = [row for row in rows if row["name"] == "grid.resident"] or [row for row in rows if row["name"] == "grid"]
    axis.semilogx([row["samples"] for row in steps],
                  [100 * row["steps"]["gather"] / max(sum(row["steps"].values()), 1e-12) for row in steps], "-o",
                  color="#2563eb", label="sums, % of the time")
    axis.set(xlabel="samples in 5 x 5 degrees", ylabel="%", ylim=(0, 100))


def draw_fields(axis, rows):
    for suffix, style in (("", "-o"), (".resident", "--s")):
        fields = [(float(row["name"].split(".field")[1].split("deg")[0]), row["seconds"]["median"]) for row in rows
                  if ".field" in row["name"] and row["name"].endswith("deg" + suffix)]
        if fields:
            axis.loglog(*zip(*sorted(fields)), style, label="on the device alone" if suffix else "host to host")
    axis.set(xlabel="side of the field, degrees; 1e5 samples a square degree", ylabel="seconds")


def draw_shapes(axis, rows):
    shapes = {}
    for row in rows:
        found = re.fullmatch(r"grid\.(\d+)as\.c(\d+)\.t(\d+)\.resident", row["name"])
        if found:
            cell, together, threads = found.groups()
            shapes.setdefault(cell, []).append((threads, together, row["steps"]["gather"]))
    names = [f"{threads} x {cells}" for threads, cells, _ in next(iter(shapes.values()))]
    for i, (cell, values) in enumerate(shapes.items()):
        axis.bar([k + 0.27 * i for k in range(len(values))], [1e3 * value for *_, value in values], 0.27,
                 label=f"cells of {cell} arcsec")
    axis.set_xticks(range(len(names)), names, rotation=60, fontsize=7)
    axis.set(xlabel="threads of a block x cells of a tile", ylabel="ms of the sums, 1e7 samples", yscale="log")


def draw(rows, path):
    panels = [draw_times, draw_share]
    if any(".field" in row["name"] for row in rows):
        panels.append(draw_fields)
    if any(".c16" in row["name"] for row in rows):
        panels.append(draw_shapes)
    figure, axes = plt.subplots(1, len(panels), figsize=(4.8 * len(panels), 4.2), constrained_layout=True)
    for axis, panel in zip(axes, panels):
        panel(axis, rows)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7)
    figure.suptitle(f"{rows[0]['device']}, {rows[0]['threads']} threads", fontsize=10)
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
        rows = bench(options.armilla, device, options.samples)
        (options.folder / f"gridding-{device}.json").write_text(json.dumps(rows, indent=1))
    draw(rows, options.folder / f"gridding-{device}.png")


if __name__ == "__main__":
    main()

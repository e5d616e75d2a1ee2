#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots the time of pair counts, from `armilla bench correlate`.

    plot_correlation.py ARMILLA FOLDER [--device cpu|cuda] [--points N ...] [--sets M ...]
    plot_correlation.py --figures FOLDER/correlation-cuda.json [MORE.json ...] [--cpu-time] -- FOLDER

Writes FOLDER/correlation-DEVICE.json (all rows) and correlation-DEVICE.png. The figure has the time against the
number of points for wide and narrow bins, compared with a plain double loop. Rows of `peers.py --json` add other
programs. It also has the speed relative to that loop, by points and by sets of randoms (figures 5 and 4 of the
report on counts with CUDA, at 2048 points). Prints the growth of the time: the power of the number of points from
size to size. --figures plots measurements of another machine. --cpu-time plots the CPU time of all threads divided
by their number, for a machine under other load; this is always used for the other programs.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

SET_POINTS = 2048
LABELS = {"correlate": ("0.01 to 10000 arcmin", "-o", "#2563eb"),
          "correlate.narrow": ("0.01 to 100 arcmin", "-s", "#d97706"),
          "correlate.loop": ("double loop, one thread", ":x", "black"),
          "Corrfunc": ("Corrfunc, two cores", "^", "#be185d"),
          "TreeCorr": ("TreeCorr, approximate, two cores", "v", "#059669"),
          "TreeCorr exact": ("TreeCorr, bin_slop 0, two cores", "D", "#7c3aed")}


def bench(armilla, points, sets, device):
    command = [armilla, "bench", "correlate", "--points", str(points), "--sets", str(sets), "--device", device,
               "--threads", str(len(os.sched_getaffinity(0))), "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def time_of(row, by_cpu):
    if by_cpu or not row["name"].startswith("correlate"):
        return row["cpu_seconds"] / (1 if row["name"] == "correlate.loop" else row["threads"])
    return row["seconds"]["median"]


def series(rows, name, x, by_cpu):
    chosen = sorted((row[x], time_of(row, by_cpu)) for row in rows if row["name"] == name)
    return [a for a, _ in chosen], [b for _, b in chosen]


def print_growth(rows, by_cpu):
    for name in ("correlate", "correlate.narrow"):
        size, time = series([row for row in rows if row["sets"] == 1], name, "points", by_cpu)
        for i, (n, t) in enumerate(zip(size, time)):
            power = f", as N^{math.log(t / time[i - 1]) / math.log(n / size[i - 1]):.2f}" if i else ""
            print(f"{name:17s} {n:9d} points {t:10.5f} s{power}")


def draw(rows, path, by_cpu):
    by_points = [row for row in rows if row["sets"] == 1]
    by_sets = [row for row in rows if row["points"] == SET_POINTS]
    figure, axes = plt.subplots(1, 3, figsize=(14, 4.5), constrained_layout=True)
    for name, (label, style, color) in LABELS.items():
        if any(row["name"] == name for row in by_points):
            axes[0].loglog(*series(by_points, name, "points", by_cpu), style, color=color, label=label)
    size, time = series(by_points, "correlate", "points", by_cpu)
    axes[0].loglog(size, [time[-1] * (n / size[-1]) ** 2 for n in size], color="gray", lw=1, label="as N squared")
    axes[0].set(xlabel="points of data and of randoms", ylabel="s for DD, DR and RR")
    # The loop visits every pair, so its time grows with the number of pairs.
    loop = series(by_points, "correlate.loop", "points", by_cpu)
    a_pair = loop[1][-1] / (2.0 * loop[0][-1] ** 2)
    axes[1].loglog(size, [a_pair * 2.0 * n * n / t for n, t in zip(size, time)], "-o")
    axes[1].set(xlabel="points of data and of randoms", ylabel="times faster than the loop")
    sets, time = series(by_sets, "correlate", "sets", by_cpu)
    axes[2].plot(sets, [a_pair * SET_POINTS ** 2 * (0.5 + 1.5 * m) / t for m, t in zip(sets, time)], "-o")
    axes[2].set(xlabel=f"sets of {SET_POINTS} random points", ylabel="times faster than the loop")
    axes[2].set_ylim(bottom=0)
    axes[0].legend(fontsize=8)
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.suptitle(rows[0]["device"] + f", {rows[0]['threads']} threads" + (", CPU time shared by them" if by_cpu else ""),
                    fontsize=10)
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("armilla", nargs="?")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--points", type=int, nargs="+", default=[100, 1000, 2048, 4000, 16000, 48000, 97178, 300000])
    parser.add_argument("--sets", type=int, nargs="+", default=[1, 3, 7, 15, 31, 63, 95])
    parser.add_argument("--figures", type=pathlib.Path, nargs="+")
    parser.add_argument("--cpu-time", action="store_true")
    options = parser.parse_args()
    if options.figures:
        # A file may hold several arrays in sequence, written by a loop of commands.
        rows = []
        for path in options.figures:
            text, decoder = path.read_text().strip(), json.JSONDecoder()
            while text:
                some, end = decoder.raw_decode(text)
                rows, text = rows + [row for row in some if "points" in row], text[end:].strip()
    else:
        rows = [row for n in options.points for row in bench(options.armilla, n, 1, options.device)]
        rows += [row for m in options.sets if m > 1
                 for row in bench(options.armilla, SET_POINTS, m, options.device)]
    kind = "cpu" if rows[0]["device"] == "cpu" else "cuda"
    if not options.figures:
        (options.folder / f"correlation-{kind}.json").write_text(json.dumps(rows, indent=1) + "\n")
    print_growth(rows, options.cpu_time)
    draw(rows, options.folder / f"correlation-{kind}.png", options.cpu_time)


if __name__ == "__main__":
    main()

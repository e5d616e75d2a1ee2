#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots the frames of a drag over the smoothing slider, recorded by bench_window --drag.

    plot_drag.py FRAMES.csv PICTURE.png [TITLE]

Top: the time of each frame and its latency, with the median and the 99th percentile. Bottom: the latest
requested width at that time.
"""
import csv
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with open(sys.argv[1], newline="", encoding="utf-8") as file:
        frames = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    if not frames:
        sys.exit(f"plot_drag: expected frames in {sys.argv[1]}, found none")
    seconds = [1e-3 * frame["time_ms"] for frame in frames]
    times = [frame["frame_ms"] for frame in frames]
    gaps = [1e3 * (b - a) for a, b in zip(seconds, seconds[1:])]
    ranked = sorted(times)
    median, late = ranked[len(ranked) // 2], ranked[len(ranked) * 99 // 100]
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, height_ratios=[2, 1])
    above.plot(seconds, times, ".", color="#2563eb", markersize=4, label="time of a frame")
    above.plot(seconds[1:], gaps, ".", color="#d97706", markersize=3, label="since the one before")
    above.axhline(median, color="#2563eb", linewidth=0.8)
    above.axhline(late, color="#2563eb", linewidth=0.8, linestyle="--")
    above.set_yscale("log")
    above.set_ylabel("ms")
    above.set_title(f"{sys.argv[3] + ': ' if len(sys.argv) > 3 else ''}{len(frames)} frames, median "
                    f"{median:.1f} ms, 99 of 100 within {late:.1f} ms", fontsize=10)
    above.legend(fontsize=8)
    below.plot(seconds, [frame["fwhm_arcmin"] for frame in frames], color="#16a34a", linewidth=1)
    below.set_yscale("log")
    below.set_ylabel("FWHM, arcmin")
    below.set_xlabel("seconds of the drag")
    figure.tight_layout()
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()

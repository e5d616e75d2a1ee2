#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots the time of gridding, from `armilla bench grid`, like figures 7 to 11 of H. Wang et al. 2021 (HCGrid).

    plot_gridding.py ARMILLA FOLDER [--device cpu|cuda] [--samples N ...]
    plot_gridding.py --figures FOLDER/gridding-cuda.json [MORE.json ...] [--cpu-time] -- FOLDER
    plot_gridding.py ARMILLA FOLDER --maps

Writes FOLDER/gridding-DEVICE.json (all rows) and FOLDER/gridding-DEVICE.png, with these panels:
  figures 9 and 11: time against the number of samples, by step, with its limit; rows of `peers.py --json` add cygrid
  figure 9: the share of the sums in the total
  figure 10: fields of other sizes
  figures 7 and 8: time of the sums on a device, by threads and cells of a block

--figures plots measurements of another machine. --cpu-time plots the CPU time of all threads divided by their number,
for a machine under other load; this is always used for cygrid. Without --samples all figures are made. --maps grids
25 and 50 sources with `armilla grid` and, if installed, cygrid. It plots the maps and their differences from exact
sums in extended precision (figures 12 and 13) as FOLDER/gridding-maps.png.
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np


def bench(armilla, device, samples):
    command = [armilla, "bench", "grid"] + (["grid-shapes"] if device == "cuda" and not samples else [])
    command += ["--device", device, "--json"]
    if samples:
        command += ["--samples", ",".join(map(str, samples))]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def time_of(row, by_cpu):
    return row["cpu_seconds"] / row["threads"] if by_cpu else row["seconds"]["median"]


def medians(rows, by_cpu):
    return [row["samples"] for row in rows], [time_of(row, by_cpu) for row in rows]


def draw_times(axis, rows, by_cpu):
    whole = [row for row in rows if row["name"] == "grid"]
    resident = [row for row in rows if row["name"] == "grid.resident"]
    axis.loglog(*medians(whole, by_cpu), "-o", color="black", label="armilla, host to host" if resident else "armilla")
    rival = sorted((row["samples"], row["cpu_seconds"] / row["threads"], row["threads"]) for row in rows
                   if row["name"] == "cygrid")
    if rival:
        samples, times, threads = zip(*rival)
        axis.loglog(samples, times, "-^", color="#be185d", label=f"cygrid, {threads[0]} cores")
    if resident:
        axis.loglog(*medians(resident, by_cpu), "--s", color="#7c3aed", label="on the device alone")
    steps = resident or whole
    colors = ["#d97706", "#2563eb", "#059669", "#dc2626", "#64748b"]
    for step, color in zip(steps[0]["steps"], colors):
        # Wall clock times; CPU time is divided among the steps in the same proportion.
        scale = [time_of(row, True) / sum(row["steps"].values()) if by_cpu else 1.0 for row in steps]
        axis.loglog([row["samples"] for row in steps],
                    [max(row["steps"][step] * by, 1e-7) for row, by in zip(steps, scale)], ":", color=color, label=step)
    axis.loglog([row["samples"] for row in whole], [row["limit"]["seconds"] for row in whole], color="gray",
                label="limit (memory of the host)")
    axis.set(xlabel="samples in 5 x 5 degrees", ylabel="seconds")
    axis.set_ylim(top=300 * axis.get_ylim()[1])  # space for the legend above the curves


def draw_share(axis, rows, _):
    steps = [row for row in rows if row["name"] == "grid.resident"] or [row for row in rows if row["name"] == "grid"]
    axis.semilogx([row["samples"] for row in steps],
                  [100 * row["steps"]["gather"] / max(sum(row["steps"].values()), 1e-12) for row in steps], "-o",
                  color="#2563eb", label="sums, % of the time")
    axis.set(xlabel="samples in 5 x 5 degrees", ylabel="%", ylim=(0, 100))


def draw_fields(axis, rows, by_cpu):
    for suffix, style in (("", "-o"), (".resident", "--s")):
        fields = [(float(row["name"].split(".field")[1].split("deg")[0]), time_of(row, by_cpu)) for row in rows
                  if ".field" in row["name"] and row["name"].endswith("deg" + suffix)]
        if fields:
            axis.loglog(*zip(*sorted(fields)), style, label="on the device alone" if suffix else "host to host")
    axis.set(xlabel="side of the field, degrees; 1e5 samples a square degree", ylabel="seconds")


def draw_shapes(axis, rows, _):
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
    axis.set_ylim(top=3 * axis.get_ylim()[1])  # space for the legend above the bars


def draw(rows, path, by_cpu):
    panels = [draw_times, draw_share]
    if any(".field" in row["name"] for row in rows):
        panels.append(draw_fields)
    if any(".c16" in row["name"] for row in rows):
        panels.append(draw_shapes)
    figure, axes = plt.subplots(1, len(panels), figsize=(4.8 * len(panels), 4.2), constrained_layout=True)
    for axis, panel in zip(axes, panels):
        panel(axis, rows, by_cpu)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7)
    figure.suptitle(f"{rows[0]['device']}, {rows[0]['threads']} threads" + (", CPU time shared by them" if by_cpu else ""),
                    fontsize=10)
    figure.savefig(path, dpi=110)


# The paper's experiment: 5 x 5 degrees around (60, 30), cells of 200 arcsec, a kernel of 300.
SIDE, CELLS, CELL, FWHM, CENTER = 5.0, 90, 200.0 / 3600, 300.0 / 3600, (60.0, 30.0)


def source_samples(sources, count):
    """Samples of point sources, observed with a beam of the kernel's width."""
    rng = np.random.default_rng(sources)
    lon = CENTER[0] + SIDE * (rng.random(count) - 0.5) / np.cos(np.radians(CENTER[1]))
    lat = CENTER[1] + SIDE * (rng.random(count) - 0.5)
    values = 0.01 * rng.standard_normal(count)
    for _ in range(sources):
        x, y, peak = 0.9 * (rng.random(3) - 0.5) * (SIDE, SIDE, 0.0) + (0.0, 0.0, 10 ** -rng.random())
        offset = np.hypot((lon - CENTER[0]) * np.cos(np.radians(lat)) - x, lat - CENTER[1] - y)
        values += peak * np.exp(-4 * np.log(2) * (offset / FWHM) ** 2)
    return lon, lat, values


def exact_map(lon, lat, values, header):
    """Weighted means of the samples within three sigma of each cell, in extended precision."""
    from astropy.wcs import WCS

    def vectors(lon, lat):
        lon, lat = np.radians(np.longdouble(lon)), np.radians(np.longdouble(lat))
        return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)

    sigma = np.radians(np.longdouble(FWHM)) / np.sqrt(8 * np.log(np.longdouble(2)))
    order = np.argsort(lat)
    lat, at, values = lat[order], vectors(lon, lat)[order], values[order]
    rows, columns = np.indices((CELLS, CELLS))
    cells = np.stack(WCS(header).celestial.wcs_pix2world(columns.ravel(), rows.ravel(), 0), -1)
    reach = np.degrees(float(3 * sigma))
    result = np.full(CELLS * CELLS, np.nan)
    for i, ((cell_lon, cell_lat), cell) in enumerate(zip(cells, vectors(*cells.T))):
        near = slice(*np.searchsorted(lat, (cell_lat - 1.01 * reach, cell_lat + 1.01 * reach)))
        angle = 2 * np.arcsin(0.5 * np.sqrt(((at[near] - cell) ** 2).sum(-1)))
        weight = np.where(angle <= 3 * sigma, np.exp(-0.5 * (angle / sigma) ** 2), 0)
        if weight.any():
            result[i] = (weight * values[near]).sum() / weight.sum()
    return result.reshape(CELLS, CELLS)


def cygrid_map(lon, lat, values, header):
    import cygrid
    cube = header.copy()
    cube.update(NAXIS=3, NAXIS3=1, CTYPE3="VRAD", CRVAL3=0.0, CDELT3=1.0, CRPIX3=1.0)
    gridder = cygrid.WcsGrid(cube, dtype=np.float64)
    sigma = FWHM / np.sqrt(8 * np.log(2))
    gridder.set_kernel("gauss1d", (sigma,), 3 * sigma, sigma / 2)
    gridder.grid(lon, lat, values[:, None])
    return gridder.get_datacube()[0]


def draw_maps(armilla, path, count=100000):
    from astropy.io import fits
    figure, axes = plt.subplots(2, 4, figsize=(15, 6.6), constrained_layout=True)
    for line, sources in zip(axes, (25, 50)):
        lon, lat, values = source_samples(sources, count)
        with tempfile.TemporaryDirectory() as folder:
            scan, out = pathlib.Path(folder, "scan.fits"), pathlib.Path(folder, "map.fits")
            columns = [fits.Column(name, "D", unit, array=array) for name, unit, array in
                       (("RA", "deg", lon), ("DEC", "deg", lat), ("TA", "K", values))]
            fits.BinTableHDU.from_columns(columns).writeto(scan)
            subprocess.run([armilla, "grid", scan, out, "--value", "TA", "--kernel-fwhm", "300arcsec", "--projection",
                            "gnomonic", "--center", "60deg,30deg", "--size", "90x90", "--resolution", "200arcsec"],
                           check=True, capture_output=True)
            with fits.open(out) as found:
                hdu = next(each for each in found if each.data is not None)
                ours, header = np.array(hdu.data, dtype=float).reshape(CELLS, CELLS), hdu.header
        truth = exact_map(lon, lat, values, header)
        panels = [(f"{sources} sources", ours, "viridis"), ("less exact sums", ours - truth, "RdBu_r")]
        try:
            theirs = cygrid_map(lon, lat, values, header)
            panels += [("cygrid", theirs, "viridis"), ("cygrid less exact sums", theirs - truth, "RdBu_r")]
        except ImportError:
            print("without cygrid, which is not installed")
        for axis in line[len(panels):]:
            axis.axis("off")
        for axis, (title, image, colors) in zip(line, panels):
            most = np.nanmax(np.abs(image))
            limits = {"vmin": -most, "vmax": most} if colors == "RdBu_r" else {}
            figure.colorbar(axis.imshow(image, origin="lower", cmap=colors, **limits), ax=axis, shrink=0.8)
            axis.set_title(title + (f", at most {most:.1e}" if limits else ""), fontsize=9)
            axis.set(xticks=[], yticks=[])
            if limits:
                print(f"{sources} sources: {title}, at most {most:.2e} of {np.nanmax(np.abs(truth)):.2f}")
    # Constrained layout leaves no room for the labels of the last color bar.
    figure.savefig(path, dpi=100, bbox_inches="tight")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("armilla", nargs="?")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--samples", type=int, nargs="+")
    parser.add_argument("--figures", type=pathlib.Path, nargs="+")
    parser.add_argument("--cpu-time", action="store_true")
    parser.add_argument("--maps", action="store_true")
    options = parser.parse_args()
    if options.maps:
        draw_maps(options.armilla, options.folder / "gridding-maps.png")
        return
    if options.figures:
        rows = [row for path in options.figures for row in json.loads(path.read_text()) if "samples" in row]
        device = "cpu" if rows[0]["device"] == "cpu" else "cuda"
    else:
        device = options.device
        rows = bench(options.armilla, device, options.samples)
        (options.folder / f"gridding-{device}.json").write_text(json.dumps(rows, indent=1))
    draw(rows, options.folder / f"gridding-{device}.png", options.cpu_time)


if __name__ == "__main__":
    main()

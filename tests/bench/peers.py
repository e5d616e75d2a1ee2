#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times `armilla bench` and other programs alternately (A B A B ...) and prints the median ratio and spread.

    peers.py ARMILLA [--nside N ...] [--points N ...] [--samples N ...] [--rounds R] [--json FILE]

Every transform of another program is warmed up once. A first burst of work of more than two seconds lets small
virtual machines distribute their threads. A ratio above 1 means that armilla is faster. Gridding and correlation
are also compared by CPU time of all threads, which other work on the machine hardly changes. Pair counts are compared
bin by bin. --json writes the rows of the other programs in these two cases for the plots, in the format of
`armilla bench --json`.
"""
import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import tempfile
import time

import numpy as np

THREADS = len(os.sched_getaffinity(0))
os.environ.setdefault("OMP_NUM_THREADS", str(THREADS))


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def both_seconds(call):
    """Wall clock seconds, and CPU seconds of all threads."""
    cpu = time.process_time()
    return seconds(call), time.process_time() - cpu


def bench_row(armilla, arguments, name):
    text = subprocess.run([armilla, "bench", *arguments, "--threads", str(THREADS), "--device", "cpu", "--json"],
                          check=True, capture_output=True, text=True).stdout
    row = next(row for row in json.loads(text) if row["name"] == name)
    return row["seconds"]["median"], row["cpu_seconds"]


def compare(what, rival, call, options, arguments, name):
    """Runs another program and `armilla` alternately; prints a line of ratios and returns the other program's row."""
    theirs, ours = [], []
    for _ in range(options.rounds):
        ours.append(bench_row(options.armilla, arguments, name))
        theirs.append(both_seconds(call))

    def middle(times, which):
        return statistics.median(time[which] for time in times)

    def ratio(which):
        ratios = [them[which] / us[which] for them, us in zip(theirs, ours)]
        return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} .. {max(ratios):.2f})"

    print(f"{what} {rival:15s} {middle(theirs, 0):8.3f} s, armilla {middle(ours, 0):8.3f} s, ratio {ratio(0)}; CPU "
          f"{middle(theirs, 1):8.3f} s, armilla {middle(ours, 1):8.3f} s, ratio {ratio(1)}", flush=True)
    return {"name": rival, "seconds": {"median": middle(theirs, 0)}, "cpu_seconds": middle(theirs, 1),
            "threads": THREADS, "device": "cpu"}


def warm_up():
    end = time.perf_counter() + 2.5
    a = np.random.default_rng(1).random((800, 800))
    while time.perf_counter() < end:
        a @ a


def armilla_seconds(armilla, nside, lmax):
    """Runs the benchmark of `armilla` once; returns {row name: median seconds}."""
    text = subprocess.run(
        [armilla, "bench", "sht", "convolve", "--fwhm", "1deg", "--nside", str(nside), "--lmax", str(lmax),
         "--repeat", "3", "--threads", str(THREADS), "--json"],
        check=True, capture_output=True, text=True).stdout
    return {(row["name"], row.get("spin", 0)): row["seconds"]["median"] for row in json.loads(text)
            if row.get("nside") == nside}


def random_alm(rng, components, lmax):
    alm = rng.standard_normal((components, (lmax + 1) * (lmax + 2) // 2, 2)) @ (1, 1j)
    alm[:, : lmax + 1] = alm[:, : lmax + 1].real
    return alm


# Spin 2 stands for T, Q, U together, as in the program's rows.
def healpy_calls(nside, lmax):
    import healpy
    rng = np.random.default_rng(2)
    sky = rng.standard_normal((3, 12 * nside * nside))
    alm = random_alm(rng, 3, lmax)
    return {("sht.map2alm", 0): lambda: healpy.map2alm(sky[0], lmax=lmax, iter=0),
            ("sht.alm2map", 0): lambda: healpy.alm2map(alm[0], nside, lmax=lmax),
            ("sht.map2alm", 2): lambda: healpy.map2alm(sky, lmax=lmax, iter=0, pol=True),
            ("sht.alm2map", 2): lambda: healpy.alm2map(list(alm), nside, lmax=lmax, pol=True),
            **{("convolve." + method, 0):
               lambda: healpy.smoothing(sky[0], fwhm=np.radians(1.0), lmax=lmax, iter=0)
               for method in ("harmonic", "ring")}}


def ducc_calls(nside, lmax):
    import ducc0
    geometry = ducc0.healpix.Healpix_Base(nside, "RING").sht_info()
    rng = np.random.default_rng(3)
    sky = rng.standard_normal((3, 12 * nside * nside))
    alm = random_alm(rng, 3, lmax)

    def synthesis(spins):
        for spin, part in spins:
            ducc0.sht.synthesis(alm=alm[part], lmax=lmax, spin=spin, nthreads=THREADS, **geometry)

    def adjoint(spins):
        for spin, part in spins:
            ducc0.sht.adjoint_synthesis(map=sky[part], lmax=lmax, spin=spin, nthreads=THREADS, **geometry)

    scalar = [(0, slice(0, 1))]
    both = scalar + [(2, slice(1, 3))]
    return {("sht.alm2map", 0): lambda: synthesis(scalar), ("sht.map2alm", 0): lambda: adjoint(scalar),
            ("sht.alm2map", 2): lambda: synthesis(both), ("sht.map2alm", 2): lambda: adjoint(both)}


def correlation_points(count):
    """Data and randoms as in `armilla bench correlate`: uniform, with a third of the data near another point."""
    rng = np.random.default_rng(4)

    def uniform():
        return 360 * rng.random(count), np.degrees(np.arcsin(2 * rng.random(count) - 1))

    data, randoms = uniform(), uniform()
    near = np.arange(3, count, 3)
    other = (rng.random(near.size) * near).astype(int)
    data[0][near] = np.mod(data[0][other] + rng.random(near.size) - 0.5, 360)
    data[1][near] = np.clip(data[1][other] + rng.random(near.size) - 0.5, -90, 90)
    return data, randoms


def correlation_calls(data, randoms):
    """DD, DR and RR in 30 bins from 0.01 to 10000 arcmin by each installed program, counting each pair once."""
    calls = {}
    try:
        import treecorr

        def by_treecorr(slop):
            catalogs = [treecorr.Catalog(ra=p[0], dec=p[1], ra_units="deg", dec_units="deg")
                        for p in (data, randoms)]
            found = []
            for pair in ((0,), (0, 1), (1,)):
                counts = treecorr.NNCorrelation(min_sep=0.01, max_sep=10000, nbins=30, sep_units="arcmin",
                                                metric="Arc", **slop)
                counts.process(*(catalogs[i] for i in pair), num_threads=THREADS)
                found.append(np.round(counts.npairs).astype(np.int64))
            return found

        calls["TreeCorr"] = lambda: by_treecorr({})
        calls["TreeCorr exact"] = lambda: by_treecorr({"bin_slop": 0})
    except ImportError:
        pass
    try:
        from Corrfunc.mocks import DDtheta_mocks
        edges = np.geomspace(0.01, 10000, 31) / 60

        def by_corrfunc():
            # Pairs of one catalog are counted twice.
            counts = (DDtheta_mocks(1, THREADS, edges, *data),
                      DDtheta_mocks(0, THREADS, edges, *data, RA2=randoms[0], DEC2=randoms[1]),
                      DDtheta_mocks(1, THREADS, edges, *randoms))
            return [one["npairs"].astype(np.int64) // by for one, by in zip(counts, (2, 1, 2))]

        calls["Corrfunc"] = by_corrfunc
    except ImportError:
        pass
    return calls


def mean_angles_call(data):
    """Counts and mean angles of the pairs of the data in the same bins, or None without Corrfunc."""
    if not importlib.util.find_spec("Corrfunc"):
        return None
    from Corrfunc.mocks import DDtheta_mocks
    edges = np.geomspace(0.01, 10000, 31) / 60
    return lambda: DDtheta_mocks(1, THREADS, edges, *data, output_thetaavg=True)


# The program's benchmark takes the mean angles of at most so many points.
MOST_FOR_MEANS = 30000


def exact_counts(armilla, data, randoms):
    """DD, DR and RR by `armilla` on the same points."""
    from astropy.table import Table
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name + ".fits") for name in ("data", "random", "out")]
        for name, points in zip(names, (data, randoms)):
            Table({"RA": points[0], "DEC": points[1]}).write(name)
        text = subprocess.run(
            [armilla, "correlate", names[0], names[2], "--random", names[1], "--bins", "0.01arcmin,10000arcmin,30",
             "--device", "cpu", "--json", "--quiet"], check=True, capture_output=True, text=True).stdout
    found = json.loads(text)
    return [np.array(found[kind]["pairs"]) for kind in ("dd", "dr", "rr")]


def print_differences(rival, theirs, ours):
    """Prints the number of equal bins, and every unequal one if these are few."""
    different = [(kind, k, int(them[k] - us[k]), int(us[k])) for kind, them, us in zip(("DD", "DR", "RR"), theirs, ours)
                 for k in np.flatnonzero(them != us)]
    bins = sum(one.size for one in ours)
    print(f"    counts of {rival}: {bins - len(different)} of {bins} as the program's", flush=True)
    if len(different) > 10:
        most = max(abs(off) / max(1, count) for _, _, off, count in different)
        print(f"    up to {most:.1e} off, {sum(abs(off) for _, _, off, _ in different)} pairs in all")
        return
    for kind, k, off, count in different:
        print(f"    {kind} bin {k + 1}: {off:+d} of {count}")


def compare_correlations(options):
    rows = []
    for count in options.points:
        data, randoms = correlation_points(count)
        ours = exact_counts(options.armilla, data, randoms)
        for rival, call in correlation_calls(data, randoms).items():
            print_differences(rival, call(), ours)
            row = compare(f"correlate {count:8d} points", rival, call, options,
                          ["correlate", "--points", str(count), "--repeat", "1"], "correlate")
            rows.append({**row, "points": count, "sets": 1})
    count = min(max(options.points), MOST_FOR_MEANS)
    if call := mean_angles_call(correlation_points(count)[0]):
        compare(f"mean angles {count:6d} points", "Corrfunc", call, options,
                ["correlate", "--points", str(count), "--repeat", "1"], "correlate.means")
    return rows


# 5 x 5 degrees, 90 x 90 pixels of 200 arcsec, a Gaussian of 300 arcsec cut at 3 sigma, as in `armilla bench grid`.
def cygrid_call(samples):
    import cygrid
    from astropy.io import fits
    rng = np.random.default_rng(4)
    lon = 60.0 + 5.0 * (rng.random(samples) - 0.5) / np.cos(np.radians(30.0))
    lat = np.degrees(np.arcsin(rng.uniform(np.sin(np.radians(27.5)), np.sin(np.radians(32.5)), samples)))
    values = rng.standard_normal((samples, 1)).astype(np.float32)
    header = fits.Header()
    header["NAXIS"] = 3
    for axis, (size, kind, value, step) in enumerate(
            ((90, "RA---SIN", 60.0, -200 / 3600), (90, "DEC--SIN", 30.0, 200 / 3600), (1, "VRAD", 0.0, 1.0)), 1):
        header[f"NAXIS{axis}"] = size
        header[f"CTYPE{axis}"] = kind
        header[f"CRVAL{axis}"] = value
        header[f"CDELT{axis}"] = step
        header[f"CRPIX{axis}"] = 45.5 if axis < 3 else 1.0
    sigma = 300 / 3600 / np.sqrt(8 * np.log(2))

    def grid():
        gridder = cygrid.WcsGrid(header)
        gridder.set_num_threads(THREADS)
        gridder.set_kernel("gauss1d", (sigma,), 3 * sigma, sigma / 2)
        gridder.grid(lon, lat, values)
        return gridder.get_datacube()
    return grid


def compare_gridding(options):
    rows = []
    if not importlib.util.find_spec("cygrid"):
        print("cygrid is not installed: gridding is not compared")
        return rows
    for samples in options.samples:
        rival = cygrid_call(samples)
        rival()
        row = compare(f"grid {samples:9d} samples", "cygrid", rival, options,
                      ["grid", "--samples", str(samples), "--repeat", "3"], "grid")
        rows.append({**row, "samples": samples})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("armilla")
    parser.add_argument("--nside", type=int, nargs="*", default=[256, 512, 1024])
    parser.add_argument("--samples", type=int, nargs="*", default=[1000000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--points", type=int, nargs="+", default=[97178], help="of correlations; 0: none")
    parser.add_argument("--json", help="file for the rows of the rivals in correlation and gridding")
    options = parser.parse_args()
    warm_up()
    print(f"{THREADS} threads, {options.rounds} rounds; ratio = rival / armilla, median (min .. max)")
    rows = [] if options.points == [0] else compare_correlations(options)
    rows += compare_gridding(options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    for nside in options.nside:
        lmax = 2 * nside
        for rival, make in (("healpy", healpy_calls), ("ducc0", ducc_calls)):
            calls = make(nside, lmax)
            for call in calls.values():
                call()
            ratios = {key: [] for key in calls}
            times = {key: [] for key in calls}
            for _ in range(options.rounds):
                ours = armilla_seconds(options.armilla, nside, lmax)
                for key, call in calls.items():
                    if key not in ours:
                        raise SystemExit(f"expected a row {key} of armilla bench, found {sorted(ours)}")
                    theirs = seconds(call)
                    ratios[key].append(theirs / ours[key])
                    times[key].append((theirs, ours[key]))
            for key, values in ratios.items():
                print(f"nside {nside:5d} lmax {lmax:5d} spin {key[1]} {key[0]:18s} {rival:7s} "
                      f"{statistics.median(t[0] for t in times[key]):8.4f} s, armilla "
                      f"{statistics.median(t[1] for t in times[key]):8.4f} s, ratio "
                      f"{statistics.median(values):.2f} ({min(values):.2f} .. {max(values):.2f})")


if __name__ == "__main__":
    main()

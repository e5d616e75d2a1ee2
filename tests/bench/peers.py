#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times `armilla bench` and its rivals in turn (A B A B ...) and prints the median ratio and spread.

    peers.py ARMILLA [--nside N ...] [--rounds R]

Every rival transform is warmed up once; a first burst of work of more than two seconds lets small
virtual machines spread their threads. A ratio above 1 means that armilla is faster.
"""
import argparse
import json
import os
import statistics
import subprocess
import time

import numpy as np

THREADS = len(os.sched_getaffinity(0))
os.environ.setdefault("OMP_NUM_THREADS", str(THREADS))


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def warm_up():
    end = time.perf_counter() + 2.5
    a = np.random.default_rng(1).random((800, 800))
    while time.perf_counter() < end:
        a @ a


def armilla_seconds(armilla, nside, lmax):
    """{row name: median seconds} of one run of the program's own benchmark."""
    text = subprocess.run(
        [armilla, "bench", "sht", "convolve", "--fwhm", "1deg", "--nside", str(nside), "--lmax", str(lmax),
         "--repeat", "1", "--threads", str(THREADS), "--json"],
        check=True, capture_output=True, text=True).stdout
    return {(row["name"], row.get("spin", 0)): row["seconds"]["median"] for row in json.loads(text)
            if row.get("nside") == nside}


def healpy_calls(nside, lmax):
    import healpy
    rng = np.random.default_rng(2)
    sky = rng.standard_normal(12 * nside * nside)
    alm = healpy.map2alm(sky, lmax=lmax, iter=0)
    return {("sht.map2alm", 0): lambda: healpy.map2alm(sky, lmax=lmax, iter=0),
            ("sht.alm2map", 0): lambda: healpy.alm2map(alm, nside, lmax=lmax),
            ("convolve.harmonic", 0): lambda: healpy.smoothing(sky, fwhm=np.radians(1.0), lmax=lmax, iter=0)}


def ducc_calls(nside, lmax):
    import ducc0
    base = ducc0.healpix.Healpix_Base(nside, "RING")
    geometry = base.sht_info()
    rng = np.random.default_rng(3)
    sky = rng.standard_normal((1, 12 * nside * nside))
    size = (lmax + 1) * (lmax + 2) // 2
    alm = rng.standard_normal((1, size)) + 1j * rng.standard_normal((1, size))
    alm[:, : lmax + 1] = alm[:, : lmax + 1].real
    common = dict(lmax=lmax, spin=0, nthreads=THREADS, **geometry)
    return {("sht.alm2map", 0): lambda: ducc0.sht.synthesis(alm=alm, **common),
            ("sht.map2alm", 0): lambda: ducc0.sht.adjoint_synthesis(map=sky, **common)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("armilla")
    parser.add_argument("--nside", type=int, nargs="+", default=[256, 512, 1024])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    warm_up()
    print(f"{THREADS} threads, {options.rounds} rounds; ratio = rival / armilla, median (min .. max)")
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
                    if key in ours:
                        theirs = seconds(call)
                        ratios[key].append(theirs / ours[key])
                        times[key].append((theirs, ours[key]))
            for key, values in ratios.items():
                if not values:
                    continue
                print(f"nside {nside:5d} lmax {lmax:5d} {key[0]:18s} {rival:7s} "
                      f"{statistics.median(t[0] for t in times[key]):8.4f} s, armilla "
                      f"{statistics.median(t[1] for t in times[key]):8.4f} s, ratio "
                      f"{statistics.median(values):.2f} ({min(values):.2f} .. {max(values):.2f})")


if __name__ == "__main__":
    main()

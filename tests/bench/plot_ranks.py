#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots the scaling of transforms over ranks: measured on this machine, and a model of more nodes fitted to the measurement.

    plot_ranks.py ARMILLA FOLDER [--nside N] [--ranks N ...] [--repeat N]
    plot_ranks.py --figures FOLDER/ranks.json FOLDER

Runs `mpirun -n N armilla bench sht --json` with one thread a rank, and one process with a thread for each core,
alternately, --rounds times. Writes the rows to FOLDER/ranks.json and the plot FOLDER/ranks.png. Prints the tables of
resources/notes/ranks-and-devices.md from the medians: processor time of all ranks and, in brackets, its ratio to that
of threads. On an idle machine --wall prints wall clock times instead, for at least as many ranks as cores.

The left two panels are measured: the processor time of all ranks in each step, which ranks must not increase, and
the memory of each rank. The right panel is a model for larger machines (figures 9 to 12 of M. Szydlarski et al. 2014, but
computed):

    t(P) = (L (n / n0)^3 imbalance(P) + F (n / n0)^2 log n / log n0) / (C P) + V (P - 1) / (P^2 B) + a S (P - 1)

P is the number of nodes, each with C cores of this machine's speed. L and F are the measured times of a core at
n0 = nside, and V is the bytes of all F_m. B and a are the bandwidth of a node and the latency of the network, and S is
the number of slices. The imbalance is that of the program's partition of blocks of 16 orders by cost.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

SPAN = 16                      # orders in a block (order_tiles.h)
CORES, BANDWIDTH, LATENCY, SLICES = 64, 20e9, 10e-6, 8   # assumed for a node and its network
MODEL_NSIDES = (4096, 8192, 16384)
LAUNCH = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
          "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_hwloc_base_binding_policy": "none"}


ALONE = {"sht.alm2map": "sht.alm2map.ranks", "sht.map2alm": "sht.map2alm.ranks"}


def bench(armilla, ranks, nside, repeat):
    """Rows of a number of ranks; 0 ranks: rows of threads."""
    launcher = ["mpirun", "-n", str(ranks)] if ranks else []
    command = [*launcher, armilla, "bench", "sht", "--nside", str(nside), "--repeat", str(repeat), "--device", "cpu",
               "--threads", "1" if ranks else str(os.cpu_count()), "--json", "--quiet"]
    run = subprocess.run(command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                         env={**os.environ, **LAUNCH})
    rows = json.loads(run.stdout)
    return rows if ranks else [{**row, "name": ALONE[row["name"]], "ranks": 0} for row in rows if row["name"] in ALONE]


def modes(nside, lmax):
    """Approximate number of useful m for each pair of rings: below lmax sin(theta), with a margin."""
    counts = []
    for ring in range(1, 2 * nside + 1):
        z = 1 - ring * ring / (3 * nside * nside) if ring < nside else 4 / 3 - 2 * ring / (3 * nside)
        counts.append(min(lmax + 1, int(lmax * math.sqrt(max(0.0, 1 - z * z))) + 100))
    return counts


def imbalance(nside, lmax, ranks):
    seen = sorted(modes(nside, lmax))
    costs = []
    for first in range(0, lmax + 1, SPAN):
        below = sum(1 for count in seen if count <= first)
        costs.append(sum((len(seen) - below + 32) * (lmax - m + 1) for m in range(first, min(first + SPAN, lmax + 1))))
    load = [0.0] * ranks
    for cost in sorted(costs, reverse=True):
        load[load.index(min(load))] += cost
    return max(load) / (sum(load) / ranks)


class Model:
    def __init__(self, rows, name):
        rows = [row for row in rows if row["name"] == name and row["spin"] == 0]
        self.nside = rows[0]["nside"]
        self.legendre = statistics.median(row["processor_seconds"]["legendre"]["mean"] * row["ranks"] for row in rows)
        self.fft = statistics.median(row["processor_seconds"]["fft"]["mean"] * row["ranks"] for row in rows)

    def volume(self, nside):
        return 16 * 2 * sum(modes(nside, 2 * nside))

    def parts(self, nside, nodes, deal):
        grow = nside / self.nside
        compute = (self.legendre * grow ** 3 * deal
                   + self.fft * grow ** 2 * math.log(nside) / math.log(self.nside)) / (CORES * nodes)
        exchange = 0.0
        if nodes > 1:
            exchange = (self.volume(nside) * (nodes - 1) / (nodes ** 2 * BANDWIDTH)
                        + LATENCY * SLICES * (nodes - 1))
        return compute, exchange

    def time(self, nside, nodes):
        return sum(self.parts(nside, nodes, imbalance(nside, 2 * nside, nodes)))


def taken(row, wall):
    if wall:
        return row["seconds"]["median"]
    return row["processor_seconds"]["all"]["mean"] * row["ranks"] if row["ranks"] else row["cpu_seconds"]


def middle(rows, wall):
    """Round of median time for each kind: {(ranks, name, spin): row}."""
    kinds = {}
    for row in rows:
        kinds.setdefault((row["ranks"], row["name"], row["spin"]), []).append(row)
    return {kind: sorted(some, key=lambda row: taken(row, wall))[len(some) // 2] for kind, some in kinds.items()}


def table_measured(rows, wall):
    print("| ranks | alm2map, s | map2alm, s | alm2map T, Q, U, s | map2alm T, Q, U, s | sums, FFTs: most / mean | "
          "MiB sent | MiB a rank |")
    print("|---|---|---|---|---|---|---|---|")
    for ranks in sorted({kind[0] for kind in rows}):
        cells = []
        for spin in (0, 2):
            for name in ALONE.values():
                own, alone = (taken(rows[count, name, spin], wall) for count in (ranks, 0))
                cells.append(f"{own:.3f} ({own / alone:.2f})" if ranks else f"{own:.3f}")
        there, back = (rows[ranks, name, 0] for name in ALONE.values())
        if ranks:
            cells.append(", ".join(f"{there['processor_seconds'][step]['imbalance']:.2f}" for step in ("legendre", "fft")))
            cells.append(f"{there['bytes_sent']['mean'] / 2 ** 20:.1f}")
            cells.append(f"{back['peak_host_bytes']['mean'] / 2 ** 20:.0f}")
        else:
            cells += ["", "", f"{back['peak_host_bytes'] / 2 ** 20:.0f}"]
        print(f"| {ranks or 'threads'} | " + " | ".join(cells) + " |")


def table_model(model):
    print("| nodes | " + " | ".join(f"nside {nside}" for nside in MODEL_NSIDES) + " |")
    print("|---|" + "---|" * len(MODEL_NSIDES))
    for nodes in (1, 8, 100):
        cells = []
        for nside in MODEL_NSIDES:
            alone, time = model.time(nside, 1), model.time(nside, nodes)
            cells.append(f"{time:.2g} s ({100 * alone / (nodes * time):.0f} %)")
        print(f"| {nodes} | " + " | ".join(cells) + " |")


def draw(rows, path):
    figure, axes = plt.subplots(1, 3, figsize=(14, 4.6), constrained_layout=True)
    for name, style in (("sht.alm2map.ranks", "-o"), ("sht.map2alm.ranks", "--s")):
        chosen = [row for row in rows if row["name"] == name and row["spin"] == 0]
        counts = [row["ranks"] for row in chosen]
        for step, color in (("legendre", "#d97706"), ("fft", "#2563eb")):
            axes[0].plot(counts, [row["processor_seconds"][step]["mean"] * row["ranks"] for row in chosen], style,
                         color=color, label=f"{name.split('.')[1]}, {step}")
        axes[1].loglog(counts, [row["peak_host_bytes"]["mean"] / 2 ** 20 for row in chosen], style, color="black",
                       label=name.split(".")[1])
    first = min((row for row in rows if row["spin"] == 0), key=lambda row: row["ranks"])
    start = first["peak_host_bytes"]["mean"] / 2 ** 20 * first["ranks"]
    counts = sorted({row["ranks"] for row in rows})
    axes[1].loglog(counts, [start / count for count in counts], ":", color="gray", label="as one over the ranks")
    for axis in axes[:2]:
        axis.set_xlabel("ranks, one thread each")
    axes[1].set_xticks(counts, [str(count) for count in counts])
    axes[1].set_xticks([], minor=True)
    axes[1].set_yticks([30, 40, 60, 80, 120], ["30", "40", "60", "80", "120"])
    axes[1].set_yticks([], minor=True)
    axes[0].set_ylabel("processor seconds of all ranks")
    axes[0].set_ylim(bottom=0)
    axes[1].set_ylabel("MiB of a rank")
    axes[0].set_title(f"measured, nside {first['nside']}, lmax {first['lmax']}")
    axes[1].set_title("measured")
    model = Model(rows, "sht.alm2map.ranks")
    nodes = [1, 2, 4, 8, 16, 32, 100]
    for nside in MODEL_NSIDES:
        times = [model.time(nside, count) for count in nodes]
        line, = axes[2].loglog(nodes, times, "-", label=f"nside {nside}")
        axes[2].loglog(nodes, [times[0] / count for count in nodes], ":", color=line.get_color())
    axes[2].set_xticks(nodes, [str(count) for count in nodes])
    axes[2].set_xticks([], minor=True)
    axes[2].set_xlabel(f"nodes of {CORES} cores, {BANDWIDTH / 1e9:.0f} GB/s each")
    axes[2].set_ylabel("alm2map, seconds")
    axes[2].set_title("a model, not measured (dotted: ideal)")
    for axis in axes:
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7)
    figure.savefig(path, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="+", metavar="ARMILLA FOLDER")
    parser.add_argument("--figures", action="store_true", help="the first word is a ranks.json")
    parser.add_argument("--nside", type=int, default=1024)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 3, 4, 5, 6, 7, 8])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--wall", action="store_true")
    arguments = parser.parse_intermixed_args()
    if len(arguments.words) != 2:
        parser.error("expected two words")
    source, folder = arguments.words[0], pathlib.Path(arguments.words[1])
    if arguments.figures:
        rows = json.loads(pathlib.Path(source).read_text())
    else:
        # Threads are measured beside each number of ranks, because the speed of a machine changes within minutes.
        rows = [row for _ in range(arguments.rounds) for ranks in arguments.ranks for count in (0, ranks)
                for row in bench(source, count, arguments.nside, arguments.repeat)]
        (folder / "ranks.json").write_text(json.dumps(rows, indent=1) + "\n")
    rows = middle(rows, arguments.wall)
    table_measured(rows, arguments.wall)
    print()
    rows = [rows[kind] for kind in sorted(rows) if kind[0]]  # several ranks only
    table_model(Model(rows, "sht.alm2map.ranks"))
    draw(rows, folder / "ranks.png")


if __name__ == "__main__":
    main()

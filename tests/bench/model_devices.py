#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A model of one transform over many GPUs, fitted to the figures in resources/notes/ranks-and-devices.md.

    model_devices.py [--nic BYTES_PER_SECOND] [--latency SECONDS] [--devices N ...]

Prints the fit beside the measured times, and the times and efficiencies that follow for more devices, in hosts of
eight. The time of a synthesis at lmax 2 nside, with map and coefficients on the devices, is

    t(D) = max((L n^3 imbalance(D) + F n^2 log n) / D + c, V (D - 1) / (D^2 B)) + a S (D - 1)

D is the number of devices and n = nside / 8192. L is the time of the Legendre sums of one device and F that of its FFTs,
both measured; c is the time that each device of several adds. V is the bytes of all F_m, sent beside the sums. B is the
bandwidth of a device's link: NVLink within a host, the network between hosts. a is the latency of a message, and S the
number of slices that an exchange is sent in. The imbalance is that of the partition of blocks of 16 orders by cost.
From host to host, copies add the bytes of map and coefficients over the bandwidth of the hosts' memory.
"""
import argparse
import math

from plot_ranks import imbalance, modes

# Seconds of syntheses on H200s, maps and coefficients on the devices: {nside: {devices: seconds}}.
MEASURED = {4096: {1: 0.039, 2: 0.020, 4: 0.011}, 8192: {1: 0.278, 2: 0.140, 4: 0.071},
            16384: {1: 2.004, 2: 1.009, 4: 0.507}}
# Ring FFTs of one device at nside 8192.
FFT = 0.030
# Copies from host to host at nside 8192: (0.460 - 0.278) s on one device, (0.162 - 0.071) s on four.
COPY_ONE, COPY_HOST = 0.182, 0.091
NVLINK = 300e9       # bytes per second of a device in an all-to-all exchange
LEAST_SLICES = 4     # slices of an exchange between many devices, as in order_shares_cuda.cpp
HOST = 8


def growth(nside):
    return nside / 8192


def fft(nside):
    return FFT * growth(nside) ** 2 * math.log(nside) / math.log(8192)


def legendre():
    """The factor L that fits the measured times of one device best, each with the same relative weight."""
    ratios = [(times[1] - fft(nside)) / growth(nside) ** 3 for nside, times in MEASURED.items()]
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def volume(nside):
    return 16 * 2 * sum(modes(nside, 2 * nside))


class Model:
    def __init__(self, nic, latency):
        self.nic, self.latency, self.sums = nic, latency, legendre()
        several = [times[count] - self.alone(nside) / count * self.deal(nside, count)
                   for nside, times in MEASURED.items() for count in times if count > 1]
        self.own = max(0.0, sorted(several)[len(several) // 2])

    def alone(self, nside):
        # The measured time, where there is one: the fit of L leaves some percent.
        return MEASURED.get(nside, {}).get(1) or self.sums * growth(nside) ** 3 + fft(nside)

    def deal(self, nside, devices):
        return imbalance(nside, 2 * nside, devices) if devices > 1 else 1.0

    def parts(self, nside, devices):
        if devices == 1:
            return self.alone(nside), 0.0, 0.0
        work = ((self.alone(nside) - fft(nside)) * self.deal(nside, devices) + fft(nside)) / devices + self.own
        link = NVLINK if devices <= HOST else self.nic
        sent = volume(nside) * (devices - 1) / (devices ** 2 * link)
        # The messages of the devices of a host do not pass the network.
        messages = self.latency * LEAST_SLICES * max(0, devices - HOST)
        return work, sent, messages

    def time(self, nside, devices):
        work, sent, messages = self.parts(nside, devices)
        return max(work, sent) + messages

    def copies(self, nside, devices):
        each = COPY_ONE * growth(nside) ** 2 / devices
        hosts = math.ceil(devices / HOST)
        return max(each, COPY_HOST * growth(nside) ** 2 / hosts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nic", type=float, default=40e9, help="bandwidth of a device's network link, bytes/s")
    parser.add_argument("--latency", type=float, default=5e-6, help="latency of a message, s")
    parser.add_argument("--devices", type=int, nargs="+", default=[8, 64, 1000])
    options = parser.parse_args()
    model = Model(options.nic, options.latency)
    print(f"L {model.sums * 1e3:.0f} ms, F {FFT * 1e3:.0f} ms, c {model.own * 1e3:.2f} ms")
    print("nside, devices: measured, model")
    for nside, times in MEASURED.items():
        for count, seconds in times.items():
            print(f"{nside:6} {count:5}: {seconds * 1e3:8.1f} {model.time(nside, count) * 1e3:8.1f} ms")
    print("\n| nside | devices | ms | efficiency | sums and FFTs | imbalance | sent beside them | messages | with copies, "
          "host to host |\n|---|---|---|---|---|---|---|---|---|")
    for nside in (8192, 16384, 32768):
        for count in options.devices:
            work, sent, messages = (1e3 * part for part in model.parts(nside, count))
            time = model.time(nside, count)
            print(f"| {nside} | {count} | {time * 1e3:.1f} | {100 * model.alone(nside) / count / time:.0f} % | {work:.1f} | "
                  f"{model.deal(nside, count):.2f} | {sent:.1f} | {messages:.1f} | "
                  f"{(time + model.copies(nside, count)) * 1e3:.1f} |")


if __name__ == "__main__":
    main()

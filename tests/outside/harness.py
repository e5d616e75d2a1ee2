# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the command and records measurements."""
import json
import pathlib
import subprocess
import sys

import numpy as np


class Checker:
    """Prints a line for each figure and records failures."""

    def __init__(self, binary, folder):
        self.binary = str(pathlib.Path(binary).resolve())
        self.folder = pathlib.Path(folder)
        self.failures = []
        self.count = 0

    def path(self, name):
        return str(self.folder / name)

    def run(self, *arguments, timeout=600):
        return subprocess.run([self.binary, *map(str, arguments)], capture_output=True, text=True,
                              timeout=timeout, errors="replace")

    def do(self, *arguments):
        """Runs a command that must succeed; returns its JSON result."""
        done = self.run(*arguments, "--json")
        if done.returncode != 0:
            self.true("armilla " + " ".join(map(str, arguments)) + ": " + done.stderr.strip(), False)
            return {}
        return json.loads(done.stdout)

    def below(self, name, value, limit):
        self.count += 1
        good = bool(np.isfinite(value)) and value <= limit
        print(f"{'ok  ' if good else 'FAIL'} {name}: {value:.3g} (limit {limit:.3g})")
        if not good:
            self.failures.append(name)

    def true(self, name, condition):
        self.count += 1
        print(f"{'ok  ' if condition else 'FAIL'} {name}")
        if not condition:
            self.failures.append(name)

    def equal(self, name, found, expected):
        self.count += 1
        if isinstance(expected, np.ndarray):
            floating = np.issubdtype(expected.dtype, np.floating)
            good = np.array_equal(found, expected, equal_nan=floating)
        else:
            good = found == expected
        print(f"{'ok  ' if good else 'FAIL'} {name}")
        if not good:
            print(f"     expected {expected!r}\n     found    {found!r}")
            self.failures.append(name)

    def finish(self):
        print(f"{self.count - len(self.failures)} of {self.count} checks passed")
        for name in self.failures:
            print(f"FAILED: {name}")
        sys.exit(1 if self.failures else 0)


def rms(values):
    return float(np.sqrt(np.mean(np.square(np.asarray(values, dtype=np.float64)))))


def error(found, truth):
    """rms of the difference, relative to the rms of the reference; masks must agree."""
    found, truth = np.asarray(found, np.float64), np.asarray(truth, np.float64)
    good = np.isfinite(truth)
    if found.shape != truth.shape or not np.array_equal(np.isfinite(found), good):
        return float("inf")
    return rms(found[good] - truth[good]) / rms(truth[good])


def with_nan(values):
    """healpy's UNSEEN as NaN."""
    values = np.array(values, dtype=np.float64)
    values[values < -1.6e30] = np.nan
    return values

# SPDX-License-Identifier: GPL-3.0-or-later
"""Resident memory of operations on arrays, as multiples of their results."""
import os
import subprocess
import sys

import pytest

CODE = """
import sys
import numpy as np
import armilla


def resident(word):
    return next(1024 * int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(word))


armilla.set_options(threads=2)
nside = 512
m = np.random.default_rng(1).standard_normal(12 * nside**2)
plan = armilla.Sht(nside, 2 * nside, device="cpu")
alm = plan.map2alm(m)
three = armilla.Map(np.stack([m, m, m]))
open("/proc/self/clear_refs", "w").write("5")
before = resident("VmRSS")
made = {call}
size = sum(each.nbytes for each in made) if isinstance(made, list) else made.nbytes
print((resident("VmHWM") - before) / size)
"""


# The results, and tables of some 15 MiB at this nside, 0.6 of a map, where the call makes a plan of its own. The
# analysis holds F_m of half a map and its coefficients at most, which are two thirds of it.
@pytest.mark.parametrize("call, most", [
    ("plan.map2alm(m)", 1.3),
    # The coefficients are a third of a map.
    ("plan.alm2map(alm)", 1.6),
    # Arrays and fields are read in place. Coefficients, which are a third of a map, F_m and tables.
    ("np.asarray(armilla.map2alm(m, lmax=2 * nside, device='cpu'))", 5.5),
    ("armilla.map2alm(three, lmax=2 * nside, polarization=True, device='cpu').arrays", 4.5),
    # The map, whose memory the result takes; its coefficients, and their product with the beam.
    ("armilla.smooth(m, fwhm='20arcmin', lmax=2 * nside, method='harmonic', device='cpu')", 3.0),
    # Only the field that the operation takes is copied.
    ("armilla.smooth(three, fwhm='20arcmin', lmax=2 * nside, method='harmonic', device='cpu')['TEMPERATURE']", 3.0),
    # The map, whose memory the result takes. Modes of rings, 8 bytes a sample, in memory: those of two groups of 64
    # pairs of rings and those within reach, a fifth of a map. Tables of the FFTs of 1024 lengths of rings, half a map.
    ("armilla.smooth(m, fwhm='20arcmin', method='ring', device='cpu')", 1.9),
    # The arrays are read where they are.
    ("armilla.convert(m, ordering='nested')", 1.1),
    ("armilla.convert(m, nside=nside // 2)", 1.1),
    ("armilla.convert(m, nside=2 * nside)", 1.1),
    # The map of good pixels, in the memory of the map, the filtered map and its local rms.
    # Coefficients of the map and of the product, two thirds of a map, F_m of half a map, and 30 MiB of tables.
    ("armilla.filter(m, fwhm='20arcmin', lmax=2 * nside, device='cpu')", 5.6),
    # The values that percentiles reorder.
    ("(armilla.stats(three, device='cpu'), m)[1]", 1.15),
])
def test_peak_memory(call, most):
    if not os.access("/proc/self/clear_refs", os.W_OK):
        pytest.skip("no peak of resident memory on this system")
    done = subprocess.run([sys.executable, "-c", CODE.replace("{call}", call)], capture_output=True, text=True,
                          check=True)
    assert float(done.stdout) < most

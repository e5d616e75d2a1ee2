# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C, kill -9, full disks and closed pipes: the output file is complete or unchanged."""
import os
import pathlib
import resource
import signal
import subprocess
import time

import healpy as hp
import numpy as np


def leftovers(c):
    return [str(path) for path in c.folder.iterdir() if path.name.endswith(".part")]


def interruptions(c):
    nside = 1024
    rng = np.random.default_rng(8)
    hp.write_map(c.path("big.fits"), rng.normal(size=12 * nside**2).astype(np.float32), coord="G",
                 dtype=np.float32, overwrite=True)
    out = pathlib.Path(c.path("out.fits"))
    command = [c.binary, "smooth", c.path("big.fits"), str(out), "--fwhm", "1deg", "--overwrite",
               "--iterations", "3"]
    # Files are compared byte by byte, so all have the same DATE.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1000000000"}
    start = time.monotonic()
    subprocess.run(command, capture_output=True, check=True, timeout=300, env=environment)
    whole = time.monotonic() - start
    content = out.read_bytes()
    for number, name in ((signal.SIGINT, "SIGINT"), (signal.SIGTERM, "SIGTERM"),
                         (signal.SIGKILL, "SIGKILL")):
        interrupted = 0
        for delay in (0.05, 0.15 * whole, 0.4 * whole, 0.65 * whole):
            out.write_bytes(b"old")
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env=environment)
            time.sleep(delay)
            start = time.monotonic()
            process.send_signal(number)
            error = process.communicate(timeout=60)[1].decode()
            took = time.monotonic() - start
            title = f"{name} after {delay:.2f} s"
            # If the machine was busy during the timing, the command may end before the signal.
            done = process.returncode == 0
            # Right after the start, signals may still have their default action.
            interrupted += not done and delay > 0.05
            if number != signal.SIGKILL:
                c.true(f"{title}: status {process.returncode}",
                       process.returncode in (0, 130) or (delay < 0.1 and process.returncode < 0))
                c.below(f"{title}: ends (s)", took, 1.5)
                c.equal(f"{title}: no leftovers", leftovers(c), [])
                c.true(f"{title}: no trace", "terminate" not in error)
            if done:
                c.true(f"{title}: the whole file", out.read_bytes() == content)
            else:
                c.equal(f"{title}: the old file", out.read_bytes(), b"old")
            for path in leftovers(c):
                os.remove(path)
        c.true(f"{name}: {interrupted} runs interrupted at work", interrupted >= 1)
    out.unlink()


def limits(c):
    hp.write_map(c.path("m.fits"), np.ones(12 * 128**2), coord="G", dtype=np.float64, overwrite=True)
    out = pathlib.Path(c.path("out.fits"))

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))

    for command in (["smooth", c.path("m.fits"), str(out), "--fwhm", "1deg"],
                    ["convert", c.path("m.fits"), str(out)],
                    ["map2alm", c.path("m.fits"), str(out)],
                    ["project", c.path("m.fits"), str(out)],
                    ["render", c.path("m.fits"), c.path("out.png"), "--size", "3000x2000"]):
        for before in (None, b"old"):
            final = pathlib.Path(command[2])
            if before is not None:
                final.write_bytes(before)
            done = subprocess.run([c.binary, *command, "--overwrite"], capture_output=True, text=True,
                                  preexec_fn=small_files, timeout=300)
            size = final.stat().st_size if final.exists() else 0
            if command[0] == "render" and done.returncode == 0 and size < 300000:
                continue  # the figure fits below the limit
            c.equal(f"disk full, {command[0]}: status", done.returncode, 1)
            c.true(f"disk full, {command[0]}: one line: {done.stderr.splitlines()[-1:]}",
                   f"armilla {command[0]}: {final}" in done.stderr)
            c.equal(f"disk full, {command[0]}: the final name",
                    final.read_bytes() if final.exists() else None, before)
            c.equal(f"disk full, {command[0]}: no leftovers", leftovers(c), [])
            final.unlink(missing_ok=True)
    with open("/dev/full", "w") as full:
        done = subprocess.run([c.binary, "info", c.path("m.fits")], stdout=full,
                              stderr=subprocess.PIPE, text=True)
    c.equal("standard output full: status", done.returncode, 1)
    c.true("standard output full: one line", done.stderr.count("\n") == 1)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([c.binary, "info", c.path("m.fits")], stdout=writer,
                          stderr=subprocess.PIPE, text=True)
    os.close(writer)
    c.equal("closed pipe: status", done.returncode, 1)

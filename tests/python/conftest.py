# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures of the tests of the Python module: the command and a sample sky."""
import os
import pathlib
import subprocess

import pytest

from device_libraries import HAS_GPU, Cupy, Jax, Torch

PROGRAM = os.environ.get("ARMILLA_PROGRAM", "armilla")


def command(*words):
    """Runs the command; an exit status other than 0 fails the test with its words."""
    done = subprocess.run([PROGRAM, *map(str, words), "--quiet"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def sky(tmp_path_factory):
    """A simulated sky of nside 64 in a file."""
    path = pathlib.Path(tmp_path_factory.mktemp("sky")) / "sky.fits"
    command("sample", path, "--nside", 64)
    return path


@pytest.fixture(params=[Torch, Cupy, Jax])
def library(request):
    if not HAS_GPU:
        pytest.skip("no CUDA device")
    own = request.param()
    yield own
    own.end()

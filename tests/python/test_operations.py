# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations as functions: the bits of the command, from files, values and arrays."""
import inspect
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import astropy.units as u
import numpy as np
import pytest
from conftest import PROGRAM, command

import armilla


def fields(path):
    return list(armilla.read(path).fields.values())


def test_docstrings_state_shapes_units_and_errors():
    for name in armilla.__all__:
        text = getattr(armilla, name).__doc__
        assert text and (not name.islower() or len(text.split()) > 8), name
        # Options have the names of Python.
        assert not set(re.findall(r"--[a-z][a-z-]+", text)) - {"--help", "--json"}, name
    for part in ("array of shape (pixels,)", "Raises", "InvalidArgument", "at most 3.14159 rad", "armilla smooth"):
        assert part in armilla.smooth.__doc__
    for part in ("Raises", "Returns", "alm_size", "healpy"):
        assert part in armilla.Sht.map2alm.__doc__
    for name in ("smoothing", "query_disc", "map2alm", "ud_grade", "read_map"):
        assert f"healpy.{name}" in getattr(armilla.healpy, name).__doc__
    assert "radians" in armilla.healpy.smoothing.__doc__


def test_coefficients_by_field():
    random = np.random.default_rng(7)
    teb = armilla.map2alm(random.standard_normal((3, 12 * 16**2)), polarization=True, lmax=30, device="cpu")
    found = armilla.alm2map(teb, nside=16, field="E", device="cpu")
    np.testing.assert_array_equal(found, armilla.Sht(16, 30, device="cpu").alm2map(teb[1]))
    assert armilla.alm(teb, lmax=10, field="B").shape == (66,)


def test_every_command_with_an_operation_is_a_function():
    for name in ("convert", "project", "map2alm", "alm2map", "anafast", "synfast", "smooth", "filter", "sources",
                 "match", "remove", "stats", "mask", "moc", "correlate", "correlate_maps", "grid", "sample"):
        function = getattr(armilla, name)
        for parameter in inspect.signature(function).parameters:
            assert f"\n{parameter}" in function.__doc__


def test_options_of_the_command_are_parameters():
    help_text = subprocess.run([PROGRAM, "smooth", "--help"], capture_output=True, text=True, check=True).stdout
    options = {word.split()[0] for line in help_text.splitlines() for word in [line.strip()]
               if line.startswith("  --")}
    files_only = {"--overwrite", "--quiet", "--json", "--input-nside", "--input-ordering", "--input-index"}
    names = set(inspect.signature(armilla.smooth).parameters)
    assert {option[2:].replace("-", "_") for option in options - files_only} <= names


@pytest.mark.parametrize("fwhm", ["3deg", np.radians(3.0), 3.0 * u.deg, 180 * u.arcmin])
def test_smooth_has_the_bits_of_the_command(sky, tmp_path, fwhm):
    command("smooth", sky, tmp_path / "s.fits", "--fwhm", "3deg", "--device", "cpu")
    expected = fields(tmp_path / "s.fits")[0]
    value = armilla.read(sky)
    first = next(iter(value.fields.values()))
    for given in (str(sky), pathlib.Path(sky), value, first):
        made = armilla.smooth(given, fwhm=fwhm, device="cpu")
        array = made if given is first else made.values
        assert isinstance(made, np.ndarray) == (given is first)
        if not isinstance(fwhm, str):
            # 180 arcmin and 3 degrees may differ by the last bit of the angle.
            np.testing.assert_allclose(array, expected, rtol=1e-6, atol=1e-6 * np.nanstd(expected))
        else:
            np.testing.assert_array_equal(array, expected)
        assert made.figures["device"] == "cpu"


def test_masks_of_later_fields():
    one = np.linspace(-1, 1, 768)
    m = armilla.Map({"T": np.ones(768, np.float32), "Q": np.ones(768, np.float32), "U": one})
    made = armilla.mask(m, field="U", above=0.5)
    np.testing.assert_array_equal(made.values, (one <= 0.5).astype(float))
    assert made.values.dtype == np.float64


CASES = [
    ("convert", [], {"ordering": "nested", "nside": 32}),
    ("map2alm", [], {"lmax": 40, "weights": "ring"}),
    ("anafast", [], {"lmax": 40}),
    ("mask", [], {"latitude": "20deg"}),
    ("project", [], {"projection": "gnomonic", "center": "10deg,5deg", "size": "40x30", "resolution": "1deg"}),
    ("sources", [], {"fwhm": "2deg"}),
    ("correlate-maps", [], {"bins": "1deg,20deg,5"}),
]


def words_of(options):
    return [word for name, value in options.items() for word in ("--" + name.replace("_", "-"), value)]


@pytest.mark.parametrize("name, inputs, options", CASES, ids=[case[0] for case in CASES])
def test_operations_have_the_bits_of_the_command(sky, tmp_path, name, inputs, options):
    path = tmp_path / "out.fits"
    command(name, sky, *inputs, path, *words_of(options), "--device", "cpu")
    expected = armilla.read(path)
    function = getattr(armilla, name.replace("-", "_"))
    for given in (str(sky), armilla.read(sky)):
        armilla.write(function(given, *inputs, **options, device="cpu"), tmp_path / "py.fits", overwrite=True)
        made = armilla.read(tmp_path / "py.fits")
        assert type(made) is type(expected)
        if isinstance(made, armilla.Map):
            for a, b in zip(made.fields.values(), expected.fields.values()):
                np.testing.assert_array_equal(a, b)
        elif isinstance(made, armilla.Alm):
            np.testing.assert_array_equal(made.values, expected.values)
        elif isinstance(made, armilla.Image):
            np.testing.assert_array_equal(made.data, expected.data)
        elif isinstance(made, armilla.Curve):
            np.testing.assert_array_equal(made.y, expected.y)
        else:
            for column in expected:
                np.testing.assert_array_equal(made[column], expected[column])


def test_spin_fields_and_spectra_of_coefficients(tmp_path):
    generator = np.random.default_rng(7)
    pair = generator.standard_normal((2, 12 * 16**2))
    made = armilla.map2alm(pair, spin=1, lmax=20, device="cpu")
    assert made.shape == (2, 231)
    # The class Sht has its own path to the same engine.
    np.testing.assert_array_equal(made, armilla.Sht(nside=16, lmax=20, device="cpu").map2alm(pair, spin=1))
    value = armilla.Alm(made, spin=1)
    armilla.write(value, tmp_path / "alm.fits")
    assert armilla.read(tmp_path / "alm.fits").spin == 1
    back = armilla.alm2map(value, nside=16, spin=1, device="cpu")
    np.testing.assert_array_equal(back.values, armilla.alm2map(made, nside=16, spin=1, device="cpu"))
    with pytest.raises(armilla.Error, match="spin 2, found those of spin 1"):
        armilla.alm2map(value, nside=16, spin=2)
    assert len(armilla.alm2map(made[0], nside=16, derivatives=2, device="cpu")) == 6
    # The mean over m of |a_lm|^2, with both signs of m.
    cl = armilla.anafast(made[0], device="cpu")
    ell, m = np.concatenate([np.arange(k, 21) for k in range(21)]), np.repeat(np.arange(21), 21 - np.arange(21))
    expected = np.bincount(ell, np.where(m > 0, 2, 1) * np.abs(made[0])**2) / (2 * np.arange(21) + 1)
    np.testing.assert_allclose(cl["TT"], expected, rtol=1e-13)


def test_arrays_keep_their_type_and_order(sky):
    array = next(iter(armilla.read(sky).fields.values()))
    for kind in (np.float32, np.float64):
        made = armilla.smooth(array.astype(kind), fwhm="5deg", device="cpu")
        assert made.dtype == kind and made.shape == array.shape
    nested = armilla.healpy.reorder(array, r2n=True)
    ring = armilla.smooth(array, fwhm="5deg", device="cpu")
    back = armilla.healpy.reorder(armilla.smooth(nested, fwhm="5deg", nest=True, device="cpu"), n2r=True)
    np.testing.assert_array_equal(np.asarray(back), np.asarray(ring))


def test_several_outputs_are_a_named_tuple(sky):
    made = armilla.sources(sky, fwhm="2deg", snr=True, device="cpu")
    assert made._fields == ("catalog", "snr")
    assert len(made.catalog) > 0 and made.snr.nside == 64 and "device" in made.figures


def test_figures_are_those_of_json(sky, tmp_path):
    done = subprocess.run([PROGRAM, "mask", sky, tmp_path / "m.fits", "--latitude", "20deg", "--json"],
                          capture_output=True, text=True, check=True)
    expected = json.loads(done.stdout)
    expected.pop("output")
    assert armilla.mask(sky, latitude="20deg").figures == expected


def test_unknown_arguments_are_refused(sky):
    with pytest.raises(TypeError, match="fwmh"):
        armilla.smooth(sky, fwmh="1deg")
    with pytest.raises(armilla.InvalidArgument, match="method"):
        armilla.smooth(sky, fwhm="1deg", method="fast")
    with pytest.raises(armilla.InvalidArgument, match="device"):
        armilla.smooth(sky, fwhm="1deg", device="tpu")


def test_progress_is_reported(sky):
    seen = []
    armilla.smooth(sky, fwhm="2deg", device="cpu", progress=lambda fraction, stage: seen.append(fraction))
    assert seen == sorted(seen) and all(0 <= fraction <= 1 for fraction in seen)


def test_an_exception_in_progress_ends_the_call(sky):
    class Stop(Exception):
        pass

    def stop(fraction, stage):
        raise Stop

    with pytest.raises(Stop):
        armilla.smooth(sky, fwhm="2deg", device="cpu", progress=stop)


def test_the_gil_is_released():
    """A thread counts while the main thread works: with the GIL held it could not begin."""
    plan = armilla.Sht(nside=256)
    alm = np.zeros(plan.alm_size, complex)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    plan.alm2map(alm)
    after = counted[0]
    done.set()
    thread.join()
    assert after > before


def test_interrupt_raises_keyboard_interrupt():
    """SIGINT sent during a long analysis ends it as KeyboardInterrupt; the plan then works as before."""
    code = (
        "import os, signal, sys, threading\n"
        "import numpy as np, armilla\n"
        "plan = armilla.Sht(nside=512, iterations=100)\n"
        "m = np.random.default_rng(1).standard_normal(12 * 512**2)\n"
        "def stop(fraction, stage):\n"
        "    if not stop.sent:\n"
        "        stop.sent = True\n"
        "        os.kill(os.getpid(), signal.SIGINT)\n"
        "stop.sent = False\n"
        "try:\n"
        "    plan.map2alm(m, progress=stop)\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(7)\n")
    done = subprocess.run([sys.executable, "-c", code], check=False, stderr=subprocess.PIPE)
    assert done.returncode == 7, done.stderr.decode()


INTERRUPTED = """
import os, signal, sys, threading
import numpy as np, armilla

folder, what = sys.argv[1:]
m = np.random.default_rng(1).standard_normal(12 * 512**2)
began = threading.Event()


def interrupt():
    # These steps and the signal come while the call below works, or the call returns without a signal.
    began.wait()
    for _ in range(1000):
        len(os.listdir(folder))
    print("worked beside the call", flush=True)
    os.kill(os.getpid(), signal.SIGINT)


threading.Thread(target=interrupt, daemon=True).start()
report = lambda fraction, stage: began.set()
try:
    if what == "write":
        armilla.write(m, os.path.join(folder, "map.fits.gz"), progress=report)
    else:
        armilla.map2alm(m, iterations=100, device="cpu", progress=report)
except KeyboardInterrupt:
    armilla.stats(m)  # the module works as before
    sys.exit(7)
"""


@pytest.mark.parametrize("what", ["operation", "write"])
def test_a_signal_ends_a_call_and_leaves_no_file(tmp_path, what):
    """Another thread works during the call, and ends it by SIGINT; a file that is being written goes."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, tmp_path, what], check=False, capture_output=True,
                          text=True)
    assert done.returncode == 7, done.stderr
    assert done.stdout == "worked beside the call\n"
    assert list(tmp_path.iterdir()) == []


def test_calls_from_several_threads(sky):
    expected = armilla.smooth(sky, fwhm="3deg", device="cpu").values
    made = [None] * 4

    def work(i):
        made[i] = armilla.smooth(sky, fwhm="3deg", device="cpu").values

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in made:
        np.testing.assert_array_equal(each, expected)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_maps_read_in_place(tmp_path, kind):
    random = np.random.default_rng(5)
    three = [random.standard_normal(12 * 32**2).astype(kind) for _ in range(3)]
    before = [each.copy() for each in three]
    armilla.write(armilla.Map(three), tmp_path / "m.fits")
    call = {"lmax": 64, "device": "cpu"}
    for options in ({}, {"field": "2"}, {"iterations": 2}, {"weights": "pixel"}, {"polarization": True}):
        found = armilla.map2alm(armilla.Map(three), **call, **options)
        expected = armilla.map2alm(tmp_path / "m.fits", **call, **options)
        for one, other in zip(found.arrays, expected.arrays):
            np.testing.assert_array_equal(one, other)
    for one, other in zip(three, before):
        np.testing.assert_array_equal(one, other)
    # Bad pixels count as zero, in a copy, without a mean taken out; a plan takes none out either.
    bad = three[0].copy()
    bad[7] = armilla.healpy.UNSEEN
    zero = np.where(bad == bad[7], 0, bad)
    np.testing.assert_array_equal(armilla.map2alm(bad, **call), armilla.Sht(32, 64, device="cpu").map2alm(zero))
    assert bad[7] == kind(armilla.healpy.UNSEEN)
    armilla.map2alm(three[0], remove="dipole", **call)
    np.testing.assert_array_equal(three[0], before[0])
    with pytest.raises(armilla.InvalidArgument, match="12288"):
        armilla.map2alm(_resized(armilla.Map(three[0])), **call)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("options", [{"ordering": "nested"}, {"ordering": "ring"}, {"nside": 8}, {"nside": 64},
                                     {"nside": 8, "ordering": "nested", "degrade": "sum"}, {"nside": 96},
                                     {"nside": 16, "pessimistic": True}, {"fields": "2,1", "ordering": "nested"},
                                     {"sparse": True}, {"unit": "mK_CMB"}])
def test_maps_are_converted_in_place(tmp_path, kind, options):
    """Arrays without bad pixels are read where they are, with the bits of a file, which is read as a copy."""
    random = np.random.default_rng(7)
    arrays = {name: random.standard_normal(12 * 32**2).astype(kind) for name in ("A", "HITS")}
    before = {name: array.copy() for name, array in arrays.items()}
    given = armilla.Map(arrays, frame="galactic", unit="K_CMB")
    armilla.write(given, tmp_path / "m.fits")
    found = armilla.convert(given, device="cpu", **options)
    expected = armilla.convert(tmp_path / "m.fits", device="cpu", **options)
    assert (list(found.fields), found.units, found.nside, found.ordering, found.frame, found.figures) == (
        list(expected.fields), expected.units, expected.nside, expected.ordering, expected.frame, expected.figures)
    np.testing.assert_array_equal(found.pixels, expected.pixels)
    for name in found.fields:
        np.testing.assert_array_equal(found[name], expected[name])
        assert found[name].dtype == kind
    for name, array in arrays.items():
        np.testing.assert_array_equal(array, before[name])
        assert not any(np.shares_memory(array, made) for made in found.fields.values())


def _resized(value):
    """A map whose array has been replaced by one of another size."""
    value.fields["SIGNAL"] = np.zeros(13)
    return value


def test_statistics_of_arrays():
    random = np.random.default_rng(6)
    for good in (None, 5, 12 * 32**2 - 3):
        m = random.standard_normal(12 * 32**2)
        if good is not None:
            m[good:] = np.nan
        expected = m[np.isfinite(m)]
        for nest in (False, True):
            row = armilla.stats(m, nest=nest, histogram=True, bins=10)
            out = row.out
            assert out["GOOD"][0] == len(expected) and out["PIXELS"][0] == len(m)
            np.testing.assert_allclose(out["MEAN"][0], expected.mean(), rtol=1e-12, atol=1e-14)
            np.testing.assert_allclose(out["STD"][0], expected.std(), rtol=1e-12)
            np.testing.assert_allclose([out[name][0] for name in ("P16", "MEDIAN", "P84", "MIN", "MAX")],
                                       np.percentile(expected, [16, 50, 84, 0, 100]), rtol=1e-14)
            place = armilla.healpy.pix2ang(32, int(np.nanargmax(m)), nest=nest, lonlat=True)
            np.testing.assert_allclose([out["MAX_LON"][0], out["MAX_LAT"][0]], place, atol=1e-9)
            assert row.histogram["COUNT"].sum() == len(expected)


def test_fork_after_import(sky):
    expected = armilla.smooth(sky, fwhm="3deg", device="cpu").values
    child = os.fork()
    if child == 0:
        signal.alarm(600)  # a child that waits for threads of its parent fails instead of hanging
        same = np.array_equal(armilla.smooth(sky, fwhm="3deg", device="cpu").values, expected)
        os._exit(0 if same else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def test_import_loads_no_graphics():
    code = ("import armilla, sys; libraries = open('/proc/self/maps').read(); "
            "sys.exit('libQt6' in libraries or 'libGL.' in libraries or 'astropy' in sys.modules)")
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_figure_is_a_picture(sky):
    value = armilla.read(sky)
    png = armilla.figure(value, size="800x600")
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert armilla.figure(value, format="pdf", size="800x600")[:5] == b"%PDF-"
    rgba = armilla.figure(value, format="rgba", size="800x600")
    assert rgba.ndim == 3 and rgba.shape[2] == 4 and rgba.dtype == np.uint8
    assert value._repr_png_()[:4] == b"\x89PNG"



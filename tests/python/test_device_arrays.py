# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in device memory. Tests with a GPU run where CuPy, torch or JAX and a CUDA device exist."""
import concurrent.futures
import os
import signal

import numpy as np
import pytest

import armilla
from armilla import _device_operations
from device_libraries import HAS_GPU, Jax, Torch, host_bytes

NSIDE, LMAX = 32, 64
PIXELS = 12 * NSIDE**2
# Rounding of two summation orders at lmax 64: lmax epsilon, ten times for the worst value against the rms.
ROUNDING = 10 * LMAX * np.finfo(np.float64).eps


@pytest.fixture
def plan():
    if not HAS_GPU:
        pytest.skip("no CUDA device")
    return armilla.Sht(NSIDE, LMAX, device="cuda:0")


def random_maps(count, kind=np.float64):
    return np.random.default_rng(count).standard_normal((count, PIXELS)).astype(kind)


def random_alm(plan, count):
    values = np.random.default_rng(count).standard_normal((2, count, plan.alm_size))
    return values[0] + 1j * values[1]


def near(found, expected, limit=ROUNDING):
    expected = np.asarray(expected)
    np.testing.assert_allclose(found, expected, rtol=limit, atol=limit * np.sqrt(np.mean(np.abs(expected)**2)))


# With a GPU: the same plan on numpy arrays is the reference.

@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_one_map(library, plan, kind):
    given = random_maps(1, kind)[0]
    alm = plan.map2alm(library.put(given))
    assert library.is_own(alm)
    near(library.get(alm), plan.map2alm(given))
    assert library.get(alm).dtype == np.complex128
    back = plan.alm2map(alm, dtype=kind)
    assert library.is_own(back)
    assert library.get(back).dtype == kind
    near(library.get(back), plan.alm2map(library.get(alm), dtype=kind), max(ROUNDING, np.finfo(kind).eps))


@pytest.mark.parametrize("count,options", [(3, {}), (3, {"pol": False}), (2, {"spin": 1}), (2, {"spin": 2}),
                                           (2, {"spin": 3}), (9, {})])
def test_fields(library, plan, count, options):
    maps = random_maps(count)
    alm = plan.map2alm(library.put(maps), **options)
    assert tuple(alm.shape) == (count, plan.alm_size)
    expected = plan.map2alm(maps, **options)
    near(library.get(alm), expected)
    apart = plan.map2alm([library.put(each) for each in maps], **options)
    assert isinstance(apart, list)
    assert all(library.is_own(each) for each in apart)
    near(np.stack([library.get(each) for each in apart]), expected)
    back = plan.alm2map(alm, **options)
    assert tuple(back.shape) == (count, PIXELS)
    near(library.get(back), plan.alm2map(expected, **options))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_bad_samples_of_host_arrays_count_as_zero(plan, kind, count):
    maps = random_maps(count, kind)
    maps[:, 5], maps[-1, 700], maps[0, 9000], maps[0, 4096] = np.nan, -1.6375e30, np.inf, 2e30
    bad = ~np.isfinite(maps) | (np.abs(maps + 1.6375e30) < 1e25)
    given = maps.copy()
    found = plan.map2alm(maps)
    np.testing.assert_array_equal(found, plan.map2alm(np.where(bad, 0, maps).astype(kind)))
    np.testing.assert_array_equal(maps, given)


def test_memory_of_host_arrays_is_used_again(plan):
    maps = random_maps(3)
    first = plan.map2alm(maps)
    second = plan.map2alm(2 * maps)
    assert not np.shares_memory(first, second)
    near(second, 2 * first)
    place, expected = first.ctypes.data, first.copy()
    del first
    third = plan.map2alm(maps)
    assert third.ctypes.data == place
    np.testing.assert_array_equal(third, expected)
    # Another size, and lists for lists.
    one, several = plan.map2alm(maps[0]), plan.map2alm(list(maps), pol=False)
    assert one.shape == (plan.alm_size,)
    assert isinstance(several, list)
    near(several[0], one)
    np.testing.assert_array_equal(third, expected)


@pytest.mark.parametrize("options", [{"weights": "ring"}, {"weights": "pixel"}, {"iterations": 3},
                                     {"weights": "pixel", "iterations": 2}])
def test_weights_and_iterations(library, options):
    plan = armilla.Sht(NSIDE, LMAX, device="cuda:0", **options)
    maps = random_maps(3)
    near(library.get(plan.map2alm(library.put(maps))), plan.map2alm(maps), 10 * ROUNDING)


def test_bad_pixels_and_orders_of_zero(library, plan):
    given = random_maps(1)[0]
    given[5], given[700], given[9000] = np.nan, -1.6375e30, np.inf
    device = library.put(given)
    near(library.get(plan.map2alm(device)), plan.map2alm(given))
    np.testing.assert_array_equal(library.get(device), given)
    alm = random_alm(plan, 1)[0]
    near(library.get(plan.alm2map(library.put(alm))), plan.alm2map(alm))
    single = alm.astype(np.complex64)
    near(library.get(plan.alm2map(library.put(single))), plan.alm2map(single.astype(complex)))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_out(library, plan, kind):
    alm = random_alm(plan, 3)
    out = library.put(np.full((3, PIXELS), 7.0, kind))
    if isinstance(library, Jax):
        with pytest.raises(armilla.InvalidArgument, match="JAX"):
            plan.alm2map(library.put(alm), out=out)
        return
    assert plan.alm2map(library.put(alm), out=out) is out
    near(library.get(out), plan.alm2map(alm), max(ROUNDING, np.finfo(kind).eps))
    # Rows of an array of odd length do not begin at multiples of 16 bytes.
    odd = library.put(np.full((PIXELS + 1,), 7.0, kind))
    plan.alm2map(library.put(alm[0]), out=odd[1:])
    near(library.get(odd)[1:], plan.alm2map(alm[0]), max(ROUNDING, np.finfo(kind).eps))
    assert library.get(odd)[0] == 7.0
    maps = library.get(out)
    for complex_kind in (np.complex128, np.complex64):
        coefficients = [library.put(np.zeros(plan.alm_size, complex_kind)) for _ in range(3)]
        plan.map2alm(out, out=coefficients)
        near(np.stack([library.get(each) for each in coefficients]), plan.map2alm(maps),
             max(ROUNDING, 2 * np.finfo(complex_kind).eps))
    with pytest.raises(armilla.InvalidArgument, match="out"):
        plan.map2alm(out, out=coefficients[:2])


def test_order_of_streams(library, plan):
    given = random_maps(1)[0]
    expected = plan.map2alm(given)
    plan.map2alm(library.put(given))  # makes the tables
    near(library.get(plan.map2alm(library.late(given))), expected)


def test_refusals_on_a_device(library, plan):
    maps = library.put(random_maps(2))
    with pytest.raises(armilla.InvalidArgument, match="12288 values"):
        plan.map2alm(library.put(np.zeros(7)))
    with pytest.raises(armilla.InvalidArgument, match="complex"):
        plan.alm2map(library.put(np.zeros(plan.alm_size)))
    with pytest.raises(armilla.InvalidArgument, match="another type"):
        plan.map2alm(library.put(np.zeros(PIXELS, np.int32)))
    with pytest.raises(armilla.InvalidArgument, match="both"):
        plan.map2alm([maps[0], np.zeros(PIXELS)])
    with pytest.raises(armilla.Unsupported, match="tolerance"):
        armilla.Sht(NSIDE, LMAX, tolerance=1e-8, device="cuda:0").map2alm(maps[0])
    with pytest.raises(armilla.Unsupported, match="cpu"):
        armilla.Sht(NSIDE, LMAX, device="cpu").map2alm(maps[0])
    with pytest.raises(armilla.Unsupported, match="host memory"):
        armilla.convert(maps[0], nside=16)
    if not isinstance(library, Jax):  # JAX has no strides
        with pytest.raises(armilla.InvalidArgument, match="strides"):
            plan.map2alm(library.put(np.zeros((PIXELS, 2)))[:, 0])


def test_gradients_of_torch_are_not_lost(plan):
    library = Torch()
    with pytest.raises(armilla.InvalidArgument, match="DLPack"):
        plan.map2alm(library.put(random_maps(1)[0]).requires_grad_())


def test_progress_and_interruption(library):
    plan = armilla.Sht(512, 1024, iterations=100, device="cuda:0")
    given = library.put(np.random.default_rng(1).standard_normal(12 * 512**2))
    seen = []
    for _ in range(2):  # the first call makes the tables, in a thread of its own
        seen.clear()
        plan.map2alm(given, progress=lambda fraction, stage: seen.append(fraction))
        assert seen == sorted(seen)
        assert seen[-1] == 1.0

    class Stop(Exception):
        pass

    def stop(fraction, stage):
        raise Stop

    def interrupt(fraction, stage):
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Stop):
        plan.map2alm(given, progress=stop)
    with pytest.raises(KeyboardInterrupt):
        plan.map2alm(given, progress=interrupt)
    found, single = plan.map2alm(given), armilla.Sht(512, 1024, iterations=100, device="cuda:0")
    near(library.get(found), library.get(single.map2alm(given)))


def test_calls_from_several_threads(library, plan):
    maps = random_maps(4)
    expected = [plan.map2alm(each) for each in maps]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        found = list(pool.map(plan.map2alm, [library.put(each) for each in 5 * list(maps)]))
    for index, each in enumerate(found):
        near(library.get(each), expected[index % 4])


class Interface:
    """An array that states the CUDA array interface alone."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__cuda_array_interface__
        self._keeps = array


def test_cuda_array_interface(plan):
    library = Torch()
    maps, out = random_maps(1)[0], library.put(np.zeros(plan.alm_size, complex))
    plan.map2alm(Interface(library.put(maps)), out=Interface(out))
    near(library.get(out), plan.map2alm(maps))
    with pytest.raises(armilla.Unsupported, match="from_dlpack"):
        plan.map2alm(Interface(library.put(maps)))


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("options", [{}, {"iterations": 2}, {"lmax": 60}, {"weights": "pixel"}, {"normalize": "peak"}])
def test_smoothing(library, kind, options):
    # A method on pixels would be chosen from nside 256 on, and the references here are harmonic as well.
    given, call = random_maps(1, kind)[0] + kind(3), {"fwhm": "5deg", "device": "cuda:0", **options}
    found = armilla.smooth(library.put(given), **call)
    assert library.is_own(found)
    assert library.get(found).dtype == kind
    expected = armilla.smooth(given, **call)
    near(library.get(found), expected, max(10 * ROUNDING, np.finfo(kind).eps))


@pytest.fixture
def beams(tmp_path):
    """B_l of T, E and B, and a file of them."""
    ell = np.arange(3 * NSIDE)
    array = np.stack([np.exp(-ell * (ell + 1) * width) for width in (1e-3, 2e-3, 3e-3)])
    curve = armilla.Curve(None, dict(zip(("T", "E", "B"), array)), kind="beam")
    armilla.write(curve, tmp_path / "beam.fits")
    return array, curve, tmp_path / "beam.fits"


@pytest.mark.parametrize("count", [1, 3])
def test_smoothing_with_a_beam(library, beams, count):
    maps = random_maps(count)
    call = {"polarization": count == 3, "device": "cuda:0"}
    expected = armilla.smooth(maps if count == 3 else maps[0], beam=beams[2], **call)
    for beam in beams:
        found = library.get(armilla.smooth(library.put(maps), beam=beam, **call))
        near(found.reshape(np.shape(expected)), expected, 10 * ROUNDING)
    # The plan of the last request serves only its own beam.
    other = library.get(armilla.smooth(library.put(maps[0]), beam=beams[0][1], device="cuda:0"))
    near(other.ravel(), armilla.smooth(maps[0], beam=beams[0][1], device="cuda:0"), 10 * ROUNDING)


@pytest.mark.parametrize("masked", ["normalize", "ignore"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_smoothing_with_bad_pixels(library, masked, count):
    maps = random_maps(count)
    theta, phi = armilla.healpy.pix2ang(NSIDE, np.arange(PIXELS))
    for index, each in enumerate(maps):
        each[np.abs(theta - np.pi / 2) < 0.1 + 0.1 * index] = np.nan
        each[(theta < 0.3) & (phi > index)] = -1.6375e30
    call = {"fwhm": "4deg", "masked": masked, "device": "cuda:0"}
    found = library.get(armilla.smooth(library.put(maps), polarization=count == 3, **call))
    # A list of bare arrays is T, Q, U with polarization; else each is smoothed by itself.
    if count == 3:
        expected = np.asarray(armilla.smooth(maps, polarization=True, **call))
    else:
        expected = np.stack([armilla.smooth(each, **call) for each in maps])
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    assert np.isnan(found).any()
    # Quotients by at least the least share of the kernel, 1e-3.
    good = np.isfinite(expected)
    near(found[good], expected[good], 1e3 * ROUNDING)


def test_refusals_of_smoothing(library):
    given = library.put(random_maps(1)[0])
    for options in ({"fwhms": [0.1]}, {"fwhm": 0.1, "fwhm_minor": 0.05}, {"fwhm": 0.1, "method": "ring"},
                    {"fwhm": 0.1, "nest": True}, {"fwhm": 0.1, "kernel": ([0, 1], [1, 0])}):
        with pytest.raises(armilla.Unsupported, match="expected"):
            armilla.smooth(given, **options)
    with pytest.raises(armilla.InvalidArgument, match="device"):
        armilla.smooth(given, fwhm=0.1, device="cpu")


def samples(count, kind=np.float64):
    """Columns of samples within 3 degrees of (30, 40) degrees, with a weight and two values."""
    random = np.random.default_rng(count)
    lat = 40 + random.uniform(-3, 3, count)
    lon = 30 + random.uniform(-3, 3, count) / np.cos(np.radians(lat))
    values = {"GLON": lon, "GLAT": lat, "W": random.uniform(0.5, 2, count), "A": random.standard_normal(count),
              "B": random.standard_normal(count)}
    values["A"][3] = np.nan  # is ignored
    return {name: each.astype(kind) for name, each in values.items()}


IMAGE = {"center": "30deg,40deg", "size": (60, 50), "resolution": "6arcmin"}


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("target", [IMAGE, {"nside": 128}])
@pytest.mark.parametrize("options", [{"value": "A"}, {"value": "A,B", "weight": "W"},
                                     {"value": "B", "kernel": "nearest", "radius": "12arcmin"}])
def test_gridding(library, kind, target, options):
    given = samples(5000, kind)
    call = {"kernel_fwhm": "15arcmin", **target, **options, "device": "cuda:0"}
    if options.get("kernel") == "nearest":
        del call["kernel_fwhm"]
    found = armilla.grid({name: library.put(each) for name, each in given.items()}, **call)
    assert library.is_own(found)
    made = armilla.grid(given, precision="double", **call)
    expected = np.asarray(made.data if isinstance(made, armilla.Image) else np.stack(list(made.fields.values())))
    found = library.get(found)
    assert found.dtype == kind
    found = found.reshape(expected.shape)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    assert np.isfinite(found).any()
    good = np.isfinite(expected)
    # Sums of some hundred samples, whose order differs between sets of cells.
    near(found[good], expected[good], max(1e-12, np.finfo(kind).eps))


def test_gridding_in_the_order_of_streams(library):
    given = samples(20000)
    expected = armilla.grid(given, value="B", kernel_fwhm="15arcmin", device="cuda:0", precision="double", **IMAGE)
    columns = {name: library.put(each) for name, each in given.items() if name != "A"}
    columns["B"] = library.late(given["B"])
    found = library.get(armilla.grid(columns, value="B", kernel_fwhm="15arcmin", device="cuda:0", **IMAGE))
    near(found, np.asarray(expected.data).reshape(found.shape), 1e-12)


@pytest.mark.parametrize("frame", [{"input_frame": "E"}, {"samples_frame": "E"}])
def test_gridding_of_samples_in_another_frame(library, frame):
    given = samples(5000)
    given = {"lon": given["GLON"], "lat": given["GLAT"], "B": given["B"]}
    call = {"value": "B", "kernel_fwhm": "2deg", "nside": 32, "frame": "G", "device": "cuda:0", **frame}
    expected = armilla.grid(given, precision="double", **call)["B"]
    found = library.get(armilla.grid({name: library.put(each) for name, each in given.items()}, **call))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    good = np.isfinite(expected)
    assert good.any()
    near(found[good], expected[good], 1e-12)


def test_gridding_without_samples_in_reach(library):
    given = {name: library.put(each) for name, each in samples(100).items()}
    with pytest.raises(armilla.InvalidArgument, match="none of 100"):
        armilla.grid(given, value="B", kernel_fwhm="15arcmin", **{**IMAGE, "center": "200deg,-40deg"})


def test_refusals_of_gridding(library):
    given = samples(100)
    put = {name: library.put(each) for name, each in given.items()}
    call = {"value": "B", "kernel_fwhm": "15arcmin", **IMAGE}
    with pytest.raises(armilla.Unsupported, match="dict of columns"):
        armilla.grid(put["GLON"], **call)
    for options in ({"where": "B > 0"}, {"flag": "W"}, {"input_frame": "FK4"}, {"weights_out": True}):
        with pytest.raises(armilla.Unsupported, match="expected"):
            armilla.grid(put, **{**call, **options})
    with pytest.raises(armilla.InvalidArgument, match="both"):
        armilla.grid({**put, "B": given["B"]}, **call)
    with pytest.raises(armilla.InvalidArgument, match="100 values"):
        armilla.grid({**put, "B": library.put(given["B"][1:])}, **call)
    given["GLAT"][7] = 95
    with pytest.raises(armilla.InvalidArgument, match="95.*row 8"):
        armilla.grid({**put, "GLAT": library.put(given["GLAT"])}, **call)


@pytest.mark.parametrize("count", [1, 3])
def test_nothing_goes_to_the_host(library, tmp_path, count):
    torch = pytest.importorskip("torch")
    nside = 256
    plan = armilla.Sht(nside, 2 * nside, weights="ring", device="cuda:0")
    maps = np.random.default_rng(2).standard_normal((count, 12 * nside**2))
    path = tmp_path / "trace.json"
    tensor = torch.zeros(1 << 20, device="cuda:0")
    if host_bytes(torch, path, tensor.cpu) < 4 << 20:
        pytest.skip("the profiler counts no copies")
    given = library.put(maps if count > 1 else maps[0])
    alm = plan.map2alm(given)
    plan.alm2map(alm)
    # The weights of two rings take 16 bytes, for each of 2 nside pairs and each field.
    fields = 2 if count == 3 else 1
    assert host_bytes(torch, path, lambda: plan.map2alm(given)) <= fields * 32 * nside
    assert host_bytes(torch, path, lambda: plan.alm2map(alm)) == 0
    # Sums of 2048 blocks, of 16 bytes each, decide whether a field has bad pixels.
    call = {"fwhm": "1deg", "device": "cuda:0"}
    armilla.smooth(given, **call)
    assert host_bytes(torch, path, lambda: armilla.smooth(given, **call)) <= count * 2048 * 16


def test_no_samples_go_to_the_host(library, tmp_path):
    torch = pytest.importorskip("torch")
    path = tmp_path / "trace.json"
    tensor = torch.zeros(1 << 20, device="cuda:0")
    if host_bytes(torch, path, tensor.cpu) < 4 << 20:
        pytest.skip("the profiler counts no copies")
    call = {"value": "B", "kernel_fwhm": "15arcmin", "device": "cuda:0", **IMAGE}

    def copied(count):
        given = {name: library.put(each) for name, each in samples(count).items()}
        armilla.grid(given, **call)
        return host_bytes(torch, path, lambda: armilla.grid(given, **call))

    # The cells and their tables, less than 1 MB, are copied to the device. A column of the samples has 12 MB more.
    assert copied(1600000) - copied(100000) < 1 << 20


# Without a GPU: refusals, and host arrays of other libraries.

class OnDevice:
    """An array that claims to be in the memory of cuda:0."""

    ndim, shape = 1, (PIXELS,)

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **_):
        raise AssertionError("exported")

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("copied to the host")


class OnHost:
    """An array of another library in host memory."""

    def __init__(self, values):
        self.values, self.ndim, self.shape = values, values.ndim, values.shape

    def __dlpack_device__(self):
        return 1, 0

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_refusals_without_a_device():
    plan, device = armilla.Sht(NSIDE, LMAX, device="cpu"), OnDevice()
    for call in (plan.map2alm, plan.alm2map):
        with pytest.raises(armilla.Unsupported, match="cpu"):
            call(device)
    with pytest.raises(armilla.Unsupported, match="gradient"):
        plan.alm2map_gradient(device)
    with pytest.raises(armilla.Unsupported, match="out"):
        plan.map2alm(np.zeros(PIXELS), out=device)
    with pytest.raises(armilla.InvalidArgument, match="both"):
        plan.map2alm([device, np.zeros(PIXELS)])
    for call in (armilla.Map, armilla.Alm, armilla.Image):
        with pytest.raises(armilla.Unsupported, match="host memory"):
            call(device)
    with pytest.raises(armilla.Unsupported, match="host memory"):
        armilla.Catalog({"RA": device})
    with pytest.raises(armilla.Unsupported, match="dict of columns"):
        armilla.grid(device, value="B", nside=16, kernel_fwhm="1deg")
    with pytest.raises(armilla.InvalidArgument, match="both"):
        armilla.grid({"GLON": device, "GLAT": np.zeros(3)}, nside=16, kernel_fwhm="1deg")
    for call in (armilla.convert, armilla.map2alm, armilla.stats, armilla.correlate):
        with pytest.raises(armilla.Unsupported, match="host memory"):
            call(device)


def test_beams_for_device_arrays(beams):
    array, curve, path = beams
    for given in (array, curve, path, str(path)):
        value, key = _device_operations._beam(given)
        assert value.kind == "beam"
        np.testing.assert_array_equal([np.frombuffer(each) for each in key], array)
    assert _device_operations._beam(array[0])[1] != _device_operations._beam(array[1])[1]
    with pytest.raises(armilla.InvalidArgument, match="expected finite values of T, found nan at l = 9"):
        _device_operations._beam(np.where(np.arange(20) == 9, np.nan, 1.0))
    with pytest.raises(armilla.FileError, match="absent"):
        _device_operations._beam("absent.fits")
    with pytest.raises(armilla.Unsupported, match="list"):
        armilla.smooth(OnDevice(), beam=[path, path])
    with pytest.raises(armilla.Unsupported, match="kernel"):
        armilla.smooth(OnDevice(), kernel=([0, 1], [1, 0]))


def test_host_arrays_of_other_libraries():
    plan, given = armilla.Sht(NSIDE, LMAX, device="cpu"), random_maps(1)[0]
    np.testing.assert_array_equal(plan.map2alm(OnHost(given)), plan.map2alm(given))

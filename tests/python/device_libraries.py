# SPDX-License-Identifier: GPL-3.0-or-later
"""Libraries of arrays in device memory, each with the same functions."""
import json
import os

import numpy as np
import pytest

import armilla

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

HAS_GPU = any(each["device"].startswith("cuda") for each in armilla.devices())


class Torch:
    def __init__(self):
        self.torch = pytest.importorskip("torch")
        if not self.torch.cuda.is_available():
            pytest.skip("torch has no CUDA device")

    def put(self, array):
        return self.torch.from_numpy(np.ascontiguousarray(array)).to("cuda:0")

    def get(self, array):
        return array.cpu().numpy()

    def is_own(self, array):
        return isinstance(array, self.torch.Tensor) and array.device.type == "cuda"

    def late(self, array):
        """The array, ready only after 0.2 s of other work in a stream of its own, which stays current."""
        stream = self.torch.cuda.Stream()
        self.torch.cuda.set_stream(stream)
        made = self.torch.zeros(array.shape, dtype=self.torch.from_numpy(array).dtype, device="cuda:0")
        given = self.put(array)
        self.torch.cuda._sleep(400_000_000)
        made += given
        return made

    def end(self):
        self.torch.cuda.set_stream(self.torch.cuda.default_stream())


class Cupy:
    def __init__(self):
        self.cupy = pytest.importorskip("cupy")
        if not self.cupy.cuda.is_available():
            pytest.skip("CuPy has no CUDA device")

    def put(self, array):
        return self.cupy.asarray(array)

    def get(self, array):
        return self.cupy.asnumpy(array)

    def is_own(self, array):
        return isinstance(array, self.cupy.ndarray)

    def late(self, array):
        given, square = self.put(array), self.cupy.ones((4096, 4096))
        self.stream = self.cupy.cuda.Stream(non_blocking=True)
        self.cupy.cuda.Device(0).synchronize()
        self.stream.use()
        made = self.cupy.zeros_like(given)
        for _ in range(30):
            square = square @ square * 1e-9
        made += given + 0 * self.cupy.nan_to_num(square[0, 0])
        return made

    def end(self):
        self.cupy.cuda.Stream.null.use()


class Jax:
    def __init__(self):
        self.jax = pytest.importorskip("jax")
        try:
            self.device = self.jax.devices("cuda")[0]
        except RuntimeError:
            pytest.skip("JAX has no CUDA device")
        self.jax.config.update("jax_enable_x64", True)

    def put(self, array):
        return self.jax.device_put(array, self.device)

    def get(self, array):
        return np.asarray(array)

    def is_own(self, array):
        return isinstance(array, self.jax.Array) and array.devices() == {self.device}

    def late(self, array):
        given, square = self.put(array), self.put(np.ones((4096, 4096)))
        for _ in range(30):
            square = square @ square * 1e-9
        return given + 0 * self.jax.numpy.nan_to_num(square[0, 0])

    def end(self):
        pass


def host_bytes(torch, path, call):
    """Bytes that the device copies from and to the host during a call, by the profiler."""
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as record:
        call()
        torch.cuda.synchronize()
    record.export_chrome_trace(str(path))
    events = json.loads(path.read_text())["traceEvents"]
    return sum(each["args"]["bytes"] for each in events
               if each.get("cat") == "gpu_memcpy" and ("HtoD" in each["name"] or "DtoH" in each["name"]))

# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures by the command `armilla render`, and the window.

Both run as programs of their own: importing the module loads neither Qt nor OpenGL.
"""
from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
from typing import Any, Literal, overload

from ._arrays import word
from ._errors import Error, InvalidArgument, Unsupported
from ._programs import environment, program
from ._values import Alm, Map, _Value

_FORMATS = ("png", "pdf", "svg")


def _file_of(value, folder):
    """The value in a temporary file."""
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if not isinstance(value, _Value):
        value = Map(value)
    if isinstance(value, Alm):
        raise InvalidArgument("expected a map, image, catalog or curve to draw, found coefficients")
    path = os.path.join(folder, "value.fits")
    value.write(path, overwrite=True)
    return path


def _words(options):
    words = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            value = value.to_value("rad") if hasattr(value, "to_value") else value
            if isinstance(value, (list, tuple)):
                separator = "x" if name == "size" else ","
                value = separator.join(str(each) for each in value)
            words += [option, str(value)]
    return words


@overload
def figure(value: Any, format: Literal["png", "pdf", "svg"] = "png", **options: Any) -> bytes: ...
@overload
def figure(value: Any, format: Literal["rgba"], **options: Any) -> Any: ...
def figure(value: Any, format: str = "png", **options: Any) -> Any:
    """The figure of a value, as `armilla render` draws it.

    value : a Map, Image, Catalog or Curve, an array of pixels, or the name of a file.
    format : "png", "pdf" or "svg" for bytes; "rgba" for an array of shape (height, width, 4), as matplotlib's
        imshow takes it.
    options : those of the command by name: projection="gnomonic", center="0deg,0deg", size=(1200, 800), ...;
        angles are strings with their unit.

    Raises InvalidArgument for an option or a value that cannot be drawn, and Error if the command fails.
    """
    suffix = "png" if word(format, "format") == "rgba" else format
    if suffix not in _FORMATS:
        raise InvalidArgument(f"format: expected png, pdf, svg or rgba, found '{format}'")
    with tempfile.TemporaryDirectory(prefix="armilla-") as folder:
        path = os.path.join(folder, f"figure.{suffix}")
        command = [program("armilla"), "render", _file_of(value, folder), path, "--quiet", *_words(options)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
        if done.returncode != 0:
            line = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit status {done.returncode}"
            kind = InvalidArgument if done.returncode == 2 else Error
            raise kind(line)
        data = pathlib.Path(path).read_bytes()
    return _pixels(data) if format == "rgba" else data


def _pixels(data):
    """The pixels of a PNG of 8 bits a channel, decoded with the standard library (RFC 2083)."""
    import struct
    import zlib

    import numpy as np
    at, packed, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        header = struct.unpack(">IIBBBBB", body) if kind == b"IHDR" else header
        packed += body if kind == b"IDAT" else b""
        at += length + 12
    width, height, depth, color = header[:4]
    channels = {2: 3, 6: 4, 0: 1, 4: 2}.get(color)
    if depth != 8 or channels is None or header[6] != 0:
        raise Unsupported(f"expected a PNG of 8 bits a channel, found {depth} bits of color type {color}")
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    return _rgba(_unfiltered(lines, channels), channels)


def _unfiltered(lines, channels):
    import numpy as np
    count = lines.shape[1] - 1
    result = np.zeros((lines.shape[0] + 1, count), np.int64)
    for row, line in enumerate(lines):
        kind, values, above = line[0], line[1:].astype(np.int64), result[row]
        if kind == 1:
            values = np.cumsum(values.reshape(-1, channels), axis=0).ravel()
        elif kind == 2:
            values = values + above
        elif kind in (3, 4):
            values = np.array(_predicted(kind, values, above, channels))
        result[row + 1] = values & 255
    return result[1:].astype(np.uint8).reshape(len(lines), -1, channels)


def _predicted(kind, values, above, channels):
    out, upper = values.tolist(), above.tolist()
    for i, value in enumerate(out):
        left = out[i - channels] if i >= channels else 0
        corner = upper[i - channels] if i >= channels else 0
        if kind == 3:
            guess = (left + upper[i]) // 2
        else:
            total = left + upper[i] - corner
            guess = min((left, upper[i], corner), key=lambda each: abs(total - each))
        out[i] = (value + guess) & 255
    return out


def _rgba(pixels, channels):
    import numpy as np
    if channels in (1, 2):
        pixels = np.concatenate([pixels[..., :1]] * 3 + [pixels[..., 1:]], axis=-1)
    if pixels.shape[-1] == 3:
        pixels = np.concatenate([pixels, np.full_like(pixels[..., :1], 255)], axis=-1)
    return pixels


class Window:
    """The window of the program on a value. `update` shows another value, `close` ends it."""

    def __init__(self, value: Any, options: dict[str, Any]) -> None:
        self._options = options
        self._folder: Any = None
        self._process: Any = None
        self.update(value)

    @property
    def is_open(self) -> bool:
        """Whether the window's process runs."""
        return self._process is not None and self._process.poll() is None

    def update(self, value: Any) -> None:
        """Show another value in place of the present one: the window opens anew."""
        self.close()
        self._folder = tempfile.TemporaryDirectory(prefix="armilla-")
        command = [program("armilla-gui"), *_words(self._options), _file_of(value, self._folder.name)]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL, start_new_session=True, env=environment())

    def close(self) -> None:
        """Close the window and remove its temporary file."""
        if self._process is not None:
            if self._process.poll() is None:
                self._process.terminate()
            self._process.wait()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def show(value: Any, **options: Any) -> Window:
    """Open the window on a value and return a handle with `update(value)` and `close()`.

    value : a Map, Image, Catalog or Curve, an array of pixels, or the name of a file.
    options : those of `armilla-gui`, by name.

    Raises Unsupported where the window is not installed.
    """
    return Window(value, options)

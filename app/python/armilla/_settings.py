# SPDX-License-Identifier: GPL-3.0-or-later
"""Defaults of `device`, `threads` and `progress`, which every call with work takes."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._arrays import shown, whole, word
from ._errors import InvalidArgument

if TYPE_CHECKING:
    from ._types import Progress

_options: dict[str, Any] = {"device": "auto", "threads": 0, "progress": None}


def set_options(*, device: str | None = None, threads: int | None = None,
                progress: Progress = None) -> dict[str, Any]:
    """Set defaults of all later calls; arguments that are left out stay as they are.

    device : "auto", "cpu", "cuda" or "cuda:N"; "auto" takes a CUDA device where the call has code for one.
    threads : number of processor threads; 0 takes all processors that this process may use.
    progress : True for a progress bar, False for none, or a function of (fraction, stage).

    Returns the defaults before the call as a dict, which `set_options(**old)` restores.
    """
    old = dict(_options)
    if device is not None:
        _core.check_device(word(device, "device"))
        _options["device"] = device
    if threads is not None:
        _options["threads"] = checked_threads(threads)
    if progress is not None:
        progress_function(progress)
        _options["progress"] = progress or None
    return {key: value if value is not None else False for key, value in old.items()}


def checked_threads(threads):
    """The number of threads of a call: the argument, or the default for None."""
    if threads is None:
        return _options["threads"]
    if not 0 <= whole(threads, "threads") <= 4096:
        raise InvalidArgument(f"threads: expected an integer from 0 (all processors) to 4096, found {shown(threads)}")
    return int(threads)


def checked_device(device):
    """The device of a call: the argument, or the default for None."""
    return _options["device"] if device is None else word(device, "device")


class _Bar:
    """A progress bar: tqdm where it is installed, else a line on standard error."""

    def __init__(self):
        try:
            from tqdm.auto import tqdm
            self._bar = tqdm(total=100, bar_format="{l_bar}{bar}| {elapsed}", leave=False)
        except ImportError:
            self._bar = None

    def __call__(self, fraction, stage):
        if self._bar is not None:
            self._bar.set_description(stage, refresh=False)
            self._bar.n = round(100 * fraction)
            self._bar.refresh()
        else:
            import sys
            end = "\n" if fraction >= 1 else ""
            print(f"\r{100 * fraction:3.0f} % {stage:<40}", end=end, file=sys.stderr, flush=True)


def _ignore(fraction, stage):
    """Receives the progress of calls that show none."""


def progress_function(progress):
    """The function that a call reports to."""
    if progress is None:
        progress = _options["progress"]
    if progress is True:
        return _Bar()
    if progress and not callable(progress):
        raise InvalidArgument(f"progress: expected True, False or a function, found {shown(progress)}")
    return progress or _ignore


def devices() -> list[dict[str, Any]]:
    """The devices that calls can run on, as a list of dicts: device, name, memory_bytes."""
    return _core.devices()

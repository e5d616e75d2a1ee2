# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the module: one root, and a class for each kind, which is also a built-in exception."""


class Error(Exception):
    """Root of all errors of the module. The message is the line that the command prints."""


class InvalidArgument(Error, ValueError):
    """An argument that no call can take, or that does not fit the inputs."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class OutOfMemory(Error, MemoryError):
    """Less memory than the work needs, on the host or on a device."""


class DeviceError(Error, RuntimeError):
    """A failure of a device or of its driver."""


class Unsupported(Error, RuntimeError):
    """A request that this build, this machine or this operation cannot serve."""


class InternalError(Error, RuntimeError):
    """A broken invariant of the library: please report it."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""The base of the values of the library."""
from __future__ import annotations

from collections.abc import Iterator, KeysView
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._arrays import shown

if TYPE_CHECKING:
    from ._types import File, NDArray


class _Value:
    """Base of the values.

    `_value` is the value of the library that the parts are views of, or None for a value of arrays.
    """

    _kind = ""
    _editable: tuple[str, ...] = ()  # the attributes that a caller may replace or whose members
    _value: Any = None
    figures: dict[str, Any] | None = None
    summary: str = ""

    def _core_value(self):
        """The value for the library: of the parts that a caller has replaced, if any."""
        if self._value is None:
            return self._made()
        if not self._is_edited():
            return self._value
        parts = self._value.parts()
        self._edit(parts)
        return _core.make_value("curve" if self._kind == "curve" else self._value.kind, parts)

    def _made(self):
        """A value for the library, of arrays."""
        raise NotImplementedError

    def _edit(self, parts):
        """Put the present parts in place of those of the library's value."""
        raise NotImplementedError

    def _remember(self):
        self._seen = self._editable_parts()

    def _editable_parts(self):
        return [each for name in self._editable for each in _members(getattr(self, name))]

    def _is_edited(self):
        """Whether a caller has replaced a part, such as a field of a map, since the value was wrapped."""
        now = self._editable_parts()
        return len(now) != len(self._seen) or any(
            one is not other and (isinstance(one, np.ndarray) or isinstance(other, np.ndarray) or one != other)
            for one, other in zip(now, self._seen))

    def __reduce_ex__(self, protocol):
        if self._value is None:
            return super().__reduce_ex__(protocol)
        return _restored, (type(self), self._core_value(), self.figures, self.summary)

    def _input_value(self):
        """The value for an operation, which may copy a part of it."""
        return self._core_value()

    def write(self, path: File, *, overwrite: bool = False, precision: str | None = None) -> None:
        """Write the value to a file; see `armilla.write`."""
        from ._files import write
        write(self, path, overwrite=overwrite, precision=precision)

    def _repr_png_(self):
        from ._figure import figure
        return figure(self)


class _ByColumn(_Value):
    """Base of the values whose columns are found by their names, as those of a dict."""

    def _by_name(self) -> dict[str, Any]:
        """The columns by name."""
        raise NotImplementedError

    def keys(self) -> KeysView[str]:
        """Names of the columns."""
        return self._by_name().keys()

    def __getitem__(self, name: str) -> NDArray:
        if not isinstance(name, str):
            raise TypeError(f"expected the name of a column, found {shown(name)}; columns are arrays, as "
                            f"value[{next(iter(self._by_name()), '')!r}][rows]")
        return self._by_name()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name()

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name())


def _members(part):
    """The members of a dict or a list, and how many; else the part itself."""
    if isinstance(part, dict):
        return [len(part), *part.keys(), *part.values()]
    return [len(part), *part] if isinstance(part, list) else [part]


def _restored(kind, value, figures, summary):
    """A value that was pickled or copied."""
    made = kind._wrap(value)
    made.figures, made.summary = figures, summary
    return made

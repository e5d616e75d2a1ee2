# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of arguments, for type checkers alone: no call imports this module."""
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from ._values import Alm, Catalog, Curve, Image, Map

NDArray = npt.NDArray[Any]
Coefficients = npt.NDArray[np.complex128]
Arrays = Union[NDArray, Sequence[NDArray]]
File = Union[str, PathLike[str]]
Value = Union[Map, Catalog, Image, Curve, Alm]
Progress = Union[bool, Callable[[float, str], object], None]

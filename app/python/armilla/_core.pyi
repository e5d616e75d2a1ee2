# SPDX-License-Identifier: GPL-3.0-or-later
# The binding is private: the modules beside it have types.
from typing import Any

def __getattr__(name: str) -> Any: ...

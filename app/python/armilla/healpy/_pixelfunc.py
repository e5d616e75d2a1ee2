# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that healpy has in its module of this name."""
from .pixelfunc import isnsideok, pix2ring, ringinfo

__all__ = ["isnsideok", "pix2ring", "ringinfo"]

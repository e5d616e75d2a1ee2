# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of positions: the words of callers and the letters of files."""

from ._arrays import shown
from ._errors import InvalidArgument

FRAMES = {"": None, None: None, "G": "galactic", "E": "ecliptic", "C": "equatorial"}
_LETTERS = {"g": "G", "galactic": "G", "gal": "G", "e": "E", "ecliptic": "E", "c": "C", "q": "C",
            "equatorial": "C", "celestial": "C", "icrs": "C", "fk5": "C"}


def frame_letter(frame):
    """G, E, C or an empty word for None. Raises InvalidArgument for another word."""
    if frame is None or isinstance(frame, str) and not frame:
        return ""
    # Frames of astropy have names.
    name = str(getattr(frame, "name", frame)).lower()
    letter = _LETTERS.get(name)
    if letter is None:
        raise InvalidArgument(f"frame: expected galactic (G), ecliptic (E) or equatorial (C), found {shown(frame)}")
    equinox = getattr(frame, "equinox", None) if name == "fk5" else None
    if equinox is not None and abs(equinox.jyear - 2000) > 1e-3:
        raise InvalidArgument(f"frame: expected ICRS or FK5 of equinox J2000, found FK5 of equinox {equinox.jyear_str}")
    return letter

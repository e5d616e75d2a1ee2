#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the command line against healpy and astropy, on data made here.

    check_against_healpy.py BINARY [--only NAME]... [--data FOLDER]

Prints each figure with its limit; the exit status is 1 if a figure exceeds its limit. `./dev outside` runs the
script. --data also checks the files of a folder of real maps.
"""
import argparse
import pathlib
import tempfile
import warnings

import check_endings
import check_files
import check_sources
import check_transforms
import check_views
import real_data
from harness import Checker

SECTIONS = {
    "info": check_files.information,
    "convert": check_files.conversions,
    "frames": check_files.turned_frames,
    "lone": check_files.lone_pixels,
    "broken": check_files.broken_files,
    "smooth": check_transforms.smoothing,
    "transforms": check_transforms.transforms,
    "means": check_transforms.means,
    "weights": check_transforms.pixel_weights,
    "packed": check_transforms.packed_files,
    "synfast": check_transforms.random_skies,
    "project": check_views.projections,
    "flip": check_views.east_is_left,
    "sources": check_sources.skies,
    "bright": check_sources.bright,
    "catalogs": check_sources.catalogs,
    "matches": check_sources.matches,
    "regions": check_sources.regions,
    "several": check_sources.several,
    "interrupt": check_endings.interruptions,
    "limits": check_endings.limits,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--only", action="append", choices=SECTIONS, default=[])
    parser.add_argument("--data", type=pathlib.Path)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory(prefix="armilla-outside-") as folder:
        checker = Checker(arguments.binary, folder)
        for name, section in SECTIONS.items():
            if arguments.only and name not in arguments.only:
                continue
            print(f"== {name}")
            try:
                section(checker)
            except Exception as failure:  # a failed section must not hide the others
                checker.true(f"{name} went to its end: {failure!r}", False)
        if arguments.data:
            print("== real data")
            real_data.check(checker, arguments.data)
        checker.finish()


if __name__ == "__main__":
    main()

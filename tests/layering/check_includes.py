#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scans #include lines against the table of layers in ARCHITECTURE.md.

Include roots hide an upper layer from a lower one only if the targets are not linked, and system headers
resolve from anywhere. Therefore every line is checked here. Exit status 1 and one line for each
offence; `--self-test` checks that an offence is found.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {".h", ".cpp", ".cu", ".cuh"}
INCLUDE = re.compile(r'^\s*(?:#|%:)\s*(?:include|include_next|import)\b\s*(.*)')
NAME = re.compile(r'(["<])([^">]+)[">]')

# Third parties and their system headers. All other system headers are the standard library or POSIX.
THIRD_PARTIES = [
    ("cfitsio", r"(fitsio|longnam)\d?\.h|fitsio2\.h"),
    ("wcslib", r"wcslib/.*|wcs\w*\.h|prj\.h|cel\.h|sph\.h"),
    ("hdf5", r"hdf5(_hl)?\.h|H5\w+\.h"),
    ("pugixml", r"pugixml\.hpp|pugiconfig\.hpp"),
    ("yaml-cpp", r"yaml-cpp/.*"),
    ("nlohmann-json", r"nlohmann/.*"),
    ("fftw", r"fftw3\.h"),
    ("codecs", r"snappy(-c)?\.h|zstd\w*\.h|lz4\w*\.h"),
    ("zlib", r"zlib\.h|zconf\.h"),
    ("healpix", r"healpix_(base|map|map_fitsio|data_io|tables|cxx/.*)\.?h?|alm(_.*)?\.h|powspec.*\.h|"
                r"weight_utils\.h|libsharp/.*|sharp.*\.h|pointing\.h|moc\w*\.h|fitshandle\.h|arr\.h|"
                r"planck_rng\.h|xcomplex\.h|lsconstants\.h|vec3\.h|rotmatrix\.h|datatypes\.h"),
    ("highway", r"hwy/.*"),
    ("mpi", r"mpi\.h"),
    ("opengl", r"epoxy/.*|GL/.*|EGL/.*|GLES\d?/.*"),
    ("cuda", r"cuda.*|cub/.*|cufft.*|device_launch_parameters\.h|surface_functions\.h|nvtx.*"),
    ("cli11", r"CLI/.*"),
    ("nanobind", r"nanobind/.*"),
    ("qcustomplot", r"qcustomplot\.h"),
    ("openmp", r"omp\.h"),
]
QT_MODULES = {"QtCore": "qt-core", "QtGui": "qt-gui", "QtWidgets": "qt-widgets",
              "QtNetwork": "qt-network", "QtOpenGL": "qt-opengl", "QtOpenGLWidgets": "qt-opengl", "QtConcurrent": "qt-concurrent",
              "QtSvg": "qt-svg", "QtSvgWidgets": "qt-widgets", "QtTest": "qt-test"}


def qt_headers():
    """Qt class header name -> layer name, from the installed headers."""
    found = {}
    for folder in pathlib.Path("/usr/include").glob("**/qt6/Qt*"):
        layer = QT_MODULES.get(folder.name)
        if layer:
            for header in folder.iterdir():
                found.setdefault(header.name, layer)
    return found


def read_table(text):
    """Rows of the table whose header starts with `| Target | Folder`."""
    layers, inside = [], False
    for line in text.splitlines():
        if line.startswith("| Target | Folder"):
            inside = True
        elif inside and line.startswith("|"):
            cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
            if set(cells[0]) <= {"-", " "}:
                continue
            layers.append({"target": cells[0], "folder": cells[1],
                           "roots": set(cells[2].split()) - {"-"},
                           "parties": set(cells[3].split()) - {"-"}})
        elif inside:
            break
    return layers


def third_party(name, qt):
    if name in qt:
        return qt[name]
    head = name.split("/")[0]
    if head in QT_MODULES:
        return QT_MODULES[head]
    for party, pattern in THIRD_PARTIES:
        if re.fullmatch(pattern, name):
            return party
    return None


def cuda_code(path):
    """True if a file may use CUDA's types: by its name, or by its folder of the device code."""
    return bool(re.search(r"\.cuh?$|_cuda\.\w+$", path)) or "/device/cuda/" in path


def offences_of(path, text, layer, roots, qt, public):
    """Lines that include what they may not. `public`: roots whose headers lie in include/armilla."""
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        named = NAME.match(match[1])
        if not named:
            yield f"{path}:{number}: expected a name in quotes or brackets, found {match[1]}"
            continue
        quote, name = named.groups()
        parts = name.split("/")
        # Public headers are installed below armilla, and an include starts with that folder.
        prefixed = parts[0] == "armilla" and len(parts) > 2
        inner = name.removeprefix("armilla/") if prefixed else name
        head = inner.split("/")[0]
        # Paths that bypass the roots: up the tree, absolute, or by the parent folder of a root.
        if {".", "..", "", "include"} & set(parts) or "src" in parts[1:]:
            yield f"{path}:{number}: expected a name that starts at an include root, found {name}"
            continue
        if head in roots and "/" in inner:
            if prefixed != (head in public):
                yield f"{path}:{number}: expected {'' if prefixed else 'armilla/'}{inner}, found {name}"
            if quote == "<" and third_party(name, qt) is None:
                yield f"{path}:{number}: our own {name} stands in quotes"
            if head not in layer["roots"]:
                yield f"{path}:{number}: {layer['target']} may not include {name}"
            if inner.startswith("device/cuda/") and not cuda_code(path):
                yield f"{path}:{number}: {name} is for CUDA code (*.cu, *.cuh, *_cuda.*)"
            continue
        party = third_party(name, qt)
        if party == "cuda" and not cuda_code(path):
            yield f"{path}:{number}: {name} is for CUDA code (*.cu, *.cuh, *_cuda.*)"
        if party and party not in layer["parties"]:
            yield f"{path}:{number}: {layer['target']} may not include {name} ({party})"


def not_first(path, text, headers):
    """Offences of sources that do not include the public header of the same name first. The build relies on that
    order to check that the header compiles alone."""
    own = headers.get(path.stem) if path.suffix in {".cpp", ".cu"} else None
    first = next((NAME.match(m[1]) for m in map(INCLUDE.match, text.splitlines()) if m), None)
    if own and not (first and first[2] == own):
        yield f"{path}: expected {own} as its first include"


def public_headers(folder):
    """Stem -> name below the include root, of the public headers in a layer's folder."""
    root = folder / "include"
    return {header.stem: header.relative_to(root).as_posix() for header in root.rglob("*.h")}


def scan():
    layers = read_table((ROOT / "ARCHITECTURE.md").read_text())
    if len(layers) < 5:
        return ["ARCHITECTURE.md: expected the table of layers, found none"]
    roots = set().union(*(layer["roots"] for layer in layers))
    public = {folder.name for layer in layers for folder in (ROOT / layer["folder"]).glob("include/armilla/*")}
    qt = qt_headers()
    offences, seen = [], 0
    headers = {layer["folder"]: public_headers(ROOT / layer["folder"]) for layer in layers}
    # The longest folder first, so that app/session does not match app.
    for path in sorted(p for top in ("compute", "draw", "render", "app", "ui") for p in (ROOT / top).rglob("*")):
        if path.suffix not in SOURCES:
            continue
        relative = path.relative_to(ROOT).as_posix()
        fitting = [l for l in layers if relative == l["folder"] or relative.startswith(l["folder"] + "/")]
        if not fitting:
            offences.append(f"{relative}: in no folder of the table in ARCHITECTURE.md")
            continue
        layer = max(fitting, key=lambda l: len(l["folder"]))
        seen += 1
        text = path.read_text()
        offences += offences_of(relative, text, layer, roots, qt, public)
        offences += not_first(pathlib.PurePath(relative), text, headers[layer["folder"]])
    print(f"include scan: {seen} files, {len(offences)} offences")
    return offences


def self_test():
    layer = {"target": "armilla_core", "roots": {"core", "device", "sums"}, "parties": {"cuda"}}
    fine = ['#include <vector>', '#include "armilla/core/error.h"', '#include "here.h"', '#  include "armilla/core/x.h"',
            '#include "sums/x.h"']
    wrong = ['#include "armilla/io/map_io.h"', '#include "core/x.h"', '#include "armilla/sums/x.h"',
             '#include <fitsio.h>', '#include <armilla/io/map_io.h>', '#include <armilla/core/error.h>',
             '#include "../../io/include/armilla/io/map_io.h"', '#include "./io/map_io.h"', '#include "/io/map_io.h"',
             '#include "include/armilla/io/map_io.h"', '#include "io/src/x.h"', '#include HEADER', '#import "armilla/io/map_io.h"',
             '#include <cuda_runtime.h>', '#include "armilla/device/cuda/stream.h"']
    problems, roots, public = [], {"core", "io", "device", "sums"}, {"core", "io", "device"}
    for line, offends in [(line, False) for line in fine] + [(line, True) for line in wrong]:
        if bool(list(offences_of("x.cpp", line, layer, roots, {}, public))) != offends:
            problems.append(f"self test: expected {'an' if offends else 'no'} offence in {line}")
    own = {"x": "armilla/core/x.h"}
    for name, text, offends in [("x.cpp", '#include "armilla/core/x.h"\n#include <map>', False), ("y.cpp", '#include <map>', False),
                                ("x.h", '#include <map>', False), ("x.cpp", '#include <map>\n#include "armilla/core/x.h"', True),
                                ("x.cu", '', True)]:
        if bool(list(not_first(pathlib.PurePath(name), text, own))) != offends:
            problems.append(f"self test: expected {'an' if offends else 'no'} offence in {name}: {text}")
    for line in wrong[-2:]:
        for name in ("x.cu", "x_cuda.cpp"):
            if list(offences_of(name, line, layer, roots, {}, public)):
                problems.append(f"self test: expected no offence of {name} in {line}")
    return problems


if __name__ == "__main__":
    problems = self_test() if "--self-test" in sys.argv else scan()
    print("\n".join(problems))
    sys.exit(1 if problems else 0)

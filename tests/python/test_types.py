# SPDX-License-Identifier: GPL-3.0-or-later
"""Type stubs: those of the run time, and enough for a strict checker."""
import ast
import inspect
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import armilla
import armilla.healpy

PACKAGE = pathlib.Path(armilla._core.__file__).parent

PROGRAM = '''
from pathlib import Path
import armilla
import armilla.healpy as hp
import numpy as np
import numpy.typing as npt


def work(path: Path) -> npt.NDArray[np.float64]:
    m = armilla.read(path)
    sky = armilla.sample(nside=64)
    s = armilla.smooth(sky, fwhm="20arcmin", device="cpu")
    print(s.nside, s.fields["TEMPERATURE"].dtype, s.frame, s.figures)
    a = armilla.smooth(np.ones(768), fwhm=np.radians(1 / 3))
    print(a.mean(), a.figures, armilla.smooth([np.ones(768), np.ones(768)], fwhm=0.1).shape)
    catalog = armilla.sources(sky, fwhm="5arcmin", threshold=5)
    w = armilla.correlate(catalog, random_from=m, bins="0.1deg,10deg,20", errors="jackknife")
    print(w.x, w["W"], w.covariance, catalog["PEAK"], catalog.to_astropy())
    armilla.write(s, "out.fits", overwrite=True)
    plan = armilla.Sht(nside=2048, lmax=4096, device="cuda")
    alm = plan.map2alm(m, weights="ring")
    plan.alm2map(alm, out=np.empty(12 * 2048**2))
    made = armilla.Map({"A": np.ones(12)}, frame="galactic", unit="K")
    made.write("m.fits")
    print(armilla.Alm(alm, mmax=3)[0].real, armilla.project(made, size=(10, 10), center=(0.1, 0.2)).header["CRVAL1"])
    png: bytes = armilla.figure(made, projection="gnomonic")
    old = armilla.set_options(threads=2, progress=lambda fraction, stage: print(fraction, stage, png))
    armilla.set_options(**old)
    handle = armilla.show(made)
    handle.update(made)
    handle.close()
    try:
        armilla.read("absent.fits")
    except armilla.FileError as error:
        print(error)
    print(armilla.stats(made)["MEAN"], hp.ang2pix(8, 0.1, 0.2), hp.Alm.getsize(8), hp.pixelfunc.nside2npix(8))
    result: npt.NDArray[np.float64] = hp.smoothing(np.ones(12), fwhm=0.1)
    print(armilla.__version__, hp.UNSEEN, hp.Rotator(coord=["G", "C"])(0.1, 0.2))
    return result


def wrong() -> None:
    armilla.smooth(np.ones(12), fwmh="1deg")  # type: ignore[call-overload]
    armilla.Sht(nside="8")  # type: ignore[arg-type]
    armilla.sample(nside=8).nsides  # type: ignore[attr-defined]
    hp.nothing()  # type: ignore[attr-defined]
'''


def stub_functions(path):
    """The definitions of each function of a stub, by name; several are overloads."""
    found = {}
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


def parameters_of(node):
    """(name, is keyword only, default as text) of the parameters of a definition."""
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(positional) - len(arguments.defaults)) + arguments.defaults
    rows = [(each.arg, False, default) for each, default in zip(positional, defaults)]
    rows += [(each.arg, True, default) for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return [(name, is_keyword, None if default is None else ast.unparse(default)) for name, is_keyword, default in rows]


@pytest.mark.parametrize("module, file", [(armilla, "__init__.pyi"), (armilla.healpy, "healpy/__init__.pyi")],
                         ids=["armilla", "armilla.healpy"])
def test_stubs_have_the_parameters_of_the_run_time(module, file):
    stubs = stub_functions(PACKAGE / file)
    text = (PACKAGE / file).read_text()
    for name in module.__all__:
        assert name in text
        value = getattr(module, name)
        if not inspect.isfunction(value) or value.__module__.startswith(("armilla._files", "armilla._figure",
                                                                          "armilla._settings")):
            continue  # classes and functions with annotations of their own
        found = [(key, each.kind is each.KEYWORD_ONLY, None if each.default is each.empty else repr(each.default))
                 for key, each in inspect.signature(value).parameters.items()
                 if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
        for node in stubs[name]:
            assert parameters_of(node) == found, name


def test_functions_and_methods_with_annotations_have_all():
    kinds = [armilla.Sht, armilla.Map, armilla.Catalog, armilla.Image, armilla.Curve, armilla.Alm]
    methods = [(kind, name) for kind in kinds for name in dir(kind) if not name.startswith("_") or name == "__init__"]
    functions = [getattr(kind, name) for kind, name in methods if inspect.isfunction(getattr(kind, name))]
    functions += [getattr(kind, name).fget for kind, name in methods if isinstance(getattr(kind, name), property)]
    for function in [*functions, armilla.read, armilla.write, armilla.set_options, armilla.devices, armilla.show]:
        signature = inspect.signature(function)
        assert signature.return_annotation is not signature.empty, function
        for name, parameter in signature.parameters.items():
            assert name == "self" or parameter.annotation is not parameter.empty, (function, name)


def test_results_have_the_types_of_the_stubs():
    sky, array = armilla.sample(nside=16), np.ones(768)
    alm = armilla.map2alm(sky, lmax=8)
    for given, kind in ((sky, armilla.Map), (array, np.ndarray)):
        assert isinstance(armilla.smooth(given, fwhm="10deg"), kind)
    assert isinstance(armilla.map2alm(array, lmax=8), np.ndarray) and isinstance(alm, armilla.Alm)
    assert isinstance(armilla.alm2map(alm, nside=8), armilla.Map)
    assert isinstance(armilla.sources(sky, fwhm="10deg"), armilla.Catalog)
    assert isinstance(armilla.anafast(array, lmax=8), armilla.Curve)
    returns = {name: [ast.unparse(node.returns) for node in nodes]
               for name, nodes in stub_functions(PACKAGE / "__init__.pyi").items()}
    assert returns["smooth"] == ["Map", "FiguredArray", "Any"] and returns["map2alm"] == ["Alm", "FiguredArray", "Any"]
    assert returns["alm2map"] == ["Map", "FiguredArray", "Any"] and returns["anafast"] == ["Curve"]
    assert returns["sources"][0] == "Catalog" and returns["sample"][0] == "Map"


def test_a_strict_checker_accepts_a_program_and_finds_its_errors(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "program.py").write_text(PROGRAM)
    # --strict reports each "type: ignore" above that hides no error.
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--no-incremental",
                           "program.py"], cwd=tmp_path, env={**os.environ, "MYPYPATH": str(PACKAGE.parent)},
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

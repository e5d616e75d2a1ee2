# SPDX-License-Identifier: GPL-3.0-or-later
"""The environment in which programs of a wheel run."""
import os
import sys

from armilla import _programs


def test_a_program_gets_only_the_libraries_that_the_system_lacks(tmp_path, monkeypatch):
    # The loader of every Linux with glibc finds libc.so.6.
    for name in ("libc.so.6", "libarmilla-of-no-system.so.1"):
        (tmp_path / "lib" / "spare" / name).mkdir(parents=True)
    monkeypatch.setattr(_programs, "_PACKAGE", tmp_path)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/mine")
    monkeypatch.delenv("FONTCONFIG_FILE", raising=False)
    values = _programs.environment()
    assert values["LD_LIBRARY_PATH"] == f"/mine:{tmp_path}/lib/spare/libarmilla-of-no-system.so.1"
    assert values["FONTCONFIG_FILE"] == str(tmp_path / "lib" / "fonts.conf")
    monkeypatch.setenv("FONTCONFIG_FILE", "/my/fonts.conf")
    assert _programs.environment()["FONTCONFIG_FILE"] == "/my/fonts.conf"


def test_outside_a_wheel_the_environment_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(_programs, "_PACKAGE", tmp_path)
    assert _programs.environment() == dict(os.environ)


def test_a_command_becomes_the_program(tmp_path, monkeypatch):
    path = tmp_path / "bin" / "armilla"
    path.parent.mkdir()
    path.write_text("")
    path.chmod(0o755)
    monkeypatch.setattr(_programs, "_PACKAGE", tmp_path)
    monkeypatch.setattr(sys, "argv", ["armilla", "info", "map.fits"])
    calls = []
    monkeypatch.setattr(os, "execve", lambda *words: calls.append(words))
    _programs.command()
    assert calls == [(str(path), [str(path), "info", "map.fits"], dict(os.environ))]

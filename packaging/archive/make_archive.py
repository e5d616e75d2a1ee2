#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes an archive of the programs with all libraries, which runs from any folder.

make_archive.py BUILD FOLDER writes armilla-VERSION-x86_64.tar.gz to FOLDER. BUILD is a build tree with the Python
module, whose programs and modules are taken. The libraries are those of this machine, as in the wheel
(packaging/wheel/bundle.py); the archive runs with this machine's glibc or a later one. Equal contents give equal
bytes; SOURCE_DATE_EPOCH gives the date of all files.
"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging/wheel"))
import bundle  # noqa: E402
import sbom  # noqa: E402

DOCUMENTS = ("LICENSE", "README.md", "CHANGELOG.md", "CITATION.cff")


def fill(build, folder):
    """Puts programs, modules, libraries, documents and the list of all files into the folder."""
    with tempfile.TemporaryDirectory() as stage:
        subprocess.run(["cmake", "--install", build, "--component", "python", "--prefix", stage, "--strip"], check=True,
                       stdout=subprocess.DEVNULL)
        for name in ("bin", "share"):
            shutil.copytree(pathlib.Path(stage) / "armilla" / name, folder / name)
    bundle.bundle(folder)
    for name in DOCUMENTS:
        shutil.copy(ROOT / name, folder)
    for name in ("armilla", "armilla-gui"):
        shutil.copy(ROOT / "packaging/archive/launcher.sh", folder / name)
        (folder / name).chmod(0o755)
    # Last, because the list has the checksum of every file.
    sbom.write(folder)


def pack(folder, target):
    """Writes the folder as an archive with sorted names, without the names of users."""
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))

    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = epoch
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry

    with target.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, epoch) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        archive.add(folder, folder.name, recursive=False, filter=plain)
        for path in sorted(folder.rglob("*")):
            archive.add(path, path.relative_to(folder.parent).as_posix(), recursive=False, filter=plain)


def main():
    build, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    version = re.search(r"project\(Armilla VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as stage:
        folder = pathlib.Path(stage) / f"armilla-{version}"
        folder.mkdir()
        fill(build, folder)
        major, minor = bundle.glibc(folder)
        archive = target / f"armilla-{version}-x86_64.tar.gz"
        pack(folder, archive)
    print(f"{archive}: {archive.stat().st_size / 1e6:.1f} MB, for glibc {major}.{minor} or later")


if __name__ == "__main__":
    main()

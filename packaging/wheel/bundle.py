#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Puts the shared libraries that a wheel needs into the wheel.

bundle.py WHEEL FOLDER writes a wheel to FOLDER that runs on any Linux with this machine's glibc or a later one.

Three kinds of libraries are distinguished.
- Libraries of the system: the C and C++ run time and zlib, which every Python needs. The wheel lacks them.
- Spare libraries: OpenGL, X11, fonts and what these need. Drivers of the system are made for the system's versions,
  so the copies in armilla/lib/spare serve only where the system has none (armilla/_programs.py).
- All others are in armilla/lib. Their names contain a checksum, so that a process never takes them for a library of
  another package, and the other package never takes them for its own.
"""
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import sbom  # noqa: E402

SYSTEM = re.compile(r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|resolv|util|stdc\+\+|gcc_s|z))\.so.*")
SPARE = re.compile(r"lib(EGL|GL|GLX|GLdispatch|OpenGL|X11.*|xcb.*|xkbcommon.*|SM|ICE|fontconfig|freetype|harfbuzz"
                   r"|glib-2\.0|dbus-1)\.so.*")
PLUGINS = ("platforms/libqxcb.so", "platforms/libqoffscreen.so", "xcbglintegrations/libqxcb-egl-integration.so",
           "xcbglintegrations/libqxcb-glx-integration.so", "imageformats/libqjpeg.so", "imageformats/libqsvg.so",
           "iconengines/libqsvgicon.so", "platforminputcontexts/libcomposeplatforminputcontextplugin.so")
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")
FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


def run(*words):
    """The standard output of a program."""
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def is_elf(path):
    """Whether a file is a program or a shared library."""
    return path.is_file() and not path.is_symlink() and path.open("rb").read(4) == b"\x7fELF"


def needed(path):
    """The names and files of the libraries that a file names itself."""
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", path), flags=re.M))
    names = run("patchelf", "--print-needed", path).split()
    lost = [name for name in names if name not in found and not SYSTEM.fullmatch(name)]
    if lost:
        raise SystemExit(f"bundle.py: {path} needs {', '.join(lost)}, which this machine lacks")
    return {name: pathlib.Path(found[name]) for name in names if not SYSTEM.fullmatch(name)}


def closure(roots, stop=None):
    """The libraries that files need, and those need in turn. Names that match `stop` are kept apart, unfollowed."""
    inner, edge, waiting = {}, {}, list(roots)
    while waiting:
        for name, path in needed(waiting.pop()).items():
            if stop is not None and stop.fullmatch(name):
                edge[name] = path
            elif name not in inner:
                inner[name] = path
                waiting.append(path)
    return inner, edge


def new_name(name, path):
    """The name of a library with a checksum of its content: libfftw3-1a2b3c4d.so.3."""
    stem, dot, rest = name.partition(".so")
    return f"{stem}-{hashlib.sha256(path.read_bytes()).hexdigest()[:8]}{dot}{rest}"


def patch(path, names, folders, soname=None):
    """Sets the folders in which a file looks for its libraries, and the new names of these."""
    renamed, words = [], []
    for old in run("patchelf", "--print-needed", path).split():
        renamed.append(names.get(old, old))
        if old in names:
            words += ["--replace-needed", old, names[old]]
    rpath = ":".join(folders)
    # A call for each change: patchelf 0.14 of Debian 12 mixes up the texts of several changes at once.
    if soname is not None:
        run("patchelf", "--set-soname", soname, path)
    if words:
        run("patchelf", *words, path)
    run("patchelf", "--force-rpath", "--set-rpath", rpath, path)
    found = run("patchelf", "--print-rpath", path).strip(), run("patchelf", "--print-needed", path).split()
    if found != (rpath, renamed):
        raise SystemExit(f"bundle.py: {path}: expected {(rpath, renamed)}, found {found}; another version of patchelf may help")


def add_copyrights(sources, folder):
    """Copies the copyright file of each Debian package that a file comes from."""
    folder.mkdir(parents=True)
    # dpkg knows a file by its name before /lib became a link to /usr/lib, or by the name after.
    names = {str(name): source for source in sources for name in (source, source.resolve())}
    names.update({name.removeprefix("/usr"): source for name, source in list(names.items())})
    listed = subprocess.run(["dpkg", "-S", *names], check=False, capture_output=True, text=True).stdout
    packages = {names[name]: package for package, name in re.findall(r"^([^:\s]+)\S*: (/\S+)$", listed, flags=re.M)}
    for source in sources:
        if source not in packages:
            raise SystemExit(f"bundle.py: expected the Debian package of {source}, found none")
        shutil.copyfile(f"/usr/share/doc/{packages[source]}/copyright", folder / packages[source])


def add_qt(package):
    """Adds Qt's plugins, fonts and the files by which Qt finds both; returns the plugins and their sources."""
    origin = pathlib.Path(run("qtpaths6", "--query", "QT_INSTALL_PLUGINS").strip())
    sources = [origin / name for name in PLUGINS]
    for name, source in zip(PLUGINS, sources):
        target = package / "plugins" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    (package / "bin/qt.conf").write_text("[Paths]\nPrefix=..\nPlugins=plugins\n")
    (package / "lib/fonts").mkdir(parents=True)
    for name in FONTS:
        source = pathlib.Path("/usr/share/fonts/truetype/dejavu") / name
        shutil.copy(source, package / "lib/fonts")
        sources.append(source)
    (package / "lib/fonts.conf").write_text(FONTS_CONF)
    return sources


def bundle(package):
    """Adds all libraries to the folder of the package."""
    sources = add_qt(package)
    files = [path for path in package.rglob("*") if is_elf(path)]
    private, edge = closure(files, SPARE)
    spare, _ = closure(edge.values())
    spare.update(edge)
    names = {name: new_name(name, path) for name, path in private.items()}
    for path in files:
        folder = pathlib.Path(*[".."] * (len(path.relative_to(package).parts) - 1)) / "lib"
        patch(path, names, [f"$ORIGIN/{folder}"])
    for name, source in private.items():
        target = package / "lib" / names[name]
        shutil.copy(source.resolve(), target)
        target.chmod(0o755)
        run("strip", "--strip-unneeded", target)
        patch(target, names, ["$ORIGIN"], names[name])
    for name, source in spare.items():
        target = package / "lib/spare" / name / name
        target.parent.mkdir(parents=True)
        shutil.copy(source.resolve(), target)
        run("strip", "--strip-unneeded", target)
    add_copyrights([*sources, *private.values(), *spare.values()], package / "lib/copyright")


def glibc(folder):
    """The version of glibc that the files of a folder need, as (2, 36)."""
    versions = set()
    for path in folder.rglob("*"):
        if is_elf(path):
            versions |= set(re.findall(r"GLIBC_(\d+)\.(\d+)", run("readelf", "--wide", "--version-info", path)))
    return max((int(major), int(minor)) for major, minor in versions)


def main():
    wheel, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, "-m", "wheel", "unpack", "--dest", folder, wheel)
        root = next(pathlib.Path(folder).iterdir())
        bundle(root / "armilla")
        sbom.write(root / "armilla")
        major, minor = glibc(root)
        description = next(root.glob("*.dist-info/WHEEL"))
        description.write_text(re.sub(r"-linux_(\w+)$", rf"-manylinux_{major}_{minor}_\1", description.read_text(), flags=re.M))
        target.mkdir(parents=True, exist_ok=True)
        run(sys.executable, "-m", "wheel", "pack", "--dest-dir", target, root)
    for path in target.glob("*.whl"):
        print(f"{path}: {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""Interrupts at random times, full disks and damaged files, in long series.

    reliability.py armilla [--interrupts N] [--full N] [--damaged N] [--jobs N] [--seed S] [--page FILE]
        [--also NAME=TEXT ...]

Each run checks three things: the output file has its former content or is complete; the program ended with
the right status, one line and in time; no temporary file is left. --page writes the
figures as the page resources/notes/reliability.md. The page also lists the series of other commands (OTHERS), as not
run unless --also gives their result.
"""
import argparse
import collections
import concurrent.futures
import datetime
import gzip
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import time

MEMORY = 6 << 30  # address space of a run on damaged input, bytes
PATIENCE = 120  # seconds until a run counts as hanging, beside other programs


def command_lines(binary, folder):
    """Commands that write, on small inputs made by the program: {name: (arguments, out)}."""
    # A slash at the end, which names a folder, remains.
    here = lambda name: f"{folder}/{name}"

    def make(*arguments):
        subprocess.run([binary, *map(str, arguments), "--overwrite", "--quiet"], check=True,
                       stdout=subprocess.DEVNULL)

    make("sample", here("map.fits"), "--nside", 256)
    make("anafast", here("map.fits"), here("cl.fits"))
    make("map2alm", here("map.fits"), here("alm.fits"))
    make("sources", here("map.fits"), here("cat.fits"), "--fwhm", "40arcmin", "--threshold", 4)
    make("mask", here("holes.fits"), "--nside", 256, "--latitude", "15deg")
    make("mask", here("holes.fits"), here("weights.fits"), "--apodize", "4deg")
    make("mask", here("cut.fits"), "--nside", 128, "--latitude", "30deg")
    make("sample", here("former.fits"), "--nside", 16)
    make("convert", here("former.fits"), here("former/"))
    with open(here("points.csv"), "w") as file:
        file.write("ra,dec,flux\n")
        chance = random.Random(5)
        for _ in range(60000):
            file.write(f"{chance.uniform(0, 30):.6f},{chance.uniform(-15, 15):.6f},{chance.random():.4f}\n")
    points = here("points.csv")
    return {
        "sample": (["sample", here("out.fits"), "--nside", "512"], "out.fits"),
        "convert": (["convert", here("map.fits"), here("out.fits"), "--frame", "C", "--nside", "512"], "out.fits"),
        "smooth, harmonic": (["smooth", here("map.fits"), here("out.fits"), "--fwhm", "1deg", "--method",
                              "harmonic", "--iterations", "3"], "out.fits"),
        "smooth, ring": (["smooth", here("map.fits"), here("out.fits"), "--fwhm", "3deg", "--method", "ring"], "out.fits"),
        "smooth, direct": (["smooth", here("map.fits"), here("out.fits"), "--fwhm", "1deg", "--method", "direct"], "out.fits"),
        "filter": (["filter", here("map.fits"), here("out.fits"), "--fwhm", "40arcmin", "--snr", here("snr.fits")], "out.fits"),
        "sources": (["sources", here("map.fits"), here("out.vot"), "--fwhm", "40arcmin", "--threshold", "4"], "out.vot"),
        "mask": (["mask", here("map.fits"), here("out.fits"), "--above", "0", "--grow", "2deg"], "out.fits"),
        "map2alm": (["map2alm", here("map.fits"), here("out.fits"), "--iterations", "3"], "out.fits"),
        "alm2map": (["alm2map", here("alm.fits"), here("out.fits"), "--nside", "512"], "out.fits"),
        "anafast": (["anafast", here("map.fits"), here("out.txt"), "--iterations", "3"], "out.txt"),
        "synfast": (["synfast", here("cl.fits"), here("out.fits.gz"), "--nside", "256"], "out.fits.gz"),
        "project": (["project", here("map.fits"), here("out.fits"), "--size", "3000x1500"], "out.fits"),
        "render": (["render", here("map.fits"), here("out.png"), "--size", "2000x1200"], "out.png"),
        "grid": (["grid", here("points.csv"), here("out.fits"), "--value", "flux", "--kernel-fwhm", "30arcmin",
                  "--nside", "512"], "out.fits"),
        "correlate": (["correlate", here("points.csv"), here("out.csv"), "--estimator", "natural", "--bins",
                       "0.1deg,10deg,20", "--random", here("points.csv")], "out.csv"),
        "calc": (["calc", "A > 0 ? sqrt(A) : -B", here("out.fits"), "--let", "A=" + here("map.fits"), "--let",
                  "B=" + here("holes.fits"), "--unit", "1"], "out.fits"),
        "match": (["match", points, points, here("out.parquet"), "--radius", "3arcmin"], "out.parquet"),
        "select": (["select", points, here("out.csv"), "--where", "flux > 0.3", "--region", "circle(15,0,9)"], "out.csv"),
        "lookup": (["lookup", here("map.fits"), points, here("out.vot"), "--interpolation", "bilinear", "--input-frame",
                    "G"], "out.vot"),
        "count": (["count", points, here("out.hsp"), "--nside", "512"], "out.hsp"),
        "moc": (["moc", here("holes.fits"), here("out.json"), "--with", here("cut.fits"), "--operation",
                 "symmetric-difference"], "out.json"),
        "convert, HiPS": (["convert", here("map.fits"), here("out/"), "--nside", "512"], "out/"),
        "convert, HealSparse in HDF5": (["convert", here("map.fits"), here("out.hdf5"), "--nside", "512"], "out.hdf5"),
        "anafast, masked": (["anafast", here("map.fits"), here("out.fits"), "--mask", here("weights.fits"), "--lmax", "300",
                             "--decouple", "--bins", "20", "--errors", "gaussian"], "out.fits"),
        "alm": (["alm", here("alm.fits"), here("out.fits"), "--frame", "C"], "out.fits"),
        "stats": (["stats", here("map.fits"), here("out.ecsv"), "--center", "30deg,40deg", "--radius", "20deg",
                   "--histogram", here("histogram.fits")], "out.ecsv"),
        "remove": (["remove", here("map.fits"), here("cat.fits"), here("out.fits.gz"), "--fwhm", "40arcmin"], "out.fits.gz"),
        "render, PDF": (["render", here("map.fits"), here("out.pdf"), "--contours", "500,1000", "--catalog", here("cat.fits"),
                         "--graticule", "30deg"], "out.pdf"),
        "render, SVG": (["render", here("cl.fits"), here("out.svg")], "out.svg"),
    }


def without_date(data):
    """The decompressed bytes of a file, without the cards that hold its date."""
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError):
            return data
    if data[:6] == b"SIMPLE":
        lines = [data[at:at + 80] for at in range(0, len(data), 80)]
    else:
        lines = data.splitlines(keepends=True)
    return b"".join(line for line in lines
                    if not line.startswith((b"DATE", b"CHECKSUM", b"DATASUM", b"hips_release_date")))


def content(path):
    """The bytes of a file, or the files of a folder in one, without dates."""
    if not path.is_dir():
        return without_date(path.read_bytes())
    return b"".join(bytes(file.relative_to(path)) + without_date(file.read_bytes())
                    for file in sorted(path.rglob("*")) if file.is_file())


def put_former(folder, out):
    """Replaces the output by a former one, which a run may replace in turn: (path, content)."""
    final = folder / out
    if out.endswith("/"):
        shutil.rmtree(final, ignore_errors=True)
        shutil.copytree(folder / "former", final)
    else:
        final.write_bytes(b"old")
    return final, content(final)


def size_of(path):
    """Bytes of a file, or of the largest file of a folder."""
    return max(file.stat().st_size for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file())


def litter(folder, temporary):
    """Files left beside the output and in the temporary folder."""
    return [p.name for p in folder.iterdir() if p.name.endswith(".part")] + [p.name for p in temporary.iterdir()]


class Account:
    def __init__(self):
        self.runs = collections.Counter()
        self.bad = []

    def note(self, series, faults, arguments):
        self.runs[series] += 1
        for fault in faults:
            self.bad.append((series, fault, " ".join(arguments)))
            print(f"FAIL {series}: {fault}: {' '.join(arguments)}", flush=True)


def work_of_children():
    """Processor time of all children that have ended, in seconds. Wall time depends on other programs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(arguments, environment, limit=None, timeout=PATIENCE):
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
                               preexec_fn=limit)
    try:
        out, error = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, ""
    return process.returncode, error.decode(errors="replace")


def processor_time(pid):
    """Seconds that a process has worked so far; 0 if it is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupts(binary, folder, temporary, environment, count, chance, account):
    commands = command_lines(binary, folder)
    whole, seconds = {}, {}
    for name, (arguments, out) in commands.items():
        start = time.monotonic()
        status, error = run([binary, *arguments, "--overwrite"], environment, timeout=10 * PATIENCE)
        seconds[name] = time.monotonic() - start
        if status != 0:
            raise SystemExit(f"{name}: status {status}: {error}")
        whole[name] = content(folder / out)
    slowest = 0.0
    ended = work_of_children()
    for number in range(count):
        name = chance.choice(list(commands))
        arguments, out = commands[name]
        final, former = put_former(folder, out)
        sent = chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        process = subprocess.Popen([binary, *arguments, "--overwrite"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=environment)
        time.sleep(chance.uniform(0, 1.1 * seconds[name]))
        start, before = time.monotonic(), processor_time(process.pid)
        process.send_signal(sent)
        error = process.communicate(timeout=PATIENCE)[1].decode(errors="replace")
        took = time.monotonic() - start
        worked = work_of_children() - ended - before
        ended = work_of_children()
        slowest = max(slowest, worked)
        found = content(final)
        faults = []
        if found not in (former, whole[name]):
            faults.append(f"the final name holds {len(found)} bytes that are neither")
        if sent != signal.SIGKILL:
            # Before its handler is installed, and after its work is done, the default action is right.
            if process.returncode not in (0, 130, -int(sent)):
                faults.append(f"status {process.returncode}: {error.strip()[-200:]}")
            if process.returncode in (0, 130) and litter(folder, temporary):
                faults.append(f"left behind: {litter(folder, temporary)}")
            if before > 0 and worked > 1:
                faults.append(f"worked for {worked:.1f} s more, and took {took:.1f} s to end")
        for path in [*folder.glob("*.part"), *temporary.iterdir()]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        account.note("interrupts", faults, arguments)
        if number % 100 == 99:
            print(f"interrupts: {number + 1} of {count}", flush=True)
    return slowest, collections.Counter()


def full_disks(binary, folder, temporary, environment, count, chance, account):
    commands = command_lines(binary, folder)
    sizes = {}
    for number in range(count):
        name = chance.choice(list(commands))
        arguments, out = commands[name]
        if name not in sizes:
            put_former(folder, out)
            run([binary, *arguments, "--overwrite"], environment, timeout=10 * PATIENCE)
            sizes[name] = size_of(folder / out)
        size = sizes[name]
        limit = chance.randrange(0, size)
        final, former = put_former(folder, out)
        status, error = run([binary, *arguments, "--overwrite"], environment,
                            lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        faults = []
        if status != 1:
            faults.append(f"status {status} at {limit} of {size} bytes")
        if content(final) != former:
            faults.append("the old file is lost")
        if error.count("\n") != 1:
            faults.append(f"not one line: {error[-300:]!r}")
        if litter(folder, temporary):
            faults.append(f"left behind: {litter(folder, temporary)}")
        account.note("full disk", faults, arguments)
        if number % 100 == 99:
            print(f"full disk: {number + 1} of {count}", flush=True)
    return 0.0, collections.Counter()


def damage(data, chance):
    """Applies one kind of damage to a file."""
    data = bytearray(data)
    kind = chance.randrange(7)
    if kind == 0:
        return bytes(data[:chance.randrange(len(data))])
    if kind == 1:
        for _ in range(chance.randrange(1, 40)):
            data[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == 2:  # changes a number in a header
        at = data.find(b"=", chance.randrange(min(len(data), 8640)))
        if at >= 0:
            data[at + 1:at + 21] = b"%20s" % chance.choice([b"-1", b"0", b"9223372036854775807", b"1000000000",
                                                             b"1E300", b"'1024E'", b"T", b"4294967296"])
    elif kind == 3:
        at, length = chance.randrange(len(data)), chance.randrange(1, 5760)
        data[at:at + length] = bytes(len(data[at:at + length]))
    elif kind == 4:
        at, to = chance.randrange(len(data)), chance.randrange(len(data))
        data[to:to + 80] = data[at:at + 80]
    elif kind == 5:  # replaces a number of a text by one that is not finite, too large, or of the wrong kind
        numbers = list(re.finditer(rb"[-+]?[0-9]+(\.[0-9]+)?", data))
        if numbers:
            for found in sorted(chance.sample(numbers, min(3, len(numbers))), key=re.Match.start, reverse=True):
                data[found.start():found.end()] = chance.choice(
                    [b"nan", b"inf", b"-1", b"1e400", b"99999999999999999999", b"", b"x", b"2147483648", b"-0"])
    else:  # replaces numbers by NaN, an infinity or extreme values, in both byte orders
        for _ in range(chance.randrange(1, 20)):
            value = chance.choice([float("nan"), float("inf"), -1.0, 1e300, 5e-324])
            word = struct.pack(chance.choice("<>") + "d", value)
            if chance.random() < 0.3:
                word = struct.pack(chance.choice("<>") + "q", chance.choice([-1, 2**31, 2**62, 2**63 - 1]))
            at = chance.randrange(len(data)) // 4 * 4
            data[at:at + 8] = word
    return bytes(data)


def intact_files(binary, folder):
    """Small files of each kind that is read: {file: command lines}, with IN for the file and OUT.SUFFIX for the result."""
    here = lambda name: str(folder / name)

    def make(*arguments):
        done = subprocess.run([binary, *map(str, arguments), "--overwrite", "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr}")

    command_lines(binary, folder)
    make("sample", here("tiny.fits"), "--nside", 8)
    make("anafast", here("map.fits"), here("cl.txt"))
    make("mask", here("tiny.fits"), here("tiny-mask.fits"), "--above", 0)
    make("moc", here("tiny-mask.fits"), here("tiny-moc.fits"))
    for suffix in (".txt", ".json"):
        make("moc", here("tiny-mask.fits"), here("tiny-moc" + suffix))
    for suffix in (".hsp", ".hdf5"):
        make("convert", here("tiny.fits"), here("tiny" + suffix))
    make("convert", here("tiny.fits"), here("packed.fits.gz"), "--sparse")
    make("project", here("tiny.fits"), here("image.fits"), "--size", "60x30")
    make("anafast", here("tiny.fits"), here("bands.fits"), "--bins", 4)
    for suffix in (".csv", ".ecsv", ".vot", ".parquet", ".reg"):
        make("convert", here("cat.fits"), here("cat" + suffix))
    values = folder / "tiny.npy"
    shape = b"{'descr': '<f8', 'fortran_order': False, 'shape': (192,), }"
    values.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + shape.ljust(117) + b"\n" +
                       struct.pack("<192d", *range(192)))
    of_map = [["info", "IN"], ["smooth", "IN", "OUT.fits", "--fwhm", "10deg"], ["render", "IN", "OUT.png"],
              ["calc", "A + 1", "OUT.fits", "--let", "A=IN"], ["stats", "IN", "OUT.csv"], ["convert", "IN", "OUT.hsp"],
              ["lookup", "IN", here("cat.fits"), "OUT.csv", "--input-frame", "G"], ["convert", "IN", "OUT.fits", "--nside", "4"]]
    of_catalog = [["info", "IN"], ["convert", "IN", "OUT.fits"],
                  ["correlate", "IN", "OUT.fits", "--bins", "1deg,10deg,3", "--estimator", "natural", "--random",
                   here("cat.fits")],
                  ["match", "IN", here("cat.fits"), "OUT.parquet", "--radius", "1deg"],
                  ["select", "IN", "OUT.csv", "--where", "SNR > 5"], ["count", "IN", "OUT.fits", "--nside", "8"],
                  ["lookup", here("tiny.fits"), "IN", "OUT.csv"], ["mask", "OUT.fits", "--nside", "8", "--catalog", "IN",
                                                                   "--radius", "2deg"]]
    of_coverage = [["info", "IN"], ["moc", "IN", "OUT.json", "--complement"], ["select", here("cat.fits"), "OUT.csv",
                                                                              "--inside", "IN"],
                   ["mask", "OUT.fits", "--nside", "8", "--moc", "IN"]]
    of_spectrum = [["info", "IN"], ["synfast", "IN", "OUT.fits", "--nside", "8"], ["render", "IN", "OUT.svg"],
                   ["convert", "IN", "OUT.csv"]]
    return {
        **{here(name): of_map for name in ("tiny.fits", "tiny.hsp", "tiny.hdf5", "tiny.npy", "packed.fits.gz")},
        **{here("cat" + suffix): of_catalog for suffix in (".fits", ".csv", ".ecsv", ".vot", ".parquet")},
        **{here("tiny-moc" + suffix): of_coverage for suffix in (".fits", ".txt", ".json")},
        **{here(name): of_spectrum for name in ("cl.fits", "cl.txt")},
        here("bands.fits"): [use for use in of_spectrum if use[0] != "synfast"],
        here("tiny-mask.fits"): of_map + [["anafast", here("tiny.fits"), "OUT.fits", "--mask", "IN", "--decouple", "--bins", "4"]],
        here("image.fits"): [["info", "IN"], ["render", "IN", "OUT.png"], ["convert", "IN", "OUT.fits", "--nside", "8"],
                             ["project", here("tiny.fits"), "OUT.fits", "--like", "IN"]],
        here("alm.fits"): [["info", "IN"], ["alm2map", "IN", "OUT.fits", "--nside", "8"], ["anafast", "IN", "OUT.txt"],
                           ["alm", "IN", "OUT.fits", "--frame", "C"]],
        here("cat.reg"): [["stats", here("tiny.fits"), "OUT.csv", "--regions", "IN"],
                          ["select", here("cat.fits"), "OUT.csv", "--inside", "IN"],
                          ["mask", "OUT.fits", "--nside", "8", "--regions", "IN"]],
    }


def command_line(use, file, folder):
    """Arguments of a command line of intact_files for a file, and the output or None."""
    arguments = [word.replace("IN", str(file)) if word in ("IN", "A=IN") else word for word in use]
    out = next((folder / word.replace("OUT", "out") for word in use if word.startswith("OUT.")), None)
    arguments = [str(out) if word.startswith("OUT.") else word for word in arguments]
    return arguments + (["--overwrite"] if out else []), out


def damaged(binary, folder, temporary, environment, count, chance, account):
    files = intact_files(binary, folder)
    for seed, uses in files.items():
        for use in uses:
            arguments, out = command_line(use, seed, folder)
            status, error = run([binary, *arguments], environment)
            if status != 0:
                raise SystemExit(f"{' '.join(arguments)}: status {status} with the intact file: {error}")

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    slowest = 0.0
    statuses = collections.Counter()
    for number in range(count):
        seed = pathlib.Path(chance.choice(list(files)))
        use = chance.choice(files[str(seed)])
        broken = folder / ("broken" + "".join(seed.suffixes))
        data = seed.read_bytes()
        # The content of a packed file is damaged, since its packing would hide most damage.
        if seed.suffix == ".gz" and chance.random() < 0.7:
            broken.write_bytes(gzip.compress(damage(gzip.decompress(data), chance), 1))
        else:
            broken.write_bytes(damage(data, chance))
        former = b"the former content"
        arguments, out = command_line(use, broken, folder)
        if out:
            out.write_bytes(former)
        before = work_of_children()
        status, error = run([binary, *arguments], environment, limit)
        took = work_of_children() - before
        slowest = max(slowest, took)
        statuses[status] += 1
        faults = []
        if status not in (0, 1, 2):
            faults.append(f"status {status}")
        # Notes may precede the line of the failure; each begins with the name of the command.
        lines = error.rstrip("\n").split("\n")
        if status and (not lines[-1].startswith("armilla ") or
                       any(not line.startswith("armilla ") for line in lines)):
            faults.append(f"not one line: {error[-300:]!r}")
        if status and out and out.read_bytes() != former:
            faults.append("the old file is lost")
        if took > 10:
            faults.append(f"worked for {took:.1f} s")
        if litter(folder, temporary):
            faults.append(f"left behind: {litter(folder, temporary)}")
        if faults:
            kept = folder.parent / f"damaged-{len(account.bad)}{''.join(seed.suffixes)}"
            shutil.copy(broken, kept)
            faults[0] += f" ({kept})"
        account.note("damaged files", faults, arguments)
        if number % 1000 == 999:
            print(f"damaged files: {number + 1} of {count}", flush=True)
    return slowest, statuses


SERIES = {"interrupts": interrupts, "full disk": full_disks, "damaged files": damaged}
# The length of each series at a release.
AT_A_RELEASE = {"interrupts": 1000, "full disk": 300, "damaged files": 10000}
# Series of other commands: name, what a release asks for.
OTHERS = {
    "fuzz": "damaged files under sanitizers: `./dev fuzz 60`",
    "monkey": "gestures in the window: `./dev monkey 120`, at least 200,000; memory at the end at most 5 % above that "
              "after 20 minutes",
    "day": "gestures for a day: `./dev monkey 1440`",
    "load": "window beside 8 busy loops: no wait above 100 ms",
}


def work_on(series, binary, count, seed):
    """Part of a series, in separate folders: (account, slowest, statuses)."""
    top = pathlib.Path(tempfile.mkdtemp(prefix="reliability-"))
    folder, temporary = top / "files", top / "temporary"
    folder.mkdir()
    temporary.mkdir()
    # Qt creates a runtime folder if the system provides none.
    environment = {"XDG_RUNTIME_DIR": str(top), **os.environ, "TMPDIR": str(temporary)}
    account = Account()
    slowest, statuses = SERIES[series](binary, folder, temporary, environment, count, random.Random(seed), account)
    if not account.bad:
        shutil.rmtree(top)
    return account, slowest, statuses


def row_of(series, runs, bad, note):
    wanted = AT_A_RELEASE[series]
    return f"| {series} | {runs}{f' of {wanted} at a release' if runs < wanted else ''} | {bad} | {', '.join(note)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--interrupts", type=int, default=AT_A_RELEASE["interrupts"])
    parser.add_argument("--full", type=int, default=AT_A_RELEASE["full disk"])
    parser.add_argument("--damaged", type=int, default=AT_A_RELEASE["damaged files"])
    parser.add_argument("--jobs", type=int, default=1, help="processes that share each series")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--page")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=TEXT",
                        help=f"result of a series of another command: {', '.join(OTHERS)}")
    options = parser.parse_args()
    also = dict(text.split("=", 1) for text in options.also)
    if also.keys() - OTHERS.keys():
        parser.error(f"--also: expected one of {', '.join(OTHERS)}, found {', '.join(also.keys() - OTHERS.keys())}")
    binary = str(pathlib.Path(options.binary).resolve())
    counts = {"interrupts": options.interrupts, "full disk": options.full, "damaged files": options.damaged}
    rows, faults = [], 0
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for series, count in counts.items():
            shares = [count // options.jobs + (i < count % options.jobs) for i in range(options.jobs)]
            done = [share.result() for share in
                    [pool.submit(work_on, series, binary, n, options.seed + 1000 * i)
                     for i, n in enumerate(shares) if n > 0]]
            if not done:
                rows.append(f"| {series} | not run, {AT_A_RELEASE[series]} at a release | | |")
                continue
            bad = sum(len(account.bad) for account, _, _ in done)
            runs = sum(account.runs[series] for account, _, _ in done)
            statuses = sum((share[2] for share in done), collections.Counter())
            slowest = max(share[1] for share in done)
            note = [f"{n} ended with {status}" for status, n in sorted(statuses.items(), key=str)]
            note += [f"at most {slowest:.2f} s of processor time"] if slowest > 0 else []
            rows.append(row_of(series, runs, bad, note))
            print(rows[-1], flush=True)
            faults += bad
    if options.page:
        version = subprocess.run([binary, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
        with open(options.page, "w") as page:
            page.write(PAGE.format(date=datetime.date.today(), version=version, seed=options.seed,
                                   rows="\n".join(rows),
                                   others="\n".join(f"| {text} | {also.get(name, 'not run')} |"
                                                    for name, text in OTHERS.items())))
    raise SystemExit(1 if faults else 0)


PAGE = """# Reliability

`./dev reliability` wrote this page on {date} ({version}, seed {seed}).

- *Interrupts*: command lines of the operations that write are stopped by SIGINT, SIGTERM or SIGKILL at a random time.
  A run passes if the final name holds its former content or the complete new file. After SIGINT and
  SIGTERM nothing else may remain, in the folder or among temporary files, and the program may work
  for at most a second more. That second is processor time of all threads, since wall time depends on
  other programs.
- *Full disk*: the same commands run out of space at a random part of their output. A run passes with
  status 1, one line, the former file untouched and nothing left behind.
- *Damaged files*: maps (FITS, HealSparse, NumPy), masks, coverage, images, catalogs (FITS, CSV, ECSV,
  VOTable, Parquet), regions, spectra and coefficients are cut off, overwritten, changed in the numbers
  of their headers, given numbers that are not finite or too large, or have pieces moved. `info` and the
  commands that read them must give a result or one line with status 1 or 2 and the former output
  untouched, within 10 s of processor time and 6 GB of address space.

| series | runs | faults | |
|---|---|---|---|
{rows}

Other commands test what follows. A series that was not run for this version is marked.

| series | result |
|---|---|
{others}
"""

if __name__ == "__main__":
    main()

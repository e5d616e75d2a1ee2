#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds tests that depend on the load of the machine: clocks, short timeouts, fixed sleeps.

A test asserts nothing about time except that nothing hangs (`support/patience.h`). Work that must be
bounded is counted. A wait is for a signal or a state, with `kPatience`. A fixed sleep needs a reason in
SLEEPS: it forces an order of threads, or it is the time in which something must not happen. Any longer
time must serve as well.
Exit status 1 and one line for each place; `--self-test` checks that each kind is found.
"""
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLOCKS_OF = "support/patience.h"
LEAST = 10000  # milliseconds
# Benchmarks, and the program that looks for hangs, measure times.
NOT_TESTS = ("bench/", "fuzz/", "monkey/loop_watch", "monkey/monkey_main", "ui/view_gallery")

CLOCK = re.compile(r"QElapsedTimer|QDeadlineTimer|\w+_clock::now|clock_gettime|gettimeofday|\belapsed\(\)|"
                   r"nsecsElapsed|QTime::currentTime|\bstd::time\(|\bclock\(\)")
PLAIN = re.compile(r"\bQTRY_(?:VERIFY2?|COMPARE(?:_[A-Z]{2})?|VERIFY_EXCEPTION_THROWN)\(|"
                   r"\bqWaitForWindow(?:Exposed|Active)\((?![^;]*kPatience)|"
                   r"\bwaitFor(?:Started|Finished|ReadyRead|Connected|Disconnected|BytesWritten)\(\)")
TIMED = re.compile(r"\b(?:QTRY_\w+_WITH_TIMEOUT|qWaitFor\w*|waitFor[A-Z]\w+|wait)(?=\()")
SLEEP = re.compile(r"\b(?:qWait|qSleep|sleep_for|sleep_until|usleep|nanosleep|msleep|sleep)\(")

# Reasons. All hold for longer sleeps as well, because a busy machine lengthens sleeps.
ORDER = "makes an order of threads likely that the test is about; any order passes"
NOTHING = "time in which something must not happen that nothing announces"
LOOKS = "time between two looks at a state, in a loop without an end of its own"
PAUSE = "a pause by the program's own clock, which has passed afterwards"
MOMENT = "an arbitrary moment in the midst of work"
# file: (number of sleeps, reasons)
SLEEPS = {
    "cli/tst_cli_endings.cpp": (2, [MOMENT]),
    "cli/tst_cli_ranks.cpp": (5, [LOOKS, PAUSE]),
    "compute/tst_in_turns.cpp": (3, [ORDER, LOOKS, PAUSE]),
    "compute/tst_order_shares_cuda.cpp": (1, [ORDER]),
    "compute/tst_ranks.cpp": (1, [ORDER]),
    "compute/tst_sht_shared.cpp": (1, [LOOKS]),
    "session/session_bench.h": (1, [LOOKS]),
    "session/tst_document.cpp": (2, [PAUSE]),
    "session/tst_interop.cpp": (1, [NOTHING]),
    "session/tst_job_runner.cpp": (5, [ORDER, LOOKS]),
    "session/tst_live_filter.cpp": (1, [ORDER]),
    "session/tst_live_loop.cpp": (1, [NOTHING]),
    "session/tst_live_smoothing.cpp": (2, [ORDER, PAUSE]),
    "session/tst_operations_on_layers.cpp": (1, [MOMENT]),
    "session/tst_session_files.cpp": (1, [MOMENT]),
    "session/tst_session_recovery.cpp": (3, [ORDER, NOTHING]),
    "session/tst_verdicts.cpp": (1, [NOTHING]),
    "ui/tst_exchange.cpp": (1, [NOTHING]),
    "ui/tst_inspector.cpp": (1, [NOTHING]),
    "ui/tst_panels.cpp": (1, [NOTHING]),
    "ui/tst_overlay_image.cpp": (6, [NOTHING]),
    "ui/tst_sky_pointer.cpp": (2, [MOMENT, LOOKS]),
    "ui/tst_sky_view.cpp": (2, [NOTHING]),
    "ui/tst_window_layout.cpp": (2, [LOOKS]),
    "ui/tst_window_room.cpp": (4, [LOOKS, NOTHING]),
    "ui/window_bench.h": (2, [LOOKS]),
}


def arguments(text, opening):
    """The text between the parenthesis at `opening` and its counterpart, split at outer commas."""
    depth, parts, start, quote, at = 0, [], opening + 1, "", opening
    while at < len(text):
        c = text[at]
        if quote:
            if c == "\\":
                at += 1
            elif c == quote:
                quote = ""
        elif c == '"' or (c == "'" and not text[at - 1].isalnum()):
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return parts + [text[start:at].strip()]
        elif c == "," and depth == 1:
            parts.append(text[start:at].strip())
            start = at + 1
        at += 1
    return parts


def without_comments(text):
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())  # noqa: E731
    return re.sub(r'(?<![:"])//[^\n]*|/\*.*?\*/', blank, text, flags=re.DOTALL)


def offences_in(name, text):
    text = without_comments(text)
    line = lambda at: text.count("\n", 0, at) + 1  # noqa: E731
    if not name.endswith(CLOCKS_OF):
        for found in CLOCK.finditer(text):
            yield line(found.start()), f"expected no clock, found {found.group()}"
    for found in PLAIN.finditer(text):
        yield line(found.start()), f"expected a wait of kPatience, found {found.group()}"
    for found in TIMED.finditer(text):
        last = (arguments(text, found.end()) or [""])[-1].replace("'", "")
        if last.isdigit() and int(last) < LEAST:
            yield line(found.start()), f"expected a wait of kPatience, found {last} ms"
    sleeps = [line(found.start()) for found in SLEEP.finditer(text)]
    known = SLEEPS.get(name, (0, []))[0]
    if len(sleeps) > known:
        yield sleeps[0], f"expected {known} fixed sleeps in this file, found {len(sleeps)} (wait for a state)"
    if len(sleeps) < known:
        yield 1, f"expected {known} fixed sleeps in this file, found {len(sleeps)} (lower the number in SLEEPS)"


def offences(root):
    for path in sorted((root / "tests").rglob("*")):
        name = path.relative_to(root / "tests").as_posix()
        if path.suffix not in {".h", ".cpp"} or name.startswith(NOT_TESTS):
            continue
        for number, words in sorted(offences_in(name, path.read_text())):
            yield f"tests/{name}:{number}: {words}"


def self_test():
    bad = ["QElapsedTimer timer;", "auto t = std::chrono::steady_clock::now();", "QVERIFY(t.elapsed() < 5);",
           "QTRY_VERIFY(done);", "QTRY_COMPARE(f(1, 2), 3);", "QTRY_VERIFY_WITH_TIMEOUT(f(1,\n 2), 5000);",
           "spy.wait(500);", "process.waitForFinished();", "process.waitForFinished(3'000);",
           "QVERIFY(QTest::qWaitForWindowExposed(&window));", "QTest::qWaitFor([&] { return f(); }, 1000);",
           "QTest::qWait(50);", "std::this_thread::sleep_for(1ms);"]
    good = ["QTRY_VERIFY_WITH_TIMEOUT(f(1, 2), kPatience);", "spy.wait(kPatience);", "thread.wait();",
            "process.waitForFinished(kPatience);", "QVERIFY(QTest::qWaitForWindowExposed(&window, kPatience));",
            "// QTest::qWait(50) is a fixed sleep", "QTest::qWaitFor(done, 10000);", 'row("a (b", 5, "c");']
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "tests/ui").mkdir(parents=True)
        for text in bad + good:
            (root / "tests/ui/tst_a.cpp").write_text(text + "\n")
            found = list(offences(root))
            assert len(found) == (1 if text in bad else 0), (text, found)


if sys.argv[1:] == ["--self-test"]:
    self_test()
    sys.exit(0)
found = list(offences(ROOT))
print("\n".join(found))
sys.exit(1 if found else 0)

// SPDX-License-Identifier: GPL-3.0-or-later
// Uses the window at random for some minutes (`./dev monkey`). Prints the seed of each round, every
// fault with the acts before it, and the memory in use after each round. Exit status 1 on a fault.
//
//   monkey MINUTES [--seed N] [--events N] [--hang MILLISECONDS] [--acts FILE] [--patient]
#include <execinfo.h>
#include <signal.h>
#include <unistd.h>

#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>

#include "monkey/monkey_files.h"
#include "monkey/monkey_run.h"

using namespace armilla::test;

namespace {

// The text that a crash prints; ready at any moment.
char lastActs[4096];

extern "C" void printLastActs(int number) {
    const char words[] = "\nmonkey: the program crashed; the last acts, latest first:\n";
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    (void)!write(STDERR_FILENO, lastActs, strnlen(lastActs, sizeof lastActs));
    void* frames[64];
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
    signal(number, SIG_DFL);
    raise(number);
}

void keepAct(const QByteArray& act) {
    const QByteArray all = (act + '\n' + QByteArray(lastActs)).left(sizeof lastActs - 1);
    std::memcpy(lastActs, all.constData(), static_cast<size_t>(all.size()) + 1);
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

// Growth of the memory in use between the first and the second half of the rounds, in MiB. The
// first two rounds fill caches that stay. None for fewer than eight rounds.
std::optional<double> growth(const std::vector<double>& rounds) {
    constexpr std::ptrdiff_t kWarm = 2;
    constexpr size_t kLeast = 8;
    if (rounds.size() < kLeast) return std::nullopt;
    const auto middle = static_cast<std::ptrdiff_t>(rounds.size()) / 2;
    return median({rounds.begin() + middle, rounds.end()}) -
           median({rounds.begin() + kWarm, rounds.begin() + middle});
}

}  // namespace

int main(int argc, char** argv) {
    QTemporaryDir folder;
    isolateUser(folder.path());
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    QCommandLineParser parser;
    const QCommandLineOption seedOption(QStringLiteral("seed"), {}, QStringLiteral("N"));
    const QCommandLineOption eventsOption(QStringLiteral("events"), {}, QStringLiteral("N"),
                                          QStringLiteral("2000"));
    const QCommandLineOption hangOption(QStringLiteral("hang"), {}, QStringLiteral("MS"),
                                        QStringLiteral("100"));
    const QCommandLineOption actsOption(QStringLiteral("acts"), {}, QStringLiteral("FILE"));
    const QCommandLineOption patientOption(QStringLiteral("patient"));
    parser.addOptions({seedOption, eventsOption, hangOption, actsOption, patientOption});
    parser.parse(arguments);
    bool isNumber = false;
    const double minutes = parser.positionalArguments().value(0).toDouble(&isNumber);
    if (!isNumber || minutes <= 0.0 || !parser.unknownOptionNames().isEmpty()) {
        std::fputs(
            "usage: monkey MINUTES [--seed N] [--events N] [--hang MS] [--acts FILE] [--patient]\n",
            stderr);
        return 2;
    }
    uint64_t seed = parser.isSet(seedOption) ? parser.value(seedOption).toULongLong()
                                             : std::random_device()() % 1000000;
    WatchedApplication application(argc, argv, parser.value(hangOption).toDouble());
    prepareApplication(application);
    application.watchDispatcher();
    for (const int number : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE}) signal(number, printLastActs);
    QFile actsFile(parser.value(actsOption));
    if (parser.isSet(actsOption) && !actsFile.open(QIODevice::WriteOnly)) return 2;

    const QString data = folder.filePath(QStringLiteral("data"));
    QDir().mkpath(data);
    QDir::setCurrent(data);
    MonkeyRound round;
    round.folder = data;
    round.isPatient = parser.isSet(patientOption);
    round.events = parser.value(eventsOption).toInt();
    std::vector<double> heap;
    int events = 0;
    qsizetype faults = 0;
    QElapsedTimer clock;
    clock.start();
    for (; clock.elapsed() < minutes * 60000.0; ++seed) {
        // The monkey may have overwritten its files.
        QDir(data).removeRecursively();
        QDir().mkpath(data);
        QDir::setCurrent(data);
        round.files = writeMonkeyFiles(data);
        round.seed = seed;
        keepAct("round of seed " + QByteArray::number(seed));
        const RoundReport report = runRound(application, round, [&](const QString& act) {
            keepAct(act.toUtf8());
            if (actsFile.isOpen()) {
                actsFile.write(QStringLiteral("%1 %2\n").arg(seed).arg(act).toUtf8());
                actsFile.flush();
            }
        });
        events += report.events;
        faults += report.faults.size();
        heap.push_back(report.heapMebibytes);
        std::printf(
            "seed %llu: %d events, %d tools, %d faults, %d shaders compiled, heap %.1f MiB, "
            "resident %.0f MiB\n",
            static_cast<unsigned long long>(seed), report.events,
            static_cast<int>(report.tools.size()), static_cast<int>(report.faults.size()),
            report.driverHangs, report.heapMebibytes, report.residentMebibytes);
        for (const QString& fault : report.faults) std::printf("  %s\n", qPrintable(fault));
        std::fflush(stdout);
    }
    constexpr double kMostGrowth = 32.0;  // MiB
    const std::optional<double> grown = growth(heap);
    std::printf("%d events in %zu rounds, %d faults, growth of memory ", events, heap.size(),
                static_cast<int>(faults));
    if (grown)
        std::printf("%.1f MiB\n", *grown);
    else
        std::printf("not measured\n");
    if (grown && *grown > kMostGrowth) {
        std::printf("expected memory in use to stay within %.0f MiB, found %.1f MiB more\n",
                    kMostGrowth, *grown);
        ++faults;
    }
    return faults > 0 ? 1 : 0;
}

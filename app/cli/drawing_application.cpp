// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/drawing_application.h"

#include <QGuiApplication>
#include <QHashFunctions>
#include <QSemaphore>
#include <QThreadPool>
#include <clocale>
#include <cstdlib>
#include <thread>

#include "armilla/core/memory_limit.h"

namespace armilla::cli {

namespace {

// Qt distributes painting over its thread pool and waits without end if the system grants no
// thread. One thread, started beforehand and kept, is enough.
void startPool() {
    std::thread([] {}).join();  // throws std::system_error in a case where Qt would wait
    QThreadPool* pool = QThreadPool::globalInstance();
    pool->setMaxThreadCount(1);
    pool->setExpiryTimeout(-1);
    QSemaphore runs;
    pool->start([&runs] { runs.release(); });
    runs.acquire();
}

}  // namespace

DrawingApplication::DrawingApplication()
    : DrawingApplication([](int& count, char** arguments) {
          return std::make_unique<QGuiApplication>(count, arguments);
      }) {}

DrawingApplication::DrawingApplication(const Make& make) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("LC_ALL", "C.UTF-8");
    qunsetenv("QT_SCALE_FACTOR");
    // GLib ends the program if it finds no memory, and figures do not need its event loop.
    qputenv("QT_NO_GLIB", "1");
    // The order of objects in a PDF depends on hashes; the seed makes it reproducible.
    QHashSeed::setDeterministicGlobalSeed();
    // Messages of Qt about the environment do not concern a figure; errors are exceptions.
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    // Without memory, Qt ends the program while it loads its platform (abort), and fontconfig while
    // it reads its files (segmentation fault). Both together take 20 MB at most on Debian.
    constexpr int64_t kBytesToStart = int64_t{32} << 20U;
    requireMemory("fonts", kBytesToStart);
    application_ = make(count_, arguments_);
    startPool();
    // Qt sets the locale; numbers in files need a decimal point.
    std::setlocale(LC_NUMERIC, "C");
}

}  // namespace armilla::cli

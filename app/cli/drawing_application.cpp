// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/drawing_application.h"

#include <QGuiApplication>
#include <QHashFunctions>
#include <QSemaphore>
#include <QThreadPool>
#include <clocale>
#include <cstdlib>
#include <thread>

namespace armilla::cli {

namespace {

// Qt shares what it paints among the threads of its pool and waits for them: for ever where the
// system grants no more threads. One thread that runs before it is needed, and stays, is enough.
void startPool() {
    std::thread([] {}).join();  // throws std::system_error where Qt would wait
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
    // Events of a figure need no GLib, which ends a program that it finds no memory for.
    qputenv("QT_NO_GLIB", "1");
    // The order of objects in a PDF follows that of hashes.
    QHashSeed::setDeterministicGlobalSeed();
    // Qt's remarks on the environment are no concern of a figure; what fails throws.
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    application_ = make(count_, arguments_);
    startPool();
    // Qt takes the locale over; numbers in files have a decimal point everywhere.
    std::setlocale(LC_NUMERIC, "C");
}

}  // namespace armilla::cli

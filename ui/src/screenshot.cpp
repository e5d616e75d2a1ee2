// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/screenshot.h"

#include <QApplication>
#include <QPixmap>
#include <QTimer>
#include <cstdio>

#include "ui/main_window.h"

namespace armilla {
namespace {

// The view refines its picture after the hand has rested, and spectra are asked for then; a window
// that was idle for this long changes no more.
constexpr int kSettleMilliseconds = 900;
constexpr int kLookMilliseconds = 100;

}  // namespace

void saveScreenshotWhenReady(MainWindow& window, const QString& path) {
    auto* timer = new QTimer(&window);
    timer->setInterval(kLookMilliseconds);
    auto idle = std::make_shared<int>(0);
    QObject::connect(timer, &QTimer::timeout, &window, [&window, path, timer, idle] {
        *idle = window.session().jobs().isIdle() ? *idle + kLookMilliseconds : 0;
        if (*idle < kSettleMilliseconds) return;
        timer->stop();
        const bool saved = window.grab().save(path);
        if (!saved) std::fprintf(stderr, "armilla: cannot write %s\n", qPrintable(path));
        QApplication::exit(saved ? 0 : 1);
    });
    timer->start();
}

}  // namespace armilla

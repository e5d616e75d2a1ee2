// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/ui/screenshot.h"

#include <QApplication>
#include <QLabel>
#include <QPixmap>
#include <QRegularExpression>
#include <QSlider>
#include <QTimer>
#include <cstdio>
#include <memory>
#include <utility>

#include "armilla/ui/main_window.h"
#include "panels/smooth_panel.h"
#include "panels/tool_dock.h"
#include "window/comparisons.h"
#include "window/window_panels.h"

namespace armilla {
namespace {

// The view refines its picture and requests spectra after a rest; a window that is idle for this
// long does not change any more.
constexpr int kSettleMilliseconds = 900;
constexpr int kLookMilliseconds = 100;

// Removes the times of this run, " · 5.3 ms", which would differ in the pictures of every build.
void hideTimes(const MainWindow& window) {
    static const QRegularExpression time(QStringLiteral(" · [0-9.]+ (?:ms|s|min)\\b"));
    for (auto* label : window.findChildren<QLabel*>())
        if (const QString text = label->text(); text.contains(time))
            label->setText(QString(text).remove(time));
    for (auto* dock : window.findChildren<ToolDock*>())
        if (const QString text = dock->status(); text.contains(time))
            dock->setStatus(QString(text).remove(time), ToolDock::StatusTone::Good);
}

}  // namespace

void saveScreenshotWhenReady(MainWindow& window, const QString& path, bool smoothed) {
    auto* timer = new QTimer(&window);
    timer->setInterval(kLookMilliseconds);
    auto idle = std::make_shared<int>(0);
    auto asked = std::make_shared<bool>(!smoothed);
    QObject::connect(timer, &QTimer::timeout, &window, [&window, path, timer, idle, asked] {
        *idle = window.session().jobs().isIdle() ? *idle + kLookMilliseconds : 0;
        if (*idle < kSettleMilliseconds) return;
        if (!std::exchange(*asked, true)) {
            *idle = 0;
            QSlider* slider = window.panels().smooth()->slider();
            slider->setValue(slider->value() + (slider->maximum() - slider->value()) / 4);
            return;
        }
        if (window.session().document().live() &&
            window.session().document().view().comparison() == Comparison::Single) {
            *idle = 0;
            return window.comparisons().compare(Comparison::Swipe);
        }
        timer->stop();
        // Builds that give the same bytes each time set this variable.
        if (qEnvironmentVariableIsSet("SOURCE_DATE_EPOCH")) hideTimes(window);
        const bool saved = window.grab().save(path);
        if (!saved) std::fprintf(stderr, "armilla: cannot write %s\n", qPrintable(path));
        QApplication::exit(saved ? 0 : 1);
    });
    timer->start();
}

}  // namespace armilla

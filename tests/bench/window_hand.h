// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated use of the slider of the smoothing tool: latency of the requested pictures, and its
// parts between latency marks.
#pragma once

#include <QElapsedTimer>
#include <QJsonObject>
#include <QTimer>
#include <QWindow>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "armilla/session/live_preview.h"
#include "armilla/ui/main_window.h"
#include "armilla/ui/sky_view_widget.h"
#include "panels/smooth_panel.h"
#include "view/gl_canvas.h"
#include "window/window_panels.h"
#include "window_watch.h"

namespace armilla::bench {

// The native child window of OpenGL; null if the CPU draws.
inline GlCanvas* canvasOf(const MainWindow& window) {
    for (QWindow* child : window.windowHandle()->findChildren<QWindow*>())
        if (auto* canvas = qobject_cast<GlCanvas*>(child)) return canvas;
    return nullptr;
}

class WindowBench {
public:
    explicit WindowBench(MainWindow& window)
        : window_(window), document_(window.session().document()) {
        QObject::connect(window.skyView(), &SkyViewWidget::frameTimeChanged, &window,
                         [this] { ++frames_; });
    }
    // Time from `act` to the first frame after `ready` becomes true. `ready` is tested at each
    // change of the document, before the resulting frame; a later test might miss the frame, and at
    // rest there is no other.
    double untilPicture(const std::function<void()>& act, const std::function<bool()>& ready) {
        int before = -1;
        const auto look = [&] {
            if (before < 0 && ready()) before = frames_;
        };
        QObject watcher;
        QObject::connect(&document_, &Document::entriesChanged, &watcher, look);
        QObject::connect(&document_.drawings(), &LayerDrawings::drawableChanged, &watcher, look);
        QElapsedTimer timer;
        timer.start();
        double seconds = 0.0;
        QObject::connect(window_.skyView(), &SkyViewWidget::frameTimeChanged, &watcher, [&] {
            if (before >= 0 && seconds == 0.0)
                seconds = 1e-9 * static_cast<double>(timer.nsecsElapsed());
        });
        act();
        waitFor([&] { return seconds > 0.0; });
        return seconds;
    }
    bool isDrawn() const {
        const Layer* entry = document_.entry(document_.view().shown().entry);
        const auto drawn = document_.drawings().drawable(document_.view().shown());
        return entry && drawn && drawn->revision == entry->revision;
    }
    // Latency of the picture, and those of the live map and its drawable.
    struct Preview {
        double map = 0.0, drawable = 0.0, picture = 0.0;
    };
    Preview smoothedTo(double fwhm) {
        Preview preview;
        QElapsedTimer timer;
        const auto seconds = [&] { return 1e-9 * static_cast<double>(timer.nsecsElapsed()); };
        const auto come = QObject::connect(&document_, &Document::entriesChanged, [&] {
            if (preview.map == 0.0 && isLive(fwhm)) preview.map = seconds();
        });
        const auto drawn =
            QObject::connect(&document_.drawings(), &LayerDrawings::drawableChanged, [&] {
                if (preview.drawable == 0.0 && isLive(fwhm) && isDrawn())
                    preview.drawable = seconds();
            });
        timer.start();
        preview.picture = untilPicture([&] { window_.panels().smooth()->setFwhm(fwhm); },
                                       [&] { return isLive(fwhm) && isDrawn(); });
        QObject::disconnect(come);
        QObject::disconnect(drawn);
        return preview;
    }
    bool isLive(double fwhm) const {
        const Layer* live = document_.live();
        return live && live->recipe.smooth.fwhm == fwhm;
    }
    void waitUntilIdle() {
        // A full smoothing may be running.
        waitFor([&] { return window_.session().jobs().isIdle(); }, 4 * kPatience);
    }
    // The last picture must also be complete.
    void waitUntilAtRest() {
        waitFor([&] { return !window_.session().preview().isPreviewBusy(); }, 4 * kPatience);
        waitUntilIdle();
    }
    // The longest time between two pulses of the event loop while the full map is smoothed.
    double longestWait() {
        const Pulse pulse;
        window_.panels().smooth()->setFwhm(0.5 * kDegree);
        window_.session().preview().keepSmooth();
        waitUntilIdle();
        return pulse.longest();
    }

private:
    MainWindow& window_;
    Document& document_;
    int frames_ = 0;
};

// Latency from the slider to the fence of the frame, for widths over the whole slider. Each differs
// slightly from the previous one, so that each is computed.
class LiveBench {
public:
    // `suffix` is appended to the names of rows. `widths`: FWHM in arcmin.
    LiveBench(MainWindow& window, WindowBench& bench, std::string suffix,
              std::vector<double> widths)
        : window_(window), bench_(bench), suffix_(std::move(suffix)), widths_(std::move(widths)) {
        QObject::connect(&window.session().preview(), &LivePreview::livePresented, &window,
                         [this] { ++presented_; });
        if (const auto* canvas = canvasOf(window))
            QObject::connect(canvas, &GlCanvas::frameSwapped, &window, [this] { ++swaps_; });
    }
    // True if pictures stay on a device that also draws. The plan is warm afterwards.
    bool isPossible() {
        // The plan of a large map takes long.
        const bool couldBe = window_.skyView()->pathName().startsWith(QLatin1String("CUDA"));
        try {
            ask(1.0 * kDegree, couldBe ? kPlanPatience : kFramePatience);
            // Computed at rest for the next drag.
            bench_.waitUntilAtRest();
        } catch (const OutOfPatience&) {
            return false;
        }
        return true;
    }
    void onDevice(qint64 nside, int frames, Report& report) {
        for (const double arcmin : widths_) {
            std::vector<Asked> asked;
            try {
                for (int i = 0; i < kWarm; ++i) ask(widthOf(arcmin, i));
                const Pulse pulse;
                for (int i = kWarm; i < kWarm + frames; ++i)
                    asked.push_back(ask(widthOf(arcmin, i)));
                std::vector<double> seconds;
                for (const Asked& one : asked) seconds.push_back(one.seconds);
                QJsonObject made = liveRow(("window.live.device" + suffix_).c_str(), nside, arcmin,
                                           seconds, pulse);
                made["stops"] = marksOf(asked, arcmin);
                report.add(made);
                bench_.waitUntilIdle();
            } catch (const OutOfPatience& error) {
                std::fprintf(stderr, "bench_window: %.3g arcmin left out after %zu frames: %s\n",
                             arcmin, asked.size(), error.what());
            }
        }
    }
    // On the CPU, the latency of the first picture of a width; earlier refinements are cancelled.
    void onCpu(qint64 nside, Report& report) {
        constexpr int kAsks = 6;
        for (const double arcmin : widths_) {
            std::vector<double> seconds, work;
            try {
                const Pulse pulse;
                for (int i = 0; i < kAsks; ++i) {
                    const double before = cpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
                    seconds.push_back(bench_.smoothedTo(widthOf(arcmin, 10 * i)).picture);
                    work.push_back(cpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - before);
                    rest(100);
                }
                QJsonObject made =
                    liveRow(("window.live.cpu" + suffix_).c_str(), nside, arcmin, seconds, pulse);
                // CPU time of all threads until the picture is shown; half of that if two cores are
                // free.
                made["cpu_seconds"] = ranked(work, 1, 2);
                report.add(made);
            } catch (const OutOfPatience& error) {
                std::fprintf(stderr, "bench_window: %.3g arcmin left out after %zu pictures: %s\n",
                             arcmin, seconds.size(), error.what());
            }
        }
    }
    // A drag from 60 degrees to 1 arcmin and back, in steps of 4 ms. Records for each frame its
    // time, the latest requested width, and its latency: from the slider (on a device), or of the
    // drawing.
    void drag(const QString& file, bool onDevice) {
        constexpr double kSeconds = 8.0;
        std::FILE* const out = std::fopen(file.toLocal8Bit().constData(), "w");
        if (!out) throw std::runtime_error("expected to write " + file.toStdString());
        std::fputs("time_ms,fwhm_arcmin,frame_ms\n", out);
        QElapsedTimer timer;
        double arcmin = 3600.0;
        const auto note = [&](double milliseconds) {
            std::fprintf(out, "%.3f,%.6g,%.3f\n", 1e-6 * static_cast<double>(timer.nsecsElapsed()),
                         arcmin, milliseconds);
        };
        QObject watcher;
        if (onDevice)
            QObject::connect(&window_.session().preview(), &LivePreview::livePresented, &watcher,
                             note);
        else
            QObject::connect(window_.skyView(), &SkyViewWidget::frameTimeChanged, &watcher, note);
        QTimer hand;
        hand.setTimerType(Qt::PreciseTimer);
        QObject::connect(&hand, &QTimer::timeout, &watcher, [&] {
            const double at = 1e-9 * static_cast<double>(timer.nsecsElapsed()) / kSeconds;
            arcmin = 3600.0 * std::pow(3600.0, -(1.0 - std::abs(2.0 * std::min(at, 1.0) - 1.0)));
            window_.panels().smooth()->setFwhm(arcmin * kArcmin);
        });
        timer.start();
        hand.start(4);
        rest(static_cast<int>(1000 * kSeconds));
        hand.stop();
        rest(500);
        std::fclose(out);
    }

private:
    static constexpr int kWarm = 10, kFramePatience = 5000, kPlanPatience = 90000;
    static double widthOf(double arcmin, int i) {
        const double share = arcmin < 3000.0 ? 1.0 + 1e-4 * (i + 1) : 1.0 - 1e-4 * (i + 1);
        return arcmin * share * kArcmin;
    }
    static QJsonObject liveRow(const char* name, qint64 nside, double arcmin,
                               const std::vector<double>& seconds, const Pulse& pulse) {
        QJsonObject made = row(name, nside, seconds);
        made["fwhm_arcmin"] = arcmin;
        made["p99"] = ranked(seconds, 99, 100);
        made["longest_wait"] = pulse.longest();
        made["longest_work"] = pulse.longestWork();
        return made;
    }
    // Throws OutOfPatience if no live picture arrives.
    Asked ask(double fwhm, int patience = kFramePatience) {
        const int before = presented_, swapsBefore = swaps_;
        Asked asked;
        StopTime last = std::chrono::steady_clock::now();
        const StopTime began = last;
        QObject watcher;
        QObject::connect(&window_.session().preview(), &LivePreview::livePresented, &watcher, [&] {
            const LiveLatencyMarks& marks = window_.session().preview().liveMarks();
            for (size_t i = 0; i < std::size(kLegs); ++i) {
                const StopTime to =
                    kLegs[i].to ? marks.*kLegs[i].to : marks.frame.*kLegs[i].toOfFrame;
                asked.legs[i] = seconds(std::exchange(last, to), to);
            }
            asked.seconds = seconds(began, last);
            asked.swaps = swaps_ - swapsBefore;
        });
        window_.panels().smooth()->setFwhm(fwhm);
        waitFor([&] { return presented_ > before; }, patience);
        return asked;
    }
    MainWindow& window_;
    WindowBench& bench_;
    std::string suffix_;
    std::vector<double> widths_;
    int presented_ = 0, swaps_ = 0;
};

}  // namespace armilla::bench

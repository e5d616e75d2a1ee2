// SPDX-License-Identifier: GPL-3.0-or-later
// Work of the window besides pictures during a drag (a live map of another width and its sample,
// ten times a second). Measured without the device that computes pictures, in CPU time of the
// window's thread.
#pragma once

#include <QCoreApplication>
#include <QExposeEvent>
#include <QJsonObject>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "armilla/core/units.h"
#include "window_hand.h"

namespace armilla::bench {

class ToldBench {
public:
    ToldBench(MainWindow& window, WindowBench& bench)
        : window_(window), bench_(bench), document_(window.session().document()) {}

    // CPU time from the update to the following frames, compared with a frame without news. Names
    // of other widths need other plates, so updates of equal width measure the rest.
    void measure(qint64 nside, Report& report) {
        bench_.smoothedTo(1.0 * kDegree);
        bench_.waitUntilIdle();
        rest(1500);
        const Layer* live = document_.live();
        const auto drawn = document_.drawings().drawable(document_.view().shown());
        auto* const canvas = canvasOf(window_);
        if (!live || !drawn || !canvas) throw OutOfPatience("expected a live map over OpenGL");
        int frames = 0;
        const auto counting =
            QObject::connect(canvas, &GlCanvas::frameSwapped, canvas, [&] { ++frames; });
        const std::vector<double> still =
            works([&](int) { QCoreApplication::postEvent(canvas, new QExposeEvent(QRegion())); });
        const Told told{live->map, live->recipe, live->parent, document_.view().shown(), *drawn};
        frames = 0;
        const std::vector<double> one = works([&](int i) { tell(told, 1.0, 1.0 + 0.01 * i); });
        const int framesOfOne = frames;
        frames = 0;
        const std::vector<double> swept =
            works([&](int i) { tell(told, std::pow(60.0, 1.0 - i / (0.5 * kTicks)), 1.0); });
        QObject::disconnect(counting);
        const auto add = [&](const char* name, const std::vector<double>& work, int count) {
            QJsonObject made = row(name, nside, work);
            made["frames"] = static_cast<double>(count) / kTicks;
            report.add(made);
        };
        add("window.told.frame", still, kTicks);
        add("window.told.sample", one, framesOfOne);
        add("window.told.name", swept, frames);
    }

private:
    struct Told {
        std::shared_ptr<const HealpixMap> map;
        Recipe recipe;
        LayerId parent;
        Shown shown;
        DrawableField drawn;
    };
    static constexpr int kTicks = 60, kPeriod = 300;

    // Sends a map and its sample at once, as Session does for a live picture on a device.
    void tell(const Told& told, double degrees, double factor) {
        auto field = std::make_shared<DrawableField>(told.drawn);
        for (float& value : field->sortedSample) value *= static_cast<float>(factor);
        Recipe recipe = told.recipe;
        recipe.smooth.fwhm = degrees * kDegree;
        const LayerId id = document_.liveLayer().set(
            told.map,
            QStringLiteral("smoothed %1")
                .arg(QString::fromStdString(formatAngle(degrees * kDegree))),
            recipe, told.parent);
        field->revision = document_.entry(id)->revision;
        document_.drawings().setDrawable(told.shown, std::move(field));
    }
    template <class Act>
    static std::vector<double> works(const Act& act) {
        std::vector<double> work;
        for (int i = 0; i < kTicks; ++i) {
            const double before = cpuSeconds(CLOCK_THREAD_CPUTIME_ID);
            act(i);
            rest(kPeriod);
            work.push_back(cpuSeconds(CLOCK_THREAD_CPUTIME_ID) - before);
        }
        return work;
    }

    MainWindow& window_;
    WindowBench& bench_;
    Document& document_;
};

}  // namespace armilla::bench

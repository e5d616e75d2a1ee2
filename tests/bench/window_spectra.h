// SPDX-License-Identifier: GPL-3.0-or-later
// Latency of the spectrum outside a mask: from a new setting to the first and to the exact
// spectrum.
#pragma once

#include <QElapsedTimer>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "armilla/core/units.h"
#include "armilla/session/live_spectrum.h"
#include "armilla/session/session.h"
#include "window_hand.h"

namespace armilla::bench {

class SpectraBench {
public:
    explicit SpectraBench(MainWindow& window)
        : session_(window.session()), spectrum_(session_.spectrum()) {}

    // A row for each setting, which takes `steps` values one after another. The first spectrum
    // makes the coefficients, the mask and the coupling matrix.
    void measure(qint64 nside, int lmax, int steps, Report& report) {
        const auto add = [&](const std::string& name, const std::vector<Times>& times) {
            std::vector<double> first, exact;
            for (const Times& one : times) {
                first.push_back(one.first);
                exact.push_back(one.exact);
            }
            report.add(row((name + ".first").c_str(), nside, first));
            report.add(row(name.c_str(), nside, exact));
            // Stages of the exact spectra, and all else: queues, signals, the panel.
            std::map<std::string, std::vector<double>> stages;
            for (const Times& one : times) {
                double rest = one.exact;
                for (const auto& [step, seconds] : one.steps) {
                    stages[step].push_back(seconds);
                    rest -= seconds;
                }
                stages["preview and the rest"].push_back(rest);
            }
            for (const auto& [step, seconds] : stages)
                report.add(row((name + ": " + step).c_str(), nside, seconds));
        };
        add("window.spectrum.opened", {timesOf(settings(lmax, 20.0, 30, 10.0))});
        const auto swept = [&](const std::string& name,
                               const std::function<SpectrumSettings(int)>& at) {
            timesOf(at(0));
            std::vector<Times> times;
            for (int i = 1; i <= steps; ++i) times.push_back(timesOf(at(i)));
            add("window.spectrum." + name, times);
        };
        swept("beam", [&](int i) { return settings(lmax, 20.0, 30, 10.0 + i); });
        swept("bins", [&](int i) { return settings(lmax, 20.0, 30 + i, 10.0); });
        swept("latitude", [&](int i) { return settings(lmax, 20.0 + i, 30, 10.0); });
    }

private:
    // In seconds.
    struct Times {
        double first = 0.0, exact = 0.0;
        std::map<std::string, double> steps;  // stages of the exact spectrum
    };

    // Band powers outside a cut in latitude (degrees), decoupled, of a beam in arcmin.
    static SpectrumSettings settings(int lmax, double latitude, int bins, double beam) {
        return {.latitude = latitude * kDegree,
                .options = {{"lmax", std::to_string(lmax)},
                            {"bins", std::to_string(bins)},
                            {"decouple", "true"},
                            {"fwhm", std::to_string(beam) + "arcmin"}}};
    }

    Times timesOf(const SpectrumSettings& settings) {
        waitFor([&] { return session_.jobs().isIdle(); }, 4 * kPatience);
        Times times;
        QElapsedTimer timer;
        const auto come =
            QObject::connect(&spectrum_, &LiveSpectrum::ready, [&](const SpectrumResult& result) {
                const double now = 1e-9 * static_cast<double>(timer.nsecsElapsed());
                if (times.first == 0.0) times.first = now;
                if (result.preview) return;
                times.exact = now;
                times.steps = result.steps;
            });
        const auto failed =
            QObject::connect(&spectrum_, &LiveSpectrum::failed,
                             [&](int, const QString& line) { failure_ = line.toStdString(); });
        timer.start();
        spectrum_.request(session_.document().view().shown(), settings);
        waitFor([&] { return times.exact > 0.0 || !failure_.empty(); }, 4 * kPatience);
        QObject::disconnect(come);
        QObject::disconnect(failed);
        if (!failure_.empty()) throw std::runtime_error(failure_);
        return times;
    }

    Session& session_;
    LiveSpectrum& spectrum_;
    std::string failure_;
};

}  // namespace armilla::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/in_turns.h"

#include <string_view>
#include <utility>
#include <vector>

#include "sht/several/side_by_side.h"

namespace armilla {

namespace {

JobContext partOf(const JobContext& job, size_t i, size_t count) {
    const auto all = static_cast<double>(count);
    return job.part(static_cast<double>(i) / all, static_cast<double>(i + 1) / all);
}

}  // namespace

void inTurns(size_t groups, Copies copies, JobContext& job, const GroupWork& work) {
    if (copies == Copies::InTurn) {
        for (size_t i = 0; i < groups; ++i) {
            JobContext part = partOf(job, i, groups);
            work.upload(i, part);
            work.transform(i, part);
            work.download(i, part);
        }
        return;
    }
    // In step i, group i is uploaded, group i - 1 transformed, and group i - 2 downloaded.
    for (size_t i = 0; i < groups + 2; ++i) {
        const bool comes = i < groups;
        const bool works = i > 0 && i <= groups;
        const bool goes = i > 1;
        // A transform takes one thread of the host, which keeps the device busy.
        const int left = job.threads() - (works ? 1 : 0);
        const int threads = std::max(1, comes && goes ? left / 2 : left);
        using Work = std::function<void(const std::stop_token&, const Advance&)>;
        std::vector<Work> all;
        const auto copying = [&](const GroupWork::Step& step, size_t group) {
            all.emplace_back([&step, group, threads](const std::stop_token& stop, const Advance&) {
                JobContext own(stop, {}, threads);
                step(group, own);
            });
        };
        if (comes) copying(work.upload, i);
        if (goes) copying(work.download, i - 2);
        if (works)
            all.emplace_back([&](const std::stop_token& stop, const Advance& advance) {
                double before = 0.0;
                const auto report = [&](double done, std::string_view) {
                    advance(done - std::exchange(before, done));
                };
                JobContext own(stop, report, threads);
                work.transform(i - 1, own);
            });
        const double here = i == 0 ? 0.0 : 1.0;
        JobContext part = works ? partOf(job, i - 1, groups) : job.part(here, here);
        sideBySide(all.size(), part, "maps of a batch",
                   [&](size_t k, const std::stop_token& stop, const Advance& advance) {
                       all[k](stop, advance);
                   });
    }
}

}  // namespace armilla

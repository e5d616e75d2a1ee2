// SPDX-License-Identifier: GPL-3.0-or-later
#include "sht/plan/in_turns.h"

#include <vector>

#include "sht/plan/side_by_side.h"

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
    // In turn i: group i comes, i - 1 is transformed, i - 2 goes.
    for (size_t i = 0; i < groups + 2; ++i) {
        const bool comes = i<groups, works = i> 0 && i <= groups, goes = i > 1;
        std::vector<std::function<void(JobContext&)>> all;
        if (comes) all.emplace_back([&](JobContext& own) { work.upload(i, own); });
        if (goes) all.emplace_back([&](JobContext& own) { work.download(i - 2, own); });
        if (works) all.emplace_back([&](JobContext& own) { work.transform(i - 1, own); });
        JobContext part = partOf(job, i, groups + 2);
        // A transform takes one thread of the host, which keeps the device busy.
        const int left = job.threads() - (works ? 1 : 0);
        const int threads = std::max(1, comes && goes ? left / 2 : left);
        sideBySide(all.size(), part, "maps of a batch",
                   [&](size_t k, const std::stop_token& stop, const Advance&) {
                       JobContext own(stop, {}, threads);
                       all[k](own);
                   });
    }
}

}  // namespace armilla

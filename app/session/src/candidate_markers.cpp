// SPDX-License-Identifier: GPL-3.0-or-later
#include "candidate_markers.h"

#include <utility>

#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/row_verdicts.h"
#include "rows_at_once.h"

namespace armilla {

namespace {

const QString kMarkerSlot = QStringLiteral("review-markers");

}  // namespace

CandidateMarkers::CandidateMarkers(Document& document, const RowVerdicts& verdicts, JobRunner& jobs)
    : document_(document), verdicts_(verdicts), jobs_(jobs) {}

void CandidateMarkers::draw(LayerId id, const std::shared_ptr<const Catalog>& catalog,
                            const std::vector<int64_t>& rows) {
    if (const LayerId before = std::exchange(layer_, id); before.isValid() && before != id)
        document_.drawings().setMarkerGroups(before, {});
    const Layer* layer = document_.entry(layer_);
    if (!layer || !catalog) return;
    struct Group {
        MarkerStyle style;
        std::vector<int64_t> rows;
    };
    std::vector<Group> groups(4);
    for (Group& group : groups) group.style = layer->style.marker;
    groups[1].style.color = {0x4c, 0xd9, 0x7b, 0xff};
    groups[2].style.color = {0xff, 0x6b, 0x6b, 0xff};
    groups[2].style.shape = MarkerShape::Cross;
    groups[3].style.color = {0x7a, 0xb8, 0xff, 0xff};
    groups[3].style.shape = MarkerShape::Diamond;
    for (const int64_t row : rows) {
        const Judgement* judged = verdicts_.judgement(row);
        groups[judged ? static_cast<size_t>(judged->verdict) : 0].rows.push_back(row);
    }
    const auto make = [groups, catalog](JobContext& job) {
        std::vector<MarkerGroup> made;
        for (const Group& group : groups)
            if (!group.rows.empty())
                made.push_back({MarkerSet::build(*catalog, group.rows, job), group.style});
        return made;
    };
    if (static_cast<int64_t>(rows.size()) <= kRowsAtOnce) {
        jobs_.cancelSlot(kMarkerSlot);
        JobContext job;
        document_.drawings().setMarkerGroups(layer_, make(job));
        return;
    }
    jobs_.run<std::vector<MarkerGroup>>(tr("Markers"), JobLane::Preview, kMarkerSlot, this, make,
                                        [this, id = layer_](std::vector<MarkerGroup> made) {
                                            if (id == layer_)
                                                document_.drawings().setMarkerGroups(
                                                    id, std::move(made));
                                        });
}

}  // namespace armilla

#include "moc_candidate_markers.cpp"

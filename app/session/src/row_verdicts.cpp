// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/row_verdicts.h"

#include <cmath>
#include <utility>

#include "armilla/core/pixel_queries.h"
#include "armilla/core/seen_frame.h"
#include "armilla/session/job_runner.h"
#include "rows_at_once.h"

namespace armilla {

namespace {

const QString kPlacesSlot = QStringLiteral("review-places");
const QString kAssignSlot = QStringLiteral("review-verdicts");
// Match radius without a beam: positions of a file read again differ only by rounding.
constexpr double kPlainRadius = kArcmin;

}  // namespace

RowVerdicts::RowVerdicts(VerdictBook& book, JobRunner& jobs, QObject* parent)
    : QObject(parent), book_(book), jobs_(jobs) {
    connect(&jobs_, &JobRunner::jobCancelled, this, [this](int job) {
        if (job == placesJob_) placesJob_ = -1;
        if (job == assignJob_) assignJob_ = -1;
    });
    connect(&book_, &VerdictBook::changed, this, [this](const std::vector<int64_t>& ids) {
        if (isAssigned_ && !ids.empty() && ids.size() <= kAtOnce)
            reassign(ids);
        else
            assign();
        emit changed();
    });
}

void RowVerdicts::setCatalog(std::shared_ptr<const Catalog> catalog, LayerId subject,
                             std::optional<double> beam) {
    catalog_ = std::move(catalog);
    subject_ = subject;
    beam_ = beam;
    made_ = {};
    findPlaces();
    assign();
}

void RowVerdicts::setSubject(LayerId subject, std::optional<double> beam) {
    subject_ = subject;
    beam_ = beam;
    made_ = {};
    assign();
    emit changed();
}

const Judgement* RowVerdicts::judgement(int64_t row) const {
    const auto taken = made_.judgementOf.find(row);
    if (taken == made_.judgementOf.end()) return nullptr;
    const auto found = book_.all().find(taken->second);
    return found == book_.all().end() ? nullptr : &found->second;
}

void RowVerdicts::findPlaces() {
    jobs_.cancelSlot(kPlacesSlot);
    placesJob_ = -1;
    all_.reset();
    if (!catalog_) return;
    if (catalog_->rows() <= kRowsAtOnce) {
        JobContext job;
        all_ = MarkerSet::build(*catalog_, job);
        return;
    }
    placesJob_ = jobs_.run<std::shared_ptr<const MarkerSet>>(
        tr("Places of candidates"), JobLane::Preview, kPlacesSlot, this,
        [catalog = catalog_](JobContext& job) { return MarkerSet::build(*catalog, job); },
        [this, catalog = catalog_](const std::shared_ptr<const MarkerSet>& set) {
            if (catalog != catalog_) return;
            placesJob_ = -1;
            all_ = set;
            assign();
            emit changed();
        },
        [this](const QString& line) {
            placesJob_ = -1;
            emit refused(line);
        });
}

bool RowVerdicts::isReady() {
    if (all_ && isAssigned_) return true;
    if (catalog_ && !all_ && placesJob_ < 0) findPlaces();
    if (all_ && assignJob_ < 0) assign();
    if (all_ && isAssigned_) return true;
    emit refused(tr("the places of the candidates are looked through: in a moment"));
    return false;
}

double RowVerdicts::matchRadius() const {
    return beam_ ? 0.5 * *beam_ : kPlainRadius;
}

RowVerdicts::Rows RowVerdicts::rows() const {
    return {catalog_, all_, subject_, matchRadius()};
}

// Assigns all decisions of the book. The earlier assignment stands until a job has made the other.
void RowVerdicts::assign() {
    jobs_.cancelSlot(kAssignSlot);
    assignJob_ = -1;
    isAssigned_ = false;
    if (!all_) return;
    if (book_.all().size() <= kAtOnce) {
        made_ = {};
        for (const auto& [id, judged] : book_.all()) rows().assign(judged, made_);
        isAssigned_ = true;
        return;
    }
    assignJob_ = jobs_.run<std::shared_ptr<Assignment>>(
        tr("Verdicts of candidates"), JobLane::Preview, kAssignSlot, this,
        [rows = rows(), book = book_.snapshot()](JobContext& job) {
            auto made = std::make_shared<Assignment>();
            for (const VerdictPart& part : book) {
                job.poll();
                for (const Judgement& judged : *part) rows.assign(judged, *made);
            }
            return made;
        },
        [this](const std::shared_ptr<Assignment>& made) {
            assignJob_ = -1;
            made_ = std::move(*made);
            isAssigned_ = true;
            emit changed();
        },
        [this](const QString& line) {
            assignJob_ = -1;
            emit refused(line);
        });
}

// A decision keeps its position while it is in the book.
void RowVerdicts::reassign(const std::vector<int64_t>& ids) {
    for (const int64_t id : ids) {
        const bool isKnown = made_.claimOf.contains(id) || made_.orphans.contains(id);
        const auto judged = book_.all().find(id);
        if (isKnown && judged == book_.all().end())
            made_.remove(id);
        else if (!isKnown && judged != book_.all().end())
            rows().assign(judged->second, made_);
    }
}

// Each decision goes to the nearest row within half a beam.
void RowVerdicts::Rows::assign(const Judgement& judged, Assignment& to) const {
    if (judged.subject != subject) return;
    const Vec3 place = seenRotation(catalog->frame(), judged.frame) * judged.place;
    std::optional<Claim> claim;
    if (const auto row = places->nearest(place, radius))
        claim = Claim{*row, angularDistance(place, direction(catalog->at(*row))), judged.id};
    to.add(judged.id, claim);
}

void RowVerdicts::Assignment::add(int64_t id, const std::optional<Claim>& claim) {
    if (!claim) {
        orphans.insert(id);
        return;
    }
    claimOf[id] = *claim;
    claims.insert(*claim);
    settle(claim->row);
}

void RowVerdicts::Assignment::remove(int64_t id) {
    orphans.erase(id);
    const auto held = claimOf.find(id);
    if (held == claimOf.end()) return;
    const int64_t row = held->second.row;
    claims.erase(held->second);
    claimOf.erase(held);
    settle(row);
}

void RowVerdicts::Assignment::settle(int64_t row) {
    judgementOf.erase(row);
    for (auto at = claims.lower_bound({row, 0.0, 0}); at != claims.end() && at->row == row; ++at)
        if (judgementOf.try_emplace(row, at->id).second)
            orphans.erase(at->id);
        else
            orphans.insert(at->id);
}

std::vector<Judgement> RowVerdicts::orphans(size_t most) const {
    std::vector<Judgement> result;
    for (const int64_t id : made_.orphans) {
        if (result.size() >= most) break;
        if (const auto found = book_.all().find(id); found != book_.all().end())
            result.push_back(found->second);
    }
    return result;
}

bool RowVerdicts::hasPlace(int64_t row) const {
    const LonLat at = catalog_->at(row);
    return std::isfinite(at.lon) && std::isfinite(at.lat);
}

}  // namespace armilla

#include "armilla/session/moc_row_verdicts.cpp"

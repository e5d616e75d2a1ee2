// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns earlier decisions to rows by position.
#include <cmath>

#include "armilla/core/pixel_queries.h"
#include "armilla/core/seen_frame.h"
#include "armilla/session/job_runner.h"
#include "armilla/session/source_review.h"

namespace armilla {

namespace {

const QString kPlacesSlot = QStringLiteral("review-places");
// Match radius without a beam: positions of a file read again differ only by rounding.
constexpr double kPlainRadius = kArcmin;

}  // namespace

void SourceReview::findPlaces() {
    jobs_.cancelSlot(kPlacesSlot);
    placesJob_ = -1;
    all_.reset();
    if (!catalog_) return;
    if (catalog_->rows() <= kAtOnce) {
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
            rematch();
        },
        [this](const QString& line) {
            placesJob_ = -1;
            emit refused(line);
        });
}

// Before the positions exist, a row may have a decision that is not yet assigned.
bool SourceReview::hasPlaces() {
    if (all_) return true;
    if (catalog_ && placesJob_ < 0) findPlaces();
    if (!all_) emit refused(tr("the places of the candidates are looked through: in a moment"));
    return all_ != nullptr;
}

void SourceReview::rematch() {
    matchJudgements();
    if (sortColumn_ >= 0 && sortColumn_ < DecisionColumns) makeOrder();
    makeRows();
    emit judgementsChanged();
}

double SourceReview::matchRadius() const {
    return beam_ ? 0.5 * *beam_ : kPlainRadius;
}

// Each decision goes to the nearest row within half a beam. Each row gets the nearest of several
// decisions. An unassigned decision is an orphan.
void SourceReview::matchJudgements() {
    judgementOf_.assign(catalog_ ? static_cast<size_t>(catalog_->rows()) : 0, 0);
    claimOf_.clear();
    claims_.clear();
    orphans_.clear();
    if (!all_) return;
    for (const auto& [id, judged] : book_.all()) claim(id);
}

// A decision keeps its position while it is in the book.
void SourceReview::touchJudgements(const std::vector<int64_t>& ids) {
    if (!all_) return;
    for (const int64_t id : ids) {
        const auto held = claimOf_.find(id);
        const bool isKnown = held != claimOf_.end() || orphans_.contains(id);
        if (isKnown == book_.all().contains(id)) continue;
        if (!isKnown) {
            claim(id);
            continue;
        }
        orphans_.erase(id);
        if (held == claimOf_.end()) continue;
        const int64_t row = held->second.row;
        claims_.erase(held->second);
        claimOf_.erase(held);
        settle(row);
    }
}

void SourceReview::claim(int64_t id) {
    const Judgement& judged = book_.all().at(id);
    if (judged.subject != subject_) return;
    const Vec3 place = seenRotation(catalog_->frame(), judged.frame) * judged.place;
    const auto row = all_->nearest(place, matchRadius());
    if (!row) {
        orphans_.insert(id);
        return;
    }
    const Claim made{*row, angularDistance(place, direction(catalog_->at(*row))), id};
    claimOf_[id] = made;
    claims_.insert(made);
    settle(*row);
}

void SourceReview::settle(int64_t row) {
    int64_t& taken = judgementOf_[static_cast<size_t>(row)];
    taken = 0;
    for (auto at = claims_.lower_bound({row, 0.0, 0}); at != claims_.end() && at->row == row; ++at)
        if (taken == 0) {
            taken = at->id;
            orphans_.erase(at->id);
        } else {
            orphans_.insert(at->id);
        }
}

std::vector<Judgement> SourceReview::orphans() const {
    std::vector<Judgement> result;
    for (const int64_t id : orphans_)
        if (const auto found = book_.all().find(id); found != book_.all().end())
            result.push_back(found->second);
    return result;
}

bool SourceReview::hasPlace(int64_t row) const {
    const LonLat at = catalog_->at(row);
    return std::isfinite(at.lon) && std::isfinite(at.lat);
}

}  // namespace armilla

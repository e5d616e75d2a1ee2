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
// Match radius without a beam: positions of a file read again differ only by rounding.
constexpr double kPlainRadius = kArcmin;

}  // namespace

RowVerdicts::RowVerdicts(VerdictBook& book, JobRunner& jobs, QObject* parent)
    : QObject(parent), book_(book), jobs_(jobs) {
    connect(&jobs_, &JobRunner::jobCancelled, this, [this](int job) {
        if (job == placesJob_) placesJob_ = -1;
    });
    connect(&book_, &VerdictBook::changed, this, [this](const std::vector<int64_t>& ids) {
        if (ids.empty())
            assign();
        else
            reassign(ids);
        emit changed();
    });
}

void RowVerdicts::setCatalog(std::shared_ptr<const Catalog> catalog, LayerId subject,
                             std::optional<double> beam) {
    catalog_ = std::move(catalog);
    subject_ = subject;
    beam_ = beam;
    findPlaces();
    assign();
}

void RowVerdicts::setSubject(LayerId subject, std::optional<double> beam) {
    subject_ = subject;
    beam_ = beam;
    assign();
    emit changed();
}

const Judgement* RowVerdicts::judgement(int64_t row) const {
    if (row < 0 || row >= static_cast<int64_t>(judgementOf_.size())) return nullptr;
    const int64_t id = judgementOf_[static_cast<size_t>(row)];
    if (id == 0) return nullptr;
    const auto found = book_.all().find(id);
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

// Before the positions exist, a row may have a decision that is not yet assigned.
bool RowVerdicts::isReady() {
    if (all_) return true;
    if (catalog_ && placesJob_ < 0) findPlaces();
    if (!all_) emit refused(tr("the places of the candidates are looked through: in a moment"));
    return all_ != nullptr;
}

double RowVerdicts::matchRadius() const {
    return beam_ ? 0.5 * *beam_ : kPlainRadius;
}

// Each decision goes to the nearest row within half a beam. Each row gets the nearest of several
// decisions. An unassigned decision is an orphan.
void RowVerdicts::assign() {
    judgementOf_.assign(catalog_ ? static_cast<size_t>(catalog_->rows()) : 0, 0);
    claimOf_.clear();
    claims_.clear();
    orphans_.clear();
    if (!all_) return;
    for (const auto& [id, judged] : book_.all()) claim(id);
}

// A decision keeps its position while it is in the book.
void RowVerdicts::reassign(const std::vector<int64_t>& ids) {
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

void RowVerdicts::claim(int64_t id) {
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

void RowVerdicts::settle(int64_t row) {
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

std::vector<Judgement> RowVerdicts::orphans() const {
    std::vector<Judgement> result;
    for (const int64_t id : orphans_)
        if (const auto found = book_.all().find(id); found != book_.all().end())
            result.push_back(found->second);
    return result;
}

bool RowVerdicts::hasPlace(int64_t row) const {
    const LonLat at = catalog_->at(row);
    return std::isfinite(at.lon) && std::isfinite(at.lat);
}

}  // namespace armilla

#include "armilla/session/moc_row_verdicts.cpp"

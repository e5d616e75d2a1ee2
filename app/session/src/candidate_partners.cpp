// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/candidate_partners.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/seen_frame.h"
#include "armilla/core/units.h"
#include "armilla/ops/match.h"
#include "armilla/session/document.h"
#include "armilla/session/job_runner.h"

namespace armilla {

namespace {

const QString kMatchSlot = QStringLiteral("review-match");
// Standard deviations on each axis, radians; empty: the catalog has no such column.
std::vector<double> errorsOf(const Catalog& catalog) {
    for (const char* name : {"POS_ERR", "POSERR", "POSITION_ERROR", "ERR_POS"}) {
        const auto found = catalog.table.find(name);
        if (!found) continue;
        const TableColumn& column = catalog.table.columns[static_cast<size_t>(*found)];
        // A column without a unit is in arc seconds, the usual unit of position errors.
        const double unit = column.unit.empty() ? kArcsec : angleUnit(column.unit).value_or(0.0);
        if (column.isText() || column.width != 1 || !(unit > 0.0)) continue;
        std::vector<double> errors;
        for (int64_t row = 0; row < catalog.rows(); ++row)
            errors.push_back(unit * column.number(row));
        return errors;
    }
    return {};
}

std::string nameIn(const Catalog& catalog, int64_t row) {
    for (const char* name : {"NAME", "ID", "SOURCE", "DESIGNATION"})
        if (const auto found = catalog.table.find(name))
            return catalog.table.columns[static_cast<size_t>(*found)].text(row);
    return "row " + std::to_string(row + 1);
}

TableColumn numbers(const char* name, const char* unit, const char* ucd, const char* description) {
    TableColumn column;
    column.name = name;
    column.unit = unit;
    column.ucd = ucd;
    column.description = description;
    column.values = std::vector<double>();
    return column;
}

}  // namespace

CandidatePartners::CandidatePartners(const Document& document, JobRunner& jobs, QObject* parent)
    : QObject(parent), document_(document), jobs_(jobs) {}

void CandidatePartners::setMatch(const CandidateMatch& match) {
    if (match == match_) return;
    match_ = match;
    matchedWith_.reset();
    find();
}

void CandidatePartners::setCatalog(LayerId layer, std::shared_ptr<const Catalog> catalog) {
    catalog_ = std::move(catalog);
    const Layer* other = document_.entry(match_.layer);
    if (match_.layer.isValid() && (!other || !other->catalog || match_.layer == layer)) match_ = {};
    const auto with = match_.layer.isValid() ? other->catalog : nullptr;
    if (with == matchedWith_ && catalog_ == matchedOf_) return;
    find();
}

void CandidatePartners::find() {
    jobs_.cancelSlot(kMatchSlot);
    const Layer* other = document_.entry(match_.layer);
    matchedWith_ = other ? other->catalog : nullptr;
    matchedOf_ = catalog_;
    partnerOf_.clear();
    partners_.clear();
    pairs_.clear();
    if (!matchedWith_ || !catalog_) {
        emit changed();
        return;
    }
    jobs_.run<std::shared_ptr<Matches>>(
        tr("Match with %1").arg(other->name), JobLane::Preview, kMatchSlot, this,
        [first = catalog_, second = matchedWith_, match = match_](JobContext& job) {
            MatchParameters parameters;
            parameters.radius = match.radius.value_or(kPi);
            parameters.find = match.all ? MatchFind::All : MatchFind::Best;
            if (!match.radius) {
                parameters.errors1 = errorsOf(*first);
                parameters.errors2 = errorsOf(*second);
                if (parameters.errors1.empty() || parameters.errors2.empty())
                    throw InvalidArgument(
                        "expected a column POS_ERR in both catalogs to match by errors, found "
                        "none");
            }
            return std::make_shared<Matches>(matchCatalogs(*first, *second, parameters, job));
        },
        [this](const std::shared_ptr<Matches>& matches) {
            if (!catalog_) return;
            partnerOf_.assign(static_cast<size_t>(catalog_->rows()), -1);
            for (const MatchedPair& pair : matches->pairs) {
                pairs_.emplace_back(pair.first, pair.second);
                int32_t& at = partnerOf_[static_cast<size_t>(pair.first)];
                if (at < 0) {
                    at = static_cast<int32_t>(partners_.size());
                    partners_.push_back({pair.second, pair.separation, pair.chance, 0});
                    continue;
                }
                CandidatePartner& known = partners_[static_cast<size_t>(at)];
                const int others = known.others + 1;
                if (pair.separation < known.separation)
                    known = {pair.second, pair.separation, pair.chance, 0};
                known.others = others;
            }
            emit changed();
        },
        [this](const QString& line) { emit failed(line); });
}

const CandidatePartner* CandidatePartners::partner(int64_t row) const {
    if (row < 0 || row >= static_cast<int64_t>(partnerOf_.size())) return nullptr;
    const int32_t at = partnerOf_[static_cast<size_t>(row)];
    return at < 0 ? nullptr : &partners_[static_cast<size_t>(at)];
}

int64_t CandidatePartners::count() const {
    return static_cast<int64_t>(partners_.size());
}

QString CandidatePartners::text(int64_t row) const {
    const CandidatePartner* with = partner(row);
    if (!with || !matchedWith_) return {};
    QString text = QString::fromStdString(nameIn(*matchedWith_, with->row)) +
                   QStringLiteral(" · ") + QString::fromStdString(formatAngle(with->separation));
    const double percent = 100.0 * with->chance;
    text += percent < 0.01 ? QStringLiteral(" · < 0.01 %")
                           : QStringLiteral(" · %1 %").arg(percent, 0, 'g', 2);
    if (with->others > 0) text += tr(" · %n more", nullptr, with->others);
    return text;
}

std::vector<std::pair<Vec3, Vec3>> CandidatePartners::links(
    size_t most, const std::function<bool(int64_t)>& isListed) const {
    std::vector<std::pair<Vec3, Vec3>> result;
    if (!catalog_ || !matchedWith_) return result;
    const Mat3 turn = seenRotation(catalog_->frame(), matchedWith_->frame());
    for (const auto& [first, second] : pairs_) {
        if (result.size() == most) break;
        if (!isListed(first)) continue;
        result.emplace_back(direction(catalog_->at(first)),
                            turn * direction(matchedWith_->at(second)));
    }
    return result;
}

void CandidatePartners::addColumns(Table& table, const std::vector<int64_t>& rows) const {
    if (!matchedWith_ || partnerOf_.empty()) return;
    TableColumn names;
    names.name = "XID";
    names.ucd = "meta.id.cross";
    names.description = "name in the matched catalog";
    std::vector<std::string> texts;
    TableColumn apart = numbers("XSEP", "arcsec", "pos.angDistance",
                                "separation from the row in the matched catalog");
    TableColumn chance = numbers("P_CHANCE", "", "stat.probability",
                                 "probability that an unrelated row lies this close");
    for (const int64_t row : rows) {
        const CandidatePartner* with = partner(row);
        texts.push_back(with ? nameIn(*matchedWith_, with->row) : std::string());
        std::get<0>(apart.values).push_back(with ? with->separation / kArcsec : kNan);
        std::get<0>(chance.values).push_back(with ? with->chance : kNan);
    }
    names.values = std::move(texts);
    for (TableColumn* column : {&names, &apart, &chance})
        table.columns.push_back(std::move(*column));
    if (const Layer* other = document_.entry(match_.layer))
        table.history.push_back(
            "matched with: " + other->name.toStdString() +
            (match_.radius ? " within " + formatAngle(*match_.radius) : " by errors, 3 sigma"));
}

}  // namespace armilla

#include "armilla/session/moc_candidate_partners.cpp"

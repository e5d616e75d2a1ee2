// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/candidate_rows.h"

#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "armilla/session/candidate_partners.h"
#include "armilla/session/candidate_significance.h"
#include "armilla/session/row_verdicts.h"

namespace armilla {

// COLUMN < VALUE, or |COLUMN| < VALUE.
struct CandidateRows::Condition {
    const TableColumn* column = nullptr;
    bool absolute = false;
    QString relation;
    double value = 0.0;
    bool holds(int64_t row) const {
        double x = column->number(row);
        if (absolute) x = std::abs(x);
        if (relation == QLatin1String("<")) return x < value;
        if (relation == QLatin1String("<=")) return x <= value;
        if (relation == QLatin1String(">")) return x > value;
        if (relation == QLatin1String(">=")) return x >= value;
        return relation == QLatin1String("=") ? x == value : x != value;
    }
};

CandidateRows::CandidateRows(const CandidateSignificance& significance, const RowVerdicts& verdicts,
                             const CandidatePartners& partners, QObject* parent)
    : QObject(parent), significance_(significance), verdicts_(verdicts), partners_(partners) {}

CandidateRows::~CandidateRows() = default;

void CandidateRows::setCatalog(std::shared_ptr<const Catalog> catalog, double threshold) {
    catalog_ = std::move(catalog);
    threshold_ = threshold;
    nameColumn_ = -1;
    for (const char* name : {"NAME", "ID", "SOURCE", "DESIGNATION"})
        if (catalog_ && nameColumn_ < 0) nameColumn_ = catalog_->table.find(name).value_or(-1);
    sortColumn_ = -1;
    readFilter();
    makeOrder();
    makeRows();
}

void CandidateRows::setThreshold(double threshold) {
    if (threshold == threshold_) return;
    threshold_ = threshold;
    makeRows();
}

void CandidateRows::refresh() {
    if (sortColumn_ >= 0 && sortColumn_ < DecisionColumns) makeOrder();
    makeRows();
}

bool CandidateRows::setFilter(const CandidateFilter& filter) {
    if (filter == filter_) return filterProblem_.isEmpty();
    filter_ = filter;
    readFilter();
    makeRows();
    return filterProblem_.isEmpty();
}

void CandidateRows::readFilter() {
    conditions_.clear();
    words_.clear();
    filterProblem_.clear();
    static const QRegularExpression condition(QStringLiteral(
        "(\\|?)([A-Za-z_][A-Za-z0-9_.]*)(\\|?)\\s*(<=|>=|!=|<|>|=)\\s*([-+]?[0-9.]+(?:[eE][-+]?"
        "[0-9]+)?)"));
    QString rest = filter_.text;
    auto all = condition.globalMatch(filter_.text);
    while (all.hasNext()) {
        const QRegularExpressionMatch match = all.next();
        rest.replace(match.captured(0), QStringLiteral(" "));
        const int column =
            catalog_ ? catalog_->table.find(match.captured(2).toStdString()).value_or(-1) : -1;
        bool isNumber = false;
        const double value = match.captured(5).toDouble(&isNumber);
        if (column < 0 || catalog_->table.columns[static_cast<size_t>(column)].isText())
            filterProblem_ = tr("expected a column of numbers, found %1").arg(match.captured(2));
        else if (!isNumber || match.captured(1) != match.captured(3))
            filterProblem_ =
                tr("expected a condition such as |GLAT| > 20, found %1").arg(match.captured(0));
        else
            conditions_.push_back({&catalog_->table.columns[static_cast<size_t>(column)],
                                   !match.captured(1).isEmpty(), match.captured(4), value});
    }
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    for (const QString& each : rest.split(between, Qt::SkipEmptyParts)) {
        if (each.contains(QLatin1Char('<')) || each.contains(QLatin1Char('>')))
            filterProblem_ = tr("expected a condition such as SNR > 7, found %1").arg(each);
        else if (each.compare(QLatin1String("and"), Qt::CaseInsensitive) != 0)
            words_ << each;
    }
}

bool CandidateRows::passes(int64_t row) const {
    for (const Condition& condition : conditions_)
        if (!condition.holds(row)) return false;
    if (words_.isEmpty()) return true;
    const QString name = nameOf(row);
    const Judgement* judged = verdicts_.judgement(row);
    return std::all_of(words_.begin(), words_.end(), [&](const QString& each) {
        return name.contains(each, Qt::CaseInsensitive) ||
               (judged && judged->note.contains(each, Qt::CaseInsensitive));
    });
}

void CandidateRows::sortBy(int column, Qt::SortOrder order) {
    if (column == sortColumn_ && order == sortOrder_) return;
    sortColumn_ = column;
    sortOrder_ = order;
    makeOrder();
    makeRows();
}

// Sorts all rows. Missing values come last in both orders; equal values keep the order of the file.
void CandidateRows::makeOrder() {
    order_.resize(catalog_ ? static_cast<size_t>(catalog_->rows()) : 0);
    std::iota(order_.begin(), order_.end(), int64_t{0});
    if (!catalog_ || sortColumn_ < 0) return;
    const bool isDescending = sortOrder_ == Qt::DescendingOrder;
    const auto sortWith = [&](const auto& keys, const auto& isMissing) {
        std::stable_sort(order_.begin(), order_.end(), [&](int64_t a, int64_t b) {
            const auto& x = keys[static_cast<size_t>(a)];
            const auto& y = keys[static_cast<size_t>(b)];
            if (isMissing(x) || isMissing(y)) return !isMissing(x) && isMissing(y);
            return isDescending ? y < x : x < y;
        });
    };
    const TableColumn* column =
        sortColumn_ >= DecisionColumns
            ? &catalog_->table.columns.at(static_cast<size_t>(sortColumn_ - DecisionColumns))
            : nullptr;
    if ((column && column->isText()) || sortColumn_ == NoteColumn) {
        std::vector<std::string> keys(order_.size());
        for (size_t row = 0; row < keys.size(); ++row) {
            const Judgement* judged = verdicts_.judgement(static_cast<int64_t>(row));
            keys[row] = column   ? column->text(static_cast<int64_t>(row))
                        : judged ? judged->note.toStdString()
                                 : std::string();
        }
        return sortWith(keys, [](const std::string& text) { return text.empty(); });
    }
    std::vector<double> keys(order_.size(), std::numeric_limits<double>::quiet_NaN());
    for (size_t row = 0; row < keys.size(); ++row) {
        const Judgement* judged = verdicts_.judgement(static_cast<int64_t>(row));
        if (column)
            keys[row] = column->number(static_cast<int64_t>(row));
        else if (judged && sortColumn_ == VerdictColumn && judged->verdict != Verdict::None)
            keys[row] = static_cast<double>(judged->verdict);
        else if (judged && sortColumn_ == ClassColumn && judged->group > 0)
            keys[row] = judged->group;
        else if (const CandidatePartner* with = partners_.partner(static_cast<int64_t>(row));
                 with && sortColumn_ == MatchColumn)
            keys[row] = with->separation;
    }
    sortWith(keys, [](double value) { return std::isnan(value); });
}

void CandidateRows::makeRows() {
    counts_ = {};
    counts_.orphans = verdicts_.orphanCount();
    const std::vector<float>& snr = significance_.values();
    rows_.clear();
    places_.assign(order_.size(), -1);
    for (const int64_t row : order_) {
        const Judgement* judged = verdicts_.judgement(row);
        const bool isAbove =
            snr.empty() || !(snr[static_cast<size_t>(row)] < static_cast<float>(threshold_));
        if (isAbove) ++counts_.candidates;
        const Verdict verdict = judged ? judged->verdict : Verdict::None;
        bool isAsked = filter_.undecided;
        switch (verdict) {
            case Verdict::None:
                if (isAbove) ++counts_.undecided;
                break;
            case Verdict::Accepted:
                ++counts_.accepted;
                isAsked = filter_.accepted;
                break;
            case Verdict::Rejected:
                ++counts_.rejected;
                isAsked = filter_.rejected;
                break;
            case Verdict::Unsure:
                ++counts_.unsure;
                isAsked = filter_.unsure;
                break;
        }
        if (!isAsked || !(isAbove || judged) || !passes(row)) continue;
        places_[static_cast<size_t>(row)] = static_cast<int32_t>(rows_.size());
        rows_.push_back(row);
    }
    emit changed();
}

int CandidateRows::placeOf(int64_t row) const {
    return row >= 0 && row < static_cast<int64_t>(places_.size())
               ? places_[static_cast<size_t>(row)]
               : -1;
}

QString CandidateRows::nameOf(int64_t row) const {
    return nameColumn_ >= 0
               ? QString::fromStdString(
                     catalog_->table.columns[static_cast<size_t>(nameColumn_)].text(row))
               : tr("row %1").arg(row + 1);
}

}  // namespace armilla

#include "armilla/session/moc_candidate_rows.cpp"

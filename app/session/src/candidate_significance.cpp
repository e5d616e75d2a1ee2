// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/session/candidate_significance.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "armilla/ops/sources.h"

namespace armilla {

namespace {

struct NamedPair {
    const char *value, *error;
};
// If no column is named SNR: ratios of a value and its error.
constexpr NamedPair kRatios[] = {{"DETFLUX", "DETFLUX_ERR"},
                                 {"FLUX", "FLUX_ERR"},
                                 {"PEAK", "PEAK_ERR"},
                                 {"PEAK_FLUX", "PEAK_FLUX_ERR"}};

QString tr(const char* text) {
    return QCoreApplication::translate("CandidateSignificance", text);
}

}  // namespace

CandidateSignificance::CandidateSignificance(std::shared_ptr<const Catalog> catalog)
    : catalog_(std::move(catalog)) {
    if (!catalog_) return;
    const Table& table = catalog_->table;
    // FLAGS of other programs have another meaning.
    flagsColumn_ = table.find("FWHM_MAJ_ERR") ? table.find("FLAGS").value_or(-1) : -1;
    const TableColumn* column = nullptr;
    const TableColumn* error = nullptr;
    for (const char* name : {"SNR", "S/N", "SIGNIF", "SIGNIFICANCE"})
        if (const auto found = table.find(name); found && !column)
            column = &table.columns[static_cast<size_t>(*found)];
    for (const TableColumn& each : table.columns)
        if (!column && each.ucd.starts_with("stat.snr")) column = &each;
    for (const NamedPair& pair : kRatios) {
        const auto value = table.find(pair.value), its = table.find(pair.error);
        if (column || !value || !its) continue;
        column = &table.columns[static_cast<size_t>(*value)];
        error = &table.columns[static_cast<size_t>(*its)];
    }
    if (!column || column->isText()) return;
    const auto rows = static_cast<size_t>(catalog_->rows());
    values_.resize(rows);
    negative_.resize(rows);
    float least = std::numeric_limits<float>::infinity();
    for (size_t row = 0; row < rows; ++row) {
        double snr = column->number(static_cast<int64_t>(row));
        if (error) snr /= error->number(static_cast<int64_t>(row));
        negative_[row] = snr < 0.0;
        values_[row] = static_cast<float>(std::abs(snr));
        if (std::isfinite(values_[row])) least = std::min(least, values_[row]);
    }
    if (std::isfinite(least)) least_ = least;
}

bool CandidateSignificance::isNegative(int64_t row) const {
    const auto at = static_cast<size_t>(row);
    return row >= 0 && at < negative_.size() && negative_[at];
}

bool CandidateSignificance::hasNegative() const {
    return std::find(negative_.begin(), negative_.end(), true) != negative_.end();
}

QString CandidateSignificance::text(int64_t row) const {
    const auto at = static_cast<size_t>(row);
    if (row < 0 || at >= values_.size()) return {};
    const QString size = QString::number(values_[at], 'f', 1);
    return isNegative(row) ? QChar(0x2212) + size : size;
}

QString CandidateSignificance::flagsText(int64_t row) const {
    if (!catalog_ || flagsColumn_ < 0 || row < 0 || row >= catalog_->rows()) return {};
    const auto flags =
        std::llround(catalog_->table.columns[static_cast<size_t>(flagsColumn_)].number(row));
    QStringList words;
    if ((flags & kSourceBlended) != 0) words << tr("blended");
    if ((flags & kSourceNearMask) != 0) words << tr("near a mask");
    if ((flags & kSourceNearBright) != 0) words << tr("near a brighter source");
    if ((flags & kSourceExtended) != 0) words << tr("extended");
    if ((flags & kSourceNotFitted) != 0) words << tr("not fitted");
    return words.join(QStringLiteral(", "));
}

}  // namespace armilla

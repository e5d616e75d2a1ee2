// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of signs and flags of candidates.
#include <algorithm>
#include <cmath>

#include "armilla/ops/sources.h"
#include "armilla/session/source_review.h"

namespace armilla {

bool SourceReview::isNegative(int64_t row) const {
    const auto at = static_cast<size_t>(row);
    return row >= 0 && at < negative_.size() && negative_[at];
}

bool SourceReview::hasNegative() const {
    return std::find(negative_.begin(), negative_.end(), true) != negative_.end();
}

QString SourceReview::significanceText(int64_t row) const {
    const auto at = static_cast<size_t>(row);
    if (row < 0 || at >= significances_.size()) return {};
    const QString size = QString::number(significances_[at], 'f', 1);
    return isNegative(row) ? QChar(0x2212) + size : size;
}

QString SourceReview::flagsText(int64_t row) const {
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

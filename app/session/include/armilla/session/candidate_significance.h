// SPDX-License-Identifier: GPL-3.0-or-later
// Significance, sign and flags of the rows of a catalog of candidates.
#pragma once

#include <QString>
#include <cstdint>
#include <memory>
#include <vector>

#include "armilla/core/table.h"

namespace armilla {

class CandidateSignificance {
public:
    CandidateSignificance() = default;  // without a catalog
    // Reads a column of signal to noise, or the ratio of a flux and its error.
    explicit CandidateSignificance(std::shared_ptr<const Catalog> catalog);

    // |SNR| of each row, NaN if unknown; empty if the catalog has no SNR.
    const std::vector<float>& values() const { return values_; }
    // The smallest of values(); 0 if there are none.
    double least() const { return least_; }
    // True if the SNR is negative: the source lowers the map.
    bool isNegative(int64_t row) const;
    bool hasNegative() const;  // any row
    // Signed SNR, such as "−12.3"; empty if unknown.
    QString text(int64_t row) const;
    // The bits of FLAGS in words, for a catalog made by the command sources; empty for others.
    QString flagsText(int64_t row) const;

private:
    std::shared_ptr<const Catalog> catalog_;
    std::vector<float> values_;
    std::vector<bool> negative_;
    float least_ = 0.0F;
    int flagsColumn_ = -1;
};

}  // namespace armilla

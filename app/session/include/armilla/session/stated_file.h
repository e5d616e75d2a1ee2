// SPDX-License-Identifier: GPL-3.0-or-later
// Facts about a file that the user states, because the file does not name them.
#pragma once

#include <QJsonObject>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>

#include "armilla/core/healpix_map.h"

namespace armilla {

struct StatedFile {
    int64_t nside = 0;  // 0: not stated
    std::optional<Ordering> ordering;
    QString index;             // the column of pixel numbers
    QStringList columns;       // names of the columns of spectra: "L", "TT", "D_EE"; "-": left out
    std::optional<bool> isDl;  // the spectra are l (l + 1) C_l / (2 pi)

    bool any() const;
    bool ofSpectra() const { return !columns.isEmpty() || isDl; }
    // Options of the command: {"--input-nside", "64"}.
    QStringList words() const;
    QJsonObject toJson() const;
    // Throws InvalidArgument; `json` is untrusted.
    static StatedFile fromJson(const QJsonObject& json);
    bool operator==(const StatedFile&) const = default;
};

enum class FileFact { Nside, Ordering, Index, Columns, SpectrumForm };

// A question about a file that could not be opened without a fact.
struct FileQuestion {
    QString path;
    FileFact fact = FileFact::Nside;
    StatedFile stated;       // the facts that were stated before
    QStringList columns;     // names of the columns of the file, for Index and Columns
    int64_t leastNside = 1;  // Nside: the least that holds all pixel numbers of the file
};

}  // namespace armilla

Q_DECLARE_METATYPE(armilla::FileQuestion)

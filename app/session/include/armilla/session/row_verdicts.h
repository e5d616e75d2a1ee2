// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns the decisions of a book to the rows of a catalog, by position.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "armilla/core/table.h"
#include "armilla/session/layer_id.h"
#include "armilla/session/verdicts.h"

namespace armilla {

class JobRunner;
class MarkerSet;

// Used only in the window's thread.
class RowVerdicts : public QObject {
    Q_OBJECT
public:
    // Both arguments must outlive this object.
    RowVerdicts(VerdictBook& book, JobRunner& jobs, QObject* parent = nullptr);

    // The catalog, and the subject whose decisions apply to its rows. Emits no signal. `beam`: FWHM
    // in radians; half of it is the greatest distance of a decision from its row.
    void setCatalog(std::shared_ptr<const Catalog> catalog, LayerId subject,
                    std::optional<double> beam);
    void setSubject(LayerId subject, std::optional<double> beam);

    // The decision on a row; null if there is none.
    const Judgement* judgement(int64_t row) const;
    // Decisions on this subject without a row at their position.
    std::vector<Judgement> orphans() const;
    int64_t orphanCount() const { return static_cast<int64_t>(orphans_.size()); }
    // False, with refused(), until a job has found the positions of a large catalog. Before that,
    // a row may have a decision that is not yet assigned.
    bool isReady();
    // True if the row has a position.
    bool hasPlace(int64_t row) const;

signals:
    // Decisions of rows may have changed.
    void changed();
    void refused(const QString& line);

private:
    void findPlaces();
    void assign();
    void reassign(const std::vector<int64_t>& ids);
    void claim(int64_t id);
    void settle(int64_t row);
    double matchRadius() const;

    VerdictBook& book_;
    JobRunner& jobs_;
    std::shared_ptr<const Catalog> catalog_;
    LayerId subject_;
    std::optional<double> beam_;
    // Positions of all rows, for lookups; null until a job has made the set for a large catalog.
    std::shared_ptr<const MarkerSet> all_;
    int placesJob_ = -1;
    std::vector<int64_t> judgementOf_;  // judgement id by row, 0: none
    struct Claim {
        int64_t row = 0;
        double distance = 0.0;
        int64_t id = 0;
        auto operator<=>(const Claim&) const = default;
    };
    // Claims of decisions on their nearest rows, by decision id, and sorted by row.
    std::map<int64_t, Claim> claimOf_;
    std::set<Claim> claims_;
    std::set<int64_t> orphans_;  // ids of decisions
};

}  // namespace armilla

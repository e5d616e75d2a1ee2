// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns the decisions of a book to the rows of a catalog, by position.
#pragma once

#include <QObject>
#include <QString>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
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
    // Decisions on this subject without a row at their position, by id; at most `most` of them.
    std::vector<Judgement> orphans(size_t most = std::numeric_limits<size_t>::max()) const;
    int64_t orphanCount() const { return static_cast<int64_t>(made_.orphans.size()); }
    // False, with refused(), while a job finds the positions of a large catalog or assigns many
    // decisions. Until then, a row may have a decision that is not yet assigned.
    bool isReady();
    // Decisions that are assigned at once; a job assigns more. One takes 25 microseconds.
    static constexpr size_t kAtOnce = 200;
    // True if the row has a position.
    bool hasPlace(int64_t row) const;

signals:
    // Decisions of rows may have changed.
    void changed();
    void refused(const QString& line);

private:
    struct Claim {
        int64_t row = 0;
        double distance = 0.0;
        int64_t id = 0;
        auto operator<=>(const Claim&) const = default;
    };
    // Each row gets the nearest of its decisions; a decision without a row is an orphan.
    struct Assignment {
        std::unordered_map<int64_t, int64_t> judgementOf;  // judgement id by row
        // Claims of decisions on their nearest rows, by decision id, and sorted by row.
        std::map<int64_t, Claim> claimOf;
        std::set<Claim> claims;
        std::set<int64_t> orphans;  // ids of decisions

        void add(int64_t id, const std::optional<Claim>& claim);
        void remove(int64_t id);
        void settle(int64_t row);
    };
    // The rows, for lookups in any thread.
    struct Rows {
        std::shared_ptr<const Catalog> catalog;
        std::shared_ptr<const MarkerSet> places;
        LayerId subject;
        double radius = 0.0;
        void assign(const Judgement& judged, Assignment& to) const;
    };
    Rows rows() const;
    void findPlaces();
    void assign();
    void reassign(const std::vector<int64_t>& ids);
    double matchRadius() const;

    VerdictBook& book_;
    JobRunner& jobs_;
    std::shared_ptr<const Catalog> catalog_;
    LayerId subject_;
    std::optional<double> beam_;
    // Positions of all rows, for lookups; null until a job has made the set for a large catalog.
    std::shared_ptr<const MarkerSet> all_;
    int placesJob_ = -1;
    int assignJob_ = -1;
    bool isAssigned_ = false;  // made_ has all decisions of the book
    Assignment made_;
};

}  // namespace armilla

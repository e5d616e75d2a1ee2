// SPDX-License-Identifier: GPL-3.0-or-later
// Matches the rows of a catalog of candidates with another catalog.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "armilla/core/sky_vector.h"
#include "armilla/core/table.h"
#include "armilla/session/layer_id.h"

namespace armilla {

class Document;
class JobRunner;

// The other catalog to match with, and the matching criterion.
struct CandidateMatch {
    LayerId layer;  // invalid: none
    // radians; none: from the position errors of both catalogs (POS_ERR)
    std::optional<double> radius;
    // all pairs within the radius; else the best pair, each row used once
    bool all = false;
    bool operator==(const CandidateMatch&) const = default;
};
// The match of a row.
struct CandidatePartner {
    int64_t row = -1;         // row in the other catalog
    double separation = 0.0;  // radians
    double chance = 0.0;      // probability that an unrelated row lies this near
    int others = 0;           // further rows within the radius, if `all` is set
};

// Matches in a job. Used only in the window's thread.
class CandidatePartners : public QObject {
    Q_OBJECT
public:
    // Both arguments must outlive this object.
    CandidatePartners(const Document& document, JobRunner& jobs, QObject* parent = nullptr);

    // The catalog to match, of this layer; null: none. Also to be called when layers have changed:
    // the other catalog may be closed.
    void setCatalog(LayerId layer, std::shared_ptr<const Catalog> catalog);
    void setMatch(const CandidateMatch& match);
    const CandidateMatch& match() const { return match_; }

    // The nearest partner of a row; null if there is none.
    const CandidatePartner* partner(int64_t row) const;
    // "3C 273 · 12″ · 0.1 %"
    QString text(int64_t row) const;
    int64_t count() const;  // rows with a partner
    // Pairs of positions from the listed rows to their partners, in the frame of the catalog; at
    // most `most`.
    std::vector<std::pair<Vec3, Vec3>> links(size_t most,
                                             const std::function<bool(int64_t)>& isListed) const;
    // Adds XID, XSEP and P_CHANCE of these rows to a table.
    void addColumns(Table& table, const std::vector<int64_t>& rows) const;

signals:
    // Partners were computed or dropped.
    void changed();
    void failed(const QString& line);

private:
    void find();

    const Document& document_;
    JobRunner& jobs_;
    std::shared_ptr<const Catalog> catalog_;
    CandidateMatch match_;
    std::shared_ptr<const Catalog> matchedWith_, matchedOf_;  // inputs of partners_
    std::vector<int32_t> partnerOf_;                          // index in partners_, -1: none
    std::vector<CandidatePartner> partners_;
    std::vector<std::pair<int64_t, int64_t>> pairs_;  // rows of both catalogs
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of all drawn regions in the shown map, live.
#pragma once

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/operations/region_table.h"
#include "armilla/session/layer_id.h"

namespace armilla {

class RegionBook;
class Session;

// Regions that have not changed keep their figures. Regions with many pixels first get figures of a
// coarser map, which takes its values at the centers of larger pixels; the exact ones follow when
// the regions rest.
class RegionMeasures : public QObject {
    Q_OBJECT
public:
    // The session must outlive this object.
    explicit RegionMeasures(Session& session, QObject* parent = nullptr);
    ~RegionMeasures() override;

    // Computes what is missing while `on`; otherwise nothing is computed.
    void setOn(bool on);
    // A row for each region that does not exclude, as the operation `stats` writes it; regions
    // without figures have NaN. Null without a map of one order or without such regions.
    const std::shared_ptr<const Table>& table() const { return table_; }
    // The row of a region of the book; -1: none.
    int rowOf(int region) const;
    // False: the figures of this row are of the coarser map, or missing.
    bool isExact(int row) const;
    bool isBusy() const { return step_ != Step::Rest; }
    // The reason why there are no figures; empty if there are.
    const QString& problem() const { return problem_; }

signals:
    void changed();

private:
    // Quick steps end before the next one, so that a drag shows each; long ones stop for the next.
    enum class Step { Rest, Quick, Long };
    using Key = std::vector<double>;
    struct Figures {
        AreaStatistics statistics;
        bool isExact = false;
        // The figures are those of an earlier value of the same layer, until the next ones.
        bool isOld = false;
    };
    struct Made;
    void renew();
    void takeMap();
    void takeParts();
    void start(Step step, const std::vector<size_t>& missing);
    void finish(const std::shared_ptr<Made>& made);
    bool isHeavy(const SkyPart& part) const;
    void fillTable();

    Session& session_;
    bool isOn_ = false;
    int job_ = -1;
    Step step_ = Step::Rest;
    std::shared_ptr<const HealpixMap> map_, coarse_;
    LayerId layer_;
    int field_ = 0;
    SkyIntegral integral_;
    std::vector<SkyPart> parts_;
    std::vector<Key> keys_;
    std::map<int, int> rows_;
    std::vector<int> ids_;  // regions of the rows
    // Last figures of each region, shown until those of its new place are known.
    std::map<int, AreaStatistics> last_;
    std::map<Key, Figures> figures_;
    std::shared_ptr<const Table> table_;
    QString problem_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The expected number of false candidates of a search: maxima of the inverted map.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "armilla/core/healpix_map.h"
#include "armilla/core/table.h"
#include "armilla/draw/markers.h"

namespace armilla {

class JobRunner;

// Counts in a job. Used only in the window's thread.
class FalseCandidates : public QObject {
    Q_OBJECT
public:
    // The runner must outlive this object.
    explicit FalseCandidates(JobRunner& jobs, QObject* parent = nullptr);

    // Counts again if an input differs from that of the last count. `significance`: the filtered
    // map over its noise. Either null: drops the count. `beam`: FWHM in radians.
    void count(const std::shared_ptr<const HealpixMap>& significance,
               const std::shared_ptr<const Catalog>& catalog, std::optional<double> beam);
    // Number of maxima of the inverted map at or above a threshold: the expected number of false
    // candidates. None before the count has finished, or without a significance map.
    std::optional<int64_t> above(double threshold) const;
    const std::vector<float>& significances() const { return maxima_; }  // descending

signals:
    // The count is ready or has been dropped.
    void changed();

private:
    JobRunner& jobs_;
    int job_ = -1;
    // Inputs of the maxima, or of their running job.
    std::weak_ptr<const HealpixMap> map_;
    std::weak_ptr<const Catalog> catalog_;
    std::optional<double> beam_;
    bool isKnown_ = false;
    std::vector<float> maxima_;
};

// Significances of the maxima of the inverted map, descending. These are pixels of a
// signal-to-noise map below -`floor` that are lower than all neighbors (the first of equal ones).
// Pixels within two beams of a row of at least `real` sigma are left out. There the filter leaves
// dips around bright sources, which are not noise.
std::vector<float> falseMaxima(const HealpixMap& significance, const MarkerSet& rows,
                               const std::vector<float>& significances, double floor, double real,
                               double beam, JobContext& job);

}  // namespace armilla

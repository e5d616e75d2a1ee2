// SPDX-License-Identifier: GPL-3.0-or-later
// Files of which each rank reads and writes its share.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "armilla/io/file_parts.h"
#include "armilla/operations/over_ranks.h"
#include "armilla/ops/distributed_sht.h"

namespace armilla {

using RunsOfRanks = std::vector<std::vector<SampleRun>>;
// Runs of samples as elements of a map in RING order.
std::vector<ElementRun> elementsOf(std::span<const SampleRun> runs);

// Bytes that rank 0 broadcasts.
std::vector<std::byte> fromFirst(std::span<const std::byte> own, Ranks& ranks, JobContext& job);

// Reader of a map: all ranks read the header, then each rank the values of its share.
class MapInput {
public:
    MapInput(const RankCall& call, const std::string& path, const Columns& columns,
             JobContext& job);
    ~MapInput();
    const MapOutline& outline() const { return reader_->outline(); }
    const std::string& name() const { return path_; }
    // Values of the samples of this rank in RING order; NaN if bad or not listed. Rank 0 reads and
    // distributes a file that is packed or lists its pixels.
    std::vector<Field> read(const RunsOfRanks& runs, Ranks& ranks, JobContext& job);

private:
    std::vector<Field> fromWhole(const RunsOfRanks& runs, Ranks& ranks, JobContext& job);
    std::string path_;
    MapReadOptions options_;
    std::unique_ptr<MapPartReader> reader_;
};

// Reader of coefficients: keeps rows as stored until their ranks are known.
class AlmInput {
public:
    AlmInput(const RankCall& call, const std::string& path, JobContext& job);
    ~AlmInput();
    int lmax() const { return lmax_; }
    int mmax() const { return mmax_; }
    size_t sets() const { return rows_.size(); }
    Frame frame() const { return frame_; }
    const std::string& unit() const { return unit_; }
    // Returns one set and releases it.
    AlmShare take(size_t set, const DistributedSht& plan, Ranks& ranks, JobContext& job);

private:
    int lmax_ = 0, mmax_ = 0;
    Frame frame_ = Frame::Unknown;
    std::string unit_;
    std::vector<AlmPartReader::Rows> rows_;  // rows of this rank
};

// Equal partition of all elements: the run of a rank.
ElementRun equalRun(int64_t elements, int rank, int ranks);
// Exchanges RING samples for equal runs of NESTED ones.
std::vector<Field> toNested(const std::vector<Field>& fields, int64_t nside,
                            const RunsOfRanks& runs, Ranks& ranks, JobContext& job);

// Writes a map of which each rank holds the elements `runs`.
void writeMapOfRanks(const MapOutline& outline, const std::vector<Field>& fields,
                     std::span<const ElementRun> runs, const RankCall& call, JobContext& job);
// Writes coefficients: T, or T, E, B.
void writeAlmOfRanks(std::span<const AlmShare> alm, const DistributedSht& plan,
                     const AlmLabels& labels, const RankCall& call, JobContext& job);

}  // namespace armilla

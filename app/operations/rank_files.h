// SPDX-License-Identifier: GPL-3.0-or-later
// Files of which each rank reads and writes its share.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/file_parts.h"
#include "operations/over_ranks.h"
#include "ops/distributed_sht.h"

namespace armilla {

using RunsOfRanks = std::vector<std::vector<SampleRun>>;
// As elements of a map in RING order.
std::vector<ElementRun> elementsOf(std::span<const SampleRun> runs);

// The bytes that rank 0 gives.
std::vector<std::byte> fromFirst(std::span<const std::byte> own, Ranks& ranks, JobContext& job);

// A map on its way in: its header is read by all, its values once their shares are known.
class MapInput {
public:
    MapInput(const RankCall& call, const std::string& path, const Columns& columns,
             JobContext& job);
    ~MapInput();
    const MapOutline& outline() const { return reader_->outline(); }
    const std::string& name() const { return path_; }
    // The values of the samples of this rank, in RING order, NaN where bad or not listed. A file
    // that is packed, or lists its pixels, goes through rank 0.
    std::vector<Field> read(const RunsOfRanks& runs, Ranks& ranks, JobContext& job);

private:
    std::vector<Field> fromWhole(const RunsOfRanks& runs, Ranks& ranks, JobContext& job);
    std::string path_;
    MapReadOptions options_;
    std::unique_ptr<MapPartReader> reader_;
};

// Coefficients on their way in: rows as the file has them until it is known whose they are.
class AlmInput {
public:
    AlmInput(const RankCall& call, const std::string& path, JobContext& job);
    ~AlmInput();
    int lmax() const { return lmax_; }
    int mmax() const { return mmax_; }
    size_t sets() const { return rows_.size(); }
    Frame frame() const { return frame_; }
    const std::string& unit() const { return unit_; }
    // One set, which is forgotten.
    AlmShare take(size_t set, const DistributedSht& plan, Ranks& ranks, JobContext& job);

private:
    int lmax_ = 0, mmax_ = 0;
    Frame frame_ = Frame::Unknown;
    std::string unit_;
    std::vector<AlmPartReader::Rows> rows_;  // of this rank
};

// Equal runs of all elements.
ElementRun equalRun(int64_t elements, int rank, int ranks);
// From RING samples to equal runs of NESTED ones.
std::vector<Field> toNested(const std::vector<Field>& fields, int64_t nside,
                            const RunsOfRanks& runs, Ranks& ranks, JobContext& job);

// Writes a map of which each rank has the elements `runs`.
void writeMapOfRanks(const MapOutline& outline, const std::vector<Field>& fields,
                     std::span<const ElementRun> runs, const RankCall& call, JobContext& job);
// Writes coefficients, T or T, E, B.
void writeAlmOfRanks(std::span<const AlmShare> alm, const DistributedSht& plan,
                     const AlmLabels& labels, const RankCall& call, JobContext& job);

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "rank_files.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <string_view>

#include "armilla/core/pixel_geometry.h"
#include "armilla/io/pixel_blocks.h"
#include "armilla/operations/map_values.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;
using Bytes = std::vector<std::byte>;

template <typename T>
void append(Bytes& to, const T& value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    to.insert(to.end(), bytes.begin(), bytes.end());
}
template <typename T>
T taken(const Bytes& from, size_t& at) {
    T value;
    std::memcpy(&value, from.data() + at, sizeof value);
    at += sizeof value;
    return value;
}

int64_t largestOf(int64_t value, Ranks& ranks, JobContext& job) {
    int64_t largest = value;
    for (const auto& each : ranks.gatherAll(std::span<const int64_t>(&value, 1), job))
        largest = std::max(largest, each.at(0));
    return largest;
}

// Destination of a value: place `at` in the share of rank `rank`; none if `rank` is negative.
struct Target {
    int rank = 0;
    int64_t at = 0;
};

// Exchange of records of some bytes, each with its destination, in rounds. All rounds use the same
// two buffers, so no memory page is touched for the first time twice.
class PassingRecords {
public:
    PassingRecords(size_t bytes, Ranks& ranks)
        : bytes_(sizeof(int64_t) + bytes),
          ranks_(ranks),
          going_(static_cast<size_t>(ranks.size())),
          coming_(going_.size()) {}

    // Begins a round: `put(i, to)` writes the i-th record, whose destination is targets[i].
    template <typename Put>
    void fill(std::span<const Target> targets, const Put& put) {
        std::fill(going_.begin(), going_.end(), 0);
        for (const Target& target : targets)
            if (target.rank >= 0) going_[static_cast<size_t>(target.rank)] += bytes_;
        sends_ = room(sent_, going_);
        std::vector<std::byte*> next;
        for (const Ranks::Bytes send : sends_) next.push_back(send.data());
        for (size_t i = 0; i < targets.size(); ++i) {
            if (targets[i].rank < 0) continue;
            std::byte*& record = next[static_cast<size_t>(targets[i].rank)];
            std::memcpy(record, &targets[i].at, sizeof targets[i].at);
            put(static_cast<int64_t>(i), record + sizeof targets[i].at);
            record += bytes_;
        }
    }
    // Ends the round: `take(at, from)` reads each received record.
    template <typename Take>
    void pass(const Take& take, JobContext& job) {
        std::vector<Ranks::ConstBytes> from;
        std::vector<Ranks::Bytes> to;
        for (size_t r = 0; r < going_.size(); ++r) {
            from.push_back(std::as_bytes(std::span(&going_[r], 1)));
            to.push_back(std::as_writable_bytes(std::span(&coming_[r], 1)));
        }
        ranks_.exchange(from, to, job);
        to = room(come_, coming_);
        from.assign(sends_.begin(), sends_.end());
        ranks_.exchange(from, to, job);
        for (const Ranks::Bytes part : to)
            for (size_t at = 0; at < part.size(); at += bytes_) {
                int64_t place = 0;
                std::memcpy(&place, part.data() + at, sizeof place);
                take(place, part.data() + at + sizeof place);
            }
    }

private:
    static std::vector<Ranks::Bytes> room(Bytes& buffer, const std::vector<size_t>& parts) {
        const size_t all = std::accumulate(parts.begin(), parts.end(), size_t{0});
        if (buffer.size() < all) buffer.resize(all);
        std::vector<Ranks::Bytes> spans;
        size_t at = 0;
        for (const size_t part : parts) {
            spans.push_back(std::span(buffer).subspan(at, part));
            at += part;
        }
        return spans;
    }

    size_t bytes_;
    Ranks& ranks_;
    std::vector<size_t> going_, coming_;  // bytes for each rank
    Bytes sent_, come_;
    std::vector<Ranks::Bytes> sends_;
};

// Exchanges records of `bytes` bytes: the i-th of the `count` records of this rank goes to
// targetOf(i). The number of rounds grows with the share, so buffers stay small.
template <typename TargetOf, typename Put, typename Take>
void moveRecords(int64_t count, size_t bytes, const TargetOf& targetOf, const Put& put,
                 const Take& take, Ranks& ranks, JobContext& job, std::string_view stage) {
    constexpr int64_t kRounds = 16, kLeast = int64_t{1} << 14, kMost = int64_t{1} << 20;
    const int64_t most = largestOf(count, ranks, job);
    const int64_t together = std::clamp(most / kRounds, kLeast, kMost);
    JobContext silent(job.stopToken(), {}, job.threads());
    std::vector<Target> targets(static_cast<size_t>(together));
    PassingRecords records(bytes, ranks);
    for (int64_t first = 0; first < most; first += together) {
        const int64_t here = std::clamp<int64_t>(count - first, 0, together);
        parallelFor(silent, here, 1 << 14, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i)
                targets[static_cast<size_t>(i)] = targetOf(first + i);
        });
        records.fill(std::span(targets).first(static_cast<size_t>(here)),
                     [&](int64_t i, std::byte* to) { put(first + i, to); });
        records.pass(take, job);
        job.report(
            static_cast<double>(std::min(most, first + together)) / static_cast<double>(most),
            stage);
    }
}

// Moves `count` elements of this rank, the i-th to targetOf(i), into the fields `to` of the ranks.
template <typename TargetOf>
void moveValues(const std::vector<Field>& from, int64_t count, const TargetOf& targetOf,
                std::vector<Field>& to, Ranks& ranks, JobContext& job) {
    size_t bytes = 0;
    for (const Field& field : from) bytes += field.isSingle() ? sizeof(float) : sizeof(double);
    moveRecords(
        count, bytes, targetOf,
        [&](int64_t i, std::byte* record) {
            for (const Field& field : from)
                std::visit(
                    [&](const auto& values) {
                        const auto& value = values[static_cast<size_t>(i)];
                        std::memcpy(record, &value, sizeof value);
                        record += sizeof value;
                    },
                    field.values);
        },
        [&](int64_t at, const std::byte* record) {
            for (Field& field : to)
                std::visit(
                    [&](auto& values) {
                        auto& value = values[static_cast<size_t>(at)];
                        std::memcpy(&value, record, sizeof value);
                        record += sizeof value;
                    },
                    field.values);
        },
        ranks, job, "reordering");
}

// Rank that owns a RING sample.
class RingOwners {
public:
    explicit RingOwners(const RunsOfRanks& runs) {
        for (size_t rank = 0; rank < runs.size(); ++rank) {
            int64_t before = 0;
            for (const SampleRun& run : runs[rank]) {
                all_.push_back({run.first, static_cast<int>(rank), before});
                before += run.count;
            }
        }
        std::sort(all_.begin(), all_.end(),
                  [](const Run& a, const Run& b) { return a.first < b.first; });
    }
    Target of(int64_t sample) const {
        const auto next =
            std::upper_bound(all_.begin(), all_.end(), sample,
                             [](int64_t value, const Run& run) { return value < run.first; });
        const Run& run = *std::prev(next);
        return {run.rank, run.before + sample - run.first};
    }

private:
    struct Run {
        int64_t first = 0;
        int rank = 0;
        int64_t before = 0;  // samples of the rank before this run
    };
    std::vector<Run> all_;
};

int64_t samplesOf(std::span<const SampleRun> runs) {
    int64_t sum = 0;
    for (const SampleRun& run : runs) sum += run.count;
    return sum;
}

}  // namespace

std::vector<std::byte> fromFirst(std::span<const std::byte> own, Ranks& ranks, JobContext& job) {
    return ranks.gatherAll(ranks.rank() == 0 ? own : std::span<const std::byte>(), job).at(0);
}

std::vector<ElementRun> elementsOf(std::span<const SampleRun> runs) {
    std::vector<ElementRun> elements;
    for (const SampleRun& run : runs) elements.push_back({run.first, run.count});
    return elements;
}

ElementRun equalRun(int64_t elements, int rank, int ranks) {
    const auto bound = [&](int64_t r) {
        return elements / ranks * r + std::min<int64_t>(r, elements % ranks);
    };
    return {bound(rank), bound(rank + 1) - bound(rank)};
}

MapInput::MapInput(const RankCall& call, const std::string& path, const Columns& columns,
                   JobContext& job)
    : path_(path) {
    naming(path_, [&] {
        options_ = mapReadOptions(columns, path, call.reading, job);
        reader_ = std::make_unique<MapPartReader>(path, options_, job);
    });
}
MapInput::~MapInput() = default;

std::vector<Field> MapInput::read(const RunsOfRanks& runs, Ranks& ranks, JobContext& job) {
    return naming(path_, [&] {
        const auto& own = runs[static_cast<size_t>(ranks.rank())];
        const HealpixMap& like = outline().like;
        if (!reader_->inParts()) return fromWhole(runs, ranks, job);
        if (like.ordering() == Ordering::Ring) return reader_->read(elementsOf(own), job);
        const int64_t nside = outline().nside;
        const ElementRun run = equalRun(pixelCount(nside), ranks.rank(), ranks.size());
        const std::vector<Field> nested = reader_->read({&run, 1}, job);
        const RingOwners owners(runs);
        std::vector<Field> ring = fieldsLike(like.fields(), samplesOf(own), job);
        moveValues(
            nested, run.count,
            [&](int64_t i) { return owners.of(ringFromNested(nside, run.first + i)); }, ring, ranks,
            job);
        return ring;
    });
}

std::vector<Field> MapInput::fromWhole(const RunsOfRanks& runs, Ranks& ranks, JobContext& job) {
    const auto& own = runs[static_cast<size_t>(ranks.rank())];
    std::optional<HealpixMap> whole;
    if (ranks.rank() == 0) whole = fullRing(readMap(path_, options_, job), job);
    std::vector<Field> fields = fieldsLike(outline().like.fields(), samplesOf(own), job);
    size_t most = 0;
    for (const auto& each : runs) most = std::max(most, each.size());
    for (size_t f = 0; f < fields.size(); ++f)
        std::visit(
            [&]<typename T>(std::vector<T>& values) {
                // One exchange per run: the runs of a rank are not contiguous in the map.
                size_t next = 0;
                for (size_t part = 0; part < most; ++part) {
                    std::vector<Ranks::ConstBytes> sends(runs.size());
                    std::vector<Ranks::Bytes> receives(runs.size());
                    for (size_t to = 0; whole && to < runs.size(); ++to) {
                        if (part >= runs[to].size()) continue;
                        const std::span<const T> all =
                            std::get<std::vector<T>>(whole->field(static_cast<int>(f)).values);
                        sends[to] =
                            std::as_bytes(all.subspan(static_cast<size_t>(runs[to][part].first),
                                                      static_cast<size_t>(runs[to][part].count)));
                    }
                    const auto count =
                        part < own.size() ? static_cast<size_t>(own[part].count) : size_t{0};
                    receives[0] = std::as_writable_bytes(std::span(values).subspan(next, count));
                    next += count;
                    ranks.exchange(sends, receives, job);
                }
            },
            fields[f].values);
    return fields;
}

AlmInput::AlmInput(const RankCall& call, const std::string& path, JobContext& job) {
    naming(path, [&] {
        AlmPartReader reader(path, job);
        int64_t limits[] = {reader.headerLmax(), reader.headerMmax()};
        for (size_t set = 0; set < reader.sets(); ++set) {
            const ElementRun run = equalRun(reader.rows(set), call.ranks.rank(), call.ranks.size());
            rows_.push_back(reader.read(set, run.first, run.count, job));
            for (const int32_t l : rows_.back().l) limits[0] = std::max<int64_t>(limits[0], l);
            for (const int32_t m : rows_.back().m) limits[1] = std::max<int64_t>(limits[1], m);
        }
        for (int64_t& limit : limits) limit = largestOf(limit, call.ranks, job);
        reader.checkLimits(limits[0], limits[1]);
        lmax_ = static_cast<int>(limits[0]);
        mmax_ = static_cast<int>(limits[1]);
        const FileSummary summary = inspectFile(path, job.stopToken());
        frame_ = framedAsPixels(summary.frame, call.reading);
        for (const ColumnInfo& column : summary.columns)
            if (unit_.empty()) unit_ = column.unit;
    });
}
AlmInput::~AlmInput() = default;

AlmShare AlmInput::take(size_t set, const DistributedSht& plan, Ranks& ranks, JobContext& job) {
    const AlmPartReader::Rows rows = std::move(rows_[set]);
    rows_[set] = {};
    AlmShare share = plan.newAlm(job);
    std::vector<bool> seen(share.values().size());
    const std::vector<int>& owner = plan.ownerOfOrder();
    // The destination packs l and m in one integer.
    constexpr int kBits = 32;
    moveRecords(
        static_cast<int64_t>(rows.l.size()), sizeof(Complex),
        [&](int64_t i) {
            const int32_t l = rows.l[static_cast<size_t>(i)], m = rows.m[static_cast<size_t>(i)];
            // Coefficients with m < 0 are redundant for a real field.
            return m < 0 ? Target{-1, 0}
                         : Target{owner[static_cast<size_t>(m)], int64_t{l} << kBits | m};
        },
        [&](int64_t i, std::byte* record) {
            std::memcpy(record, &rows.values[static_cast<size_t>(i)], sizeof(Complex));
        },
        [&](int64_t at, const std::byte* record) {
            const auto l = static_cast<int>(at >> kBits);
            const auto m = static_cast<int>(at & ((int64_t{1} << kBits) - 1));
            Complex& to = share.of(m)[static_cast<size_t>(l - m)];
            const auto place = static_cast<size_t>(&to - share.values().data());
            if (seen[place])
                throw IoError("expected each index once, found " +
                              std::to_string(int64_t{l} * l + l + m + 1) + " twice");
            seen[place] = true;
            std::memcpy(&to, record, sizeof to);
        },
        ranks, job, "reading");
    return share;
}

std::vector<Field> toNested(const std::vector<Field>& fields, int64_t nside,
                            const RunsOfRanks& runs, Ranks& ranks, JobContext& job) {
    const auto& own = runs[static_cast<size_t>(ranks.rank())];
    const int64_t pixels = pixelCount(nside);
    const ElementRun run = equalRun(pixels, ranks.rank(), ranks.size());
    std::vector<Field> nested = fieldsLike(
        outlineOf(nside, Ordering::Nested, Frame::Unknown, fields).like.fields(), run.count, job);
    // Shares have two sizes: the first ranks have one element more if the number does not divide.
    const int64_t part = pixels / ranks.size(), larger = pixels % ranks.size();
    const auto target = [&](int64_t i) {
        auto of = own.begin();
        int64_t inRun = i;
        while (inRun >= of->count) inRun -= of++->count;
        const int64_t sample = of->first + inRun;
        const int64_t pixel = nestedFromRing(nside, sample);
        const int64_t inLarger = larger * (part + 1);
        const int64_t rank =
            pixel < inLarger ? pixel / (part + 1) : larger + (pixel - inLarger) / part;
        return Target{static_cast<int>(rank),
                      pixel - equalRun(pixels, static_cast<int>(rank), ranks.size()).first};
    };
    moveValues(fields, samplesOf(own), target, nested, ranks, job);
    return nested;
}

namespace {

// Start of the data of the present HDU, broadcast by rank 0.
FilePart partOfFirst(const std::optional<FilePart>& own, const std::string& path, Ranks& ranks,
                     JobContext& job) {
    Bytes bytes;
    if (own) {
        append(bytes, own->offset);
        for (const std::string* name : {&own->temporary, &own->packed}) {
            append(bytes, name->size());
            const auto text = std::as_bytes(std::span(*name));
            bytes.insert(bytes.end(), text.begin(), text.end());
        }
    }
    const Bytes received = fromFirst(bytes, ranks, job);
    size_t at = 0;
    FilePart part{path, "", "", taken<int64_t>(received, at)};
    for (std::string* name : {&part.temporary, &part.packed}) {
        const auto size = taken<size_t>(received, at);
        name->assign(reinterpret_cast<const char*>(received.data()) + at, size);
        at += size;
    }
    return part;
}

std::vector<uint32_t> sumsOfRanks(uint32_t own, Ranks& ranks, JobContext& job) {
    std::vector<uint32_t> sums;
    for (const auto& each : ranks.gatherAll(std::span<const uint32_t>(&own, 1), job))
        sums.push_back(each.at(0));
    return sums;
}

}  // namespace

void writeMapOfRanks(const MapOutline& outline, const std::vector<Field>& fields,
                     std::span<const ElementRun> runs, const RankCall& call, JobContext& job) {
    Ranks& ranks = call.ranks;
    naming(call.output, [&] {
        const MapWriteOptions options{call.overwrite,
                                      call.context.precision.value_or(StoredPrecision::AsRead),
                                      call.history()};
        const Bytes scan = scanMapPart(outline, fields, options, job);
        const MapFilePlan plan(outline, options, ranks.gatherAll(std::span(scan), job));
        std::optional<SharedFile> file;
        std::optional<FilePart> part;
        if (ranks.rank() == 0) {
            file.emplace(call.output, call.overwrite);
            part = file->begin(plan);
        }
        const FilePart place = partOfFirst(part, call.output, ranks, job);
        const uint32_t own = writeMapPart(place, plan, fields, runs, job);
        const std::vector<uint32_t> sums = sumsOfRanks(own, ranks, job);
        job.report(1.0, "writing");
        if (!file) return;
        file->end(sums);
        file->commit(job);
    });
}

void writeAlmOfRanks(std::span<const AlmShare> alm, const DistributedSht& plan,
                     const AlmLabels& labels, const RankCall& call, JobContext& job) {
    Ranks& ranks = call.ranks;
    naming(call.output, [&] {
        std::optional<SharedFile> file;
        FileWriteOptions options;
        options.overwrite = call.overwrite;
        options.precision = call.context.precision.value_or(StoredPrecision::Double);
        options.history = call.history();
        for (size_t set = 0; set < alm.size(); ++set) {
            const AlmFilePlan rows{
                plan.parameters().lmax, plan.parameters().mmax, set, alm.size(), labels, options};
            const DegreeShare share = toDegrees(alm[set], plan.ownerOfOrder(), ranks, job);
            std::optional<FilePart> part;
            // The file is created after all ranks have arrived, so that an error reaches all of
            // them at once.
            if (ranks.rank() == 0 && set == 0) file.emplace(call.output, call.overwrite);
            if (file) part = file->begin(rows);
            const FilePart place = partOfFirst(part, call.output, ranks, job);
            const uint32_t own =
                writeAlmPart(place, rows, share.begin, share.end, share.values, job);
            const std::vector<uint32_t> sums = sumsOfRanks(own, ranks, job);
            if (file) file->end(sums);
            job.report(static_cast<double>(set + 1) / static_cast<double>(alm.size()), "writing");
        }
        if (file) file->commit(job);
    });
}

}  // namespace armilla

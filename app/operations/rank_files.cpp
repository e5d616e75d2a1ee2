// SPDX-License-Identifier: GPL-3.0-or-later
#include "rank_files.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "core/new_vector.h"
#include "core/pixel_geometry.h"
#include "operations/map_values.h"

namespace armilla {

namespace {

using Complex = std::complex<double>;
using Bytes = std::vector<std::byte>;

// Elements and rows that move between ranks at a time: about a megabyte.
constexpr int64_t kTogether = int64_t{1} << 16;

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

// Bytes of any number to each rank; returns those from each.
std::vector<Bytes> exchanged(const std::vector<Bytes>& sends, Ranks& ranks, JobContext& job) {
    const auto count = static_cast<size_t>(ranks.size());
    std::vector<int64_t> sizes(count), coming(count);
    std::vector<Ranks::ConstBytes> from;
    std::vector<Ranks::Bytes> to;
    for (size_t r = 0; r < count; ++r) {
        sizes[r] = static_cast<int64_t>(sends[r].size());
        from.push_back(std::as_bytes(std::span(&sizes[r], 1)));
        to.push_back(std::as_writable_bytes(std::span(&coming[r], 1)));
    }
    ranks.exchange(from, to, job);
    std::vector<Bytes> come;
    for (size_t r = 0; r < count; ++r) {
        come.emplace_back(static_cast<size_t>(coming[r]));
        from[r] = sends[r];
    }
    for (size_t r = 0; r < count; ++r) to[r] = come[r];
    ranks.exchange(from, to, job);
    return come;
}

int64_t largestOf(int64_t value, Ranks& ranks, JobContext& job) {
    int64_t largest = value;
    for (const auto& each : ranks.gatherAll(std::span<const int64_t>(&value, 1), job))
        largest = std::max(largest, each.at(0));
    return largest;
}

std::vector<Field> emptyLike(const HealpixMap& like, int64_t count, JobContext& job) {
    std::vector<Field> fields;
    for (const Field& each : like.fields()) {
        Field field{each.name, each.unit, each.diskType, {}};
        if (each.isSingle())
            field.values = newVector<float>(count, job);
        else
            field.values = newVector<double>(count, job);
        fields.push_back(std::move(field));
    }
    return fields;
}

// Where a value belongs: place `at` of the part of rank `rank`.
struct Target {
    int rank = 0;
    int64_t at = 0;
};

// Moves `count` elements of this rank, the i-th to target(i), into the fields `to` of others.
template <typename TargetOf>
void moveValues(const std::vector<Field>& from, int64_t count, const TargetOf& targetOf,
                std::vector<Field>& to, Ranks& ranks, JobContext& job) {
    const int64_t most = largestOf(count, ranks, job);
    for (int64_t first = 0; first < most; first += kTogether) {
        std::vector<Bytes> sends(static_cast<size_t>(ranks.size()));
        const int64_t end = std::min(count, first + kTogether);
        for (int64_t i = first; i < end; ++i) {
            const Target target = targetOf(i);
            Bytes& send = sends[static_cast<size_t>(target.rank)];
            append(send, target.at);
            for (const Field& field : from)
                std::visit(
                    [&](const auto& values) { append(send, values[static_cast<size_t>(i)]); },
                    field.values);
        }
        job.poll();
        for (const Bytes& come : exchanged(sends, ranks, job))
            for (size_t at = 0; at < come.size();) {
                const auto place = static_cast<size_t>(taken<int64_t>(come, at));
                for (Field& field : to)
                    std::visit([&]<typename T>(
                                   std::vector<T>& values) { values[place] = taken<T>(come, at); },
                               field.values);
            }
        job.report(
            static_cast<double>(std::min(most, first + kTogether)) / static_cast<double>(most),
            "reordering");
    }
}

// Whose a RING sample is.
class RingOwners {
public:
    explicit RingOwners(const RunsOfRanks& runs) {
        for (size_t rank = 0; rank < runs.size(); ++rank)
            for (size_t part = 0; part < 2; ++part)
                if (runs[rank][part].count > 0)
                    all_.push_back({runs[rank][part].first, static_cast<int>(rank),
                                    part == 0 ? 0 : runs[rank][0].count});
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
        int64_t before = 0;  // samples of the rank that lie before this run
    };
    std::vector<Run> all_;
};

int64_t samplesOf(const std::array<SampleRun, 2>& runs) {
    return runs[0].count + runs[1].count;
}

}  // namespace

std::vector<std::byte> fromFirst(std::span<const std::byte> own, Ranks& ranks, JobContext& job) {
    return ranks.gatherAll(ranks.rank() == 0 ? own : std::span<const std::byte>(), job).at(0);
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
        if (like.ordering() == Ordering::Ring) {
            const ElementRun wanted[] = {{own[0].first, own[0].count},
                                         {own[1].first, own[1].count}};
            return reader_->read(wanted, job);
        }
        const int64_t nside = outline().nside;
        const ElementRun run = equalRun(pixelCount(nside), ranks.rank(), ranks.size());
        const std::vector<Field> nested = reader_->read({&run, 1}, job);
        const RingOwners owners(runs);
        std::vector<Field> ring = emptyLike(like, samplesOf(own), job);
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
    std::vector<Field> fields = emptyLike(outline().like, samplesOf(own), job);
    for (size_t f = 0; f < fields.size(); ++f)
        std::visit(
            [&]<typename T>(std::vector<T>& values) {
                // Two exchanges: a rank's two runs lie apart in the map.
                for (size_t part = 0; part < 2; ++part) {
                    std::vector<Ranks::ConstBytes> sends(runs.size());
                    std::vector<Ranks::Bytes> receives(runs.size());
                    if (whole) {
                        const auto& all =
                            std::get<std::vector<T>>(whole->field(static_cast<int>(f)).values);
                        for (size_t to = 0; to < runs.size(); ++to)
                            sends[to] = std::as_bytes(
                                std::span(all).subspan(static_cast<size_t>(runs[to][part].first),
                                                       static_cast<size_t>(runs[to][part].count)));
                    }
                    receives[0] = std::as_writable_bytes(
                        std::span(values).subspan(static_cast<size_t>(part == 0 ? 0 : own[0].count),
                                                  static_cast<size_t>(own[part].count)));
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
        frame_ = framedAs(summary.frame, call.reading);
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
    const auto count = static_cast<int64_t>(rows.l.size());
    const int64_t most = largestOf(count, ranks, job);
    for (int64_t first = 0; first < most; first += kTogether) {
        std::vector<Bytes> sends(static_cast<size_t>(ranks.size()));
        for (auto i = static_cast<size_t>(first);
             i < static_cast<size_t>(std::min(count, first + kTogether)); ++i) {
            // m < 0 repeats what m > 0 says of a real field.
            if (rows.m[i] < 0) continue;
            Bytes& send = sends[static_cast<size_t>(owner[static_cast<size_t>(rows.m[i])])];
            append(send, rows.l[i]);
            append(send, rows.m[i]);
            append(send, rows.values[i]);
        }
        for (const Bytes& come : exchanged(sends, ranks, job))
            for (size_t at = 0; at < come.size();) {
                const auto l = taken<int32_t>(come, at);
                const auto m = taken<int32_t>(come, at);
                Complex& to = share.of(m)[static_cast<size_t>(l - m)];
                const auto place = static_cast<size_t>(&to - share.values().data());
                if (seen[place])
                    throw IoError("expected each index once, found " +
                                  std::to_string(int64_t{l} * l + l + m + 1) + " twice");
                seen[place] = true;
                to = taken<Complex>(come, at);
            }
    }
    return share;
}

std::vector<Field> toNested(const std::vector<Field>& fields, int64_t nside,
                            const RunsOfRanks& runs, Ranks& ranks, JobContext& job) {
    const auto& own = runs[static_cast<size_t>(ranks.rank())];
    const int64_t pixels = pixelCount(nside);
    const ElementRun run = equalRun(pixels, ranks.rank(), ranks.size());
    std::vector<Field> nested =
        emptyLike(outlineOf(nside, Ordering::Nested, Frame::Unknown, fields).like, run.count, job);
    // Of two sizes: the first ranks have one more where the number does not divide.
    const int64_t part = pixels / ranks.size(), larger = pixels % ranks.size();
    const auto target = [&](int64_t i) {
        const int64_t sample =
            i < own[0].count ? own[0].first + i : own[1].first + i - own[0].count;
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

// Where the data of the present HDU begin, as rank 0 says.
FilePart toldByFirst(const std::optional<FilePart>& own, const std::string& path, Ranks& ranks,
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
    const Bytes told = fromFirst(bytes, ranks, job);
    size_t at = 0;
    FilePart part{path, "", "", taken<int64_t>(told, at)};
    for (std::string* name : {&part.temporary, &part.packed}) {
        const auto size = taken<size_t>(told, at);
        name->assign(reinterpret_cast<const char*>(told.data()) + at, size);
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
        const FilePart place = toldByFirst(part, call.output, ranks, job);
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
            const AlmFilePlan rows{plan.parameters().lmax, plan.parameters().mmax, set, labels,
                                   options};
            const DegreeShare share = toDegrees(alm[set], plan.ownerOfOrder(), ranks, job);
            std::optional<FilePart> part;
            // Once all are here, so that all know of it at once.
            if (ranks.rank() == 0 && set == 0) file.emplace(call.output, call.overwrite);
            if (file) part = file->begin(rows);
            const FilePart place = toldByFirst(part, call.output, ranks, job);
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

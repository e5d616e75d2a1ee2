// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "armilla/core/ascii_text.h"
#include "armilla/core/nan.h"
#include "armilla/core/physical_unit.h"
#include "armilla/ops/resample.h"
#include "resample/resample_detail.h"

namespace armilla {

namespace {

using namespace resample;

// The children of a pixel, `ratio` to a side, in the order of their nested numbers (row by row if
// the ratio is no power of two). The order makes RING and NESTED maps give equal sums.
class Children {
public:
    explicit Children(int64_t ratio) : ratio_(ratio), interleaved_(isPowerOfTwoNside(ratio)) {}
    int64_t ratio() const { return ratio_; }
    int64_t count() const { return ratio_ * ratio_; }
    int64_t x(int64_t child) const {
        return interleaved_ ? static_cast<int64_t>(detail::gatherBits(static_cast<uint64_t>(child)))
                            : child % ratio_;
    }
    int64_t y(int64_t child) const {
        return interleaved_
                   ? static_cast<int64_t>(detail::gatherBits(static_cast<uint64_t>(child) >> 1))
                   : child / ratio_;
    }
    int64_t number(int64_t childX, int64_t childY) const {
        return interleaved_ ? nestedFromFace(ratio_, {0, childX, childY})
                            : childY * ratio_ + childX;
    }
    FacePixel child(FacePixel parent, int64_t number) const {
        return {parent.face, parent.x * ratio_ + x(number), parent.y * ratio_ + y(number)};
    }
    FacePixel parent(FacePixel child) const {
        return {child.face, child.x / ratio_, child.y / ratio_};
    }

private:
    int64_t ratio_;
    bool interleaved_;
};

struct Rule {
    Degrade degrade = Degrade::Mean;
    bool pessimistic = false;
    int64_t children = 1;  // children of a complete parent
};

// Mean or sum of the good ones of `count` values; NaN without good values, or if the rule is
// pessimistic and one is bad or missing. Blocked sums of 64 keep precision for millions of values.
template <class Read>
double reduced(int64_t count, const Read& read, const Rule& rule, const JobContext& job) {
    constexpr int64_t kChunk = 64, kPollEvery = int64_t{1} << 20;
    double total = 0.0;
    int64_t good = 0;
    for (int64_t begin = 0; begin < count; begin += kChunk) {
        if (begin % kPollEvery == 0 && begin > 0 && job.stopRequested()) throw Cancelled();
        const int64_t end = std::min(count, begin + kChunk);
        double sum = 0.0;
        for (int64_t i = begin; i < end; ++i) {
            const auto value = static_cast<double>(read(i));
            if (!std::isfinite(value)) continue;
            sum += value;
            ++good;
        }
        total += sum;
    }
    if (good == 0 || (rule.pessimistic && good < rule.children)) return kNan;
    return rule.degrade == Degrade::Sum ? total : total / static_cast<double>(good);
}

// The rules of all fields of a map.
std::vector<Rule> rulesOf(const HealpixMap& map, const UdgradeOptions& options, int64_t children) {
    std::vector<Rule> rules;
    for (const Field& field : map.fields())
        rules.push_back(
            {options.degrade.value_or(degradeRule(field)), options.pessimistic, children});
    return rules;
}

// Divides fields that hold sums among the `children` of each parent.
void divideSums(HealpixMap& map, const std::vector<Rule>& rules, JobContext& job) {
    for (int i = 0; i < map.fieldCount(); ++i) {
        const Rule& rule = rules[static_cast<size_t>(i)];
        if (rule.degrade != Degrade::Sum) continue;
        Field& field = map.field(i);
        field.diskType = diskTypeOf(field, Numbers::Averaged);
        std::visit(
            [&](auto& values) {
                using T = typename std::decay_t<decltype(values)>::value_type;
                const T share = static_cast<T>(1.0 / static_cast<double>(rule.children));
                parallelFor(job, static_cast<long long>(values.size()), kPixelGrain,
                            [&](long long begin, long long end) {
                                for (long long p = begin; p < end; ++p)
                                    values[static_cast<size_t>(p)] *= share;
                            });
            },
            field.values);
    }
}

template <class T>
std::vector<T> downFull(std::span<const T> values, const HealpixMap& map, int64_t nside,
                        const std::vector<FaceRings>& rings, const Rule& rule, JobContext& job) {
    const Children children(map.nside() / nside);
    std::vector<T> result = newVector<T>(pixelCount(nside), job);
    const int64_t grain = std::max<int64_t>(1, 4 * kPixelGrain / children.count());
    if (map.ordering() == Ordering::Nested) {
        parallelFor(
            job, pixelCount(nside), grain,
            [&](long long begin, long long end) {
                for (int64_t p = begin; p < end; ++p) {
                    const T* first = values.data() + p * children.count();
                    result[static_cast<size_t>(p)] = static_cast<T>(reduced(
                        children.count(), [=](int64_t i) { return first[i]; }, rule, job));
                }
            },
            "averaging");
        return result;
    }
    forEachRingRun(nside, job, "averaging", grain, [&](int64_t first, const RingRun& run) {
        const FaceRings& ring = rings[static_cast<size_t>(run.first.face)];
        for (int64_t k = 0; k < run.length; ++k) {
            const int64_t x = (run.first.x + k) * children.ratio();
            const int64_t y = (run.first.y - k) * children.ratio();
            const auto read = [&](int64_t i) {
                return values[static_cast<size_t>(
                    ring.pixel(x + children.x(i), y + children.y(i)))];
            };
            result[static_cast<size_t>(first + k)] =
                static_cast<T>(reduced(children.count(), read, rule, job));
        }
    });
    return result;
}

template <class T>
std::vector<T> upFull(std::span<const T> values, const HealpixMap& map, int64_t nside,
                      const std::vector<FaceRings>& rings, JobContext& job) {
    const int64_t ratio = nside / map.nside();
    std::vector<T> result = newVector<T>(pixelCount(nside), job);
    if (map.ordering() == Ordering::Nested) {
        parallelFor(
            job, pixelCount(nside), kPixelGrain,
            [&](long long begin, long long end) {
                for (int64_t p = begin; p < end; ++p)
                    result[static_cast<size_t>(p)] =
                        values[static_cast<size_t>(p / (ratio * ratio))];
            },
            "refining");
        return result;
    }
    forEachRingRun(nside, job, "refining", kPixelGrain, [&](int64_t first, const RingRun& run) {
        const FaceRings& ring = rings[static_cast<size_t>(run.first.face)];
        for (int64_t k = 0; k < run.length; ++k)
            result[static_cast<size_t>(first + k)] = values[static_cast<size_t>(
                ring.pixel((run.first.x + k) / ratio, (run.first.y - k) / ratio))];
    });
    return result;
}

// The children of a partial map in the order of their parents and numbers.
class OrderedChildren {
public:
    OrderedChildren(const HealpixMap& map, int64_t nside, JobContext& job) : map_(map) {
        // Nested pixels ascend in this order already.
        if (map.ordering() == Ordering::Nested) return;
        const Children children(map.nside() / nside);
        sources_ = newVector<PixelSource>(map.elementCount(), job);
        parallelFor(
            job, map.elementCount(), kPixelGrain,
            [&](long long begin, long long end) {
                for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                    const FacePixel at = faceFromRing(map.nside(), map.pixels()[i]);
                    const int64_t parent = ringFromFace(nside, children.parent(at));
                    const int64_t number =
                        children.number(at.x % children.ratio(), at.y % children.ratio());
                    sources_[i] = {parent * children.count() + number, static_cast<int64_t>(i)};
                }
            },
            "averaging");
        sortByKey(sources_, job);
    }
    // The parent's number times the number of children, plus the child's number.
    int64_t key(size_t i) const { return sources_.empty() ? map_.pixels()[i] : sources_[i].key; }
    size_t element(size_t i) const {
        return sources_.empty() ? i : static_cast<size_t>(sources_[i].element);
    }

private:
    const HealpixMap& map_;
    std::vector<PixelSource> sources_;  // empty for nested pixels
};

HealpixMap downPartial(const HealpixMap& map, int64_t nside, const std::vector<Rule>& rules,
                       JobContext& job) {
    const int64_t siblings = (map.nside() / nside) * (map.nside() / nside);
    JobContext numbering = job.part(0.0, 0.5), averaging = job.part(0.5, 1.0);
    const OrderedChildren children(map, nside, numbering);
    std::vector<int64_t> parents, starts;  // first child of each parent
    for (size_t i = 0; i < static_cast<size_t>(map.elementCount()); ++i) {
        if (i % kPixelGrain == 0) numbering.poll();
        const int64_t parent = children.key(i) / siblings;
        if (!parents.empty() && parents.back() == parent) continue;
        parents.push_back(parent);
        starts.push_back(static_cast<int64_t>(i));
    }
    starts.push_back(map.elementCount());
    size_t next = 0;  // fields are made in sequence
    std::vector<Field> fields =
        eachField(map, Numbers::Averaged, averaging, [&](const auto& values, JobContext& part) {
            const Rule& rule = rules[next++];
            using T = typename std::decay_t<decltype(values)>::value_type;
            const auto count = static_cast<int64_t>(parents.size());
            std::vector<T> result = newVector<T>(count, part);
            const int64_t grain = std::max<int64_t>(1, kPixelGrain / siblings);
            parallelFor(
                part, count, grain,
                [&](long long begin, long long end) {
                    for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i) {
                        const auto first = static_cast<size_t>(starts[i]);
                        const auto read = [&](int64_t k) {
                            return values[children.element(first + static_cast<size_t>(k))];
                        };
                        result[i] =
                            static_cast<T>(reduced(starts[i + 1] - starts[i], read, rule, part));
                    }
                },
                "averaging");
            return result;
        });
    return HealpixMap::partial(nside, map.ordering(), map.frame(), std::move(parents),
                               std::move(fields));
}

HealpixMap upPartial(const HealpixMap& map, int64_t nside, JobContext& job) {
    const Children children(nside / map.nside());
    if (map.elementCount() > std::numeric_limits<int64_t>::max() / children.count())
        refuseSize(std::numeric_limits<int64_t>::max(), sizeof(PixelSource));
    const int64_t count = map.elementCount() * children.count();
    JobContext numbering = job.part(0.0, 0.6), copying = job.part(0.6, 1.0);
    std::vector<PixelSource> sources = newVector<PixelSource>(count, numbering);
    parallelFor(
        numbering, count, kPixelGrain,
        [&](long long begin, long long end) {
            for (int64_t i = begin; i < end; ++i) {
                const int64_t element = i / children.count(), number = i % children.count();
                const FacePixel parent = faceFromPixel(map.nside(), map.ordering(),
                                                       map.pixels()[static_cast<size_t>(element)]);
                sources[static_cast<size_t>(i)] = {
                    pixelFromFace(nside, map.ordering(), children.child(parent, number)), element};
            }
        },
        "refining");
    // The children of ascending nested pixels ascend already.
    if (map.ordering() == Ordering::Ring) sortByKey(sources, numbering);
    std::vector<Field> fields = eachField(
        map, Numbers::AsTheyWere, copying,
        [&](const auto& values, JobContext& part) { return gathered(values, sources, part); });
    return HealpixMap::partial(nside, map.ordering(), map.frame(), keysOf(sources, copying),
                               std::move(fields));
}

}  // namespace

Degrade degradeRule(const Field& field) {
    const auto plain = [](std::string_view text) {
        std::string word;
        for (const char c : text)
            if (!isBlank(c) && c != '_' && c != '^' && c != '*') word += lowerCase(c);
        return word;
    };
    const auto unit = parseUnit(field.unit);
    if (!unit) return Degrade::Mean;
    if (unit->power(UnitBase::Pixel) < 0.0) return Degrade::Sum;
    for (const UnitBase base : {UnitBase::Count, UnitBase::Photon}) {
        PhysicalUnit number;
        number.powers[static_cast<size_t>(base)] = 1.0;
        if (isSameKind(*unit, number)) return Degrade::Sum;
    }
    if (!unit->isDimensionless()) return Degrade::Mean;
    const std::string name = plain(field.name);
    for (const char* sum :
         {"prob", "probability", "counts", "count", "hits", "hit", "nobs", "nhits", "hitmap"})
        if (name == sum) return Degrade::Sum;
    return Degrade::Mean;
}

HealpixMap udgraded(const HealpixMap& map, int64_t nside, JobContext& job) {
    UdgradeOptions options;
    options.degrade = Degrade::Mean;
    return udgraded(map, nside, options, job);
}

namespace {

// Throws InvalidArgument unless one nside is a multiple of the other. Returns the ratio.
int64_t requireRatio(const HealpixMap& map, int64_t nside) {
    const int64_t coarse = std::min(nside, map.nside()), fine = std::max(nside, map.nside());
    if (fine % coarse != 0)
        throw InvalidArgument("expected an nside that divides " + std::to_string(map.nside()) +
                              " or is a multiple of it, found " + std::to_string(nside));
    return fine / coarse;
}

// `outline`: nside, ordering and frame of a full map; `source`: its values.
template <class Source>
HealpixMap udgradedFull(const HealpixMap& outline, const Source& source, int64_t nside,
                        const std::vector<Rule>& rules, JobContext& job) {
    const bool down = nside < outline.nside();
    // Tables of the input map.
    std::vector<FaceRings> rings;
    if (outline.ordering() == Ordering::Ring) rings = allFaceRings(outline.nside());
    size_t next = 0;  // fields are made in sequence
    std::vector<Field> fields = eachField(
        source, down ? Numbers::Averaged : Numbers::AsTheyWere, job,
        [&](const auto& values, JobContext& part) {
            const Rule& rule = rules[next++];
            const std::span<const typename std::decay_t<decltype(values)>::value_type> all(values);
            return down ? downFull(all, outline, nside, rings, rule, part)
                        : upFull(all, outline, nside, rings, part);
        });
    HealpixMap result(nside, outline.ordering(), outline.frame(), std::move(fields));
    if (!down) divideSums(result, rules, job);
    return withMetadata(std::move(result), outline);
}

}  // namespace

HealpixMap udgraded(const HealpixMap& map, int64_t nside, const UdgradeOptions& options,
                    JobContext& job) {
    requireSinglePixels(map, "change of resolution");
    checkNside(nside, map.ordering());
    if (nside == map.nside()) return map;
    const int64_t ratio = requireRatio(map, nside);
    const std::vector<Rule> rules = rulesOf(map, options, ratio * ratio);
    if (map.coverage() != Coverage::Partial) return udgradedFull(map, map, nside, rules, job);
    if (nside < map.nside()) return withMetadata(downPartial(map, nside, rules, job), map);
    HealpixMap result = upPartial(map, nside, job);
    divideSums(result, rules, job);
    return withMetadata(std::move(result), map);
}

HealpixMap udgraded(const RingMapView& map, int64_t nside, const UdgradeOptions& options,
                    JobContext& job) {
    const HealpixMap& outline = *map.outline;
    checkNside(nside, Ordering::Ring);
    if (nside == outline.nside()) return reordered(map, Ordering::Ring, job);
    const int64_t ratio = requireRatio(outline, nside);
    return udgradedFull(outline, map, nside, rulesOf(outline, options, ratio * ratio), job);
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// The operation `stats` on maps that exceed the memory. Values of small parts are kept. Large parts
// are read several times: for extremes and sums, then for deviations and percentiles.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "armilla/core/counted.h"
#include "armilla/core/map_statistics.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/brightness.h"
#include "stats_parts.h"
#include "stokes.h"

namespace armilla {

namespace {

// Number of values that all parts together keep. Values, their pixels, copies and sorted values
// take 64 bytes each at most; this leaves three quarters of the memory for other uses.
int64_t mostKept() {
    constexpr int64_t kBytes = 4 * 64, kMost = int64_t{1} << 25;
    return std::min(kMost, availableMemory() / kBytes);
}

// Sum with the rounding error of each addition (A. Neumaier 1974).
class Sum {
public:
    void add(double value) {
        const double total = sum_ + value;
        lost_ +=
            std::abs(sum_) >= std::abs(value) ? (sum_ - total) + value : (value - total) + sum_;
        sum_ = total;
    }
    double value() const { return std::isfinite(lost_) ? sum_ + lost_ : sum_; }

private:
    double sum_ = 0.0, lost_ = 0.0;
};

// Values of given ranks, by counts of the leading bits of the values, some bits a pass.
class RankedValues {
public:
    // `isSingle`: all values are exact in single precision.
    explicit RankedValues(bool isSingle) : needed_(isSingle ? 35 : 64) {}

    bool isDone() const { return known_ >= needed_; }
    void add(double value) {
        // Counts are allocated for parts that need them: regions mostly keep their values.
        if (counts_.empty()) begin();
        const uint64_t key = keyOf(value);
        const uint64_t prefix = known_ == 0 ? 0 : key >> (64 - known_);
        const auto digit = static_cast<size_t>((key << known_) >> (64 - bits_));
        for (size_t table = 0; table < prefixes_.size(); ++table)
            if (prefixes_[table] == prefix) {
                ++counts_[(table << bits_) + digit];
                return;
            }
    }
    // Ascending ranks; called after the first pass.
    void setRanks(const std::vector<int64_t>& ranks) {
        for (const int64_t rank : ranks) wanted_.push_back({rank, 0});
    }
    void endPass() {
        for (Wanted& wanted : wanted_) {
            const auto table = static_cast<size_t>(
                std::find(prefixes_.begin(), prefixes_.end(), wanted.prefix) - prefixes_.begin());
            uint64_t digit = 0;
            while (wanted.rank >= counts_[(table << bits_) + digit])
                wanted.rank -= counts_[(table << bits_) + digit++];
            wanted.prefix = (wanted.prefix << bits_) | digit;
        }
        known_ += bits_;
        prefixes_.clear();
        for (const Wanted& wanted : wanted_)
            if (std::find(prefixes_.begin(), prefixes_.end(), wanted.prefix) == prefixes_.end())
                prefixes_.push_back(wanted.prefix);
        if (!isDone()) begin();
    }
    // The value of the rank number `index`.
    double value(size_t index) const {
        const uint64_t prefix = wanted_[index].prefix;
        uint64_t key = known_ == 64 ? prefix : prefix << (64 - known_);
        const bool isNegative = (key & kSign) == 0;
        // The bits beyond the prefix are 0 in the value.
        if (isNegative && known_ < 64) key |= (uint64_t{1} << (64 - known_)) - 1;
        return std::bit_cast<double>(isNegative ? ~key : key & ~kSign);
    }

private:
    static constexpr uint64_t kSign = uint64_t{1} << 63;
    // The order of keys is the order of values.
    static uint64_t keyOf(double value) {
        const auto bits = std::bit_cast<uint64_t>(value);
        return (bits & kSign) != 0 ? ~bits : bits | kSign;
    }
    void begin() {
        constexpr int kDigit = 18;  // 2 MB of counts for each prefix
        bits_ = std::min(kDigit, 64 - known_);
        counts_.assign(prefixes_.size() << bits_, 0);
    }
    struct Wanted {
        int64_t rank;
        uint64_t prefix;
    };
    int needed_, known_ = 0, bits_ = 0;
    std::vector<uint64_t> prefixes_{0};
    std::vector<Wanted> wanted_;
    std::vector<int64_t> counts_;
};

// The statistics of one part of the sky.
class PartPasses {
public:
    PartPasses(bool isSingle, int64_t mostKept) : ranked_(isSingle), mostKept_(mostKept) {}

    bool keeps() const { return keeps_; }
    PartValues& kept() { return kept_; }
    bool needsPass() const { return !keeps_ && good_ > 0 && !ranked_.isDone(); }

    void first(PartValues some) {
        all_ += some.all;
        good_ += std::ssize(some.values);
        if (keeps_) {
            kept_.all += some.all;
            kept_.values.insert(kept_.values.end(), some.values.begin(), some.values.end());
            for (size_t i = 0; i < some.values.size(); ++i) kept_.pixels.push_back(some.pixel(i));
            if (good_ <= mostKept_) return;
            keeps_ = false;
            count(kept_);
            kept_ = {};
            return;
        }
        count(some);
    }
    void endFirst() {
        if (keeps_ || good_ == 0) return;
        exponent_ = scalingExponent(std::max(std::abs(least_), std::abs(largest_)));
        scale_ = std::ldexp(1.0, -exponent_);
        origin_ =
            std::isfinite(sum_.value()) ? sum_.value() / static_cast<double>(good_) * scale_ : 0.0;
        std::vector<int64_t> ranks;
        for (const double share : kShares) {
            const double place = share * static_cast<double>(good_ - 1);
            const auto low = static_cast<int64_t>(place);
            ranks.push_back(low);
            ranks.push_back(std::min(low + 1, good_ - 1));
            between_.push_back(place - static_cast<double>(low));
        }
        ranked_.setRanks(ranks);
        ranked_.endPass();
    }
    void again(const PartValues& some) {
        for (const double value : some.values) {
            ranked_.add(value);
            if (hasDeviations_) continue;
            const double off = value * scale_ - origin_;
            deviations_.add(off);
            squares_.add(off * off);
        }
    }
    void endAgain() {
        hasDeviations_ = true;
        ranked_.endPass();
    }
    double least() const { return least_; }
    double largest() const { return largest_; }

    AreaStatistics figures(const HealpixMap& map, int64_t nside) const {
        if (keeps_) return mapStatistics(map, kept_);
        AreaStatistics s;
        s.pixels = all_;
        s.good = good_;
        const auto n = static_cast<double>(good_);
        s.sum = sum_.value();
        const double mean = deviations_.value() / n;
        s.mean = std::ldexp(origin_ + mean, exponent_);
        s.standardDeviation =
            std::ldexp(std::sqrt(std::max(0.0, squares_.value() / n - mean * mean)), exponent_);
        const auto percentile = [&](size_t i) {
            const double low = ranked_.value(2 * i), high = ranked_.value(2 * i + 1);
            return between_[i] == 0.0 ? low : low + between_[i] * (high - low);
        };
        s.low = percentile(0);
        s.median = percentile(1);
        s.high = percentile(2);
        s.least = least_;
        s.largest = largest_;
        s.largestAt = directionFromPixel(nside, map.ordering(), largestPixel_);
        const double pixel = 4.0 * kPi / static_cast<double>(pixelCount(nside));
        s.area = static_cast<double>(all_) * pixel;
        s.integral = s.sum * pixel;
        return s;
    }

private:
    static constexpr std::array<double, 3> kShares{0.16, 0.5, 0.84};

    void count(const PartValues& some) {
        for (size_t i = 0; i < some.values.size(); ++i) {
            const double value = some.values[i];
            sum_.add(value);
            least_ = std::min(least_, value);
            if (value >= largest_) {
                largest_ = value;
                largestPixel_ = some.pixel(i);
            }
            ranked_.add(value);
        }
    }

    RankedValues ranked_;
    int64_t mostKept_;
    bool keeps_ = true, hasDeviations_ = false;
    PartValues kept_;
    int64_t all_ = 0, good_ = 0, largestPixel_ = 0;
    double least_ = std::numeric_limits<double>::infinity(), largest_ = -least_;
    Sum sum_, deviations_, squares_;
    int exponent_ = 0;
    double scale_ = 1.0, origin_ = 0.0;
    std::vector<double> between_;
};

// The blocks of pixels that each part may reach.
std::vector<std::vector<bool>> blocksOfParts(const std::vector<SkyPart>& parts,
                                             const std::vector<ElementRun>& blocks,
                                             const MapOnDisk& map) {
    std::vector<std::vector<bool>> reached;
    for (const SkyPart& part : parts) {
        std::vector<bool>& own = reached.emplace_back(blocks.size(), !part.region);
        if (!part.region) continue;
        const RegionTest test(*part.region, map.frame());
        // A margin of a pixel covers rounding at the border.
        const double pixel = std::sqrt(4.0 * kPi / static_cast<double>(map.pixels()));
        const std::vector<PixelRange> near = queryDisc(map.nside(), map.ordering(), test.center(),
                                                       std::min(kPi, test.radius() + pixel));
        size_t block = 0;
        for (const PixelRange& range : near)
            for (; block < blocks.size() && blocks[block].first < range.end; ++block) {
                own[block] = own[block] || blocks[block].first + blocks[block].count > range.begin;
                if (blocks[block].first + blocks[block].count > range.end) break;
            }
    }
    return reached;
}

class StatsPasses {
public:
    StatsPasses(MapOnDisk& map, const std::vector<SkyPart>& parts, int64_t blockPixels)
        : map_(map),
          parts_(parts),
          blocks_(pixelBlocks(map.nside(), map.ordering(), blockPixels)),
          reached_(blocksOfParts(parts, blocks_, map)) {}

    // Calls body(part, values of a block) for the parts that `wants` names.
    template <class Wants, class Body>
    void run(const Wants& wants, const Body& body, JobContext& job) {
        for (size_t block = 0; block < blocks_.size(); ++block) {
            job.report(static_cast<double>(block) / static_cast<double>(blocks_.size()), "pixels");
            std::vector<size_t> wanted;
            for (size_t part = 0; part < parts_.size(); ++part)
                if (reached_[part][block] && wants(part)) wanted.push_back(part);
            if (wanted.empty()) continue;
            JobContext silent(job.stopToken(), {}, job.threads());
            const std::vector<Field> fields =
                readPixelBlock(map_.reader(), map_.ordering(), blocks_[block], silent);
            const PixelSlice slice{map_.nside(), map_.ordering(), map_.frame(),
                                   blocks_[block].first, samplesOf(fields.front())};
            for (const size_t part : wanted) body(part, partValues(slice, parts_[part], silent));
        }
    }

private:
    MapOnDisk& map_;
    const std::vector<SkyPart>& parts_;
    std::vector<ElementRun> blocks_;
    std::vector<std::vector<bool>> reached_;
};

// The histograms of all parts, in one more pass.
Curve histogramByBlocks(StatsPasses& passes, std::vector<PartPasses>& found, const StatsOptions& p,
                        const std::string& unit, JobContext& job) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::vector<PartValues> values;
    std::vector<std::string> names;
    for (PartPasses& part : found) {
        names.push_back(std::to_string(names.size() + 1));
        low = std::min(low, part.least());
        high = std::max(high, part.largest());
        if (part.keeps())
            for (const double value : part.kept().values) {
                low = std::min(low, value);
                high = std::max(high, value);
            }
        values.push_back(part.keeps() ? part.kept() : PartValues{});
    }
    if (!(low <= high)) low = high = 0.0;
    const auto histogramOf = [&] {
        return partHistogram(values, names, p.least.value_or(low), p.most.value_or(high),
                             static_cast<int>(p.bins), unit);
    };
    Curve sum = histogramOf();
    passes.run([&](size_t part) { return !found[part].keeps(); },
               [&](size_t part, PartValues some) {
                   for (PartValues& each : values) each = {};
                   values[part] = std::move(some);
                   const Curve block = histogramOf();
                   for (size_t i = 0; i < block.series[part].values.size(); ++i)
                       sum.series[part].values[i] += block.series[part].values[i];
               },
               job);
    return sum;
}

}  // namespace

Outputs statsByBlocks(Context& context, const Inputs& inputs, MapOnDisk& map, const StatsOptions& p,
                      int64_t blockPixels) {
    const HealpixMap& like = inputs["MAP"].map();  // one pixel
    const Field& field = like.field(0);
    const Input* moc = inputs.find("moc");
    const Frame frame = p.frame.value_or(map.frame());
    const std::vector<SkyPart> parts =
        partsOf(context, p, frame, moc != nullptr ? &moc->map() : nullptr);
    const std::string unit = standardUnit(field.unit);
    const int64_t mostOfPart = std::max<int64_t>(4096, mostKept() / std::ssize(parts));
    std::vector<PartPasses> found;
    for (size_t i = 0; i < parts.size(); ++i) found.emplace_back(field.isSingle(), mostOfPart);
    StatsPasses passes(map, parts, blockPixels);
    constexpr double kEndOfPasses = 0.95;
    JobContext first = context.job.part(0.0, 0.4);
    passes.run([](size_t) { return true; },
               [&](size_t part, PartValues some) { found[part].first(std::move(some)); }, first);
    for (PartPasses& part : found) part.endFirst();
    for (double done = 0.4;
         std::any_of(found.begin(), found.end(), [](const auto& part) { return part.needsPass(); });
         done = 0.5 * (kEndOfPasses + done)) {
        JobContext pass = context.job.part(done, 0.5 * (kEndOfPasses + done));
        std::vector<bool> again;
        for (const PartPasses& part : found) again.push_back(part.needsPass());
        passes.run([&](size_t part) { return again[part]; },
                   [&](size_t part, const PartValues& some) { found[part].again(some); }, pass);
        for (size_t part = 0; part < found.size(); ++part)
            if (again[part]) found[part].endAgain();
    }
    std::vector<AreaStatistics> figures;
    for (const PartPasses& part : found) figures.push_back(part.figures(like, map.nside()));
    noteConvention(like, 0, context.note);
    Outputs outputs = figuresOutput(context, map.frame(), parts, figures, frame, unit,
                                    integralOf(like.metadata().cards, field, context.note));
    if (context.wanted.contains("histogram")) {
        JobContext last = context.job.part(kEndOfPasses, 1.0);
        outputs.push_back(
            {"histogram",
             std::make_shared<const Curve>(histogramByBlocks(passes, found, p, unit, last)),
             counted(p.bins, "bin")});
    }
    if (context.wanted.contains("profile")) {
        std::vector<PartValues> values;
        for (size_t i = 0; i < found.size(); ++i) {
            if (!found[i].keeps())
                throw OutOfMemory("--profile: expected regions of at most " +
                                  counted(mostOfPart, "pixel") +
                                  " of a map that exceeds the memory, found a larger one ('" +
                                  parts[i].name + "')");
            values.push_back(std::move(found[i].kept()));
        }
        Curve profile = profilesOf(like, values, parts, p, frame, unit);
        const std::string about = counted(profile.size(), "ring");
        outputs.push_back({"profile", std::make_shared<const Curve>(std::move(profile)), about});
    }
    return outputs;
}

}  // namespace armilla

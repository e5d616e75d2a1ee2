// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/pixel_geometry.h"
#include "column_plan.h"
#include "fits_writer.h"
#include "healsparse.h"
#include "map_cards.h"

namespace armilla {

namespace {

// The coverage of healsparse's own examples; finer where tiles would exceed 512^2 pixels.
constexpr int64_t kUsualCoverNside = 32;
constexpr int64_t kMaxTileSide = 512;
// At 256, the coverage takes 6 MB.
constexpr int64_t kMaxCoverNside = 256;
constexpr int64_t kMaxWrittenNside = kMaxCoverNside * kMaxTileSide;

// The elements of a map in the order of nested pixels.
class NestedElements {
public:
    NestedElements(const HealpixMap& map, JobContext& job) : map_(map) {
        const bool isSorted =
            map.ordering() == Ordering::Nested || map.coverage() != Coverage::Partial;
        if (isSorted) return;
        requireMemory("the pixels in NESTED order", map.elementCount() * 16);
        sorted_.resize(static_cast<size_t>(map.elementCount()));
        parallelFor(job, map.elementCount(), kPixelGrain, [&](long long begin, long long end) {
            for (long long i = begin; i < end; ++i)
                sorted_[static_cast<size_t>(i)] = {
                    nestedFromRing(map.nside(), map.pixels()[static_cast<size_t>(i)]), i};
        });
        uint64_t comparisons = 0;
        std::sort(sorted_.begin(), sorted_.end(), [&](const auto& a, const auto& b) {
            // 2^16 comparisons take about 1 ms (one CPU core).
            if ((++comparisons & 0xffff) == 0) job.poll();
            return a < b;
        });
    }

    // Calls `visit(pixel - begin, element)` for the elements at nested pixels from `begin` on,
    // below `end`. A visit that returns false ends the calls.
    template <class Visit>
    void visit(int64_t begin, int64_t end, const Visit& visit) const {
        switch (map_.coverage()) {
            case Coverage::Full:
                for (int64_t p = begin; p < end; ++p)
                    if (!visit(p - begin, map_.ordering() == Ordering::Nested
                                              ? p
                                              : ringFromNested(map_.nside(), p)))
                        return;
                return;
            case Coverage::Partial:
                map_.ordering() == Ordering::Nested ? visitListed(begin, end, visit)
                                                    : visitSorted(begin, end, visit);
                return;
            case Coverage::MultiOrder: visitCells(begin, end, visit); return;
        }
    }

private:
    template <class Visit>
    void visitListed(int64_t begin, int64_t end, const Visit& visit) const {
        const auto pixels = map_.pixels();
        auto at = std::lower_bound(pixels.begin(), pixels.end(), begin);
        for (; at != pixels.end() && *at < end; ++at)
            if (!visit(*at - begin, at - pixels.begin())) return;
    }
    template <class Visit>
    void visitSorted(int64_t begin, int64_t end, const Visit& visit) const {
        auto at = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(begin, int64_t{0}));
        for (; at != sorted_.end() && at->first < end; ++at)
            if (!visit(at->first - begin, at->second)) return;
    }
    template <class Visit>
    void visitCells(int64_t begin, int64_t end, const Visit& visit) const {
        const auto pixels = map_.pixels();
        const int deepest = orderOf(map_.nside());
        auto at = std::upper_bound(pixels.begin(), pixels.end(), begin);
        if (at != pixels.begin()) --at;
        for (; at != pixels.end() && *at < end; ++at) {
            const int64_t cell = at - pixels.begin();
            const int order = map_.cellOrders()[static_cast<size_t>(cell)];
            const int64_t last = std::min(end, *at + (int64_t{1} << (2 * (deepest - order))));
            for (int64_t p = std::max(begin, *at); p < last; ++p)
                if (!visit(p - begin, cell)) return;
        }
    }

    const HealpixMap& map_;
    std::vector<std::pair<int64_t, int64_t>> sorted_;  // nested pixel, element
};

bool isFlag(const ColumnPlan& column) {
    return column.type == DiskType::Logical;
}

struct TilePlan {
    int64_t coverNside = 0, tilePixels = 0;
    std::vector<int64_t> covered;  // pixels of the coverage with data, ascending
    std::vector<ColumnPlan> columns;
    size_t primary = 0;
    PixelTiles::Kind kind = PixelTiles::Kind::Numbers;
    int64_t pixelBytes = 0;
};

void planColumns(const HealpixMap& map, const MapWriteOptions& options, TilePlan& plan,
                 JobContext& job) {
    std::vector<bool> hasBad;
    const auto scanOf = [&](int number, bool negated, const BadValues& sentinel) {
        FieldScan scan = scanField(map.field(number), negated, sentinel, job);
        // Pixels without data take the sentinel, so that every column needs one.
        scan.hasBad = true;
        return scan;
    };
    bool ignored = false;
    for (int i = 0; i < map.fieldCount(); ++i) {
        plan.columns.push_back(planColumn(map, i, options, ignored, scanOf));
        hasBad.push_back(scanField(map.field(i), false, {}, job).hasBad);
    }
    const bool flags = std::all_of(plan.columns.begin(), plan.columns.end(), isFlag);
    plan.kind = flags && plan.columns.size() == 1 ? PixelTiles::Kind::Flags
                : flags                           ? PixelTiles::Kind::Bits
                : plan.columns.size() == 1        ? PixelTiles::Kind::Numbers
                                                  : PixelTiles::Kind::Records;
    for (ColumnPlan& column : plan.columns) plan.pixelBytes += column.bytes;
    if (plan.kind == PixelTiles::Kind::Flags) plan.pixelBytes = 2;
    if (plan.kind == PixelTiles::Kind::Bits) plan.pixelBytes = (map.fieldCount() + 7) / 8;
    // healsparse ignores all fields of a pixel where the primary one is bad. A column of numbers
    // without bad values loses no pixel.
    const auto rank = [&](size_t i) {
        return (isFlag(plan.columns[i]) ? 2 : 0) + (hasBad[i] ? 1 : 0);
    };
    for (size_t i = 1; i < plan.columns.size(); ++i)
        if (rank(i) < rank(plan.primary)) plan.primary = i;
}

// True if a pixel has data in any field; flags have data where set.
bool hasData(const TilePlan& plan, int64_t element) {
    return std::any_of(plan.columns.begin(), plan.columns.end(), [&](const ColumnPlan& column) {
        const double value = column.field->at(element);
        return std::isfinite(value) &&
               !(plan.kind != PixelTiles::Kind::Records && isFlag(column) && value == 0.0);
    });
}

void findCovered(const HealpixMap& map, const NestedElements& elements, TilePlan& plan,
                 JobContext& job) {
    plan.coverNside = std::clamp(map.nside() / kMaxTileSide, kUsualCoverNside, kMaxCoverNside);
    plan.coverNside = std::min(plan.coverNside, map.nside());
    const int64_t side = map.nside() / plan.coverNside;
    plan.tilePixels = side * side;
    const int64_t count = pixelCount(plan.coverNside);
    std::vector<uint8_t> covers(static_cast<size_t>(count), 0);
    parallelFor(job, count, 1, [&](long long begin, long long end) {
        for (long long pixel = begin; pixel < end; ++pixel)
            elements.visit(pixel * plan.tilePixels, (pixel + 1) * plan.tilePixels,
                           [&](int64_t, int64_t element) {
                               if (!hasData(plan, element)) return true;
                               covers[static_cast<size_t>(pixel)] = 1;
                               return false;
                           });
    });
    for (int64_t pixel = 0; pixel < count; ++pixel)
        if (covers[static_cast<size_t>(pixel)] != 0) plan.covered.push_back(pixel);
}

// ---- Headers. ----

void addCommonCards(FitsCards& cards, const HealpixMap& map, const char* name, int64_t nside) {
    cards.text("EXTNAME", name);
    cards.text("PIXTYPE", "HEALSPARSE", "HealSparse map");
    cards.integer("NSIDE", nside, "resolution parameter");
    if (const char letter = frameLetter(map.frame()); letter != 0)
        cards.text("COORDSYS", std::string(1, letter), "G Galactic, E ecliptic, C equatorial");
}

FitsCards coverCards(const HealpixMap& map, const TilePlan& plan) {
    FitsCards cards;
    cards.logical("SIMPLE", true, "conforms to the FITS standard");
    cards.integer("BITPIX", 64);
    cards.integer("NAXIS", 1);
    cards.integer("NAXIS1", pixelCount(plan.coverNside));
    cards.logical("EXTEND", true);
    addCommonCards(cards, map, "COV", plan.coverNside);
    cards.date();
    return cards;
}

int64_t bitpixOf(DiskType type) {
    const bool isReal = type == DiskType::Float32 || type == DiskType::Float64;
    return (isReal ? -8 : 8) * bytesOf(type);
}

void addImageCards(FitsCards& cards, const TilePlan& plan, int64_t pixels) {
    const ColumnPlan& column = plan.columns.front();
    const bool isMask = plan.kind == PixelTiles::Kind::Bits;
    const bool isFlags = plan.kind == PixelTiles::Kind::Flags;
    cards.text("XTENSION", "IMAGE", "image extension");
    cards.integer("BITPIX", isMask ? 8 : isFlags ? 16 : bitpixOf(column.type));
    cards.integer("NAXIS", 1);
    cards.integer("NAXIS1", isMask ? pixels * plan.pixelBytes : pixels);
    cards.integer("PCOUNT", 0);
    cards.integer("GCOUNT", 1);
    if (!isMask && !column.field->unit.empty()) cards.text("BUNIT", column.field->unit);
    if (!isMask) return;
    cards.logical("WIDEMASK", true, "bits of a mask in bytes, the lowest first");
    cards.integer("WWIDTH", plan.pixelBytes, "bytes a pixel");
    for (size_t bit = 0; bit < plan.columns.size(); ++bit)
        cards.text(bitName(static_cast<int64_t>(bit)), plan.columns[bit].field->name,
                   "name of the bit");
}

void addRecordCards(FitsCards& cards, const TilePlan& plan, int64_t pixels) {
    cards.table(plan.pixelBytes, pixels, plan.columns.size(), "pixels of the tiles");
    for (size_t i = 0; i < plan.columns.size(); ++i) {
        const ColumnPlan& column = plan.columns[i];
        const std::string n = std::to_string(i + 1);
        cards.text("TTYPE" + n, column.field->name);
        cards.text("TFORM" + n, std::string(1, formLetter(column.type)));
        if (!column.field->unit.empty()) cards.text("TUNIT" + n, column.field->unit);
    }
    cards.text("PRIMARY", plan.columns[plan.primary].field->name, "field that has the SENTINEL");
}

void addSentinel(FitsCards& cards, const TilePlan& plan) {
    const char* const comment = "value of pixels without data";
    const ColumnPlan& primary = plan.columns[plan.primary];
    if (plan.kind == PixelTiles::Kind::Bits)
        cards.integer("SENTINEL", 0, comment);
    else if (isFlag(primary))
        cards.logical("SENTINEL", false, comment);
    else if (isWhole(primary.type))
        cards.integer("SENTINEL", primary.null.value(), comment);
    else
        cards.real("SENTINEL", primary.sentinel, comment);
}

// True for cards that number the bits of another mask.
bool isBitCard(const std::string& card) {
    const std::string key = cardKeyword(card);
    return key.starts_with("BIT") && key.size() > 3 &&
           key.find_first_not_of("0123456789", 3) == std::string::npos;
}

FitsCards tileCards(const HealpixMap& map, const TilePlan& plan, const MapWriteOptions& options) {
    FitsCards cards;
    const int64_t pixels = (std::ssize(plan.covered) + 1) * plan.tilePixels;
    if (plan.kind == PixelTiles::Kind::Records)
        addRecordCards(cards, plan, pixels);
    else
        addImageCards(cards, plan, pixels);
    addCommonCards(cards, map, "SPARSE", map.nside());
    addSentinel(cards, plan);
    if (!stokesUFields(map).empty())
        cards.text("POLCCONV", map.metadata().iauOnDisk ? "IAU" : "COSMO",
                   "convention of polarization");
    cards.date();
    for (const std::string& card : map.metadata().cards)
        if (!isOwnCard(card) && !isTileCard(card) && !isBitCard(card) &&
            cardKeyword(card) != "BUNIT")
            cards.raw(card);
    for (const std::string& line : map.metadata().history) cards.commentary("HISTORY", line);
    for (const std::string& line : options.history) cards.commentary("HISTORY", line);
    return cards;
}

// ---- Data. ----

void writeCoverage(FitsWriter& writer, const HealpixMap& map, const TilePlan& plan) {
    const int64_t count = pixelCount(plan.coverNside);
    writer.beginHdu(coverCards(map, plan), 8 * count);
    std::vector<std::byte> bytes(static_cast<size_t>(8 * count));
    // The offset plus a nested pixel number is the place of the pixel; tile 0 has no data.
    for (int64_t pixel = 0, tile = 0; pixel < count; ++pixel) {
        const bool isCovered =
            tile < std::ssize(plan.covered) && plan.covered[static_cast<size_t>(tile)] == pixel;
        const int64_t place = isCovered ? ++tile : 0;
        putBigEndian((place - pixel) * plan.tilePixels, bytes.data() + 8 * pixel);
    }
    writer.writeData(0, bytes);
    writer.endHdu();
}

// Stores the fields of one pixel; NaN without an element.
void putPixel(const TilePlan& plan, int64_t element, std::byte* at) {
    const auto valueOf = [&](const ColumnPlan& column) {
        return element < 0 ? std::nan("") : column.field->at(element);
    };
    const auto isSet = [&](const ColumnPlan& column) {
        const double value = valueOf(column);
        return std::isfinite(value) && value != 0.0;
    };
    if (plan.kind == PixelTiles::Kind::Flags) {
        putBigEndian(static_cast<int16_t>(isSet(plan.columns.front())), at);
        return;
    }
    if (plan.kind == PixelTiles::Kind::Bits) {
        std::fill_n(at, plan.pixelBytes, std::byte{0});
        for (size_t bit = 0; bit < plan.columns.size(); ++bit)
            if (isSet(plan.columns[bit])) at[bit / 8] |= std::byte{1} << (bit % 8);
        return;
    }
    for (const ColumnPlan& column : plan.columns) {
        putValue(column, valueOf(column), at);
        at += column.bytes;
    }
}

void writeTiles(FitsWriter& writer, const HealpixMap& map, const NestedElements& elements,
                const TilePlan& plan, const MapWriteOptions& options, JobContext& job) {
    const int64_t tileBytes = plan.tilePixels * plan.pixelBytes;
    writer.beginHdu(tileCards(map, plan, options), (std::ssize(plan.covered) + 1) * tileBytes);
    std::vector<std::byte> empty(static_cast<size_t>(tileBytes));
    for (int64_t i = 0; i < plan.tilePixels; ++i)
        putPixel(plan, -1, empty.data() + i * plan.pixelBytes);
    writer.writeData(0, empty);
    parallelFor(
        job, std::ssize(plan.covered), 1,
        [&](long long begin, long long end) {
            for (long long tile = begin; tile < end; ++tile) {
                std::vector<std::byte> bytes = empty;
                const int64_t first = plan.covered[static_cast<size_t>(tile)] * plan.tilePixels;
                elements.visit(first, first + plan.tilePixels, [&](int64_t at, int64_t element) {
                    putPixel(plan, element, bytes.data() + at * plan.pixelBytes);
                    return true;
                });
                writer.writeData((tile + 1) * tileBytes, bytes);
            }
        },
        "writing");
    writer.endHdu();
}

}  // namespace

bool isHealSparseName(const std::string& path) {
    return path.ends_with(".hsp") || path.ends_with(".hs");
}

void writeHealSparse(const HealpixMap& map, const std::string& path, const MapWriteOptions& options,
                     JobContext& job) {
    if (!isPowerOfTwoNside(map.nside()) || map.nside() > kMaxWrittenNside)
        throw InvalidArgument(
            path + ": expected a power of two up to " + std::to_string(kMaxWrittenNside) +
            " as NSIDE of a HealSparse file (convert --nside changes it), found " +
            std::to_string(map.nside()));
    if (map.fieldCount() == 0 || map.elementCount() == 0)
        throw InvalidArgument("expected a map with pixels to write, found an empty one");
    const NestedElements elements(map, job);
    TilePlan plan;
    planColumns(map, options, plan, job);
    findCovered(map, elements, plan, job);
    FitsWriter writer(path, options.overwrite);
    writeCoverage(writer, map, plan);
    writeTiles(writer, map, elements, plan, options, job);
    job.report(1.0, "writing");
    writer.commit(job);
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/pixel_geometry.h"
#include "fits_writer.h"
#include "healsparse.h"
#include "healsparse_hdf5.h"
#include "healsparse_plan.h"
#include "map_cards.h"

namespace armilla {

namespace {

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
    const std::vector<int64_t> index = coverIndex(plan);
    const int64_t count = std::ssize(index);
    writer.beginHdu(coverCards(map, plan), 8 * count);
    std::vector<std::byte> bytes(static_cast<size_t>(8 * count));
    for (int64_t pixel = 0; pixel < count; ++pixel)
        putBigEndian(index[static_cast<size_t>(pixel)], bytes.data() + 8 * pixel);
    writer.writeData(0, bytes);
    writer.endHdu();
}

void writeTiles(FitsWriter& writer, const HealpixMap& map, const NestedElements& elements,
                const TilePlan& plan, const MapWriteOptions& options, JobContext& job) {
    const int64_t size = plan.tilePixels * plan.pixelBytes, count = std::ssize(plan.covered) + 1;
    writer.beginHdu(tileCards(map, plan, options), count * size);
    parallelFor(
        job, count, 1,
        [&](long long begin, long long end) {
            for (long long tile = begin; tile < end; ++tile)
                writer.writeData(tile * size, tileBytes(plan, elements, tile));
        },
        "writing");
    writer.endHdu();
}

}  // namespace

bool isHealSparseName(const std::string& path) {
    return path.ends_with(".hsp") || path.ends_with(".hs") || isHealSparseHdf5Name(path);
}

void writeHealSparse(const HealpixMap& map, const std::string& path, const MapWriteOptions& options,
                     JobContext& job) {
    const NestedElements elements(map, job);
    const TilePlan plan = planTiles(map, elements, path, options, job);
    if (isHealSparseHdf5Name(path))
        return writeHealSparseHdf5(map, elements, plan, path, options, job);
    FitsWriter writer(path, options.overwrite);
    writeCoverage(writer, map, plan);
    writeTiles(writer, map, elements, plan, options, job);
    job.report(1.0, "writing");
    writer.commit(job);
}

}  // namespace armilla

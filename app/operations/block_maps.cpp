// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_maps.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/new_vector.h"
#include "armilla/io/map_io.h"

namespace armilla {

namespace {

namespace fs = std::filesystem;

// Smaller files are never read by blocks.
constexpr std::uintmax_t kSmallFile = std::uintmax_t{1} << 22;

// Whether a path, perhaps followed by "[HDU]", names a file that is not small.
bool isLargeFile(const std::string& path) {
    std::error_code failure;
    std::uintmax_t bytes = fs::file_size(path, failure);
    if (failure && path.ends_with(']'))
        bytes = fs::file_size(path.substr(0, path.rfind('[')), failure);
    return !failure && bytes >= kSmallFile;
}

}  // namespace

std::unique_ptr<MapOnDisk> MapOnDisk::open(const InputSlot& slot, const ParameterSet& parameters,
                                           const std::string& text, const ReadRequest& request,
                                           JobContext& job) {
    ReadRequest part = request;
    std::string path = text, variable;
    Columns columns = slot.columns ? slot.columns(parameters) : Columns{};
    if (slot.isNamed) {
        const NamedFile named = namedFile(slot.name, text);
        path = named.path;
        variable = named.name;
        if (!named.field.empty()) part.field = named.field;
        if (!part.field.empty()) columns = Columns{Columns::Choice::OneWithPartner, {}};
    }
    if (!isLargeFile(path)) return nullptr;
    try {
        const MapReadOptions options = mapReadOptions(columns, path, part, job);
        std::unique_ptr<MapOnDisk> map(new MapOnDisk(slot, path, options, part, job));
        if (!map->reader_.inParts()) return nullptr;
        map->variable_ = variable;
        map->isPartnered_ = columns.choice == Columns::Choice::OneWithPartner;
        return map;
    } catch (const IoError&) {  // the reader of whole files describes the error
        return nullptr;
    } catch (const InvalidArgument&) {
        return nullptr;
    }
}

MapOnDisk::MapOnDisk(const InputSlot& slot, std::string name, const MapReadOptions& options,
                     const ReadRequest& request, JobContext& job)
    : slot_(slot.name),
      name_(std::move(name)),
      field_(request.field),
      reader_(name_, options, job),
      frame_(framedAsPixels(reader_.outline().like.frame(), request)) {}

int64_t MapOnDisk::bytes() const {
    int64_t each = 0;
    for (const Field& field : like().fields()) each += field.isSingle() ? 4 : 8;
    return each * pixels();
}

Input MapOnDisk::inputOf(Ordering ordering, std::vector<int64_t> pixels,
                         std::vector<Field> fields) const {
    HealpixMap map =
        HealpixMap::partial(nside(), ordering, frame_, std::move(pixels), std::move(fields));
    map.metadata() = like().metadata();
    Input input;
    input.slot = slot_;
    input.name = name_;
    input.variable = variable_;
    input.field = field_;
    input.isShared = false;
    input.fields.resize(isPartnered_ ? 1 : static_cast<size_t>(map.fieldCount()));
    std::iota(input.fields.begin(), input.fields.end(), 0);
    input.data = std::make_shared<const HealpixMap>(std::move(map));
    return input;
}

Input MapOnDisk::block(Ordering ordering, ElementRun pixels, JobContext& job) {
    std::vector<int64_t> numbers = newVector<int64_t>(pixels.count, job);
    std::iota(numbers.begin(), numbers.end(), pixels.first);
    return inputOf(ordering, std::move(numbers), readPixelBlock(reader_, ordering, pixels, job));
}

Input MapOnDisk::listed(std::vector<int64_t> pixels, JobContext& job) {
    std::vector<Field> fields = readPixels(reader_, pixels, job);
    return inputOf(ordering(), std::move(pixels), std::move(fields));
}

void writeBlocks(const BlockOutput& output, const std::string& path, const MapWriteOptions& options,
                 JobContext& job) {
    const auto count = static_cast<double>(output.blocks.size());
    const auto forBlocks = [&](JobContext& whole, const auto& body) {
        for (size_t i = 0; i < output.blocks.size(); ++i) {
            whole.report(static_cast<double>(i) / count, "blocks of pixels");
            JobContext silent(job.stopToken(), {}, job.threads());
            body(i, output.make(i, silent), silent);
        }
    };
    JobContext first = job.part(0.0, 0.0);
    MapOutline outline;
    {
        const HealpixMap map = output.make(0, first);
        outline = outlineOf(output.nside, map.ordering(), map.frame(), map.fields());
        outline.like.metadata() = map.metadata();
    }
    std::vector<std::vector<std::byte>> scans;
    const bool isScanned = dependsOnValues(outline, options);
    JobContext scanning = job.part(0.0, isScanned ? 0.5 : 0.0);
    JobContext writing = job.part(isScanned ? 0.5 : 0.0, 1.0);
    if (isScanned)
        forBlocks(scanning, [&](size_t, const HealpixMap& map, JobContext& silent) {
            scans.push_back(scanMapPart(outline, map.fields(), options, silent));
        });
    const MapFilePlan plan(outline, options, scans);
    SharedFile file(path, options.overwrite);
    const FilePart part = file.begin(plan);
    std::vector<uint32_t> sums;
    forBlocks(writing, [&](size_t i, const HealpixMap& map, JobContext& silent) {
        sums.push_back(
            writeMapPart(part, plan, map.fields(), std::span(&output.blocks[i], 1), silent));
    });
    file.end(sums);
    file.commit(writing);
}

}  // namespace armilla

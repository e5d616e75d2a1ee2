// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/by_blocks.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "armilla/core/error.h"
#include "armilla/core/expression.h"
#include "armilla/core/memory_limit.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/pixel_geometry.h"
#include "armilla/core/pixel_queries.h"
#include "armilla/core/probability.h"
#include "armilla/operations/common_frame.h"
#include "armilla/operations/map_values.h"
#include "armilla/ops/resample.h"
#include "block_maps.h"
#include "by_rows.h"
#include "catalog_rows.h"
#include "infinite_results.h"
#include "match_partitions.h"
#include "stats_parts.h"

namespace armilla {

namespace {

using Maps = std::vector<std::unique_ptr<MapOnDisk>>;

// Memory of the operation on whole maps beyond the maps themselves, bytes.
int64_t workingBytes(std::string_view operation, const Maps& maps) {
    int64_t largest = 0, pixels = 0;
    for (const auto& map : maps) {
        largest = std::max(largest, map->bytes());
        pixels = std::max(pixels, map->pixels());
    }
    if (operation == "calc") return 2 * largest;
    if (operation == "convert") return 2 * largest;
    // Values and numbers of the pixels of each part, of two copies, and sorted values.
    if (operation == "stats") return 5 * 8 * pixels;
    return 0;
}

bool fitMemory(const BlockCall& call, const Maps& maps) {
    int64_t bytes = workingBytes(call.operation.id, maps);
    for (const auto& map : maps) bytes += map->bytes();
    return bytes <= call.memory.value_or(availableMemory());
}

// Opens the maps of the first slot. False if one of them must be read whole.
bool openMaps(const BlockCall& call, Maps& maps, JobContext& job) {
    for (const auto& [slot, text] : call.inputs) {
        const bool isFirst = slot == &call.operation.inputs.front();
        if (!isFirst) continue;
        ReadRequest request = call.reading;
        request.note = {};
        request.isBeside = slot->isOption || call.inputs.size() > 1;
        auto map = MapOnDisk::open(*slot, call.parameters, text, request, job);
        // A number of calc has no map.
        if (!map && slot->isNamed && slot->takesNumber) {
            try {
                if (readInput(*slot, call.parameters, text, request, job).literal.empty())
                    return false;
            } catch (const Error&) {
                return false;
            }
            continue;
        }
        if (!map) return false;
        maps.push_back(std::move(map));
    }
    return !maps.empty();
}

// Inputs other than the maps on disk.
Inputs otherInputs(const BlockCall& call, const Maps& maps, JobContext& job) {
    Inputs inputs;
    for (const auto& [slot, text] : call.inputs) {
        const bool isOnDisk =
            std::any_of(maps.begin(), maps.end(), [&](const std::unique_ptr<MapOnDisk>& map) {
                const std::string path = slot->isNamed ? namedFile(slot->name, text).path : text;
                const std::string name = slot->isNamed ? namedFile(slot->name, text).name : "";
                return map->name() == path && map->variable() == name;
            });
        if (isOnDisk && slot == &call.operation.inputs.front()) continue;
        ReadRequest request = call.reading;
        request.isBeside = slot->isOption || call.inputs.size() > 1;
        inputs.all.push_back(readInput(*slot, call.parameters, text, request, job));
    }
    return inputs;
}

// A run of the operation on one block, and the sums of its figures over the blocks.
class BlockRun {
public:
    BlockRun(const BlockCall& call, ParameterSet parameters)
        : context_(call.context), operation_(call.operation), parameters_(std::move(parameters)) {}

    HealpixMap operator()(Inputs inputs, JobContext& job) {
        Context context{context_.device, job, context_.precision, context_.wanted, {}};
        std::vector<std::string> notes;
        context.note = [&](const std::string& line) { notes.push_back(line); };
        context.statedFrame = context_.statedFrame;
        ParameterSet parameters = parameters_;
        Outputs outputs = runOperation(operation_, context, inputs, parameters);
        int64_t infinite = 0;
        for (const auto& [key, value] : *context.figures.members()) {
            if (key == "infinite") infinite = *value.integer();
            context_.figures.set(key, value);
        }
        for (const std::string& line : notes)
            if (infinite == 0 || line != infiniteResults(infinite)) say(line);
        infinite_ += infinite;
        inputs.all.clear();
        auto& result = std::get<std::shared_ptr<const HealpixMap>>(outputs.front().data);
        return std::move(*std::const_pointer_cast<HealpixMap>(result));
    }
    // Begins the sums anew, for blocks that are computed twice.
    void restart() { infinite_ = 0; }
    void finish() {
        if (context_.figures.find("infinite") != nullptr)
            context_.figures.set("infinite", infinite_);
        if (infinite_ > 0) say(infiniteResults(infinite_));
    }

private:
    void say(const std::string& line) {
        if (!context_.note || std::find(said_.begin(), said_.end(), line) != said_.end()) return;
        said_.push_back(line);
        context_.note(line);
    }
    Context& context_;
    const Operation& operation_;
    ParameterSet parameters_;
    std::vector<std::string> said_;
    int64_t infinite_ = 0;
};

// Writes the map while its blocks are computed.
Output outputOf(const BlockCall& call, int64_t nside, const HealpixMap& like, Ordering ordering,
                std::vector<ElementRun> blocks, std::shared_ptr<BlockRun> run,
                std::function<HealpixMap(size_t, JobContext&)> make) {
    const HealpixMap named(1, ordering, like.frame(),
                           {Field{"", "", DiskType::Float32, std::vector<float>(12)}});
    const Context& context = call.context;
    Output output{call.operation.outputs.front().name, {}, summaryOf(named, nside)};
    output.write = [blocks = std::move(blocks), run = std::move(run), make = std::move(make), nside,
                    &context](const std::string& path, const FileWriteOptions& options,
                              JobContext& job) {
        MapWriteOptions mapOptions;
        mapOptions.overwrite = options.overwrite;
        mapOptions.precision = context.precision.value_or(StoredPrecision::AsRead);
        mapOptions.history = options.history;
        BlockOutput whole{blocks, nside, [&](size_t block, JobContext& part) {
                              if (block == 0) run->restart();
                              return make(block, part);
                          }};
        writeBlocks(whole, path, mapOptions, job);
        run->finish();
    };
    return output;
}

// The first map in the expression, whose pixels the result has.
MapOnDisk& firstInExpression(const BlockCall& call, const Maps& maps) {
    std::vector<ExpressionName> names;
    for (const auto& [slot, text] : call.inputs)
        names.push_back({namedFile(slot->name, text).name});
    const auto text = std::get<std::string>(call.parameters.value("expression"));
    try {
        const Expression expression(text, names, MissingOperands::Bad);
        for (const int used : expression.used())
            for (const auto& map : maps)
                if (map->variable() == names[static_cast<size_t>(used)].name) return *map;
    } catch (const InvalidArgument& error) {
        throw UsageError("EXPRESSION: " + error.message());
    }
    return *maps.front();
}

std::optional<Outputs> calcByBlocks(BlockCall& call, Maps opened, JobContext& job) {
    if (std::get<bool>(call.parameters.value("match"))) return std::nullopt;
    const auto maps = std::make_shared<Maps>(std::move(opened));
    const MapOnDisk& first = firstInExpression(call, *maps);
    for (const auto& map : *maps) {
        if (map->nside() != first.nside())
            throw UsageError(map->name() + ": expected the nside of " + first.name() + " (" +
                             std::to_string(first.nside()) + "), found " +
                             std::to_string(map->nside()) + "; --match changes the resolution");
        if (!isPowerOfTwoNside(first.nside()) && map->ordering() != first.ordering())
            return std::nullopt;
    }
    const auto others = std::make_shared<Inputs>(otherInputs(call, *maps, job));
    const auto run = std::make_shared<BlockRun>(call, call.parameters);
    const Ordering ordering = first.ordering();
    std::vector<ElementRun> blocks = pixelBlocks(first.nside(), ordering, call.blockPixels);
    // Inputs keep the order of the command.
    std::vector<std::string> order;
    for (const auto& [slot, text] : call.inputs) order.push_back(namedFile(slot->name, text).name);
    const auto make = [maps, others, run, blocks, order, ordering](size_t block, JobContext& part) {
        Inputs inputs;
        for (const std::string& name : order) {
            for (const auto& map : *maps)
                if (map->variable() == name)
                    inputs.all.push_back(map->block(ordering, blocks[block], part));
            for (const Input& input : others->all)
                if (input.variable == name) inputs.all.push_back(input);
        }
        return (*run)(std::move(inputs), part);
    };
    HealpixMap like(1, ordering, first.frame(),
                    {Field{"", "", DiskType::Float32, std::vector<float>(12)}});
    Outputs outputs;
    outputs.push_back(outputOf(call, first.nside(), like, ordering, blocks, run, make));
    return outputs;
}

// The map of a smaller nside in memory, all pixels in NESTED ordering.
HealpixMap wholeMap(const BlockOutput& output, JobContext& job) {
    std::vector<Field> fields;
    HealpixMap like;
    for (size_t i = 0; i < output.blocks.size(); ++i) {
        JobContext silent(job.stopToken(), {}, job.threads());
        HealpixMap part = output.make(i, silent);
        if (i == 0) {
            for (const Field& field : part.fields()) {
                Field& whole =
                    fields.emplace_back(Field{field.name, field.unit, field.diskType, {}});
                std::visit(
                    [&](const auto& values) {
                        using T = typename std::decay_t<decltype(values)>::value_type;
                        whole.values = newVector<T>(pixelCount(output.nside), silent);
                    },
                    field.values);
            }
        }
        for (size_t f = 0; f < fields.size(); ++f)
            std::visit(
                [&](const auto& values) {
                    using Values = std::decay_t<decltype(values)>;
                    std::copy(values.begin(), values.end(),
                              std::get<Values>(fields[f].values).begin() + output.blocks[i].first);
                },
                part.field(static_cast<int>(f)).values);
        if (i == 0) like = std::move(part);
        job.report(static_cast<double>(i + 1) / static_cast<double>(output.blocks.size()),
                   "blocks of pixels");
    }
    HealpixMap map(output.nside, Ordering::Nested, like.frame(), std::move(fields));
    map.metadata() = like.metadata();
    return map;
}

std::optional<Outputs> convertByBlocks(BlockCall& call, Maps opened, JobContext& job) {
    const auto isGiven = [&](std::string_view name) {
        return !sameBits(call.parameters.value(name), call.operation.defaults().value(name));
    };
    for (const char* whole : {"frame", "method", "remove", "sparse"})
        if (isGiven(whole)) return std::nullopt;
    const std::shared_ptr<MapOnDisk> map = std::move(opened.front());
    const int64_t from = map->nside();
    const int64_t nside =
        isGiven("nside") ? std::get<int64_t>(call.parameters.value("nside")) : from;
    const Ordering ordering =
        isGiven("ordering") ? (std::get<std::string>(call.parameters.value("ordering")) == "ring"
                                   ? Ordering::Ring
                                   : Ordering::Nested)
                            : map->ordering();
    const bool isReordered = ordering != map->ordering() || nside != from;
    if (nside > from || (isReordered && !(isPowerOfTwoNside(from) && isPowerOfTwoNside(nside))))
        return std::nullopt;
    // Without --sparse the operation would extend each block to the full sky. Blocks come in the
    // ordering of the output.
    ParameterSet parameters = call.parameters;
    parameters.set("sparse", "true");
    if (isGiven("ordering"))
        parameters.set("ordering", nside < from                 ? "nested"
                                   : ordering == Ordering::Ring ? "ring"
                                                                : "nested");
    const auto run = std::make_shared<BlockRun>(call, parameters);
    const Ordering made = nside < from ? Ordering::Nested : ordering;
    const std::vector<ElementRun> read = pixelBlocks(from, made, call.blockPixels);
    const int64_t children = (from / nside) * (from / nside);
    std::vector<ElementRun> blocks;
    for (const ElementRun& block : read)
        blocks.push_back({block.first / children, block.count / children});
    if (nside < from && read.front().count < children) return std::nullopt;
    const auto make = [map, run, read, made](size_t block, JobContext& part) {
        Inputs inputs;
        inputs.all.push_back(map->block(made, read[block], part));
        return (*run)(std::move(inputs), part);
    };
    const auto setPixels = [&context = call.context, nside, ordering] {
        context.figures.set("ordering", orderingName(ordering));
        context.figures.set("pixels", pixelCount(nside));
    };
    Outputs outputs;
    if (made == ordering) {
        HealpixMap like(1, ordering, map->frame(),
                        {Field{"", "", DiskType::Float32, std::vector<float>(12)}});
        Output output = outputOf(call, nside, like, ordering, blocks, run, make);
        output.write = [write = output.write, setPixels](const std::string& path,
                                                         const FileWriteOptions& options,
                                                         JobContext& part) {
            write(path, options, part);
            setPixels();
        };
        outputs.push_back(std::move(output));
        return outputs;
    }
    requireMemory("a map of nside " + std::to_string(nside) +
                      " in RING ordering (--ordering nested takes less memory)",
                  2 * map->bytes() / children);
    HealpixMap whole = reordered(wholeMap({blocks, nside, make}, job), ordering, job);
    run->finish();
    setPixels();
    const std::string summary = summaryOf(whole);
    outputs.push_back({call.operation.outputs.front().name,
                       std::make_shared<const HealpixMap>(std::move(whole)), summary});
    return outputs;
}

// A pixel whose value no mask has; none in a mask.
std::optional<int64_t> pixelOfNoMask(MapOnDisk& map, JobContext& job) {
    for (const ElementRun& block : pixelBlocks(map.nside(), map.ordering())) {
        const Field field = readPixelBlock(map.reader(), map.ordering(), block, job).front();
        for (int64_t i = 0; i < field.size(); ++i)
            if (const double value = field.at(i);
                !std::isnan(value) && value != 0.0 && value != 1.0)
                return block.first + i;
        job.report(static_cast<double>(block.first) / static_cast<double>(map.pixels()), "reading");
    }
    return std::nullopt;
}

// The operation on the pixels at and around the positions of the catalog.
std::optional<Outputs> lookupByBlocks(BlockCall& call, const Maps& maps, JobContext& job) {
    MapOnDisk& map = *maps.front();
    for (const Field& field : map.like().fields())
        if (isProbability(field)) return std::nullopt;  // CREDIBLE_LEVEL sorts all pixels
    Inputs inputs = otherInputs(call, maps, job);
    const Input* rows = inputs.find("CATALOG");
    const Catalog& catalog = rows->catalog();
    const Mat3 turn =
        map.frame() == catalog.frame() ? Mat3{} : frameRotation(map.frame(), catalog.frame());
    const bool isBilinear =
        std::get<std::string>(call.parameters.value("interpolation")) == "bilinear";
    std::vector<int64_t> pixels;
    for (int64_t row = 0; row < catalog.rows(); ++row) {
        if (row % kPixelGrain == 0) job.poll();
        const auto at = directionOfRow(catalog, row, turn);
        if (!at) continue;
        pixels.push_back(map.ordering() == Ordering::Ring ? ringFromDirection(map.nside(), *at)
                                                          : nestedFromDirection(map.nside(), *at));
        if (!isBilinear) continue;
        const Interpolation four = interpolation(map.nside(), map.ordering(), *at);
        pixels.insert(pixels.end(), four.pixels.begin(), four.pixels.end());
    }
    // A map of one field is no mask if any of its pixels has another value than 0 and 1.
    if (map.like().fieldCount() == 1)
        if (const auto other = pixelOfNoMask(map, job)) pixels.push_back(*other);
    if (pixels.empty()) pixels.push_back(0);
    std::sort(pixels.begin(), pixels.end());
    pixels.erase(std::unique(pixels.begin(), pixels.end()), pixels.end());
    inputs.all.insert(inputs.all.begin(), map.listed(std::move(pixels), job));
    return runOperation(call.operation, call.context, inputs, call.parameters);
}

std::optional<Outputs> statsOnDisk(BlockCall& call, const Maps& maps, JobContext& job) {
    MapOnDisk& map = *maps.front();
    Inputs inputs = otherInputs(call, maps, job);
    inputs.all.insert(inputs.all.begin(), map.listed({0}, job));
    GivenSlots given = call.context.wanted;
    for (const Input& input : inputs.all) given.emplace(input.slot);
    requireNoProblem(call.operation, call.parameters, given);
    bringToOneFrame(call.operation, call.context, inputs);
    return statsByBlocks(call.context, inputs, map, call.parameters.as<StatsOptions>(),
                         call.blockPixels);
}

}  // namespace

std::optional<Outputs> runByBlocks(BlockCall& call) {
    const std::string_view id = call.operation.id;
    if (id == "select" || id == "count") return runByRows(call);
    if (id == "match") return matchByPartitions(call);
    if (id != "stats" && id != "lookup" && id != "calc" && id != "convert") return std::nullopt;
    JobContext silent(call.context.job.stopToken(), {}, call.context.job.threads());
    Maps maps;
    if (!openMaps(call, maps, silent) || fitMemory(call, maps))
        return id == "lookup" ? runByRows(call) : std::nullopt;
    if (id == "calc") return calcByBlocks(call, std::move(maps), silent);
    if (id == "convert") return convertByBlocks(call, std::move(maps), call.context.job);
    return naming(maps.front()->name(), [&] {
        return id == "lookup" ? lookupByBlocks(call, maps, call.context.job)
                              : statsOnDisk(call, maps, silent);
    });
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
// `armilla calc EXPRESSION OUT`: arithmetic on the pixels of maps.
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "aligned_maps.h"
#include "armilla/core/counted.h"
#include "armilla/core/expression_units.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"
#include "armilla/core/physical_unit.h"
#include "armilla/operations/image_planes.h"
#include "armilla/operations/map_values.h"
#include "image_sampler.h"
#include "infinite_results.h"
#include "operation_list.h"
#include "ring_image.h"
#include "stokes.h"

namespace armilla {

namespace {

struct CalcOptions {
    std::string expression;
    bool match = false;
    std::string unit;
};

void describe(Description& d, CalcOptions& p) {
    d.text("expression", p.expression,
           {.required = true, .positional = true, .placeholder = "EXPRESSION"},
           "arithmetic on the names of --let, such as \"A - 0.5 * B\" or \"good(A) ? A : B\"");
    d.flag("match", p.match, {},
           "bring all maps to the frame and nside of the first map in the expression");
    d.text("unit", p.unit, {.placeholder = "UNIT"},
           "unit of the result, written as given without a conversion; operands of + and - may "
           "then differ in kind");
}

Problems check(const CalcOptions& p, const GivenSlots& given) {
    Problems problems;
    if (!given.contains("let"))
        problems.push_back({"", "expected the maps of the expression (--let), found none"});
    if (!p.unit.empty() && !parseUnit(p.unit))
        problems.push_back(
            {"unit", "expected a unit such as uK_CMB, or none, found '" + p.unit + "'"});
    return problems;
}

// The inputs of --let, one for each name; numbers have no map.
struct Operands {
    std::vector<ExpressionName> names;
    std::vector<Input*> inputs;
    std::vector<double> numbers;  // NaN for maps
};

Operands operandsOf(Inputs& inputs) {
    Operands operands;
    std::set<std::string> taken;
    for (Input& input : inputs.all) {
        if (input.slot != "let") continue;
        if (isWordOfExpressions(input.variable))
            throw UsageError("--let: expected a name that is no word of expressions, found '" +
                             input.variable + "'");
        if (!taken.insert(input.variable).second)
            throw UsageError("--let: expected each name once, found '" + input.variable +
                             "' twice");
        double number = kNan;
        if (const std::string& text = input.literal; !text.empty()) {
            const auto [end, failure] =
                std::from_chars(text.data(), text.data() + text.size(), number);
            if (failure != std::errc() || end != text.data() + text.size())
                throw UsageError("--let: expected a number, found '" + text + "'");
        }
        operands.names.push_back({input.variable});
        operands.inputs.push_back(&input);
        operands.numbers.push_back(number);
    }
    return operands;
}

Expression parsed(const std::string& text, const Operands& operands) {
    try {
        Expression expression(text, operands.names, MissingOperands::Bad);
        if (expression.isText())
            throw UsageError("EXPRESSION: expected arithmetic, found the text " + text);
        return expression;
    } catch (const InvalidArgument& error) {
        throw UsageError("EXPRESSION: " + error.message());
    }
}

// The samples of each name for one field or plane of the result.
struct Source {
    std::variant<std::span<const float>, std::span<const double>> samples;  // none of a number
    bool isNumber = false;
    double number = 0.0;
    double sign = 1.0;  // -1 for U where the first map's file has the IAU convention
};

class FieldValues final : public ExpressionValues {
public:
    explicit FieldValues(std::vector<Source> sources) : sources_(std::move(sources)) {}

    void numbers(int name, int64_t /*element*/, int64_t first,
                 std::span<double> to) const override {
        const Source& source = sources_[static_cast<size_t>(name)];
        if (source.isNumber) {
            std::fill(to.begin(), to.end(), source.number);
            return;
        }
        std::visit(
            [&](const auto& values) {
                const auto* from = values.data() + first;
                for (size_t i = 0; i < to.size(); ++i)
                    to[i] = source.sign * static_cast<double>(from[i]);
            },
            source.samples);
    }

private:
    std::vector<Source> sources_;
};

// Values of one field of the result. Infinite values, also those too large for T, become bad.
template <typename T>
std::vector<T> valuesOf(const Expression& expression, const FieldValues& sources, int64_t count,
                        double sign, std::atomic<int64_t>& infinite, JobContext& job) {
    auto values = newVector<T>(count, job);
    constexpr int64_t kPiece = 16384;
    parallelFor(job, count, kPiece, [&](long long begin, long long end) {
        std::array<double, kPiece> piece;
        const auto size = static_cast<size_t>(end - begin);
        expression.evaluate(sources, begin, std::span(piece).first(size));
        int64_t lost = 0;
        for (size_t i = 0; i < size; ++i) {
            auto value = static_cast<T>(sign * piece[i]);
            if (std::isinf(value)) {
                ++lost;
                value = std::numeric_limits<T>::quiet_NaN();
            }
            values[static_cast<size_t>(begin) + i] = value;
        }
        infinite += lost;
    });
    return values;
}

// The maps of an expression, and their places among the names.
struct Work {
    const CalcOptions& options;
    const Operands& operands;
    const Expression& expression;
    std::vector<NamedMap> maps;
    std::vector<int> places;  // index into maps for each name, -1 for numbers
    bool isIau = false;

    const HealpixMap& first() const { return maps.front().map; }
    // The map with the most fields; its fields name those of the result.
    const HealpixMap& widest() const {
        const auto found =
            std::max_element(maps.begin(), maps.end(), [](const NamedMap& a, const NamedMap& b) {
                return a.map.fieldCount() < b.map.fieldCount();
            });
        return found->map;
    }
};

void requireFieldsThatPair(const Work& work) {
    const int count = work.widest().fieldCount();
    for (const NamedMap& each : work.maps)
        if (each.map.fieldCount() != 1 && each.map.fieldCount() != count)
            throw UsageError(each.name + ": expected " + std::to_string(count) +
                             " fields, as another map has, or one, found " +
                             std::to_string(each.map.fieldCount()) +
                             "; choose one with --let NAME=FILE#FIELD");
}

// A field of the result, without a name. `units`: one for each name.
struct FieldRequest {
    const CalcOptions& options;
    const Expression& expression;
    std::vector<Source> sources;
    std::vector<NameUnit> units;
    int64_t count = 0;
    bool isSingle = true;
    double sign = 1.0;
};

Field computedField(const FieldRequest& request, StoredPrecision precision,
                    std::atomic<int64_t>& infinite, JobContext& job) {
    Expression expression = request.expression;
    const std::string& unit = request.options.unit;
    Field result;
    try {
        result.unit = convertUnits(expression, request.units,
                                   unit.empty() ? UnlikeUnits::Refuse : UnlikeUnits::Keep);
    } catch (const UnitsDiffer& error) {
        throw UsageError(error.message());
    }
    if (!unit.empty()) result.unit = namesNoUnit(unit) ? std::string() : unit;
    const FieldValues values(request.sources);
    if (request.isSingle && precision != StoredPrecision::Double) {
        result.diskType = DiskType::Float32;
        result.values =
            valuesOf<float>(expression, values, request.count, request.sign, infinite, job);
    } else {
        result.diskType = DiskType::Float64;
        result.values =
            valuesOf<double>(expression, values, request.count, request.sign, infinite, job);
    }
    return result;
}

Field resultField(const Work& work, int index, StoredPrecision precision,
                  std::atomic<int64_t>& infinite, JobContext& job) {
    const Field& named = work.widest().field(index);
    const auto signOf = [&](const Field& field) {
        return work.isIau && stokesParameter(field.name) == 'U' ? -1.0 : 1.0;
    };
    FieldRequest request{work.options, work.expression, {}, {}, work.first().elementCount()};
    request.sign = signOf(named);
    for (size_t i = 0; i < work.places.size(); ++i) {
        if (work.places[i] < 0) {
            request.sources.push_back({{}, true, work.operands.numbers[i], 1.0});
            request.units.push_back({"", true});
            continue;
        }
        const HealpixMap& map = work.maps[static_cast<size_t>(work.places[i])].map;
        const Field& field = map.field(map.fieldCount() == 1 ? 0 : index);
        Source source{{}, false, 0.0, signOf(field)};
        std::visit([&](const auto& values) { source.samples = std::span(values); }, field.values);
        request.sources.push_back(source);
        request.units.push_back({field.unit, false});
        request.isSingle = request.isSingle && field.isSingle();
    }
    Field result = computedField(request, precision, infinite, job);
    result.name = named.name;
    return result;
}

HealpixMap calculated(const Work& work, StoredPrecision precision, std::atomic<int64_t>& infinite,
                      JobContext& job) {
    requireFieldsThatPair(work);
    const HealpixMap& first = work.first();
    std::vector<Field> fields;
    const int count = work.widest().fieldCount();
    for (int i = 0; i < count; ++i) {
        fields.push_back(resultField(work, i, precision, infinite, job));
        job.report(static_cast<double>(i + 1) / count, "calc");
    }
    HealpixMap map =
        first.coverage() == Coverage::Full
            ? HealpixMap(first.nside(), first.ordering(), first.frame(), std::move(fields))
            : HealpixMap::partial(first.nside(), first.ordering(), first.frame(),
                                  {first.pixels().begin(), first.pixels().end()},
                                  std::move(fields));
    map.metadata() = first.metadata();
    return map;
}

// An image of the expression and its planes: all, or that of NAME=FILE#PLANE.
struct ImageOperand {
    std::string name;
    const Image* image = nullptr;
    std::vector<int> planes;
};

ImageOperand imageOperand(const Input& input, const ImageOperand* first, const CalcOptions& p) {
    if (!isImage(input))
        throw UsageError(input.name +
                         ": expected an image, as the first operand is, found a map; "
                         "armilla project --like brings a map onto an image's pixels");
    if (p.match)
        throw UsageError("--match: expected maps beside it, found " + input.name +
                         ", which is an image; armilla project --like changes its pixels");
    return naming(input.name, [&] {
        ImageOperand operand{input.name, &input.image(), {}};
        operand.planes =
            planesNamed(*operand.image, splitAtCommas(input.field.empty() ? "all" : input.field));
        if (first != nullptr && !areSamePixels(*first->image, *operand.image))
            throw UsageError("expected the pixels of " + first->name +
                             ", found others; armilla project --like changes them");
        return operand;
    });
}

// Planes pair by position, as fields do. U has the sign of the first image's POLCCONV.
Image calculatedImage(const CalcOptions& p, const Operands& operands, const Expression& expression,
                      const std::vector<ImageOperand>& images, const std::vector<int>& places,
                      StoredPrecision precision, std::atomic<int64_t>& infinite, JobContext& job) {
    const auto widest = std::max_element(
        images.begin(), images.end(),
        [](const auto& a, const auto& b) { return a.planes.size() < b.planes.size(); });
    const Image& first = *images.front().image;
    for (const ImageOperand& each : images)
        if (each.planes.size() != 1 && each.planes.size() != widest->planes.size())
            throw UsageError(each.name + ": expected " + std::to_string(widest->planes.size()) +
                             " planes, as another image has, or one, found " +
                             std::to_string(each.planes.size()) +
                             "; choose one with --let NAME=FILE#PLANE");
    Image result = imageOn(gridOf(first));
    result.planes.clear();
    result.name = first.name;
    result.cards = first.cards;
    result.history = first.history;
    result.axisName = widest->image->axisName;
    result.axisUnit = widest->image->axisUnit;
    for (size_t k = 0; k < widest->planes.size(); ++k) {
        result.planes.push_back(widest->image->planes[static_cast<size_t>(widest->planes[k])]);
        FieldRequest request{p, expression, {}, {}, first.planeSize()};
        for (size_t i = 0; i < places.size(); ++i) {
            if (places[i] < 0) {
                request.sources.push_back({{}, true, operands.numbers[i], 1.0});
                request.units.push_back({"", true});
                continue;
            }
            const ImageOperand& from = images[static_cast<size_t>(places[i])];
            const auto plane = static_cast<size_t>(from.planes[from.planes.size() == 1 ? 0 : k]);
            const bool isOther = stokesParameter(from.image->planes[plane].name) == 'U' &&
                                 statesIau(from.image->cards) != statesIau(first.cards);
            Source source{{}, false, 0.0, isOther ? -1.0 : 1.0};
            const auto size = static_cast<size_t>(first.planeSize());
            std::visit(
                [&](const auto& all) {
                    source.samples = std::span(all).subspan(plane * size, size);
                    request.isSingle =
                        request.isSingle &&
                        std::is_same_v<std::decay_t<decltype(all)>, std::vector<float>>;
                },
                from.image->values);
            request.sources.push_back(source);
            request.units.push_back({from.image->unit, false});
        }
        Field field = computedField(request, precision, infinite, job);
        result.unit = field.unit;
        std::visit(
            [&](auto& values) {
                using Values = std::decay_t<decltype(values)>;
                if (k == 0) {
                    result.values = std::move(values);
                    return;
                }
                auto& all = std::get<Values>(result.values);
                all.insert(all.end(), values.begin(), values.end());
            },
            field.values);
    }
    // The sign of Q and U needs the name of the plane beside POLCCONV.
    const auto isPolarized = [](const ImagePlane& plane) {
        const char stokes = stokesParameter(plane.name);
        return stokes == 'Q' || stokes == 'U';
    };
    if (result.planes.size() == 1 && !isPolarized(result.planes.front())) {
        result.planes = {ImagePlane{}};
        result.axisName.clear();
        result.axisUnit.clear();
    }
    return result;
}

Outputs run(Context& context, Inputs& inputs, const CalcOptions& p) {
    const Operands operands = operandsOf(inputs);
    const Expression expression = parsed(p.expression, operands);
    Work work{p, operands, expression, {}, {}, false};
    work.places.assign(operands.names.size(), -1);
    std::vector<Input*> used;
    for (const int name : expression.used()) {
        Input* input = operands.inputs[static_cast<size_t>(name)];
        if (!input->literal.empty()) continue;
        work.places[static_cast<size_t>(name)] = static_cast<int>(used.size());
        used.push_back(input);
    }
    if (used.empty())
        throw UsageError(
            "EXPRESSION: expected the name of a map (--let NAME=FILE), found none in " +
            p.expression);
    if (context.note)
        for (size_t i = 0; i < operands.names.size(); ++i)
            if (std::find(expression.used().begin(), expression.used().end(),
                          static_cast<int>(i)) == expression.used().end())
                context.note(operands.names[i].name + " is not in the expression");
    std::atomic<int64_t> infinite{0};
    const auto noteInfinite = [&] {
        if (infinite > 0 && context.note) context.note(infiniteResults(infinite.load()));
        context.figures.set("infinite", infinite.load());
    };
    const StoredPrecision precision = context.precision.value_or(StoredPrecision::AsRead);
    if (isImage(*used.front())) {
        std::vector<ImageOperand> images;
        for (const Input* input : used)
            images.push_back(imageOperand(*input, images.empty() ? nullptr : &images.front(), p));
        auto image = std::make_shared<const Image>(calculatedImage(
            p, operands, expression, images, work.places, precision, infinite, context.job));
        noteInfinite();
        Json units = Json::array();
        units.add(image->unit);
        context.figures.set("units", std::move(units));
        const std::string summary = std::to_string(image->width) + " x " +
                                    std::to_string(image->height) + " pixels, " +
                                    counted(image->planes.size(), "plane");
        return {{"OUT", image, summary}};
    }
    for (const Input* input : used)
        if (isImage(*input))
            throw UsageError(input->name +
                             ": expected a map, as the first operand is, found an image; armilla "
                             "convert --nside makes a map of it");
    JobContext aligning = context.job.part(0.0, 0.3), working = context.job.part(0.3, 1.0);
    work.maps = alignedMaps(used, p.match ? Unlike::Match : Unlike::Refuse, context, aligning);
    work.isIau = work.first().metadata().iauOnDisk;
    HealpixMap map = calculated(work, precision, infinite, working);
    noteInfinite();
    context.figures.set("nside", map.nside());
    Json units = Json::array();
    for (const Field& field : map.fields()) units.add(field.unit);
    context.figures.set("units", std::move(units));
    const std::string summary = summaryOf(map);
    return {{"OUT", std::make_shared<const HealpixMap>(std::move(map)), summary}};
}

}  // namespace

Operation calcOperation() {
    return define<CalcOptions>(
        {.id = "calc",
         .title = "Arithmetic",
         .help = "calculate a map from an expression on the pixels of maps",
         .inputs = {{.name = "let",
                     .kind = DataKind::Map,
                     .help = "name of a map or image (NAME=FILE), of one field or plane of it "
                             "(NAME=FILE#FIELD), or "
                             "of a number (NAME=2.5) in the expression; repeatable",
                     .isOption = true,
                     .isOptional = true,
                     .isRepeatable = true,
                     .takesNumber = true,
                     .isNamed = true,
                     .orImage = true,
                     .columns =
                         [](const ParameterSet&) {
                             return Columns{Columns::Choice::All, {}};
                         }}},
         .outputs =
             {{.name = "OUT", .kind = DataKind::Map, .help = "output map", .continues = "let"}},
         .manual =
             "Operators are + - * / % ^, comparisons, and, or, not, and c ? x : y. Functions are "
             "abs, sqrt, exp, log (natural), log10, floor, ceil, round, min(a, b), max(a, b) and "
             "good(a). Comparisons and good(a) are 1 or 0.\n\nA pixel is bad where any operand is "
             "bad. Exceptions: good(a) is 0 there, and c ? x : y is bad only where c or the branch "
             "taken is bad. Infinite results are bad, and their number is reported.\n\nThe result "
             "has the nside, ordering, frame and POLCCONV of the first map in the expression. "
             "Other orderings are converted. Other frames and resolutions are refused without "
             "--match. Images must have the same pixels, and their planes pair as fields do. A map "
             "stands for all its fields, which pair by position; a map of one field "
             "goes with each.\n\nThe operands of + and -, of comparisons, min, max and both "
             "branches of ? : are converted to the unit of the left one (mK to K). Plain numbers "
             "take the unit of the other operand. Units of different kinds are refused without "
             "--unit.",
         .keyParameters = "expression"},
        {.check = check, .run = run});
}

}  // namespace armilla

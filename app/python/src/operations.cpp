// SPDX-License-Identifier: GPL-3.0-or-later
// The table of operations, described for Python, and the call of one of them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>

#include "armilla/core/error.h"
#include "armilla/core/icrs_positions.h"
#include "armilla/device/device.h"
#include "armilla/io/curve_io.h"
#include "armilla/io/spectrum_io.h"
#include "armilla/operations/by_blocks.h"
#include "armilla/operations/device_correlate.h"
#include "armilla/operations/files.h"
#include "armilla/operations/operation.h"
#include "array_maps.h"
#include "call.h"
#include "device_catalogs.h"
#include "set_parameters.h"
#include "values.h"

namespace nb = nanobind;

namespace armilla::python {

namespace {

nb::str text(std::string_view view) {
    return nb::str(view.data(), view.size());
}

const char* wordOf(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::Angle: return "angle";
        case ParameterKind::Number: return "number";
        case ParameterKind::Integer: return "integer";
        case ParameterKind::Choice: return "choice";
        case ParameterKind::Flag: return "flag";
        case ParameterKind::Text: return "text";
        case ParameterKind::File: return "file";
        case ParameterKind::Words: return "words";
        case ParameterKind::Position: return "position";
        case ParameterKind::Frame: return "frame";
        case ParameterKind::Angles: return "angles";
        case ParameterKind::Numbers: return "numbers";
        case ParameterKind::Size: return "size";
        case ParameterKind::Bins: return "bins";
    }
    return "";
}

nb::object defaultOf(const Parameter& row) {
    const ParameterValue value = row.get();
    if (const auto* flag = std::get_if<bool>(&value)) return nb::cast(*flag);
    if (const auto* whole = std::get_if<int64_t>(&value)) return nb::cast(*whole);
    if (const auto* number = std::get_if<double>(&value)) {
        if (row.kind == ParameterKind::Angle) return nb::cast(row.text(value));
        return nb::cast(*number);
    }
    const std::string word = value.index() == 0 ? std::string() : row.text(value);
    return word.empty() ? nb::none() : nb::cast(word);
}

nb::object boundOf(double bound) {
    return std::isfinite(bound) ? nb::cast(bound) : nb::none();
}

nb::dict describe(const Parameter& row) {
    nb::dict entry;
    entry["name"] = text(row.name);
    entry["kind"] = wordOf(row.kind);
    entry["unit"] = text(row.facts.unit);
    entry["least"] = boundOf(row.facts.least);
    entry["most"] = boundOf(row.facts.most);
    entry["above_least"] = row.facts.aboveLeast;
    entry["below_most"] = row.facts.belowMost;
    entry["required"] = row.facts.required;
    entry["standard"] = text(row.facts.standard);
    entry["help"] = text(row.help);
    entry["default"] = defaultOf(row);
    nb::list choices;
    for (const ChoiceWord& choice : row.choices) choices.append(text(choice.word));
    entry["choices"] = choices;
    return entry;
}

nb::dict describe(const InputSlot& slot) {
    nb::dict entry;
    entry["name"] = text(slot.name);
    entry["kind"] = text(dataKindName(slot.kind));
    entry["help"] = text(slot.help);
    entry["is_option"] = slot.isOption;
    entry["is_optional"] = slot.isOptional || slot.isOption;
    entry["is_repeatable"] = slot.isRepeatable;
    entry["takes_number"] = slot.takesNumber;
    entry["is_named"] = slot.isNamed;
    entry["or_catalog"] = slot.orCatalog;
    entry["or_alm"] = slot.orAlm;
    entry["literals"] = text(slot.literals);
    return entry;
}

nb::dict describe(const OutputSlot& slot) {
    nb::dict entry;
    entry["name"] = text(slot.name);
    entry["kind"] = text(dataKindName(slot.kind));
    entry["help"] = text(slot.help);
    entry["is_option"] = slot.isOption;
    return entry;
}

template <typename Rows>
nb::list describeAll(const Rows& rows) {
    nb::list list;
    for (const auto& row : rows) list.append(describe(row));
    return list;
}

nb::list describeOperations() {
    nb::list all;
    for (const Operation& operation : allOperations()) {
        nb::dict entry;
        entry["id"] = text(operation.id);
        entry["help"] = text(operation.help);
        entry["manual"] = text(operation.manual);
        entry["inputs"] = describeAll(operation.inputs);
        entry["outputs"] = describeAll(operation.outputs);
        ParameterSet parameters = operation.defaults();
        entry["parameters"] = describeAll(parameters.rows());
        all.append(entry);
    }
    return all;
}

// A number, a boolean, a word, or a list of these. Words are parsed as on a command line.
Json jsonOf(const nb::handle& value) {
    if (PyBool_Check(value.ptr())) return Json(nb::cast<bool>(value));
    if (PyLong_Check(value.ptr())) {
        int64_t whole = 0;
        if (nb::try_cast(value, whole)) return Json(whole);
        throw InvalidArgument("expected an integer below 2^63, found a larger one");
    }
    if (PyFloat_Check(value.ptr())) return Json(nb::cast<double>(value));
    if (PyUnicode_Check(value.ptr())) return Json(nb::cast<std::string>(value));
    if (!PyList_Check(value.ptr()))
        throw InvalidArgument("expected a number, a text, or a list of these, found " +
                              nb::cast<std::string>(nb::str(value.type().attr("__name__"))));
    Json list = Json::array();
    for (const nb::handle each : nb::cast<nb::list>(value)) list.add(jsonOf(each));
    return list;
}

}  // namespace

void setParameters(ParameterSet& parameters, const nb::dict& given) {
    const std::vector<Parameter> rows = parameters.rows();
    for (const auto& [key, value] : given) {
        const auto name = nb::cast<std::string>(key);
        const Parameter* const row = findParameter(rows, name);
        ARMILLA_ASSERT(row != nullptr);  // the Python layer has checked the name
        naming(name, [&] {
            if (PyUnicode_Check(value.ptr()))
                row->put(row->parse(nb::cast<std::string>(value)));
            else
                row->put(row->fromJson(jsonOf(value)));
            return 0;
        });
    }
}

namespace {

// Indices of the fields of a map in memory that the operation means.
std::vector<int> fieldsOf(const Columns& columns, const HealpixMap& map, const std::string& field) {
    const auto named = [&](const std::vector<std::string>& names) {
        std::vector<int> indices;
        for (const std::string& name : names) indices.push_back(map.fieldIndex(name));
        return indices;
    };
    std::vector<int> all(static_cast<size_t>(map.fieldCount()));
    std::iota(all.begin(), all.end(), 0);
    switch (columns.choice) {
        case Columns::Choice::Polarization: {
            if (!field.empty())
                throw UsageError(
                    "expected --polarization, of the fields T, Q and U, or --field, found both");
            const auto triple = map.polarizationFields();
            if (!triple) throw InvalidArgument("expected a map with fields T, Q and U, found none");
            return {triple->begin(), triple->end()};
        }
        case Columns::Choice::All: return all;
        case Columns::Choice::Named:
            if (!columns.names.empty()) return named(columns.names);
            return field.empty() || field == "all" ? all : named(splitAtCommas(field));
        case Columns::Choice::Several:
            if (field == "all") return all;
            return field.empty() ? std::vector<int>{0} : named(splitAtCommas(field));
        case Columns::Choice::One:
        case Columns::Choice::OneWithPartner: break;
    }
    return field.empty() ? std::vector<int>{0} : named({field});
}

// Angles without a unit are radians.
RadialKernel kernelInRadians(Curve curve) {
    if (curve.xUnit.empty()) curve.xUnit = "rad";
    return kernelOf(curve);
}

// A value of memory as the slot takes it: curves become spectra, beams and kernels where these are
// expected.
Data dataFor(const InputSlot& slot, const Columns& columns, const Data& data, JobContext& job) {
    if (const auto* curve = std::get_if<std::shared_ptr<const Curve>>(&data)) {
        if (slot.kind == DataKind::Spectra)
            return std::make_shared<const Spectra>(spectraOf(**curve));
        if (slot.kind == DataKind::Beam) return std::make_shared<const Beam>(beamOf(**curve));
        if (slot.kind == DataKind::Kernel)
            return std::make_shared<const RadialKernel>(kernelInRadians(**curve));
    }
    if (const auto* catalog = std::get_if<std::shared_ptr<const Catalog>>(&data))
        if (slot.kind == DataKind::Catalog || slot.orCatalog)
            return withPlaces(*catalog, columns, job);
    if (const auto* table = std::get_if<std::shared_ptr<const Table>>(&data))
        if ((slot.kind == DataKind::Catalog || slot.orCatalog) && !columns.places.empty())
            return withPlaces(std::make_shared<const Catalog>(Catalog{**table, {}}), columns, job);
    return data;
}

// One input of a call: a value, or the name of a file or a literal.
struct Given {
    const InputSlot* slot = nullptr;
    std::string name;      // for messages
    std::string variable;  // NAME of a value in an expression
    std::variant<std::string, Value, ArrayMap> what;
    std::optional<DeviceColumns> onDevice;  // columns of a catalog in device memory
};

struct CallRequest {
    const Operation* operation = nullptr;
    ParameterSet parameters{NoOptions{}};
    std::vector<Given> inputs;
    GivenSlots wanted;
    ReadRequest reading;
    std::string device;
    std::optional<StoredPrecision> precision;
    std::vector<std::string> notes;
};

// Whether a field is one of two that rotate together, so that an operation may look for the other.
bool hasPartner(const HealpixMap& map, int index) {
    const auto pairs = map.polarizationPairs();
    return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        return pair.first == index || pair.second == index;
    });
}

// Arrays without names are all meant: an operation that chooses among fields takes all of them, or
// refuses several. A map with named fields stands for its first one, as in the command.
std::vector<int> fieldsMeant(const ArrayMap& arrays, const HealpixMap& names, const InputSlot& slot,
                             const Columns& columns, const std::string& field) {
    if (!arrays.areUnnamed || names.fieldCount() == 1 || !field.empty() || !slot.columns)
        return fieldsOf(columns, names, field);
    if (columns.choice == Columns::Choice::Several) return fieldsOf(columns, names, "all");
    if (columns.choice == Columns::Choice::One || columns.choice == Columns::Choice::OneWithPartner)
        throw InvalidArgument("expected one array, found " + std::to_string(names.fieldCount()) +
                              "; field states its number from 1, or polarization that they are T, "
                              "Q and U");
    return fieldsOf(columns, names, field);
}

// The fields that the operation takes: in place where it reads them so, else copies, as its command
// reads only these columns.
void setMap(Input& input, const ArrayMap& arrays, const InputSlot& slot, const Columns& columns,
            bool isInPlace, JobContext& job) {
    const HealpixMap names = arrays.names();
    const std::vector<int> taken = fieldsMeant(arrays, names, slot, columns, input.field);
    if (isInPlace)
        if (std::optional<MapView> view = arrays.view(taken, job)) {
            input.view = std::make_shared<const MapView>(std::move(*view));
            input.fields = taken;
            return;
        }
    const bool isPart =
        static_cast<int>(taken.size()) < names.fieldCount() &&
        (columns.choice == Columns::Choice::One || columns.choice == Columns::Choice::Several) &&
        std::none_of(taken.begin(), taken.end(), [&](int i) { return hasPartner(names, i); });
    input.data =
        std::make_shared<const HealpixMap>(isPart ? arrays.copy(taken, job) : arrays.copy(job));
    input.fields = taken;
    if (isPart) std::iota(input.fields.begin(), input.fields.end(), 0);
    input.isShared = false;
}

Input inputOf(CallRequest& request, Given& given, JobContext& job) {
    const InputSlot& slot = *given.slot;
    if (const auto* path = std::get_if<std::string>(&given.what)) {
        const auto framed =
            std::count_if(request.inputs.begin(), request.inputs.end(),
                          [](const Given& each) { return hasFrame(each.slot->kind); });
        ReadRequest reading = request.reading;
        reading.isBeside = slot.isOption || framed > 1;
        return readInput(slot, request.parameters, *path, reading, job);
    }
    const Columns columns = slot.columns ? slot.columns(request.parameters) : Columns{};
    Input input;
    input.slot = slot.name;
    input.name = given.name;
    input.variable = given.variable;
    input.field = request.reading.field;
    if (const auto* arrays = std::get_if<ArrayMap>(&given.what)) {
        GivenSlots slots;
        for (const Given& each : request.inputs) slots.emplace(each.slot->name);
        const bool isInPlace = slot.readsInPlace && slot.readsInPlace(request.parameters, slots);
        naming(given.name, [&] { setMap(input, *arrays, slot, columns, isInPlace, job); });
        return input;
    }
    auto& value = std::get<Value>(given.what);
    input.isShared = !value.isOwned;
    naming(given.name, [&] {
        input.data = dataFor(slot, columns, value.data, job);
        value.data = std::monostate();
        if (auto* map = std::get_if<std::shared_ptr<const HealpixMap>>(&input.data)) {
            if (std::shared_ptr<const HealpixMap> clean = withNan(*map, job); clean != *map) {
                *map = std::move(clean);
                input.isShared = false;
            }
            input.fields = fieldsOf(columns, **map, request.reading.field);
        }
        return 0;
    });
    return input;
}

Device deviceOf(const CallRequest& request) {
    const DeviceSupport support = request.operation->devices;
    const Device device =
        naming("device", [&] { return Device::fromText(request.device, support); });
    if (device.kind == DeviceKind::Cuda && !support.cuda)
        throw Unsupported("device " + request.device + ": expected a device that '" +
                          std::string(request.operation->id) + "' can run on (cpu), found " +
                          device.label() + " (" + device.name + ")");
    return device;
}

// Reads all inputs, and lists the catalogs in device memory.
DeviceCatalogs addInputs(CallRequest& request, Inputs& inputs, JobContext& job) {
    DeviceCatalogs onDevice;
    for (Given& each : request.inputs) {
        inputs.all.push_back(inputOf(request, each, job));
        if (!each.onDevice) continue;
        const Catalog& names = inputs.all.back().catalog();
        naming(each.name, [&] { requireUnturned(names); });
        onDevice.emplace(&names, std::move(*each.onDevice));
    }
    return onDevice;
}

// Selections and matches of files read only the columns and partitions that they need. None for
// other calls.
std::optional<Outputs> runOnFiles(CallRequest& request, Context& context) {
    const std::string_view id = request.operation->id;
    if (id != "select" && id != "match") return std::nullopt;
    BlockCall call{context, *request.operation, request.parameters, {}, request.reading};
    for (const Given& each : request.inputs) {
        const auto* path = std::get_if<std::string>(&each.what);
        if (path == nullptr || !each.variable.empty()) return std::nullopt;
        call.inputs.emplace_back(each.slot, *path);
    }
    // Results are values in memory.
    call.catalogBytes = std::numeric_limits<int64_t>::max();
    return runByBlocks(call);
}

struct CallResult {
    Outputs outputs;
    Json figures;
};

CallResult runCall(CallRequest& request, JobContext& job) {
    const Device device = deviceOf(request);
    GivenSlots given = request.wanted;
    for (const Given& each : request.inputs)
        if (each.slot->isOption || each.slot->isOptional) given.emplace(each.slot->name);
    requireNoProblem(*request.operation, request.parameters, given);
    JobContext reading = job.part(0.0, 0.1), working = job.part(0.1, 1.0);
    const auto note = [&](const std::string& line) { request.notes.push_back(line); };
    request.reading.note = note;
    Context context{device, working, request.precision, request.wanted, note};
    context.statedFrame = request.reading.statedFrame;
    CallResult result;
    if (std::optional<Outputs> outputs = runOnFiles(request, context)) {
        result.outputs = std::move(*outputs);
    } else {
        Inputs inputs;
        const DeviceCatalogs onDevice = addInputs(request, inputs, reading);
        result.outputs = onDevice.empty()
                             ? runOperation(*request.operation, context, inputs, request.parameters)
                             : correlateOnDevice(context, inputs, request.parameters, onDevice);
    }
    result.figures = Json::object();
    result.figures.set("device", device.label());
    for (const auto& [key, value] : *context.figures.members()) result.figures.set(key, value);
    return result;
}

void setReading(CallRequest& request, const nb::dict& options) {
    const auto textAt = [&](const char* key) { return nb::cast<std::string>(options[key]); };
    request.device = textAt("device");
    request.reading.field = textAt("field");
    if (const std::string frame = textAt("input_frame"); !frame.empty()) {
        request.reading.statedFrame = statedFrameFromText(frame);
        if (!request.reading.statedFrame)
            throw InvalidArgument("input_frame: expected G, E, C, FK4 or FK5, found '" + frame +
                                  "'");
    }
    request.precision = precisionOf(textAt("precision"));
    request.reading.spectra.columns = nb::cast<std::vector<std::string>>(options["columns"]);
    request.reading.spectra.isDl = nb::cast<std::optional<bool>>(options["is_dl"]);
    checkSpectrumReading(request.reading.spectra);
}

// A value that only this call holds moves into it, so that the operation may change it in place.
Value takenFrom(Value& held) {
    return held.isOwned ? std::move(held) : held;
}

// inputs: (slot, name, value or text, variable) in the order of the slots. Returns ((slot, value),
// ...), the figures as JSON text and the notes.
nb::tuple callOperation(const std::string& id, const nb::list& inputs, const nb::dict& parameters,
                        const std::vector<std::string>& wanted, const nb::dict& options,
                        int threads, const nb::object& progress) {
    CallRequest request;
    request.operation = findOperation(id);
    ARMILLA_ASSERT(request.operation != nullptr);
    request.parameters = request.operation->defaults();
    setParameters(request.parameters, parameters);
    setReading(request, options);
    request.wanted.insert(wanted.begin(), wanted.end());
    for (const nb::handle entry : inputs) {
        const auto tuple = nb::cast<nb::tuple>(entry);
        const auto slotName = nb::cast<std::string>(tuple[0]);
        const auto& slots = request.operation->inputs;
        const auto slot = std::find_if(slots.begin(), slots.end(), [&](const InputSlot& each) {
            return each.name == slotName;
        });
        ARMILLA_ASSERT(slot != slots.end());
        Given given{
            &*slot, nb::cast<std::string>(tuple[1]), nb::cast<std::string>(tuple[3]), {}, {}};
        if (PyUnicode_Check(tuple[2].ptr())) {
            given.what = nb::cast<std::string>(tuple[2]);
        } else if (nb::isinstance<DeviceCatalog>(tuple[2])) {
            // The Python layer passes such catalogs to `correlate` alone.
            const auto* catalog = nb::cast<const DeviceCatalog*>(tuple[2]);
            given.what = catalog->names;
            given.onDevice = catalog->columns;
        } else if (nb::isinstance<ArrayMap>(tuple[2])) {
            given.what = nb::cast<const ArrayMap&>(tuple[2]);
        } else {
            given.what = takenFrom(nb::cast<Value&>(tuple[2]));
        }
        request.inputs.push_back(std::move(given));
    }
    CallResult result;
    runJob({threads, progress}, [&](JobContext& job) { result = runCall(request, job); });
    nb::list outputs;
    for (Output& output : result.outputs)
        outputs.append(nb::make_tuple(
            text(output.slot),
            Value{std::move(output.data), std::move(output.write), std::move(output.summary)}));
    return nb::make_tuple(outputs, result.figures.text(), request.notes);
}

nb::list describeDevices() {
    nb::list all;
    for (const Device& device : Device::available()) {
        nb::dict entry;
        entry["device"] = device.label();
        entry["name"] = device.name;
        entry["memory_bytes"] = device.memoryBytes;
        all.append(entry);
    }
    return all;
}

}  // namespace

void bindOperations(nb::module_& module) {
    module.def("operations", &describeOperations);
    module.def("call", &callOperation, nb::arg("id"), nb::arg("inputs"), nb::arg("parameters"),
               nb::arg("wanted"), nb::arg("options"), nb::arg("threads"), nb::arg("progress"));
    module.def("devices", &describeDevices);
    module.def("check_device",
               [](const std::string& name) { Device::fromText(name, {.cuda = true}); });
}

}  // namespace armilla::python

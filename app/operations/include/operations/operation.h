// SPDX-License-Identifier: GPL-3.0-or-later
// An operation told once: what it takes and gives, its parameters, and the function that runs it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include "core/equatorial_frame.h"
#include "core/job_context.h"
#include "io/harmonic_io.h"
#include "operations/data.h"
#include "operations/parameter.h"
#include "operations/usage_error.h"
#include "ops/device.h"

namespace armilla {

// The struct of an operation's parameters, whatever its type. A value: copies are deep.
class ParameterSet {
public:
    // `Options` has a function describe(Description&, Options&) in its namespace.
    template <typename Options>
    requires(!std::is_same_v<std::remove_cvref_t<Options>, ParameterSet>) explicit ParameterSet(
        Options options)
        : holder_(std::make_unique<HolderOf<Options>>(std::move(options))) {}
    ParameterSet(const ParameterSet& other) : holder_(other.holder_->clone()) {}
    ParameterSet& operator=(const ParameterSet& other) {
        holder_ = other.holder_->clone();
        return *this;
    }
    ParameterSet(ParameterSet&&) noexcept = default;
    ParameterSet& operator=(ParameterSet&&) noexcept = default;
    ~ParameterSet() = default;

    // The struct itself. Asking for another type than it was made of is a broken invariant.
    template <typename Options>
    Options& as() {
        ARMILLA_ASSERT(holder_->type() == typeid(Options));
        return static_cast<HolderOf<Options>*>(holder_.get())->options;
    }
    template <typename Options>
    const Options& as() const {
        ARMILLA_ASSERT(holder_->type() == typeid(Options));
        return static_cast<const HolderOf<Options>*>(holder_.get())->options;
    }

    // The rows, bound to this set, which must outlive them and not be assigned to.
    std::vector<Parameter> rows() {
        std::vector<Parameter> rows;
        Description description(rows);
        holder_->tell(description);
        return rows;
    }
    // The value of one parameter, empty if not given. Throws InvalidArgument for an unknown name.
    ParameterValue value(std::string_view name) const;
    // Reads text into one. Throws InvalidArgument "NAME: expected ..., found ...".
    void set(std::string_view name, std::string_view text);

private:
    struct Holder {
        virtual ~Holder() = default;
        virtual std::unique_ptr<Holder> clone() const = 0;
        virtual void tell(Description& description) = 0;
        virtual const std::type_info& type() const = 0;
    };
    template <typename Options>
    struct HolderOf final : Holder {
        explicit HolderOf(Options value) : options(std::move(value)) {}
        std::unique_ptr<Holder> clone() const override {
            return std::make_unique<HolderOf>(options);
        }
        void tell(Description& description) override { describe(description, options); }
        const std::type_info& type() const override { return typeid(Options); }
        Options options;
    };
    std::unique_ptr<Holder> holder_;
};

// For operations without parameters.
struct NoOptions {};
inline void describe(Description& /*description*/, NoOptions& /*options*/) {}

// How the frame of an input goes with that of the operation's first input.
enum class FrameRule {
    Own,      // independent of it
    Turned,   // a map that is turned into it before the operation runs
    Compared  // the operation turns it; unknown frames are refused or noted in the same words
};

// A place for an input. Positional ones come in their order; the others are options of the command,
// as "--beam FILE".
struct InputSlot {
    std::string_view name = {};  // "MAP"; of an option "beam"
    DataKind kind = DataKind::Map;
    std::string_view help = {};
    bool isOption = false;
    bool isOptional = false;
    bool isRepeatable = false;
    bool takesNumber = false;        // a number may stand in the place of a file
    bool orRingImage = false;        // or an image whose rows are whole rings, equally far apart
    bool orCatalog = false;          // or a catalog in any format
    std::string_view literals = {};  // words that may, between commas: "auto"
    FrameRule frame = FrameRule::Own;
    // What is read of it, by the parameters; none: Columns::Choice::One of maps, all of tables.
    std::function<Columns(const ParameterSet&)> columns = {};

    std::string label() const;  // in a panel: "Map", "Random from"
};

// The names of the optional inputs and outputs that are given.
using GivenSlots = std::set<std::string, std::less<>>;

struct OutputSlot {
    std::string_view name = {};  // "OUT"; of an option "snr"
    DataKind kind = DataKind::Map;
    std::string_view help = {};
    bool isOption = false;  // made when asked for
    // Of files, between commas, where they are not those of the kind.
    std::string_view suffixes = {};
    // Where the kind depends on what is given; then `kind` is that of most.
    std::function<DataKind(const GivenSlots&)> kindGiven = {};

    std::string resultName() const;  // of a layer beside the first: "weights" of "weights-out"
};

// Something that parameters must not be. `parameter` is empty where it is about several.
struct Problem {
    std::string parameter;
    std::string message;  // "expected ..., found ..."
    // As the command line says it: "--lmax: expected ...".
    std::string text() const {
        return parameter.empty() ? message : "--" + parameter + ": " + message;
    }
};
using Problems = std::vector<Problem>;

class KeptFilter;

// What an operation works with while it runs.
struct Context {
    const Device& device;
    JobContext& job;
    std::optional<StoredPrecision> precision;  // of the stored result, where asked for
    GivenSlots wanted;                         // the optional outputs asked for
    // Says a line for people beside the result (on standard error, in the window's log).
    std::function<void(const std::string&)> note;
    // Figures of the result, as --json prints them.
    Json figures = Json::object();
    // Where the plan of a filter is kept from run to run; may be null.
    KeptFilter* keptFilter = nullptr;
    // Of an input that does not name its own (--input-frame); readers have taken it by now, files
    // that an operation reads itself have not.
    std::optional<StatedFrame> statedFrame{};
};

struct Output {
    std::string_view slot;
    Data data;
    std::string summary;  // for people: "nside 512, RING, Galactic; method harmonic"
    // For a file format of its own; else the value is written as its kind is.
    std::function<void(const std::string& path, const FileWriteOptions& options, JobContext& job)>
        write = {};
};
using Outputs = std::vector<Output>;

// An entry of the table of operations; made by `define`.
struct Operation {
    std::string_view id = {};            // the name of the command; never changes
    std::string_view title = {};         // on a button or tool: "Smooth"
    std::string_view help = {};          // one line, lower case, without a full stop
    std::vector<InputSlot> inputs = {};  // positional ones first
    std::vector<OutputSlot> outputs = {};
    DeviceSupport devices = {};     // besides the CPU
    int version = 1;                // of the meaning of its parameters, in records
    std::string_view aliases = {};  // ids of old, between commas
    std::string_view manual = {};   // paragraphs for the man page, plain text
    // Turns the parameters (an object by name) of a record of an older version into those of today.
    void (*migrate)(Json& parameters, int version) = nullptr;
    // The two parameters, at most, that tell one result from another, for titles: "fwhm".
    std::string_view keyParameters = {};

    std::function<ParameterSet()> defaults = {};
    std::function<Problems(const ParameterSet&, const GivenSlots&)> checkTogether = {};
    std::function<void(ParameterSet&, const Inputs&)> resolve = {};
    std::function<Outputs(Context&, Inputs&, const ParameterSet&)> run = {};
};

// The functions of an operation whose parameters are `Options`; all but `run` may be left out.
template <typename Options>
struct OperationFunctions {
    // What single parameters cannot tell of themselves; sees no file.
    Problems (*check)(const Options&, const GivenSlots&) = nullptr;
    // Fills in defaults that depend on the inputs, before they are recorded.
    void (*resolve)(Options&, const Inputs&) = nullptr;
    // Throws as operations do: InvalidArgument, IoError, OutOfMemory, DeviceError, Unsupported,
    // Cancelled; UsageError.
    Outputs (*run)(Context&, Inputs&, const Options&) = nullptr;
};

template <typename Options>
Operation define(Operation entry, OperationFunctions<Options> functions) {
    entry.defaults = [] { return ParameterSet(Options{}); };
    if (functions.check != nullptr)
        entry.checkTogether = [f = functions.check](const ParameterSet& parameters,
                                                    const GivenSlots& given) {
            return f(parameters.as<Options>(), given);
        };
    if (functions.resolve != nullptr)
        entry.resolve = [f = functions.resolve](ParameterSet& parameters, const Inputs& inputs) {
            f(parameters.as<Options>(), inputs);
        };
    entry.run = [f = functions.run](Context& context, Inputs& inputs,
                                    const ParameterSet& parameters) {
        return f(context, inputs, parameters.as<Options>());
    };
    return entry;
}

// Every operation, in the order of the help.
std::span<const Operation> allOperations();
// By id or alias; nullptr if there is none.
const Operation* findOperation(std::string_view id);

// All that is wrong with parameters, in the same words for command, file and panel: required ones
// that are missing, those of the operation's own check.
Problems problemsOf(const Operation& operation, const ParameterSet& parameters,
                    const GivenSlots& given);
// Throws UsageError with the first of them.
void requireNoProblem(const Operation& operation, const ParameterSet& parameters,
                      const GivenSlots& given);

// Runs an operation on inputs: resolves, checks again, runs. `parameters` then are what was taken.
Outputs runOperation(const Operation& operation, Context& context, Inputs& inputs,
                     ParameterSet& parameters);

}  // namespace armilla

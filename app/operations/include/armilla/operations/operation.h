// SPDX-License-Identifier: GPL-3.0-or-later
// Description of an operation: inputs, outputs, parameters, and the function that runs it.
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

#include "armilla/core/equatorial_frame.h"
#include "armilla/core/job_context.h"
#include "armilla/io/harmonic_io.h"
#include "armilla/operations/data.h"
#include "armilla/operations/parameter.h"
#include "armilla/operations/usage_error.h"
#include "armilla/ops/device.h"

namespace armilla {

// Parameters of an operation, whatever the type of their struct. A value: copies are deep.
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

    // The struct itself. Another type than the original one breaks an invariant.
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

    // Rows bound to this set, which must outlive them and must not be assigned to.
    std::vector<Parameter> rows() {
        std::vector<Parameter> rows;
        Description description(rows);
        holder_->tell(description);
        return rows;
    }
    // Value of one parameter; empty if not given. Throws InvalidArgument for an unknown name.
    ParameterValue value(std::string_view name) const;
    // Parses text into one parameter. Throws InvalidArgument "NAME: expected ..., found ...".
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

// Relation between the frame of an input and that of the first input of the operation.
enum class FrameRule {
    Own,      // independent
    Turned,   // a map that is rotated to the first frame before the operation runs
    Compared  // rotated by the operation; unknown frames are refused or noted in the same words
};

// Names of the optional inputs and outputs that are given.
using GivenSlots = std::set<std::string, std::less<>>;

// Slot of an input. Positional slots are in order; all others are options of the command, such as
// "--beam FILE".
struct InputSlot {
    std::string_view name = {};  // "MAP"; for an option "beam"
    DataKind kind = DataKind::Map;
    std::string_view help = {};
    std::string_view panelLabel = {};  // label in a panel; if empty: made from the name
    bool isOption = false;
    bool isOptional = false;
    bool isRepeatable = false;
    bool takesNumber = false;        // a number may replace the file
    bool isNamed = false;            // NAME=FILE, NAME=FILE#FIELD or NAME=NUMBER, of maps
    bool orImage = false;            // an image may replace the map
    bool orCatalog = false;          // a catalog in any format may replace the map
    bool orAlm = false;              // coefficients may replace the map
    bool orRegions = false;          // a file of DS9 regions (.reg) may replace it, as a literal
    std::string_view literals = {};  // comma-separated words that may replace the file: "auto"
    FrameRule frame = FrameRule::Own;
    // Columns to read, from the parameters. If empty: Columns::Choice::One of maps, all columns of
    // tables.
    std::function<Columns(const ParameterSet&)> columns = {};
    // Whether the operation takes Input::view as well, beside the given slots; empty: no. For the
    // first slot only.
    std::function<bool(const ParameterSet&, const GivenSlots&)> readsInPlace = {};

    std::string label() const;  // label in a panel: "Map", "Random from"
};

struct OutputSlot {
    std::string_view name = {};  // "OUT"; for an option "snr"
    DataKind kind = DataKind::Map;
    std::string_view help = {};
    bool isOption = false;  // made on request
    // The input whose header and HISTORY the output keeps; empty: it has a new header.
    std::string_view continues = {};
    // Comma-separated file suffixes, if they differ from the defaults of this data kind.
    std::string_view suffixes = {};
    // Kind as a function of the given slots, if it varies; `kind` is then the usual one.
    std::function<DataKind(const GivenSlots&)> kindGiven = {};

    // name of the layer beside the first: "weights" for "weights-out"
    std::string resultName() const;
};

// Error of the parameters. `parameter` is empty if several are involved.
struct Problem {
    std::string parameter;
    std::string message;  // "expected ..., found ..."
    // Text for the command line: "--lmax: expected ...".
    std::string text() const {
        return parameter.empty() ? message : "--" + parameter + ": " + message;
    }
};
using Problems = std::vector<Problem>;

class KeptFilter;

// Environment of a running operation.
struct Context {
    const Device& device;
    JobContext& job;
    std::optional<StoredPrecision> precision;  // precision of the stored result, if requested
    GivenSlots wanted;                         // requested optional outputs
    // Prints a line for people beside the result (standard error, log of the window).
    std::function<void(const std::string&)> note;
    // Figures of the result, printed by --json.
    Json figures = Json::object();
    // Plan of a filter that is kept between runs; may be nullptr.
    KeptFilter* keptFilter = nullptr;
    // Frame stated by --input-frame for inputs that name none. Readers have already applied it; the
    // operation applies it to files that it reads itself.
    std::optional<StatedFrame> statedFrame{};
};

struct Output {
    std::string_view slot;
    Data data;
    std::string summary;  // for people: "nside 512, RING, Galactic; method harmonic"
    // Writer of a special file format; if empty, the value is written as its kind is.
    std::function<void(const std::string& path, const FileWriteOptions& options, JobContext& job)>
        write = {};
};
using Outputs = std::vector<Output>;

// Entry of the table of operations, made by `define`.
struct Operation {
    std::string_view id = {};            // the name of the command; never changes
    std::string_view title = {};         // text of a button or tool: "Smooth"
    std::string_view help = {};          // one line, lower case, without a full stop
    std::vector<InputSlot> inputs = {};  // positional ones first
    std::vector<OutputSlot> outputs = {};
    DeviceSupport devices = {};     // besides the CPU
    int version = 1;                // version of the meaning of the parameters, in records
    std::string_view aliases = {};  // comma-separated former ids
    std::string_view manual = {};   // paragraphs for the man page, plain text
    // Converts the parameters (an object by name) of a record of an older version.
    void (*migrate)(Json& parameters, int version) = nullptr;
    // At most two parameters that distinguish results in titles: "fwhm".
    std::string_view keyParameters = {};

    std::function<ParameterSet()> defaults = {};
    std::function<Problems(const ParameterSet&, const GivenSlots&)> checkTogether = {};
    std::function<void(ParameterSet&, const Inputs&)> resolve = {};
    std::function<Outputs(Context&, Inputs&, const ParameterSet&)> run = {};
};

// Functions of an operation with parameters `Options`; all except `run` are optional.
template <typename Options>
struct OperationFunctions {
    // Checks rules between parameters; reads no file.
    Problems (*check)(const Options&, const GivenSlots&) = nullptr;
    // Fills in defaults that depend on the inputs, before they are recorded.
    void (*resolve)(Options&, const Inputs&) = nullptr;
    // Throws InvalidArgument, IoError, OutOfMemory, DeviceError, Unsupported, Cancelled,
    // UsageError.
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

// All operations, in the order of the help.
std::span<const Operation> allOperations();
// Operation with this id or alias; nullptr if there is none.
const Operation* findOperation(std::string_view id);

// All errors of the parameters, in the same words for command, file and panel: missing required
// parameters, and those of the operation's check.
Problems problemsOf(const Operation& operation, const ParameterSet& parameters,
                    const GivenSlots& given);
// Throws UsageError with the first error.
void requireNoProblem(const Operation& operation, const ParameterSet& parameters,
                      const GivenSlots& given);

// Resolves the parameters, checks them again, and runs the operation. Afterwards `parameters` hold
// the values used.
Outputs runOperation(const Operation& operation, Context& context, Inputs& inputs,
                     ParameterSet& parameters);

}  // namespace armilla

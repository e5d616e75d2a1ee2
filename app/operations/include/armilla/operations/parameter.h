// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of operations, described once. An operation keeps them in a plain struct; one function
// beside the struct,
//
//   void describe(Description& d, SmoothOptions& p) {
//       d.angle("fwhm", p.fwhm, {.unit = "arcmin", .least = 0.0, .most = kPi},
//               "FWHM of the Gaussian beam");
//       d.choice("method", p.method, kMethods, {.advanced = true}, "method of the convolution");
//   }
//
// names each member. Options of the command, help, man page, completion, the JSON of recipes,
// HISTORY, titles and rows of panels are made from this description.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "armilla/core/equatorial_frame.h"
#include "armilla/core/sky_vector.h"
#include "armilla/operations/json.h"

namespace armilla {

enum class ParameterKind {
    Angle,
    Number,
    Integer,
    Choice,
    Flag,
    Text,
    File,
    Words,
    Position,
    Frame,
    Angles,
    Numbers,
    Size,
    Bins
};

// Size in pixels.
struct PixelSize {
    int64_t width = 0, height = 0;
};
// Position and its frame. Unknown means the frame of the data it refers to.
struct Place {
    LonLat at;
    Frame frame = Frame::Unknown;

    // Throws InvalidArgument if the place names a frame and `other` is unknown.
    LonLat in(Frame other) const;
};
// `count` bins from `least` to `most`, radians.
struct AngleBins {
    double least = 0.0, most = 0.0;
    int64_t count = 0;
};

// Value of any kind, angles in radians; empty: not given. Choices and frames are words. Positions
// are {lon, lat} or, with a frame, {lon, lat, number of the frame}; sizes {width, height}; bins
// {least, most, count}.
using ParameterValue = std::variant<std::monostate, bool, int64_t, double, std::string,
                                    std::vector<double>, std::vector<std::string>>;

// Facts of a parameter beside its name, kind and help.
struct ParameterFacts {
    // For an angle: the unit on screen (deg, arcmin, arcsec). For a number or an integer: its unit,
    // "none" if it has none. Always required.
    std::string_view unit = {};
    // Hard range of numbers and angles (radians), bounds included unless stated otherwise.
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool aboveLeast = false, belowMost = false;  // the bound itself is excluded
    // Range of a slider, if it differs from the hard range.
    double sliderLeast = std::numeric_limits<double>::quiet_NaN();
    double sliderMost = std::numeric_limits<double>::quiet_NaN();
    bool required = false;
    // The value may stand before the files, without the name of the option: "calc 'A - B' OUT".
    bool positional = false;
    bool advanced = false;              // shown on demand
    bool powerOfTwo = false;            // for an integer
    bool takesOldFrames = false;        // for a frame: also FK4 and FK5
    std::string_view standard = {};     // default in words, if it depends on the input
    std::string_view label = {};        // label in a panel; else made from the name
    std::string_view placeholder = {};  // value placeholder in the help; else by kind
    std::string_view aliases = {};      // former names that are still read: "beam-width,width"
    // Whether the value applies, given the others; otherwise it is neither printed nor recorded.
    // May refer to the described struct.
    std::function<bool()> applies = {};
};

// One value of an enumeration and its word.
template <typename Value>
struct Choice {
    std::string_view word;
    Value value;
    std::string_view label = {};  // label in a panel; else the word
};
struct ChoiceWord {
    std::string_view word, label;
};

// Parameter bound to a member of a struct, which must outlive it.
struct Parameter {
    std::string_view name;
    ParameterKind kind = ParameterKind::Flag;
    ParameterFacts facts;
    std::string_view help;  // lower case, without a full stop
    std::vector<ChoiceWord> choices;
    std::function<ParameterValue()> get;
    std::function<void(const ParameterValue&)> put;  // sets a checked value

    bool applies() const { return !facts.applies || facts.applies(); }
    bool isNamed(std::string_view text) const;  // matches name or alias
    std::string label() const;                  // "FWHM", "Pixel window"
    // Placeholder of the value in the help: "ANGLE", "N", "auto|harmonic".
    std::string placeholder() const;
    // Text of an empty line in a panel: "angle", or the default if the input decides it.
    std::string hint() const;

    // Parses text of a command line, a file or a panel. Throws InvalidArgument with expected and
    // found values, without the name.
    ParameterValue parse(std::string_view text) const;
    // Text of a value that `parse` converts back exactly: angles in the unit on screen if this is
    // exact, else in radians. Empty: not given.
    std::string text(const ParameterValue& value) const;
    Json json(const ParameterValue& value) const;
    // Throws InvalidArgument, as `parse` does.
    ParameterValue fromJson(const Json& json) const;
    // Sets the member of the struct. Throws InvalidArgument if the value is of another kind or out
    // of range.
    void assign(const ParameterValue& value) const;
    // Throws InvalidArgument "expected ..., found 'FOUND'" for a value out of range.
    void check(const ParameterValue& value, std::string_view found) const;
};

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

// Collects the parameters of a struct.
class Description {
public:
    explicit Description(std::vector<Parameter>& rows) : rows_(rows) {}

    // A member is a plain value, which is its default, or a std::optional, empty by default.
    template <typename Member>
    void angle(std::string_view name, Member& member, ParameterFacts facts, std::string_view help) {
        addScalar<double>(ParameterKind::Angle, name, member, std::move(facts), help);
    }
    template <typename Member>
    void number(std::string_view name, Member& member, ParameterFacts facts,
                std::string_view help) {
        addScalar<double>(ParameterKind::Number, name, member, std::move(facts), help);
    }
    template <typename Member>
    void integer(std::string_view name, Member& member, ParameterFacts facts,
                 std::string_view help) {
        addScalar<int64_t>(ParameterKind::Integer, name, member, std::move(facts), help);
    }
    void flag(std::string_view name, bool& member, ParameterFacts facts, std::string_view help) {
        addScalar<bool>(ParameterKind::Flag, name, member, std::move(facts), help);
    }
    // Text; empty means not given.
    void text(std::string_view name, std::string& member, ParameterFacts facts,
              std::string_view help) {
        addText(ParameterKind::Text, name, member, std::move(facts), help);
    }
    // Name of a file that is neither a layer nor an input slot.
    void file(std::string_view name, std::string& member, ParameterFacts facts,
              std::string_view help) {
        addText(ParameterKind::File, name, member, std::move(facts), help);
    }
    // Comma-separated words; none means not given.
    void words(std::string_view name, std::vector<std::string>& member, ParameterFacts facts,
               std::string_view help);
    // Comma-separated angles or numbers; none means not given.
    void angles(std::string_view name, std::vector<double>& member, ParameterFacts facts,
                std::string_view help);
    void numbers(std::string_view name, std::vector<double>& member, ParameterFacts facts,
                 std::string_view help);
    void position(std::string_view name, std::optional<Place>& member, ParameterFacts facts,
                  std::string_view help);
    void statedFrame(std::string_view name, std::optional<StatedFrame>& member,
                     ParameterFacts facts, std::string_view help);
    void frame(std::string_view name, std::optional<Frame>& member, ParameterFacts facts,
               std::string_view help);
    void size(std::string_view name, std::optional<PixelSize>& member, ParameterFacts facts,
              std::string_view help);
    void bins(std::string_view name, std::optional<AngleBins>& member, ParameterFacts facts,
              std::string_view help);
    // `choices`: an array of Choice<Value> that lives as long as the program.
    template <typename Member, typename Choices>
    void choice(std::string_view name, Member& member, const Choices& choices, ParameterFacts facts,
                std::string_view help) {
        Parameter row = make(ParameterKind::Choice, name, std::move(facts), help);
        for (const auto& each : choices) row.choices.push_back({each.word, each.label});
        row.get = [&member, &choices]() -> ParameterValue {
            if constexpr (kIsOptional<Member>)
                if (!member) return {};
            for (const auto& each : choices)
                if (each.value == plain(member)) return std::string(each.word);
            return {};
        };
        row.put = [&member, &choices](const ParameterValue& value) {
            if constexpr (kIsOptional<Member>) member.reset();
            if (const auto* word = std::get_if<std::string>(&value))
                for (const auto& each : choices)
                    if (each.word == *word) member = each.value;
        };
        rows_.push_back(std::move(row));
    }

private:
    template <typename T>
    static const T& plain(const T& value) {
        return value;
    }
    template <typename T>
    static const T& plain(const std::optional<T>& value) {
        return *value;
    }

    static Parameter make(ParameterKind kind, std::string_view name, ParameterFacts facts,
                          std::string_view help);
    void addText(ParameterKind kind, std::string_view name, std::string& member,
                 ParameterFacts facts, std::string_view help);

    template <typename Stored, typename Member>
    void addScalar(ParameterKind kind, std::string_view name, Member& member, ParameterFacts facts,
                   std::string_view help) {
        Parameter row = make(kind, name, std::move(facts), help);
        row.get = [&member]() -> ParameterValue {
            if constexpr (kIsOptional<Member>)
                if (!member) return {};
            return static_cast<Stored>(plain(member));
        };
        row.put = [&member](const ParameterValue& value) {
            if (const auto* stored = std::get_if<Stored>(&value)) {
                if constexpr (kIsOptional<Member>)
                    member = static_cast<typename Member::value_type>(*stored);
                else
                    member = static_cast<Member>(*stored);
            } else if constexpr (kIsOptional<Member>) {
                member.reset();
            }
        };
        rows_.push_back(std::move(row));
    }

    std::vector<Parameter>& rows_;
};

// Help and default of a row: "quadrature weights of the analysis (default ring)".
std::string helpOf(const Parameter& row);
// Word before the default in a help line, for translators.
inline constexpr std::string_view kDefaultWord = "default";
// Name in a panel: "Pixel window" for "pixel-window", "Map" for "MAP".
std::string labelOf(std::string_view name);
// Row with this name or alias; nullptr if there is none.
const Parameter* findParameter(const std::vector<Parameter>& rows, std::string_view name);
// Whether two values are the same to the last bit.
bool sameBits(const ParameterValue& a, const ParameterValue& b);
// Splits "A,B,C" at commas and removes blanks around the parts.
std::vector<std::string> splitAtCommas(std::string_view text);
// The shortest decimal text that reads back to the same double; a power of ten only for numbers
// below 1e-5 and from 1e7 on.
std::string exactNumber(double value);
// Text of an angle that reads back exactly: in `unit` (deg, arcmin, arcsec), or in another unit if
// that text is long ("180.00000000000003arcmin") and the other shorter ("3deg").
std::string exactAngle(double radians, std::string_view unit);

}  // namespace armilla

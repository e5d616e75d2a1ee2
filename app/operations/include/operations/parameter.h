// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters told once. An operation keeps them in a plain struct; one function beside the struct,
//
//     void describe(Description& d, SmoothOptions& p) {
//         d.angle("fwhm", p.fwhm, {.unit = "arcmin", .least = 0.0, .most = kPi},
//                 "width of a Gaussian beam");
//         d.choice("method", p.method, kMethods, {.advanced = true}, "of the convolution");
//     }
//
// names each member. Options of the command, help, man page, completion, the JSON of recipes,
// HISTORY, titles and rows of panels are all made of that.
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

#include "core/equatorial_frame.h"
#include "core/sky_vector.h"
#include "operations/json.h"

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

// Pixels across and up.
struct PixelSize {
    int64_t width = 0, height = 0;
};
// A position, and the frame that it was given in; Unknown: that of what it is a position in.
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

// A value of any kind, angles in radians; empty: not given. Choices and frames are words; positions
// {lon, lat} or, in a frame of their own, {lon, lat, number of the frame}, sizes {width, height},
// bins {least, most, count}.
using ParameterValue = std::variant<std::monostate, bool, int64_t, double, std::string,
                                    std::vector<double>, std::vector<std::string>>;

// What is to be known of a parameter beside its name, kind and help.
struct ParameterFacts {
    // Of an angle: the unit it is shown in (deg, arcmin, arcsec). Of a number or an integer: its
    // unit, "none" if it has none; to be given always.
    std::string_view unit = {};
    // The hard range of numbers and angles (radians), bounds included unless said otherwise.
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool aboveLeast = false, belowMost = false;  // the bound itself is out of range
    // Where a slider begins and ends, if not at the hard range.
    double sliderLeast = std::numeric_limits<double>::quiet_NaN();
    double sliderMost = std::numeric_limits<double>::quiet_NaN();
    bool required = false;
    bool advanced = false;              // shown on demand
    bool powerOfTwo = false;            // of an integer
    bool takesOldFrames = false;        // of a frame: FK4 and FK5, too
    std::string_view standard = {};     // the default in words, where it depends on the input
    std::string_view label = {};        // in a panel; else made of the name
    std::string_view placeholder = {};  // of the value in the help; else by the kind
    std::string_view aliases = {};      // other names, as of old, that are read: "beam-width,width"
    // Whether the value counts, given the others; a value that does not is neither printed nor
    // recorded. May refer to the struct that is described.
    std::function<bool()> applies = {};
};

// One of a few values of an enumeration, by its word.
template <typename Value>
struct Choice {
    std::string_view word;
    Value value;
    std::string_view label = {};  // in a panel; else the word
};
struct ChoiceWord {
    std::string_view word, label;
};

// A parameter bound to a member of a struct, which must outlive it.
struct Parameter {
    std::string_view name;
    ParameterKind kind = ParameterKind::Flag;
    ParameterFacts facts;
    std::string_view help;  // lower case, without a full stop
    std::vector<ChoiceWord> choices;
    std::function<ParameterValue()> get;
    std::function<void(const ParameterValue&)> put;  // of a value that was checked

    bool applies() const { return !facts.applies || facts.applies(); }
    bool isNamed(std::string_view text) const;  // by its name or an alias
    std::string label() const;                  // "FWHM", "Pixel window"
    // What stands for the value in the help: "ANGLE", "N", "auto|harmonic".
    std::string placeholder() const;
    // What stands in an empty line of a panel: "angle", or the default where the input decides.
    std::string hint() const;

    // From text as of a command line, a file or a panel. Throws InvalidArgument with what was
    // expected and found, without the name.
    ParameterValue parse(std::string_view text) const;
    // The text of a value, such that `parse` gives back every bit: angles in the unit they are
    // shown in where that does, else in radians. Empty: not given.
    std::string text(const ParameterValue& value) const;
    Json json(const ParameterValue& value) const;
    // Throws InvalidArgument as `parse`.
    ParameterValue fromJson(const Json& json) const;
    // Takes a value into the struct. Throws InvalidArgument if it is of another kind or out of
    // range.
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

    // A member is a plain value, with its default, or a std::optional of one, empty by default.
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
    // Text; empty counts as not given.
    void text(std::string_view name, std::string& member, ParameterFacts facts,
              std::string_view help) {
        addText(ParameterKind::Text, name, member, std::move(facts), help);
    }
    // The name of a file that is no layer and no input of its own.
    void file(std::string_view name, std::string& member, ParameterFacts facts,
              std::string_view help) {
        addText(ParameterKind::File, name, member, std::move(facts), help);
    }
    // Words between commas; none: not given.
    void words(std::string_view name, std::vector<std::string>& member, ParameterFacts facts,
               std::string_view help);
    // Angles, or numbers, between commas; none: not given.
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

// The help of a row and its default: "quadrature weights of the analysis (default ring)".
std::string helpOf(const Parameter& row);
// The word before a default in a help line, for translators.
inline constexpr std::string_view kDefaultWord = "default";
// A name as a panel shows it: "Pixel window" of "pixel-window", "Map" of "MAP".
std::string labelOf(std::string_view name);
// The row of that name or alias, nullptr if there is none.
const Parameter* findParameter(const std::vector<Parameter>& rows, std::string_view name);
// Whether two values are the same to the last bit.
bool sameBits(const ParameterValue& a, const ParameterValue& b);
// "A,B,C" at its commas, blanks around the parts removed.
std::vector<std::string> splitAtCommas(std::string_view text);
// The shortest decimal text that reads back to the same double.
std::string exactNumber(double value);
// An angle as text that reads back to the same bits: in `unit` (deg, arcmin, arcsec), or in another
// one where that is long ("180.00000000000003arcmin") and the other shorter ("3deg").
std::string exactAngle(double radians, std::string_view unit);

}  // namespace armilla

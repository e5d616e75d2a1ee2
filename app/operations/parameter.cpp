// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/parameter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/table_text.h"
#include "armilla/core/units.h"
#include "armilla/operations/choices.h"
#include "armilla/operations/parameter_units.h"

namespace armilla {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::string_view kPaperUnit = "mm";
// 2^63, beyond every stored integer.
constexpr double kPastIntegers = 9223372036854775808.0;

std::string quoted(std::string_view text) {
    return "'" + std::string(text) + "'";
}

[[noreturn]] void refuse(const std::string& expected, std::string_view found) {
    throw InvalidArgument("expected " + expected + ", found " + quoted(found));
}

double radiansOf(std::string_view unit) {
    if (unit == "deg") return kDegree;
    if (unit == "arcmin") return kArcmin;
    if (unit == "arcsec") return kArcsec;
    return 1.0;
}

bool isAngular(ParameterKind kind) {
    return kind == ParameterKind::Angle || kind == ParameterKind::Angles ||
           kind == ParameterKind::Bins;
}

std::string_view nounOf(ParameterKind kind) {
    switch (kind) {
        case ParameterKind::Angle: return "an angle";
        case ParameterKind::Angles:
        case ParameterKind::Bins: return "angles";
        case ParameterKind::Number: return "a number";
        case ParameterKind::Numbers: return "numbers";
        case ParameterKind::Integer: return "an integer";
        case ParameterKind::Size: return "pixels";
        case ParameterKind::Choice:
        case ParameterKind::Flag:
        case ParameterKind::Text:
        case ParameterKind::File:
        case ParameterKind::Words:
        case ParameterKind::Position:
        case ParameterKind::Frame: break;
    }
    return "a value";
}

// Expected range in words, such as "an angle above 0" or "an integer from 1 to 8192".
std::string expectedRange(const Parameter& row) {
    const ParameterFacts& facts = row.facts;
    const auto bound = [&](double value) {
        if (!isAngular(row.kind)) return exactNumber(value);
        if (value == 0.0) return std::string("0");
        std::string shortest = exactAngle(value, value >= kDegree ? "deg" : facts.unit);
        for (const std::string_view unit : {"arcmin", "arcsec"})
            if (const std::string text = exactAngle(value, unit);
                value < kDegree && text.size() < shortest.size())
                shortest = text;
        return shortest;
    };
    const bool low =
        facts.least > (row.kind == ParameterKind::Integer ? -kPastIntegers : -kInfinity);
    const bool high = facts.most < (row.kind == ParameterKind::Integer ? kPastIntegers : kInfinity);
    std::string text(nounOf(row.kind));
    if (low && high && !facts.aboveLeast)
        return text + " from " + bound(facts.least) + " to " + (facts.belowMost ? "below " : "") +
               bound(facts.most);
    if (low)
        text += facts.aboveLeast ? " above " + bound(facts.least)
                                 : " of " + bound(facts.least) + " or more";
    if (high)
        text += (low ? std::string(",") : std::string()) +
                (facts.belowMost ? " below " : " of at most ") + bound(facts.most);
    return text;
}

bool isInRange(const ParameterFacts& facts, double value) {
    return std::isfinite(value) &&
           (facts.aboveLeast ? value > facts.least : value >= facts.least) &&
           (facts.belowMost ? value < facts.most : value <= facts.most);
}

std::string wordsOf(const std::vector<ChoiceWord>& choices) {
    std::string words;
    for (const ChoiceWord& choice : choices)
        words += (words.empty() ? "" : "|") + std::string(choice.word);
    return words;
}

std::optional<double> readNumber(std::string_view text) {
    double value = 0.0;
    const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(begin, end, value);
    if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<int64_t> readInteger(std::string_view text) {
    int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
}

// Word of the table that the text names, in any case, or its only word with this beginning of three
// letters or more: NESTED and nest mean nested, as in other programs. Returns the text if no word
// matches.
std::string choiceWord(const Parameter& row, std::string_view text) {
    const std::string typed = lowerCase(text);
    std::string_view found;
    for (const ChoiceWord& choice : row.choices) {
        if (choice.word == typed) return typed;
        if (typed.size() < 3 || !choice.word.starts_with(typed)) continue;
        if (!found.empty()) return std::string(text);
        found = choice.word;
    }
    return std::string(found.empty() ? text : found);
}

ParameterValue readSize(const Parameter& row, std::string_view text) {
    const size_t cross = text.find('x');
    if (cross == std::string_view::npos) refuse("WIDTHxHEIGHT in pixels", text);
    const auto width = readInteger(text.substr(0, cross));
    const auto height = readInteger(text.substr(cross + 1));
    if (!width || !height) refuse(expectedRange(row), text);
    return std::vector<double>{static_cast<double>(*width), static_cast<double>(*height)};
}

ParameterValue readBins(std::string_view text) {
    const std::vector<std::string> parts = splitAtCommas(text);
    if (parts.size() != 3) refuse("bins as MIN,MAX,N, such as 1arcmin,10deg,20", text);
    const auto count = readInteger(parts[2]);
    if (!count || *count < 1) refuse("a number of bins of 1 or more", parts[2]);
    return std::vector<double>{parseAngle(parts[0]), parseAngle(parts[1]),
                               static_cast<double>(*count)};
}

// "12h30m" and "12:30" are right ascensions in hours; "-20d30m" is an angle.
bool isSexagesimal(std::string_view text) {
    if (text.find(':') != std::string_view::npos || text.find('h') != std::string_view::npos)
        return true;
    // Degrees with minutes: a "d" before a digit, unlike the units deg and rad.
    const size_t d = text.find('d');
    return d != std::string_view::npos && d + 1 < text.size() && d > 0 && isDigit(text[d - 1]) &&
           isDigit(text[d + 1]);
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
    return text;
}

// Parses LON,LAT with units. Sexagesimal positions may have a blank between longitude and latitude.
// The letter of a frame may follow.
ParameterValue readPlace(std::string_view text) {
    std::vector<std::string> parts = splitAtCommas(text);
    Frame stated = Frame::Unknown;
    if (parts.size() == 3) {
        stated = frameFromText(parts[2]);
        if (stated == Frame::Unknown)
            refuse("G (Galactic), E (ecliptic) or C (equatorial) after the position", parts[2]);
        parts.pop_back();
    }
    // Sexagesimal parts are separated by a comma or, as people type them, by a blank.
    if (parts.size() > 2 || std::none_of(parts.begin(), parts.end(), isSexagesimal)) {
        const LonLat at =
            parsePosition(parts.size() == 2 ? std::string_view(parts[0] + "," + parts[1]) : text);
        if (stated == Frame::Unknown) return std::vector<double>{at.lon, at.lat};
        return std::vector<double>{at.lon, at.lat, static_cast<double>(stated)};
    }
    const std::string_view lon = std::string_view(parts[0]).substr(0, parts[0].find(' '));
    const bool hours = lon.find_first_of(":h") != std::string_view::npos;
    if (hours && stated != Frame::Unknown && stated != Frame::Equatorial)
        refuse("an equatorial position where the longitude is in hours", text);
    if (hours) stated = Frame::Equatorial;
    const LonLat at = parseTypedPosition(joined(parts), Frame::Equatorial);
    if (stated == Frame::Unknown) return std::vector<double>{at.lon, at.lat};
    return std::vector<double>{at.lon, at.lat, static_cast<double>(stated)};
}

// Whether a value holds the alternative that belongs to the kind.
bool isOfKind(ParameterKind kind, const ParameterValue& value) {
    switch (kind) {
        case ParameterKind::Flag: return std::holds_alternative<bool>(value);
        case ParameterKind::Integer: return std::holds_alternative<int64_t>(value);
        case ParameterKind::Angle:
        case ParameterKind::Number: return std::holds_alternative<double>(value);
        case ParameterKind::Choice:
        case ParameterKind::Text:
        case ParameterKind::File:
        case ParameterKind::Frame: return std::holds_alternative<std::string>(value);
        case ParameterKind::Words: return std::holds_alternative<std::vector<std::string>>(value);
        case ParameterKind::Position: {
            const auto* place = std::get_if<std::vector<double>>(&value);
            return place != nullptr && (place->size() == 2 || place->size() == 3);
        }
        case ParameterKind::Size: {
            const auto* both = std::get_if<std::vector<double>>(&value);
            return both != nullptr && both->size() == 2;
        }
        case ParameterKind::Bins: {
            const auto* three = std::get_if<std::vector<double>>(&value);
            return three != nullptr && three->size() == 3;
        }
        case ParameterKind::Angles:
        case ParameterKind::Numbers: return std::holds_alternative<std::vector<double>>(value);
    }
    return false;
}

}  // namespace

std::string exactNumber(double value) {
    // "100000" and "1e8", not "1e+05" and "1e+08".
    constexpr double kLeastPlain = 1e-5, kMostPlain = 1e7;
    const double size = std::abs(value);
    const bool isPlain = size == 0.0 || (size >= kLeastPlain && size < kMostPlain);
    std::array<char, 40> digits{};
    const auto written = isPlain
                             ? std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                             std::chars_format::fixed)
                             : std::to_chars(digits.data(), digits.data() + digits.size(), value);
    std::string text(digits.data(), written.ptr);
    const size_t power = text.find('e');
    if (power == std::string::npos) return text;
    size_t zeros = power + 1;
    if (text[zeros] == '-') ++zeros;
    const size_t first = text.find_first_not_of("+0", zeros);
    return text.erase(zeros, first - zeros);
}

namespace {

// An angle in `unit`, or in radians if no number in `unit` gives back the same bits.
std::string angleIn(double radians, std::string_view unit) {
    const double size = radiansOf(unit);
    if (size != 1.0) {
        // The quotient or one of its neighbors gives back the radians, if any number does.
        const double quotient = radians / size;
        for (const double candidate : {quotient, std::nextafter(quotient, -kInfinity),
                                       std::nextafter(quotient, kInfinity)}) {
            // Fewer digits if these suffice: 60 instead of 59.99999999999999.
            std::array<char, 40> digits{};
            for (const int precision : {6, 12, 15}) {
                const auto written =
                    std::to_chars(digits.data(), digits.data() + digits.size(), candidate,
                                  std::chars_format::general, precision);
                const std::string text(digits.data(), written.ptr);
                if (const auto back = readNumber(text);
                    back && *back * size == radians && std::signbit(*back) == std::signbit(radians))
                    return text + std::string(unit);
            }
        }
        for (const double candidate :
             {quotient, std::nextafter(quotient, -kInfinity), std::nextafter(quotient, kInfinity)})
            if (candidate * size == radians) return exactNumber(candidate) + std::string(unit);
    }
    return exactNumber(radians) + "rad";
}

}  // namespace

std::string exactAngle(double radians, std::string_view unit) {
    constexpr size_t kLong = 12;  // digits of a number that was probably given in another unit
    const std::string text = angleIn(radians, unit);
    if (text.size() <= kLong + unit.size()) return text;
    const std::string shorter = angleArgument(radians);
    return shorter.size() < text.size() ? shorter : text;
}

std::vector<std::string> splitAtCommas(std::string_view text) {
    std::vector<std::string> parts;
    size_t begin = 0;
    while (begin <= text.size()) {
        const size_t comma = std::min(text.find(',', begin), text.size());
        std::string part(text.substr(begin, comma - begin));
        while (!part.empty() && part.front() == ' ') part.erase(part.begin());
        while (!part.empty() && part.back() == ' ') part.pop_back();
        parts.push_back(part);
        begin = comma + 1;
    }
    return parts;
}

bool sameBits(const ParameterValue& a, const ParameterValue& b) {
    const auto same = [](double x, double y) {
        return std::bit_cast<uint64_t>(x) == std::bit_cast<uint64_t>(y);
    };
    if (a.index() != b.index()) return false;
    if (const auto* x = std::get_if<double>(&a)) return same(*x, std::get<double>(b));
    if (const auto* x = std::get_if<std::vector<double>>(&a)) {
        const auto& y = std::get<std::vector<double>>(b);
        return std::equal(x->begin(), x->end(), y.begin(), y.end(), same);
    }
    return a == b;
}

bool Parameter::isNamed(std::string_view text) const {
    if (name == text) return true;
    if (facts.aliases.empty()) return false;
    const std::vector<std::string> others = splitAtCommas(facts.aliases);
    return std::find(others.begin(), others.end(), text) != others.end();
}

const Parameter* findParameter(const std::vector<Parameter>& rows, std::string_view name) {
    const auto found = std::find_if(rows.begin(), rows.end(),
                                    [&](const Parameter& row) { return row.isNamed(name); });
    return found == rows.end() ? nullptr : &*found;
}

std::string Parameter::label() const {
    return facts.label.empty() ? labelOf(name) : std::string(facts.label);
}

size_t fixedCount(const Parameter& parameter) {
    const std::string_view units = parameter.facts.unit;
    const auto commas = std::count(units.begin(), units.end(), ',');
    return commas > 0 ? static_cast<size_t>(commas) + 1 : 0;
}

std::string_view unitAt(const Parameter& parameter, size_t place) {
    std::string_view units = parameter.facts.unit;
    size_t comma = units.find(',');
    for (; place > 0 && comma != std::string_view::npos; --place) {
        units.remove_prefix(comma + 1);
        comma = units.find(',');
    }
    return units.substr(0, comma);
}

std::string Parameter::hint() const {
    if (!facts.standard.empty()) return std::string(facts.standard);
    return lowerCase(placeholder());
}

std::string Parameter::placeholder() const {
    if (!facts.placeholder.empty()) return std::string(facts.placeholder);
    switch (kind) {
        case ParameterKind::Angle: return "ANGLE";
        case ParameterKind::Number: return "NUMBER";
        case ParameterKind::Integer: return "N";
        case ParameterKind::Choice: return wordsOf(choices);
        case ParameterKind::Flag: return "";
        case ParameterKind::Text: return "TEXT";
        case ParameterKind::File: return "FILE";
        case ParameterKind::Words: return "A,B,...";
        case ParameterKind::Position: return "LON,LAT";
        case ParameterKind::Frame: return facts.takesOldFrames ? "G|E|C|FK4|FK5" : "G|E|C";
        case ParameterKind::Angles: return "ANGLE,...";
        case ParameterKind::Numbers: return "NUMBER,...";
        case ParameterKind::Size: return "WxH";
        case ParameterKind::Bins: return "MIN,MAX,N";
    }
    return "";
}

std::string labelOf(std::string_view name) {
    std::string text = lowerCase(name);
    std::replace(text.begin(), text.end(), '-', ' ');
    if (!text.empty()) text[0] = upperCase(text[0]);
    return text;
}

std::string helpOf(const Parameter& row) {
    std::string help = tableText(row.help);
    if (row.kind == ParameterKind::Flag) return help;
    const std::string standard =
        row.facts.standard.empty() ? row.text(row.get()) : tableText(row.facts.standard);
    if (standard.empty()) return help;
    return help + " (" + tableText(kDefaultWord) + " " + standard + ")";
}

LonLat Place::in(armilla::Frame other) const {
    if (frame == armilla::Frame::Unknown || frame == other) return at;
    return lonLat(frameRotation(other, frame) * direction(at));
}

void Parameter::check(const ParameterValue& value, std::string_view found) const {
    if (const auto* word = std::get_if<std::string>(&value)) {
        if (kind == ParameterKind::Choice &&
            std::none_of(choices.begin(), choices.end(),
                         [&](const ChoiceWord& choice) { return choice.word == *word; }))
            refuse(wordsOf(choices), found);
        if (kind == ParameterKind::Frame && facts.takesOldFrames && !statedFrameFromText(*word))
            refuse("G (Galactic), E (ecliptic), C (equatorial), FK4 (B1950) or FK5 (J2000)", found);
        if (kind == ParameterKind::Frame && !facts.takesOldFrames &&
            frameFromText(*word) == armilla::Frame::Unknown)
            refuse("G (Galactic), E (ecliptic) or C (equatorial)", found);
    } else if (const auto* whole = std::get_if<int64_t>(&value)) {
        if (!isInRange(facts, static_cast<double>(*whole))) refuse(expectedRange(*this), found);
        if (facts.powerOfTwo && (*whole < 1 || (*whole & (*whole - 1)) != 0))
            refuse("a power of two", found);
    } else if (const auto* number = std::get_if<double>(&value)) {
        if (!isInRange(facts, *number)) refuse(expectedRange(*this), found);
    } else if (const auto* many = std::get_if<std::vector<double>>(&value)) {
        if (kind == ParameterKind::Position) {
            if (!((*many)[0] >= 0.0 && (*many)[0] < kTwoPi && std::abs((*many)[1]) <= kHalfPi))
                refuse("a position on the sky", found);
            if (many->size() == 3 && (*many)[2] != static_cast<double>(armilla::Frame::Galactic) &&
                (*many)[2] != static_cast<double>(armilla::Frame::Ecliptic) &&
                (*many)[2] != static_cast<double>(armilla::Frame::Equatorial))
                refuse("G (Galactic), E (ecliptic) or C (equatorial) after the position", found);
            return;
        }
        if (const size_t fixed = fixedCount(*this); fixed > 0 && many->size() != fixed)
            refuse(placeholder(), found);
        const size_t count = kind == ParameterKind::Bins ? 2 : many->size();
        for (size_t i = 0; i < count; ++i)
            if (!isInRange(facts, (*many)[i])) refuse(expectedRange(*this), found);
        if (kind == ParameterKind::Bins && !((*many)[0] < (*many)[1]))
            refuse("bins whose MIN is below MAX", found);
        if (kind == ParameterKind::Bins && !((*many)[2] >= 1.0 && (*many)[2] <= 1e9))
            refuse("a number of bins from 1 to 1e9", found);
    } else if (const auto* words = std::get_if<std::vector<std::string>>(&value)) {
        for (const std::string& each : *words)
            if (each.empty()) refuse("names or numbers between the commas", found);
    }
}

ParameterValue Parameter::parse(std::string_view text) const {
    const auto numbersOf = [&](const auto& read) {
        std::vector<double> values;
        for (const std::string& part : splitAtCommas(text)) values.push_back(read(part));
        return values;
    };
    ParameterValue value;
    switch (kind) {
        case ParameterKind::Angle: value = parseAngle(text); break;
        case ParameterKind::Number: {
            // A length on paper may name its unit.
            const bool isLength = facts.unit == kPaperUnit;
            const bool named = isLength && text.ends_with(kPaperUnit);
            const auto number =
                readNumber(named ? text.substr(0, text.size() - kPaperUnit.size()) : text);
            if (!number) refuse(isLength ? "a length such as 88mm" : "a number", text);
            value = *number;
            break;
        }
        case ParameterKind::Integer: {
            const auto whole = readInteger(text);
            if (!whole) refuse(expectedRange(*this), text);
            value = *whole;
            break;
        }
        case ParameterKind::Flag:
            if (text != "true" && text != "false") refuse("true or false", text);
            value = text == "true";
            break;
        case ParameterKind::Choice: value = choiceWord(*this, text); break;
        case ParameterKind::Text:
        case ParameterKind::File: value = std::string(text); break;
        case ParameterKind::Frame: {
            const auto stated = facts.takesOldFrames
                                    ? statedFrameFromText(text)
                                    : std::optional<StatedFrame>(frameFromText(text));
            const std::string word = stated ? statedFrameWord(*stated) : "";
            value = word.empty() ? std::string(text) : word;
            break;
        }
        case ParameterKind::Words: value = splitAtCommas(text); break;
        case ParameterKind::Position: {
            value = readPlace(text);
            break;
        }
        case ParameterKind::Angles:
            // Where each of a fixed number of angles has its unit, a bare number is in degrees.
            value = numbersOf([&](const std::string& part) {
                const auto bare = fixedCount(*this) > 0 ? readNumber(part) : std::nullopt;
                return bare ? *bare * kDegree : parseAngle(part);
            });
            break;
        case ParameterKind::Numbers:
            value = numbersOf([&](const std::string& part) {
                const auto number = readNumber(part);
                if (!number) refuse("numbers between the commas", text);
                return *number;
            });
            break;
        case ParameterKind::Size: value = readSize(*this, text); break;
        case ParameterKind::Bins: value = readBins(text); break;
    }
    check(value, text);
    return value;
}

std::string Parameter::text(const ParameterValue& value) const {
    if (!isOfKind(kind, value)) return "";
    if (const bool* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
    if (const auto* whole = std::get_if<int64_t>(&value)) return std::to_string(*whole);
    if (const auto* word = std::get_if<std::string>(&value)) return *word;
    if (const auto* words = std::get_if<std::vector<std::string>>(&value)) return joined(*words);
    const auto one = [&](double number) {
        if (facts.unit == kPaperUnit) return exactNumber(number) + std::string(kPaperUnit);
        return isAngular(kind) ? exactAngle(number, facts.unit) : exactNumber(number);
    };
    if (const auto* number = std::get_if<double>(&value)) return one(*number);
    const auto& many = std::get<std::vector<double>>(value);
    if (kind == ParameterKind::Size) return exactNumber(many[0]) + "x" + exactNumber(many[1]);
    if (kind == ParameterKind::Position)
        return exactAngle(many[0], "deg") + "," + exactAngle(many[1], "deg") +
               (many.size() == 3
                    ? std::string(",") + frameLetter(static_cast<Frame>(std::lround(many[2])))
                    : "");
    if (kind == ParameterKind::Bins)
        return one(many[0]) + "," + one(many[1]) + "," + std::to_string(std::llround(many[2]));
    std::vector<std::string> parts;
    for (size_t i = 0; i < many.size(); ++i)
        parts.push_back(fixedCount(*this) > 0 ? exactAngle(many[i], unitAt(*this, i))
                                              : one(many[i]));
    return joined(parts);
}

Json Parameter::json(const ParameterValue& value) const {
    if (const bool* truth = std::get_if<bool>(&value)) return *truth;
    if (const auto* whole = std::get_if<int64_t>(&value)) return *whole;
    if (const auto* number = std::get_if<double>(&value)) return *number;
    if (const auto* word = std::get_if<std::string>(&value)) return *word;
    Json json;
    if (const auto* many = std::get_if<std::vector<double>>(&value)) {
        json = Json::array();
        for (const double number : *many) json.add(number);
    } else if (const auto* words = std::get_if<std::vector<std::string>>(&value)) {
        json = Json::array();
        for (const std::string& word : *words) json.add(word);
    }
    return json;
}

bool isNumbered(const Parameter& row) {
    return row.kind == ParameterKind::Choice && !row.choices.empty() &&
           std::all_of(row.choices.begin(), row.choices.end(),
                       [](const ChoiceWord& choice) { return readInteger(choice.word); });
}

ParameterValue Parameter::fromJson(const Json& json) const {
    ParameterValue value;
    if (json.isNull()) return value;
    if (const bool* truth = json.truth()) {
        if (isNumbered(*this) && !*truth) return value;
        value = *truth;
        if (isNumbered(*this)) value = std::string(choices.front().word);
    } else if (const std::string* string = json.string()) {
        value = *string;
    } else if (json.isNumber()) {
        const int64_t* whole = json.integer();
        if (isNumbered(*this) && whole != nullptr)
            value = std::to_string(*whole);
        else if (kind == ParameterKind::Integer && whole != nullptr)
            value = *whole;
        else
            value = json.number();
    } else if (const Json::Array* elements = json.elements()) {
        std::vector<double> numbers;
        std::vector<std::string> words;
        for (const Json& element : *elements) {
            if (element.isNumber()) numbers.push_back(element.number());
            if (element.string() != nullptr) words.push_back(*element.string());
        }
        if (kind == ParameterKind::Words && words.size() == elements->size())
            value = std::move(words);
        else if (kind != ParameterKind::Words && numbers.size() == elements->size())
            value = std::move(numbers);
    }
    if (!isOfKind(kind, value)) refuse(std::string(nounOf(kind)), json.text());
    check(value, text(value));
    return value;
}

void Parameter::assign(const ParameterValue& value) const {
    if (value.index() != 0) {
        if (!isOfKind(kind, value)) refuse(std::string(nounOf(kind)), json(value).text());
        check(value, text(value));
    }
    put(value);
}
}  // namespace armilla

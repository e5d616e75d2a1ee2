// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/physical_unit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "armilla/core/ascii_text.h"
#include "unit_names.h"

namespace armilla {

namespace {

constexpr int kMaxDepth = 16;

// Replacements beside kExponentLetters: other operators, and LaTeX braces and dollars by nothing.
constexpr AsciiSpelling kSpellings[] = {{"⸍", "/"},    {"×", "*"}, {"·", "."}, {"⋅", "."},
                                        {"{", ""},     {"}", ""},  {"$", ""},  {"\\mu ", "u"},
                                        {"\\mu", "u"}, {"\\", ""}};

// Words in parentheses after K that name the temperature scale.
constexpr std::string_view kCmbWords[] = {"cmb", "thermo", "thermodynamic"};
constexpr std::string_view kRjWords[] = {"rj", "antenna", "ta", "tmb", "tb"};

std::string inAscii(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const AsciiSpelling* found = spellingAt(text, kExponentLetters);
        if (found == nullptr) found = spellingAt(text, kSpellings);
        result += found == nullptr ? text.substr(0, 1) : found->plain;
        text.remove_prefix(found == nullptr ? 1 : found->letter.size());
    }
    return result;
}

void multiply(PhysicalUnit& to, const PhysicalUnit& by, double power) {
    to.scale *= std::pow(by.scale, power);
    to.number *= std::pow(by.number, power);
    for (size_t i = 0; i < kUnitBases; ++i) to.powers[i] += power * by.powers[i];
    for (UnitFactor factor : by.factors) {
        factor.power *= power;
        to.factors.push_back(std::move(factor));
    }
}

// Signals inside the parser that the text is no unit.
struct NoUnit {};

// Grammar: product = factor { separator factor }; factor = number | name | "(" product ")", each
// with a power.
class Parser {
public:
    Parser(std::string_view text, NameCase how) : text_(text), case_(how) {}

    PhysicalUnit whole() {
        PhysicalUnit unit = product(0);
        skipBlanks();
        if (at_ < text_.size()) throw NoUnit();
        return unit;
    }

private:
    char peek(size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void skipBlanks() {
        while (isBlank(peek())) ++at_;
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    // Factors grouped by the solidus before them. Factors after a solidus divide. If another
    // solidus follows, factors behind the first one multiply: "Jy/beam km/s".
    PhysicalUnit product(int depth) {
        if (depth > kMaxDepth) throw NoUnit();
        std::vector<std::vector<PhysicalUnit>> runs(1);
        bool isFirst = true;
        for (skipBlanks(); at_ < text_.size() && peek() != ')' && peek() != ']'; skipBlanks()) {
            if (take("/")) {
                runs.emplace_back();
                skipBlanks();
            } else if (!isFirst && (take("*") || take("."))) {
                skipBlanks();
            }
            runs.back().push_back(factor(depth));
            isFirst = false;
        }
        if (isFirst) throw NoUnit();
        PhysicalUnit unit;
        for (size_t run = 0; run < runs.size(); ++run)
            for (size_t i = 0; i < runs[run].size(); ++i) {
                const bool divides = run > 0 && (i == 0 || run + 1 == runs.size());
                if (runs[run][i].isLogarithm && (runs.size() > 1 || runs[run].size() > 1))
                    throw NoUnit();
                unit.isLogarithm = unit.isLogarithm || runs[run][i].isLogarithm;
                multiply(unit, runs[run][i], divides ? -1.0 : 1.0);
            }
        return unit;
    }

    PhysicalUnit factor(int depth) {
        if (isDigit(peek()) || (peek() == '.' && isDigit(peek(1)))) return number();
        PhysicalUnit unit;
        if (take("(")) {
            unit = product(depth + 1);
            if (!take(")")) throw NoUnit();
        } else if (take("[")) {
            unit = product(depth + 1);
            if (!take("]")) throw NoUnit();
            unit.isLogarithm = true;
        } else {
            unit = named(depth);
        }
        const auto exponent = power();
        if (!exponent) return unit;
        if (unit.isLogarithm) throw NoUnit();
        return raisedUnit(std::move(unit), *exponent);
    }

    double digits() {
        double value = 0.0;
        const char* begin = text_.data() + at_;
        const auto [end, failure] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (failure != std::errc() || !std::isfinite(value)) throw NoUnit();
        at_ += static_cast<size_t>(end - begin);
        return value;
    }

    // "1e-17", "10**-17", "10-17", "1.5x10+11", "1*10^-17", "0.1".
    PhysicalUnit number() {
        PhysicalUnit unit;
        unit.number = digits();
        const size_t before = at_;
        if (take("x") || take("*")) {
            if (take("10") && !isDigit(peek()) && peek() != '.') {
                const auto exponent = power();
                if (exponent) {
                    unit.number *= std::pow(10.0, *exponent);
                    unit.scale = unit.number;
                    return unit;
                }
            }
            at_ = before;
        }
        // A bare sign, or no mark, is valid only for powers of 10.
        const bool hasMark = peek() == '^' || (peek() == '*' && peek(1) == '*');
        if (hasMark || unit.number == 10.0)
            if (const auto exponent = power()) unit.number = std::pow(unit.number, *exponent);
        unit.scale = unit.number;
        if (!(unit.scale > 0.0) || !std::isfinite(unit.scale)) throw NoUnit();
        return unit;
    }

    // A signed number, or a fraction of two: "2", "-1.5", "+3/2", "3/2".
    std::optional<double> exponentNumber() {
        const size_t before = at_;
        const bool negative = peek() == '-';
        if (negative || peek() == '+') ++at_;
        if (!isDigit(peek())) {
            at_ = before;
            return std::nullopt;
        }
        // A number without an exponent part: "m2e" is no number.
        const auto plain = [&] {
            const size_t begin = at_;
            while (isDigit(peek())) ++at_;
            if (peek() == '.' && isDigit(peek(1))) {
                ++at_;
                while (isDigit(peek())) ++at_;
            }
            double value = 0.0;
            std::from_chars(text_.data() + begin, text_.data() + at_, value);
            return value;
        };
        double value = plain();
        if (peek() == '/' && isDigit(peek(1))) {
            ++at_;
            const double divisor = plain();
            if (divisor == 0.0) throw NoUnit();
            value /= divisor;
        }
        if (!(value <= 100.0)) throw NoUnit();
        return negative ? -value : value;
    }

    // "2", "-2", "+2", "**2", "^2", "^(-2)", "(3/2)"; none if no power follows.
    std::optional<double> power() {
        const size_t before = at_;
        const bool hasMark = take("**") || take("^");
        const bool isOpen = take("(");
        if (isOpen) skipBlanks();
        const auto value = exponentNumber();
        if (isOpen && value) skipBlanks();
        if (value && (!isOpen || take(")"))) return value;
        if (hasMark) throw NoUnit();
        at_ = before;
        return std::nullopt;
    }

    // The letters of a name, including non-ASCII characters and underscores.
    std::string_view letters() {
        const size_t begin = at_;
        const auto belongs = [](char c) {
            const auto u = static_cast<unsigned char>(c);
            return u >= 0x80 || c == '_' || c == '%' || (c >= 'a' && c <= 'z') ||
                   (c >= 'A' && c <= 'Z');
        };
        while (belongs(peek())) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    PhysicalUnit named(int depth) {
        if (take("\"") || take("''")) return of("arcsec");
        if (take("'")) return of("arcmin");
        const std::string_view name = letters();
        if (name.empty()) throw NoUnit();
        // "e-/s", "e⁻ s⁻¹"
        if (name == "e" && peek() == '-' && !isDigit(peek(1))) {
            ++at_;
            return of("electron");
        }
        const std::string word = lowerCase(name);
        if (peek() == '(') {
            if (word == "sqrt") return function(depth, 0.5);
            for (const char* logarithm : {"log", "log10", "ln", "dex", "mag", "db"})
                if (word == logarithm) {
                    PhysicalUnit unit = function(depth, 1.0);
                    unit.isLogarithm = true;
                    return unit;
                }
        }
        PhysicalUnit unit = of(name);
        if (unit.power(UnitBase::Temperature) == 1.0) takeScaleOfKelvin(unit);
        return unit;
    }
    PhysicalUnit function(int depth, double power) {
        ++at_;
        PhysicalUnit unit = product(depth + 1);
        if (!take(")")) throw NoUnit();
        return raisedUnit(std::move(unit), power);
    }

    PhysicalUnit of(std::string_view name) const {
        auto found = namedUnit(name, NameCase::Exact);
        if (case_ == NameCase::Any) {
            // In all-capital text, S does not mean siemens.
            const bool isCapital = std::none_of(text_.begin(), text_.end(),
                                                [](char c) { return c >= 'a' && c <= 'z'; });
            if (!found || isCapital)
                if (auto inAnyCase = namedUnit(name, NameCase::Any)) found = inAnyCase;
        }
        if (!found) throw NoUnit();
        PhysicalUnit unit;
        unit.scale = found->scale;
        unit.powers = found->powers;
        unit.factors = {found->factor};
        return unit;
    }

    // "K(CMB)", "K (Tmb)".
    void takeScaleOfKelvin(PhysicalUnit& unit) {
        const size_t before = at_;
        skipBlanks();
        if (peek() == '(') {
            const size_t close = text_.find(')', at_);
            std::string word = lowerCase(
                text_.substr(at_ + 1, close == std::string_view::npos ? close : close - at_ - 1));
            std::erase_if(word, [](char c) { return c == '_' || c == '*' || c == ' '; });
            const bool isCmb =
                std::find(std::begin(kCmbWords), std::end(kCmbWords), word) != std::end(kCmbWords);
            const bool isRj =
                std::find(std::begin(kRjWords), std::end(kRjWords), word) != std::end(kRjWords);
            if (close != std::string_view::npos && (isCmb || isRj)) {
                const UnitBase base = isCmb ? UnitBase::CmbKelvin : UnitBase::RayleighJeans;
                std::swap(unit.powers[static_cast<size_t>(base)],
                          unit.powers[static_cast<size_t>(UnitBase::Temperature)]);
                unit.factors.front().name = isCmb ? "K_CMB" : "K_RJ";
                at_ = close + 1;
                return;
            }
        }
        at_ = before;
    }

    std::string_view text_;
    NameCase case_;
    size_t at_ = 0;
};

std::optional<PhysicalUnit> parsed(std::string_view text, NameCase how) {
    try {
        return Parser(text, how).whole();
    } catch (const NoUnit&) {
        return std::nullopt;
    }
}

std::string exponentText(double power) {
    if (power == 1.0) return "";
    for (int divisor = 1; divisor <= 6; ++divisor) {
        const double above = power * divisor;
        if (std::abs(above - std::round(above)) > 1e-9) continue;
        const std::string whole = std::to_string(std::lround(above));
        return divisor == 1 ? whole : "(" + whole + "/" + std::to_string(divisor) + ")";
    }
    return "(" + std::to_string(power) + ")";
}

}  // namespace

bool PhysicalUnit::isDimensionless() const {
    return !isLogarithm &&
           std::all_of(powers.begin(), powers.end(), [](double p) { return p == 0.0; });
}

bool namesNoUnit(std::string_view text) {
    const std::string word = lowerCase(trimmedView(text));
    if (word.find_first_not_of('-') == std::string::npos) return true;
    for (const char* none : {"none", "unknown", "dimensionless", "unitless", "n/a", "na", "null",
                             "arbitrary", "undefined"})
        if (word == none) return true;
    return false;
}

std::optional<PhysicalUnit> parseUnit(std::string_view text) {
    if (namesNoUnit(text)) return PhysicalUnit();
    std::string plain = inAscii(trimmedView(text));
    // "Ta*", the antenna temperature above the atmosphere.
    if (lowerCase(plain) == "ta*" || lowerCase(plain) == "t_a*" || lowerCase(plain) == "t_a")
        plain = "Ta";
    if (auto unit = parsed(plain, NameCase::Exact)) return unit;
    return parsed(plain, NameCase::Any);
}

bool isSameKind(const PhysicalUnit& a, const PhysicalUnit& b) {
    if (a.isLogarithm || b.isLogarithm) return false;
    for (size_t i = 0; i < kUnitBases; ++i)
        if (std::abs(a.powers[i] - b.powers[i]) > 1e-9) return false;
    return true;
}

std::optional<double> unitRatio(std::string_view from, std::string_view to) {
    const auto a = parseUnit(from), b = parseUnit(to);
    if (!a || !b || !isSameKind(*a, *b)) return std::nullopt;
    return a->scale / b->scale;
}

std::optional<double> radiansOfUnit(std::string_view text) {
    auto unit = parseUnit(text);
    PhysicalUnit radian;
    radian.powers[static_cast<size_t>(UnitBase::Angle)] = 1.0;
    if (!unit) return std::nullopt;
    unit->isLogarithm = false;
    return isSameKind(*unit, radian) ? std::optional(unit->scale) : std::nullopt;
}

PhysicalUnit raisedUnit(PhysicalUnit unit, double power) {
    PhysicalUnit result;
    multiply(result, unit, power);
    result.isLogarithm = unit.isLogarithm;
    return result;
}

std::string spelledUnit(const PhysicalUnit& unit) {
    std::string text;
    if (unit.number != 1.0) {
        const double exponent = std::round(std::log10(unit.number));
        std::array<char, 40> digits{};
        if (std::abs(unit.number / std::pow(10.0, exponent) - 1.0) < 1e-14)
            text = "10**" + std::to_string(static_cast<int>(exponent));
        else
            text = {digits.data(),
                    std::to_chars(digits.data(), digits.data() + digits.size(), unit.number).ptr};
    }
    for (const UnitFactor& factor : unit.factors)
        text +=
            (text.empty() ? "" : " ") + factor.prefix + factor.name + exponentText(factor.power);
    return unit.isLogarithm ? "log(" + text + ")" : text;
}

}  // namespace armilla

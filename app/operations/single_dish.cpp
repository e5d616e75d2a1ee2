// SPDX-License-Identifier: GPL-3.0-or-later
#include "single_dish.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "armilla/core/ascii_text.h"
#include "armilla/core/counted.h"
#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/physical_unit.h"

namespace armilla {

namespace {

// Parts of a CTYPE: "FREQ" and "LSR" of "FREQ-LSR".
std::pair<std::string, std::string> partsOfType(const std::string& type) {
    const size_t dash = type.find('-');
    if (dash == std::string::npos) return {upperCase(type), ""};
    return {upperCase(type.substr(0, dash)), upperCase(type.substr(type.find_last_of('-') + 1))};
}

struct SetupGroup {
    std::vector<const char*> columns;  // alternative names
};
// Feeds are left out: the beams of a receiver map one sky together.
const std::array<SetupGroup, 4> kGroups{
    {{{"IFNUM", "IF"}}, {{"PLNUM", "CRVAL4"}}, {{"CAL"}}, {{"SIG"}}}};

// Keywords or columns that give the spectral axis of each row.
struct AxisWords {
    RowWord type, value, step;
    std::optional<RowWord> reference, unit, system;

    SpectralAxis at(int64_t row) const {
        const auto [name, suffix] = partsOfType(type.text(row));
        SpectralAxis axis;
        axis.value = value.number(row);
        axis.step = step.number(row);
        axis.reference = reference ? reference->number(row) : 1.0;
        axis.unit = unit && !unit->isNumber() ? unit->text(row) : value.unit();
        if (system) axis.frame = spectralFrameNamed(system->text(row));
        if (axis.frame == SpectralFrame::Unknown) axis.frame = spectralFrameNamed(suffix);
        // Velocity types keep the letters of their frame, which no other card holds.
        axis.name = name == "FREQ" ? name : trimmed(type.text(row));
        return axis;
    }
    bool differ() const {
        return type.differs() || value.differs() || step.differs() ||
               (reference && reference->differs()) || (system && system->differs());
    }
};

std::optional<AxisWords> axisWords(const Table& table) {
    const auto type = RowWord::find(table, "CTYPE1"), value = RowWord::find(table, "CRVAL1"),
               step = RowWord::find(table, "CDELT1");
    if (!type || type->isNumber() || !value || !value->isNumber() || !step || !step->isNumber())
        return std::nullopt;
    AxisWords words{*type,
                    *value,
                    *step,
                    RowWord::find(table, "CRPIX1"),
                    RowWord::find(table, "CUNIT1"),
                    RowWord::find(table, "SPECSYS")};
    if (words.reference && !words.reference->isNumber()) words.reference.reset();
    return words;
}

double angleOf(const Table& table, const char* key) {
    const auto word = RowWord::find(table, key);
    if (!word || !word->isNumber() || !std::isfinite(word->number()))
        throw InvalidArgument(std::string("expected ") + key +
                              " of the telescope for another frame of frequencies, found none");
    return word->number() * angleUnit(word->unit()).value_or(kDegree);
}

ObservingSite siteOf(const Table& table) {
    const auto height = RowWord::find(table, "SITEELEV");
    return {angleOf(table, "SITELONG"), angleOf(table, "SITELAT"),
            height && height->isNumber() ? height->number() : 0.0};
}

}  // namespace

std::optional<RowWord> RowWord::find(const Table& table, const std::string& key) {
    RowWord word;
    if (const auto index = table.find(key)) {
        word.column_ = &table.columns[static_cast<size_t>(*index)];
        if (word.column_->width != 1 || word.column_->rows() == 0) return std::nullopt;
        word.unit_ = word.column_->unit;
        word.isNumber_ = !word.column_->isText();
        return word;
    }
    for (const std::string& card : table.cards) {
        if (upperCase(card.substr(0, std::min<size_t>(8, card.find_first_of(" =")))) != key)
            continue;
        const size_t equals = card.find('='), open = card.find('\'');
        if (equals == std::string::npos) continue;
        if (open != std::string::npos && card.find_first_not_of(' ', equals + 1) == open) {
            word.text_ = trimmed(card.substr(open + 1, card.find('\'', open + 1) - open - 1));
        } else {
            word.isNumber_ = true;
            word.number_ = std::strtod(card.c_str() + equals + 1, nullptr);
        }
        return word;
    }
    return std::nullopt;
}

std::string RowWord::text(int64_t row) const {
    return column_ != nullptr ? trimmed(column_->text(row)) : text_;
}

double RowWord::number(int64_t row) const {
    if (!isNumber_) return kNan;
    return column_ != nullptr ? column_->number(row) : number_;
}

bool RowWord::differs() const {
    if (column_ == nullptr) return false;
    for (int64_t row = 1; row < column_->rows(); ++row)
        if (isNumber_ ? number(row) != number() : text(row) != text()) return true;
    return false;
}

bool isSingleDish(const Table& table) {
    return upperCase(trimmed(table.name)) == "SINGLE DISH" || axisWords(table).has_value();
}

std::vector<int64_t> rowsOfOneSystem(const Table& table, const std::string& name,
                                     const NoteFunction& note) {
    const auto second = RowWord::find(table, "CTYPE2"), third = RowWord::find(table, "CTYPE3");
    std::vector<int64_t> rows;
    if (second && third && !second->isNumber() && !third->isNumber() &&
        (second->differs() || third->differs())) {
        const auto systemOf = [&](int64_t row) {
            return upperCase(second->text(row)) + ", " + upperCase(third->text(row));
        };
        std::map<std::string, int64_t> counts;
        for (int64_t row = 0; row < table.rows(); ++row) ++counts[systemOf(row)];
        const auto isOfSky = [](const std::string& system) {
            for (const char* pair : {"RA", "GLON", "ELON"})
                if (system.starts_with(pair)) return true;
            return system.ends_with(", RA");
        };
        std::string most;
        for (const auto& [system, count] : counts)
            if (isOfSky(system) && (most.empty() || count > counts[most])) most = system;
        if (!most.empty()) {
            for (int64_t row = 0; row < table.rows(); ++row)
                if (systemOf(row) == most) rows.push_back(row);
            std::string others;
            for (const auto& [system, count] : counts)
                if (system != most)
                    others +=
                        (others.empty() ? "" : "; ") + counted(count, "row") + " in " + system;
            note(name + ": skipped " + others + "; the other " +
                 counted(static_cast<int64_t>(rows.size()), "row") + " in " + most + " are used");
            return rows;
        }
    }
    for (int64_t row = 0; row < table.rows(); ++row) rows.push_back(row);
    return rows;
}

Setup setupOf(const Table& table, const std::set<std::string>& stated) {
    Setup setup;
    for (const SetupGroup& group : kGroups) {
        if (std::any_of(group.columns.begin(), group.columns.end(),
                        [&](const char* column) { return stated.contains(column); }))
            continue;
        for (const char* column : group.columns) {
            const auto word = RowWord::find(table, column);
            if (!word || !word->isColumn()) continue;
            std::set<std::string>& values = setup[column];
            std::string last;
            for (int64_t row = 0; row < table.rows(); ++row)
                if (std::string text = word->text(row); row == 0 || text != last) {
                    last = std::move(text);
                    values.insert(last);
                }
            if (values.size() > 1) break;  // the alternative names hold the same values
        }
    }
    return setup;
}

void requireOneSetup(const Setup& setup) {
    constexpr size_t kNamed = 6;
    std::string found, example;
    for (const auto& [column, values] : setup) {
        if (values.size() < 2) continue;
        found += (found.empty() ? "" : "; ") + column + " of ";
        size_t shown = 0;
        for (const std::string& value : values) {
            if (shown == kNamed) found += ", ...";
            if (shown++ >= kNamed) break;
            found += (shown > 1 ? ", " : "") + value;
        }
        const std::string& value = *values.begin();
        const bool isNumber = value.find_first_not_of("0123456789.-") == std::string::npos;
        example += (example.empty() ? "" : " and ") + column +
                   (isNumber ? " == " + value : " == '" + value + "'");
    }
    if (found.empty()) return;
    throw InvalidArgument("expected rows of one window, polarization, feed and state, found " +
                          found + "; select with --where \"" + example +
                          "\", whose columns may differ");
}

std::optional<RowAxes> rowAxes(const Table& table) {
    const auto words = axisWords(table);
    if (!words || table.rows() == 0) return std::nullopt;
    RowAxes axes;
    axes.first = words->at(0);
    if (words->differ())
        for (int64_t row = 0; row < table.rows(); ++row) {
            axes.rows.push_back(words->at(row));
            const SpectralAxis& axis = axes.rows.back();
            if (axis.name != axes.first.name || axis.frame != axes.first.frame)
                throw InvalidArgument("expected channels of one type in all rows, found CTYPE1 " +
                                      words->type.text(0) + " and, in row " +
                                      std::to_string(row + 1) + ", " + words->type.text(row) +
                                      "; select rows with --where");
        }
    if (axes.first.isFrequency() && axes.first.frame == SpectralFrame::Unknown) {
        axes.isFrameAssumed = true;
        axes.first.frame = SpectralFrame::Topocentric;
        for (SpectralAxis& axis : axes.rows) axis.frame = SpectralFrame::Topocentric;
    }
    return axes;
}

void turnAxes(RowAxes& axes, SpectralFrame frame, const Table& table,
              const std::function<Vec3(int64_t row)>& directionOf) {
    const SpectralFrame from = axes.first.frame;
    if (from == frame) return;
    if (!axes.first.isFrequency() || from == SpectralFrame::Unknown)
        throw Unsupported("--specsys: expected channels in frequency (CTYPE1 FREQ), found " +
                          axes.first.name);
    const ObservingSite site = siteOf(table);
    const auto date = RowWord::find(table, "DATE-OBS"), time = RowWord::find(table, "TIME");
    if (!date || date->isNumber())
        throw InvalidArgument(
            "expected DATE-OBS of each row for another frame of frequencies, found none");
    if (axes.rows.empty()) axes.rows.assign(static_cast<size_t>(table.rows()), axes.first);
    for (int64_t row = 0; row < table.rows(); ++row) {
        auto mjd = mjdOfDate(date->text(row));
        if (!mjd)
            throw InvalidArgument("expected a date as 2026-01-31T12:34:56 in DATE-OBS of row " +
                                  std::to_string(row + 1) + ", found '" + date->text(row) + "'");
        const bool isDay = date->text(row).find('T') == std::string::npos;
        if (isDay && time && time->isNumber()) *mjd += time->number(row) / 86400.0;
        const Vec3 direction = directionOf(row);
        SpectralAxis& axis = axes.rows[static_cast<size_t>(row)];
        const double ratio = frequencyRatio(frame, site, *mjd, direction) /
                             frequencyRatio(from, site, *mjd, direction);
        axis.value *= ratio;
        axis.step *= ratio;
        axis.frame = frame;
    }
    // Channels of rows without a position are unknown.
    const auto known = std::find_if(axes.rows.begin(), axes.rows.end(),
                                    [](const SpectralAxis& a) { return std::isfinite(a.value); });
    if (known != axes.rows.end()) axes.first = *known;
}

Observation observationOf(const Table& table) {
    Observation result;
    const auto common = [&](std::initializer_list<const char*> keys) -> std::string {
        for (const char* key : keys)
            if (const auto word = RowWord::find(table, key))
                if (!word->isNumber() && !word->differs() && !word->text().empty())
                    return word->text();
        return "";
    };
    result.object = common({"OBJECT"});
    result.telescope = common({"TELESCOP"});
    result.instrument = common({"INSTRUME", "BACKEND"});
    if (const auto date = RowWord::find(table, "DATE-OBS"); date && !date->isNumber())
        for (int64_t row = 0; row < table.rows() && (row == 0 || date->isColumn()); ++row) {
            const std::string text = date->text(row);
            if (!text.empty() && (result.date.empty() || text < result.date)) result.date = text;
        }
    for (const char* key : {"RESTFRQ", "RESTFREQ"}) {
        const auto rest = RowWord::find(table, key);
        if (!rest || !rest->isNumber() || rest->differs()) continue;
        const double hertz = rest->number() * unitRatio(rest->unit(), "Hz").value_or(1.0);
        if (hertz > 0.0 && std::isfinite(hertz)) result.restFrequency = hertz;
        break;
    }
    return result;
}

std::optional<int64_t> channelsOf(const Table& table, int column) {
    if (const auto axis = RowWord::find(table, "MAXIS1"); axis && axis->isNumber())
        if (axis->number() >= 1.0 && axis->number() < 1e9)
            return static_cast<int64_t>(axis->number());
    const auto word = RowWord::find(table, "TDIM" + std::to_string(column + 1));
    if (!word || word->isNumber()) return std::nullopt;
    const std::string text = word->text();
    const size_t open = text.find('(');
    if (open == std::string::npos) return std::nullopt;
    return std::strtol(text.c_str() + open + 1, nullptr, 10);
}

std::string unitOfSpectra(const Table& table, int column) {
    std::string unit = table.columns[static_cast<size_t>(column)].unit;
    const auto named = [&](const std::string& key) {
        const auto word = RowWord::find(table, key);
        return word && !word->isNumber() && !word->differs() ? word->text() : std::string();
    };
    if (unit.empty()) unit = named("TUNIT" + std::to_string(column + 1));
    if (unit.empty())
        for (const TableColumn& each : table.columns)
            if (upperCase(each.name).starts_with("TUNIT") && unit.empty()) unit = named(each.name);
    const auto parsed = parseUnit(unit);
    const bool isAntenna = parsed && parsed->power(UnitBase::RayleighJeans) == 1.0 &&
                           parsed->factors.size() == 1 && upperCase(unit).starts_with("T");
    return isAntenna ? "K" : unit;
}

}  // namespace armilla

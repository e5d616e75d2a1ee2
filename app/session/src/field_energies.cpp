// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/field_energies.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "core/error.h"
#include "core/physical_unit.h"
#include "figure/unit_text.h"
#include "io/table_io.h"

namespace armilla {

namespace {

constexpr std::array<std::pair<const char*, double>, 7> kUnits{{{"eV", 1e-6},
                                                                {"keV", 1e-3},
                                                                {"MeV", 1.0},
                                                                {"GeV", 1e3},
                                                                {"TeV", 1e6},
                                                                {"PeV", 1e9},
                                                                {"erg", 624150.9074}}};

std::string card(const std::string& key, double megaElectronVolts) {
    std::array<char, 100> text{};
    std::snprintf(text.data(), text.size(), "%-8s= %20.12G / MeV", key.c_str(), megaElectronVolts);
    std::string made = text.data();
    made.resize(80, ' ');
    return made;
}

// In MeV; none for a unit that is no energy.
std::optional<std::vector<double>> energiesOf(const Table& table, const char* name) {
    const auto index = table.find(name);
    if (!index) return std::nullopt;
    const TableColumn& column = table.columns[static_cast<size_t>(*index)];
    const double unit =
        namesNoUnit(column.unit) ? 1.0 : unitRatio(column.unit, "MeV").value_or(0.0);
    if (unit == 0.0 || column.isText() || column.width != 1) return std::nullopt;
    std::vector<double> values;
    for (int64_t row = 0; row < column.rows(); ++row) values.push_back(unit * column.number(row));
    return values;
}

std::optional<Table> tableNamed(const std::string& path, const char* name, JobContext& job) {
    try {
        TableReadOptions options;
        options.table = name;
        return readTable(path, options, job);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        return std::nullopt;
    }
}

std::optional<double> cardOf(const HealpixMap& map, const std::string& key) {
    for (const std::string& each : map.metadata().cards) {
        if (each.size() < 10 || each.compare(0, key.size(), key) != 0 ||
            each.find_first_not_of(' ', key.size()) != 8 || each[8] != '=')
            continue;
        const double value = std::strtod(each.c_str() + 9, nullptr);
        if (value > 0.0 && std::isfinite(value)) return value;
    }
    return std::nullopt;
}

// The largest unit in which the number is 1 or more, to three digits.
std::pair<double, QString> unitFor(double megaElectronVolts) {
    std::pair<double, QString> best{1e-6, QStringLiteral("eV")};
    for (size_t i = 0; i < 6; ++i)
        if (megaElectronVolts >= kUnits[i].second * (1.0 - 5e-4))
            best = {kUnits[i].second, QString::fromLatin1(kUnits[i].first)};
    return best;
}

}  // namespace

void addEnergies(HealpixMap& map, const std::string& path, const std::vector<int>& columns,
                 int fileColumns, JobContext& job) {
    // Columns of the table, and the cards that they become.
    using Names = std::initializer_list<std::pair<const char*, const char*>>;
    constexpr size_t kMost = 999;  // what a card's name has room for
    if (columns.size() > kMost) return;
    const auto add = [&](const char* table, Names names) {
        const auto found = tableNamed(path, table, job);
        if (!found || found->rows() != fileColumns) return false;
        bool any = false;
        for (const auto& [column, key] : names) {
            const auto values = energiesOf(*found, column);
            if (!values) continue;
            any = true;
            for (size_t field = 0; field < columns.size(); ++field)
                map.metadata().cards.push_back(
                    card(key + std::to_string(field + 1),
                         values->at(static_cast<size_t>(columns[field]))));
        }
        return any;
    };
    if (!add("EBOUNDS", {{"E_MIN", "E_MIN"}, {"E_MAX", "E_MAX"}}))
        add("ENERGIES", {{"ENERGY", "ENERG"}});
}

QString energyText(const HealpixMap& map, int field) {
    const std::string number = std::to_string(field + 1);
    const auto low = cardOf(map, "E_MIN" + number), high = cardOf(map, "E_MAX" + number);
    const auto text = [](double value) { return numberTypeset(QString::number(value, 'g', 3)); };
    const auto withUnit = [&](double energy) {
        const auto [unit, name] = unitFor(energy);
        return QStringLiteral("%1 %2").arg(text(energy / unit), name);
    };
    if (low && high) {
        // In one unit as long as its number has three digits: "846 MeV–1.11 GeV".
        const auto [unit, name] = unitFor(*low);
        if (std::round(*high / unit) >= 1000.0 && unitFor(*high).first > unit)
            return QStringLiteral("%1–%2").arg(withUnit(*low), withUnit(*high));
        return QStringLiteral("%1–%2 %3").arg(text(*low / unit), text(*high / unit), name);
    }
    const auto one = cardOf(map, "ENERG" + number);
    return one ? withUnit(*one) : QString();
}

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/icrs_positions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/new_vector.h"

namespace armilla {

namespace {

constexpr std::string_view kDegrees = "DEG";
constexpr std::array<std::string_view, 3> kSystemKeys{"RADESYS", "RADECSYS", "EQUINOX"};

const TableColumn& columnAt(const Table& table, int index) {
    return table.columns[static_cast<size_t>(index)];
}

// The column of that name if the column has one value in each row.
const TableColumn* columnNamed(const Table& table, std::string_view name) {
    const auto index = table.find(name);
    if (!index || columnAt(table, *index).width != 1) return nullptr;
    return &columnAt(table, *index);
}

// The frame from the name of a column of right ascensions: B1950, J2000, ICRS.
std::optional<EquatorialFrame> frameOfName(std::string_view name) {
    std::string word;
    for (const char c : name)
        if (c != '_' && c != ' ') word += upperCase(c);
    // RAB1950_DEG has the degrees of a text column RAB1950.
    if (word.ends_with(kDegrees)) word.resize(word.size() - kDegrees.size());
    if (word.ends_with("1950")) return EquatorialFrame{EquatorialSystem::Fk4, 1950.0, {}};
    if (word.ends_with("2000") || word.ends_with("ICRS")) return EquatorialFrame{};
    return std::nullopt;
}

// The frame that a file states for two columns individually.
std::optional<EquatorialFrame> frameOfColumns(const Table& table,
                                              const PositionColumns& positions) {
    const TableColumn& lon = columnAt(table, positions.lon);
    if (lon.equatorial) return lon.equatorial;
    auto named = frameOfName(lon.name);
    // RAJ2000 means FK5 in a file that states FK5.
    const bool isFk5 = table.equatorial && table.equatorial->system == EquatorialSystem::Fk5 &&
                       table.equatorial->equinox == 2000.0;
    if (isFk5 && named && named->system == EquatorialSystem::Icrs) named.reset();
    return named;
}

bool isOld(const std::optional<EquatorialFrame>& frame) {
    return frame && frame->system != EquatorialSystem::Icrs;
}

// The frames of the rows of a single-dish FITS table.
class RowFrames {
public:
    RowFrames(const Table& table, const std::optional<EquatorialFrame>& ofAll) : ofAll_(ofAll) {
        for (const std::string_view key : {kSystemKeys[0], kSystemKeys[1]})
            if (const TableColumn* column = columnNamed(table, key);
                column != nullptr && column->isText() && system_ == nullptr)
                system_ = column;
        equinox_ = columnNamed(table, kSystemKeys[2]);
        date_ = columnNamed(table, "DATE-OBS");
        if (date_ != nullptr && !date_->isText()) date_ = nullptr;
        mjd_ = columnNamed(table, "MJD-OBS");
        if (mjd_ != nullptr && mjd_->isText()) mjd_ = nullptr;
    }
    bool isByRow() const { return system_ != nullptr || equinox_ != nullptr; }
    std::optional<EquatorialFrame> at(int64_t row) const {
        const bool ofAllIsIcrs = ofAll_ && ofAll_->system == EquatorialSystem::Icrs;
        const std::string system = system_ != nullptr ? system_->text(row) : "";
        if (system.find_first_not_of(' ') == std::string::npos && ofAllIsIcrs) return ofAll_;
        std::optional<EquatorialFrame> frame = equatorialFrameOf(system, equinoxAt(row));
        if (!frame) frame = ofAll_;
        if (isOld(frame) && !frame->observed) frame->observed = observedAt(row);
        return frame;
    }

private:
    std::optional<double> equinoxAt(int64_t row) const {
        if (equinox_ == nullptr) return std::nullopt;
        if (equinox_->isText()) return equinoxYear(equinox_->text(row));
        const double year = equinox_->number(row);
        return std::isfinite(year) ? std::optional(year) : std::nullopt;
    }
    std::optional<double> observedAt(int64_t row) const {
        if (date_ != nullptr)
            if (const auto year = julianYearOfDate(date_->text(row))) return year;
        if (mjd_ != nullptr)
            if (const double mjd = mjd_->number(row); mjd > 0.0) return julianYearOfMjd(mjd);
        return std::nullopt;
    }

    std::optional<EquatorialFrame> ofAll_;
    const TableColumn *system_ = nullptr, *equinox_ = nullptr, *date_ = nullptr, *mjd_ = nullptr;
};

void refuse(const std::string& expected, const EquatorialFrame& found) {
    throw InvalidArgument("expected " + expected + ", found " + equatorialName(found));
}

// Converts row after row; consecutive rows of one frame use the same matrices.
class RowTurn {
public:
    RowTurn(const Table& table, const PositionColumns& positions, IcrsPlaces& places)
        : lon_(columnAt(table, positions.lon)),
          lat_(columnAt(table, positions.lat)),
          positions_(positions),
          places_(places) {}
    void operator()(int64_t row, const std::optional<EquatorialFrame>& frame) {
        const LonLat given{lon_.number(row) * positions_.lonUnit,
                           lat_.number(row) * positions_.latUnit};
        const auto at = static_cast<size_t>(row);
        places_.northAngle[at] = 0.0;
        if (!std::isfinite(given.lon) || !isPlace(given.lon, given.lat)) {
            places_.lon[at] = places_.lat[at] = kNan;
            return;
        }
        places_.lon[at] = given.lon;
        places_.lat[at] = given.lat;
        if (!isOld(frame)) return;
        if (!turn_ || last_ != *frame) {
            last_ = *frame;
            turn_.emplace(last_);
        }
        const Vec3 old = direction(given);
        const LonLat turned = lonLat((*turn_)(old));
        places_.lon[at] = turned.lon;
        places_.lat[at] = turned.lat;
        places_.northAngle[at] = turn_->northAngle(old);
    }

private:
    const TableColumn &lon_, &lat_;
    PositionColumns positions_;
    IcrsPlaces& places_;
    std::optional<ToIcrs> turn_;
    EquatorialFrame last_;
};

bool saysSystem(std::string_view card) {
    const std::string_view key = card.substr(0, std::min(card.find('='), card.find(' ')));
    return key == "EPOCH" ||
           std::find(kSystemKeys.begin(), kSystemKeys.end(), key) != kSystemKeys.end();
}

bool isUnknownSystem(std::string_view system) {
    return !trimmedView(system).empty() && !equatorialFrameOf(system, std::nullopt) &&
           frameFromText(system) != Frame::Equatorial;
}

// Removes the columns that state the frame of rows, because converted positions are ICRS.
void dropSystemColumns(Table& table, PositionColumns& positions) {
    for (const std::string_view key : kSystemKeys) {
        const auto index = table.find(key);
        if (!index || *index == positions.lon || *index == positions.lat) continue;
        table.columns.erase(table.columns.begin() + *index);
        for (int* position : {&positions.lon, &positions.lat})
            if (*position > *index) --*position;
    }
}

void replaceValues(Table& table, int index, double unit, std::vector<double> angles,
                   std::string_view name) {
    TableColumn& column = table.columns[static_cast<size_t>(index)];
    for (double& angle : angles) angle /= unit;
    column.values = std::move(angles);
    column.null.reset();
    column.equatorial.reset();
    const auto named = frameOfName(column.name);
    if (isOld(named) && !table.find(name)) column.name = name;
}

// The text columns from which addDegrees made positions keep the old frame, so that their names
// must state it.
void nameOldTexts(Table& table, const PositionColumns& positions, const std::string& from) {
    const std::string system = from.substr(0, from.find(' '));
    for (const int index : {positions.lon, positions.lat}) {
        const std::string name = columnAt(table, index).name;
        if (!name.ends_with("_DEG")) continue;
        const auto text = table.find(name.substr(0, name.size() - 4));
        if (!text || !columnAt(table, *text).isText() || frameOfName(columnAt(table, *text).name))
            continue;
        table.columns[static_cast<size_t>(*text)].name += "_" + system;
    }
}

// COORDSYS C is ICRS.
std::optional<EquatorialFrame> saidOf(const Table& table, const PositionColumns& positions) {
    const auto ofColumns = frameOfColumns(table, positions);
    if (ofColumns) return ofColumns;
    if (table.equatorial) return table.equatorial;
    return table.frame == Frame::Equatorial ? std::optional(EquatorialFrame{}) : std::nullopt;
}

}  // namespace

std::string unknownSystem(const Table& table) {
    for (const std::string_view key : {kSystemKeys[0], kSystemKeys[1]})
        for (const std::string& card : table.cards) {
            const size_t equals = card.find('='), open = card.find('\'');
            const size_t close = card.find('\'', open + 1);
            if (equals > open || close == std::string::npos ||
                trimmedView(std::string_view(card).substr(0, equals)) != key)
                continue;
            const std::string_view word =
                trimmedView(std::string_view(card).substr(open + 1, close - open - 1));
            return isUnknownSystem(word) ? std::string(word) : std::string();
        }
    return {};
}

void setUnknownSystem(Table& table, std::string_view system) {
    constexpr size_t kCardLength = 80, kMostLetters = 68;  // between the quotes of a card
    std::erase_if(table.cards, [](const std::string& card) { return saysSystem(card); });
    if (!isUnknownSystem(system)) return;
    // Attributes of XML may hold letters that a card cannot, and more of them.
    std::string word(trimmedView(system).substr(0, kMostLetters));
    std::replace_if(
        word.begin(), word.end(), [](char c) { return c < ' ' || c > '~' || c == '\''; }, '?');
    std::string card = "RADESYS = '" + word + "'";
    card.resize(kCardLength, ' ');
    table.cards.push_back(std::move(card));
}

bool saysEquatorial(const Table& table, const PositionColumns& positions) {
    return saidOf(table, positions).has_value();
}

std::optional<EquatorialFrame> equatorialFrameOf(const Table& table,
                                                 const PositionColumns& positions,
                                                 const std::optional<EquatorialFrame>& stated) {
    if (positions.frame == Frame::Ecliptic && isOld(table.equatorial) &&
        !(table.equatorial->system == EquatorialSystem::Fk5 && table.equatorial->equinox == 2000.0))
        refuse("ecliptic coordinates of J2000.0", *table.equatorial);
    if (positions.frame != Frame::Equatorial &&
        !(isOld(stated) && positions.frame == Frame::Unknown))
        return std::nullopt;
    const std::optional<EquatorialFrame> said = saidOf(table, positions);
    const bool saysIcrs = said && said->system == EquatorialSystem::Icrs;
    if (isOld(stated) && saysIcrs)
        throw InvalidArgument("expected no --input-frame, or C as the file states, found " +
                              equatorialName(*stated));
    if (isOld(stated) && said && said->system != stated->system)
        throw InvalidArgument("expected no --input-frame, because the file states " +
                              equatorialName(*said) + ", found " + equatorialName(*stated));
    if (isOld(said)) return said;
    return isOld(stated) ? stated : std::nullopt;
}

std::optional<IcrsPlaces> icrsPlaces(const Table& table, const PositionColumns& positions,
                                     const std::optional<EquatorialFrame>& stated,
                                     JobContext& job) {
    const std::optional<EquatorialFrame> all = equatorialFrameOf(table, positions, stated);
    const bool isOfColumns = frameOfColumns(table, positions).has_value();
    const RowFrames rows(table, all ? all : table.equatorial);
    const bool byRow = positions.frame == Frame::Equatorial && !isOfColumns && rows.isByRow();
    if (!isOld(all) && !byRow) return std::nullopt;
    const int64_t count = table.rows();
    IcrsPlaces places;
    for (std::vector<double>* values : {&places.lon, &places.lat, &places.northAngle})
        *values = newVector<double>(count, job);
    const auto frameAt = [&](int64_t row) { return byRow ? rows.at(row) : all; };
    bool isTurned = false;
    std::optional<EquatorialFrame> first;
    bool isOne = true;
    for (int64_t row = 0; row < count; ++row) {
        if (row % kPixelGrain == 0) job.poll();
        if (!byRow && row > 0) break;
        std::optional<EquatorialFrame> frame = frameAt(row);
        isTurned = isTurned || isOld(frame);
        if (row == 0) first = frame;
        // Dates of observation differ from row to row.
        isOne = isOne && first.has_value() == frame.has_value() &&
                (!frame || (first->system == frame->system && first->equinox == frame->equinox));
    }
    if (!isTurned && !isOld(all)) return std::nullopt;
    places.from = isOld(first) ? equatorialName(*first) : isOld(all) ? equatorialName(*all) : "";
    if (!isOne)
        places.from = places.from.empty() ? "FK4 or FK5 by rows" : places.from + " and others";
    parallelFor(job, count, kPixelGrain, [&](long long begin, long long end) {
        RowTurn turn(table, positions, places);
        for (long long row = begin; row < end; ++row) turn(row, frameAt(row));
    });
    return places;
}

void turnToIcrs(Table& table, PositionColumns& positions,
                const std::optional<EquatorialFrame>& stated, JobContext& job) {
    std::optional<IcrsPlaces> places = icrsPlaces(table, positions, stated, job);
    if (!places) return;
    nameOldTexts(table, positions, places->from);
    replaceValues(table, positions.lon, positions.lonUnit, std::move(places->lon), "RA_ICRS");
    replaceValues(table, positions.lat, positions.latUnit, std::move(places->lat), "DEC_ICRS");
    dropSystemColumns(table, positions);
    setUnknownSystem(table, "");
    table.equatorial = EquatorialFrame{};
    table.frame = positions.frame = Frame::Equatorial;
    positions.isFrameOfNames = false;
    table.history.push_back("positions converted from " + places->from + " to ICRS");
    table.turnedFrom = places->from;
}

}  // namespace armilla

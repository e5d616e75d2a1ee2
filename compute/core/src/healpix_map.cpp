// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/core/healpix_map.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "armilla/core/ascii_text.h"
#include "armilla/core/error.h"
#include "armilla/core/nan.h"
#include "armilla/core/pixel_queries.h"

namespace armilla {

namespace {

void checkFields(const std::vector<Field>& fields, int64_t elements) {
    if (fields.empty()) throw InvalidArgument("expected a map with at least one field, found none");
    for (const Field& field : fields)
        if (field.size() != elements)
            throw InvalidArgument("expected " + std::to_string(elements) + " values in field " +
                                  field.name + ", found " + std::to_string(field.size()));
}

// The Stokes parameter of a column name ('I', 'Q' or 'U'; 0 if none) and the rest of the name,
// which is equal in all columns of one set.
struct StokesName {
    char parameter = 0;
    std::string rest;
};

StokesName wholeStokesName(std::string_view name) {
    std::string word;
    for (const char c : upperCase(name))
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) word += c;
    // Skies of several seeds carry a number: TEMPERATURE_41, Q_POLARISATION_41, U_POLARISATION_41.
    std::string number;
    if (const size_t last = word.find_last_not_of("0123456789");
        last != std::string::npos && last + 1 < word.size()) {
        const std::string plain = word.substr(0, last + 1);
        if (plain == "TEMPERATURE" || plain.ends_with("POLARISATION")) {
            number = word.substr(last + 1);
            word = plain;
        }
    }
    if (word == "TEMPERATURE" || word == "INTENSITY" || word == "SIGNAL") return {'I', number};
    if (word.starts_with("STOKES") && word.size() == 7) word = word.substr(6) + "STOKES";
    if (word.empty()) return {};
    const char letter = word.front() == 'T' ? 'I' : word.front();
    std::string rest = word.substr(1);
    const bool known = rest.empty() || rest == "STOKES" || rest == "POLARISATION" ||
                       rest == "POLARIZATION" || rest == "POL" || rest == "MAP";
    if (!known || (letter != 'I' && letter != 'Q' && letter != 'U')) return {};
    return {letter, rest + number};
}

// The name may have a frequency behind, which is part of its rest: "Q_STOKES 408 MHz".
StokesName stokesName(std::string_view name) {
    StokesName whole = wholeStokesName(name);
    const size_t space = name.find(' ');
    if (whole.parameter != 0 || space == std::string_view::npos || space + 1 >= name.size() ||
        !isDigit(name[space + 1]))
        return whole;
    StokesName first = wholeStokesName(name.substr(0, space));
    first.rest += name.substr(space);
    return first;
}

}  // namespace

int64_t Field::size() const {
    return std::visit([](const auto& v) { return static_cast<int64_t>(v.size()); }, values);
}

double Field::at(int64_t element) const {
    return std::visit(
        [&](const auto& v) { return static_cast<double>(v[static_cast<size_t>(element)]); },
        values);
}

HealpixMap::HealpixMap(int64_t nside, Ordering ordering, Frame frame, std::vector<Field> fields)
    : nside_(nside), ordering_(ordering), frame_(frame), fields_(std::move(fields)) {
    checkNside(nside, ordering);
    elements_ = armilla::pixelCount(nside);
    checkFields(fields_, elements_);
}

HealpixMap HealpixMap::partial(int64_t nside, Ordering ordering, Frame frame,
                               std::vector<int64_t> pixels, std::vector<Field> fields) {
    checkNside(nside, ordering);
    checkFields(fields, static_cast<int64_t>(pixels.size()));
    const int64_t limit = armilla::pixelCount(nside);
    int64_t last = -1;
    for (const int64_t pixel : pixels) {
        if (pixel < 0 || pixel >= limit)
            throw InvalidArgument("expected pixels from 0 to " + std::to_string(limit - 1) +
                                  ", found " + std::to_string(pixel));
        if (pixel <= last)
            throw InvalidArgument("expected pixels in ascending order, each once, found " +
                                  std::to_string(pixel) + " after " + std::to_string(last));
        last = pixel;
    }
    HealpixMap map;
    map.nside_ = nside;
    map.elements_ = static_cast<int64_t>(pixels.size());
    map.ordering_ = ordering;
    map.frame_ = frame;
    map.coverage_ = Coverage::Partial;
    map.pixels_ = std::move(pixels);
    map.fields_ = std::move(fields);
    return map;
}

HealpixMap HealpixMap::multiOrder(int64_t nside, Frame frame, std::vector<int64_t> firstPixels,
                                  std::vector<uint8_t> orders, std::vector<Field> fields) {
    checkNside(nside, Ordering::Nested);
    checkFields(fields, static_cast<int64_t>(firstPixels.size()));
    if (orders.size() != firstPixels.size())
        throw InvalidArgument("expected an order for each of " +
                              std::to_string(firstPixels.size()) + " cells, found " +
                              std::to_string(orders.size()));
    const int deepest = orderOf(nside);
    const int64_t limit = armilla::pixelCount(nside);
    int64_t end = 0;
    for (size_t i = 0; i < orders.size(); ++i) {
        const int order = orders[i];
        if (order > deepest)
            throw InvalidArgument("expected cell orders up to " + std::to_string(deepest) +
                                  ", found " + std::to_string(order));
        const int64_t size = int64_t{1} << (2 * (deepest - order));
        const int64_t first = firstPixels[i];
        if (first < 0 || first > limit - size || first % size != 0)
            throw InvalidArgument("expected the first pixel of a cell of order " +
                                  std::to_string(order) + ", found " + std::to_string(first));
        if (first < end)
            throw InvalidArgument("expected ascending cells that do not overlap, found one from " +
                                  std::to_string(first) + " after pixel " +
                                  std::to_string(end - 1));
        end = first + size;
    }
    HealpixMap map;
    map.nside_ = nside;
    map.elements_ = static_cast<int64_t>(firstPixels.size());
    map.ordering_ = Ordering::Nested;
    map.frame_ = frame;
    map.coverage_ = Coverage::MultiOrder;
    map.pixels_ = std::move(firstPixels);
    map.orders_ = std::move(orders);
    map.fields_ = std::move(fields);
    return map;
}

int HealpixMap::fieldIndex(std::string_view nameOrNumber) const {
    const std::string wanted = upperCase(nameOrNumber);
    for (int i = 0; i < fieldCount(); ++i)
        if (upperCase(field(i).name) == wanted) return i;
    // The name without the range of its band: "CHANNEL1" of "CHANNEL1 1-1.78 GeV".
    for (int i = 0; i < fieldCount(); ++i)
        if (upperCase(field(i).name).starts_with(wanted + ' ')) return i;
    int number = 0;
    const char* end = wanted.data() + wanted.size();
    const auto [stop, failure] = std::from_chars(wanted.data(), end, number);
    if (failure == std::errc{} && stop == end && number >= 1 && number <= fieldCount())
        return number - 1;
    std::string names;
    for (const Field& f : fields_) names += (names.empty() ? "" : ", ") + f.name;
    throw InvalidArgument("expected a field name (" + names + ") or a number from 1 to " +
                          std::to_string(fieldCount()) + ", found '" + std::string(nameOrNumber) +
                          "'");
}

std::vector<std::pair<int, int>> HealpixMap::polarizationPairs() const {
    std::vector<StokesName> names;
    for (const Field& f : fields_) names.push_back(stokesName(f.name));
    std::vector<std::pair<int, int>> pairs;
    for (size_t q = 0; q < names.size(); ++q) {
        if (names[q].parameter != 'Q') continue;
        for (size_t u = 0; u < names.size(); ++u) {
            if (names[u].parameter != 'U' || names[u].rest != names[q].rest) continue;
            pairs.emplace_back(static_cast<int>(q), static_cast<int>(u));
            names[u].parameter = 0;
            break;
        }
    }
    return pairs;
}

std::optional<std::pair<int, int>> HealpixMap::polarizationPair() const {
    const auto pairs = polarizationPairs();
    if (pairs.empty()) return std::nullopt;
    return pairs.front();
}

std::optional<std::array<int, 3>> HealpixMap::polarizationFields() const {
    const auto pair = polarizationPair();
    if (!pair) return std::nullopt;
    for (int i = 0; i < fieldCount(); ++i)
        if (stokesName(field(i).name).parameter == 'I')
            return std::array{i, pair->first, pair->second};
    return std::nullopt;
}

std::optional<int64_t> HealpixMap::elementOf(int64_t pixel) const {
    if (pixel < 0 || pixel >= pixelCount()) return std::nullopt;
    if (coverage_ == Coverage::Full) return pixel;
    const auto behind = std::upper_bound(pixels_.begin(), pixels_.end(), pixel);
    if (behind == pixels_.begin()) return std::nullopt;
    const auto element = static_cast<int64_t>(behind - pixels_.begin()) - 1;
    const auto at = static_cast<size_t>(element);
    int64_t size = 1;
    if (coverage_ == Coverage::MultiOrder) size <<= 2 * (orderOf(nside_) - orders_[at]);
    if (pixel >= pixels_[at] + size) return std::nullopt;
    return element;
}

double HealpixMap::value(int fieldNumber, int64_t pixel) const {
    const auto element = elementOf(pixel);
    return element ? field(fieldNumber).at(*element) : kNan;
}

int64_t HealpixMap::pixelAt(Vec3 direction) const {
    return pixelFromDirection(nside_, ordering_, direction);
}

int64_t HealpixMap::memoryBytes() const {
    auto bytes = static_cast<int64_t>(pixels_.size() * sizeof(int64_t) + orders_.size());
    for (const Field& f : fields_) bytes += f.size() * (f.isSingle() ? 4 : 8);
    return bytes;
}

char stokesParameter(std::string_view columnName) {
    return stokesName(columnName).parameter;
}

void checkNside(int64_t nside, Ordering ordering) {
    if (!isNside(nside))
        throw InvalidArgument("expected an nside from 1 to 2^29, found " + std::to_string(nside));
    if (ordering == Ordering::Nested && !isPowerOfTwoNside(nside))
        throw InvalidArgument("expected a power of two as nside of NESTED pixels, found " +
                              std::to_string(nside));
}

int orderOf(int64_t nside) {
    return detail::exponentOf(nside);
}

}  // namespace armilla

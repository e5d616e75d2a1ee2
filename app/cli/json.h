// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON value to be written. Objects keep the order of their keys, which Qt's do not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace armilla::cli {

// Numbers come back as they were from any reader (shortest decimal form); NaN and infinities, which
// JSON lacks, are null. Text that is not valid UTF-8 has its bad bytes replaced by U+FFFD.
class Json {
public:
    Json() = default;  // null
    Json(bool value) : value_(value) {}
    Json(double value) : value_(value) {}
    Json(int value) : value_(static_cast<int64_t>(value)) {}
    Json(int64_t value) : value_(value) {}
    Json(const char* value) : value_(std::string(value)) {}
    Json(std::string value) : value_(std::move(value)) {}
    Json(std::string_view value) : value_(std::string(value)) {}
    static Json array();
    static Json object();

    // Appends to an array.
    void add(Json value);
    // Puts `value` under `key` of an object, at the end if the key is new.
    void set(std::string key, Json value);

    // On one line, without a line feed at the end.
    std::string text() const;

private:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;
    void write(std::string& out) const;

    std::variant<std::monostate, bool, double, int64_t, std::string, Array, Object> value_;
};

}  // namespace armilla::cli

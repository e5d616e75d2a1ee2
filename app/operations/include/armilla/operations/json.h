// SPDX-License-Identifier: GPL-3.0-or-later
// JSON values, for writing and reading. Unlike in Qt, objects keep the order of their keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace armilla {

// Numbers are written in the shortest decimal form that every reader reads back exactly. NaN and
// infinities, which JSON lacks, become null. Invalid UTF-8 bytes become U+FFFD.
class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;

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
    // Throws InvalidArgument with the position of the first error. At most 64 levels of nesting.
    static Json parse(std::string_view text);

    // Appends to an array.
    void add(Json value);
    // Sets the member `key` of an object; a new key is added at the end.
    void set(std::string key, Json value);
    // Removes a member from an object and returns it; null if it is missing.
    Json take(std::string_view key);

    bool isNull() const { return value_.index() == 0; }
    // These return nullptr if the value is of another kind.
    const bool* truth() const { return std::get_if<bool>(&value_); }
    const int64_t* integer() const { return std::get_if<int64_t>(&value_); }
    const std::string* string() const { return std::get_if<std::string>(&value_); }
    const Array* elements() const { return std::get_if<Array>(&value_); }
    const Object* members() const { return std::get_if<Object>(&value_); }
    bool isNumber() const;
    double number() const;  // also of an integer; NaN if it is no number
    // Member of an object; nullptr if it is missing.
    const Json* find(std::string_view key) const;

    // Text on one line, without a trailing line feed.
    std::string text() const;

private:
    void write(std::string& out) const;

    std::variant<std::monostate, bool, double, int64_t, std::string, Array, Object> value_;
};

}  // namespace armilla

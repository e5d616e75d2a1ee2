// SPDX-License-Identifier: GPL-3.0-or-later
// A JSON value, to be written and read. Objects keep the order of their keys, which Qt's do not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace armilla {

// Numbers come back as they were from any reader (shortest decimal form); NaN and infinities, which
// JSON lacks, are null. Text that is not valid UTF-8 has its bad bytes replaced by U+FFFD.
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
    // Throws InvalidArgument with the place of what is no JSON. Nesting ends at 64 levels.
    static Json parse(std::string_view text);

    // Appends to an array.
    void add(Json value);
    // Puts `value` under `key` of an object, at the end if the key is new.
    void set(std::string key, Json value);
    // Takes a member out of an object; null if it was not there.
    Json take(std::string_view key);

    bool isNull() const { return value_.index() == 0; }
    // nullptr if the value is of another kind.
    const bool* truth() const { return std::get_if<bool>(&value_); }
    const int64_t* integer() const { return std::get_if<int64_t>(&value_); }
    const std::string* string() const { return std::get_if<std::string>(&value_); }
    const Array* elements() const { return std::get_if<Array>(&value_); }
    const Object* members() const { return std::get_if<Object>(&value_); }
    bool isNumber() const;
    double number() const;  // of an integer too; NaN if it is no number
    // The member of an object, nullptr if there is none.
    const Json* find(std::string_view key) const;

    // On one line, without a line feed at the end.
    std::string text() const;

private:
    void write(std::string& out) const;

    std::variant<std::monostate, bool, double, int64_t, std::string, Array, Object> value_;
};

}  // namespace armilla

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace armilla::cli {

namespace {

// Length of the valid UTF-8 sequence at the start of `text`, 0 if there is none (RFC 3629).
size_t sequenceLength(std::string_view text) {
    const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    size_t length = 0;
    if (lead >= 0xC2 && lead <= 0xDF) length = 2;
    if (lead >= 0xE0 && lead <= 0xEF) length = 3;
    if (lead >= 0xF0 && lead <= 0xF4) length = 4;
    if (length == 0 || text.size() < length) return 0;
    for (size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    // Overlong forms, surrogates and code points past U+10FFFF.
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
        (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F))
        return 0;
    return length;
}

void writeText(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const unsigned char c = static_cast<unsigned char>(text.front());
        size_t length = 1;
        if (c == '"' || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c < 0x20 || c == 0x7F) {
            std::array<char, 8> code{};
            std::snprintf(code.data(), code.size(), "\\u%04x", c);
            out += code.data();
        } else if (c < 0x80) {
            out += static_cast<char>(c);
        } else if (const size_t valid = sequenceLength(text); valid > 0) {
            out += text.substr(0, valid);
            length = valid;
        } else {
            out += "\\ufffd";
        }
        text.remove_prefix(length);
    }
    out += '"';
}

void writeNumber(std::string& out, double value) {
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    std::array<char, 32> digits{};
    const auto [end, status] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), end);
}

}  // namespace

Json Json::array() {
    Json json;
    json.value_ = Array{};
    return json;
}

Json Json::object() {
    Json json;
    json.value_ = Object{};
    return json;
}

void Json::add(Json value) {
    std::get<Array>(value_).push_back(std::move(value));
}

void Json::set(std::string key, Json value) {
    Object& object = std::get<Object>(value_);
    const auto found = std::find_if(object.begin(), object.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (found != object.end())
        found->second = std::move(value);
    else
        object.emplace_back(std::move(key), std::move(value));
}

std::string Json::text() const {
    std::string out;
    write(out);
    return out;
}

void Json::write(std::string& out) const {
    if (const bool* truth = std::get_if<bool>(&value_)) {
        out += *truth ? "true" : "false";
    } else if (const double* number = std::get_if<double>(&value_)) {
        writeNumber(out, *number);
    } else if (const int64_t* integer = std::get_if<int64_t>(&value_)) {
        out += std::to_string(*integer);
    } else if (const std::string* string = std::get_if<std::string>(&value_)) {
        writeText(out, *string);
    } else if (const Array* array = std::get_if<Array>(&value_)) {
        out += '[';
        for (size_t i = 0; i < array->size(); ++i) {
            if (i > 0) out += ',';
            (*array)[i].write(out);
        }
        out += ']';
    } else if (const Object* object = std::get_if<Object>(&value_)) {
        out += '{';
        for (size_t i = 0; i < object->size(); ++i) {
            if (i > 0) out += ',';
            writeText(out, (*object)[i].first);
            out += ':';
            (*object)[i].second.write(out);
        }
        out += '}';
    } else {
        out += "null";
    }
}

}  // namespace armilla::cli

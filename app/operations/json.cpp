// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "armilla/core/error.h"

namespace armilla {

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
    // Excludes overlong forms, surrogates and code points beyond U+10FFFF.
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

// Parser that consumes one value after the other from a text.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    Json document() {
        Json json = value(0);
        skipBlanks();
        if (at_ != text_.size()) fail("the end");
        return json;
    }

private:
    static constexpr int kDeepest = 64;

    [[noreturn]] void fail(const char* expected) const {
        throw InvalidArgument("expected JSON with " + std::string(expected) + " at character " +
                              std::to_string(at_) + ", found " +
                              (at_ < text_.size() ? "'" + std::string(text_.substr(at_, 12)) + "'"
                                                  : std::string("its end")));
    }
    void skipBlanks() {
        while (at_ < text_.size() &&
               std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
            ++at_;
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    Json value(int depth) {
        if (depth > kDeepest) fail("fewer levels");
        skipBlanks();
        if (take("null")) return {};
        if (take("true")) return true;
        if (take("false")) return false;
        if (take("[")) return array(depth);
        if (take("{")) return object(depth);
        if (at_ < text_.size() && text_[at_] == '"') return string();
        return number();
    }
    Json array(int depth) {
        Json json = Json::array();
        skipBlanks();
        if (take("]")) return json;
        while (true) {
            json.add(value(depth + 1));
            skipBlanks();
            if (take("]")) return json;
            if (!take(",")) fail("',' or ']'");
        }
    }
    Json object(int depth) {
        Json json = Json::object();
        skipBlanks();
        if (take("}")) return json;
        while (true) {
            skipBlanks();
            std::string key = string();
            skipBlanks();
            if (!take(":")) fail("':'");
            json.set(std::move(key), value(depth + 1));
            skipBlanks();
            if (take("}")) return json;
            if (!take(",")) fail("',' or '}'");
        }
    }
    Json number() {
        size_t end = at_;
        while (end < text_.size() &&
               std::string_view("+-.0123456789eE").find(text_[end]) != std::string_view::npos)
            ++end;
        const std::string_view word = text_.substr(at_, end - at_);
        const char* stop = word.data() + word.size();
        int64_t integer = 0;
        double real = 0.0;
        Json json;
        // A negative zero is kept as a double, because integers have none.
        if (const auto read = std::from_chars(word.data(), stop, integer);
            read.ec == std::errc() && read.ptr == stop && word != "-0")
            json = integer;
        else if (const auto other = std::from_chars(word.data(), stop, real);
                 other.ec == std::errc() && other.ptr == stop)
            json = real;
        else
            fail("a value");
        at_ = end;
        return json;
    }
    unsigned fourDigits() {
        unsigned code = 0;
        const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (digits.size() != 4 || read.ptr != digits.data() + 4) fail("four digits");
        at_ += 4;
        return code;
    }
    static void append(std::string& out, unsigned code) {
        const auto byte = [&](unsigned value) { out += static_cast<char>(value); };
        if (code < 0x80) {
            byte(code);
        } else if (code < 0x800) {
            byte(0xC0 | code >> 6);
            byte(0x80 | (code & 0x3F));
        } else if (code < 0x10000) {
            byte(0xE0 | code >> 12);
            byte(0x80 | (code >> 6 & 0x3F));
            byte(0x80 | (code & 0x3F));
        } else {
            byte(0xF0 | code >> 18);
            byte(0x80 | (code >> 12 & 0x3F));
            byte(0x80 | (code >> 6 & 0x3F));
            byte(0x80 | (code & 0x3F));
        }
    }
    void escape(std::string& out) {
        if (at_ == text_.size()) fail("a letter");
        constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
        if (const size_t letter = kLetters.find(text_[at_]); letter != std::string_view::npos) {
            out += kMeant[letter];
            ++at_;
            return;
        }
        if (!take("u")) fail("an escaped letter");
        unsigned code = fourDigits();
        if (code >= 0xD800 && code < 0xDC00) {
            if (!take("\\u")) fail("the second half of a character");
            const unsigned low = fourDigits();
            if (low < 0xDC00 || low > 0xDFFF) fail("the second half of a character");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        append(out, code);
    }
    std::string string() {
        if (!take("\"")) fail("a text");
        std::string out;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '"') return out;
            if (c == '\\')
                escape(out);
            else
                out += c;
        }
        fail("'\"'");
    }

    std::string_view text_;
    size_t at_ = 0;
};

}  // namespace

Json Json::parse(std::string_view text) {
    return Reader(text).document();
}

bool Json::isNumber() const {
    return std::holds_alternative<double>(value_) || std::holds_alternative<int64_t>(value_);
}

double Json::number() const {
    if (const auto* whole = std::get_if<int64_t>(&value_)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value_)) return *real;
    return std::numeric_limits<double>::quiet_NaN();
}

const Json* Json::find(std::string_view key) const {
    if (const Object* object = members())
        for (const auto& [name, value] : *object)
            if (name == key) return &value;
    return nullptr;
}

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

Json Json::take(std::string_view key) {
    Object& object = std::get<Object>(value_);
    const auto found = std::find_if(object.begin(), object.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    if (found == object.end()) return {};
    Json value = std::move(found->second);
    object.erase(found);
    return value;
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

}  // namespace armilla

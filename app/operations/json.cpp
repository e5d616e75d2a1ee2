// SPDX-License-Identifier: GPL-3.0-or-later
#include "armilla/operations/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "armilla/core/error.h"
#include "armilla/core/nan.h"

namespace armilla {

namespace {

// A text in quotes, with escapes. Invalid UTF-8 becomes U+FFFD.
void writeText(std::string& out, std::string_view text) {
    out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void writeNumber(std::string& out, double value) {
    if (!std::isfinite(value)) {
        out += "null";
        return;
    }
    // Without a decimal point a reader takes a zero for an integer, which has no sign.
    if (value == 0.0 && std::signbit(value)) {
        out += "-0.0";
        return;
    }
    std::array<char, 32> digits{};
    const auto [end, status] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out.append(digits.data(), end);
}

// Builds a value from the events of the parser. nlohmann's own values would sort the keys of
// objects.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
public:
    Json result() { return std::move(root_); }

    bool null() override { return put({}); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(int64_t value) override { return put(value); }
    bool number_unsigned(uint64_t value) override {
        if (std::in_range<int64_t>(value)) return put(static_cast<int64_t>(value));
        return put(static_cast<double>(value));
    }
    bool number_float(double value, const std::string& /*digits*/) override { return put(value); }
    bool string(std::string& value) override { return put(std::move(value)); }
    bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }
    bool key(std::string& name) override {
        keys_.back() = std::move(name);
        return true;
    }
    bool start_array(size_t /*elements*/) override { return open(Json::array()); }
    bool start_object(size_t /*elements*/) override { return open(Json::object()); }
    bool end_array() override { return close(); }
    bool end_object() override { return close(); }
    bool parse_error(size_t position, const std::string& /*token*/,
                     const nlohmann::json::exception& error) override {
        throw InvalidArgument("expected JSON, found an error at character " +
                              std::to_string(position) + ": " + error.what());
    }

private:
    static constexpr size_t kDeepest = 64;

    bool open(Json collection) {
        if (open_.size() == kDeepest)
            throw InvalidArgument("expected JSON with at most 64 levels, found more");
        open_.push_back(std::move(collection));
        keys_.emplace_back();
        return true;
    }
    bool close() {
        Json whole = std::move(open_.back());
        open_.pop_back();
        keys_.pop_back();
        return put(std::move(whole));
    }
    bool put(Json value) {
        if (open_.empty())
            root_ = std::move(value);
        else if (open_.back().elements() != nullptr)
            open_.back().add(std::move(value));
        else
            open_.back().set(std::move(keys_.back()), std::move(value));
        return true;
    }

    Json root_;
    std::vector<Json> open_;         // from the outermost collection
    std::vector<std::string> keys_;  // the next key of each open object
};

}  // namespace

Json Json::parse(std::string_view text) {
    Builder builder;
    nlohmann::json::sax_parse(text, &builder);
    return builder.result();
}

bool Json::isNumber() const {
    return std::holds_alternative<double>(value_) || std::holds_alternative<int64_t>(value_);
}

double Json::number() const {
    if (const auto* whole = std::get_if<int64_t>(&value_)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value_)) return *real;
    return kNan;
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
